/// StateSelect as a parameter: how gladly the variables of a joint or part are states.
#pragma once

#include <initializer_list>
#include <string_view>

#include "components/parameter_reader.h"
#include "components/start_value.h"

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

}  // namespace cardan
