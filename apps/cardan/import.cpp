// cardan import: a Modelica model or a robot as a model file.
#include <filesystem>
#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cosimulation/types.h"
#include "engine/integration/solver_error.h"
#include "engine/results/output_file.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;

constexpr const char* kImportFooter =
    R"(Writes the model as a model file, which can be read, changed and run without the files that it
came from. What Cardan cannot do is an error at its place, and nothing is written then.

Modelica (.mo): classes of the Modelica Standard Library (3.2.3, 4.0, 4.1) that `cardan components`
lists become components; all others are instantiated from the file, the package around it, and the
libraries.

Robots (.urdf; .xml of MuJoCo): links become bodies, joints keep their names, actuators are inputs; a
report says on stderr what has become part of the model and what has not, and why; with --json a program
can read it.

Examples:
  cardan import DoublePendulum.mo
  cardan import Robots.mo Robots.Arm -o arm.yaml
  cardan import Robot.mo --library ~/modelica --library /usr/share/modelica
  cardan import robot.urdf -o robot.yaml --floating --json robot.json
  cardan import robot.xml -o robot.yaml --friction
  cardan import robot.urdf -o robot.yaml --floating --ground -0.4
  cardan import robot.urdf -o robot.yaml --package robot_description=~/ros/robot_description

Exit codes: 0 written, 1 the file could not be written, 2 the model is wrong or not supported.)";

struct ImportCommand {
  std::string path;
  std::string output;
  std::string reportFile;
  modelica::ImportOptions modelica;
  robots::ImportOptions robot;

  int run() const {
    checkImportOptions(path, modelica, robot);
    Diagnostics warnings;
    if (!isRobotFile(path)) {
      if (!reportFile.empty())
        refuse("--json is for robots (.urdf, .xml), and '" + path + "' is none");
      ModelFormat format = modelica::modelicaFormat(modelica);
      format.owns = [](std::string_view) { return true; };  // whatever its name
      return write(*importedModel(allTypes(), {format}, path, warnings), warnings, nullptr);
    }
    robots::ImportOptions options = robot;
    if (output != "-") options.modelFolder = fs::path(output).parent_path().string();
    const RobotImport result = robotOf(path, options, warnings);
    return write(result.model, warnings, &result.report);
  }

 private:
  /// A robot that has no start yet is written, too: what is wrong with it shows where it is to run.
  static void tellOverlaps(Simulation& loaded, const ImportedModel& model, Diagnostics& warnings) {
    try {
      const std::string overlaps = loaded.initialise().overlaps;
      if (!overlaps.empty()) warnings.warning({model.files.front(), 0, 0}, overlaps);
    } catch (const ModelError&) {
    } catch (const SolverError&) {
    }
  }

  int write(const ImportedModel& model, Diagnostics& warnings, const ImportReport* report) const {
    // What a model file cannot be made of is said at its place in the file it came from.
    Simulation loaded = Simulation::fromTree(allTypes(), model.tree(), model.files);
    warnings.add(loaded.warnings());
    if (report) tellOverlaps(loaded, model, warnings);
    const std::string text = model.text();
    if (!warnings.all().empty()) printMessages(warnings.format());
    protectFiles({{output, "--output-file"}, {reportFile, "--json"}}, model.files);
    if (report) printMessages(report->text());
    if (!reportFile.empty()) writeTextFile(reportFile, report->json());
    writeOutput(output, text);
    return kDone;
  }
};

}  // namespace

CommandRun addImport(CLI::App& app) {
  auto command = std::make_shared<ImportCommand>();
  app.footer(kImportFooter);
  addOption(app, "FILE", command->path, "", "Modelica file (.mo) or robot (.urdf, .xml)")
      ->required();
  addOption(app, "CLASS", command->modelica.className, "",
            "of a Modelica file: the class to import; default: its model");
  addOption(app, "-o,--output-file", command->output, "FILE",
            "model file to write; default: standard output");
  addOption(app, "--json", command->reportFile, "FILE", "of a robot: file for the report, as JSON");
  addModelicaOptions(app, command->modelica);
  addRobotOptions(app, command->robot);
  return [command] { return command->run(); };
}

}  // namespace cardan
