/// EvaluationPoint: the equations at one point, with derivatives by any columns that are asked for.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "engine/dynamics/coloured_jacobian.h"
#include "engine/equations/equations.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {

class EvaluationPoint {
 public:
  explicit EvaluationPoint(const Equations& equations)
      : equations_(equations),
        value_(equations.makeWorkspace<double>()),
        carried_(equations.positionsWithoutInertia()) {
    prescribes_ = std::ranges::count(equations.readsPrescribed, true) > 0;
    secondRates_.assign(equations.followers().size(), 0.0);
  }
  EvaluationPoint(const EvaluationPoint&) = delete;

  /// The point of the next evaluations; arrays of length n.
  void setPoint(double t, const double* y, const double* yp) {
    std::copy_n(y, value_.y.size(), value_.y.begin());
    std::copy_n(yp, value_.yp.size(), value_.yp.begin());
    value_.tables.time = t;
    value_.tables.flow = nullptr;
    dualIsThere_ = false;
  }

  const Workspace<double>& evaluate(Purpose purpose) {
    equations_.evaluate(value_, purpose);
    return value_;
  }

  const Workspace<double>& evaluateAt(double t, const double* y, const double* yp,
                                      Purpose purpose) {
    setPoint(t, y, yp);
    return evaluate(purpose);
  }

  /// Derivatives of everything by n columns: seed(w, column, lane, 1 or 0) sets a direction,
  /// read(w, column, lane) takes what it needs.
  template <class Seed, class Read>
  void columns(int n, Purpose purpose, Seed seed, Read read) {
    Workspace<Dual>& dual = dualWorkspace();
    for (int c0 = 0; c0 < n; c0 += kLanes) {
      const int c1 = std::min(n, c0 + kLanes);
      for (int c = c0; c < c1; ++c) seed(dual, c, c - c0, 1.0);
      equations_.evaluate(dual, purpose);
      for (int c = c0; c < c1; ++c) read(dual, c, c - c0);
      for (int c = c0; c < c1; ++c) seed(dual, c, c - c0, 0.0);
    }
  }

  /// A(i, c): derivative of element(w, i, lane) by column c, seeded as above. The sweep remembers
  /// where elements are. Rows that element() leaves zero may be filled in afterwards.
  template <class Seed, class Element>
  void sweep(ColouredJacobian& sweep, BlockMatrix& A, Purpose purpose, Seed seed, Element element) {
    Workspace<Dual>& dual = dualWorkspace();
    const bool known = sweep.fill(
        A, [&](int c, int lane, double on) { seed(dual, c, lane, on); },
        [&](int c, int lane) { seed(dual, c, lane, 0.0); },
        [&] { equations_.evaluate(dual, purpose); },
        [&](int i, int lane) { return element(dual, i, lane); });
    if (!known) sweep.learn(A);
  }

  /// The same without a memory, all of A.
  template <class Seed, class Element>
  void sweepOnce(BlockMatrix& A, Purpose purpose, Seed seed, Element element) {
    ColouredJacobian once(A.rowSets(), A.columnSets());
    once.stayPlain();
    sweep(once, A, purpose, seed, element);
  }

  /// Derivatives of the constraint rows by v (nlambda x nv), as they are, or of magnitude 1: both over
  /// their scales. Until the next ones.
  const BlockMatrix& velocityRows(Purpose purpose = {.loads = false, .kinematicRows = false});
  const BlockMatrix& scaledVelocityRows(Purpose purpose = {.loads = false, .kinematicRows = false});
  /// The same by some of v alone.
  BlockMatrix velocityRows(const std::vector<int>& velocities, Purpose purpose);

  /// The motion of the last evaluate() (by clusters) as a constant for evaluateDual().
  void holdMotion() { equations_.holdMotion(dualWorkspace(), value_); }
  void evaluateDual(Purpose purpose) { equations_.evaluate(dualWorkspace(), purpose); }
  /// Sets a direction of both multipliers of a row, the stabilising one whether or not it is an
  /// unknown.
  void seedConstraint(int multiplier, int lane, double on) {
    Workspace<Dual>& dual = dualWorkspace();
    dual.y[layout().lambdaOffset() + multiplier].setLane(lane, on);
    const int m = layout().muOfLambda[multiplier];
    if (m >= 0) {
      dual.y[layout().muOffset() + m].setLane(lane, on);
    } else {
      dual.virtualMultipliers[multiplier].setLane(lane, on);
    }
  }

  /// Evaluates with the motion itself as direction: lane 0 of every result is its time derivative.
  /// Accelerations, multipliers and algebraic unknowns count as constant, but for carried(); rates of
  /// followed signals change as the accelerations say.
  const Workspace<Dual>& alongTheFlow(Purpose purpose = {.kinematicRows = false}) {
    Workspace<Dual>& dual = dualWorkspace();
    seedFlow(1);
    equations_.evaluate(dual, purpose);
    seedFlow(0);
    return dual;
  }

  /// Values of everything at the point, derivatives of variables included (View::flow). To be
  /// followed by setPoint().
  const Workspace<double>& evaluateWithFlow() {
    Workspace<Dual>& dual = dualWorkspace();
    seedFlow(1);
    equations_.evaluate(dual, {.kinematicRows = false, .measure = true});
    value_.tables.flow = &*flow_;
    equations_.evaluate(value_, {.kinematicRows = false, .connectorLoads = true, .measure = true});
    return value_;
  }
  const Workspace<Dual>& flow() const { return *dual_; }
  /// True: constraints read rates of followed signals.
  bool prescribes() const { return prescribes_; }
  /// Second time derivatives of the followed signals at the point, as alongTheFlow() uses them.
  const std::vector<double>& secondRates() const { return secondRates_; }
  /// Finds them for other accelerations at the same point: yp of length n.
  const std::vector<double>& secondRatesFor(const double* yp) {
    for (size_t i = 0; i < value_.yp.size(); ++i) value_.yp[i] = yp[i];
    findSecondRates();
    return secondRates_;
  }

  /// Positions without inertia: algebraic unknowns that have a velocity (in yp, as
  /// Completion::complete() leaves it).
  const std::vector<int>& carried() const { return carried_; }

  const Equations& equations() const { return equations_; }
  const Layout& layout() const { return equations_.layout(); }
  Workspace<double>& valueWorkspace() { return value_; }
  /// Made when derivatives are asked for first.
  Workspace<Dual>& dualWorkspace() {
    if (!dual_) {
      dual_ = std::make_unique<Workspace<Dual>>(equations_.makeWorkspace<Dual>());
      flow_.emplace(dual_->tables);
    }
    if (!dualIsThere_) {
      dualIsThere_ = true;
      for (size_t i = 0; i < value_.y.size(); ++i) {
        dual_->y[i] = Dual(value_.y[i]);
        dual_->yp[i] = Dual(value_.yp[i]);
      }
      dual_->tables.time = Dual(value_.tables.time);
    }
    return *dual_;
  }

 private:
  void seedFlow(double on) {
    Workspace<Dual>& dual = dualWorkspace();
    const Layout& l = equations_.layout();
    if (prescribes_) {
      if (on != 0) findSecondRates();
      for (size_t f = 0; f < secondRates_.size(); ++f) {
        const int i = equations_.followers()[f].unknown;
        dual.yp[i].setLane(0, on * secondRates_[f]);
      }
    }
    for (int i = 0; i < l.lambdaOffset(); ++i) {
      const size_t k = i;
      if (l.unknowns[k].differential) dual.y[k].setLane(0, on * dual.yp[k].v);
    }
    for (int i : carried_) dual.y[i].setLane(0, on * dual.yp[i].v);
    dual.tables.time.setLane(0, on);
  }
  Workspace<Dual>& evaluateMoving(double t, const std::vector<double>& y,
                                  const std::vector<double>& yp);
  template <class Velocity>
  void sweepVelocities(ColouredJacobian& of, BlockMatrix& G, Purpose purpose, Velocity velocity);
  void findSecondRates();
  void secondDerivatives(std::vector<double>& ypp);

  const Equations& equations_;
  Workspace<double> value_;
  std::vector<int> carried_;
  std::unique_ptr<Workspace<Dual>> dual_;
  std::optional<View<Dual>> flow_;
  bool dualIsThere_ = false;  ///< at the point of value_
  bool prescribes_ = false;
  std::vector<double> secondRates_;  ///< per follower
  std::unique_ptr<Workspace<Dual>> moved_;
  std::vector<double> moment_, momentRates_, ypp_;
  BlockMatrix velocityRows_;  ///< allocated when they are asked for first
  ColouredJacobian velocitySweep_;
};

/// Derivatives of all kinematic rows of one edge, whose q, der(q) and v these are (null: zero): column j is
/// along a direction that moves q_j by `ofPosition` and der(q_j) by `ofRate`. The rows go into `rows`,
/// where that is not null.
SmallMatrix kinematicDerivatives(const Layout::TreeJoint& edge, const double* q, const double* qd,
                                 const double* v, double ofPosition, double ofRate,
                                 double* rows = nullptr);

/// der(q) of every edge of the tree from q and v: its kinematic rows, and the constraints among q
/// differentiated.
void kinematicRates(const Layout& layout, const double* y, double* yp);

}  // namespace cardan
