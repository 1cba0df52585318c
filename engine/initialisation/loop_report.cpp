#include "engine/initialisation/loop_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {
namespace {

/// Steps from `node` to the world.
std::vector<int> pathToWorld(const std::vector<int>& stepOfNode, const Layout& l, int node) {
  std::vector<int> path;
  while (stepOfNode[node] >= 0) {
    path.push_back(stepOfNode[node]);
    node = l.tree[path.back()].near;
  }
  return path;
}

/// Per node: the step of the tree that leads there, -1: none.
std::vector<int> stepsToNodes(const Layout& l) {
  int nodes = 1;
  for (int i = 0; i < l.edges; ++i) nodes = std::max(nodes, l.tree[i].far + 1);
  std::vector<int> stepOfNode(nodes, -1);
  for (int i = 0; i < l.edges; ++i) stepOfNode[l.tree[i].far] = i;
  return stepOfNode;
}

std::vector<int> stepsBetween(const Layout& l, const std::vector<int>& stepOfNode, int a, int b) {
  std::vector<int> up = pathToWorld(stepOfNode, l, a);
  std::vector<int> down = pathToWorld(stepOfNode, l, b);
  while (!up.empty() && !down.empty() && up.back() == down.back()) {
    up.pop_back();
    down.pop_back();
  }
  up.insert(up.end(), down.rbegin(), down.rend());
  std::erase_if(up, [&](int i) { return l.tree[i].nv == 0; });
  return up;
}

/// Node of the frame of this name of an instance, -1: it has none.
int nodeOf(const FlatModel& b, const std::vector<int>& nodeOfFrame, int instance,
           const char* frame) {
  const auto c = b.connectors.find(b.instances[instance].name + "." + frame);
  const bool found = c != b.connectors.end() && c->second.kind == ConnectorKind::frame;
  return found ? nodeOfFrame[c->second.index] : -1;
}

}  // namespace

std::vector<Closure> closuresOf(const FlatModel& b, const Layout& l,
                                const std::vector<int>& nodeOfFrame) {
  std::vector<Closure> all;
  for (const Layout::CutJoint& c : l.cutJoints) {
    if (c.rows == 0) continue;
    Closure& closure = all.emplace_back();
    closure.instance = b.edges[c.edge].instance;
    closure.row = c.row;
    closure.a = c.a;
    closure.b = c.b;
    closure.moves = c.law && c.law->velocities() > 0;
    for (int i = 0; i < c.rows; ++i) closure.names.push_back(c.closure->closureName(i));
  }
  for (size_t i = 0; i < b.constraints.size(); ++i) {
    const FlatModel::Constraint& c = b.constraints[i];
    Closure closure;
    closure.instance = c.instance;
    closure.row = l.constraintOffset[i];
    closure.a = nodeOf(b, nodeOfFrame, c.instance, "frame_a");
    closure.b = nodeOf(b, nodeOfFrame, c.instance, "frame_b");
    if (c.positionRows == 0 || closure.a < 0 || closure.b < 0) continue;
    const std::string prefix = b.instances[c.instance].name + ".";
    for (int k = 0; k < c.positionRows; ++k) {
      const std::string& name = l.rowNames[closure.row + k];
      closure.names.push_back(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
    }
    all.push_back(std::move(closure));
  }
  return all;
}

std::vector<int> stepsOfLoop(const Layout& l, const Closure& closure) {
  return stepsBetween(l, stepsToNodes(l), closure.a, closure.b);
}

std::vector<LoopReport> describeLoops(const FlatModel& b, const Layout& l,
                                      const std::vector<int>& nodeOfFrame,
                                      const std::vector<int>& redundantRows) {
  std::vector<LoopReport> loops;
  const std::vector<int> stepOfNode = stepsToNodes(l);
  for (const Closure& closure : closuresOf(b, l, nodeOfFrame)) {
    LoopReport& loop = loops.emplace_back();
    loop.closures = std::ssize(closure.names);
    for (int i : stepsBetween(l, stepOfNode, closure.a, closure.b)) {
      const Layout::TreeJoint& s = l.tree[i];
      const Instance& joint = b.instanceOf(b.edges[s.edge]);
      loop.joints.push_back(joint.name);
      for (int k = 0; joint.parent < 0 && k < s.nq; ++k) loop.coordinates.push_back(s.q + k);
    }
    loop.cut = b.instances[closure.instance].name;
    loop.joints.push_back(loop.cut);
    for (int i = 0; i < loop.closures; ++i) {
      if (std::binary_search(redundantRows.begin(), redundantRows.end(), closure.row + i)) {
        loop.redundant.push_back(closure.names[i]);
      }
    }
  }
  return loops;
}

std::string LoopReport::name() const {
  return fmt::format("loop over {}", fmt::join(joints, ", "));
}

std::string LoopReport::format() const {
  std::string text = fmt::format("{}, opened at {}: ", name(), cut);
  if (redundant.empty())
    return text + fmt::format("{} closure equation{}", closures, closures == 1 ? "" : "s");
  return text + fmt::format("{} of {} closure equations {} redundant: {}", redundant.size(),
                            closures, redundant.size() == 1 ? "is" : "are",
                            fmt::join(redundant, ", "));
}

}  // namespace cardan
