#include "apps/cardan/check_report.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/model_file/parameter_documentation.h"
#include "engine/structure/open_ends.h"
#include "engine/text/message_order.h"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

/// Lines of the files that messages are about.
class SourceLines {
 public:
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
    for (std::string line; std::getline(file, line);) {
      if (line.ends_with('\r')) line.pop_back();
      found->second.push_back(std::move(line));
    }
    return found->second;
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

Json listJson(const std::vector<std::string>& names) {
  Json j = Json::array();
  for (const std::string& name : names) j.push_back(name);
  return j;
}

/// The tree of joints and rigid parts: each with the one before it and the bodies that it carries.
Json treeJson(const Assembly& a) {
  const FlatModel& b = a.flatModel;
  std::vector<std::string> owner(a.spanningTree.nodes);
  std::vector<Json> bodies(a.spanningTree.nodes, Json::array());
  for (const FrameId f : b.massiveFrames) {
    const size_t frame = f.index;
    bodies[a.spanningTree.nodeOfFrame[frame]].push_back(b.instances[b.frames[frame].instance].name);
  }
  if (!owner.empty()) owner[0] = "world";
  Json tree = Json::array();
  for (const SpanningTree::TreeEdge& t : a.spanningTree.tree) {
    const FlatModel::Edge& e = b.edges[t.edge];
    const Instance& i = b.instances[e.instance];
    const std::string& parent = owner[t.near];
    owner[t.far] = e.instance == 0 ? parent : i.name;
    if (e.instance == 0) continue;  // the world's own frame is no part
    Json j{{"component", i.name}, {"type", i.type}, {"parent", parent}};
    j["freedoms"] = e.velocities.size();
    if (e.isRoot) j["floating"] = true;
    j["bodies"] = bodies[t.far];
    tree.push_back(std::move(j));
  }
  return tree;
}

/// What a type of the catalogue says of its parameters.
const std::vector<DocumentedParameter>& documentedParameters(const std::string& type) {
  static std::map<std::string, std::vector<DocumentedParameter>> known;
  const auto [found, isNew] = known.try_emplace(type);
  const auto entry = std::ranges::find(catalogue(), type, &CatalogueEntry::type);
  if (isNew && entry != catalogue().end()) {
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

Json diagnosticsJson(const Diagnostics& diagnostics) {
  SourceLines sources;
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

std::vector<std::pair<std::string, double>> massesOf(const Model& model) {
  const FlatModel& b = model.assembly().flatModel;
  std::vector<double> mass(b.instances.size(), 0.0);
  std::vector<bool> hasFrame(b.instances.size(), false), isBody(b.instances.size(), false);
  const auto owner = [&](int i) {
    while (b.instances[i].parent >= 0) i = b.instances[i].parent;
    return i;
  };
  for (const FlatModel::Frame& f : b.frames) {
    if (f.instance >= 0) hasFrame[owner(f.instance)] = true;
  }
  std::map<std::string, int> byName;
  for (int i = 0; i < std::ssize(b.instances); ++i) {
    byName[b.instances[i].name] = i;
    const auto body = b.instances[i].component->rigidBody();
    if (!body) continue;
    mass[owner(i)] += body->m;
    isBody[owner(i)] = true;
  }
  // Of what is no body, the parameters in kg.
  model.parameters().forEachComponent([&](const ComponentDescription& c, const auto& published) {
    const auto found = byName.find(c.name);
    if (found == byName.end() || isBody[found->second] || !hasFrame[found->second]) return;
    for (const DocumentedParameter& p : documentedParameters(b.instances[found->second].type)) {
      if (p.unit != "kg" || p.type != "number") continue;
      for (const auto* value : published) {
        if (value->key == p.name) mass[found->second] += value->value.real();
      }
    }
  });
  std::vector<std::pair<std::string, double>> result;
  for (int i = 0; i < std::ssize(b.instances); ++i) {
    if (mass[i] != 0) result.emplace_back(b.instances[i].name, mass[i]);
  }
  return result;
}

Json structureJson(const Model& model, const InitialReport& initial) {
  const Assembly& a = model.assembly();
  const FlatModel& b = a.flatModel;
  const auto names = [&](const std::vector<int>& edges) {
    Json j = Json::array();
    for (const int e : edges) j.push_back(b.instanceOf(b.edges[e]).name);
    return j;
  };
  int own = 0;
  int parts = 0;
  for (const Instance& i : b.instances) {
    if (!i.name.empty()) (i.parent < 0 ? own : parts)++;  // the model's own equations are no part
  }
  const Layout& l = a.layout;
  Json j{{"components", own}};
  j["innerParts"] = parts;
  j["degreesOfFreedom"] = initial.degreesOfFreedom;
  j["unknowns"] = {{"all", l.size()},
                   {"positions", l.nq},
                   {"velocities", l.nv},
                   {"ofComponents", l.nx},
                   {"multipliers", l.nlambda + l.nmu}};
  j["masses"] = Json::object();
  double all = 0;
  for (const auto& [name, mass] : massesOf(model)) {
    j["masses"][name] = mass;
    all += mass;
  }
  j["totalMass"] = all;
  j["tree"] = treeJson(a);
  j["cut"] = names(a.spanningTree.cuts);
  j["openEnds"] = listJson(openEnds(b));
  j["algebraicLoops"] = listJson(a.signals ? a.signals->loops() : std::vector<std::string>{});
  j["states"] = listJson(initial.states);
  j["start"] = startJson(initial);
  j["parametersFound"] = Json::array();
  for (const InitialReport::Parameter& p : initial.parameters) {
    j["parametersFound"].push_back({{"name", p.name}, {"start", p.start}, {"value", p.reached}});
  }
  j["loops"] = Json::array();
  for (const LoopReport& loop : initial.loops) {
    j["loops"].push_back({{"joints", listJson(loop.joints)},
                          {"cut", loop.cut},
                          {"closureEquations", loop.closures},
                          {"redundant", listJson(loop.redundant)}});
  }
  j["redundantConstraints"] = listJson(initial.redundantConstraints);
  return j;
}

Json namesJson(const VariableTable& table) {
  Json list = Json::array();
  for (const int i : table.all()) {
    const VariableTable::Variable& v = table[i];
    Json j{{"name", v.name}, {"unit", v.info.unit}, {"description", v.info.description}};
    if (!v.dimensions.empty()) j["dimensions"] = v.dimensions;
    list.push_back(std::move(j));
  }
  return list;
}

}  // namespace cardan
