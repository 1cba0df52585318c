/// Coulomb friction: bearing and support, brake, clutch; one state machine for all.
#pragma once

#include "components/component.h"
#include "components/laws/interpolation.h"
#include "components/laws/stick_slip.h"
#include "components/one_dimensional/axis.h"
#include "components/one_dimensional/flanges.h"
#include "components/one_dimensional/joint_drag.h"

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
    if (const Vector3d* solved = m.solvedForce()) return modes_.obey(m, state(x), (*solved)[0]);
    return modes_.transition(m, state(x));
  }
  /// Not of what is held by more than friction: a freewheel, a stop.
  bool axialFriction(const View<double>& x, AxialFriction& f) const override {
    if constexpr (Derived::oneWay || Derived::stops) return false;
    const FrictionState now = state(x);
    f = {given_, -now.w, modes_.sense(x) == 0 ? now.tau0_max : now.tau0};
    return modes_.hardlySlips(x, now);
  }

 protected:
  void readFriction(ParameterReader& r);
  /// `nominal`: typical friction.
  void declareFriction(Structure& s, double nominal);
  /// MSL's variables of friction besides the motion's own names; `reads`: inputs that sliding() reads.
  void describeFriction(Variables& v, const std::vector<SignalId>& reads = kReadsNothing) const;

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

  FrictionState state(const View<double>& x) const;

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

/// Friction in a bearing (support) as a function of speed.
///
/// Equations  tau_c(w) = table tau_pos, straight on outside of it;
///            flange_a.tau + flange_b.tau = tau
/// Source     MSL 4.0 Rotational.BearingFriction, Translational.SupportFriction
template <class Axis>
class BearingFriction final : public CoulombFriction<Axis, BearingFriction<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

  template <class S>
  FlangeState<S> slip(const View<S>& x) const {
    return support_.motion(x, flanges_.a);
  }
  template <class S>
  void load(View<S>& x, const S& tau) const {
    support_.addFlow(x, flanges_.a, tau);
  }
  template <class S>
  S sliding(const View<S>&, const S& w) const {
    return tau_c_(w);
  }
  template <class S>
  bool pressed(const View<S>&) const {
    return true;
  }

 private:
  Eigen::MatrixXd tau_pos_ = Eigen::RowVector2d(0, 1);
  Smoothness smoothness_ = Smoothness::LinearSegments;
  MotionStart start_;
  Interpolation tau_c_;
  TwoFlanges flanges_;
  Support support_;
};

/// Friction coefficient and normal force from a signal, as brake and clutch have them.
struct PressedFriction {
  Smoothness smoothness = Smoothness::LinearSegments;
  Eigen::MatrixXd mu_pos = Eigen::RowVector2d(0, 0.5);
  double cgeo = 1;    ///< [1 | m]
  double fn_max = 1;  ///< [N]
  Interpolation mu;
  SignalId f_normalized;

  void read(ParameterReader& r);
  void declare(Structure& s) { f_normalized = s.input("f_normalized", 1); }
  void describe(Variables& v) const;
  double nominal() const { return mu_pos.col(1).cwiseAbs().maxCoeff() * cgeo * fn_max; }
  template <class S>
  S fn(const View<S>& x) const {
    return fn_max * x.input(f_normalized);
  }
  template <class S>
  S sliding(const View<S>& x, const S& w) const {
    return cgeo * fn(x) * mu(w);
  }
};

/// Friction between shaft and housing under a normal force from a signal.
///
/// Equations  tau_c(w) = cgeo fn mu(w), fn = fn_max f_normalized;  free where fn <= 0
/// Source     MSL 4.0 Rotational.Brake, Translational.Brake
template <class Axis>
class Brake final : public CoulombFriction<Axis, Brake<Axis>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;

  template <class S>
  FlangeState<S> slip(const View<S>& x) const {
    return support_.motion(x, flanges_.a);
  }
  template <class S>
  void load(View<S>& x, const S& tau) const {
    support_.addFlow(x, flanges_.a, tau);
  }
  template <class S>
  S sliding(const View<S>& x, const S& w) const {
    return friction_.sliding(x, w);
  }
  template <class S>
  bool pressed(const View<S>& x) const {
    return friction_.fn(x) > 0;
  }

 private:
  PressedFriction friction_;
  MotionStart start_;
  TwoFlanges flanges_;
  Support support_;
};

/// What clutches share: friction between two shafts under a normal force from a signal.
template <class Axis, class Derived>
class FrictionBetweenShafts : public CoulombFriction<Axis, Derived> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void guards(const View<double>& x, Guards& g) const override;

  template <class S>
  FlangeState<S> slip(const View<S>& x) const {
    return flanges_.motion(x);
  }
  template <class S>
  void load(View<S>& x, const S& tau) const {
    flanges_.addFlow(x, tau);
  }

 protected:
  PressedFriction friction_;

 private:
  MotionStart start_;
  TwoFlanges flanges_;
};

/// Friction between two shafts under a normal force from a signal.
///
/// Equations  tau_c(w_rel) = cgeo fn mu(w_rel), fn = fn_max f_normalized;  free where fn <= 0;
///            flange_b.tau = tau
/// Source     MSL 4.0 Rotational.Clutch
template <class Axis>
class Clutch final : public FrictionBetweenShafts<Axis, Clutch<Axis>> {
 public:
  template <class S>
  S sliding(const View<S>& x, const S& w) const {
    return this->friction_.sliding(x, w);
  }
  template <class S>
  bool pressed(const View<S>& x) const {
    return this->friction_.fn(x) > 0;
  }
};

/// Freewheel and clutch in parallel: flange_b may overtake flange_a, against the friction of the clutch,
/// but never fall behind.
///
/// Equations  stuck: a_rel = 0, whatever torque holds it back;
///            w_rel > 0: tau = cgeo fn mu(w_rel), fn = fn_max f_normalized where it is > 0, else 0;
///            it breaks loose where tau > max(peak, 1.0001) tau0, which is not below
///            1e-4 cgeo fn_max mu(0);  flange_b.tau = tau
/// Source     MSL 4.0 Rotational.OneWayClutch
template <class Axis>
class OneWayClutch final : public FrictionBetweenShafts<Axis, OneWayClutch<Axis>> {
 public:
  static constexpr bool oneWay = true;

  void describe(Variables& v) const override;

  template <class S>
  S sliding(const View<S>& x, const S& w) const {
    const S fn = this->friction_.fn(x);
    return fn > 0.0 ? this->friction_.sliding(x, w) : S(0.0 * fn);
  }
  template <class S>
  bool pressed(const View<S>&) const {
    return true;
  }
  /// What holds back whatever comes takes nearly all of it from frictions.
  double strength() const { return 1e3 * this->friction_.nominal(); }
  template <class S>
  S largestStuck(const S& tau0) const {
    constexpr double kLittle = 1e-4;
    const S most = std::max(this->peak_, 1 + kLittle) * tau0;
    const PressedFriction& f = this->friction_;
    const double least = kLittle * f.mu(0.0) * f.cgeo * f.fn_max;
    return most > least ? most : S(0.0 * tau0 + least);
  }
};

/// Friction of a joint against its own motion, a part of the joint at its axis.
///
/// Equations  tau_c = constant + mu radius load
template <class Axis>
class JointFriction final : public CoulombFriction<Axis, JointFriction<Axis>> {
 public:
  explicit JointFriction(const JointFrictionParameters& p) : p_(p) { this->peak_ = p.peak; }

  void read(ParameterReader&) override {}
  void declare(Structure& s) override;
  void describe(Variables& v) const override {
    this->describeFriction(v, p_.isOfLoad() ? std::vector{load_} : kReadsNothing);
  }

  /// Its place in the model, once declared.
  FlangeId flange() const { return flange_; }

  template <class S>
  FlangeState<S> slip(const View<S>& x) const {
    return x.flange(flange_);
  }
  template <class S>
  void load(View<S>& x, const S& tau) const {
    x.addFlow(flange_, tau);
  }
  template <class S>
  S sliding(const View<S>& x, const S&) const {
    return p_.isOfLoad() ? S(p_.constant + p_.mu * p_.radius * x.input(load_)) : S(p_.constant);
  }
  template <class S>
  bool pressed(const View<S>&) const {
    return true;
  }

 private:
  JointFrictionParameters p_;
  FlangeId flange_;
  SignalId load_;
};

}  // namespace cardan::one_dimensional
