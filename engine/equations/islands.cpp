#include "engine/equations/islands.h"

#include <algorithm>
#include <utility>

#include "engine/structure/union_find.h"

namespace cardan {
namespace {

/// Nodes of the tree, instances and sources of the network, in this order, those that feel each other in
/// one set.
class Sets {
 public:
  Sets(const FlatModel& b, const SpanningTree& tree, const PotentialNetwork& network,
       const Layout& l)
      : b_(b),
        network_(network),
        instances_(tree.nodes),
        sources_(instances_ + std::ssize(b_.instances)),
        sets_(size()) {
    std::vector<bool> isFixed(tree.nodes, false), isPoint(isFixed);
    for (const Layout::FreePoint& f : l.freePoints) isPoint[f.node] = true;
    isFixed[0] = true;
    for (int i = 0; i < l.edges; ++i) {
      const Layout::TreeJoint& s = l.tree[i];
      isFixed[s.far] = isFixed[s.near] && s.nv == 0 && !isPoint[s.far];
      if (!isFixed[s.near]) sets_.unite(s.near, s.far);
    }
    const auto addFrame = [&](int instance, int frame) {
      const int node = tree.nodeOfFrame[frame];
      if (!isFixed[node]) sets_.unite(node, instances_ + instance);
    };
    for (size_t f = 1; f < b_.frames.size(); ++f) addFrame(b_.frames[f].instance, f);
    for (const FlatModel::Edge& edge : b_.edges) {
      addFrame(edge.instance, edge.a.index);
      addFrame(edge.instance, edge.b.index);
    }
    for (int i = 0; i < std::ssize(b_.instances); ++i) {
      if (b_.instances[i].parent >= 0)
        sets_.unite(instances_ + i, instances_ + b_.instances[i].parent);
    }
    uniteFlanges();
  }

  int size() const { return sources_ + static_cast<int>(std::ssize(network_.sources)); }
  int ofNode(int node) { return sets_.find(node); }
  int ofInstance(int instance) { return sets_.find(instances_ + instance); }
  int ofSource(int source) { return sets_.find(sources_ + source); }

 private:
  void uniteFlanges() {
    const auto addTerms = [&](int item, const std::vector<PotentialNetwork::Term>& terms) {
      for (const PotentialNetwork::Term& t : terms) sets_.unite(item, sources_ + t.source);
    };
    for (size_t f = 0; f < b_.flanges.size(); ++f)
      addTerms(instances_ + b_.flanges[f].instance, network_.nodes[network_.nodeOfFlange[f]].terms);
    for (const PotentialNetwork::Relation& r : network_.relations)
      addTerms(sources_ + r.terms.front().source, r.terms);
    for (size_t s = 0; s < network_.sources.size(); ++s) {
      const PotentialNetwork::Source& from = network_.sources[s];
      int instance = -1;
      if (from.kind == PotentialNetwork::SourceKind::joint)
        instance = b_.edges[b_.axes[from.index].joint.index].instance;
      if (from.kind == PotentialNetwork::SourceKind::driven)
        instance = b_.flanges[b_.driven[from.index].flange.index].instance;
      if (instance >= 0) sets_.unite(sources_ + s, instances_ + instance);
    }
  }

  const FlatModel& b_;
  const PotentialNetwork& network_;
  int instances_, sources_;  ///< the first ones
  UnionFind sets_;
};

/// Something joins all parts that the structure does not show.
bool areJoined(const FlatModel& b, const SignalGraph& signals) {
  const auto isOwn = [&](const auto& x) { return b.instances[x.instance].name.empty(); };
  return !signals.timeOnly() || std::ranges::any_of(signals.sources(), &SignalSource::follows) ||
         std::ranges::any_of(b.unknowns, isOwn) || std::ranges::any_of(b.rows, isOwn);
}

}  // namespace

Islands::Islands(const FlatModel& b, const SpanningTree& tree, const PotentialNetwork& network,
                 const SignalGraph& signals, const Layout& l)
    : unknowns(Partition::whole(l.size())), rows(unknowns), ofInstance(b.instances.size(), 0) {
  if (areJoined(b, signals)) return;
  Sets sets(b, tree, network, l);
  std::vector<int> of(l.size(), -1);
  const auto put = [&](int first, int size, int set) {
    std::fill_n(of.begin() + first, size, set);
  };
  const auto putMultipliers = [&](int first, int size, int set) {
    for (int k = first; k < first + size; ++k) {
      put(l.lambdaOffset() + k, 1, set);
      if (const int m = l.muOfLambda[k]; m >= 0) put(l.muOffset() + m, 1, set);
    }
  };
  for (int i = 0; i < l.edges; ++i) {
    const Layout::TreeJoint& s = l.tree[i];
    put(s.q, s.nq, sets.ofNode(s.far));
    put(l.nq + s.v, s.nv, sets.ofNode(s.far));
  }
  for (size_t s = 0; s < l.positionOfSource.size(); ++s) {
    for (const int i : {l.positionOfSource[s], l.velocityOfSource[s]})
      if (i >= 0) put(i, 1, sets.ofSource(s));
  }
  for (const Layout::FreePoint& f : l.freePoints) put(f.x, 3, sets.ofNode(f.node));
  for (size_t i = 0; i < b.constraints.size(); ++i) {
    const FlatModel::Constraint& c = b.constraints[i];
    putMultipliers(l.constraintOffset[i], c.positionRows + c.velocityRows,
                   sets.ofInstance(c.instance));
  }
  for (int r = 0; r < std::ssize(network.relations); ++r)
    putMultipliers(l.firstRelation + r, 1,
                   sets.ofSource(network.relations[r].terms.front().source));
  for (const Layout::CutJoint& c : l.cutJoints)
    putMultipliers(c.row, c.rows, sets.ofInstance(b.edges[c.edge].instance));
  std::vector<int> ofRows = of;
  for (size_t u = 0; u < b.unknowns.size(); ++u)
    put(l.unknownOffset[u], 1, sets.ofInstance(b.unknowns[u].instance));
  for (size_t r = 0; r < b.rows.size(); ++r)
    std::fill_n(ofRows.begin() + l.rowOffset[r], b.rows[r].size,
                sets.ofInstance(b.rows[r].instance));

  // Numbered as they come.
  std::vector<int> number(sets.size(), -1), surplus;
  const auto numbered = [&](int set) {
    if (number[set] < 0) {
      number[set] = std::ssize(surplus);
      surplus.push_back(0);
    }
    return number[set];
  };
  for (size_t i = 0; i < of.size(); ++i) {
    of[i] = numbered(std::max(0, of[i]));
    ofRows[i] = numbered(std::max(0, ofRows[i]));
    ++surplus[of[i]];
    --surplus[ofRows[i]];
  }
  // Else a row is on another island than what it determines.
  if (std::ranges::count(surplus, 0) < std::ssize(surplus) || surplus.size() < 2) return;
  for (size_t i = 0; i < ofInstance.size(); ++i)
    ofInstance[i] = std::max(0, number[sets.ofInstance(static_cast<int>(i))]);
  unknowns = Partition(std::move(of), std::ssize(surplus));
  rows = Partition(std::move(ofRows), std::ssize(surplus));
}

}  // namespace cardan
