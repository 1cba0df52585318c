/// Height fields: what <asset> says of ground that rises and falls.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/robots/mjcf/values.h"

namespace cardan::robots::mjcf {

struct HeightField {
  std::string name, file;            ///< the file, from the folder of the robot on; "": none
  std::array<double, 2> half{0, 0};  ///< [m]  of its extent in x and y
  double rise = 0;                   ///< [m]  from the lowest to the highest place
  int rows = 0, columns = 0;
  std::vector<double> elevation;  ///< of a file: none; rows from low y on, along x
  const XmlElement* element = nullptr;
};

/// Reads an <hfield>.
HeightField readHeightField(const XmlElement& element, const Conventions& conventions,
                            Diagnostics& diagnostics);

/// [m]  A row for each y, along x; none, and `why` says so, where they cannot be had. `robot`: the robot's
/// file.
std::vector<std::vector<double>> heightsOf(const HeightField& field, const std::string& robot,
                                           std::string& why);

}  // namespace cardan::robots::mjcf
