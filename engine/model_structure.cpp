#include "engine/model_structure.h"

#include "engine/equations/model.h"
#include "engine/simulation.h"
#include "engine/structure/open_ends.h"

namespace cardan {

ModelStructure ModelStructure::of(const Simulation& simulation) {
  const Assembly& a = simulation.model().assembly();
  const FlatModel& flat = a.flatModel;
  ModelStructure s;
  for (const Instance& i : flat.instances) {
    // The model's own equations are no part.
    if (!i.name.empty()) (i.parent < 0 ? s.components : s.innerParts)++;
  }
  for (const Encounters::Pair& pair : flat.encounters.pairs) s.contacts.push_back(pair.name);
  for (const Encounters::LeftOut& l : flat.encounters.leftOut)
    s.contactsLeftOut.push_back({l.a, l.b, l.why});
  s.components -= std::ssize(s.contacts);
  s.unknowns = a.layout;
  for (const FlatModel::Unknown& u : flat.unknowns) {
    if (flat.instances[u.instance].name.empty()) s.ofOwnEquations.push_back(u.info.name);
  }
  std::vector<int> branchTo(a.spanningTree.nodes, -1);
  for (const SpanningTree::TreeEdge& t : a.spanningTree.tree) {
    const FlatModel::Edge& e = flat.edges[t.edge];
    const Instance& i = flat.instances[e.instance];
    branchTo[t.far] = std::ssize(s.tree);
    s.tree.push_back({i.name, i.type, branchTo[t.near], static_cast<int>(e.velocities.size()),
                      e.instance != 0, e.isRoot});
  }
  for (const FrameId f : flat.massiveFrames) {
    const int branch = branchTo[a.spanningTree.nodeOfFrame[f.index]];
    (branch < 0 ? s.bodiesOfWorld : s.tree[branch].bodies)
        .push_back(flat.instances[flat.frames[f.index].instance].name);
  }
  for (const int cut : a.spanningTree.cuts) s.cuts.push_back(flat.instanceOf(flat.edges[cut]).name);
  s.openEnds = cardan::openEnds(flat);
  if (a.signals) s.algebraicLoops = a.signals->loops();
  return s;
}

}  // namespace cardan
