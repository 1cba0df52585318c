/// StepContacts: rigid surfaces over a step, with forces that act over all of it.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "components/component.h"
#include "engine/dynamics/contact_problem.h"
#include "engine/dynamics/passive_impulses.h"
#include "engine/integration/implicit_step.h"
#include "engine/integration/rigid_surfaces.h"

namespace cardan {

/// Moreau's time stepping. A step is made without forces between rigid surfaces; of all that come near
/// each other in it, with the gap g and the velocity v at its end and v_0 at its beginning,
///
///   0 <= p, g >= 0, complementary;  which approach and would pass: v_n + e v_n0 >= 0 in place of it
///   g >= g_0 in place of it         where they overlap when the step begins: to part them would make
///                                   energy
///   friction                        |p_t| <= mu p_n; at the bound against the slip at the end
///
/// is one problem over what forces do to the end of the step, by the factors of its Newton matrix:
/// joints, loops, springs and drives are in it. The step is then made again with these forces.
class StepContacts {
 public:
  enum class Push {
    settled,   ///< forces are as the laws want them
    changed,   ///< they are others now: the step is to be solved again
    restless,  ///< they would still change
    unknown    ///< what they do to the step cannot be told
  };

  explicit StepContacts(MultibodySystem& system)
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

  bool any() const { return !contacts_.empty(); }
  /// A step begins at a point: there are no forces yet, and it is known who approaches.
  void begin(double t, std::span<const double> y, std::span<const double> yp) {
    std::ranges::fill(equations_.state.impulses, 0.0);
    look(t, y, yp);
    for (Contact& c : contacts_) {
      c.component->blow(View<double>(w_.tables), c.now);
      c.overlap = std::min(0.0, c.now.gap);
      c.approach = c.now.motion()[0];
      c.bounce = c.approach < 0 ? c.now.restitutionAt(-c.approach) * c.approach : 0;
      c.isPair = false;
    }
    pairs_.clear();
    part_ = 1;
    left_ = unsettled_ = 0;
  }
  /// `step` was solved with the forces as they are. `isLast`: they stay so.
  Push push(ImplicitStep& step, double h, bool isLast) {
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
  /// [m/s]  What the forces of this step leave of the laws, as no others were found; 0: nothing.
  double left() const { return left_; }
  /// [1]  Of the restitution, what the bounces of this step have: 1 but where all of it would give energy.
  double part() const { return part_; }
  /// [m/s]  By how much the last forces were not those that the laws want.
  double unsettled() const { return unsettled_; }
  /// [m/s]  The largest among them, and the contact that is farthest from its laws.
  double speed() const { return speed_; }
  const std::string& worst() const { return *contacts_[worst_].name; }

 private:
  static constexpr double kSettled = 1e-10;  // of the velocities: forces are as good as they can be
  static constexpr double kTold = 1e-8;      // [m/s]  of the laws, that is told

  struct Contact {
    const Component* component;
    const std::string* name;
    double overlap = 0;   ///< [m]    g_0 where it is negative, or 0
    double approach = 0;  ///< [m/s]  v_n0
    double bounce = 0;    ///< [m/s]  e v_n0, negative where it approaches
    bool isPair = false;
    ImpactPair now = {};
  };

  void look(double t, std::span<const double> y, std::span<const double> yp) {
    equations_.evaluateAt(w_, t, y, yp, {.kinematicRows = false});
  }
  /// Those whose gap is closed at the end of the step, or would be if they were struck as hard as the
  /// fastest meet. True: they are more than before.
  bool choosePairs(double h) {
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
  bool respond(ImplicitStep& step) {
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
  double* forceOf(size_t pair) {
    return equations_.state.impulses.data() + 1 + 3 * contacts_[pairs_[pair]].now.impulse.index;
  }

  MultibodySystem& system_;
  Equations& equations_;
  Workspace<double> w_;
  std::vector<Contact> contacts_;
  std::vector<size_t> pairs_;  ///< of contacts_, those that come near in this step
  std::vector<double> r0_, r_, moved_;
  double part_ = 1;  ///< [1]  of the restitution, in this step
  double left_ = 0, unsettled_ = 0, speed_ = 1;
  size_t worst_ = 0;          ///< of contacts_
  Eigen::MatrixXd mobility_;  ///< [m/s/N]  velocities of the pairs by their forces, three each
};

}  // namespace cardan
