/// EventJournal: what `when` and components did at one event, in order, so that it can be gone through
/// once more at a neighbouring point.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/expression/program.h"

namespace cardan {

struct EventJournal {
  struct Round {
    enum class Kind {
      enter,        // `when` takes the values before the event, at the start its own
      transitions,  // components are asked for their modes, with them numbers that they hold and states
      fire,         // clauses fire at once
      jump          // velocities follow those that are prescribed
    };
    Kind kind = Kind::enter;
    std::vector<int> modes{};  ///< under which it happens
    std::vector<RelationState> relations{};
    std::vector<double> held{};  ///< RunState::held: before anything fired; of `fire` afterwards
    bool atStart = false;        ///< of `enter`
    // Of `transitions`:
    bool isQuiet = false;                          ///< Modes::isQuiet
    std::vector<int> instances{};                  ///< whose numbers and states are found there
    std::vector<std::pair<int, double>> states{};  ///< set by then: element of y, value
    // Of `fire`:
    std::vector<std::pair<size_t, size_t>> fired{};  ///< clause, branch
    bool isLate = false;    ///< the second time, with the states that it set the first time
    bool passesOn = false;  ///< nothing more became true: pre() went on to the values of then
  };
  std::vector<Round> rounds;  ///< none: nothing but modes changed
};

}  // namespace cardan
