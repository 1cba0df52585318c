/// The functions of MSL Frames in expressions: each is written as expressions of its parameters, in frames.txt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/expression/expression.h"

namespace cardan {

/// One function. Outside of this file nothing reads T and w of an orientation either.
struct OrientationFunction {
  enum class Kind { orientation, scalar, vector, matrix };  ///< matrix: 3 x 3
  struct Parameter {
    std::string name;
    Kind kind = Kind::scalar;
    int size = 1;                       ///< of a vector
    std::vector<Expression> otherwise;  ///< the default, if there is one
  };
  struct Step {
    std::string name;  ///< of an intermediate value; "" for the result, which comes last
    Expression value;
  };
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Step> steps;  ///< none: the orientation made of its parameters T and w
};

/// The function of this name, with or without "Modelica.Mechanics.MultiBody." and "Frames.";
/// nullptr if expressions do not have it.
const OrientationFunction* findOrientationFunction(std::string_view name);
/// Names of all of them with "Frames.", for suggestions.
std::vector<std::string> orientationFunctionNames();

}  // namespace cardan
