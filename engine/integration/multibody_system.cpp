#include "engine/integration/multibody_system.h"

#include <cmath>

#include "engine/dynamics/completion.h"
#include "engine/dynamics/operations.h"
#include "engine/integration/event_system.h"
#include "engine/integration/vector_operations.h"

namespace cardan {

void MultibodySystem::evaluate(double t, const double* y, const double* yp, Purpose purpose) {
  equations_.evaluateAt(w_, t, {y, w_.y.size()}, {yp, w_.yp.size()}, purpose);
  evaluated_ = !purpose.everyFrame;
}

bool MultibodySystem::residual(double t, const double* y, const double* yp, double* r) {
  evaluate(t, y, yp, {.everyFrame = false});
  std::copy(w_.residual.begin(), w_.residual.end(), r);
  return vectors::allFinite(std::ssize(w_.residual), r);
}

double MultibodySystem::operationsOfStep() const {
  constexpr double kOfMethod = 3000, kOfUnknown = 60;  // what it does with vectors
  constexpr double kSteps = 4, kIterations = 2.5;      // of a matrix that is dear
  const double matrix = newton_.operations(),
               iteration = operations::evaluation(equations_) + newton_.operationsOfSolution();
  return kOfMethod + kOfUnknown * size() +
         (isMatrixDear() ? matrix / kSteps + kIterations * iteration : matrix + iteration);
}

// Positions move for it: the other rows feel a change of the velocities far more.
void MultibodySystem::correctRates(double cj, const double* y, const double* yp, double* e) const {
  const Layout& l = equations_.layout();
  if (l.nlambda == 0 && l.nx == 0) return;  // a tree's solution has them for nothing
  for (const Layout::TreeJoint& s : l.tree) {
    if (!s.plain) continue;
    for (int i = 0; i < s.nv; ++i) e[s.q + i] = (y[l.nq + s.v + i] - yp[s.q + i]) / cj;
  }
  for (int i = l.muOffset(); i < l.size(); ++i) e[i] = -y[i];
}

void MultibodySystem::alignVelocities(double* y, const double* yp) {
  const Layout& l = equations_.layout();
  if (l.nmu > 0) return;
  for (const int moving : l.moving) {
    const Layout::TreeJoint& s = l.tree[static_cast<size_t>(moving)];
    double* const v = y + l.nq + s.v;
    if (s.plain || !s.law) {
      for (int i = 0; i < s.nv; ++i) v[i] = yp[s.q + i];
      continue;
    }
    s.law->kinematics(y + s.q, yp + s.q, v, kinematicRows_.data());
    for (int i = 0; i < s.nv; ++i) v[i] += kinematicRows_[i];
  }
}

void MultibodySystem::watch(EventSystem* events, Completion* completion) {
  events_ = events;
  completion_ = completion;
}

double MultibodySystem::turning(const double* y) const {
  if (!events_ || !events_->readsTurns()) return 0;
  double fastest = 0;
  for (const int i : turning_) fastest = std::max(fastest, std::abs(y[i]));
  return fastest;
}

bool MultibodySystem::modesFit() { return !events_ || events_->fits(w_); }

// Positions and velocities of a tree are as good as the states; all else is better solved for.
bool MultibodySystem::refines() const {
  const Layout& l = equations_.layout();
  return completion_ && (l.nlambda > 0 || l.nx > 0 || events_->readsLoads());
}

bool MultibodySystem::refine(double t, double* y, double* yp, bool again) {
  const size_t n = w_.y.size();
  refinedY_.assign(y, y + n);
  refinedYp_.assign(yp, yp + n);
  const auto factors = again ? Completion::Factors::near : Completion::Factors::fresh;
  if (!completion_->project(t, refinedY_) ||
      !completion_->complete(t, refinedY_, refinedYp_, factors))
    return false;
  std::copy(refinedY_.begin(), refinedY_.end(), y);
  std::copy(refinedYp_.begin(), refinedYp_.end(), yp);
  return true;
}

void MultibodySystem::follow(double t, double* y, double* yp) {
  if (!events_) return;
  evaluate(t, y, yp, {.kinematicRows = false});
  events_->follow(w_, y, yp);
}

int MultibodySystem::rootCount() const { return events_ ? events_->crossings() : 0; }

void MultibodySystem::searched(std::span<const long> evaluations) {
  events_->searched(evaluations);
}

bool MultibodySystem::roots(double t, const double* y, const double* yp, double* g) {
  // Conditions may read the reactions and the coordinates of cut joints.
  evaluate(t, y, yp, {.connectorLoads = events_->readsLoads(), .measure = true});
  events_->evaluateCrossings(w_, g);
  return vectors::allFinite(rootCount(), g);
}

}  // namespace cardan
