/// SensorOutput: a signal that a sensor gives: what is said of it, once, and its start value.
#pragma once

#include <utility>
#include <vector>

#include "components/parameter_reader.h"
#include "components/variables.h"

namespace cardan {

/// A vector (N = 3) or a number (N = 1).
template <int N>
struct SensorOutput {
  const char* name;   ///< MSL's name inside the component
  const char* unit;   ///< SI unit
  const char* about;  ///< one line
  Level level;        ///< what it reads
  StartVector<N> start{};

  void read(ParameterReader& r) { r.start(name, start, unit, about); }
  /// f(const View<S>&) gives it; `reads`: inputs that it depends on directly. Its start values count
  /// where the user gave some: the default 0 is no guess, unlike that of a coordinate.
  template <class F>
  void describe(Variables& v, F f, std::vector<SignalId> reads = {}) const {
    VariableInfo info{name, unit, about, level, true, std::move(reads)};
    if constexpr (N == 1) {
      v.scalar(info, f);
    } else {
      v.vector(info, f);
    }
    bool any = start.given;
    for (bool fixed : start.fixed) any = any || fixed;
    if (any) v.start(name, start);
  }
};

}  // namespace cardan
