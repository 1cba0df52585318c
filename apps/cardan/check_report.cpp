#include "apps/cardan/check_report.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "apps/cardan/model_options.h"
#include "components/component.h"
#include "engine/model_file/model_source.h"
#include "engine/model_file/parameter_documentation.h"
#include "engine/model_parts.h"
#include "engine/text/message_order.h"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

/// Lines of the files that messages are about.
class SourceLines {
 public:
  /// `unsaved`: texts that stand for files, by name.
  explicit SourceLines(const std::map<std::string, std::string>& unsaved) {
    for (const auto& [name, text] : unsaved) {
      std::istringstream stream(text);
      take(stream, files_[name]);
    }
  }
  /// The column behind the word or the text in quotes that begins at a place; 0 where unknown.
  int endOf(const SourceMark& at) {
    const std::vector<std::string>& all = lines(at.file);
    if (at.line < 1 || at.column < 1 || at.line > std::ssize(all)) return 0;
    const std::string& line = all[at.line - 1];
    size_t first = 0;
    for (int column = 1; column < at.column && first < line.size(); ++column) next(line, first);
    if (first >= line.size()) return 0;
    size_t last = first;
    int column = at.column;
    const char c = line[first];
    const auto step = [&] {
      next(line, last);
      ++column;
    };
    if (c == '"' || c == '\'') {
      do {
        step();
      } while (last < line.size() && line[last] != c);
      if (last < line.size()) step();
      return column;
    }
    while (last < line.size() && isOfWord(line[last])) step();
    return std::max(column, at.column + 1);
  }

 private:
  static bool isOfWord(char c) {
    const auto code = static_cast<unsigned char>(c);
    return std::isalnum(code) || code >= 0x80 || c == '_' || c == '.' || c == '-' || c == '+';
  }
  /// On to the next character of UTF-8.
  static void next(const std::string& line, size_t& i) {
    do {
      ++i;
    } while (i < line.size() && (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U);
  }
  const std::vector<std::string>& lines(const std::string& path) {
    const auto [found, isNew] = files_.try_emplace(path);
    std::error_code ignored;
    if (!isNew || !std::filesystem::is_regular_file(path, ignored)) return found->second;
    std::ifstream file(path, std::ios::binary);
    take(file, found->second);
    return found->second;
  }
  static void take(std::istream& text, std::vector<std::string>& lines) {
    for (std::string line; std::getline(text, line);) {
      if (line.ends_with('\r')) line.pop_back();
      lines.push_back(std::move(line));
    }
  }

  std::map<std::string, std::vector<std::string>> files_;
};

Json placeJson(const SourceMark& at, SourceLines& sources) {
  Json j = Json::object();
  if (!at.file.empty()) j["file"] = at.file;
  if (at.line < 1) return j;
  j["line"] = at.line;
  j["column"] = at.column;
  if (const int end = sources.endOf(at); end > 0) {
    j["endLine"] = at.line;
    j["endColumn"] = end;
  }
  return j;
}

/// A message, and the proposal at its end: "unknown key 'mass'", "did you mean 'm'? known keys: m".
std::pair<std::string, std::string> splitHint(const std::string& text) {
  const size_t at = text.find("; did you mean '");
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 2)};
}

/// The tree of joints and rigid parts: each with the one before it and the bodies that it carries.
Json treeJson(const ModelStructure& s) {
  std::vector<std::string> owner;
  Json tree = Json::array();
  for (const ModelStructure::Branch& b : s.tree) {
    const std::string parent = b.parent < 0 ? "world" : owner[b.parent];
    owner.push_back(b.isPart ? b.name : parent);
    if (!b.isPart) continue;
    Json j{{"component", b.name}, {"type", b.type}, {"parent", parent}};
    j["freedoms"] = b.freedoms;
    if (b.isFloating) j["floating"] = true;
    j["bodies"] = b.bodies;
    tree.push_back(std::move(j));
  }
  return tree;
}

/// What a type of the catalogue says of its parameters.
const std::vector<DocumentedParameter>& documentedParameters(const std::string& type) {
  static std::map<std::string, std::vector<DocumentedParameter>> known;
  const auto [found, isNew] = known.try_emplace(type);
  const auto entry = std::ranges::find(knownTypes(), type, &CatalogueEntry::type);
  if (isNew && entry != knownTypes().end()) {
    WorldSettings world;
    ParameterDocumentation documentation(world);
    entry->make()->read(documentation);
    found->second = documentation.parameters();
  }
  return found->second;
}

Json startJson(const InitialReport& r) {
  Json start = Json::array();
  for (const InitialReport::Entry& e : r.entries) {
    Json j{{"name", e.name}, {"unit", e.unit}};
    j["kind"] = e.kind == InitialReport::Kind::fixed ? "fixed" : "guess";
    if (e.isResidue) {
      j["residue"] = e.reached;
    } else {
      j["wanted"] = e.wanted;
      j["reached"] = e.reached;
    }
    start.push_back(std::move(j));
  }
  return start;
}

}  // namespace

Json diagnosticsJson(const Diagnostics& diagnostics,
                     const std::map<std::string, std::string>& unsaved) {
  SourceLines sources(unsaved);
  Json list = Json::array();
  for (const Diagnostic& d : inReadingOrder(diagnostics.all())) {
    Json j = Json::object();
    const bool isNote = d.severity == Severity::note && !list.empty();
    if (!isNote)
      j["severity"] = d.severity == Severity::error     ? "error"
                      : d.severity == Severity::warning ? "warning"
                                                        : "note";
    j.update(placeJson(d.at, sources));
    const auto [message, hint] = splitHint(d.text);
    j["message"] = message;
    if (!hint.empty()) j["hint"] = hint;
    if (isNote) {
      list.back()["notes"].push_back(std::move(j));
    } else {
      j["notes"] = Json::array();
      list.push_back(std::move(j));
    }
  }
  return list;
}

std::vector<std::pair<std::string, double>> massesOf(const ModelParts& model) {
  std::vector<double> mass(model.size(), 0.0);
  std::vector<bool> hasFrame(model.size(), false), isBody(model.size(), false);
  const auto owner = [&](int i) {
    while (model[i].parent >= 0) i = model[i].parent;
    return i;
  };
  for (const int part : model.partsOfFrames()) {
    if (part >= 0) hasFrame[owner(part)] = true;
  }
  std::map<std::string, int> byName;
  for (int i = 0; i < model.size(); ++i) {
    byName[model[i].name] = i;
    const auto body = model[i].component.rigidBody();
    if (!body) continue;
    mass[owner(i)] += body->m;
    isBody[owner(i)] = true;
  }
  // Of what is no body, the parameters in kg.
  for (const ComponentDescription& c : model.source().components) {
    const auto found = byName.find(c.name);
    if (found == byName.end() || isBody[found->second] || !hasFrame[found->second]) continue;
    const auto parameters = model.parameters(c);
    for (const DocumentedParameter& p : documentedParameters(model[found->second].type)) {
      if (p.unit != "kg" || p.type != "number") continue;
      for (const auto& [key, value] : parameters) {
        if (key == p.name) mass[found->second] += value.real();
      }
    }
  }
  std::vector<std::pair<std::string, double>> result;
  for (int i = 0; i < model.size(); ++i) {
    if (mass[i] != 0) result.emplace_back(model[i].name, mass[i]);
  }
  return result;
}

Json structureJson(const Simulation& simulation, const InitialReport& initial) {
  const ModelStructure s = ModelStructure::of(simulation);
  const Unknowns& u = s.unknowns;
  Json j{{"components", s.components}};
  j["innerParts"] = s.innerParts;
  j["degreesOfFreedom"] = initial.degreesOfFreedom;
  j["unknowns"] = {{"all", u.size()},
                   {"positions", u.nq},
                   {"velocities", u.nv},
                   {"ofComponents", u.nx},
                   {"multipliers", u.nlambda + u.nmu}};
  j["masses"] = Json::object();
  double all = 0;
  for (const auto& [name, mass] : massesOf(ModelParts(simulation))) {
    j["masses"][name] = mass;
    all += mass;
  }
  j["totalMass"] = all;
  j["tree"] = treeJson(s);
  j["cut"] = s.cuts;
  j["openEnds"] = s.openEnds;
  j["algebraicLoops"] = s.algebraicLoops;
  j["contacts"] = s.contacts;
  j["contactsLeftOut"] = Json::array();
  for (const auto& [a, b, why] : s.contactsLeftOut)
    j["contactsLeftOut"].push_back({{"a", a}, {"b", b}, {"why", why}});
  j["states"] = initial.states;
  j["start"] = startJson(initial);
  j["parametersFound"] = Json::array();
  for (const InitialReport::Parameter& p : initial.parameters) {
    j["parametersFound"].push_back({{"name", p.name}, {"start", p.start}, {"value", p.reached}});
  }
  j["loops"] = Json::array();
  for (const LoopReport& loop : initial.loops) {
    j["loops"].push_back({{"joints", loop.joints},
                          {"cut", loop.cut},
                          {"closureEquations", loop.closures},
                          {"redundant", loop.redundant}});
  }
  j["redundantConstraints"] = initial.redundantConstraints;
  return j;
}

Json namesJson(const ModelParts& model) {
  Json list = Json::array();
  for (const ModelParts::Variable& v : model.variables()) {
    Json j{{"name", v.name}, {"unit", v.unit}, {"description", v.description}};
    if (!v.dimensions.empty()) j["dimensions"] = v.dimensions;
    list.push_back(std::move(j));
  }
  return list;
}

}  // namespace cardan
