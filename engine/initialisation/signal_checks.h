/// What can be wrong with signals at the start: loops that leave their values open, expressions
/// without a value.
#pragma once

#include <vector>

#include "engine/equations/equations.h"
#include "engine/text/diagnostics.h"

namespace cardan {

/// An error for a loop whose signals can change together without any equation noticing (u = u): at
/// the point (time, y, yp) the columns of the residual's derivative by them depend on each other.
/// `file`: where messages without a place belong.
void checkSignalLoops(const Equations& equations, const SignalGraph& signals, double time,
                      const std::vector<double>& y, const std::vector<double>& yp,
                      const std::string& file, Diagnostics& diagnostics);

/// An error for every expression of the file that is infinite or not a number at (time, y, yp).
void checkSignalValues(const Equations& equations, const SignalGraph& signals, double time,
                       const std::vector<double>& y, const std::vector<double>& yp,
                       Diagnostics& diagnostics);

}  // namespace cardan
