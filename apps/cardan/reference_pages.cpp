#include "apps/cardan/reference_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "apps/cardan/class_comments.h"
#include "apps/cardan/console.h"
#include "apps/cardan/example_model.h"
#include "apps/cardan/example_picture.h"
#include "apps/cardan/text_table.h"
#include "apps/cosimulation/types.h"
#include "engine/model_file/type_description.h"
#include "engine/results/output_file.h"
#include "engine/text/joined.h"
#include "engine/text/yaml_document.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;

/// A model that ships, and the types that it uses.
struct ShippedModel {
  std::string name;  ///< of its page, without ".md"
  std::string text;
  std::set<std::string> types;
};

/// Types of `components`, here and in submodels.
void collectTypes(const YamlNode& map, std::set<std::string>& types) {
  if (const YamlNode* components = map.find("components")) {
    for (const YamlNode::Entry& c : components->entries) {
      if (const YamlNode* type = c.value.find("type")) types.insert(type->text);
    }
  }
  if (const YamlNode* submodels = map.find("submodels")) {
    for (const YamlNode::Entry& s : submodels->entries) collectTypes(s.value, types);
  }
}

std::vector<ShippedModel> readModels(const std::string& folder) {
  std::vector<ShippedModel> models;
  if (folder.empty()) return models;
  if (!fs::is_directory(folder)) refuse("--models: there is no folder '" + folder + "'");
  std::vector<fs::path> paths;
  for (const auto& e : fs::recursive_directory_iterator(folder)) {
    if (e.is_regular_file() && e.path().extension() == ".yaml") paths.push_back(e.path());
  }
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    Diagnostics ignored;
    const auto root = readYaml(path.string(), ignored);
    if (!root || !root->isMap()) continue;
    ShippedModel m;
    m.name = fs::relative(path, folder).replace_extension().generic_string();
    std::ranges::replace(m.name, '/', '-');
    std::ifstream file(path, std::ios::binary);
    m.text = {std::istreambuf_iterator<char>(file), {}};
    collectTypes(*root, m.types);
    models.push_back(std::move(m));
  }
  return models;
}

void writeReferenceFile(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) throw cannotWrite(path.string(), error.value());
  writeTextFile(path.string(), text);
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

std::string unitCell(const std::string& unit) { return unit == "1" ? "" : cell(unit); }

/// Rows of cells below a heading, the first of them the names of the columns; nothing where it is alone.
std::string pageTable(const std::string& heading,
                      const std::vector<std::vector<std::string>>& rows) {
  if (rows.size() < 2) return "";
  std::string text = "\n## " + heading + "\n\n";
  for (const auto& row : rows) {
    text += fmt::format("| {} |\n", fmt::join(row, " | "));
    if (&row == rows.data())
      text += "|" + joined(row, "", [](const auto&) { return "---|"; }) + "\n";
  }
  return text;
}

std::string tablesOf(const TypeDescription& t) {
  std::vector<std::vector<std::string>> connectors{{"Connector", "Kind", "Only with"}},
      parameters{{"Parameter", "Unit", "Default", "", "Range, choices"}},
      outputs{{"Output", "Unit", ""}}, variables{{"Variable", "Unit", ""}};
  for (const TypeDescription::Connector& c : t.connectors)
    connectors.push_back({code(c.name), c.kind, code(c.condition)});
  for (const DocumentedParameter& p : t.parameters) {
    std::vector<std::string> choices;
    for (const std::string& choice : p.choices) choices.push_back(code(choice));
    const std::string range =
        p.range.empty() ? fmt::format("{}", fmt::join(choices, ", ")) : cell(p.range);
    parameters.push_back({code(p.name), unitCell(p.unit),
                          p.defaultValue.empty() ? "required" : code(p.defaultValue),
                          cell(p.description), range});
  }
  for (const TypeDescription::Variable& v : t.variables)
    (v.output ? outputs : variables)
        .push_back({code(v.name), unitCell(v.unit), cell(v.description)});
  std::string text = pageTable("Connectors", connectors) + pageTable("Parameters", parameters) +
                     pageTable("Outputs", outputs) + pageTable("Variables", variables);
  const bool hasFrames =
      std::ranges::any_of(t.connectors, [](const auto& c) { return c.kind == "frame"; });
  if (hasFrames) {
    text +=
        "\nEvery frame has `r_0[3]` (m), `R.T[3,3]`, `R.w[3]` (rad/s), `f[3]` (N) and `t[3]` "
        "(N.m).\n";
  }
  if (!t.variables.empty()) {
    text += "\nOutputs and variables are those that there are with default parameters.\n";
  }
  return text;
}

/// What the class says of itself: its equations, and where they come from.
std::string equationsOf(const CatalogueEntry& e, const ClassComments& comments) {
  const ClassComment c = comments.of(e.type);
  std::string text;
  if (!c.text.empty()) text += "\n" + c.text + (c.text.ends_with('.') ? "\n" : ".\n");
  if (!c.lines.empty()) {
    text += "\n## Equations\n\n```text\n";
    for (const std::string& line : c.lines) text += line + "\n";
    text += "```\n";
  }
  if (c.generic && e.type.starts_with("Translational.") && !c.lines.empty()) {
    text +=
        "\nThe same class serves shafts, in whose words this is written: read s for phi, v for w, "
        "f "
        "for tau, m for J.\n";
  }
  return text;
}

/// The example and its picture, a file beside the page.
std::string exampleOf(const CatalogueEntry& e, const TypeDescription& t, const fs::path& folder) {
  const std::string example = exampleModel(e, t);
  if (example.empty()) return "";
  std::string text = "\n## Example\n\n```yaml\n" + example + "```\n";
  const ExamplePicture picture = drawExample(example, e.type == "World" ? "world" : "x", t);
  if (picture.ending.empty()) return text;
  const std::string file = e.type + picture.ending;
  writeReferenceFile(folder / file, picture.content);
  return text + fmt::format("\n![{}]({})\n", e.type, file);
}

std::string pageOf(const CatalogueEntry& e, const std::vector<ShippedModel>& models,
                   const ClassComments& comments, const fs::path& folder) {
  const TypeDescription t = describeType(e);
  std::string text =
      fmt::format("# {}\n\n{}{}.\n", e.type,
                  static_cast<char>(std::toupper(static_cast<unsigned char>(e.description[0]))),
                  cell(e.description.substr(1)));
  text += equationsOf(e, comments);
  text += exampleOf(e, t, folder);
  text += tablesOf(t);
  std::string users;
  int count = 0;
  for (const ShippedModel& m : models) {
    if (!m.types.contains(e.type)) continue;
    if (++count <= 8) users += fmt::format("- [{}](../models/{}.md)\n", m.name, m.name);
  }
  if (!users.empty()) text += "\n## Models that use it\n\n" + users;
  return text + "\n[All types](../index.md)\n";
}

}  // namespace

size_t writeReferencePages(const std::string& folder, const std::string& models) {
  const std::vector<ShippedModel> shipped = readModels(models);
  const ClassComments comments;
  const fs::path docs = fs::path(folder) / "docs";
  std::vector<std::string> packages;
  std::map<std::string, std::string> rows, navigation;
  for (const CatalogueEntry& e : allTypes()) {
    if (!rows.contains(e.package)) packages.push_back(e.package);
    rows[e.package] +=
        fmt::format("| [{}]({}/{}.md) | {} |\n", e.type, e.package, e.type, cell(e.description));
    navigation[e.package] += fmt::format("    - {}: {}/{}.md\n", e.type, e.package, e.type);
    writeReferenceFile(docs / e.package / (e.type + ".md"),
                       pageOf(e, shipped, comments, docs / e.package));
  }
  std::string index = "# Components of Cardan\n";
  std::string site =
      "site_name: Cardan components\ndocs_dir: docs\nnav:\n  - All types: index.md\n";
  for (const std::string& package : packages) {
    index += fmt::format("\n## {}\n\n| Type | |\n|---|---|\n{}", package, rows[package]);
    site += fmt::format("  - {}:\n{}", package, navigation[package]);
  }
  if (!shipped.empty()) {
    index += "\n## models\n\n";
    site += "  - models:\n";
    for (const ShippedModel& m : shipped) {
      index += fmt::format("- [{}](models/{}.md)\n", m.name, m.name);
      site += fmt::format("    - {}: models/{}.md\n", m.name, m.name);
      writeReferenceFile(docs / "models" / (m.name + ".md"),
                         fmt::format("# {}\n\n```yaml\n{}{}```\n", m.name, m.text,
                                     m.text.ends_with('\n') ? "" : "\n"));
    }
  }
  writeReferenceFile(docs / "index.md", index);
  writeReferenceFile(fs::path(folder) / "mkdocs.yml", site);
  return allTypes().size();
}

}  // namespace cardan
