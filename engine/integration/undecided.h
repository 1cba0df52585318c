/// A run stops where a condition compares what is no number.
#pragma once

#include <cstdint>
#include <string>

#include "engine/equations/expression_variable.h"
#include "engine/integration/solver_error.h"
#include "engine/text/diagnostics.h"

namespace cardan {

/// " (model.yaml:3:12)"
inline std::string formatPlace(const SourceMark& at) {
  return " (" + at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ")";
}

/// Throws SolverError, by the comparison and its place, where the value at this point hangs on one; as one of
/// several of a pass.
inline void throwIfUndecided(const ExpressionVariable& e, std::uint64_t pass,
                             const View<double>& x) {
  const auto why = e.undecided(pass, x);
  if (!why) return;
  throw SolverError({.cause = SolverError::Cause::Undecided,
                     .time = x.time(),
                     .reason = why->text + formatPlace(why->at)});
}

}  // namespace cardan
