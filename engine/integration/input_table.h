/// InputTable: what feeds inputs of a model, over time.
#pragma once

#include <string>
#include <vector>

namespace cardan {

/// Inputs over time. Two rows of one time are a jump.
struct InputTable {
  std::string file;          ///< for messages
  std::vector<double> time;  ///< [s]  never falls
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;  ///< per name, per row
  bool held = false;                        ///< from a row to the next, else straight between them
};

}  // namespace cardan
