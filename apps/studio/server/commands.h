/// Commands of the program that the page may give: a list of what there is, each with its own arguments; what
/// they write is a file in a folder that goes again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cardan::studio {

struct ModelText {
  std::filesystem::path path;       ///< of the file
  std::optional<std::string> text;  ///< that is in its place; nothing: the file itself
  std::vector<std::string> set;     ///< NAME=VALUE
};
struct StudioCommand {
  std::string name;                    ///< "modes", "export .fmu"
  std::vector<std::string> arguments;  ///< values, for a command that takes some
};
struct StudioOutput {
  int code = 0;
  std::string text, messages;
  std::optional<std::string> file;  ///< that it has written
  std::string type;                 ///< of it
};

/// Throws std::runtime_error where there is no such command, or its arguments are none.
StudioOutput runStudioCommand(const std::string& program, const StudioCommand& command,
                              const ModelText& model, double timeLimit);

}  // namespace cardan::studio
