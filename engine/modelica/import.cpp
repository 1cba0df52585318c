#include "engine/modelica/import.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "engine/modelica/embedded_modelica.h"
#include "engine/modelica/flattening.h"
#include "engine/modelica/given_parameters.h"
#include "engine/modelica/instantiation.h"
#include "engine/modelica/lookup.h"
#include "engine/text/joined.h"

namespace cardan::modelica {
namespace {

bool isModelClass(const ClassDefinition& c) {
  return !c.isPartial &&
         (c.restriction == "model" || c.restriction == "block" || c.restriction == "class");
}

/// Models inside a package: those that say how they are run, or all.
void gatherModels(const ClassDefinition& c, bool examples,
                  std::vector<const ClassDefinition*>& found) {
  for (const Element& e : c.elements) {
    if (e.kind != ElementKind::classDefinition) continue;
    const ClassDefinition& inside = *e.definition;
    if (isModelClass(inside) && !(examples && inside.experiment.empty())) found.push_back(&inside);
    if (inside.restriction == "package") gatherModels(inside, examples, found);
  }
}

std::string namesOf(const std::vector<const ClassDefinition*>& classes) {
  return joined(classes, ", ", &ClassDefinition::fullName);
}

/// The class to import: the one that is asked for, else the one that the file is about.
const ClassDefinition* chooseClass(const std::vector<ClassDefinition*>& classes,
                                   const std::string& file, const std::string& name,
                                   Library& library, Diagnostics& diagnostics) {
  if (!name.empty()) {
    for (const ClassDefinition* c : classes) {
      if (c->name == name || c->fullName == name) return c;
    }
    for (const ClassDefinition* c : classes) {
      // A name inside the file's class or package.
      if (const ClassDefinition* inside = library.find(c->fullName + "." + name)) return inside;
    }
    if (const ClassDefinition* c = library.find(name)) return c;
    std::vector<std::string> known;
    for (const ClassDefinition* c : classes) {
      known.push_back(c->name);
      for (const auto& [inside, unused] : c->classes) known.push_back(inside);
    }
    diagnostics.error({file, 0, 0},
                      "no class '" + name + "' in this file" + didYouMean(name, known));
    return nullptr;
  }
  std::vector<const ClassDefinition*> models;
  for (const ClassDefinition* c : classes) {
    if (isModelClass(*c)) models.push_back(c);
    if (c->restriction == "package") gatherModels(*c, true, models);
  }
  if (models.empty() && classes.size() == 1 && classes[0]->restriction == "package")
    gatherModels(*classes[0], false, models);
  // Of several the last one that is run, else the last one.
  if (models.size() > 1 && classes.size() == 1) {
    diagnostics.error(classes[0]->mark(classes[0]->at),
                      "the file holds several models; name one of " + namesOf(models));
    return nullptr;
  }
  for (auto m = models.rbegin(); m != models.rend(); ++m) {
    if (!(*m)->experiment.empty()) return *m;
  }
  if (!models.empty()) return models.back();
  diagnostics.error({file, 0, 0}, "the file holds no model that could be imported");
  return nullptr;
}

template <class Read>
std::optional<ImportedModel> imported(const Catalogue& catalogue, const std::string& name,
                                      const ImportOptions& options, Diagnostics& diagnostics,
                                      Read read) {
  Diagnostics own;
  Library library(own);
  Library interfaces(own);
  interfaces.readText(embeddedModelica("library.mo"), "known classes");
  for (const std::string& folder : options.libraries) library.addFolder(folder);
  if (const char* path = options.readsModelicaPath ? std::getenv("MODELICAPATH") : nullptr) {
    const std::string all = path;
    for (size_t from = 0; from <= all.size();) {
      const size_t to = std::min(all.find(':', from), all.size());
      const std::string folder = all.substr(from, to - from);
      std::error_code error;
      if (!folder.empty() && std::filesystem::is_directory(folder, error))
        library.addFolder(folder);
      from = to + 1;
    }
  }
  const KnownClasses known(catalogue);
  Lookup lookup(library, interfaces, known);
  std::optional<ImportedModel> model;
  const std::vector<ClassDefinition*> classes = read(library);
  const ClassDefinition* chosen = nullptr;
  if (!library.hasFailed()) chosen = chooseClass(classes, name, options.className, library, own);
  if (chosen && !isModelClass(*chosen)) {
    own.error(chosen->mark(chosen->at), "'" + chosen->fullName + "' is a " +
                                            (chosen->isPartial ? "partial " : "") +
                                            chosen->restriction + ", and no model that could run");
  } else if (chosen) {
    Evaluation evaluation(lookup);
    std::set<std::string> told;
    evaluation.warnBy([&](const std::string& text, const SourceMark& at) {
      if (told.insert(Diagnostic{Severity::warning, at, text}.format()).second)
        own.warning(at, text);
    });
    const std::unique_ptr<Instance> instance =
        Instantiation(lookup, evaluation, own).instantiate(*chosen);
    giveParameters(*instance, evaluation);
    model = flattened(*instance, lookup, evaluation, own);
    model->files = library.files();
  }
  const bool isFine = own.errorCount() == 0;
  diagnostics.add(own);
  if (!isFine) return std::nullopt;
  return model;
}

}  // namespace

std::optional<ImportedModel> importModel(const Catalogue& catalogue, const std::string& path,
                                         const ImportOptions& options, Diagnostics& diagnostics) {
  return imported(catalogue, path, options, diagnostics,
                  [&](Library& library) { return library.readFile(path); });
}

std::optional<ImportedModel> importText(const Catalogue& catalogue, std::string_view text,
                                        const std::string& name, const ImportOptions& options,
                                        Diagnostics& diagnostics) {
  return imported(catalogue, name, options, diagnostics,
                  [&](Library& library) { return library.readText(text, name); });
}

ModelFormat modelicaFormat(const ImportOptions& options) {
  return {isModelicaFile,
          [options](const Catalogue& catalogue, const std::string& path, Diagnostics& diagnostics) {
            return importModel(catalogue, path, options, diagnostics);
          }};
}

}  // namespace cardan::modelica
