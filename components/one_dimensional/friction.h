/// Coulomb friction: one state machine for bearing and support, brake, clutch, joint.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "components/component.h"
#include "components/interfaces/describe.h"
#include "components/laws/stick_slip.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"

namespace cardan::one_dimensional {

/// Slip, friction and what limits it, at one instant.
struct FrictionState {
  double w = 0;                 ///< [rad/s | m/s]    slip
  double a = 0;                 ///< [rad/s2 | m/s2]  its derivative
  double tau = 0;               ///< [N.m | N]        friction
  double tau0 = 0;              ///< [N.m | N]        sliding friction at w = 0
  double tau0_max = 0;          ///< [N.m | N]        largest friction when stuck
  bool free = false;            ///< no normal force
  double tau0_min = -tau0_max;  ///< [N.m | N]  smallest friction when stuck
  bool oneWay = false;          ///< never slides backward
  double tau0_back = tau0;      ///< [N.m | N]  sliding friction at w = 0 in the other direction
  double w_before = 0;          ///< [rad/s | m/s]  slip with which an event was entered
};

/// Modes of a friction element (MSL's PartialFriction).
///
/// mode           -1 backward sliding, 0 stuck, 1 forward sliding, 2 free, 3 not yet known
/// startForward   stuck, but the friction's limit was passed: sliding friction acts, w is still
///                about zero
/// startBackward  the same in the other direction
/// shared         stuck together with other elements that hold the same motion
///
/// Crossings: in sliding w itself; in starting w away from zero by a hair (then it slides) or back
/// (then it is stuck again); when stuck tau against its limits.
class FrictionModes {
 public:
  static constexpr int Backward = -1, Stuck = 0, Forward = 1, Free = 2, Unknown = 3;

  void declare(Structure& s) {
    mode_ = s.mode("mode", Unknown);
    startForward_ = s.mode("startForward", 0);
    startBackward_ = s.mode("startBackward", 0);
    shared_ = s.mode("shared", 0);
  }
  template <class S>
  int mode(const View<S>& x) const {
    return x.mode(mode_);
  }
  template <class S>
  bool startForward(const View<S>& x) const {
    return x.mode(startForward_) != 0;
  }
  template <class S>
  bool startBackward(const View<S>& x) const {
    return x.mode(startBackward_) != 0;
  }
  template <class S>
  bool isShared(const View<S>& x) const {
    return x.mode(shared_) != 0;
  }
  /// 1 or -1: sliding friction acts in this sense; 0: stuck, or free.
  template <class S>
  int sense(const View<S>& x) const {
    if (startForward(x) || mode(x) == Forward) return 1;
    return startBackward(x) || mode(x) == Backward ? -1 : 0;
  }

  void guards(const View<double>& x, Guards& g, const FrictionState& f) const;
  bool transition(Modes& m, const FrictionState& f) const;
  /// There is friction, and no slip that could not be none.
  bool hardlySlips(const View<double>& x, const FrictionState& f) const;
  /// Sticks with the friction `tau`, or is about to slip where that is all there is; true if that is a
  /// change.
  bool obey(Modes& m, const FrictionState& f, double tau) const;

 private:
  bool set(Modes& m, int mode, bool forward, bool backward) const;

  ModeId mode_, startForward_, startBackward_, shared_;
};

/// What all friction elements share. Derived says where it acts and how large it is:
///
///   slip(View<S>) -> FlangeState<S>    motion against which friction acts
///   load(View<S>, S tau)               puts the friction on the flanges
///   sliding(View<S>, S w) -> S         friction at slip w in the direction of sliding, w >= 0 but for
///                                      a hair
///   pressed(View<S>) -> bool           there is a normal force
///   oneWay                             (constant, optional) true: never slides backward
///   largestStuck(S tau0) -> S          of what is oneWay: the largest friction when stuck
///   strength() -> double               of what is oneWay: in proportion to which it shares a load
///
/// Unknowns   tau [N.m | N]
/// Equations  sliding: tau = +-tau_c(+-w);  stuck: a = 0, together with others
///            stick_slip::sharedRow;  free: tau = 0
template <class Axis, class Derived>
class CoulombFriction : public ComponentOf<Derived> {
 public:
  template <class S>
  void physics(View<S>& x) const {
    const S& tau = x.unknown(tau_);
    const FlangeState<S> m = self().slip(x);
    const int sense = modes_.sense(x);
    if (x.isStriking()) {
      x.row(row_) = tau;
    } else if (x.forcesAreGiven() && x.impulse(given_)[1] != 0) {
      x.row(row_) = tau - x.impulse(given_)[0];
    } else if (sense != 0) {
      x.row(row_) = tau - sense * self().sliding(x, S(sense * m.velocity));
    } else if (modes_.mode(x) == FrictionModes::Free) {
      x.row(row_) = tau;
    } else if (modes_.isShared(x)) {
      const S limit = sharingLimit(S(0.0 * m.velocity), x);
      x.row(row_) = stick_slip::sharedRow(tau, limit, m.velocity, m.acceleration);
    } else {
      x.row(row_) = m.acceleration;
    }
    self().load(x, tau);
    heat_.addLoss(x, S(tau * m.velocity));
  }

  void guards(const View<double>& x, Guards& g) const override { modes_.guards(x, g, state(x)); }
  bool transition(const View<double>& x, Modes& m) const override {
    FrictionState now = state(x);
    if (const Vector3d* solved = m.solvedForce()) return modes_.obey(m, now, (*solved)[0]);
    now.w_before = stick_slip::entered(
        m, now.w, [this](const View<double>& before) { return self().slip(before).velocity; });
    return modes_.transition(m, now);
  }
  /// Not of what is held by more than friction: a freewheel, a stop.
  bool axialFriction(const View<double>& x, AxialFriction& f) const override {
    if constexpr (Derived::oneWay || Derived::stops) return false;
    const FrictionState now = state(x);
    f = {given_, -now.w, modes_.sense(x) == 0 ? now.tau0_max : now.tau0};
    return modes_.hardlySlips(x, now);
  }

 protected:
  void readFriction(ParameterReader& r) {
    r.real("peak", peak_, "1", "largest friction when stuck over sliding friction at rest",
           Range{1});
    r.real(Axis::velocitySmall, w_small_, Axis::velocityUnit,
           "slip near to zero where jumps may occur; not needed", kNotNegative);
    heat_.read(r);
  }
  /// `nominal`: typical friction.
  void declareFriction(Structure& s, double nominal) {
    UnknownInfo info{Axis::flow, Axis::flowUnit, std::string("friction ") + Axis::flowWord};
    if (nominal > 0) info.nominal = nominal;
    tau_ = s.unknown(info, Kind::Algebraic);
    row_ = s.row("friction");
    given_ = s.impulse();
    modes_.declare(s);
    heat_.declare(s);
  }
  /// MSL's variables of friction besides the motion's own names; `reads`: inputs that sliding() reads.
  void describeFriction(Variables& v, const std::vector<SignalId>& reads = kReadsNothing) const {
    const std::string flow = Axis::flowWord;
    v.scalar({Axis::flow, Axis::flowUnit, "friction " + flow, Level::Force},
             [this](const auto& x) { return x.unknown(tau_); });
    // Where a start leaves open how friction and a motor share a load, there is no friction.
    StartValue none;
    none.stateSelect = StateSelect::prefer;
    v.start(Axis::flow, none);
    v.scalar({Axis::velocity_relfric, Axis::velocityUnit, "slip of the friction surfaces",
              Level::Velocity},
             [this](const auto& x) { return self().slip(x).velocity; });
    v.scalar({"a_relfric", Axis::accelerationUnit, "derivative of the slip", Level::Acceleration},
             [this](const auto& x) { return self().slip(x).acceleration; });
    v.scalar({Axis::flow0, Axis::flowUnit, "sliding friction at rest", Level::Time, false, reads},
             [this](const auto& x) { return self().sliding(x, 0.0 * x.time()); });
    v.scalar(
        {Axis::flow0_max, Axis::flowUnit, "largest friction when stuck", Level::Time, false, reads},
        [this](const auto& x) { return tau0Max(self().sliding(x, 0.0 * x.time())); });
    v.scalar({"lossPower", "W", "power that leaves through the heat port", Level::Force},
             [this](const auto& x) { return x.unknown(tau_) * self().slip(x).velocity; });
    v.scalar({"sa", "1", "path along the friction characteristic", Level::Force, false, reads},
             [this](const auto& x) {
               using S = std::decay_t<decltype(x.time())>;
               const int sense = modes_.sense(x);
               if (sense != 0)
                 return S(self().slip(x).acceleration +
                          sense * tau0Max(S(self().sliding(x, 0.0 * x.time()))));
               return modes_.mode(x) == FrictionModes::Free ? S(self().slip(x).acceleration)
                                                            : S(x.unknown(tau_));
             });
    v.scalar({"mode", "1", "-1 backward sliding, 0 stuck, 1 forward sliding, 2 free, 3 unknown",
              Level::Time},
             [this](const auto& x) { return modes_.mode(x) + 0.0 * x.time(); });
    auto truth = [&](const char* name, const char* about, auto f) {
      describe::truth(v, {name, "1", about, Level::Time}, f);
    };
    truth("startForward", "about to slide forward",
          [this](const auto& x) { return modes_.startForward(x); });
    truth("startBackward", "about to slide backward",
          [this](const auto& x) { return modes_.startBackward(x); });
    truth("free", "there is no friction",
          [this](const auto& x) { return modes_.mode(x) == FrictionModes::Free; });
    truth("locked", "stuck and not about to slide", [this](const auto& x) {
      return modes_.sense(x) == 0 && modes_.mode(x) != FrictionModes::Free;
    });
  }

  static constexpr bool oneWay = false;  ///< true: never slides backward
  static constexpr bool stops = false;   ///< true: something else may hold it, too
  /// Largest friction when stuck.
  template <class S>
  S tau0Max(const S& tau0) const {
    if constexpr (Derived::oneWay) return self().largestStuck(tau0);
    return peak_ * tau0;
  }

  /// In proportion to which it shares a load; of what is oneWay self().strength().
  template <class S>
  S sharingLimit(const S& none, const View<S>& x) const {
    if constexpr (Derived::oneWay) return S(none + self().strength());
    return tau0Max(self().sliding(x, none));
  }

  FrictionState state(const View<double>& x) const {
    const FlangeState<double> m = self().slip(x);
    const double tau0 = self().sliding(x, 0.0);
    FrictionState f{m.velocity, m.acceleration, x.unknown(tau_),
                    tau0,       tau0Max(tau0),  !self().pressed(x)};
    f.tau0_min = -f.tau0_max;
    f.tau0_back = f.tau0;
    f.oneWay = Derived::oneWay;
    return f;
  }

  double peak_ = 1;  ///< [1]  tau0_max/tau0
  HeatPort heat_;
  FrictionModes modes_;

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  double w_small_ = 1e10;  ///< MSL's; jumps of the slip are noticed without it
  UnknownId tau_;
  RowId row_;
  ImpulseId given_;
};

}  // namespace cardan::one_dimensional
