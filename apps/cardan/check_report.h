/// What `cardan check --json` prints: messages and what the model is made of, for programs.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/model_structure.h"
#include "engine/simulation.h"

namespace cardan {

class ModelParts;

/// Messages by place, each with its notes, its hint ("did you mean 'm'?") apart from it and, where the
/// file can be read, the end of the word that it stands at. Lines and columns count from 1, columns in
/// characters, the end is one behind the last. `unsaved`: texts that stand for files, by name.
nlohmann::ordered_json diagnosticsJson(const Diagnostics& diagnostics,
                                       const std::map<std::string, std::string>& unsaved = {});

/// The components that have a mass and frames, each with its mass [kg]: bodies, springs and rods with
/// mass; of a composite that of all its parts.
std::vector<std::pair<std::string, double>> massesOf(const ModelParts& model);

/// Components, the tree, loops, degrees of freedom, start values of a model that can run.
nlohmann::ordered_json structureJson(const Simulation& simulation, const InitialReport& initial);

/// All names that a result can hold.
nlohmann::ordered_json namesJson(const ModelParts& model);

}  // namespace cardan
