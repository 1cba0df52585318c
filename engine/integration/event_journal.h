/// EventJournal: what `when` did at one event, in order, so that it can be gone through once more at
/// a neighbouring point.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/expression/program.h"

namespace cardan {

struct EventJournal {
  /// What fired at once, under these modes and relations.
  struct Round {
    std::vector<int> modes;
    std::vector<RelationState> relations;
    std::vector<std::pair<size_t, size_t>> fired;  ///< clause, branch
    std::vector<double> held;                      ///< RunState::held afterwards
    bool isLate = false;    ///< the second time, with the states that it set the first time
    bool passesOn = false;  ///< nothing more became true: pre() went on to the values of then
  };
  /// Once through; the start takes a second one where a clock ticks at it.
  struct Pass {
    bool atStart = false;
    std::vector<double> entered;  ///< RunState::held before anything fired, values before it taken
    std::vector<Round> rounds;
  };
  std::vector<Pass> passes;  ///< none: the model has no `when`
};

}  // namespace cardan
