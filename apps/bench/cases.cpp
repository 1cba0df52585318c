#include "apps/bench/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <stdexcept>

#include "apps/bench/models.h"
#include "components/catalogue.h"
#include "engine/dynamics/forward_dynamics.h"
#include "engine/equations/model.h"
#include "engine/integration/make_integrator.h"
#include "engine/simulation.h"
#include "engine/simulation_parts.h"

namespace cardan::bench {
namespace {

std::vector<double> reference(const Arguments& a, const std::string& name) {
  std::vector<double> values;
  if (a.references.empty()) return values;
  std::ifstream file(fmt::format("{}/{}_{}_{:g}.txt", a.references, name, a.n, a.stop));
  for (double x = 0; file >> x;) values.push_back(x);
  return values;
}

/// Index of the unknown of this name.
int unknown(const MultibodySystem& system, const std::string& name) {
  for (int i = 0; i < system.size(); ++i) {
    if (system.unknownName(i) == name) return i;
  }
  throw std::invalid_argument("the model has no unknown '" + name + "'");
}

/// Largest difference of angles, modulo 2 pi.
double angleError(const std::vector<double>& q, const std::vector<double>& wanted) {
  if (wanted.size() < q.size()) return std::nan("");
  double error = 0;
  for (size_t i = 0; i < q.size(); ++i) {
    error = std::max(error, std::abs(std::remainder(q[i] - wanted[i], 2 * std::numbers::pi)));
  }
  return error;
}

/// Evaluations are residuals of IDA and rates of the explicit method.
void count(Measurement& m, const IntegratorStatistics& s) {
  m.steps = static_cast<double>(s.steps);
  m.residuals = static_cast<double>(s.residuals + s.rates);
  m.extra.emplace_back("newton_matrices", s.newtonMatrices);
  m.extra.emplace_back("err_test_fail", s.errorTestFailures);
}

/// A model at its start, with the integration loop alone to be timed.
class Runner {
 public:
  explicit Runner(const std::string& text)
      : simulation_(Simulation::fromText(catalogue(), text)), system_(*simulation_.parts().system) {
    simulation_.initialise();
  }

  /// Integrates to the stop time, repeatedly; returns the last y.
  std::vector<double> integrate(Measurement& m, const Arguments& a) {
    IntegratorOptions options;
    options.relativeTolerance = a.tolerance;
    const std::unique_ptr<Integrator> integrator = makeIntegrator(a.integrator, system_, options);
    if (const std::string why = integrator->examine(0, simulation_.y()); !why.empty()) {
      throw std::runtime_error("the explicit integrator cannot step this model: " + why);
    }
    repeat(m, [&] {
      integrator->start(0, simulation_.y(), simulation_.yp());
      while (integrator->time() < a.stop) integrator->step(a.stop);
    });
    count(m, integrator->statistics());
    if (integrator->methods().size() > 1) {
      m.note = integrator->methods().back().method + " from " +
               std::to_string(integrator->methods().back().time) +
               " s: " + integrator->methods().back().reason;
    }
    return {integrator->y().begin(), integrator->y().end()};
  }

  Simulation& simulation() { return simulation_; }
  MultibodySystem& system() { return system_; }

 private:
  Simulation simulation_;
  MultibodySystem& system_;
};

void arm(Measurement& m, const Arguments& a, const std::string& text, const std::string& name) {
  Runner runner(text);
  const std::vector<double> y = runner.integrate(m, a);
  for (int i = 1; i <= a.n; ++i) {
    m.final.push_back(y[unknown(runner.system(), fmt::format("r{}.phi", i))]);
  }
  m.error = angleError(m.final, reference(a, name));
}

/// Largest change of the total energy over 1000 rows, and the largest kinetic energy beside it.
void measureEnergy(Measurement& m, Simulation& simulation, const Arguments& a) {
  RunOptions options;
  options.stopTime = a.stop;
  options.outputInterval = a.stop / 1000;
  options.tolerance = a.tolerance;
  options.integrator = a.integrator;
  options.outputs = {"totalEnergy", "kineticEnergy"};
  Trajectory t;
  simulation.run(t, options);
  double drift = 0, kinetic = 0;
  for (double e : t["totalEnergy"]) drift = std::max(drift, std::abs(e - t["totalEnergy"][0]));
  for (double e : t["kineticEnergy"]) kinetic = std::max(kinetic, e);
  m.extra.emplace_back("energy_drift_J", drift);
  m.extra.emplace_back("kinetic_energy_J", kinetic);
}

/// A crank-rocker, its crank's angle against the reference.
void fourBarCase(Measurement& m, const Arguments& a, Pin pin) {
  Runner runner(fourBar(pin));
  const std::vector<double> y = runner.integrate(m, a);
  m.final = {y[unknown(runner.system(), "j1.phi")]};
  m.error = angleError(m.final, reference(a, "fourbar"));
  measureEnergy(m, runner.simulation(), a);
}

/// Four-bars in a row.
void rowCase(Measurement& m, const Arguments& a) {
  Runner runner(rowOfFourBars(a.n));
  const std::vector<double> y = runner.integrate(m, a);
  m.final = {y[unknown(runner.system(), "foot0.phi")]};
  measureEnergy(m, runner.simulation(), a);
}

/// A model file, events and all, without rows.
void fileCase(Measurement& m, const Arguments& a) {
  Simulation simulation(catalogue(), a.benchCase);
  RunOptions options;
  options.stopTime = a.stop;
  options.outputInterval = a.stop;
  options.tolerance = a.tolerance;
  options.integrator = a.integrator;
  options.outputs = {"totalEnergy"};
  RunReport report;
  repeat(m, [&] {
    Trajectory t;
    report = simulation.run(t, options);
  });
  count(m, report.integrator);
  m.note = "with the start";
  measureEnergy(m, simulation, a);
}

/// Errors: angular momentum and energy, relative; attitude against the reference.
void freeBodyCase(Measurement& m, const Arguments& a) {
  Runner runner(freeBody());
  const std::vector<double> y = runner.integrate(m, a);
  auto value = [&](const char* name, int i) {
    return y[unknown(runner.system(), fmt::format("{}[{}]", name, i))];
  };
  const Vector3d I(1, 2, 3), w0(0.01, 3, 0.01);
  const Vector3d w(value("body.w_a", 1), value("body.w_a", 2), value("body.w_a", 3));
  Vector4d Q(value("body.Q", 1), value("body.Q", 2), value("body.Q", 3), value("body.Q", 4));
  const Matrix3d R = frames::to_T(frames::from_Q(Q, w)).transpose();  // body -> world
  const Vector3d L0 = I.cwiseProduct(w0), L = R * I.cwiseProduct(w);
  const double E0 = w0.dot(L0) / 2, E = w.dot(I.cwiseProduct(w)) / 2;
  const double errorL = (L - L0).norm() / L0.norm(), errorE = std::abs(E - E0) / E0;
  double attitude = std::nan("");
  if (const std::vector<double> r = reference(a, "freebody"); r.size() >= 12) {
    attitude = 0;
    for (int i = 0; i < 9; ++i) {
      attitude = std::max(attitude, std::abs(R(i / 3, i % 3) - r[i]));
    }
  }
  m.final = {w[0], w[1], w[2], L[0], L[1], L[2]};
  m.error = std::max(errorL, errorE);
  m.extra.emplace_back("err_L", errorL);
  m.extra.emplace_back("err_E", errorE);
  m.extra.emplace_back("err_att", attitude);
}

/// What is evaluated: inverse dynamics, forward dynamics, or a Newton matrix, factorised.
enum class Evaluated { residual, rates, matrix };

/// Of a case "eval_id_robot6", "eval_fd_...", "eval_jac_...".
Evaluated evaluatedBy(const std::string& benchCase) {
  if (benchCase.starts_with("eval_id_")) return Evaluated::residual;
  if (benchCase.starts_with("eval_fd_")) return Evaluated::rates;
  if (benchCase.starts_with("eval_jac_")) return Evaluated::matrix;
  throw std::invalid_argument("unknown case '" + benchCase + "'; cases: " + caseNames());
}

/// Time of one evaluation at changing states.
void evaluation(Measurement& m, const std::string& text, Evaluated what) {
  Runner runner(text);
  MultibodySystem& system = runner.system();
  const Layout& l = runner.simulation().model().assembly().layout;
  const size_t n = system.size(), nq = l.nq;
  std::vector<double> y = runner.simulation().y(), yp(n), r(n);
  ForwardDynamics dynamics(*runner.simulation().parts().equations);
  auto setState = [&](int call) {
    for (int i = 0; i < l.nv; ++i) {
      const size_t k = i;
      y[k] = sample(i, call, 1);
      yp[k] = y[nq + k] = sample(i + 1, call, 0.5);
      yp[nq + k] = sample(i + 2, call, 0.8);
    }
  };
  timeCall(m, [&](int call) {
    setState(call);
    switch (what) {
      case Evaluated::residual:
        system.residual(0, y.data(), yp.data(), r.data());
        break;
      case Evaluated::rates:
        if (!dynamics.rates(0, y, yp)) throw std::runtime_error("singular");
        break;
      case Evaluated::matrix:
        if (!system.factor(0, 100, y.data(), yp.data())) throw std::runtime_error("singular");
        break;
    }
  });
  const std::vector<double>& shown = what == Evaluated::rates ? yp : r;
  if (what != Evaluated::matrix) m.final.assign(shown.begin() + l.nq, shown.begin() + l.nq + l.nv);
  static constexpr const char* kMethods[] = {"residual", "rates", "newton_matrix"};
  m.method = kMethods[static_cast<int>(what)];
}

}  // namespace

std::string caseNames() {
  return "chain, hanging, robot6, freebody, fourbar, fourbar_planar, fourbars, eval_id_chain, "
         "eval_id_robot6, eval_fd_chain, eval_fd_robot6, eval_jac_chain, eval_jac_robot6, "
         "or a model file";
}

Measurement measure(const Arguments& arguments) {
  Arguments a = arguments;
  if (a.benchCase.ends_with("robot6")) a.n = 6;
  if (a.benchCase == "freebody" || a.benchCase.starts_with("fourbar_") || a.benchCase == "fourbar")
    a.n = 1;
  Measurement m;
  m.benchCase = a.benchCase;
  m.method = word(a.integrator);
  m.setting = a.toleranceText;
  m.n = a.n;
  m.stop = a.stop;
  const bool evaluates = a.benchCase.starts_with("eval_");
  if (a.benchCase == "chain") {
    arm(m, a, chain(a.n), "chain");
  } else if (a.benchCase == "hanging") {
    arm(m, a, hangingChain(a.n), "hanging");
  } else if (a.benchCase == "robot6") {
    arm(m, a, robot6(), "robot6");
  } else if (a.benchCase == "freebody") {
    freeBodyCase(m, a);
  } else if (a.benchCase == "fourbar") {
    fourBarCase(m, a, Pin::revolute);
  } else if (a.benchCase == "fourbar_planar") {
    fourBarCase(m, a, Pin::planar);
  } else if (a.benchCase == "fourbars") {
    rowCase(m, a);
  } else if (a.benchCase.ends_with(".yaml")) {
    fileCase(m, a);
  } else if (evaluates && a.benchCase.ends_with("_chain")) {
    evaluation(m, chain(a.n), evaluatedBy(a.benchCase));
  } else if (evaluates && a.benchCase.ends_with("_robot6")) {
    evaluation(m, robot6(), evaluatedBy(a.benchCase));
  } else {
    throw std::invalid_argument("unknown case '" + a.benchCase + "'; cases: " + caseNames());
  }
  return m;
}

}  // namespace cardan::bench
