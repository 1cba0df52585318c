#include "components/one_dimensional/friction.h"

#include <fmt/format.h>

#include <cmath>

#include "components/catalogue_entry.h"
#include "components/interfaces/describe.h"
#include "components/laws/stick_slip.h"
#include "components/one_dimensional/compliant.h"
#include "components/one_dimensional/mass_with_stop.h"

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
    if (std::abs(f.w) > kJump && moving != Stuck) return set(moving, false, false);
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

template <class Axis, class Derived>
void CoulombFriction<Axis, Derived>::readFriction(ParameterReader& r) {
  r.real("peak", peak_, "1", "largest friction when stuck over sliding friction at rest", Range{1});
  r.real(Axis::velocitySmall, w_small_, Axis::velocityUnit,
         "slip near to zero where jumps may occur; not needed", kNotNegative);
  heat_.read(r);
}

template <class Axis, class Derived>
void CoulombFriction<Axis, Derived>::declareFriction(Structure& s, double nominal) {
  UnknownInfo info{Axis::flow, Axis::flowUnit, std::string("friction ") + Axis::flowWord};
  if (nominal > 0) info.nominal = nominal;
  tau_ = s.unknown(info, Kind::Algebraic);
  row_ = s.row("friction");
  given_ = s.impulse();
  modes_.declare(s);
  heat_.declare(s);
}

template <class Axis, class Derived>
FrictionState CoulombFriction<Axis, Derived>::state(const View<double>& x) const {
  const FlangeState<double> m = self().slip(x);
  const double tau0 = self().sliding(x, 0.0);
  FrictionState f{m.velocity, m.acceleration, x.unknown(tau_),
                  tau0,       tau0Max(tau0),  !self().pressed(x)};
  f.tau0_min = -f.tau0_max;
  f.tau0_back = f.tau0;
  f.oneWay = Derived::oneWay;
  return f;
}

template <class Axis, class Derived>
void CoulombFriction<Axis, Derived>::describeFriction(Variables& v,
                                                      const std::vector<SignalId>& reads) const {
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

template <class Axis>
void BearingFriction<Axis>::read(ParameterReader& r) {
  this->support_.read(r);
  readFrictionTable(r, Axis::frictionTable,
                    "sliding friction (2nd column) over speed >= 0 (1st column)", tau_pos_);
  readSmoothness(r, smoothness_);
  this->readFriction(r);
  start_.read<Axis>(r);
  tau_c_ = Interpolation(tau_pos_, 1, smoothness_);
}

template <class Axis>
void BearingFriction<Axis>::declare(Structure& s) {
  flanges_.declare(s, Axis::domain);
  support_.declare(s, Axis::domain);
  s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, 0});
  s.inertia(flanges_.a);
  this->declareFriction(s, tau_pos_.col(1).cwiseAbs().maxCoeff());
}

template <class Axis>
void BearingFriction<Axis>::describe(Variables& v) const {
  describeMotion<Axis>(v, start_, " relative to the support",
                       [this](const auto& x) { return slip(x); });
  this->describeFriction(v);
}

void PressedFriction::read(ParameterReader& r) {
  readFrictionTable(r, "mu_pos", "friction coefficient (2nd column) over slip >= 0 (1st column)",
                    mu_pos);
  readSmoothness(r, smoothness);
  r.real("cgeo", cgeo, "1", "geometry constant", kNotNegative);
  r.real("fn_max", fn_max, "N", "largest normal force", kNotNegative);
  r.input("f_normalized", 1, "1", "normal force over fn_max; active where > 0");
  mu = Interpolation(mu_pos, 1, smoothness);
}

void PressedFriction::describe(Variables& v) const {
  v.scalar({"fn", "N", "normal force", Level::Time, false, {f_normalized}},
           [this](const auto& x) { return fn(x); });
  v.constant("mu0", "1", "friction coefficient at rest", mu(0.0));
}

template <class Axis>
void Brake<Axis>::read(ParameterReader& r) {
  support_.read(r);
  friction_.read(r);
  this->readFriction(r);
  start_.read<Axis>(r);
}

template <class Axis>
void Brake<Axis>::declare(Structure& s) {
  flanges_.declare(s, Axis::domain);
  support_.declare(s, Axis::domain);
  friction_.declare(s);
  s.affine({{{flanges_.b, 1}, {flanges_.a, -1}}, 0});
  s.inertia(flanges_.a);
  this->declareFriction(s, friction_.nominal());
}

template <class Axis>
void Brake<Axis>::describe(Variables& v) const {
  describeMotion<Axis>(v, start_, " relative to the support",
                       [this](const auto& x) { return slip(x); });
  friction_.describe(v);
  this->describeFriction(v, {friction_.f_normalized});
}

template <class Axis>
void Brake<Axis>::guards(const View<double>& x, Guards& g) const {
  CoulombFriction<Axis, Brake<Axis>>::guards(x, g);
  g.crossing(friction_.fn(x));
}

template <class Axis, class Derived>
void FrictionBetweenShafts<Axis, Derived>::read(ParameterReader& r) {
  friction_.read(r);
  this->readFriction(r);
  readRelativeStates<Axis>(r, start_);
}

template <class Axis, class Derived>
void FrictionBetweenShafts<Axis, Derived>::declare(Structure& s) {
  flanges_.declare(s, Axis::domain);
  friction_.declare(s);
  s.inertia(flanges_.a);
  s.inertia(flanges_.b);
  this->declareFriction(s, friction_.nominal());
}

template <class Axis, class Derived>
void FrictionBetweenShafts<Axis, Derived>::describe(Variables& v) const {
  describeRelativeMotion<Axis>(v, start_, flanges_);
  friction_.describe(v);
  this->describeFriction(v, {friction_.f_normalized});
}

template <class Axis, class Derived>
void FrictionBetweenShafts<Axis, Derived>::guards(const View<double>& x, Guards& g) const {
  CoulombFriction<Axis, Derived>::guards(x, g);
  g.crossing(friction_.fn(x));
}

template <class Axis>
void OneWayClutch<Axis>::describe(Variables& v) const {
  FrictionBetweenShafts<Axis, OneWayClutch<Axis>>::describe(v);
  describe::truth(v, {"stuck", "1", "flange_b does not overtake flange_a", Level::Time},
                  [this](const auto& x) { return this->modes_.sense(x) == 0; });
}

template <class Axis>
void JointFriction<Axis>::declare(Structure& s) {
  flange_ = s.flange("flange", Axis::domain);
  if (p_.isOfLoad()) load_ = s.input("load", 1);
  s.inertia(flange_);
  this->declareFriction(s, p_.constant);
}

template class JointFriction<RotationalAxis>;
template class JointFriction<TranslationalAxis>;
// Base classes are not instantiated along with the classes above.
template class CoulombFriction<RotationalAxis, BearingFriction<RotationalAxis>>;
template class CoulombFriction<TranslationalAxis, BearingFriction<TranslationalAxis>>;
template class CoulombFriction<RotationalAxis, Brake<RotationalAxis>>;
template class CoulombFriction<TranslationalAxis, Brake<TranslationalAxis>>;
template class CoulombFriction<RotationalAxis, Clutch<RotationalAxis>>;
template class CoulombFriction<RotationalAxis, OneWayClutch<RotationalAxis>>;
template class FrictionBetweenShafts<RotationalAxis, Clutch<RotationalAxis>>;
template class FrictionBetweenShafts<RotationalAxis, OneWayClutch<RotationalAxis>>;
template class CoulombFriction<RotationalAxis, JointFriction<RotationalAxis>>;
template class CoulombFriction<TranslationalAxis, JointFriction<TranslationalAxis>>;
template class CoulombFriction<TranslationalAxis, MassWithStopAndFriction>;

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
