#include "tests/random/row_judges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/random/rows.h"

namespace cardan::random {
namespace {

/// A state's error after a run, in tolerances: the sum of those of its steps.
constexpr double kGlobalError = 3000;
/// Rows are projected onto the loops' equations: what is left is below the error of one step.
constexpr double kClosure = 10;

class RowJudge {
 public:
  RowJudge(const Mechanism& m, const BoundedRun& run)
      : m_(m), run_(run), rows_(run.rows), tolerance_(run.settings.tolerance) {}

  std::optional<Violation> judge() {
    for (const ClosureCheck& c : m_.closures) closure(c);
    for (const FrictionCheck& f : m_.frictions) friction(f);
    for (const GapCheck& g : m_.gaps) gap(g);
    for (const SwitchCheck& s : m_.switches) condition(s);
    for (const HysteresisCheck& h : m_.hystereses) hysteresis(h);
    energy();
    return violation_;
  }

 private:
  void report(const char* law, const std::string& who, size_t row, const std::string& what) {
    if (violation_) return;
    violation_ = Violation{
        law, fmt::format("{} at {} s (row {}, tolerance {:g}, maximum step {:g}): {}", who,
                         rows_.time()[row], row, tolerance_, run_.settings.maximumStep, what)};
  }

  /// Half of a quantity's width of doubt: what its own error may be.
  double band(const std::vector<double>& x) const {
    double size = 0;
    for (const double v : x) size = std::max(size, std::abs(v));
    return kGlobalError * tolerance_ * std::max(size, 1e-3);
  }

  static double residue(const ClosureCheck& c, const Vector3d& d, const Matrix3d& T_rel) {
    const Vector3d across = d - c.n * c.n.dot(d);
    const double tilt = (T_rel * c.n - c.n).norm();
    switch (c.closure) {
      case Closure::Revolute:
        return std::max(d.norm(), tilt);
      case Closure::Prismatic:
        return std::max(across.norm(), (T_rel - Matrix3d::Identity()).norm());
      case Closure::Cylindrical:
        return std::max(across.norm(), tilt);
      case Closure::Universal:
        return std::max(d.norm(), std::abs((T_rel * c.n).dot(c.n_b) - c.n.dot(c.n_b)));
      case Closure::Planar:
        return std::max(std::abs(c.n.dot(d)), tilt);
      case Closure::Spherical:
        return d.norm();
      case Closure::Rod:
        return std::abs(d.norm() - c.length);
    }
    return 0;
  }

  void closure(const ClosureCheck& c) {
    const bool turns = c.closure != Closure::Rod && c.closure != Closure::Spherical;
    for (size_t i = 0; i < rows_.size(); ++i) {
      const Vector3d r_a = rows_.vector(c.frame_a + ".r_0", i);
      const Vector3d r_b = rows_.vector(c.frame_b + ".r_0", i);
      Vector3d d = r_b - r_a;
      Matrix3d T_rel = Matrix3d::Identity();
      if (turns) {
        const Matrix3d T_a = rows_.matrix(c.frame_a + ".R.T", i);
        d = T_a * d;
        T_rel = rows_.matrix(c.frame_b + ".R.T", i) * T_a.transpose();
      }
      const double x = residue(c, d, T_rel);
      if (x > kClosure * tolerance_ * std::max(1.0, r_a.norm()))
        return report("closed joint", c.frame_a, i, fmt::format("residue {:g}", x));
    }
  }

  void friction(const FrictionCheck& f) {
    const std::vector<double>& mode = rows_[f.name + ".mode"];
    const std::vector<double>& forward = rows_[f.name + ".startForward"];
    const std::vector<double>& backward = rows_[f.name + ".startBackward"];
    const std::vector<double>& tau = rows_[f.name + (f.rotational ? ".tau" : ".f")];
    const std::vector<double>& limit = rows_[f.name + (f.rotational ? ".tau0_max" : ".f0_max")];
    const std::vector<double>& slip = rows_[f.name + (f.rotational ? ".w_relfric" : ".v_relfric")];
    const double still = band(slip), loads = std::max(band(tau), band(limit));
    for (size_t i = 0; i < rows_.size(); ++i) {
      const bool starting = forward[i] != 0 || backward[i] != 0;
      if (mode[i] == 0 && !starting) {
        if (std::abs(tau[i]) > std::abs(limit[i]) + loads)
          return report("stuck friction beyond its limit", f.name, i,
                        fmt::format("{:g} > {:g}", std::abs(tau[i]), limit[i]));
        if (std::abs(slip[i]) > still)
          return report("stuck friction that slips", f.name, i, fmt::format("slip {:g}", slip[i]));
      } else if (std::abs(mode[i]) == 1 || starting) {
        const double sense = starting ? forward[i] - backward[i] : mode[i];
        if (sense * slip[i] < -still)
          return report("friction slides the other way", f.name, i,
                        fmt::format("mode {}, slip {:g}", mode[i], slip[i]));
        if (sense * tau[i] < -loads)
          return report("friction pushes along the slip", f.name, i,
                        fmt::format("mode {}, friction {:g}", mode[i], tau[i]));
      } else if (mode[i] == 2 && std::abs(tau[i]) > loads) {
        return report("friction without normal force", f.name, i, fmt::format("{:g}", tau[i]));
      }
    }
  }

  void gap(const GapCheck& g) {
    const std::vector<double>&contact = rows_[g.name + ".contact"], &s = rows_[g.name + ".s_rel"],
          &f = rows_[g.name + ".f"];
    const double doubt = band(s), loads = std::max(band(f), g.c * doubt);
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (std::abs(s[i] - g.s_rel0) > doubt && (s[i] < g.s_rel0) != (contact[i] != 0))
        return report(
            "gap closed or open against its length", g.name, i,
            fmt::format("s_rel - s_rel0 = {:g}, contact {}", s[i] - g.s_rel0, contact[i]));
      if (f[i] > loads) return report("gap that pulls", g.name, i, fmt::format("{:g} N", f[i]));
    }
  }

  void condition(const SwitchCheck& c) {
    const std::vector<double>& value = rows_[c.value];
    const std::vector<double>& x = c.quantity == "time" ? rows_.time() : rows_[c.quantity];
    // Time is known to the last digits, and which side it is on at the instant itself the row
    // before and that after the event tell.
    const double doubt = c.quantity == "time" ? 1e-12 * m_.stop : band(x);
    for (size_t i = 0; i < rows_.size(); ++i) {
      const double wanted = x[i] > c.threshold ? c.above : c.below;
      if (std::abs(x[i] - c.threshold) > doubt && value[i] != wanted)
        return report("condition and branch differ", c.value, i,
                      fmt::format("{} - threshold = {:g}", c.quantity, x[i] - c.threshold));
    }
  }

  void hysteresis(const HysteresisCheck& h) {
    const std::vector<double>&value = rows_[h.value], &x = rows_[h.quantity];
    const double doubt = band(x);
    for (size_t i = 0; i < rows_.size(); ++i) {
      if ((x[i] > h.high + doubt && value[i] == 0) || (x[i] < h.low - doubt && value[i] != 0))
        return report("hysteresis on the wrong side", h.value, i,
                      fmt::format("{} = {:g}", h.quantity, x[i]));
      if (i > 0 && value[i] != value[i - 1] && x[i] > h.low + doubt && x[i] < h.high - doubt &&
          x[i - 1] > h.low + doubt && x[i - 1] < h.high - doubt)
        return report("hysteresis that switches between its limits", h.value, i,
                      fmt::format("{} = {:g}", h.quantity, x[i]));
    }
  }

  void energy() {
    const double error = energyError(m_, run_);
    // Errors of the steps add up; each is at most a tolerance of velocities, twice that of energy. The
    // tolerance is one of the mean square over all unknowns, some four a body: one may have it all.
    const double most = std::sqrt(4.0 * std::max<size_t>(1, m_.bodies.size()));
    const double bound =
        tolerance_ *
        std::max(kGlobalError, 2 * most * static_cast<double>(run_.report.integrator.steps));
    if (error > bound)
      report("energy balance", "model", rows_.size() - 1,
             fmt::format("{:g} of the energy that moved; at most {:g}", error, bound));
  }

  const Mechanism& m_;
  const BoundedRun& run_;
  Rows rows_;
  double tolerance_;
  std::optional<Violation> violation_;
};

}  // namespace

/// [J] Speeds are known to some tolerances of 1 m/s and 1 rad/s, losses to those of a joule. At a
/// hundredth of these sizes, where this much energy moves, hundreds of steps add up to this.
constexpr double kLittleEnergy = 1e-2;

double energyError(const Mechanism& m, const BoundedRun& run) {
  const Rows rows(run.rows);
  if (rows.size() == 0) return 0;
  const std::vector<double>&total = rows["totalEnergy"], &kinetic = rows["kineticEnergy"],
        &potential = rows["potentialEnergy"];
  double error = 0, moved = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const double lost = m.loss.empty() ? 0 : rows[m.loss][i];
    error = std::max(error, std::abs(total[i] + lost - total[0]));
    moved = std::max({moved, kinetic[i], std::abs(potential[i] - potential[0]), std::abs(lost)});
  }
  return error / (moved + kLittleEnergy);
}

std::optional<Violation> judgeRows(const Mechanism& m, const BoundedRun& run) {
  if (run.rows.time().empty()) return {};
  return RowJudge(m, run).judge();
}

}  // namespace cardan::random
