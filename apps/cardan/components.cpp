// cardan components: what the catalogue holds.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "apps/cardan/command.h"
#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"
#include "apps/cardan/reference_pages.h"
#include "apps/cardan/text_table.h"
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

using Rows = std::vector<std::vector<std::string>>;
std::string formatRows(const Rows& rows) { return textTable(rows, "  ", 34); }

/// Those types, by packages in the order of the catalogue.
std::string formatTypes(const std::vector<const CatalogueEntry*>& types) {
  std::vector<std::pair<std::string, Rows>> packages;
  for (const CatalogueEntry* e : types) {
    auto known = std::find_if(packages.begin(), packages.end(),
                              [&](const auto& p) { return p.first == e->package; });
    if (known == packages.end()) known = packages.insert(known, {e->package, {}});
    known->second.push_back({e->type, e->description});
  }
  std::string text;
  for (const auto& [package, table] : packages) {
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", package, formatRows(table));
  }
  return text;
}

std::string formatType(const CatalogueEntry& entry, const TypeDescription& t) {
  std::string text = fmt::format("{} ({}): {}\n", entry.type, entry.package, entry.description);
  Rows connectors, parameters, outputs, variables;
  for (const TypeDescription::Connector& c : t.connectors) {
    connectors.push_back({c.name, c.kind, c.condition.empty() ? "" : "only with " + c.condition});
  }
  for (const DocumentedParameter& p : t.parameters) {
    std::string about = p.description;
    if (!p.range.empty()) about += " (" + p.range + ")";
    if (!p.choices.empty()) about += fmt::format(": {}", fmt::join(p.choices, ", "));
    const std::string unit = p.unit.empty() || p.unit == "1" ? "" : "[" + p.unit + "]";
    parameters.push_back(
        {p.name, unit, p.defaultValue.empty() ? "(required)" : p.defaultValue, about});
  }
  for (const TypeDescription::Variable& v : t.variables) {
    (v.output ? outputs : variables)
        .push_back({v.name, v.unit.empty() ? "" : "[" + v.unit + "]", v.description});
  }
  auto section = [&](const char* title, const Rows& table) {
    if (!table.empty()) text += fmt::format("\n{}\n{}", title, formatRows(table));
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
  addOption(app, "TYPE", o->type, "",
            "component type, as a model file names it, or a word that is looked for");
  app.add_flag("--json", o->json, "print JSON");
  addOption(app, "--markdown", o->pages, "DIR", "write a page a type into this folder");
  addOption(app, "--models", o->models, "DIR", "with --markdown: model files to show, too");
  app.footer(kComponentsFooter);
  return [o] { return components(*o); };
}

}  // namespace cardan
