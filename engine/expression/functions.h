/// The functions that an expression may call, under their Modelica names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/expression/scalar_operation.h"

namespace cardan {

enum class Operator;  // of expressions

/// How a function is evaluated.
enum class FunctionKind {
  elementwise,  // a scalar operation; arrays element by element
  conversion,   // scale x + offset
  minimum,      // of two scalars, or of the elements of an array
  maximum,
  dot,
  length,
  normalize,
  cross,
  skew,
  outerProduct,
  transpose,
  diagonal,
  identity,
  zeros,
  ones,
  fill,
  linspace,
  sum,
  product,
  size,
  derivative,
  noEvent,
  smooth,
  initial,
  terminal,
  sample,
  before,  // pre
  edge,
  change,
  orientation,  // functions of MSL Frames: orientation_functions.h
};

struct FunctionInfo {
  std::string_view name;
  FunctionKind kind;
  int minArguments;
  int maxArguments;
  Operation operation = Operation::constant;  ///< of an elementwise function
  double scale = 1.0;                         ///< of a conversion
  double offset = 0.0;
};

/// The function of this name, with or without the package that Modelica has it in (`sin`,
/// `Modelica.Math.sin`, `Modelica.Units.Conversions.from_deg`); nullptr if there is none.
const FunctionInfo* findFunction(std::string_view name);

/// What an operator does to scalars.
Operation operationOf(Operator op);

/// Names of all functions, for suggestions.
const std::vector<std::string>& functionNames();

/// Value of a named constant (`pi`, `deg`, `Modelica.Constants.eps`); false if it is none.
bool findConstant(std::string_view name, double& value);

/// True of words that mean something in every expression (`time`, `if`, `pi`): nothing else has such a name.
bool isReserved(std::string_view name);

}  // namespace cardan
