#include "engine/initialisation/loops.h"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {
namespace {

size_t at(int i) { return static_cast<size_t>(i); }

/// Edges of the tree from `node` to the world, as indices into Topology::tree.
std::vector<int> pathToWorld(const Topology& topology, const std::vector<int>& edgeOfNode,
                             int node) {
  std::vector<int> path;
  while (edgeOfNode[at(node)] >= 0) {
    path.push_back(edgeOfNode[at(node)]);
    node = topology.tree[at(path.back())].near;
  }
  return path;
}

}  // namespace

std::vector<LoopReport> describeLoops(const Blueprint& b, const Topology& topology,
                                      const Layout& layout, const std::vector<int>& redundantRows) {
  std::vector<int> edgeOfNode(at(topology.nodes), -1);
  for (size_t i = 0; i < topology.tree.size(); ++i) {
    edgeOfNode[at(topology.tree[i].far)] = static_cast<int>(i);
  }
  std::vector<LoopReport> loops;
  for (const Layout::Loose& c : layout.loose) {
    if (c.rows == 0) continue;
    LoopReport loop;
    loop.closures = c.rows;
    std::vector<int> up = pathToWorld(topology, edgeOfNode, c.a);
    std::vector<int> down = pathToWorld(topology, edgeOfNode, c.b);
    while (!up.empty() && !down.empty() && up.back() == down.back()) {
      up.pop_back();
      down.pop_back();
    }
    std::vector<int> path = std::move(up);
    path.insert(path.end(), down.rbegin(), down.rend());
    for (int i : path) {
      const Layout::Step& s = layout.tree[at(i)];
      if (s.nv == 0) continue;
      loop.joints.push_back(b.instanceOf(b.edges[at(s.edge)]).name);
      for (int k = 0; k < s.nq; ++k) loop.coordinates.push_back(s.q + k);
    }
    const Blueprint::Edge& cut = b.edges[at(c.edge)];
    loop.cut = b.instanceOf(cut).name;
    loop.joints.push_back(loop.cut);
    for (int i = 0; i < c.rows; ++i) {
      if (std::binary_search(redundantRows.begin(), redundantRows.end(), c.row + i)) {
        loop.redundant.push_back(cut.law->closureName(i));
      }
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

std::string LoopReport::format() const {
  std::string text = fmt::format("loop over {}, opened at {}: ", fmt::join(joints, ", "), cut);
  if (redundant.empty()) return text + fmt::format("{} closure equations", closures);
  return text + fmt::format("{} of {} closure equations are redundant: {}", redundant.size(),
                            closures, fmt::join(redundant, ", "));
}

}  // namespace cardan
