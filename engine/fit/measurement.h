/// Measurement: what was measured over time, from a CSV file, in SI units.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/expression/units.h"
#include "engine/integration/input_table.h"

namespace cardan {

/// One column: `j1.phi` or `j1.phi [deg]`.
struct MeasuredColumn {
  std::string name;            ///< without its unit
  std::optional<Unit> unit;    ///< of the header; none: SI is meant
  std::string unitText;        ///< as written
  std::vector<double> values;  ///< SI; not a number where nothing was measured
};

/// Rows may have one time (two instruments, a jump of an input), and gaps.
struct Measurement {
  std::string file;
  std::vector<double> time;  ///< [s]  never falls
  std::vector<MeasuredColumn> columns;
  size_t untimed = 0;  ///< rows without a time, which are not among these

  /// Reads a file as ResultTable does, a field without a value being a gap; the time is in seconds, or
  /// in the unit of its header. Throws ResultFileError: also for units that are none, and two columns of
  /// one name.
  static Measurement read(const std::string& path);

  const MeasuredColumn* find(const std::string& name) const;
  /// Columns of these names as inputs; gaps are straight between what is known. Throws ResultFileError
  /// where a column knows nothing.
  InputTable inputs(const std::vector<std::string>& names, bool held) const;
};

}  // namespace cardan
