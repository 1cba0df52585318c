#include "engine/integration/step_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/dynamics/contact_problem.h"

namespace cardan {
namespace {

constexpr double kSettled = 1e-10;   // of the velocities: forces are as good as they can be
constexpr double kTold = 1e-8;       // [m/s]  of the laws, that is told
constexpr double kLargeSpeed = 1e6;  // [m/s]  beside which it is nothing what velocities are

}  // namespace

StepContacts::StepContacts(MultibodySystem& system)
    : system_(system),
      equations_(system.equations()),
      w_(equations_.makeWorkspace<double>()),
      r0_(system.size()),
      r_(r0_.size()),
      moved_(r0_.size()) {
  if (equations_.flatModel().impulses.empty()) return;
  equations_.evaluate(w_, {});
  Blow blow;
  for (const Instance& i : equations_.flatModel().instances) {
    if (i.component->blow(View<double>(w_.tables), blow) && blow.pushed)
      contacts_.push_back({i.component, &i.name});
  }
}

double* StepContacts::forceOf(size_t pair) {
  return equations_.state.impulses.data() + 1 + 3 * contacts_[pairs_[pair]].now.impulse.index;
}

void StepContacts::look(double t, const std::vector<double>& y, const std::vector<double>& yp) {
  std::ranges::copy(y, w_.y.begin());
  std::ranges::copy(yp, w_.yp.begin());
  w_.tables.time = t;
  equations_.evaluate(w_, {.kinematicRows = false});
}

void StepContacts::begin(double t, std::span<const double> y, std::span<const double> yp) {
  std::ranges::fill(equations_.state.impulses, 0.0);
  moved_.assign(y.begin(), y.end());
  r_.assign(yp.begin(), yp.end());
  look(t, moved_, r_);
  for (Contact& c : contacts_) {
    c.component->blow(View<double>(w_.tables), c.now);
    c.approach = c.now.v[0];
    c.bounce = c.approach < 0 ? c.now.e * c.approach : 0;
    c.isPair = false;
  }
  pairs_.clear();
  part_ = 1;
}

/// Those whose gap is closed at the end of the step, or would be if they were struck as hard as the
/// fastest meet. True: they are more than before.
bool StepContacts::choosePairs(double h) {
  const size_t before = pairs_.size();
  double fastest = 0;
  bool closes = false;
  for (const Contact& c : contacts_) {
    if (c.now.gap > 0) continue;
    fastest = std::max({fastest, -c.now.v[0], -c.approach});
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
    const double scale = kLargeSpeed / most;
    moved_ = step.y();
    for (int i = l.nq; i < l.nq + l.nv; ++i) moved_[i] += scale * r_[i];
    look(step.end(), moved_, step.yp());
    for (size_t j = 0; j < pairs_.size(); ++j) {
      const Contact& seen = contacts_[pairs_[j]];
      Blow after;
      seen.component->blow(View<double>(w_.tables), after);
      mobility_.block<3, 1>(3 * static_cast<Eigen::Index>(j), k) = (after.v - seen.now.v) / scale;
    }
  }
  return true;
}

void StepContacts::warn(const std::string& text) {
  for (const std::string& w : warnings_) {
    if (w.substr(0, w.find(" (first")) == text.substr(0, text.find(" (first"))) return;
  }
  warnings_.push_back(text);
}

bool StepContacts::push(ImplicitStep& step, double h) {
  look(step.end(), step.y(), step.yp());
  for (Contact& c : contacts_) c.component->blow(View<double>(w_.tables), c.now);
  if (choosePairs(h) && !respond(step)) pairs_.clear();
  if (pairs_.empty()) return false;
  const Eigen::Index count = std::ssize(pairs_);
  ContactProblem rest{mobility_, Eigen::VectorXd(3 * count), Eigen::VectorXd(count)};
  Eigen::VectorXd before(3 * count), v(3 * count), bounce = Eigen::VectorXd::Zero(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Contact& c = contacts_[pairs_[i]];
    v.segment<3>(3 * i) = c.now.v;
    before.segment<3>(3 * i) = Eigen::Map<const Vector3d>(forceOf(i));
    rest.mu[i] = c.now.mu;
  }
  const Eigen::VectorXd free = v - mobility_ * before;
  rest.q = free;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Contact& c = contacts_[pairs_[i]];
    // What the gap would be without forces says whether they meet; then they bounce, or stay together.
    const double gap = c.now.gap + h * (free[3 * i] - c.now.v[0]);
    if (c.bounce < 0 && gap <= 0) bounce[i] = c.bounce;
    if (!(bounce[i] < 0)) rest.q[3 * i] = gap / h;
  }
  const double speed = std::max(free.cwiseAbs().maxCoeff(), rest.q.cwiseAbs().maxCoeff());
  ContactProblem all = rest;
  for (Eigen::Index i = 0; i < count; ++i) all.q[3 * i] += part_ * bounce[i];
  if (all.violation(before) <= kSettled * speed) return false;
  const PassiveImpulses found = PassiveImpulses::of(rest, free, bounce);
  part_ = found.part;
  if (found.left > std::max(kTold, kSettled * speed)) {
    warn(fmt::format(
        "no forces were found that satisfy all laws of rigid surfaces; what was nearest "
        "leaves {:.3g} m/s (first at t = {:.6g} s)",
        found.left, step.end()));
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    for (int d = 0; d < 3; ++d) forceOf(i)[d] = found.p[3 * i + d];
  }
  return true;
}

}  // namespace cardan
