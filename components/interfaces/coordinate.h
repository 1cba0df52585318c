/// Coordinate: a variable of a joint that may be a state: what is said of it, once, its start, and how
/// gladly it is one.
#pragma once

#include <initializer_list>
#include <string_view>

#include "components/parameter_reader.h"
#include "components/structure.h"
#include "components/variables.h"

namespace cardan {

/// MSL's enumeration StateSelect, by name.
inline void readStateSelect(ParameterReader& r, std::string_view name, StateSelect& s) {
  r.enumeration(name, s,
                {{"never", StateSelect::never},
                 {"avoid", StateSelect::avoid},
                 {"default", StateSelect::defaultSelect},
                 {"prefer", StateSelect::prefer},
                 {"always", StateSelect::always}},
                "priority as states (a hint for start values and cuts)");
}

/// Reads MSL's class-level `stateSelect` of a joint into those of its coordinates that have none of
/// their own.
inline StateSelect readStateSelect(ParameterReader& r, std::initializer_list<StartValue*> states) {
  StateSelect s = StateSelect::prefer;
  readStateSelect(r, "stateSelect", s);
  for (StartValue* x : states) {
    if (x->stateSelect == StateSelect::defaultSelect) x->stateSelect = s;
  }
  return s;
}

/// A coordinate of a joint, or one of its first two derivatives.
struct Coordinate {
  const char* name;   ///< MSL's name inside the component
  const char* unit;   ///< SI unit
  const char* about;  ///< one line
  const char* of =
      "";  ///< in a joint made of joints: the part's variable that it is ("revolute.phi")
  StartValue start{};

  Coordinate& operator=(const StartValue& s) {
    start = s;
    return *this;
  }

  /// Parameter `name`: {start:, fixed:, stateSelect:}.
  void read(ParameterReader& r) { r.start(name, start, unit, about); }
  /// As an unknown of a joint.
  UnknownInfo info() const { return {name, unit, about}; }
  /// In a joint made of joints: another name of the part's variable.
  void describeAlias(Variables& v) const { v.alias(name, of); }
};

/// Start values of a joint's only coordinate and its first two derivatives, then MSL's stateSelect.
inline void readCoordinates(ParameterReader& r, Coordinate& q, Coordinate& v, Coordinate& a) {
  for (Coordinate* c : {&q, &v, &a}) c->read(r);
  readStateSelect(r, {&q.start, &v.start});
}

/// The variables of a joint's only coordinate: start values of all three, and the acceleration,
/// which is no unknown of its own.
inline void describeCoordinates(Variables& v, JointId joint, const Coordinate& position,
                                const Coordinate& velocity, const Coordinate& acceleration) {
  for (const Coordinate* c : {&position, &velocity, &acceleration}) v.start(c->name, c->start);
  v.scalar({acceleration.name, acceleration.unit, acceleration.about, Level::Acceleration},
           [joint](const auto& x) { return x.joint(joint).vd[0]; });
}

}  // namespace cardan
