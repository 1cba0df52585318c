/// Replay: a run once more from its result, without integrating: positions are read, the rest is
/// solved for.
#pragma once

#include <string>
#include <vector>

#include "engine/model_file/model_source.h"
#include "engine/results/result_table.h"
#include "engine/results/row_watch.h"
#include "engine/results/rows.h"

namespace cardan {

class Simulation;

/// The names of the columns that a result must have to be replayed: positions, and where `level`
/// asks for more, velocities and the states of other parts.
std::vector<std::string> neededToReplay(Simulation& simulation, Level level);

/// Shows `watch` and `sink` every row of `result`. The model stands at its start; its modes stay those of
/// the start. `patterns`: the columns of the sink. What is missing or wrong goes to `diagnostics`.
void replay(Simulation& simulation, const ResultTable& result,
            const std::vector<OutputPattern>& patterns, RowWatch& watch, RowSink& sink,
            Diagnostics& diagnostics);

}  // namespace cardan
