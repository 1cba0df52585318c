#include "engine/integration/step_contacts.h"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/contact_problem.h"
#include "engine/integration/rigid_surfaces.h"

namespace cardan {
namespace {

constexpr double kSettled = 1e-10;  // of the velocities: forces are as good as they can be
constexpr double kTold = 1e-8;      // [m/s]  of the laws, that is told

}  // namespace

StepContacts::StepContacts(MultibodySystem& system)
    : system_(system),
      equations_(system.equations()),
      w_(equations_.makeWorkspace<double>()),
      r0_(system.size()),
      r_(r0_.size()),
      moved_(r0_.size()) {
  for (const RigidSurface& s : rigidSurfacesOf(equations_)) {
    if (s.pushed) contacts_.push_back({s.component, s.name});
  }
}

double* StepContacts::forceOf(size_t pair) {
  return equations_.state.impulses.data() + 1 + 3 * contacts_[pairs_[pair]].now.impulse.index;
}

void StepContacts::look(double t, std::span<const double> y, std::span<const double> yp) {
  equations_.evaluateAt(w_, t, y, yp, {.kinematicRows = false});
}

void StepContacts::begin(double t, std::span<const double> y, std::span<const double> yp) {
  std::ranges::fill(equations_.state.impulses, 0.0);
  look(t, y, yp);
  for (Contact& c : contacts_) {
    c.component->blow(View<double>(w_.tables), c.now);
    c.overlap = std::min(0.0, c.now.gap);
    c.approach = c.now.motion()[0];
    c.bounce = c.approach < 0 ? c.now.e * c.approach : 0;
    c.isPair = false;
  }
  pairs_.clear();
  part_ = 1;
  left_ = unsettled_ = 0;
}

/// Those whose gap is closed at the end of the step, or would be if they were struck as hard as the
/// fastest meet. True: they are more than before.
bool StepContacts::choosePairs(double h) {
  const size_t before = pairs_.size();
  double fastest = 0;
  bool closes = false;
  for (const Contact& c : contacts_) {
    if (c.now.gap > 0) continue;
    fastest = std::max({fastest, -c.now.motion()[0], -c.approach});
    closes = closes || !c.isPair;
  }
  for (size_t i = 0; closes && i < contacts_.size(); ++i) {
    if (contacts_[i].now.gap > 2 * h * fastest || contacts_[i].isPair) continue;
    contacts_[i].isPair = true;
    pairs_.push_back(i);
  }
  return pairs_.size() > before;
}

/// What forces of 1 N do to the velocities at the end of the step.
bool StepContacts::respond(ImplicitStep& step) {
  const Eigen::Index count = 3 * std::ssize(pairs_);
  const Layout& l = equations_.layout();
  mobility_.setZero(count, count);
  if (!step.factorHere()) return false;
  system_.residual(step.end(), step.y().data(), step.yp().data(), r0_.data());
  for (Eigen::Index k = 0; k < count; ++k) {
    const Contact& pushed = contacts_[pairs_[k / 3]];
    if (k % 3 > 0 && !(pushed.now.mu > 0)) continue;
    double& force = forceOf(k / 3)[k % 3];
    const double size = 1 + std::abs(force);
    force += size;
    system_.residual(step.end(), step.y().data(), step.yp().data(), r_.data());
    force -= size;
    for (size_t i = 0; i < r_.size(); ++i) r_[i] = (r0_[i] - r_[i]) / size;
    system_.solve(r_.data(), r_.data());
    double most = 0;
    for (int i = l.nq; i < l.nq + l.nv; ++i) most = std::max(most, std::abs(r_[i]));
    if (!(most > 0)) continue;
    const double scale = kFarAlong / most;
    moved_ = step.y();
    for (int i = l.nq; i < l.nq + l.nv; ++i) moved_[i] += scale * r_[i];
    look(step.end(), moved_, step.yp());
    for (size_t j = 0; j < pairs_.size(); ++j) {
      const Contact& seen = contacts_[pairs_[j]];
      ImpactPair after;
      seen.component->blow(View<double>(w_.tables), after);
      mobility_.block<3, 1>(3 * static_cast<Eigen::Index>(j), k) = (after.v - seen.now.v) / scale;
    }
  }
  return true;
}

StepContacts::Push StepContacts::push(ImplicitStep& step, double h, bool isLast) {
  look(step.end(), step.y(), step.yp());
  for (Contact& c : contacts_) c.component->blow(View<double>(w_.tables), c.now);
  if (choosePairs(h) && !respond(step)) return Push::unknown;
  if (pairs_.empty()) return Push::settled;
  const Eigen::Index count = std::ssize(pairs_);
  ContactProblem rest{mobility_, Eigen::VectorXd(3 * count), Eigen::VectorXd(count)};
  Eigen::VectorXd before(3 * count), v(3 * count), bounce = Eigen::VectorXd::Zero(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Contact& c = contacts_[pairs_[i]];
    v.segment<3>(3 * i) = c.now.motion();
    before.segment<3>(3 * i) = Eigen::Map<const Vector3d>(forceOf(i));
    rest.mu[i] = c.now.mu;
  }
  const Eigen::VectorXd free = v - mobility_ * before;
  rest.q = free;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Contact& c = contacts_[pairs_[i]];
    // What the gap would be without forces says whether they meet; then they bounce, or stay together.
    const double gap = c.now.gap + h * (free[3 * i] - c.now.motion()[0]);
    if (c.bounce < 0 && gap <= 0) bounce[i] = c.bounce;
    if (!(bounce[i] < 0)) rest.q[3 * i] = (gap - c.overlap) / h;
  }
  const double speed = std::max(free.cwiseAbs().maxCoeff(), rest.q.cwiseAbs().maxCoeff());
  rest.enough = ContactProblem::kNothing;
  ContactProblem all = rest;
  for (Eigen::Index i = 0; i < count; ++i) all.q[3 * i] += part_ * bounce[i];
  const double told = std::max(kTold, kSettled * speed);
  speed_ = std::max(speed, kTold);
  Eigen::Index worst = 0;
  unsettled_ = all.violation(before, &worst);
  worst_ = pairs_[static_cast<size_t>(worst)];
  if (unsettled_ <= std::max(kSettled * speed, ContactProblem::kNothing)) return Push::settled;
  if (isLast) return unsettled_ <= left_ + told ? Push::settled : Push::restless;
  const PassiveImpulses found = PassiveImpulses::of(rest, free, bounce);
  part_ = found.part;
  left_ = found.left > told ? found.left : 0;
  for (Eigen::Index i = 0; i < count; ++i) {
    for (int d = 0; d < 3; ++d) forceOf(i)[d] = found.p[3 * i + d];
  }
  return Push::changed;
}

}  // namespace cardan
