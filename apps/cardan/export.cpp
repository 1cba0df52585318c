// cardan export: a model file as a Modelica model, a model as an FMU.
#include <memory>
#include <optional>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/fmu_package.h"
#include "apps/cardan/model_options.h"
#include "apps/cosimulation/types.h"
#include "components/component.h"
#include "engine/model_file/model_source.h"
#include "engine/model_file/type_description.h"
#include "engine/model_parts.h"
#include "engine/modelica/modelica_writer.h"

namespace cardan {
namespace {

constexpr const char* kExportFooter =
    R"(Without -o, or to a .mo file, writes a Modelica model (specification 3.6, Modelica Standard Library 4.0)
of the same components, connections, parameters, variables and equations; submodels become classes inside
it, arrays and loops stay what they are; what 'set' says stands in the declarations. Names with dots get
underscores. What Modelica has no class or word for is an error at its place, and nothing is written then;
'outputs' and the method of integration are not part of a Modelica model.

To a .fmu file, writes an FMU by FMI 2.0 or 3.0, for Linux: for co-simulation and, where
the model has an explicit form, for model exchange. The model's inputs are its
inputs, the model's 'outputs' its outputs; numbers of the model and its components that the file gives are
parameters, states have start values. Whoever runs it needs nothing of Cardan.

Examples:
  cardan export double_pendulum.yaml
  cardan export robot.yaml -o Robot.mo
  cardan export robot.yaml -o Robot.fmu
  cardan export robot.yaml -o Robot.fmu --fmi 2 --set L=0.7 --parameter 'arm.motor.*' --local 'arm.**'

Exit codes: 0 written, 1 the file could not be written, 2 the model is wrong, or has what Modelica has not.)";

/// "frame", "pin", "output of 3": what a type has under this name.
std::string kindOfConnector(const std::string& type, const std::string& name) {
  for (const CatalogueEntry& e : allTypes()) {
    if (e.type != type) continue;
    const TypeDescription d = describeType(e);
    for (const TypeDescription::Connector& c : d.connectors) {
      if (c.name == name) return c.kind;
    }
    for (const TypeDescription::Variable& v : d.variables) {
      const size_t open = std::min(v.name.find('['), v.name.size());
      if (!v.output || v.name.substr(0, open) != name) continue;
      return open == v.name.size()
                 ? "output"
                 : "output of " + v.name.substr(open + 1, v.name.size() - open - 2);
    }
  }
  return "";
}

struct ExportCommand {
  ModelOptions model;
  std::optional<int> fmi;
  FmuRequest fmu;

  int run() const {
    if (fmu.output.ends_with(".fmu")) {
      FmuRequest request = fmu;
      request.version = fmi.value_or(3);
      writeFmu(model, request);
      return kDone;
    }
    if (fmi || fmu.noPage || !fmu.choice.parameters.empty() || !fmu.choice.locals.empty() ||
        !model.overrides.empty())
      refuse("--fmi, --parameter, --local, --no-page and --set are for FMUs (-o x.fmu)");
    return writeModelica(model.path, fmu.output);
  }

  static int writeModelica(const std::string& path, const std::string& output) {
    if (isImported(path)) refuse("'" + path + "' is no model file: import it first");
    const Simulation loaded = loadFile(allTypes(), path);
    refuseOutside(loaded, "Modelica text cannot hold it");
    const ModelParts parts(loaded);
    ModelFacts facts;
    facts.model = &loaded.source();
    facts.connectorKind = kindOfConnector;
    for (int i = 0; i < parts.size(); ++i) {
      int whole = i;
      while (parts[whole].parent >= 0) whole = parts[whole].parent;
      if (parts[i].component.surface()) facts.shapes.push_back(parts[whole].name);
    }
    facts.sizesOf = [&](const std::string& name) { return parts.dimensions(name); };
    Diagnostics diagnostics;
    const auto root = readYaml(path, diagnostics);
    const auto text = root ? modelicaText(allTypes(), *root, path, facts, diagnostics)
                           : std::optional<std::string>();
    diagnostics.throwIfErrors();
    protectFiles({{output, "--output-file"}}, sourcesOf(loaded.source()));
    writeOutput(output, *text);
    return kDone;
  }
};

}  // namespace

CommandRun addExport(CLI::App& app) {
  auto command = std::make_shared<ExportCommand>();
  app.footer(kExportFooter);
  command->model.add(app);
  addOption(app, "-o,--output-file", command->fmu.output, "FILE",
            "file to write: .fmu, else Modelica; default: Modelica to standard output");
  addOption(app, "--fmi", command->fmi, "N", "of an FMU: version of FMI, 2 or 3 (default)",
            CLI::IsMember({2, 3}));
  addPatterns(
      app, "--parameter", command->fmu.choice.parameters,
      "of an FMU: names or patterns of numbers of components that\ncan be set, besides those "
      "that the file gives (repeatable)");
  addPatterns(
      app, "--local", command->fmu.choice.locals,
      "of an FMU: names or patterns of results that can be seen,\nbesides outputs and states "
      "(repeatable)");
  app.add_flag("--no-page", command->fmu.noPage,
               "of an FMU: its documentation does not show the default run, which\nis not made "
               "then, and it has no icon");
  app.add_flag("-q,--quiet", command->fmu.quiet, "print errors only");
  return [command] { return command->run(); };
}

}  // namespace cardan
