#include "components/one_dimensional/friction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "components/catalogue_entry.h"
#include "components/laws/interpolation.h"
#include "components/one_dimensional/compliant.h"

namespace cardan::one_dimensional {
namespace {

using namespace stick_slip;

constexpr double kAtLimit = 1e-9;  // of the limit: friction that is at it

void readFrictionTable(ParameterReader& r, const char* name, const char* about,
                       Eigen::MatrixXd& table) {
  r.table(name, table, "1", about);
  const bool fine =
      r.require(table.rows() > 0 && table.cols() == 2, name, "must have two columns") &&
      requireAbscissas(r, name, table, true);
  if (!fine) table = Eigen::RowVector2d(0, 1);
}

}  // namespace

void FrictionModes::guards(const View<double>& x, Guards& g, const FrictionState& f) const {
  double g1 = 1, g2 = 1;
  switch (mode(x)) {
    case Forward:
      g1 = f.w;
      break;
    case Backward:
      g1 = -f.w;
      break;
    case Stuck:
      if (sense(x) != 0) {
        g1 = kSmallSlip - f.w;
        g2 = kSmallSlip + f.w;
      } else {
        g1 = f.tau0_max + slackOf(f.tau0_max) - f.tau;
        if (!f.oneWay) g2 = f.tau - f.tau0_min + slackOf(f.tau0_min);
      }
      break;
    default:
      break;
  }
  g.crossing(g1);
  g.crossing(g2);
  constexpr double kDriven = 1e-2;  // [rad/s | m/s]  more than an integration leaves of no slip
  if (f.oneWay && f.w < -kDriven) {
    g.fail(fmt::format(
        "flange_a turns faster than flange_b, by {:.6g} rad/s, and a freewheel does not let it: "
        "it must not at the start, and nothing else may drive or strike it so",
        -f.w));
  }
}

/// True if that is a change.
bool FrictionModes::set(Modes& m, int mode, bool forward, bool backward) const {
  const bool same = m.get(mode_) == mode && (m.get(startForward_) != 0) == forward &&
                    (m.get(startBackward_) != 0) == backward;
  if (same) return false;
  m.set(mode_, mode);
  m.set(startForward_, forward ? 1 : 0);
  m.set(startBackward_, backward ? 1 : 0);
  if (mode != Stuck || forward || backward) m.set(shared_, 0);
  return true;
}

bool FrictionModes::transition(Modes& m, const FrictionState& f) const {
  const int mode = m.get(mode_);
  const bool startForward = m.get(startForward_) != 0, startBackward = m.get(startBackward_) != 0;
  const auto set = [&](int is, bool forward, bool backward) {
    return this->set(m, is, forward, backward);
  };
  const int moving = f.w > kSmallSlip ? Forward : f.w < -kSmallSlip && !f.oneWay ? Backward : Stuck;
  if (f.free) return set(Free, false, false);
  switch (mode) {
    case Forward:
    case Backward: {
      const double w = mode * f.w;
      if (w >= 0.5 * kSmallSlip) return false;
      return set(w < -kJump && !f.oneWay ? -mode : Stuck, false, false);
    }
    case Stuck:
      break;
    default:
      return set(moving, false, false);
  }
  const int sense = startForward ? 1 : startBackward ? -1 : 0;
  if (sense == 0) {
    if (isStruck(std::abs(f.w), std::abs(f.w - f.w_before)) && moving != Stuck)
      return set(moving, false, false);
    // What else holds the element moves it on: the reversal of a driven joint, a dead point.
    if (m.contradiction() > 0 && std::abs(f.a) > kMoved * m.contradiction()) {
      return set(Stuck, f.a > 0, f.a < 0 && !f.oneWay);
    }
    if (m.isUndetermined() && m.get(shared_) == 0) {
      m.set(shared_, 1);
      return true;
    }
    return set(Stuck, f.tau > f.tau0_max, f.tau < f.tau0_min && !f.oneWay);
  }
  if (sense * f.w > 0.75 * kSmallSlip) return set(sense, false, false);
  // Start of sliding ends where the slip turns back, or where MSL's sa falls below the sliding
  // friction. A slip that is no better known than this may still have to come round.
  const bool turnsBack = sense * f.w < -0.75 * kSmallSlip && !(sense * f.a > 0);
  const double limit = sense > 0 ? f.tau0_max : -f.tau0_min;
  const double tau0 = sense > 0 ? f.tau0 : f.tau0_back;
  // Beside a rigid contact that holds the same motion it neither slides nor has to stick.
  const bool goesOn = sense * f.w > -kJump && !turnsBack &&
                      sense * f.a + limit > tau0 - slackOf(limit) - tied(std::abs(f.w));
  return goesOn ? false : set(Stuck, false, false);
}

bool FrictionModes::hardlySlips(const View<double>& x, const FrictionState& f) const {
  const bool known = mode(x) != Free && mode(x) != Unknown;
  return known && std::abs(f.w) <= kJump && f.tau0 > 0;
}

bool FrictionModes::obey(Modes& m, const FrictionState& f, double tau) const {
  const bool slides = m.get(mode_) != Stuck || m.get(startForward_) + m.get(startBackward_) > 0;
  const bool holds = std::abs(tau) < (1 - kAtLimit) * (slides ? f.tau0 : f.tau0_max);
  return set(m, Stuck, !holds && tau > 0, !holds && tau < 0);
}

/// What friction against the housing shares: a shaft, and its slip.
template <class Axis, class Derived>
class FrictionAgainstHousing : public CoulombFriction<Axis, Derived> {
 public:
  template <class S>
  FlangeState<S> slip(const View<S>& x) const {
    return support_.motion(x, flanges_.a);
  }
  template <class S>
  void load(View<S>& x, const S& tau) const {
    support_.addFlow(x, flanges_.a, tau);
  }

 protected:
  void declareShaft(Structure& s) {
    flanges_.declare(s, Axis::domain);
    support_.declare(s, Axis::domain);
    s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, 0});
    s.inertia(flanges_.a);
  }
  void describeShaft(Variables& v) const {
    describeMotion<Axis>(v, start_, " relative to the support",
                         [this](const auto& x) { return slip(x); });
  }

  MotionStart start_;
  TwoFlanges flanges_;
  Support support_;
};

/// Friction in a bearing (support) as a function of speed.
///
/// Equations  tau_c(w) = table tau_pos, straight on outside of it;
///            flange_a.tau + flange_b.tau = tau
/// Source     MSL 4.0 Rotational.BearingFriction, Translational.SupportFriction
template <class Axis>
class BearingFriction final : public FrictionAgainstHousing<Axis, BearingFriction<Axis>> {
 public:
  void read(ParameterReader& r) override {
    this->support_.read(r);
    readFrictionTable(r, Axis::frictionTable,
                      "sliding friction (2nd column) over speed >= 0 (1st column)", tau_pos_);
    readSmoothness(r, smoothness_);
    this->readFriction(r);
    this->start_.template read<Axis>(r);
    tau_c_ = Interpolation(tau_pos_, 1, smoothness_);
  }
  void declare(Structure& s) override {
    this->declareShaft(s);
    this->declareFriction(s, tau_pos_.col(1).cwiseAbs().maxCoeff());
  }
  void describe(Variables& v) const override {
    this->describeShaft(v);
    this->describeFriction(v);
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
  Interpolation tau_c_;
};

/// Friction coefficient and normal force from a signal, as brake and clutch have them.
struct PressedFriction {
  Smoothness smoothness = Smoothness::LinearSegments;
  Eigen::MatrixXd mu_pos = Eigen::RowVector2d(0, 0.5);
  double cgeo = 1;    ///< [1 | m]
  double fn_max = 1;  ///< [N]
  Interpolation mu;
  SignalId f_normalized;

  void read(ParameterReader& r) {
    readFrictionTable(r, "mu_pos", "friction coefficient (2nd column) over slip >= 0 (1st column)",
                      mu_pos);
    readSmoothness(r, smoothness);
    r.real("cgeo", cgeo, "1", "geometry constant", kNotNegative);
    r.real("fn_max", fn_max, "N", "largest normal force", kNotNegative);
    r.input("f_normalized", 1, "1", "normal force over fn_max; active where > 0");
    mu = Interpolation(mu_pos, 1, smoothness);
  }
  void declare(Structure& s) { f_normalized = s.input("f_normalized", 1); }
  void describe(Variables& v) const {
    v.scalar({"fn", "N", "normal force", Level::Time, false, {f_normalized}},
             [this](const auto& x) { return fn(x); });
    v.constant("mu0", "1", "friction coefficient at rest", mu(0.0));
  }
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
class Brake final : public FrictionAgainstHousing<Axis, Brake<Axis>> {
 public:
  void read(ParameterReader& r) override {
    this->support_.read(r);
    friction_.read(r);
    this->readFriction(r);
    this->start_.template read<Axis>(r);
  }
  void declare(Structure& s) override {
    this->declareShaft(s);
    friction_.declare(s);
    this->declareFriction(s, friction_.nominal());
  }
  void describe(Variables& v) const override {
    this->describeShaft(v);
    friction_.describe(v);
    this->describeFriction(v, {friction_.f_normalized});
  }
  void guards(const View<double>& x, Guards& g) const override {
    CoulombFriction<Axis, Brake<Axis>>::guards(x, g);
    g.crossing(friction_.fn(x));
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
};

/// What clutches share: friction between two shafts under a normal force from a signal.
template <class Axis, class Derived>
class FrictionBetweenShafts : public CoulombFriction<Axis, Derived> {
 public:
  void read(ParameterReader& r) override {
    friction_.read(r);
    this->readFriction(r);
    readRelativeStates<Axis>(r, start_);
  }
  void declare(Structure& s) override {
    flanges_.declare(s, Axis::domain);
    friction_.declare(s);
    s.inertia(flanges_.a);
    s.inertia(flanges_.b);
    this->declareFriction(s, friction_.nominal());
  }
  void describe(Variables& v) const override {
    describeRelativeMotion<Axis>(v, start_, flanges_);
    friction_.describe(v);
    this->describeFriction(v, {friction_.f_normalized});
  }
  void guards(const View<double>& x, Guards& g) const override {
    CoulombFriction<Axis, Derived>::guards(x, g);
    g.crossing(friction_.fn(x));
  }

  template <class S>
  FlangeState<S> slip(const View<S>& x) const {
    return flanges_.motion(x);
  }
  template <class S>
  void load(View<S>& x, const S& tau) const {
    flanges_.addFlow(x, tau);
  }
  template <class S>
  S sliding(const View<S>& x, const S& w) const {
    return friction_.sliding(x, w);
  }
  template <class S>
  bool pressed(const View<S>& x) const {
    return friction_.fn(x) > 0;
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
class Clutch final : public FrictionBetweenShafts<Axis, Clutch<Axis>> {};

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

  void describe(Variables& v) const override {
    FrictionBetweenShafts<Axis, OneWayClutch<Axis>>::describe(v);
    describe::truth(v, {"stuck", "1", "flange_b does not overtake flange_a", Level::Time},
                    [this](const auto& x) { return this->modes_.sense(x) == 0; });
  }

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

Catalogue rotationalFriction() {
  return {
      entry<BearingFriction<RotationalAxis>>("Rotational.BearingFriction",
                                             "Coulomb friction in a bearing"),
      entry<Brake<RotationalAxis>>(
          "Rotational.Brake",
          "Coulomb friction against the housing under a controlled normal force"),
      entry<Clutch<RotationalAxis>>(
          "Rotational.Clutch",
          "Coulomb friction between two shafts under a controlled normal force"),
      entry<OneWayClutch<RotationalAxis>>("Rotational.OneWayClutch",
                                          "freewheel and clutch in parallel"),
  };
}

Catalogue translationalFriction() {
  return {
      entry<BearingFriction<TranslationalAxis>>("Translational.SupportFriction",
                                                "Coulomb friction in a support"),
      entry<Brake<TranslationalAxis>>(
          "Translational.Brake",
          "Coulomb friction against the housing under a controlled normal force"),
  };
}

}  // namespace cardan::one_dimensional
