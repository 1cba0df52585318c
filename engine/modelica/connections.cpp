#include "engine/modelica/connections.h"

#include <algorithm>
#include <set>

#include "engine/text/mapped.h"

namespace cardan::modelica {
namespace {

/// "a.b[1].c" -> "a", "b", "[1]", "c"
std::vector<std::string> segmentsOf(const std::string& path) {
  std::vector<std::string> result(1);
  for (const char c : path) {
    if (c == '.') {
      result.emplace_back();
    } else if (c == '[') {
      result.emplace_back("[");
    } else {
      result.back() += c;
    }
  }
  return result;
}

bool isIndexSegment(const std::string& segment) { return segment.starts_with('['); }

}  // namespace

int Connections::standing(int n) const {
  while (nodes_[n].united >= 0) n = nodes_[n].united;
  return n;
}

int Connections::node(const std::string& path) {
  int n = 0;
  for (const std::string& segment : segmentsOf(path)) {
    const auto [next, isNew] =
        nodes_[standing(n)].children.try_emplace(segment, static_cast<int>(nodes_.size()));
    n = next->second;
    if (isNew) nodes_.emplace_back();
  }
  return standing(n);
}

int Connections::found(const std::string& path) const {
  int n = 0;
  for (const std::string& segment : segmentsOf(path)) {
    n = standing(n);
    const auto next = nodes_[n].children.find(segment);
    if (next == nodes_[n].children.end()) return -1;
    n = next->second;
  }
  return standing(n);
}

void Connections::unite(int first, int second) {
  std::vector<std::pair<int, int>> open{{first, second}};
  while (!open.empty()) {
    auto [a, b] = open.back();
    open.pop_back();
    a = standing(a);
    b = standing(b);
    if (a == b) continue;
    nodes_[b].united = a;
    for (const auto& [name, child] : nodes_[b].children) {
      const auto [mine, isNew] = nodes_[a].children.try_emplace(name, child);
      if (!isNew) open.emplace_back(mine->second, child);
    }
    auto& ends = ends_[a];
    for (ConnectorEnd& end : ends_[b]) ends.push_back(std::move(end));
    ends_.erase(b);
    auto& variables = variables_[a];
    for (Variable& v : variables_[b]) variables.push_back(std::move(v));
    variables_.erase(b);
  }
}

void Connections::addEnd(const std::string& path, bool isInput) {
  auto& ends = ends_[node(path)];
  if (std::ranges::find(ends, path, &ConnectorEnd::path) == ends.end())
    ends.push_back({path, isInput});
}

void Connections::addVariable(const std::string& path, bool isSignal) {
  auto& all = variables_[node(path)];
  if (std::ranges::find(all, path, &Variable::path) == all.end()) all.push_back({path, isSignal});
}

void Connections::connect(const std::string& a, const std::string& b, const std::string& within,
                          const SourceMark& at) {
  const int first = node(a), second = node(b);
  statementsOf_.emplace(a, statements_.size());
  statementsOf_.emplace(b, statements_.size());
  statements_.push_back({first, a, b, within + ".", at});
  unite(first, second);
}

void Connections::finish() {
  for (const auto& [set, ends] : ends_) {
    for (const ConnectorEnd& end : ends) {
      members_[set].push_back({end.path, end.isInput, false});
      for (const auto& [name, child] : nodes_[set].children) {
        if (!isIndexSegment(name)) continue;
        auto& below = members_[standing(child)];
        if (std::ranges::find(below, end.path + name, &Member::path) == below.end())
          below.push_back({end.path + name, end.isInput, true});
      }
    }
  }
  for (int set = 0; set < std::ssize(nodes_); ++set) {
    const auto whole = variables_.find(set);
    if (whole == variables_.end() || whole->second.empty()) continue;
    for (const auto& [name, child] : nodes_[set].children) {
      if (!isIndexSegment(name)) continue;
      auto& below = variables_[standing(child)];
      for (const Variable& v : whole->second) {
        if (std::ranges::find(below, v.path + name, &Variable::path) == below.end())
          below.push_back({v.path + name, v.isSignal});
      }
    }
  }
  // What is an end itself is no derived one.
  for (auto& [set, members] : members_) {
    std::set<std::string> own;
    for (const Member& m : members) {
      if (!m.isDerived) own.insert(m.path);
    }
    std::erase_if(members, [&](const Member& m) { return m.isDerived && own.contains(m.path); });
  }
}

std::string Connections::sourceOf(const std::string& path) const {
  std::string whole = path, index;
  while (true) {
    const int set = found(whole);
    for (const Member& m : membersOf(set)) {
      if (!m.isInput) return m.path + index;
    }
    const auto variables = variables_.find(set);
    if (variables != variables_.end() && !variables->second.empty())
      return variables->second[0].path + index;
    if (whole.empty() || whole.back() != ']') return "";
    const size_t open = whole.rfind('[');
    index = whole.substr(open) + index;
    whole.erase(open);
  }
}

std::string Connections::endOf(const std::string& path, const std::string& inside) const {
  const std::vector<Member>& members = membersOf(found(path));
  for (const Member& m : members) {
    if (m.path.starts_with(inside)) return m.path;
  }
  return members.empty() ? "" : members[0].path;
}

std::vector<std::string> Connections::endsAt(const std::string& path) const {
  return mapped(membersOf(found(path)), &Member::path);
}

/// What statements in `owner`, and in what is inside of it, connect a connector with.
std::vector<std::string> Connections::partnersOf(const std::string& path,
                                                 const std::string& owner) const {
  std::vector<std::string> partners;
  const auto [from, to] = statementsOf_.equal_range(path);
  for (auto i = from; i != to; ++i) {
    const Statement& s = statements_[i->second];
    if (!s.within.starts_with(owner)) continue;
    partners.push_back(s.aPath == path ? s.bPath : s.aPath);
  }
  return partners;
}

std::string Connections::innerEnd(const std::string& path) const {
  const std::string owner = path.substr(0, path.rfind('.') + 1);
  for (const std::string& other : partnersOf(path, owner)) {
    // Another connector of the composite itself leads nowhere.
    if (other.find('.', owner.size()) == std::string::npos) continue;
    if (isEnd(other)) return other;
    if (std::string end = innerEnd(other); !end.empty()) return end;
  }
  return "";
}

std::vector<std::string> Connections::connectedInside(const std::string& path) const {
  return partnersOf(path, path.substr(0, path.rfind('.') + 1));
}

std::vector<std::string> Connections::innerEnds(const std::string& path) const {
  const std::string owner = path.substr(0, path.rfind('.') + 1);
  std::vector<std::string> ends, reached{path};
  for (size_t k = 0; k < reached.size(); ++k) {
    const std::string here = reached[k];
    // Of a composite inside, only what stands around it.
    const std::string inside = here.substr(0, here.rfind('.') + 1);
    for (const std::string& other : partnersOf(here, owner)) {
      if (std::ranges::find(reached, other) != reached.end()) continue;
      if (here != path && other.starts_with(inside) && inside != owner) continue;
      if (other.find('.', owner.size()) == std::string::npos) return {};
      reached.push_back(other);
      if (isEnd(other)) {
        ends.push_back(other);
        continue;
      }
      const std::vector<std::string> below = innerEnds(other);
      if (below.empty()) return {};
      ends.insert(ends.end(), below.begin(), below.end());
    }
  }
  return ends;
}

std::string Connections::groupOf(const Groups& groups, std::string path) {
  for (auto g = groups.find(path); g != groups.end() && g->second != path; g = groups.find(path))
    path = g->second;
  return path;
}

/// What the statements between components leave apart in a set, body by body from the innermost outwards.
void Connections::writeEnds(int set, const Statement& s, const Places& places, Groups& groups,
                            std::vector<Connection>& out) const {
  std::vector<std::string> ends;
  std::set<std::pair<size_t, std::string>, std::greater<>> bodies{{0, ""}};  // the longest first
  for (const Member& m : members_.at(set)) {
    if (m.isDerived) continue;
    ends.push_back(m.path);
    for (std::string b = places.bodyOf(m.path); !b.empty(); b = places.bodyOf(b))
      bodies.emplace(b.size(), b);
  }
  std::ranges::stable_partition(ends, [&](const std::string& e) { return places.isExported(e); });
  for (const auto& [length, body] : bodies) {
    std::string first;
    for (const std::string& end : ends) {
      if (length > 0 && !(end.starts_with(body) && end.size() > length && end[length] == '.'))
        continue;
      if (first.empty()) first = end;
      const std::string a = groupOf(groups, first), b = groupOf(groups, end);
      if (a == b) continue;
      out.push_back({first, end, s.at});
      groups[b] = a;
    }
  }
}

/// A signal has one value: of an output, or of an equation.
bool Connections::haveOneSource(int set, const Statement& s, Diagnostics& diagnostics) const {
  const auto variables = variables_.find(set);
  const auto& all = variables == variables_.end() ? std::vector<Variable>() : variables->second;
  if (!isSignal(set) && std::ranges::none_of(all, &Variable::isSignal)) return true;
  std::vector<std::string> sources = mapped(all, &Variable::path);
  bool isDerived = false;  // those of vectors that are united count as one
  for (const Member& m : membersOf(set)) {
    if (m.isInput || (m.isDerived && isDerived)) continue;
    isDerived = isDerived || m.isDerived;
    sources.push_back(m.path);
  }
  if (sources.size() < 2) return true;
  diagnostics.error(s.at, "'" + sources[0] + "' and '" + sources[1] +
                              "' both say what the signal is that is connected here");
  return false;
}

void Connections::writeSignals(int set, const Statement& s, const Bind& bind,
                               std::vector<Connection>& out,
                               std::map<std::string, bool>& done) const {
  const std::vector<Member>& members = membersOf(set);
  const auto source = std::ranges::find(members, false, &Member::isInput);
  const auto variables = variables_.find(set);
  const bool hasVariable = variables != variables_.end() && !variables->second.empty();
  for (const Member& m : members) {
    if (!m.isInput || done[m.path]) continue;
    if (source != members.end()) {
      if (source->isDerived && m.isDerived) continue;  // united as vectors
      done[m.path] = true;
      out.push_back({source->path, m.path, s.at});
    } else if (hasVariable) {
      done[m.path] = true;
      bind(m.path, variables->second[0].path, s.at);
    }
  }
}

const std::vector<Connections::Member>& Connections::membersOf(int set) const {
  static const std::vector<Member> none;
  const auto members = members_.find(set);
  return members == members_.end() ? none : members->second;
}

const Connections::Member* Connections::memberOf(int set, const std::string& path) const {
  for (const Member& m : membersOf(set)) {
    if (m.path == path && !m.isDerived) return &m;
  }
  return nullptr;
}

bool Connections::isSignal(int set) const {
  return std::ranges::any_of(membersOf(set), &Member::isInput);
}

std::vector<Connections::Connection> Connections::write(Diagnostics& diagnostics,
                                                        const Places& places,
                                                        const Bind& bind) const {
  std::vector<Connection> out;
  // A statement between two components is written as it stands.
  std::map<std::string, bool> done;  // inputs
  Groups groups;
  std::vector<bool> verbatim(statements_.size(), false);
  for (size_t i = 0; i < statements_.size(); ++i) {
    const Statement& s = statements_[i];
    const int set = standing(s.a);
    const Member* a = memberOf(set, places.endOf(s.aPath));
    const Member* b = memberOf(set, places.endOf(s.bPath));
    if (!a || !b) continue;
    if (!isSignal(set)) {
      const std::string first = groupOf(groups, a->path), second = groupOf(groups, b->path);
      verbatim[i] = first != second;
      groups[second] = first;
      groups.try_emplace(first, first);
    } else if (a->isInput != b->isInput && !done[a->isInput ? a->path : b->path]) {
      verbatim[i] = true;
      done[a->isInput ? a->path : b->path] = true;
    }
  }
  std::set<int> finished;
  const auto finishSet = [&](int set, const Statement& s) {
    if (isSignal(set)) {
      writeSignals(set, s, bind, out, done);
    } else if (members_.contains(set)) {
      writeEnds(set, s, places, groups, out);
    }
  };
  for (size_t i = 0; i < statements_.size(); ++i) {
    const Statement& s = statements_[i];
    if (verbatim[i]) out.push_back({places.endOf(s.aPath), places.endOf(s.bPath), s.at});
    // The set itself and, of buses and vectors, all below it.
    std::vector<int> open{standing(s.a)};
    while (!open.empty()) {
      const int set = open.back();
      open.pop_back();
      if (!finished.insert(set).second) continue;
      if (!haveOneSource(set, s, diagnostics)) continue;
      finishSet(set, s);
      const auto& children = nodes_[set].children;
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        open.push_back(standing(child->second));
    }
  }
  return out;
}

}  // namespace cardan::modelica
