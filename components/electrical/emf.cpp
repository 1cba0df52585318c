#include "components/electrical/emf.h"

#include <type_traits>

#include "components/make.h"

namespace cardan::electrical {
namespace {

template <class Axis>
constexpr bool kRotational = std::is_same_v<Axis, one_dimensional::RotationalAxis>;
/// MSL names the velocity of the translational one differently, as v is the voltage.
template <class Axis>
constexpr const char* kVelocity = kRotational<Axis> ? "w" : "vel";

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

template class EMF<one_dimensional::RotationalAxis>;
template class EMF<one_dimensional::TranslationalAxis>;

}  // namespace cardan::electrical

namespace cardan {

template std::unique_ptr<Component> make<electrical::RotationalEMF>();
template std::unique_ptr<Component> make<electrical::TranslationalEMF>();

}  // namespace cardan
