/// How the states of a block start (MSL's Blocks.Types.Init).
#pragma once

#include <string>

#include "components/parameter_reader.h"
#include "components/variables.h"

namespace cardan::blocks {

enum class Init {
  NoInit,         ///< start values are guesses
  SteadyState,    ///< rates are zero
  InitialState,   ///< states have their start values
  InitialOutput,  ///< the output has its start value
};

inline void readInit(ParameterReader& r, Init& init) {
  r.enumeration("initType", init,
                {{"NoInit", Init::NoInit},
                 {"SteadyState", Init::SteadyState},
                 {"InitialState", Init::InitialState},
                 {"InitialOutput", Init::InitialOutput}},
                "how the states start");
}

/// Start value of the state `name`.
inline void startState(Variables& v, const std::string& name, double start, bool fixed,
                       bool given) {
  StartValue s(fixed);
  s.start[0] = start;
  s.given = given;
  v.start(name, s);
}

/// An initial condition that initType makes; f(const View<S>&) -> S is zero at the start.
template <class F>
void initially(Variables& v, const std::string& about, Level level, F f) {
  InitialInfo info;
  info.name = "initType";
  info.description = about;
  info.level = level;
  info.fixed = true;
  v.initial(std::move(info), 1, [f](const auto& x, auto* residues) { residues[0] = f(x); });
}

}  // namespace cardan::blocks
