#include "tests/manual/page_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "components/catalogue.h"
#include "engine/simulation.h"

namespace test {
namespace {

using cardan::YamlNode;

/// Entries of `piece` go into `model`: sections by their names, what stands in them, too; connections
/// and equations behind those that are there.
void putInto(YamlNode& model, const YamlNode& piece) {
  for (const YamlNode::Entry& section : piece.entries) {
    const auto there = std::ranges::find(model.entries, section.key, &YamlNode::Entry::key);
    if (there == model.entries.end()) {
      model.entries.push_back(section);
    } else if (section.value.isMap() && there->value.isMap()) {
      for (const YamlNode::Entry& entry : section.value.entries) {
        auto& entries = there->value.entries;
        const auto old = std::ranges::find(entries, entry.key, &YamlNode::Entry::key);
        old == entries.end() ? entries.push_back(entry) : void(*old = entry);
      }
    } else if (section.value.isSequence() && there->value.isSequence() &&
               section.key != "outputs" && section.key != "include") {
      auto& items = there->value.items;
      items.insert(items.end(), section.value.items.begin(), section.value.items.end());
    } else {
      *there = section;
    }
  }
}

/// A command that is not run here, as another test or the gate runs it, or as it needs files of the
/// reader's own.
bool isTestedElsewhere(const std::string& command) {
  for (const char* begin :
       {"./cardan test", "cardan regress models ", "cmake ", "ctest ", "ninja ", "apt ", "tar "}) {
    if (command.starts_with(begin)) return true;
  }
  return command.find("my_models") != std::string::npos;
}

}  // namespace

PageRun::PageRun(const std::string& path) : page_(readFile(path)) {
  std::filesystem::create_directory_symlink(CARDAN_SOURCE_DIR "/models", folder_ / "models");
  pages_ =
      shell(folder_, "$cardan animate models/elementary/pendulum.yaml -o probe.html").code == 0;
}

void PageRun::run(const std::function<bool(const Block&)>& others) {
  const std::vector<Block> blocks = blocksOf(page_);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    CAPTURE(block.line);
    if (others && others(block)) continue;
    if (block.kind == "yaml" && !block.fileName().empty()) {
      const bool wrong = i + 1 < blocks.size() && blocks[i + 1].kind == "text" &&
                         blocks[i + 1].text.starts_with(block.fileName() + ":");
      runFile(block, wrong);
    } else if (block.kind == "yaml") {
      runPiece(block);
    } else if (block.kind == "sh") {
      runCommands(block);
    } else if (block.kind == "text") {
      compare(block);
    } else if (block.kind == "csv" && block.text.starts_with("# ")) {
      folder_.write(block.text.substr(2, block.text.find('\n') - 2), block.text);
    } else if (block.kind == "xml" && block.text.starts_with("<!-- ")) {
      folder_.write(block.text.substr(5, block.text.find(" -->") - 5), block.text);
    } else {
      FAIL_CHECK("no test knows what to do with a block of the kind '" << block.kind << "'");
    }
  }
}

void PageRun::runFile(const Block& block, bool wrong) {
  const std::string name = block.fileName();
  CAPTURE(name);
  folder_.write(name, block.text);
  for (const char* section : {"\nfit:", "\noptimize:"}) {
    if (block.text.find(section) != std::string::npos) return;  // the commands behind it run it
  }
  const bool isStudy = block.text.find("\nstudy:") != std::string::npos;
  const Process p = runCardan(folder_, isStudy ? "sweep " + name + " --dry-run" : "check " + name);
  CAPTURE(p.err);
  said_ = p.out + p.err;
  CHECK(p.code == (wrong ? 2 : 0));
  if (wrong || p.code != 0) return;
  CHECK(p.err.empty());  // a manual shows no model that is warned of
  cardan::Diagnostics diagnostics;
  const auto root = cardan::readYaml(folder_ / name, diagnostics);
  if (!root->find("components")) return;  // a file to include
  last_ = name;
  models_[name] = *root;
  ++models;
  const Process ran = runCardan(folder_, "simulate " + name + " -o page_model.csv");
  CAPTURE(ran.err);
  CHECK(ran.code == 0);
}

void PageRun::runPiece(const Block& block) {
  const std::string wanted = block.modelName();
  const auto model = wanted.empty() ? models_.find(last_) : models_.find(wanted);
  REQUIRE(model != models_.end());
  cardan::Diagnostics diagnostics;
  const auto piece = cardan::parseYaml(block.text, "piece.yaml", diagnostics);
  CAPTURE(diagnostics.format());
  REQUIRE(piece);
  YamlNode whole = model->second;
  putInto(whole, *piece);
  ++pieces;
  try {
    auto s = cardan::Simulation::fromTree(cardan::catalogue(), whole, {folder_ / "piece.yaml"});
    CHECK(s.warnings().all().empty());
    cardan::Trajectory rows;
    s.run(rows);
    CHECK(rows.time().size() > 10);
  } catch (const std::exception& e) {
    FAIL_CHECK(std::string(e.what()));
  }
}

void PageRun::runCommands(const Block& block) {
  std::istringstream lines(block.text);
  said_.clear();
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("./cardan ") && !line.starts_with("./cardan test")) line.erase(0, 2);
    if (isTestedElsewhere(line)) continue;
    CAPTURE(line);
    if (!line.starts_with("cardan ")) {
      FAIL_CHECK("no test knows what to do with this command");
      continue;
    }
    const bool picture =
        line.starts_with("cardan animate ") || line.find(" --animate ") != line.npos;
    if (picture && line.find(".glb") == line.npos && !pages_) continue;
    ++commands;
    const Process p = shell(folder_, "cardan() { $cardan \"$@\"; }\n" + line);
    CAPTURE(p.out);
    CAPTURE(p.err);
    CHECK(p.code == 0);
    said_ += p.out + p.err;
  }
}

void PageRun::compare(const Block& block) {
  CAPTURE(said_);
  CHECK(missingIn(said_, block.text) == "");
  ++outputs;
}

}  // namespace test
