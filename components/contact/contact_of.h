/// ContactOf: what all contacts between two frames share besides their geometry.
#pragma once

#include <utility>
#include <vector>

#include "components/component.h"
#include "components/contact/contact_law.h"
#include "components/interfaces/two_no_tree_frames.h"
#include "components/laws/relation.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::contact {

/// Derived says where the surfaces are:
///
///   point(View<S>) -> ContactPoint<S>   where they are nearest, or overlap
///   approach(View<double>) -> double    [m]  > 0 where they overlap, smooth, also far from there
///   size() -> double                    [m]  typical length of the surfaces
///   reserve(View<double>) -> double     [1]  the geometry has a meaning where > 0; if it may end
///
/// The force depends on one point: overlap is small against the radii of the surfaces.
///
/// Modes      touching: approach > 0; released: damping would pull (see ContactLaw)
/// Loads      f_0 on frame_b's body at r_0, -f_0 at the same point on frame_a's
template <class Derived>
class ContactOf : public ComponentOf<Derived> {
 public:
  template <class S>
  void physics(View<S>& x) const {
    if (!touching_.holds(x)) return;
    const auto [at, c] = contact(x);
    const Vector3<S> arm = at.r_0 - x.frame(frames_.frame_b).r_0;
    frames_.addBalanced(x, {-c.f_0, -cross(arm, c.f_0)});
    heat_.addLoss(x, c.lossPower);
  }
  void guards(const View<double>& x, Guards& g) const override {
    touching_.guard(x, g, self().approach(x), self().size());
    if (law_.isDamped() && touching_.holds(x)) {
      released_.guard(x, g, -law_.push(contact(x).second.v_depth), 1);
    } else {
      g.crossing(1);
    }
    const double reserve = self().reserve(x);
    g.crossing(reserve);
    if (reserve <= 0) g.fail(Derived::kLost);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    bool changed = touching_.update(m, self().approach(x), self().size());
    if (law_.isDamped() && touching_.isSet(m)) {
      changed = released_.update(m, -law_.push(contact(x).second.v_depth), 1) || changed;
    }
    return changed;
  }

 protected:
  /// Where the geometry never ends.
  static constexpr const char* kLost = "";
  double reserve(const View<double>&) const { return 1; }
  /// Inputs that depth and force depend on.
  std::vector<SignalId> reads() const { return {}; }

  void declareContact(Structure& s) {
    frames_.declare(s);
    heat_.declare(s);
    touching_.declare(s, "touching");
    released_.declare(s, "released");
  }
  void describeContact(Variables& v) const {
    law_.describe(v);
    VariableInfo touching{"touching", "1", "the surfaces touch", Level::Time};
    touching.isBoolean = true;
    v.scalar(std::move(touching),
             [this](const auto& x) { return (touching_.holds(x) ? 1.0 : 0.0) + 0.0 * x.time(); });
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
    v.scalar(velocity("f_n", "N", "normal force, pushing"),
             [this](const auto& x) { return contact(x).second.f_n; });
    v.scalar(velocity("f_friction", "N", "size of the friction force"),
             [this](const auto& x) { return contact(x).second.f_friction; });
    v.vector(velocity("f_0", "N", "force on frame_b's side, resolved in world"),
             [this](const auto& x) { return contact(x).second.f_0; });
    v.scalar(velocity("lossPower", "W", "power that damping and friction take"),
             [this](const auto& x) { return contact(x).second.lossPower; });
    v.mechanics([this](const auto& x) {
      MechanicalSums<std::decay_t<decltype(x.time())>> sum;
      sum.potentialEnergy = contact(x).second.energy;
      return sum;
    });
  }

  /// Where the surfaces touch, and what acts there.
  template <class S>
  std::pair<ContactPoint<S>, ContactForce<S>> contact(const View<S>& x) const {
    const ContactPoint<S> at = self().point(x);
    const Vector3<S> v_rel_0 = velocityAt(x, frames_.frame_b, at.r_0) -
                               velocityAt(x, frames_.frame_a, at.r_0) - at.v_own_0;
    return {at, law_.force(at, v_rel_0, touching_.holds(x), !released_.beyond(x))};
  }

  ContactLaw law_;
  TwoNoTreeFrames frames_;
  one_dimensional::HeatPort heat_;

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
  /// Velocity of the material at r_0 of the body that frame f is fixed to.
  template <class S>
  static Vector3<S> velocityAt(const View<S>& x, FrameId f, const Vector3<S>& r_0) {
    const FrameState<S>& frame = x.frame(f);
    const Vector3<S> arm = r_0 - frame.r_0;
    return frame.v_0 + cross(frames::angularVelocity1(frame.R), arm);
  }

  one_dimensional::Relation touching_;
  one_dimensional::Kink released_;
};

}  // namespace cardan::contact
