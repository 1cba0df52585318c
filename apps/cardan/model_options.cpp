#include "apps/cardan/model_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>

#include "apps/cardan/console.h"
#include "components/catalogue.h"
#include "engine/model_file/model_source.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  // Files that are not there yet.
  const auto whole = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  return whole(a) == whole(b);
}

/// "1e4,10": stiffness and damping.
robots::Stops stopsOf(const std::string& text) {
  robots::Stops stops;
  const size_t comma = std::min(text.find(','), text.size());
  std::string c = text.substr(0, comma), d = text.substr(std::min(comma + 1, text.size()));
  const bool right = CLI::detail::lexical_cast(c, stops.stiffness) &&
                     std::isfinite(stops.stiffness) && stops.stiffness > 0 &&
                     (comma == text.size() || (CLI::detail::lexical_cast(d, stops.damping) &&
                                               std::isfinite(stops.damping) && stops.damping >= 0));
  if (!right)
    throw CLI::ValidationError("--limits",
                               "must be a stiffness > 0, and maybe a damping >= 0 "
                               "behind a comma, as 1e4,10, found '" +
                                   text + "'");
  return stops;
}

/// "0.1"; "" is 0.
double heightOf(std::string text) {
  double height = 0;
  if (!text.empty() && !(CLI::detail::lexical_cast(text, height) && std::isfinite(height)))
    throw CLI::ValidationError("--ground", "must be a height [m], found '" + text + "'");
  return height;
}

/// Throws where the tree is of a file for a command that makes many runs.
void refuseStudy(const YamlNode& root, const std::string& path) {
  static constexpr std::pair<const char*, const char*> kCommands[] = {
      {"fit", "fit"}, {"optimize", "optimize"}, {"study", "sweep"}, {"model_file", "sweep"}};
  for (const auto& [section, command] : kCommands) {
    if (root.isMap() && root.find(section) != nullptr)
      refuse(fmt::format("this is a study and no model: 'cardan {} {}' runs it", command, path),
             {path});
  }
}

/// Of the first stage.
std::unique_ptr<Component> makeLater() {
  requireWhole("a component of type FMU");
  return nullptr;
}

}  // namespace

const Catalogue& knownTypes() {
  if (laterTypes) return laterTypes();
  static const Catalogue first = joined(catalogue(), Catalogue{entryOf("FMU", "", makeLater)});
  return first;
}

Simulation loadFile(const Catalogue& types, const std::string& path, const Overrides& overrides) {
  try {
    return {types, path, overrides};
  } catch (const ModelError&) {
    Diagnostics ignored;
    if (const auto root = readYaml(path, ignored)) refuseStudy(*root, path);
    throw;
  }
}

std::string readStandardInput() {
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= kMaxYamlBytes) {
    const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      refuse(std::string("cannot read the model: ") + std::strerror(errno), {kStandardInput});
    if (n <= 0) break;
    text.append(buffer, n);
  }
  return text;
}

void ModelOptions::add(CLI::App& command) {
  addOption(command, "MODEL", path, "",
            "model file (YAML), Modelica file (.mo) or robot (.urdf,\n.xml); - is standard "
            "input (YAML)")
      ->required();
  addRepeatable(command, "--set", overrides, "NAME=VALUE",
                "value of a parameter of the model or of a component, as in\n"
                "--set L=0.7 --set boxBody1.width=0.1 (repeatable)");
  addFormats(command);
}

CLI::Option* ModelOptions::addStudy(CLI::App& command, const std::string& text) {
  CLI::Option* const study = addOption(command, "STUDY|MODEL", path, "", text);
  addRepeatable(command, "--set", overrides, "NAME=VALUE",
                "value of a parameter in all runs (repeatable)");
  return study;
}

void ModelOptions::addFormats(CLI::App& command) {
  addOption(command, "--class", modelica.className, "NAME", "of a Modelica file: the class to run");
  addModelicaOptions(command, modelica);
  addRobotOptions(command, robot);
}

void addModelicaOptions(CLI::App& command, modelica::ImportOptions& options) {
  addRepeatable(command, "--library", options.libraries, "DIR",
                "of a Modelica file: folder with packages that it\nuses (repeatable); also those "
                "of MODELICAPATH");
}

void addRobotOptions(CLI::App& command, robots::ImportOptions& options) {
  command.add_flag("--floating", options.floating, "of a robot in URDF: its root moves freely");
  command
      .add_option_function<std::string>(
          "--package",
          [&options](const std::string& text) {
            const size_t equals = text.find('=');
            if (equals == 0 || equals == std::string::npos)
              throw CLI::ValidationError("--package", "must be NAME=DIR, found '" + text + "'");
            options.packages[text.substr(0, equals)] = text.substr(equals + 1);
          },
          "of a robot: folder of the files that it calls\npackage://NAME/... (repeatable)")
      ->type_name("NAME=DIR")
      ->trigger_on_parse()
      ->allow_extra_args(false);
  command.add_flag("--merge-fixed", options.mergeFixed,
                   "of a robot in URDF: links that fixed joints hold together are\none body");
  command.add_flag("--friction", options.friction,
                   "of a robot: friction of its joints becomes Coulomb friction");
  command
      .add_option_function<std::string>(
          "--limits", [&options](const std::string& text) { options.limits = stopsOf(text); },
          "of a robot: joints get stops at their limits, springs with\nthis stiffness [N.m/rad, "
          "N/m] "
          "and damping; default: none\nin URDF, in MJCF as its solver has them")
      ->type_name("C[,D]");
  command.add_flag("--no-limits", options.noLimits, "of a robot in MJCF: joints have no stops");
  command.add_flag("--contacts", options.contacts,
                   "of a robot: its collision geometry touches what is there\n(default)");
  command.add_flag("--no-contacts", options.noContacts,
                   "of a robot: its collision geometry is left out");
  command
      .add_option_function<std::string>(
          "--ground", [&options](const std::string& text) { options.ground = heightOf(text); },
          "of a robot: a plane to stand on at this height [m];\ndefault: 0")
      ->type_name("[HEIGHT]")
      ->expected(0, 1);
  command.add_flag("--self-collisions", options.selfCollisions,
                   "of a robot in URDF: its links touch each other");
  command.add_flag("--allow-unknown", options.allowUnknown,
                   "of a robot: what its language has no name for is left out\nwith a warning");
  command.add_flag("--strict-inertia", options.strictInertia,
                   "of a robot: an inertia that no body has is an error");
}

void checkImportOptions(const std::string& path, const modelica::ImportOptions& modelica,
                        const robots::ImportOptions& robot) {
  Diagnostics diagnostics;
  if (!modelica::isModelicaFile(path) &&
      !(modelica.className.empty() && modelica.libraries.empty()))
    diagnostics.error(
        {}, "--class and --library are for Modelica files (.mo), and '" + path + "' is none");
  robots::ImportOptions none;
  none.modelFolder = robot.modelFolder;
  if (!isRobotFile(path) && robot != none)
    diagnostics.error({},
                      "--floating, --package, --merge-fixed, --friction, --limits, --no-limits, "
                      "--contacts, --no-contacts, --ground, --self-collisions, --allow-unknown "
                      "and --strict-inertia are for robots (.urdf, .xml), and '" +
                          path + "' is none");
  if (isMjcfFile(path) && (robot.floating || robot.mergeFixed))
    diagnostics.error({}, "--floating and --merge-fixed are for robots in URDF, and '" + path +
                              "' is none: MJCF says itself what is free");
  if (!isMjcfFile(path) && robot.noLimits)
    diagnostics.error({}, "--no-limits is for robots in MJCF, and '" + path +
                              "' is none: without --limits there are no stops");
  if (robot.noLimits && robot.limits)
    diagnostics.error({}, "--limits and --no-limits must not both be given");
  if (isMjcfFile(path) && robot.selfCollisions)
    diagnostics.error({}, "--self-collisions is for robots in URDF, and '" + path +
                              "' is none: MJCF says itself what touches");
  if (robot.contacts && robot.noContacts)
    diagnostics.error({}, "--contacts and --no-contacts must not both be given");
  if (robot.noContacts && (robot.ground || robot.selfCollisions))
    diagnostics.error({}, "--ground and --self-collisions need contacts: leave --no-contacts out");
  diagnostics.throwIfErrors();
}

std::optional<YamlNode> ModelOptions::tree() const {
  if (isImported(path) || path == "-") return std::nullopt;
  Diagnostics diagnostics;
  auto root = readYaml(path, diagnostics);
  diagnostics.throwIfErrors();
  return root;
}

Simulation& ModelOptions::load(bool quiet) const {
  Diagnostics warnings;
  try {
    Simulation& simulation = load(warnings);
    if (!quiet) printMessages(warnings.format());
    return simulation;
  } catch (const ModelError&) {
    if (!quiet) printMessages(warnings.format());
    throw;
  }
}

Simulation& ModelOptions::load(Diagnostics& warnings) const {
  static std::unique_ptr<Simulation> simulation;
  simulation.reset();
  simulation = std::make_unique<Simulation>(loadAny(overrides, warnings));
  warnings.add(simulation->warnings());
  return *simulation;
}

bool isImported(const std::string& path) {
  return modelica::isModelicaFile(path) || isRobotFile(path);
}

std::optional<ImportedModel> ModelOptions::import(const std::string& file,
                                                  Diagnostics& warnings) const {
  checkImportOptions(file, modelica, robot);
  if (!isImported(file)) return std::nullopt;
  requireWhole("'" + file + "'");
  return importedModel(knownTypes(), formats(modelica, robot), file, warnings);
}

const std::string& ModelOptions::standardInput() const {
  if (!standardInput_) standardInput_ = readStandardInput();
  return *standardInput_;
}

Simulation ModelOptions::loadAny(const Overrides& all, Diagnostics& importWarnings) const {
  const std::optional<ImportedModel> model = import(path, importWarnings);
  if (model) model->checkOverrides(all);
  if (model) return Simulation::fromTree(knownTypes(), model->tree(), model->files, all);
  if (path == "-") return Simulation::fromText(knownTypes(), standardInput(), kStandardInput, all);
  return loadFile(knownTypes(), path, all);
}

ModelTree::ModelTree(const std::string& path, const ModelOptions& options, Diagnostics& warnings) {
  imported_ = options.import(path, warnings);
  if (imported_) {
    root = imported_->tree();
    files = imported_->files;
    return;
  }
  Diagnostics diagnostics;
  const bool isTyped = path == "-";
  if (isTyped) typed = options.standardInput();
  files = {isTyped ? kStandardInput : path};
  auto tree = isTyped ? parseYaml(typed, kStandardInput, diagnostics) : readYaml(path, diagnostics);
  diagnostics.throwIfErrors();
  root = std::move(*tree);
  refuseStudy(root, path);
}

Simulation ModelTree::load(const Overrides& overrides) const {
  if (imported_) imported_->checkOverrides(overrides);
  if (!document_) document_.emplace(root, files.front());
  return Simulation::fromDocument(knownTypes(), *document_, files, overrides);
}

std::vector<std::string> sourcesOf(const ModelSource& model) {
  std::vector<std::string> files = model.included;
  files.push_back(model.file == kStandardInput ? "/dev/stdin" : model.file);
  return files;
}

void protectFiles(const std::vector<WrittenFile>& written, const std::vector<std::string>& read) {
  Diagnostics diagnostics;
  const auto name = [](const WrittenFile& w) { return w.what + " '" + w.path + "'" + w.behind; };
  const auto same = [](const std::string& a, const std::string& b) {
    const auto isFile = [](const std::string& path) { return !path.empty() && path != "-"; };
    return isFile(a) && isFile(b) && sameFile(a, b);
  };
  for (size_t i = 0; i < written.size(); ++i) {
    for (const std::string& source : read) {
      if (!same(written[i].path, source)) continue;
      diagnostics.error({}, name(written[i]) + " is '" + source +
                                "', which this command reads: it would be overwritten");
    }
    for (size_t j = 0; j < i; ++j) {
      if (!same(written[i].path, written[j].path)) continue;
      diagnostics.error({}, name(written[i]) + " is the same file as " + name(written[j]));
    }
  }
  diagnostics.throwIfErrors();
}

void addIntegrator(CLI::App& command, std::optional<IntegratorChoice>& choice) {
  addChoice(command, "--integrator", choice,
            "method: ida (implicit, of variable order), explicit (order 8), automatic\n"
            "(explicit as long as that is right), stepping (order 1, steps of --step); default:\n"
            "as the model says, else ida");
}

CLI::Option* addPatterns(CLI::App& command, const std::string& names,
                         std::vector<std::string>& patterns, const std::string& text) {
  return addRepeatable(command, names, patterns, "GLOB", text)
      ->delimiter(';')
      ->transform(CLI::Validator([](std::string& one) { return one = trimmed(one), ""; }, ""));
}

namespace {

CLI::Validator numberThatIs(const std::string& what, const std::function<bool(double)>& isGood) {
  return {[what, isGood](std::string& text) {
            double x = 0;
            const bool number = CLI::detail::lexical_cast(text, x) && isGood(x);
            return number ? std::string() : "'" + text + "' is not a " + what;
          },
          ""};
}

}  // namespace

CLI::Validator namedFile() {
  return {[](std::string& path) {
            return std::string(path.empty() ? "a file must have a name, found ''" : "");
          },
          ""};
}

CLI::Validator finiteNumber() {
  return numberThatIs("finite number", [](double x) { return std::isfinite(x); });
}

CLI::Validator positiveNumber() {
  return numberThatIs("positive number", [](double x) { return std::isfinite(x) && x > 0; });
}

CLI::Validator numberWithin(double low, double high) {
  return numberThatIs(fmt::format("number from {:.16g} to {:.16g}", low, high),
                      [=](double x) { return x >= low && x <= high; });
}

CLI::Validator wholeNumberWithin(double low, double high) {
  return numberThatIs(fmt::format("whole number from {:.16g} to {:.16g}", low, high),
                      [=](double x) { return x >= low && x <= high && x == std::floor(x); });
}

}  // namespace cardan
