#include "engine/equations/motion_flow.h"

#include <algorithm>

namespace cardan {

MotionFlow::MotionFlow(const FlatModel& b, const std::vector<bool>& instances)
    : jointCount_(count(b.edges)) {
  // Of the ground no instance owns the frame.
  const auto isOfThem = [&](const auto& x) { return x.instance >= 0 && instances[x.instance]; };
  const auto collect = [&](const auto& all, std::vector<int>& at, std::vector<int>& read) {
    at.assign(all.size(), -1);
    for (size_t k = 0; k < all.size(); ++k) {
      if (!isOfThem(all[k])) continue;
      at[k] = count(read);
      read.push_back(k);
    }
  };
  collect(b.frames, frameAt_, frames_);
  collect(b.flanges, flangeAt_, flanges_);
  collect(b.unknowns, unknownAt_, unknowns_);
  for (size_t k = 0; k < b.edges.size(); ++k) {
    const FlatModel::Edge& e = b.edges[k];
    if (!isOfThem(e) || !e.law) continue;
    joints_.push_back(
        {static_cast<int>(k), e.nq(), e.nv(), e.law->plainCoordinates(), coordinates_});
    coordinates_ += e.nq() + 2 * e.nv();
  }
}

bool MotionFlow::isPlacedByForces(const FlatModel& b, const PotentialNetwork& network,
                                  const SpanningTree& spanningTree, int instance) {
  const auto isOf = [&](const auto& x) { return x.instance == instance; };
  for (size_t f = 0; f < b.flanges.size(); ++f) {
    if (!isOf(b.flanges[f])) continue;
    for (const PotentialNetwork::Term& t : network.nodes[network.nodeOfFlange[f]].terms) {
      if (network.sources[t.source].kind == PotentialNetwork::SourceKind::massless) return true;
    }
  }
  // Points without mass.
  const bool hasFrames = std::ranges::any_of(b.frames, isOf);
  const bool anyFree = std::ranges::any_of(spanningTree.tree, [&](const auto& t) {
    const FlatModel::Edge& e = b.edges[t.edge];
    return e.isRoot && e.nq() > 0 && e.nv() == 0;
  });
  return hasFrames && anyFree;
}

bool MotionFlow::isKnown(const FlatModel& b, const PotentialNetwork& network,
                         const SpanningTree& spanningTree, int instance) {
  const auto isOf = [&](const auto& x) { return x.instance == instance; };
  // Joints outside the tree whose coordinates have no rates of their own.
  const bool isCut = std::ranges::any_of(spanningTree.cuts, [&](int k) {
    const FlatModel::Edge& e = b.edges[k];
    return isOf(e) && e.law && !e.law->plainCoordinates();
  });
  return !isPlacedByForces(b, network, spanningTree, instance) && !isCut &&
         !std::ranges::any_of(b.pasts, isOf);
}

void MotionFlow::prepare(int signals, Numbers& n) const {
  n.frames.resize(frames_.size());
  n.flanges.resize(flanges_.size());
  n.coordinates.resize(coordinates_);
  n.joints.resize(jointCount_, {nullptr, nullptr, nullptr});
  n.y.resize(unknowns_.size());
  n.yp.resize(unknowns_.size());
  n.signals.resize(signals, Dual(0));
  n.signalRates.resize(signals, Dual(0));
  EvaluationTables<Dual>& t = n.tables;
  t.frameNode = frameAt_.data();
  t.frames = n.frames.data();
  t.flangeNode = flangeAt_.data();
  t.flanges = n.flanges.data();
  t.joints = n.joints.data();
  t.unknownOffset = unknownAt_.data();
  t.y = n.y.data();
  t.yp = n.yp.data();
  t.signals = n.signals.data();
  t.signalRates = n.signalRates.data();
  t.expressions = &n.expressions;
}

}  // namespace cardan
