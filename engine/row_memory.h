/// What changes at events alone, as a row of results has it: discrete variables, what pre() reads,
/// samples that blocks hold.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/equations/equations.h"

namespace cardan {

struct RowMemory {
  std::vector<int> modes;  ///< that make the numbers which components hold: they stay at the start
  /// Variables that the row does not have, components that show nothing.
  std::vector<std::string> missing;

  /// Puts what `row` has, values by name, into the state of a run that is to begin at (time, y, yp).
  static RowMemory take(const std::map<std::string_view, double>& row, const VariableTable& table,
                        Equations& equations, double time, const std::vector<double>& y,
                        const std::vector<double>& yp);
};

}  // namespace cardan
