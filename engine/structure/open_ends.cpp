#include "engine/structure/open_ends.h"

#include <algorithm>

#include "engine/structure/union_find.h"

namespace cardan {
namespace {

/// Which connectors have no part but the own component in their set.
class Open {
 public:
  explicit Open(const FlatModel& b)
      : b_(b), frameSets_(b.frames.size()), flangeSets_(b.flanges.size()) {
    for (auto [p, q] : b.frameConnections) frameSets_.unite(p, q);
    for (auto [p, q] : b.flangeConnections) flangeSets_.unite(p, q);
    frames_ = alone(b.frames, frameSets_);
    flanges_ = alone(b.flanges, flangeSets_);
  }

  bool frame(int f) const { return frames_[f]; }
  bool flange(int f) const { return flanges_[f]; }
  /// True of the user's own components, not of the parts inside them.
  bool isOwn(int instance) const { return instance >= 0 && b_.instances[instance].parent < 0; }

 private:
  template <class Connector>
  std::vector<bool> alone(const std::vector<Connector>& connectors, UnionFind& sets) const {
    constexpr int kNone = -2, kSeveral = -3;
    std::vector<int> userOf(connectors.size(), kNone);
    const auto set = [&](int c) { return sets.find(c); };
    for (size_t c = 0; c < connectors.size(); ++c) {
      int& known = userOf[set(c)];
      const int here = b_.wholeOf(connectors[c].instance);
      known = known == kNone || known == here ? here : kSeveral;
    }
    std::vector<bool> result;
    for (size_t c = 0; c < connectors.size(); ++c) result.push_back(userOf[set(c)] != kSeveral);
    return result;
  }

  const FlatModel& b_;
  UnionFind frameSets_, flangeSets_;
  std::vector<bool> frames_, flanges_;
};

/// "'a.flange_a'", "'a.flange_a' and 'a.flange_b'"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + ("'" + names[i] + "'");
  }
  return text + (names.size() == 1 ? " is" : " are") + " connected to nothing";
}

/// Flanges that nobody but their component moves, and that no inertia, joint or drive holds.
void checkFlanges(const FlatModel& b, const PotentialNetwork& network, const Open& open,
                  Diagnostics& diagnostics) {
  struct Ends {
    std::vector<std::string> lone;
    int mechanical = 0;
  };
  std::vector<Ends> ends(b.instances.size());
  for (size_t f = 0; f < b.flanges.size(); ++f) {
    const FlatModel::Flange& flange = b.flanges[f];
    if (!isMechanical(flange.domain) || flange.instance < 0) continue;
    Ends& e = ends[b.wholeOf(flange.instance)];
    ++e.mechanical;
    if (!open.isOwn(flange.instance) || !open.flange(f)) continue;
    const PotentialNetwork::Node& node = network.nodes[network.nodeOfFlange[f]];
    const bool held =
        node.terms.empty() || std::ranges::any_of(node.terms, [&](const PotentialNetwork::Term& t) {
          return network.sources[t.source].kind != PotentialNetwork::SourceKind::massless;
        });
    if (!held) e.lone.push_back(flange.name);
  }
  for (size_t i = 0; i < ends.size(); ++i) {
    const Ends& e = ends[i];
    if (e.lone.empty()) continue;
    const Instance& instance = b.instances[i];
    const std::string text = b.typeAndName(i) + ": " + listed(e.lone);
    if (std::ssize(e.lone) == e.mechanical) {
      diagnostics.error(instance.at, text + ", so that nothing determines its motion");
    } else {
      diagnostics.warning(instance.at, text);
    }
  }
}

/// Joints with an end in the air.
void checkJoints(const FlatModel& b, const SpanningTree& spanningTree, const Open& open,
                 Diagnostics& diagnostics) {
  for (int i = 0; i < std::ssize(b.edges); ++i) {
    const FlatModel::Edge& e = b.edges[i];
    if (e.isRoot || e.velocities.empty() || !open.isOwn(e.instance)) continue;
    std::vector<std::string> lone;
    FrameId other{-1};
    for (FrameId f : {e.a, e.b}) {
      const FlatModel::Frame& frame = b.frames[f.index];
      if (!frame.internal && open.frame(f.index)) {
        lone.push_back(frame.name);
      } else {
        other = f;
      }
    }
    if (lone.empty()) continue;
    bool driven = false;
    for (const FlatModel::AxisBinding& a : b.axes)
      driven = driven || (a.joint.index == i && !open.flange(a.flange.index));
    std::string text = b.typeAndName(e.instance) + ": " + listed(lone);
    const SourceMark& at = b.instanceOf(e).at;
    if (driven) {
      diagnostics.warning(at, text);
      continue;
    }
    text += ", so that it moves no mass";
    for (const SpanningTree::TreeEdge& t : spanningTree.tree) {
      const FlatModel::Edge& root = b.edges[t.edge];
      if (root.isRoot && other.index >= 0 && spanningTree.nodeOfFrame[other.index] == t.far) {
        text += ", and '" + b.instanceOf(root).name + "' floats";
      }
    }
    diagnostics.error(at, text);
  }
}

}  // namespace

std::vector<std::string> openEnds(const FlatModel& b) {
  const Open open(b);
  std::vector<std::string> result;
  for (size_t f = 0; f < b.frames.size(); ++f) {
    const FlatModel::Frame& frame = b.frames[f];
    if (frame.instance > 0 && open.isOwn(frame.instance) && !frame.internal && open.frame(f))
      result.push_back(frame.name);
  }
  for (size_t f = 0; f < b.flanges.size(); ++f) {
    const FlatModel::Flange& flange = b.flanges[f];
    if (open.isOwn(flange.instance) && open.flange(f)) result.push_back(flange.name);
  }
  return result;
}

void checkOpenEnds(const FlatModel& flatModel, const SpanningTree& spanningTree,
                   const PotentialNetwork& network, Diagnostics& diagnostics) {
  const Open open(flatModel);
  checkFlanges(flatModel, network, open, diagnostics);
  checkJoints(flatModel, spanningTree, open, diagnostics);
}

}  // namespace cardan
