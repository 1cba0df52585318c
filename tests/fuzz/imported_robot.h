/// What must hold of every imported robot, whatever language it was written in.
#pragma once

#include <string>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/target_support.h"
#include "tests/fuzz/xml_text.h"

namespace cardan::fuzz {

/// `robot`: what an import came back with, nothing after errors. A small one is loaded as a tree and
/// as the text that is written of it, which must agree.
template <class Robot>
void expectRobotOrErrors(const Robot& robot, const Diagnostics& diagnostics) {
  constexpr size_t kMostComponents = 60;
  expectClean(diagnostics.format());
  expect(robot.has_value() == (diagnostics.errorCount() == 0), "a robot, or an error");
  if (!robot) return;
  expect(!robot->report.json().empty() && !robot->report.text().empty(), "a report");
  if (robot->model.components.size() > kMostComponents) return;
  const std::string asTree = messagesOf(
      [&] { return Simulation::fromTree(catalogue(), robot->model.tree(), robot->model.files); });
  const std::string asText =
      messagesOf([&] { return Simulation::fromText(catalogue(), robot->model.text()); });
  expect(asTree.empty() == asText.empty(), "what is written reads as it is",
         asTree + "\n" + asText);
}

}  // namespace cardan::fuzz
