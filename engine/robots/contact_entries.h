/// The section `contacts` of a model file.
#pragma once

#include <vector>

#include "engine/robots/robot.h"
#include "engine/text/imported_model.h"

namespace cardan::robots {

std::vector<ImportedModel::Entry> contactEntries(const ContactRules& rules, const SourceMark& at);

}  // namespace cardan::robots
