// cardan export: a model file as a Modelica model.
#include <memory>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "components/catalogue.h"
#include "components/component.h"
#include "engine/model_file/model_source.h"
#include "engine/model_file/modelica_writer.h"
#include "engine/model_file/type_description.h"
#include "engine/model_parts.h"
#include "engine/results/output_file.h"

namespace cardan {
namespace {

constexpr const char* kExportFooter =
    R"(Writes a Modelica model (specification 3.6, Modelica Standard Library 4.0) of the same components,
connections, parameters, variables and equations; submodels become classes inside it, arrays and loops stay
what they are. Names with dots get underscores. What Modelica has no class or word for is an error at
its place, and nothing is written then; 'outputs' and the method of integration are not part of a Modelica
model.

Examples:
  cardan export double_pendulum.yaml
  cardan export robot.yaml -o Robot.mo

Exit codes: 0 written, 1 the file could not be written, 2 the model is wrong, or has what Modelica has not.)";

/// "frame", "pin", "output of 3": what a type has under this name.
std::string kindOfConnector(const std::string& type, const std::string& name) {
  for (const CatalogueEntry& e : catalogue()) {
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
  std::string path;
  std::string output;

  int run() const {
    Diagnostics diagnostics;
    if (isImported(path)) {
      diagnostics.error({}, "'" + path + "' is no model file: import it first");
      diagnostics.throwIfErrors();
    }
    const Simulation loaded(catalogue(), path);
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
    const auto root = readYaml(path, diagnostics);
    const auto text = root ? modelicaText(catalogue(), *root, path, facts, diagnostics)
                           : std::optional<std::string>();
    diagnostics.throwIfErrors();
    if (output.empty() || output == "-") {
      printOutput(*text);
      return kDone;
    }
    protectFiles({{output, "--output-file '" + output + "'"}}, sourcesOf(loaded.source()));
    writeTextFile(output, *text);
    return kDone;
  }
};

}  // namespace

CommandRun addExport(CLI::App& app) {
  auto command = std::make_shared<ExportCommand>();
  app.footer(kExportFooter);
  app.add_option("MODEL", command->path, "model file (YAML)")->required()->type_name("");
  app.add_option("-o,--output-file", command->output,
                 "Modelica file to write; default: standard output")
      ->type_name("FILE");
  return [command] { return command->run(); };
}

}  // namespace cardan
