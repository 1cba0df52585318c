// cardan components: what the catalogue holds.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/reference_pages.h"
#include "apps/cosimulation/types.h"
#include "components/catalogue_search.h"
#include "engine/model_file/type_description.h"
#include "engine/text/diagnostics.h"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kComponentsFooter =
    R"(Without TYPE: all types by package, a line each; with a word that is none: those whose name or
description has it. With TYPE: its parameters (unit, default, range, choices), connectors and
variables, spelled as a model file spells them. --markdown writes a page for every type, with its
equations, an example that runs and its picture: DIR/docs, and DIR/mkdocs.yml, from which 'mkdocs build'
makes a site. With --models the pages of types link to the models that use them.

Examples:
  cardan components
  cardan components Revolute
  cardan components gear
  cardan components BodyBox --json
  cardan components --markdown reference --models models)";

struct ComponentsOptions {
  std::string type;
  bool json = false;
  std::string pages, models;
};

/// Null where there is none.
const CatalogueEntry* findType(const std::string& type) {
  const auto e = std::ranges::find(allTypes(), type, &CatalogueEntry::type);
  return e == allTypes().end() ? nullptr : &*e;
}

/// Types that speak of a word, unless it is a name that is mistaken in a letter.
std::vector<const CatalogueEntry*> typesAbout(const std::string& word) {
  std::vector<std::string> known;
  for (const CatalogueEntry& e : allTypes()) known.push_back(e.type);
  const std::string closest = didYouMean(word, known);
  std::vector<const CatalogueEntry*> about = entriesAbout(allTypes(), word);
  if (!closest.empty() || about.empty()) {
    refuse("no component type '" + word + "'" +
           (closest.empty() ? ", and none that speaks of it; 'cardan components' lists all"
                            : closest));
  }
  return about;
}

/// Rows of columns, each as wide as its widest cell up to a limit; the last column is free.
class Table {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string format() const {
    constexpr size_t kWidest = 34;
    std::vector<size_t> width;
    for (const auto& row : rows_) {
      width.resize(std::max(width.size(), row.size()));
      for (size_t i = 0; i < row.size(); ++i) {
        width[i] = std::min(kWidest, std::max(width[i], row[i].size()));
      }
    }
    std::string text;
    for (const auto& row : rows_) {
      std::string line = " ";
      for (size_t i = 0; i < row.size(); ++i) {
        line += fmt::format(" {:<{}}", row[i], i + 1 < row.size() ? width[i] : 0);
        if (i + 1 < row.size()) line += ' ';
      }
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Those types, by packages in the order of the catalogue.
std::string formatTypes(const std::vector<const CatalogueEntry*>& types) {
  std::vector<std::pair<std::string, Table>> packages;
  for (const CatalogueEntry* e : types) {
    auto known = std::find_if(packages.begin(), packages.end(),
                              [&](const auto& p) { return p.first == e->package; });
    if (known == packages.end()) known = packages.insert(known, {e->package, {}});
    known->second.add({e->type, e->description});
  }
  std::string text;
  for (const auto& [package, table] : packages) {
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", package, table.format());
  }
  return text;
}

std::string formatType(const CatalogueEntry& entry, const TypeDescription& t) {
  std::string text = fmt::format("{} ({}): {}\n", entry.type, entry.package, entry.description);
  Table connectors, parameters, outputs, variables;
  for (const TypeDescription::Connector& c : t.connectors) {
    connectors.add({c.name, c.kind, c.condition.empty() ? "" : "only with " + c.condition});
  }
  for (const DocumentedParameter& p : t.parameters) {
    std::string about = p.description;
    if (!p.range.empty()) about += " (" + p.range + ")";
    if (!p.choices.empty()) about += fmt::format(": {}", fmt::join(p.choices, ", "));
    const std::string unit = p.unit.empty() || p.unit == "1" ? "" : "[" + p.unit + "]";
    parameters.add({p.name, unit, p.defaultValue.empty() ? "(required)" : p.defaultValue, about});
  }
  for (const TypeDescription::Variable& v : t.variables) {
    (v.output ? outputs : variables)
        .add({v.name, v.unit.empty() ? "" : "[" + v.unit + "]", v.description});
  }
  auto section = [&](const char* title, const Table& table) {
    const std::string rows = table.format();
    if (!rows.empty()) text += fmt::format("\n{}\n{}", title, rows);
  };
  section("connectors", connectors);
  section("parameters", parameters);
  section("outputs (with default parameters)", outputs);
  section("variables (with default parameters)", variables);
  const bool hasFrames = std::any_of(t.connectors.begin(), t.connectors.end(),
                                     [](const auto& c) { return c.kind == "frame"; });
  if (hasFrames) {
    text += "\nEvery frame has r_0[3] [m], R.T[3,3], R.w[3] [rad/s], f[3] [N] and t[3] [N.m].\n";
  }
  return text;
}

Json entryJson(const CatalogueEntry& e) {
  return {{"type", e.type}, {"package", e.package}, {"description", e.description}};
}

Json typeJson(const CatalogueEntry& entry, const TypeDescription& t) {
  Json j = entryJson(entry);
  j["connectors"] = j["parameters"] = j["variables"] = Json::array();
  for (const TypeDescription::Connector& c : t.connectors) {
    Json x{{"name", c.name}, {"kind", c.kind}};
    if (!c.condition.empty()) x["onlyWith"] = c.condition;
    j["connectors"].push_back(std::move(x));
  }
  for (const DocumentedParameter& p : t.parameters) {
    Json x{{"name", p.name},
           {"type", p.type},
           {"unit", p.unit},
           {"default", p.defaultValue},
           {"description", p.description}};
    if (!p.range.empty()) x["range"] = p.range;
    if (!p.choices.empty()) x["choices"] = p.choices;
    j["parameters"].push_back(std::move(x));
  }
  for (const TypeDescription::Variable& v : t.variables) {
    j["variables"].push_back(
        {{"name", v.name}, {"unit", v.unit}, {"description", v.description}, {"output", v.output}});
  }
  return j;
}

int components(const ComponentsOptions& o) {
  if (!o.pages.empty()) {
    if (!o.type.empty() || o.json) refuse("--markdown writes all types: no TYPE, no --json");
    const size_t count = writeReferencePages(o.pages, o.models);
    printMessages(fmt::format("{} types in {}/docs; 'mkdocs build' in {} makes a site of them",
                              count, o.pages, o.pages));
    return kDone;
  }
  if (!o.models.empty()) refuse("--models is for --markdown");
  if (const CatalogueEntry* entry = findType(o.type)) {
    const TypeDescription t = describeType(*entry);
    printOutput(o.json ? typeJson(*entry, t).dump(2) + "\n" : formatType(*entry, t));
    return kDone;
  }
  const auto about = typesAbout(o.type);
  if (o.json) {
    Json all = Json::array();
    for (const CatalogueEntry* e : about) all.push_back(entryJson(*e));
    printOutput(all.dump(2) + "\n");
  } else {
    printOutput(formatTypes(about));
  }
  return kDone;
}

}  // namespace

CommandRun addComponents(CLI::App& app) {
  auto o = std::make_shared<ComponentsOptions>();
  app.add_option("TYPE", o->type,
                 "component type, as a model file names it, or a word that is looked for")
      ->type_name("");
  app.add_flag("--json", o->json, "print JSON");
  app.add_option("--markdown", o->pages, "write a page a type into this folder")->type_name("DIR");
  app.add_option("--models", o->models, "with --markdown: model files to show, too")
      ->type_name("DIR");
  app.footer(kComponentsFooter);
  return [o] { return components(*o); };
}

}  // namespace cardan
