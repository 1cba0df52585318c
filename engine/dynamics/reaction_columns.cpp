#include "engine/dynamics/reaction_columns.h"

#include <algorithm>

#include "components/tree_joint.h"

namespace cardan {

ReactionColumns::ReactionColumns(const Equations& equations) : equations_(equations) {
  const Layout& l = equations.layout();
  columnOf_.assign(l.nlambda, -1);
  findVelocities();
  if (!equations.signals().readsFrameLoads()) {
    addCuts();
    if (!equations.signals().readsLoads()) addRelations();
    firstOfParts_ = columns_;
    addParts();
  }
  std::vector<int> multipliers(columns_);
  for (int k = 0; k < l.nlambda; ++k) {
    if (has(k)) multipliers[columnOf_[k]] = l.lambdaOffset() + k;
  }
  const Partition& unknowns = equations.islands().unknowns;
  transpose_ = BlockMatrix::zero(unknowns.range(l.nq, l.nv), unknowns.some(multipliers));
  // Those of relations stay.
  const auto& relations = equations.network().relations;
  for (int r = 0; r < std::ssize(relations); ++r) {
    const int column = columnOf_[l.firstRelation + r];
    if (column < 0) continue;
    for (const PotentialNetwork::Term& t : relations[r].terms)
      transpose_(velocityOf_[t.source], column) += t.coefficient;
  }
}

void ReactionColumns::findVelocities() {
  using SourceKind = PotentialNetwork::SourceKind;
  const Layout& l = equations_.layout();
  std::vector<int> ofEdge(equations_.flatModel().edges.size(), -1);
  for (int i = 0; i < l.edges; ++i) ofEdge[l.tree[i].edge] = l.tree[i].v;
  const auto& sources = equations_.network().sources;
  for (size_t s = 0; s < sources.size(); ++s) {
    int v = -1;
    if (sources[s].kind == SourceKind::inertial) v = l.velocityOfSource[s] - l.nq;
    if (sources[s].kind == SourceKind::joint) {
      const FlatModel::AxisBinding& axis = equations_.flatModel().axes[sources[s].index];
      if (const int first = ofEdge[axis.joint.index]; first >= 0) v = first + axis.coordinate;
    }
    velocityOf_.push_back(v);
  }
}

bool ReactionColumns::reachVelocities(const std::vector<PotentialNetwork::Term>& terms) const {
  return std::ranges::all_of(terms, [&](const auto& t) { return velocityOf_[t.source] >= 0; });
}

const std::vector<PotentialNetwork::Term>& ReactionColumns::termsAt(int flange) const {
  const PotentialNetwork& network = equations_.network();
  return network.nodes[network.nodeOfFlange[flange]].terms;
}

void ReactionColumns::addRelations() {
  const auto& relations = equations_.network().relations;
  for (int r = 0; r < std::ssize(relations); ++r) {
    if (reachVelocities(relations[r].terms))
      columnOf_[equations_.layout().firstRelation + r] = columns_++;
  }
}

void ReactionColumns::addCuts() {
  const ClusterTree& tree = equations_.clusters();
  for (const Layout::CutJoint& joint : equations_.layout().cutJoints) {
    if (joint.rows == 0) continue;
    Cut cut{&joint, columns_, {}};
    // Parents stand before what they carry.
    int a = tree.clusterOfNode(joint.a), b = tree.clusterOfNode(joint.b);
    while (a != b) {
      int& later = a > b ? a : b;
      cut.links.push_back({later, a > b ? -1.0 : 1.0});
      later = tree.clusters()[later].parent;
    }
    // A point without mass answers in a row of its own.
    if (std::ranges::any_of(cut.links, [&](const Link& link) {
          return tree.clusters()[link.cluster].joint->nv == 0;
        }))
      continue;
    for (int i = 0; i < joint.rows; ++i) columnOf_[joint.row + i] = columns_++;
    cuts_.push_back(std::move(cut));
  }
}

/// Parts whose multipliers may do more are left out.
void ReactionColumns::addParts() {
  const FlatModel& b = equations_.flatModel();
  const Layout& l = equations_.layout();
  if (!l.freePoints.empty()) return;
  const bool flowsAreRead = equations_.signals().readsLoads();
  std::vector<bool> frames(b.instances.size(), false), flanges(frames), more(frames);
  for (size_t f = 1; f < b.frames.size(); ++f) frames[b.frames[f].instance] = true;
  for (int f = 0; f < std::ssize(b.flanges); ++f) {
    const int i = b.flanges[f].instance;
    flanges[i] = true;
    if (flowsAreRead || !reachVelocities(termsAt(f))) more[i] = true;
  }
  for (const FlatModel::Unknown& u : b.unknowns) more[u.instance] = true;
  for (const FlatModel::Row& r : b.rows) more[r.instance] = true;
  for (size_t i = 0; i < b.constraints.size(); ++i) {
    const FlatModel::Constraint& c = b.constraints[i];
    if (more[c.instance] || (frames[c.instance] && flanges[c.instance])) continue;
    for (int k = 0; k < c.positionRows + c.velocityRows; ++k)
      columnOf_[l.constraintOffset[i] + k] = columns_++;
  }
}

void ReactionColumns::evaluate(const Workspace<double>& at) {
  for (const Cut& cut : cuts_) {
    const FrameState<double>& a = at.frames[at.frameOfNode[cut.joint->a]];
    const FrameState<double>& b = at.frames[at.frameOfNode[cut.joint->b]];
    ClosureRows<double> rows;
    cut.joint->closure->closure(relativeMotion(a, b), rows);
    for (int i = 0; i < cut.joint->rows; ++i) {
      transpose_.column(cut.column + i).setZero();
      const Wrench<double> reaction{frames::resolve1(a.R, rows.rows[i].lin),
                                    frames::resolve1(b.R, rows.rows[i].ang)};
      for (const Link& link : cut.links)
        add(link.cluster, link.sign, reaction, b.r_0, at, cut.column + i);
    }
  }
  for (int c = firstOfParts_; c < columns_; ++c) transpose_.column(c).setZero();
  if (firstOfParts_ == columns_) return;
  const ClusterTree& tree = equations_.clusters();
  for (const UnitReaction& r : at.unitReactions) {
    const int column = columnOf_[r.multiplier];
    if (column < firstOfParts_) continue;
    const Vector3d& point = at.frames[tree.frameOfId()[r.frame]].r_0;
    const int node = equations_.nodeOfFrame()[r.frame];
    for (int c = tree.clusterOfNode(node); c > 0; c = tree.clusters()[c].parent)
      add(c, 1, r.unit, point, at, column);
  }
  for (const UnitFlow& f : at.unitFlows) {
    const int column = columnOf_[f.multiplier];
    if (column < firstOfParts_) continue;
    for (const PotentialNetwork::Term& t : termsAt(f.flange))
      transpose_(velocityOf_[t.source], column) += t.coefficient * f.unit;
  }
}

/// The share of the joint that carries a cluster, of a load about a point.
void ReactionColumns::add(int cluster, double sign, const Wrench<double>& load,
                          const Vector3d& point, const Workspace<double>& at, int column) {
  const ClusterTree::Cluster& c = equations_.clusters().clusters()[cluster];
  double tau[6];  // [N | N.m]
  equations_.clusters().work(c, at, load.shifted(point - at.frames[c.frame].r_0), tau);
  if (c.joint->nv == 0) return;
  // Of one joint they stand together.
  double* const share = transpose_.data() + transpose_.place(c.joint->v, column);
  for (int k = 0; k < c.joint->nv; ++k) share[k] += sign * tau[k];
}

}  // namespace cardan
