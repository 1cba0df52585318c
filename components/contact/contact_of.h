/// ContactOf: what all contacts between two frames share besides their geometry.
#pragma once

#include <Eigen/Geometry>
#include <utility>
#include <vector>

#include "components/component.h"
#include "components/contact/bristle.h"
#include "components/contact/contact_law.h"
#include "components/contact/guides.h"
#include "components/contact/rigid_seat.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"
#include "components/interfaces/two_no_tree_frames.h"
#include "components/laws/relation.h"
#include "components/laws/stick_slip.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::contact {

/// Motion of a contact point, which is no point of either body.
template <class S>
struct PointMotion {
  Vector3<S> n_d;                           ///< [1/s]  der(n_0)
  Vector3<S> r_d;                           ///< [m/s]  der(r_0)
  S steepness_d{0};                         ///< [1/s]  der(steepness)
  Vector3<S> a_own_0 = Vector3<S>::Zero();  ///< [m/s2]  der(v_own_0)
};

/// Derived says where the surfaces are:
///
///   point(View<S>) -> ContactPoint<S>   where they are nearest, or overlap
///   approach(View<double>) -> double    [m]  > 0 where they overlap, smooth, also far from there
///   size() -> double                    [m]  typical length of the surfaces
///   motionOf(View<S>, ContactPoint<S>, S v_depth) -> PointMotion<S>
///                                       with sticking friction or rigid surfaces: how n_0 and r_0
///                                       move
///   reserve(View<double>) -> double     [1]  the geometry has a meaning where > 0; if it may end
///   share() -> double                   [1]  if both surfaces are round, see there
///
/// The force depends on one point: overlap is small against the radii of the surfaces.
///
/// Unknowns   rigid: f_n [N], and with stick tau [N], friction along the slip, resolved in world;
///            elastic with stick: see Bristle
/// Equations  rigid: apart f_n = 0;  resting: der(gap, 2) = 0, see RigidSeat
///            slipping: tau = mu f_n v_slip_0/|v_slip_0|;  stuck: der(v_slip_0) = 0, together with
///            others stick_slip::sharedRow, where joints guide both across that alone, see Guides;
///            n_0.tau = 0
/// Modes      touching: approach > 0; released: damping would pull (see ContactLaw)
/// Loads      f_0 on frame_b's body at r_0, -f_0 at the same point on frame_a's
template <class Derived>
class ContactOf : public ComponentOf<Derived> {
 public:
  template <class S>
  void physics(View<S>& x) const {
    if (x.isStriking() || isPushedApart(x) || (law_.isRigid() && x.forcesAreGiven())) {
      strike(x);
      return;
    }
    if (law_.isRigid()) normalRow(x);
    if (law_.sticksRigidly()) frictionRows(x);
    if (!touches(x)) {
      if (law_.hasBristle()) bristle_.restingRows(x, law_.grip());
      return;
    }
    const auto [at, c] = contact(x);
    if (law_.hasBristle()) bristle_.rows(x, slipOf(x, at, c), law_.grip());
    push(x, at, c.f_0);
    heat_.addLoss(x, c.lossPower);
  }
  bool blow(const View<double>& x, ImpactPair& b) const override {
    if (!law_.isRigid()) return false;
    const ContactPoint<double> at = self().point(x);
    const Vector3d v = relativeVelocity(x, at);
    const Basis across = acrossOf(at.n_0);
    const bool rests = seat_.rests(x);
    b = {impulse_,
         RigidSeat::isClosed(seatState(x)),
         -at.depth / at.steepness,
         {at.n_0.dot(v), across.first.dot(v), across.second.dot(v)},
         law_.restitution(),
         law_.v_rest(),
         law_.mu(),
         rests,
         rests && std::abs(at.n_0.dot(v)) < RigidSeat::kDrift,
         seat_.restsAlone(x),
         isPushedApart(x)};
    return true;
  }
  void guards(const View<double>& x, Guards& g) const override {
    if (x.ahead() > 0) {
      for (int i = law_.sticksRigidly() ? 5 : law_.sticks() ? 4 : 2; i > 0; --i) g.crossing(1);
      guardReserve(x, g);
      return;
    }
    if (law_.isRigid()) {
      seat_.guards(x, g, seatState(x));
    } else {
      elasticGuards(x, g);
    }
    if (law_.sticks() && !touches(x)) {
      g.crossing(1);
      g.crossing(1);
    } else if (law_.hasBristle()) {
      const auto [at, c] = contact(x);
      bristle_.guards(x, g, c.v_slip_0, at.n_0, law_.grip());
    } else if (law_.sticks()) {
      slip_.guards(x, g, slipState(x));
    }
    if (law_.sticksRigidly()) g.crossing(guides_.guard(x, self().point(x).r_0, self().size()));
    guardReserve(x, g);
  }
  /// The force; what the surfaces look like is Derived's.
  void picture(Shapes& s) const override {
    picture::contactForce(
        s, law_.isRigid() ? Level::Force : Level::Velocity,
        [this](const View<double>& x) { return self().point(x).r_0; },
        [this](const View<double>& x) { return contact(x).second.f_0; });
  }
  void follow(const View<double>& x, Modes& m) const override {
    if (law_.isRigid()) {
      seat_.follow(m, self().point(x).depth, x.impulse(impulse_)[0] > 0);
      if (law_.sticks()) slip_.forget(m);
      return;
    }
    const auto [at, c] = contact(x);
    const double speed = relativeVelocity(x, at).norm();
    touching_.follow(m, at.depth, self().size(), speed * x.ahead());
    if (!law_.hasBristle()) return;
    if (touching_.isSet(m)) bristle_.follow(x, m, at.depth > 0, c.v_slip_0, at.n_0, law_.grip());
    if (!touching_.isSet(m)) bristle_.forget(m);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    if (x.ahead() > 0) return false;
    if (const Vector3d* solved = m.solvedForce()) return obey(x, m, *solved);
    bool changed = false;
    if (law_.isRigid()) {
      SeatState now = seatState(x);
      now.v_before = stick_slip::entered(
          m, now.v, [this](const View<double>& before) { return seatState(before).v; });
      changed = seat_.transition(m, now);
    } else {
      changed = touching_.update(m, self().approach(x), self().size());
      if (law_.isDamped() && touching_.isSet(m))
        changed = released_.update(m, -law_.push(contact(x).second.v_depth), 1) || changed;
    }
    if (law_.hasBristle()) {
      const auto [at, c] = contact(x);
      const bool slips = touching_.isSet(m)
                             ? bristle_.transition(x, m, c.v_slip_0, at.n_0, law_.grip())
                             : bristle_.forget(m);
      return slips || changed;
    }
    if (!law_.sticks()) return changed;
    if (!seat_.rests(m)) {
      guides_.forget(m);
      return slip_.forget(m) || changed;
    }
    return (touches(x) && slipTransition(x, m)) || changed;
  }

 protected:
  /// Where the geometry never ends.
  static constexpr const char* kLost = "";
  double reserve(const View<double>&) const { return 1; }
  /// [1]  Of frame_b's spin about the normal in that of the plane of contact, the rest is of frame_a's: 0
  /// where frame_a's surface is the flatter one.
  double share() const { return 0; }
  /// Inputs that depth and force depend on.
  std::vector<SignalId> reads() const { return {}; }

  void declareContact(Structure& s) {
    frames_.declare(s);
    heat_.declare(s);
    if (law_.isRigid()) {
      seat_.declare(s);
      f_n_ = s.unknown({"f_n", "N", "normal force, pushing"}, Kind::Algebraic);
      normal_ = s.row("normal");
      impulse_ = s.impulse();
    } else {
      touching_.declare(s, "touching");
      released_.declare(s, "released");
    }
    if (law_.hasBristle()) bristle_.declare(s, law_.grip());
    if (!law_.isRigid()) return;
    s.inertia(frames_.frame_a);
    s.inertia(frames_.frame_b);
    if (!law_.sticks()) return;
    for (int i = 0; i < 3; ++i) {
      tau_[i] = s.unknown(
          {"tau[" + std::to_string(i + 1) + "]", "N", "friction along the slip, resolved in world"},
          Kind::Algebraic);
    }
    row_ = s.row("friction", 3);
    slip_.declare(s);
    guides_.declare(s);
  }
  void describeContact(Variables& v) const {
    law_.describe(v);
    describe::truth(v, {"touching", "1", "the surfaces touch", Level::Time},
                    [this](const auto& x) { return isTouching(x); });
    if (law_.sticks()) {
      describe::truth(v,
                      {"stuck", "1", "the surfaces stick, and are not about to slip", Level::Time},
                      [this](const auto& x) {
                        const bool holds = law_.isRigid() ? !slip_.isLoose(x) : bristle_.isStuck(x);
                        return isTouching(x) && holds;
                      });
    }
    if (law_.hasBristle()) bristle_.describe(v, law_.grip());
    const Level ofForce = law_.isRigid() ? Level::Force : Level::Velocity;
    const auto read = self().reads();
    const auto position = [&](const char* name, const char* unit, const char* about) {
      return VariableInfo{name, unit, about, Level::Position, false, read};
    };
    const auto velocity = [&](const char* name, const char* unit, const char* about) {
      return VariableInfo{name, unit, about, Level::Velocity, false, read};
    };
    v.scalar(position("depth", "m", "overlap of the surfaces; < 0: minus their distance"),
             [this](const auto& x) { return self().point(x).depth; });
    v.vector(position("r_contact_0", "m", "where the force acts, resolved in world"),
             [this](const auto& x) { return self().point(x).r_0; });
    v.vector(position("n_0", "1", "normal from frame_a's surface, resolved in world"),
             [this](const auto& x) { return self().point(x).n_0; });
    v.scalar(velocity("v_depth", "m/s", "derivative of depth"),
             [this](const auto& x) { return contact(x).second.v_depth; });
    v.vector(velocity("v_slip_0", "m/s", "slip of frame_b's surface, resolved in world"),
             [this](const auto& x) { return contact(x).second.v_slip_0; });
    v.scalar(velocity("v_slip", "m/s", "size of the slip"),
             [this](const auto& x) { return contact(x).second.v_slip; });
    v.scalar({"f_n", "N", "normal force, pushing", ofForce, false, read},
             [this](const auto& x) { return contact(x).second.f_n; });
    const auto friction = [&](const char* name, const char* unit, const char* about) {
      return VariableInfo{name, unit, about, ofForce, false, read};
    };
    v.scalar(friction("f_friction", "N", "size of the friction force"),
             [this](const auto& x) { return contact(x).second.f_friction; });
    v.vector(friction("f_0", "N", "force on frame_b's side, resolved in world"),
             [this](const auto& x) { return contact(x).second.f_0; });
    v.scalar(friction("lossPower", "W", "power that damping and friction take"),
             [this](const auto& x) { return contact(x).second.lossPower; });
    v.mechanics(
        [this](const auto& x) {
          MechanicalSums<std::decay_t<decltype(x.time())>> sum;
          sum.potentialEnergy = contact(x).second.energy;
          return sum;
        },
        read);
  }

  /// Where the surfaces touch, and what acts there.
  template <class S>
  std::pair<ContactPoint<S>, ContactForce<S>> contact(const View<S>& x) const {
    const ContactPoint<S> at = self().point(x);
    const Vector3<S> v_rel_0 = relativeVelocity(x, at);
    if (isPushedApart(x)) return {at, pushedApart(x, at, v_rel_0)};
    ContactForce<S> c = law_.isRigid()
                            ? law_.force(at, v_rel_0, touches(x) ? S(x.unknown(f_n_)) : S(0.0))
                            : law_.force(at, v_rel_0, touching_.holds(x), pushes(x, at, v_rel_0));
    if (law_.sticks() && touches(x)) {
      const Vector3<S> tau = law_.isRigid()
                                 ? friction(x)
                                 : Vector3<S>(bristle_.hold(x, c.v_slip_0, at.n_0, law_.grip()) *
                                              law_.slidingFriction(c.f_n));
      c.f_0 -= tau;
      c.f_friction = frames::length(tau);
      c.lossPower += dot(tau, c.v_slip_0);
    }
    return {at, c};
  }

  ContactLaw law_;
  TwoNoTreeFrames frames_;
  one_dimensional::HeatPort heat_;

 private:
  using Basis = std::pair<Vector3d, Vector3d>;
  static constexpr double kAtBound = 1e-9;  ///< of the bound: friction that is at it

  const Derived& self() const { return static_cast<const Derived&>(*this); }
  template <class S>
  bool touches(const View<S>& x) const {
    return law_.isRigid() ? seat_.rests(x) : touching_.holds(x);
  }
  /// Elastic surfaces do not pull where they part faster than they spring back.
  template <class S>
  bool pushes(const View<S>& x, const ContactPoint<S>& at, const Vector3<S>& v_rel_0) const {
    if (x.ahead() > 0) return law_.push(-value(dot(at.n_0, v_rel_0) * at.steepness)) > 0;
    return !released_.beyond(x);
  }
  /// The same as touches(), of the point reached: of rigid surfaces that are pushed apart, in the last step.
  template <class S>
  bool isTouching(const View<S>& x) const {
    if (isPushedApart(x)) return x.impulse(impulse_)[0] > 0;
    return law_.isRigid() ? seat_.rests(x) : touching_.isClear(x);
  }
  /// Rigid, and nobody looks when they touch: forces are given that push them apart.
  template <class S>
  bool isPushedApart(const View<S>& x) const {
    return law_.isRigid() && x.ahead() > 0;
  }
  template <class S>
  ContactForce<S> pushedApart(const View<S>& x, const ContactPoint<S>& at,
                              const Vector3<S>& v_rel_0) const {
    ContactForce<S> c = law_.force(at, v_rel_0, false, false);
    c.f_0 = givenForce(x, at);
    c.f_n = S(x.impulse(impulse_)[0]);
    const Vector3<S> across = c.f_0 - at.n_0 * c.f_n;
    c.f_friction = frames::length(across);
    c.lossPower = -dot(across, c.v_slip_0);
    return c;
  }
  template <class S>
  Vector3<S> relativeVelocity(const View<S>& x, const ContactPoint<S>& at) const {
    return velocityAt(x, frames_.frame_b, at.r_0) - velocityAt(x, frames_.frame_a, at.r_0) -
           at.v_own_0;
  }
  /// Modes of the force that all contacts together ask for: along the normal, and in two directions across.
  bool obey(const View<double>& x, Modes& m, const Vector3d& force) const {
    if (!law_.isRigid()) return false;
    const bool rests = force[0] > 0, changed = seat_.rest(m, seatState(x), rests);
    if (!law_.sticks() || !rests || !touches(x)) return changed;
    const Basis across = acrossOf(self().point(x).n_0);
    const Vector3d held = -(across.first * force[1] + across.second * force[2]);
    const double size = held.norm();
    const bool sticks = size < (1 - kAtBound) * law_.mu() * force[0];
    const Vector3d direction = size > 0 ? Vector3d(held / size) : across.first;
    return slip_.hold(m, enteredState(x, m), sticks, held, direction) || changed;
  }
  /// f_0 on frame_b's side, its opposite on frame_a's.
  template <class S>
  void push(View<S>& x, const ContactPoint<S>& at, const Vector3<S>& f_0) const {
    const Vector3<S> arm = at.r_0 - x.frame(frames_.frame_b).r_0;
    frames_.addBalanced(x, {-f_0, -cross(arm, f_0)});
  }
  void elasticGuards(const View<double>& x, Guards& g) const {
    touching_.guard(x, g, self().approach(x), self().size());
    if (law_.isDamped() && touching_.holds(x)) {
      released_.guard(x, g, -law_.push(contact(x).second.v_depth), 1);
    } else {
      g.crossing(1);
    }
  }

  /// Two directions across the normal.
  static Basis acrossOf(const Vector3d& n) {
    Eigen::Index least = 0;
    n.cwiseAbs().minCoeff(&least);
    const Vector3d first = n.cross(Vector3d::Unit(least)).normalized();
    return {first, n.cross(first)};
  }
  /// While bodies strike: impulses alone, if these are rigid. Forces that are given are what f_n and tau
  /// show.
  template <class S>
  void strike(View<S>& x) const {
    if (law_.hasBristle()) bristle_.restingRows(x, law_.grip());
    if (!law_.isRigid()) return;
    const ContactPoint<S> at = self().point(x);
    const Vector3<S> f_0 = givenForce(x, at);
    const double f_n = x.isStriking() ? 0 : x.impulse(impulse_)[0];
    if (law_.sticks()) {
      const Vector3<S> tau = x.isStriking() ? Vector3<S>(Vector3<S>::Zero()) : at.n_0 * f_n - f_0;
      for (int i = 0; i < 3; ++i) x.row(row_, i) = x.unknown(tau_[i]) - tau[i];
    }
    x.row(normal_) = x.unknown(f_n_) - f_n;
    push(x, at, f_0);
  }
  /// [N]  on frame_b's side
  template <class S>
  Vector3<S> givenForce(const View<S>& x, const ContactPoint<S>& at) const {
    const double* p = x.impulse(impulse_);
    const Basis across = acrossOf({value(at.n_0[0]), value(at.n_0[1]), value(at.n_0[2])});
    Vector3<S> f_0 = at.n_0 * p[0];
    for (int i = 0; i < 3; ++i) f_0[i] += across.first[i] * p[1] + across.second[i] * p[2];
    return f_0;
  }
  void guardReserve(const View<double>& x, Guards& g) const {
    const double reserve = self().reserve(x);
    g.crossing(reserve);
    if (reserve <= 0) g.violate(1, Derived::kLost);
  }
  /// Friction sticks on what joints guide.
  template <class S>
  bool isGuided(const View<S>& x) const {
    return law_.sticksRigidly() && !slip_.isLoose(x) && slip_.isShared(x) && seat_.restsAlone(x) &&
           guides_.count(x) > 0;
  }
  bool slipTransition(const View<double>& x, Modes& m) const {
    const ContactPoint<double> at = self().point(x);
    if (slip_.isShared(m) && guides_.guard(x, at.r_0, self().size()) < 0) {
      guides_.forget(m);
      slip_.stopSharing(m);
      return true;
    }
    const bool wasShared = slip_.isShared(m), changed = slip_.transition(m, enteredState(x, m));
    if (wasShared || !slip_.isShared(m)) return changed;
    std::vector<Vector3d> loads;
    for (int k = 0; k < m.openLoads(); ++k) {
      Vector3d f = at.n_0 * m.openLoad(k, f_n_);
      for (int i = 0; i < 3; ++i) f[i] -= m.openLoad(k, tau_[i]);
      loads.push_back(f);
    }
    guides_.hold(m, loads, at.r_0);
    return changed;
  }
  template <class S>
  void guidedRows(View<S>& x) const {
    const auto [at, c] = contact(x);
    const Vector3<S> tau = friction(x), share = slip_.shared(x, tau);
    const Vector3<S> hold =
        at.n_0 * seat_.held(x, S(-at.depth), S(-c.v_depth), partingRate(x, at, c), c.f_n) +
        slipRate(x, at, c) + c.v_slip_0 * stick_slip::kHold;
    const Vector3d first = guides_.direction(x, 0), second = guides_.direction(x, 1);
    const bool both = guides_.count(x) > 1;
    const Basis across = both ? Basis(first.cross(second).normalized(), second) : acrossOf(first);
    x.row(row_, 0) = dot(across.first, hold);
    x.row(row_, 1) = both ? dot(second, share) : dot(across.second, hold);
    x.row(row_, 2) = dot(first, share);
    x.row(normal_) = dot(at.n_0, tau);
  }
  template <class S>
  void normalRow(View<S>& x) const {
    if (isGuided(x)) return;
    if (!touches(x)) {
      x.row(normal_) = x.unknown(f_n_);
      return;
    }
    const auto [at, c] = contact(x);
    const S gap = -at.depth, v = -c.v_depth;
    const S rate = partingRate(x, at, c);
    const bool isPinned =
        law_.sticks() && !slip_.isLoose(x) && slip_.isShared(x) && seat_.restsAlone(x);
    x.row(normal_) = isPinned ? seat_.pinned(v, rate) : seat_.held(x, gap, v, rate, c.f_n);
  }
  /// Second derivative of the gap [m/s2].
  template <class S>
  S partingRate(const View<S>& x, const ContactPoint<S>& at, const ContactForce<S>& c) const {
    const PointMotion<S> m = self().motionOf(x, at, c.v_depth);
    const Vector3<S> v = relativeVelocity(x, at);
    const S rate = dot(at.n_0, relativeAcceleration(x, at, m)) + dot(m.n_d, v);
    return at.steepness * rate + m.steepness_d * dot(at.n_0, v);
  }
  SeatState seatState(const View<double>& x) const {
    const ContactPoint<double> at = self().point(x);
    return {-at.depth, at.n_0.dot(relativeVelocity(x, at)), x.unknown(f_n_), self().size()};
  }
  template <class S>
  Vector3<S> friction(const View<S>& x) const {
    return {x.unknown(tau_[0]), x.unknown(tau_[1]), x.unknown(tau_[2])};
  }
  /// The slip, and how the plane across the normal turns.
  template <class S>
  Slip<S> slipOf(const View<S>& x, const ContactPoint<S>& at, const ContactForce<S>& c) const {
    const Vector3<S> n_d = self().motionOf(x, at, c.v_depth).n_d;
    const Vector3<S> w_a = frames::angularVelocity1(x.frame(frames_.frame_a).R);
    const Vector3<S> w_b = frames::angularVelocity1(x.frame(frames_.frame_b).R);
    const S spin = dot(at.n_0, Vector3<S>(w_a + (w_b - w_a) * self().share()));
    return {c.v_slip_0, at.n_0, cross(at.n_0, n_d) + at.n_0 * spin};
  }
  template <class S>
  void frictionRows(View<S>& x) const {
    if (isGuided(x)) {
      guidedRows(x);
      return;
    }
    const Vector3<S> tau = friction(x);
    Vector3<S> row = tau;
    if (touches(x)) {
      const auto [at, c] = contact(x);
      if (slip_.isLoose(x)) {
        row = tau - slip_.against(x, c.v_slip_0) * law_.slidingFriction(c.f_n);
      } else {
        Vector3<S> a = slipRate(x, at, c);
        if (slip_.isShared(x)) {
          // As seen by the body of frame_b, which rolls on the other: the directions that are shared turn with it.
          const Vector3<S> w_0 = frames::angularVelocity1(x.frame(frames_.frame_b).R);
          a -= cross(at.n_0, c.v_slip_0) * dot(at.n_0, w_0);
          const S limit = law_.largestFriction(c.f_n);
          const Vector3<S> share = slip_.shared(x, tau);
          for (int i = 0; i < 3; ++i)
            row[i] = stick_slip::sharedRow(share[i], limit, c.v_slip_0[i], a[i]);
        } else {
          row = a;
        }
        row += at.n_0 * dot(at.n_0, tau);
      }
    }
    for (int i = 0; i < 3; ++i) x.row(row_, i) = row[i];
  }
  SlipState slipState(const View<double>& x) const {
    const auto [at, c] = contact(x);
    return {c.v_slip_0,
            slipRate(x, at, c),
            friction(x),
            law_.slidingFriction(c.f_n),
            law_.largestFriction(c.f_n),
            !isGuided(x)};
  }
  SlipState enteredState(const View<double>& x, const Modes& m) const {
    SlipState now = slipState(x);
    now.w_before = stick_slip::entered(
        m, now.w, [this](const View<double>& before) { return contact(before).second.v_slip_0; });
    return now;
  }
  /// der(v_slip_0) across the normal [m/s2].
  template <class S>
  Vector3<S> slipRate(const View<S>& x, const ContactPoint<S>& at, const ContactForce<S>& c) const {
    const PointMotion<S> m = self().motionOf(x, at, c.v_depth);
    const Vector3<S> a = relativeAcceleration(x, at, m) + m.n_d * (c.v_depth / at.steepness);
    return a - at.n_0 * dot(at.n_0, a);
  }
  /// Derivative of relativeVelocity at the contact point.
  template <class S>
  Vector3<S> relativeAcceleration(const View<S>& x, const ContactPoint<S>& at,
                                  const PointMotion<S>& m) const {
    return accelerationAt(x, frames_.frame_b, at.r_0, m.r_d) -
           accelerationAt(x, frames_.frame_a, at.r_0, m.r_d) - m.a_own_0;
  }
  /// Derivative of velocityAt the place r_0 that moves with r_d.
  template <class S>
  static Vector3<S> accelerationAt(const View<S>& x, FrameId f, const Vector3<S>& r_0,
                                   const Vector3<S>& r_d) {
    const FrameState<S>& frame = x.frame(f);
    const Vector3<S> z_0 = frames::resolve1(frame.R, frame.z_a);
    const Vector3<S> arm = r_0 - frame.r_0, arm_d = r_d - frame.v_0;
    return frame.a_0 + cross(z_0, arm) + cross(frames::angularVelocity1(frame.R), arm_d);
  }
  /// Velocity of the material at r_0 of the body that frame f is fixed to.
  template <class S>
  static Vector3<S> velocityAt(const View<S>& x, FrameId f, const Vector3<S>& r_0) {
    const FrameState<S>& frame = x.frame(f);
    const Vector3<S> arm = r_0 - frame.r_0;
    return frame.v_0 + cross(frames::angularVelocity1(frame.R), arm);
  }

  RigidSeat seat_;
  UnknownId f_n_;
  RowId normal_;
  ImpulseId impulse_;
  Bristle bristle_;
  one_dimensional::Relation touching_;
  one_dimensional::Kink released_;
  UnknownId tau_[3];
  RowId row_;
  SlipModes slip_;
  Guides guides_;
};

}  // namespace cardan::contact
