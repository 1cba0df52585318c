/// PageRun: does what a page tells its reader to do, block by block.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "engine/text/yaml_document.h"
#include "tests/apps/process.h"
#include "tests/manual/markdown.h"

namespace test {

/// A folder in which a reader follows a page. `models` in it are the project's.
///
/// yaml   a file, where its first line says "# NAME.yaml": checked and, where it is a model, run. Else
///        a piece of the last model, or of the one of "# in NAME.yaml": put into it and run.
/// sh     commands, each of them run, unless it is known to be tested elsewhere
/// csv, xml  a file, where its first line says "# NAME" or "<!-- NAME -->"
/// text   what the last command or model has said, or the errors of the model before it
/// Any other kind is an error unless the page's own test takes it.
class PageRun {
 public:
  explicit PageRun(const std::string& path);

  /// Runs every block; `others` takes a block of another kind and says whether it knows it.
  void run(const std::function<bool(const Block&)>& others = {});

  int models = 0, pieces = 0, commands = 0, outputs = 0;

 private:
  void runFile(const Block& block, bool wrong);
  void runPiece(const Block& block);
  void runCommands(const Block& block);
  void compare(const Block& block);

  std::string page_;
  Folder folder_;
  bool pages_;                                      ///< the program has been built with three.js
  std::map<std::string, cardan::YamlNode> models_;  ///< by their files
  std::string last_;
  std::string said_;
};

}  // namespace test
