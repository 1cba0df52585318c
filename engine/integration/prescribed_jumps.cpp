#include "engine/integration/prescribed_jumps.h"

#include <algorithm>
#include <cmath>

#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

/// Of a velocity row over its scale: far above what a projection leaves.
constexpr double kVelocityJump = 1e-8;
/// The same where the row reads the rate of a signal of the state: such rows are met by the integration.
constexpr double kSignalJump = 1e-4;
/// Of a residue: left by impulses that are right, as the rows are linear in the velocities.
constexpr double kLeftByBlow = 1e-3;
constexpr double kSingularBlow = 1e-12;  // pivot of a matrix with rows and columns of magnitude 1
/// Ties of states need not be linear.
constexpr int kMostTries = 5;

/// What prescribes a velocity is a component with constraints: the joints that close loops read no signals.
bool mayJump(const Equations& equations) { return !equations.flatModel().constraints.empty(); }

/// Residues of the velocity rows in use that are jumps, and the largest one over its scale.
double jumpsOf(double t, const std::vector<double>& y, const std::vector<double>& yp,
               Equations& equations, const Completion& completion, Workspace<double>& w,
               Eigen::VectorXd& residues) {
  const std::vector<int>& rows = completion.active();
  const bool areRatesKnown = completion.openFollowers().empty();
  residues.setZero(std::ssize(rows));
  equations.evaluateAt(w, t, y, yp);
  double largest = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool readsSignal = equations.readsPrescribed[rows[i]];
    if (readsSignal && !areRatesKnown) continue;
    const double residue = w.velocityResidues[rows[i]];
    const double size = std::abs(residue) / equations.velocityScale(rows[i]);
    if (!(size > (readsSignal ? kSignalJump : kVelocityJump))) continue;
    residues[static_cast<Eigen::Index>(i)] = residue;
    largest = std::max(largest, size);
  }
  return largest;
}

/// While it lives nothing acts but impulses.
class Striking {
 public:
  explicit Striking(RunState& state) : state_(state), before_(state.impulses) {
    std::ranges::fill(state_.impulses, 0.0);
    state_.impulses[0] = View<double>::kStriking;
    ++state_.changes;
  }
  ~Striking() {
    std::ranges::copy(before_, state_.impulses.begin());  // evaluations look at these very ones
    ++state_.changes;
  }
  Striking(const Striking&) = delete;

 private:
  RunState& state_;
  std::vector<double> before_;
};

/// x of A x = b by rows and columns of magnitude 1. Of no size: A is singular.
Eigen::VectorXd solved(Eigen::MatrixXd A, Eigen::VectorXd b) {
  const auto inverse = [](double x) { return x > 0 ? 1 / x : 1; };
  const Eigen::VectorXd rows = A.rowwise().lpNorm<Eigen::Infinity>().unaryExpr(inverse);
  A = rows.asDiagonal() * A;
  const Eigen::VectorXd columns =
      A.colwise().lpNorm<Eigen::Infinity>().transpose().unaryExpr(inverse);
  A = A * columns.asDiagonal();
  if (!A.allFinite()) return {};
  DenseLu lu;
  lu.factor(A);
  if (!lu.pivotsExceed(kSingularBlow)) return {};
  b.array() *= rows.array();
  Eigen::VectorXd x(b.size());
  lu.solve(b, x);
  return x.cwiseProduct(columns);
}

/// What impulses that change the velocity rows by -residues do to the unknowns with a rate: as forces that
/// change the rows' rates by that do to accelerations. Of no size: the equations do not say.
Eigen::VectorXd response(double t, const std::vector<double>& y, const std::vector<double>& yp,
                         const Eigen::VectorXd& residues, Equations& equations) {
  const Layout& l = equations.layout();
  const Striking only(equations.state);
  std::vector<double> at = y, rates = yp;
  Completion completion(equations);  // which forms the matrix
  if (!completion.complete(t, at, rates)) return {};
  Eigen::VectorXd b = Eigen::VectorXd::Zero(completion.size());
  b.tail(residues.size()) = residues;
  const Eigen::VectorXd x = solved(completion.matrix().dense(), b);
  if (x.size() == 0) return {};
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(l.size());
  for (int i = 0; i < l.nv + l.nx; ++i) {
    if (l.unknowns[l.nq + i].differential) moved[l.nq + i] = -x[i];
  }
  return moved;
}

bool takeUpVelocities(double t, std::vector<double>& y, const std::vector<double>& yp,
                      Equations& equations, Completion& completion, Workspace<double>& w) {
  if (!mayJump(equations)) return false;
  Eigen::VectorXd residues;
  const double jump = jumpsOf(t, y, yp, equations, completion, w, residues);
  if (!(jump > 0)) return false;
  const Eigen::VectorXd moved = response(t, y, yp, residues, equations);
  if (moved.size() == 0) return false;
  std::vector<double> there = y, rates = yp;
  for (size_t i = 0; i < there.size(); ++i) there[i] += moved[static_cast<Eigen::Index>(i)];
  completion.complete(t, there, rates);
  if (!(jumpsOf(t, there, rates, equations, completion, w, residues) < kLeftByBlow * jump))
    return false;
  y = there;
  return true;
}

/// States that equations tie to a potential or a flow that has jumped.
bool takeUpStates(double t, std::vector<double>& y, const std::vector<double>& yp,
                  Completion& completion) {
  if (!completion.hidden() && !(completion.contradiction() > 0)) return false;
  std::vector<double> there = y, rates = yp;
  for (int k = 0; k < kMostTries; ++k) {
    if (completion.complete(t, there, rates)) {
      if (k == 0) return false;
      y = there;
      return true;
    }
    const Eigen::VectorXd moved = completion.jumpOfTied();
    if (moved.size() == 0) return false;
    for (size_t i = 0; i < there.size(); ++i) there[i] += moved[static_cast<Eigen::Index>(i)];
  }
  return false;
}

}  // namespace

bool takeUpPrescribedJumps(double t, std::vector<double>& y, const std::vector<double>& yp,
                           Equations& equations, Completion& completion, Workspace<double>& w) {
  return takeUpVelocities(t, y, yp, equations, completion, w) || takeUpStates(t, y, yp, completion);
}

void followInputs(double t, std::vector<double>& y, const std::vector<double>& yp,
                  Equations& equations, Completion& completion, Workspace<double>& w) {
  const bool isTied = completion.hidden() || completion.contradiction() > 0;
  if (!mayJump(equations) && !isTied) return;
  std::vector<double> there = y, rates = yp;
  completion.complete(t, there, rates);
  if (takeUpPrescribedJumps(t, there, rates, equations, completion, w)) y = there;
}

}  // namespace cardan
