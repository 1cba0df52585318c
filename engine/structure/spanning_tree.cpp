#include "engine/structure/spanning_tree.h"

#include <algorithm>
#include <deque>
#include <tuple>

#include "engine/structure/union_find.h"

namespace cardan {
namespace {

/// Smaller: sooner into the tree.
int priority(const FlatModel::Edge& e) {
  if (e.isRoot) return 1000 + static_cast<int>(e.rank);
  if (e.policy == CutPolicy::never) return 0;
  return 1 + e.nv();
}

/// Joints that can move between the world and the nearer end of every edge; more than all there
/// are: no way leads there.
std::vector<int> distanceFromWorld(const FlatModel& b, UnionFind& sets) {
  auto at = [&](FrameId f) { return sets.find(f.index); };
  std::vector<std::vector<const FlatModel::Edge*>> edgesAt(b.frames.size());
  for (const FlatModel::Edge& e : b.edges) {
    if (e.isRoot) continue;
    edgesAt[at(e.a)].push_back(&e);
    edgesAt[at(e.b)].push_back(&e);
  }
  // Nearest sets first: rigid parts are passed in front of the queue, joints at its end.
  std::vector<int> ofSet(b.frames.size(), std::ssize(b.edges) + 1);
  std::deque<int> queue{sets.find(0)};
  ofSet[queue.front()] = 0;
  while (!queue.empty()) {
    const int near = queue.front();
    queue.pop_front();
    for (const FlatModel::Edge* e : edgesAt[near]) {
      const int far = at(e->a) == near ? at(e->b) : at(e->a);
      const bool moves = e->nv() > 0;
      const int distance = ofSet[near] + (moves ? 1 : 0);
      if (distance >= ofSet[far]) continue;
      ofSet[far] = distance;
      moves ? queue.push_back(far) : queue.push_front(far);
    }
  }
  std::vector<int> result;
  for (const FlatModel::Edge& e : b.edges)
    result.push_back(std::min(ofSet[at(e.a)], ofSet[at(e.b)]));
  return result;
}

/// Numbers the nodes depth first from the world, branches in the order of the model, and lists the
/// joints that lead to them. `edgesAt`: those of the forest, per set of frames. Returns the node of
/// each set, -1: not reached.
std::vector<int> numberNodes(const FlatModel& b, UnionFind& sets,
                             const std::vector<std::vector<int>>& edgesAt, SpanningTree& tree) {
  std::vector<int> nodeOfSet(b.frames.size(), -1);
  nodeOfSet[sets.find(0)] = 0;
  tree.nodes = 1;
  struct Visit {
    int set;
    size_t next;
  };
  std::vector<Visit> stack{{sets.find(0), 0}};
  while (!stack.empty()) {
    Visit& v = stack.back();
    const auto& list = edgesAt[v.set];
    if (v.next == list.size()) {
      stack.pop_back();
      continue;
    }
    const int i = list[v.next++];
    const int a = sets.find(b.edges[i].a.index), c = sets.find(b.edges[i].b.index);
    const bool forward = a == v.set;
    const int far = forward ? c : a;
    if (nodeOfSet[far] >= 0) continue;
    const int near = nodeOfSet[v.set];
    nodeOfSet[far] = tree.nodes++;
    tree.tree.push_back({i, near, nodeOfSet[far], forward});
    stack.push_back({far, 0});
  }
  return nodeOfSet;
}

/// What nothing places is told of once a part.
void placeFrames(const FlatModel& b, UnionFind& sets, UnionFind& parts,
                 const std::vector<int>& nodeOfSet, SpanningTree& tree, Diagnostics& diagnostics) {
  tree.nodeOfFrame.resize(b.frames.size());
  std::vector<bool> reported(b.frames.size(), false);
  for (size_t f = 0; f < b.frames.size(); ++f) {
    const int node = nodeOfSet[sets.find(f)];
    tree.nodeOfFrame[f] = std::max(node, 0);
    const int part = parts.find(f);
    if (node >= 0 || reported[part]) continue;
    reported[part] = true;
    const FlatModel::Frame& frame = b.frames[f];
    diagnostics.error(b.instances[frame.instance].at,
                      b.typeAndName(frame.instance) + ": nothing places '" + frame.name +
                          "': connect it to the world, directly or through joints and parts, "
                          "or attach a body");
  }
}

}  // namespace

SpanningTree makeTopology(const FlatModel& b, const std::vector<bool>& startIsGiven,
                          Diagnostics& diagnostics) {
  SpanningTree result;
  UnionFind sets(b.frames.size());
  for (auto [p, q] : b.frameConnections) sets.unite(p, q);
  std::vector<int> order;
  for (size_t i = 0; i < b.edges.size(); ++i) order.push_back(i);
  auto edge = [&](int i) -> const FlatModel::Edge& { return b.edges[i]; };
  const std::vector<int> distance = distanceFromWorld(b, sets);
  auto key = [&](int i) {
    const size_t k = i;
    return std::tuple{priority(edge(i)), !startIsGiven[k], distance[k]};
  };
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return key(x) < key(y); });

  // Spanning forest: an edge joins two parts that nothing joins yet.
  UnionFind parts = sets;
  std::vector<std::vector<int>> edgesAt(b.frames.size());
  for (int i : order) {
    const FlatModel::Edge& e = edge(i);
    if (e.policy != CutPolicy::always && parts.unite(e.a.index, e.b.index)) {
      edgesAt[sets.find(e.a.index)].push_back(i);
      edgesAt[sets.find(e.b.index)].push_back(i);
    } else if (e.isRoot) {
      result.unused.push_back(i);
    } else {
      result.cuts.push_back(i);
    }
  }
  std::sort(result.cuts.begin(), result.cuts.end());

  for (auto& list : edgesAt) std::sort(list.begin(), list.end());
  const std::vector<int> nodeOfSet = numberNodes(b, sets, edgesAt, result);
  placeFrames(b, sets, parts, nodeOfSet, result, diagnostics);
  return result;
}

}  // namespace cardan
