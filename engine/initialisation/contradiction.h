/// Contradiction: why the start of a model has no solution, in the user's words.
#pragma once

#include "engine/initialisation/level_rows.h"
#include "engine/text/diagnostics.h"

namespace cardan {

/// Explains a system of rows that leastChange() could not satisfy; `best` is its compromise.
/// Messages: loops that cannot be closed, else the fixed values that exclude each other, with what
/// the others lead to.
void explainContradiction(const Equations& equations, const StartConditions& conditions,
                          LevelRows& problem, const Movability& movability,
                          const LeastChangeResult& best, double time, Diagnostics& diagnostics);

/// Whom a row or an unknown belongs to, and where that stands.
struct Concerned {
  std::string who;  ///< "Revolute 'j1'"
  SourceMark at;
};
Concerned ownerOfRow(const Equations& equations, int multiplier);
/// Of an unknown by its full name: a component's, or a potential named after its flange.
Concerned ownerOfUnknown(const FlatModel& flatModel, const std::string& unknown);

/// "Revolute 'j1': 'phi'", or just "'x'" where no component owns it.
std::string describeCondition(const FlatModel& flatModel, const StartCondition& condition);

/// A number as a person would write it.
std::string plain(double x);

}  // namespace cardan
