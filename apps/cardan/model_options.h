/// ModelOptions: the arguments of every command that reads a model.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/cardan/later.h"
#include "engine/model_file/model_file.h"
#include "engine/modelica/import.h"
#include "engine/robots/import.h"
#include "engine/simulation.h"

namespace cardan {

struct ModelOptions {
  std::string path;
  Overrides overrides;
  modelica::ImportOptions modelica;  ///< of a model in Modelica
  robots::ImportOptions robot;       ///< of a robot in URDF or MJCF

  void add(CLI::App& command);
  /// Of a command that makes many runs: the study or model, and --set; addFormats() goes behind its own.
  CLI::Option* addStudy(CLI::App& command, const std::string& text);
  /// --class, and those of Modelica files and robots.
  void addFormats(CLI::App& command);
  /// The tree of a YAML file; nothing of other files and of standard input. Throws ModelError.
  std::optional<YamlNode> tree() const;
  /// The task of the study, or one about the model, with --set on top. `isStudy`: whether a tree holds such
  /// a task. What is wrong goes to `diagnostics`.
  template <class Task>
  Task task(bool (*isStudy)(const YamlNode&), Diagnostics& diagnostics) const {
    Task t;
    const auto root = tree();
    if (root && isStudy(*root)) {
      t = Task::read(*root, path, diagnostics);
    } else {
      t.modelFile = path;
    }
    t.overrides.insert(t.overrides.end(), overrides.begin(), overrides.end());
    return t;
  }
  /// Reads the model, "-" from standard input; its warnings go to stderr unless `quiet`. It stays
  /// until the program ends, or the next one is read: at the end nobody needs a large one taken
  /// apart.
  Simulation& load(bool quiet) const;
  /// The same, but its warnings go to `warnings`.
  Simulation& load(Diagnostics& warnings) const;
  /// Read once.
  const std::string& standardInput() const;
  /// The model of a Modelica file or of a robot; nothing where `file` is of neither kind. Throws
  /// ModelError with all that is wrong, also where there are options for files of another kind.
  std::optional<ImportedModel> import(const std::string& file, Diagnostics& warnings) const;

 private:
  Simulation loadAny(const Overrides& all, Diagnostics& importWarnings) const;

  mutable std::optional<std::string> standardInput_;  ///< once it has been read
};

/// The model of a YAML file. Throws ModelError; of a study it names the command that runs it.
Simulation loadFile(const Catalogue& types, const std::string& path,
                    const Overrides& overrides = {});

/// A model that is read once and loaded with many overrides.
struct ModelTree {
  YamlNode root;
  std::vector<std::string> files;  ///< the model's own the first
  std::string typed;               ///< what standard input held; "": it was not read

  /// `path`: "-" is standard input; `options`: of files of other formats. Throws ModelError.
  ModelTree(const std::string& path, const ModelOptions& options, Diagnostics& warnings);
  Simulation load(const Overrides& overrides) const;

 private:
  std::optional<ImportedModel> imported_;
  mutable std::optional<ModelDocument> document_;  ///< of load()
};

/// True of names of Modelica files and of robots.
bool isImported(const std::string& path);

/// A model from standard input is called so in messages.
inline constexpr const char* kStandardInput = "stdin";
/// To one byte beyond what a model may have. Throws ModelError.
std::string readStandardInput();

/// --library, of every command that reads Modelica files.
void addModelicaOptions(CLI::App& command, modelica::ImportOptions& options);
/// --floating and others, of every command that reads robots.
void addRobotOptions(CLI::App& command, robots::ImportOptions& options);
/// Throws ModelError where options of Modelica files or robots are given for a file of another kind.
void checkImportOptions(const std::string& path, const modelica::ImportOptions& modelica,
                        const robots::ImportOptions& robot);
/// All types; in the first stage those of the catalogue.
const Catalogue& knownTypes();
CARDAN_LATER const Catalogue& laterTypes();
/// Files that are read as models.
CARDAN_LATER ModelFormats formats(const modelica::ImportOptions& modelica,
                                  const robots::ImportOptions& robot);
/// Throws ModelError with all that is wrong.
CARDAN_LATER RobotImport robotOf(const std::string& path, const robots::ImportOptions& options,
                                 Diagnostics& warnings);

/// A file that a command is about to write, and what it is called: "--output-file" 'x.csv'; "" and "-" are
/// none.
struct WrittenFile {
  std::string path;
  std::string what, behind = {};  ///< before and behind its path
};
/// Throws ModelError where one of `written` is one of the files that were `read` (also by another
/// name), or another one of `written`.
void protectFiles(const std::vector<WrittenFile>& written, const std::vector<std::string>& read);
/// The files a model came from, its includes among them.
std::vector<std::string> sourcesOf(const ModelSource& model);

/// Refuses files without a name.
CLI::Validator namedFile();

/// Adds an option with a value; `type`: what help calls it, "" of one without a name.
template <class T>
CLI::Option* addOption(CLI::App& command, const std::string& names, T& value,
                       const std::string& type, const std::string& text,
                       const std::optional<CLI::Validator>& check = {}) {
  CLI::Option* const option = command.add_option(names, value, text)->type_name(type);
  if (type == "FILE" || type == "DIR") option->check(namedFile());
  return check ? option->check(*check) : option;
}
/// One that can be given several times, each time with one value.
template <class T>
CLI::Option* addRepeatable(CLI::App& command, const std::string& names, std::vector<T>& values,
                           const std::string& type, const std::string& text) {
  return addOption(command, names, values, type, text)->allow_extra_args(false);
}
/// Adds an option that is one of the words of a choice.
template <class Choice>
void addChoice(CLI::App& command, const std::string& name, std::optional<Choice>& choice,
               const std::string& text) {
  command
      .add_option_function<std::string>(
          name, [&choice](const std::string& word) { choice = choiceOf<Choice>(word); }, text)
      ->type_name("NAME")
      ->check(CLI::IsMember(wordsOf<Choice>()));
}
/// Adds --integrator to a command.
void addIntegrator(CLI::App& command, std::optional<IntegratorChoice>& choice);

/// Adds an option for names and patterns of signals: repeatable, or separated by ;
CLI::Option* addPatterns(CLI::App& command, const std::string& names,
                         std::vector<std::string>& patterns, const std::string& text);

/// Refuses infinite and undefined numbers.
CLI::Validator finiteNumber();
/// Refuses these and all that are not greater than 0.
CLI::Validator positiveNumber();
/// Refuses all that are not within low..high, undefined ones, too.
CLI::Validator numberWithin(double low, double high);
/// Refuses these, and all that are not whole.
CLI::Validator wholeNumberWithin(double low, double high);

}  // namespace cardan
