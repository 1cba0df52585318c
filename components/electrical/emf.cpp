#include "components/electrical/emf.h"

#include <type_traits>

#include "components/catalogue_entry.h"

namespace cardan::electrical {
namespace {

template <class Axis>
constexpr bool kRotational = std::is_same_v<Axis, one_dimensional::RotationalAxis>;
/// MSL names the velocity of the translational one differently, as v is the voltage.
template <class Axis>
constexpr const char* kVelocity = kRotational<Axis> ? "w" : "vel";

constexpr double k20degC = 293.15;  // [K]

}  // namespace

template <class Axis>
void EMF<Axis>::read(ParameterReader& r) {
  support_.read(r);
  r.real("k", k_, kRotational<Axis> ? "N.m/A" : "N/A", "transformation coefficient");
  port_.read(r);
  r.start(Axis::position, start_.position, Axis::positionUnit, Axis::positionWord);
  r.start(kVelocity<Axis>, start_.velocity, Axis::velocityUnit, Axis::velocityWord);
}

template <class Axis>
void EMF<Axis>::declare(Structure& s) {
  port_.declare(s);
  flange_ = s.flange("flange", Axis::domain);
  support_.declare(s, Axis::domain);
  port_.declareCurrent(s);
}

template <class Axis>
void EMF<Axis>::describe(Variables& v) const {
  port_.describe(v, [this](const auto& x) { return port_.current(x); });
  v.scalar(
      {Axis::position, Axis::positionUnit,
       std::string(Axis::positionWord) + " of the flange relative to the support", Level::Position},
      [this](const auto& x) { return support_.motion(x, flange_).position; });
  v.start(Axis::position, start_.position);
  v.scalar(
      {kVelocity<Axis>, Axis::velocityUnit,
       std::string(Axis::velocityWord) + " of the flange relative to the support", Level::Velocity},
      [this](const auto& x) { return support_.motion(x, flange_).velocity; });
  v.start(kVelocity<Axis>, start_.velocity);
  const std::string flow = Axis::flow, word = Axis::flowWord;
  v.scalar({flow, Axis::flowUnit, word + " at the flange", Level::Acceleration},
           [this](const auto& x) { return -k_ * port_.current(x); });
  v.scalar({flow + "Electrical", Axis::flowUnit, "electrical " + word, Level::Acceleration},
           [this](const auto& x) { return k_ * port_.current(x); });
}

void DcPermanentMagnet::read(ParameterReader& r) {
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

void DcPermanentMagnet::parametersChanged() {
  k_ = (VaNominal_ - resistance(TaNominal_) * IaNominal_) / wNominal_;
  R_ = resistance(TaOperational_);
}

double DcPermanentMagnet::resistance(double T) const {
  const double alpha = alpha20a_ / (1 + alpha20a_ * (TaRef_ - k20degC));
  return Ra_ * (1 + alpha * (T - TaRef_));
}

void DcPermanentMagnet::declare(Structure& s) {
  plus_ = s.flange("pin_ap", Domain::Electrical);
  minus_ = s.flange("pin_an", Domain::Electrical);
  flange_ = s.flange("flange", Domain::Rotational);
  support_.declare(s, Domain::Rotational);
  i_ = s.unknown({"ia", "A", "armature current"}, Kind::Differential);
  row_ = s.row("armature");
  s.inertia(flange_);
  if (support_.used) s.inertia(support_.flange);
}

void DcPermanentMagnet::describe(Variables& v) const {
  v.scalar({"phiMechanical", "rad", "angle of the rotor against the stator", Level::Position},
           [this](const auto& x) { return motion(x).position; });
  v.start("phiMechanical", phi_);
  v.scalar(
      {"wMechanical", "rad/s", "angular velocity of the rotor against the stator", Level::Velocity},
      [this](const auto& x) { return motion(x).velocity; });
  v.start("wMechanical", w_);
  v.scalar({"ia", "A", "armature current", Level::Position},
           [this](const auto& x) { return x.unknown(i_); });
  v.start("ia", ia_);
  v.scalar({"va", "V", "armature voltage", Level::Acceleration},
           [this](const auto& x) { return voltage(x); });
  v.scalar({"tauElectrical", "N.m", "torque of the field on the rotor", Level::Position},
           [this](const auto& x) { return k_ * x.unknown(i_); });
  v.scalar(
      {"tauShaft", "N.m", "torque that the shaft gives", Level::Acceleration},
      [this](const auto& x) { return k_ * x.unknown(i_) - Jr_ * x.flange(flange_).acceleration; });
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

Catalogue emfs() {
  return {
      entry<RotationalEMF>("Analog.RotationalEMF",
                           "ideal transformer between a circuit and a shaft"),
      entry<TranslationalEMF>("Analog.TranslationalEMF",
                              "ideal transformer between a circuit and a slider"),
      entry<DcPermanentMagnet>("Machines.DC_PermanentMagnet", "DC machine with a permanent magnet"),
  };
}

}  // namespace cardan::electrical
