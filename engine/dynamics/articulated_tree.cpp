#include "engine/dynamics/articulated_tree.h"

#include <algorithm>

namespace cardan {
namespace {

/// Everything that one component has declared.
struct Declared {
  std::vector<int> frames, flanges;
  bool elsewhere = false;  ///< it has joints, unknowns, constraints or inputs of moving signals
};

std::vector<Declared> declarations(const Equations& equations) {
  const FlatModel& b = equations.flatModel();
  std::vector<Declared> all(b.instances.size());
  auto of = [&](int instance) -> Declared& { return all[instance]; };
  for (size_t f = 1; f < b.frames.size(); ++f) of(b.frames[f].instance).frames.push_back(f);
  for (size_t f = 0; f < b.flanges.size(); ++f) of(b.flanges[f].instance).flanges.push_back(f);
  for (const FlatModel::Edge& e : b.edges) of(e.instance).elsewhere |= !e.isRoot;
  for (const FlatModel::Unknown& u : b.unknowns) of(u.instance).elsewhere = true;
  for (const FlatModel::Row& r : b.rows) of(r.instance).elsewhere = true;
  for (const FlatModel::Constraint& c : b.constraints) of(c.instance).elsewhere = true;
  for (const FlatModel::Driven& d : b.driven)
    of(b.flanges[d.flange.index].instance).elsewhere = true;
  if (!equations.signals().timeOnly()) {
    for (const FlatModel::Input& in : b.inputs) of(in.instance).elsewhere = true;
  }
  return all;
}

/// Lists one after the other, and where each begins; `first` has the end of the last, too.
template <class T>
void inOneList(const std::vector<std::vector<T>>& lists, std::vector<int>& first,
               std::vector<T>& all) {
  for (const auto& list : lists) {
    first.push_back(std::ssize(all));
    all.insert(all.end(), list.begin(), list.end());
  }
  first.push_back(std::ssize(all));
}

}  // namespace

ArticulatedTree::ArticulatedTree(const Equations& equations) {
  const Layout& l = equations.layout();
  const auto& all = equations.clusters().clusters();
  clusters = std::ssize(all);
  local = l.edges == std::ssize(l.tree) && clusters > 1 && l.nx == 0 && l.nlambda == 0;
  for (size_t c = 1; c < all.size(); ++c) local = local && all[c].joint->nv > 0;
  if (local) placeComponents(equations);
}

/// Takes the nodes of a part's frames. Returns the cluster that it is on, 0: none; clears `local` where
/// it is on two.
int ArticulatedTree::takeFrames(const Equations& equations, const std::vector<int>& frames,
                                Part& part) {
  int cluster = 0;
  for (int f : frames) {
    const int node = equations.nodeOfFrame()[f];
    if (node == 0) continue;
    const int at = equations.clusters().clusterOfNode(node);
    local = local && (at == 0 || cluster == 0 || at == cluster);
    cluster = std::max(cluster, at);
    const auto begin = nodes.begin() + part.firstNode;
    const auto known = std::find(begin, nodes.end(), node);
    slotOfFrame[f] = known - begin + 1;
    if (known == nodes.end()) nodes.push_back(node);
  }
  part.slots = std::ssize(nodes) - part.firstNode;
  mostSlots = std::max(mostSlots, part.slots + 1);
  return cluster;
}

/// The same for its flanges. Returns the joint whose axis they all move with, -1: there are none.
int ArticulatedTree::takeFlanges(const Equations& equations, const std::vector<int>& flanges,
                                 const std::vector<int>& jointOfEdge, AxisPart& part) {
  const PotentialNetwork& network = equations.network();
  int joint = -1;
  for (int f : flanges) {
    const int node = network.nodeOfFlange[f];
    for (const PotentialNetwork::Term& t : network.nodes[node].terms) {
      const PotentialNetwork::Source& source = network.sources[t.source];
      const int at = source.kind == PotentialNetwork::SourceKind::joint
                         ? jointOfEdge[equations.flatModel().axes[source.index].joint.index]
                         : -1;
      local = local && at >= 0 && (joint < 0 || joint == at);
      joint = at;
    }
    slotOfFlange[f] = std::ssize(flangeNodes) - part.firstFlangeNode;
    flangeNodes.push_back(node);
  }
  part.slots = std::ssize(flangeNodes) - part.firstFlangeNode;
  mostFlangeSlots = std::max(mostFlangeSlots, part.slots);
  return joint;
}

void ArticulatedTree::placeComponents(const Equations& equations) {
  const FlatModel& b = equations.flatModel();
  slotOfFrame.assign(b.frames.size(), 0);
  slotOfFlange.assign(b.flanges.size(), 0);
  std::vector<int> jointOfEdge(b.edges.size(), -1);
  const ClusterTree& tree = equations.clusters();
  for (size_t c = 1; c < tree.clusters().size(); ++c)
    jointOfEdge[tree.clusters()[c].joint->edge] = c - 1;

  std::vector<std::vector<Part>> partsOf(clusters);
  std::vector<std::vector<AxisPart>> axisPartsOf(clusters - 1);
  const std::vector<Declared> all = declarations(equations);
  for (int i = 0; i < std::ssize(all) && local; ++i) {
    const Component* component = b.instances[i].component;
    if (!component->evaluates() || tree.isMerged(i)) continue;
    const Declared& d = all[i];
    local = !d.elsewhere;

    Part part{component, i, count(nodes), 0, true};
    const int cluster = takeFrames(equations, d.frames, part);
    if (cluster != 0) partsOf[cluster].push_back(part);

    AxisPart axisPart{component, count(flangeNodes), 0};
    const int joint = takeFlanges(equations, d.flanges, jointOfEdge, axisPart);
    local = local && (cluster == 0 || joint < 0);
    if (joint >= 0 && local) axisPartsOf[joint].push_back(axisPart);
  }
  if (!local) return;
  inOneList(partsOf, firstPart, parts);
  inOneList(axisPartsOf, firstAxisPart, axisParts);
}

}  // namespace cardan
