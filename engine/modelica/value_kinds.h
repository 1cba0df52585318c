/// Value kinds: whether an expression gives a truth, a whole number or any number, as far as it can be
/// told from its text.
#pragma once

#include <string>

#include "engine/modelica/evaluation.h"

namespace cardan::modelica {

enum class ValueKind { unknown, truth, integer, real };

/// Source  MLS 3.6, 10.6.13 and 3.7: `/` and `^` give Reals, + - * an Integer where both are
ValueKind kindOf(const Expression& e, const Scope& scope, Evaluation& evaluation);

/// Why what is of `kind` cannot be the value of a variable of `type`: "an Integer, and its value a Real";
/// "" where it can.
std::string mismatchOf(TypeKind type, ValueKind kind);

}  // namespace cardan::modelica
