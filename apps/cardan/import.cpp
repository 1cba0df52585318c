// cardan import: a Modelica model as a model file.
#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "components/catalogue.h"
#include "engine/results/output_file.h"

namespace cardan {
namespace {

constexpr const char* kImportFooter =
    R"(Writes the model as a model file, which can be read, changed and run without the Modelica files.
Classes of the Modelica Standard Library (3.2.3, 4.0, 4.1) that `cardan components` lists become
components; all others are instantiated from the file, the package around it, and the libraries.
What Cardan cannot do is an error at its place, and nothing is written then.

Examples:
  cardan import DoublePendulum.mo
  cardan import Robots.mo Robots.Arm -o arm.yaml
  cardan import Robot.mo --library ~/modelica --library /usr/share/modelica

Exit codes: 0 written, 1 the file could not be written, 2 the model is wrong or not supported.)";

struct ImportCommand {
  std::string path;
  std::string output;
  modelica::ImportOptions options;

  int run() const {
    Diagnostics warnings;
    const modelica::ImportedModel model = importModelica(path, options, warnings);
    // What a model file cannot be made of is said at its place in the Modelica file.
    const Simulation loaded = Simulation::fromTree(catalogue(), model.tree(), model.files);
    warnings.add(loaded.warnings());
    const std::string text = model.text();
    if (!warnings.all().empty()) printMessages(warnings.format());
    if (output.empty() || output == "-") {
      printOutput(text);
      return kDone;
    }
    protectFiles({{output, "--output-file '" + output + "'"}}, model.files);
    writeTextFile(output, text);
    return kDone;
  }
};

}  // namespace

Command addImport(CLI::App& program) {
  auto command = std::make_shared<ImportCommand>();
  CLI::App* app = program.add_subcommand("import", "write a Modelica model as a model file");
  app->footer(kImportFooter);
  app->add_option("FILE", command->path, "Modelica file (.mo)")->required()->type_name("");
  app->add_option("CLASS", command->options.className,
                  "the class to import; default: the model of the file")
      ->type_name("");
  app->add_option("-o,--output-file", command->output,
                  "model file to write; default: standard output")
      ->type_name("FILE");
  addModelicaOptions(*app, command->options);
  return {app, [command] { return command->run(); }};
}

}  // namespace cardan
