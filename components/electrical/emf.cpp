/// Where a circuit and a motion meet: electromotive force, DC machine.
#include <type_traits>

#include "components/catalogue_entry.h"
#include "components/electrical/one_port.h"
#include "components/one_dimensional/axis.h"

namespace cardan::electrical {
namespace {

template <class Axis>
constexpr bool kRotational = std::is_same_v<Axis, one_dimensional::RotationalAxis>;
/// MSL names the velocity of the translational one differently, as v is the voltage.
template <class Axis>
constexpr const char* kVelocity = kRotational<Axis> ? "w" : "vel";

constexpr double k20degC = 293.15;  // [K]

}  // namespace

/// Ideal electric motor or generator without resistance, inductance and inertia.
///
/// Unknowns   i [A]
/// Equations  v = k w;  flange.tau = -k i;  v = p.v - n.v;  w = der(flange.phi - support.phi)
/// Source     MSL 4.0 Electrical.Analog.Basic.RotationalEMF, TranslationalEMF
template <class Axis>
class EMF final : public ComponentOf<EMF<Axis>> {
 public:
  void read(ParameterReader& r) override {
    support_.read(r);
    r.real("k", k_, kRotational<Axis> ? "N.m/A" : "N/A", "transformation coefficient");
    port_.read(r);
    r.start(Axis::position, start_.position, Axis::positionUnit, Axis::positionWord);
    r.start(kVelocity<Axis>, start_.velocity, Axis::velocityUnit, Axis::velocityWord);
  }
  void declare(Structure& s) override {
    port_.declare(s);
    flange_ = s.flange("flange", Axis::domain);
    support_.declare(s, Axis::domain);
    port_.declareCurrent(s);
  }
  void describe(Variables& v) const override {
    port_.describe(v, [this](const auto& x) { return port_.current(x); });
    v.scalar({Axis::position, Axis::positionUnit,
              std::string(Axis::positionWord) + " of the flange relative to the support",
              Level::Position},
             [this](const auto& x) { return support_.motion(x, flange_).position; });
    v.start(Axis::position, start_.position);
    v.scalar({kVelocity<Axis>, Axis::velocityUnit,
              std::string(Axis::velocityWord) + " of the flange relative to the support",
              Level::Velocity},
             [this](const auto& x) { return support_.motion(x, flange_).velocity; });
    v.start(kVelocity<Axis>, start_.velocity);
    const std::string flow = Axis::flow, word = Axis::flowWord;
    v.scalar({flow, Axis::flowUnit, word + " at the flange", Level::Acceleration},
             [this](const auto& x) { return -k_ * port_.current(x); });
    v.scalar({flow + "Electrical", Axis::flowUnit, "electrical " + word, Level::Acceleration},
             [this](const auto& x) { return k_ * port_.current(x); });
  }

  template <class S>
  void physics(View<S>& x) const {
    port_.hold(x, S(port_.voltage(x) - k_ * support_.motion(x, flange_).velocity));
    support_.addFlow(x, flange_, S(-k_ * port_.current(x)));
  }

 private:
  double k_ = 1;  ///< [N.m/A | N/A]
  VoltageBranch port_;
  one_dimensional::MotionStart start_;
  FlangeId flange_;
  one_dimensional::Support support_;
};

/// Armature with resistance and inductance in the field of a magnet, on a rotor with inertia. Losses
/// but those in the armature's resistance are left out.
///
/// Unknowns   ia [A]
/// Equations  va = Ra(TaOperational) ia + La der(ia) + k wMechanical;  tauElectrical = k ia;
///            Jr der(w) = tauElectrical + flange.tau;
///            k = (VaNominal - Ra(TaNominal) IaNominal)/wNominal;
///            Ra(T) = Ra (1 + alpha (T - TaRef)), alpha = alpha20a/(1 + alpha20a (TaRef - 20 degC))
/// Source     MSL 4.0 Electrical.Machines.BasicMachines.DCMachines.DC_PermanentMagnet
class DcPermanentMagnet final : public ComponentOf<DcPermanentMagnet> {
 public:
  void read(ParameterReader& r) override {
    r.real("Jr", Jr_, "kg.m2", "moment of inertia of the rotor", kNotNegative);
    support_.read(r);
    Js_ = Jr_;
    r.real("Js", Js_, "kg.m2",
           "moment of inertia of the stator, where there is a support; default: Jr", kNotNegative);
    r.real("VaNominal", VaNominal_, "V", "nominal armature voltage");
    r.real("IaNominal", IaNominal_, "A", "nominal armature current: of a motor > 0");
    r.real("wNominal", wNominal_, "rad/s", "nominal speed", kPositive);
    r.real("TaNominal", TaNominal_, "K", "nominal temperature of the armature", kPositive);
    r.real("TaOperational", TaOperational_, "K", "temperature of the armature", kPositive);
    r.real("Ra", Ra_, "Ohm", "armature resistance at TaRef", kNotNegative);
    r.real("TaRef", TaRef_, "K", "temperature that Ra is given for", kPositive);
    r.real("alpha20a", alpha20a_, "1/K", "temperature coefficient of the armature at 20 degC");
    r.real("La", La_, "H", "armature inductance", kPositive);
    r.start("phiMechanical", phi_, "rad", "angle of the rotor against the stator");
    r.start("wMechanical", w_, "rad/s", "angular velocity of the rotor against the stator");
    r.start("ia", ia_, "A", "armature current");
    r.require(VaNominal_ > resistance(TaNominal_) * IaNominal_, "VaNominal",
              "must be greater than what falls off at the armature, Ra IaNominal");
  }
  void parametersChanged() override {
    k_ = (VaNominal_ - resistance(TaNominal_) * IaNominal_) / wNominal_;
    R_ = resistance(TaOperational_);
  }
  void declare(Structure& s) override {
    plus_ = s.flange("pin_ap", Domain::Electrical);
    minus_ = s.flange("pin_an", Domain::Electrical);
    flange_ = s.flange("flange", Domain::Rotational);
    support_.declare(s, Domain::Rotational);
    i_ = s.unknown({"ia", "A", "armature current"}, Kind::Differential);
    row_ = s.row("armature");
    s.inertia(flange_);
    if (support_.used) s.inertia(support_.flange);
  }
  void describe(Variables& v) const override {
    v.scalar({"phiMechanical", "rad", "angle of the rotor against the stator", Level::Position},
             [this](const auto& x) { return motion(x).position; });
    v.start("phiMechanical", phi_);
    v.scalar({"wMechanical", "rad/s", "angular velocity of the rotor against the stator",
              Level::Velocity},
             [this](const auto& x) { return motion(x).velocity; });
    v.start("wMechanical", w_);
    v.scalar({"ia", "A", "armature current", Level::Position},
             [this](const auto& x) { return x.unknown(i_); });
    v.start("ia", ia_);
    v.scalar({"va", "V", "armature voltage", Level::Acceleration},
             [this](const auto& x) { return voltage(x); });
    v.scalar({"tauElectrical", "N.m", "torque of the field on the rotor", Level::Position},
             [this](const auto& x) { return k_ * x.unknown(i_); });
    v.scalar({"tauShaft", "N.m", "torque that the shaft gives", Level::Acceleration},
             [this](const auto& x) {
               return k_ * x.unknown(i_) - Jr_ * x.flange(flange_).acceleration;
             });
    v.scalar({"lossPower", "W", "losses in the armature", Level::Position},
             [this](const auto& x) { return R_ * x.unknown(i_) * x.unknown(i_); });
    v.mechanics([this](const auto& x) {
      MechanicalSums<std::decay_t<decltype(x.time())>> sum;
      const auto& w = x.flange(flange_).velocity;
      sum.kineticEnergy = 0.5 * Jr_ * w * w;
      if (support_.used) {
        const auto& stator = x.flange(support_.flange).velocity;
        sum.kineticEnergy += 0.5 * Js_ * stator * stator;
      }
      return sum;
    });
  }

  template <class S>
  void physics(View<S>& x) const {
    const S& i = x.unknown(i_);
    x.row(row_) = voltage(x) - R_ * i - La_ * x.rate(i_) - k_ * motion(x).velocity;
    x.addFlow(plus_, i);
    x.addFlow(minus_, S(-i));
    support_.addFlow(x, flange_, S(-k_ * i));
    x.addFlow(flange_, S(Jr_ * x.flange(flange_).acceleration));
    if (support_.used) x.addFlow(support_.flange, S(Js_ * x.flange(support_.flange).acceleration));
  }

 private:
  double resistance(double T) const {
    const double alpha = alpha20a_ / (1 + alpha20a_ * (TaRef_ - k20degC));
    return Ra_ * (1 + alpha * (T - TaRef_));
  }
  template <class S>
  S voltage(const View<S>& x) const {
    return x.flange(plus_).position - x.flange(minus_).position;
  }
  template <class S>
  FlangeState<S> motion(const View<S>& x) const {
    return support_.motion(x, flange_);
  }

  double Jr_ = 0.15, Js_ = 0.15;         ///< [kg.m2]  rotor, stator; >= 0
  double VaNominal_ = 100;               ///< [V]
  double IaNominal_ = 100;               ///< [A]  > 0: motor
  double wNominal_ = 149.2256510455152;  ///< [rad/s]  1425 rpm
  double TaNominal_ = 293.15, TaOperational_ = 293.15, TaRef_ = 293.15;  ///< [K]
  double Ra_ = 0.05;                                                     ///< [Ohm]
  double alpha20a_ = 0;                                                  ///< [1/K]
  double La_ = 0.0015;                                                   ///< [H]
  double k_ = 1, R_ = 0.05;  ///< [N.m/A], [Ohm] at the operational temperature
  StartValue phi_, w_, ia_;
  FlangeId plus_, minus_, flange_;
  one_dimensional::Support support_;
  UnknownId i_;
  RowId row_;
};

Catalogue emfs() {
  return {
      entry<EMF<one_dimensional::RotationalAxis>>(
          "Analog.RotationalEMF", "ideal transformer between a circuit and a shaft"),
      entry<EMF<one_dimensional::TranslationalAxis>>(
          "Analog.TranslationalEMF", "ideal transformer between a circuit and a slider"),
      entry<DcPermanentMagnet>("Machines.DC_PermanentMagnet", "DC machine with a permanent magnet"),
  };
}

}  // namespace cardan::electrical
