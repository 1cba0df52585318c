#include "apps/cardan/model_options.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>

#include "apps/cardan/console.h"
#include "components/catalogue.h"

namespace cardan {
namespace {

constexpr const char* kStandardInput = "stdin";  // as messages call it

/// To one byte beyond what a model may have.
std::string readStandardInput() {
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= kMaxYamlBytes) {
    const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      Diagnostics diagnostics;
      diagnostics.error({kStandardInput, 0, 0},
                        std::string("cannot read the model: ") + std::strerror(errno));
      diagnostics.throwIfErrors();
    }
    if (n <= 0) break;
    text.append(buffer, static_cast<size_t>(n));
  }
  return text;
}

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  // Files that are not there yet.
  const auto whole = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  return whole(a) == whole(b);
}

}  // namespace

void ModelOptions::add(CLI::App& command) {
  command.add_option("MODEL", path, "model file (YAML); - is standard input")
      ->required()
      ->type_name("");
  command
      .add_option("--set", overrides,
                  "value of a parameter of the model or of a component, as in\n"
                  "--set L=0.7 --set boxBody1.width=0.1 (repeatable)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

Simulation& ModelOptions::load(bool quiet) const {
  static std::unique_ptr<Simulation> simulation;
  simulation.reset();
  simulation = std::make_unique<Simulation>(
      path == "-"
          ? Simulation::fromText(catalogue(), readStandardInput(), kStandardInput, overrides)
          : Simulation(catalogue(), path, overrides));
  if (!quiet && !simulation->warnings().all().empty()) {
    printMessages(simulation->warnings().format());
  }
  return *simulation;
}

std::vector<std::string> sourcesOf(const ModelSource& model) {
  std::vector<std::string> files = model.included;
  files.push_back(model.file == kStandardInput ? "/dev/stdin" : model.file);
  return files;
}

void protectFiles(const std::vector<WrittenFile>& written, const std::vector<std::string>& read) {
  Diagnostics diagnostics;
  for (size_t i = 0; i < written.size(); ++i) {
    for (const std::string& source : read) {
      if (!sameFile(written[i].path, source)) continue;
      diagnostics.error({}, written[i].name + " is '" + source +
                                "', which this command reads: it would be overwritten");
    }
    for (size_t j = 0; j < i; ++j) {
      if (!sameFile(written[i].path, written[j].path)) continue;
      diagnostics.error({}, written[i].name + " is the same file as " + written[j].name);
    }
  }
  diagnostics.throwIfErrors();
}

CLI::Validator finiteNumber() {
  return {[](std::string& text) {
            double x = 0;
            const bool number = CLI::detail::lexical_cast(text, x) && std::isfinite(x);
            return number ? std::string() : "'" + text + "' is not a finite number";
          },
          ""};
}

CLI::Validator positiveNumber() {
  return {[](std::string& text) {
            double x = 0;
            const bool number = CLI::detail::lexical_cast(text, x) && std::isfinite(x) && x > 0;
            return number ? std::string() : "'" + text + "' is not a positive number";
          },
          ""};
}

}  // namespace cardan
