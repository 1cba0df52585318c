#include "engine/robots/urdf/kinematic_tree.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engine/robots/attributes.h"

namespace cardan::robots::urdf {
namespace {

using Index = std::unordered_map<std::string, int>;

/// By name; names given twice are reported.
template <class Part>
Index indexed(const std::vector<Part>& parts, const char* noun, Diagnostics& diagnostics) {
  Index index;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].name.empty()) continue;
    const auto [found, isNew] = index.emplace(parts[i].name, i);
    if (isNew) continue;
    diagnostics.error(parts[i].element->mark(),
                      std::string(noun) + " '" + parts[i].name + "' is there twice");
    diagnostics.note(parts[found->second].element->mark(), "first here");
  }
  return index;
}

template <class Part>
std::vector<std::string> namesOf(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& p : parts) names.push_back(p.name);
  return names;
}

class TreeMaker {
 public:
  TreeMaker(const Parts& parts, Diagnostics& diagnostics)
      : parts_(parts), diagnostics_(diagnostics) {}

  std::optional<KinematicTree> make() {
    const int before = diagnostics_.errorCount();
    if (parts_.links.empty()) {
      diagnostics_.error(parts_.element->mark(), "<robot> must hold a <link>, found none");
      return std::nullopt;
    }
    links_ = indexed(parts_.links, "link", diagnostics_);
    joints_ = indexed(parts_.joints, "joint", diagnostics_);
    tree_.jointTo.assign(parts_.links.size(), -1);
    connect();
    // Where a joint lacks a link, all else would only follow from that.
    if (std::ranges::count(tree_.parentOf, -1) + std::ranges::count(tree_.childOf, -1) > 0)
      return std::nullopt;
    if (diagnostics_.errorCount() == before) findOrder();
    if (diagnostics_.errorCount() == before) follow();
    if (diagnostics_.errorCount() != before) return std::nullopt;
    return std::move(tree_);
  }

 private:
  const NamedJoint& joint(int j) const { return parts_.joints[j]; }
  const Body& link(int l) const { return parts_.links[l]; }

  int linkNamed(const std::string& name, const NamedJoint& j, const SourceMark& at) {
    if (name.empty()) return -1;  // reported
    const auto found = links_.find(name);
    if (found != links_.end()) return found->second;
    if (linkNames_.empty()) linkNames_ = namesOf(parts_.links);
    diagnostics_.error(
        at, "joint '" + j.name + "': no link " + shown(name) + didYouMean(name, linkNames_));
    return -1;
  }

  void connect() {
    for (const NamedJoint& j : parts_.joints) {
      const int parent = linkNamed(j.parent, j, j.parentAt),
                child = linkNamed(j.child, j, j.childAt);
      tree_.parentOf.push_back(parent);
      tree_.childOf.push_back(child);
      if (child < 0) continue;
      int& carrier = tree_.jointTo[child];
      if (carrier >= 0) {
        diagnostics_.error(j.childAt, "joint '" + j.name + "': link '" + j.child +
                                          "' must have one parent, found a second one, '" +
                                          j.parent + "'");
        diagnostics_.note(joint(carrier).childAt, "the first one, '" + joint(carrier).parent +
                                                      "', is given by joint '" +
                                                      joint(carrier).name + "'");
      } else {
        carrier = std::ssize(tree_.childOf) - 1;
      }
    }
  }

  void findOrder() {
    std::vector<int> roots;
    for (size_t l = 0; l < parts_.links.size(); ++l) {
      if (tree_.jointTo[l] < 0) roots.push_back(l);
    }
    for (size_t k = 1; k < roots.size(); ++k) {
      diagnostics_.error(
          link(roots[k]).element->mark(),
          "a robot must hang together, but no joint carries link '" + link(roots[k]).name + "'");
      diagnostics_.note(link(roots[0]).element->mark(),
                        "nor this one, '" + link(roots[0]).name + "'");
    }
    if (roots.size() > 1) return;
    if (roots.size() == 1) walk(roots[0]);
    if (tree_.order.size() < parts_.links.size()) reportLoops();
  }

  void walk(int root) {
    tree_.root = root;
    std::vector<std::vector<int>> children(parts_.links.size());
    for (size_t j = 0; j < parts_.joints.size(); ++j)
      children[tree_.parentOf[j]].push_back(tree_.childOf[j]);
    std::vector<int> open{root};
    while (!open.empty()) {
      const int l = open.back();
      open.pop_back();
      tree_.order.push_back(l);
      const auto& next = children[l];
      open.insert(open.end(), next.rbegin(), next.rend());
    }
  }

  /// Every link has one parent: what the root does not reach hangs on circles.
  void reportLoops() {
    std::vector<int> seen(parts_.links.size(), 0);  // the walk that came by, 1, 2, ...
    for (const int l : tree_.order) seen[l] = -1;
    int walkNumber = 0;
    for (size_t first = 0; first < parts_.links.size(); ++first) {
      if (seen[first] != 0) continue;
      ++walkNumber;
      int l = first;
      while (seen[l] == 0) {
        seen[l] = walkNumber;
        l = parentLink(l);
      }
      if (seen[l] != walkNumber) continue;  // runs into a known circle
      reportLoop(l);
    }
  }
  int parentLink(int l) const { return tree_.parentOf[tree_.jointTo[l]]; }
  void reportLoop(int first) {
    constexpr int kMostNames = 10;
    std::string names;
    int n = 0;
    const NamedJoint* earliest = nullptr;
    for (int l = first; n == 0 || l != first; l = parentLink(l)) {
      const NamedJoint& j = joint(tree_.jointTo[l]);
      if (!earliest || j.element->line < earliest->element->line) earliest = &j;
      if (++n <= kMostNames) names += (n > 1 ? ", '" : "'") + j.name + "'";
    }
    if (n > kMostNames) names += ", ...";
    diagnostics_.error(
        earliest->element->mark(),
        "joints must form a tree, but " + (n == 1 ? "joint " + names + " carries its own link"
                                                  : "joints " + names + " form a loop"));
  }

  /// Chains of followers end at a joint that moves by itself, or at one that does not move.
  void follow() {
    tree_.followers.resize(parts_.joints.size());
    std::vector<bool> isOpen(parts_.joints.size(), false);
    for (size_t k = 0; k < parts_.joints.size(); ++k) {
      std::vector<int> chain;
      int j = k;
      while (j >= 0 && joint(j).mimic && !tree_.followers[j] && !isOpen[j]) {
        isOpen[j] = true;
        chain.push_back(j);
        j = leaderOf(joint(j));
      }
      if (j >= 0 && isOpen[j] && !tree_.followers[j])
        diagnostics_.error(joint(j).mimic->at,
                           "joint '" + joint(j).name + "' must not follow itself");
      for (; !chain.empty(); chain.pop_back()) {
        const int follower = chain.back();
        tree_.followers[follower] = following(joint(follower), j);
        j = follower;
      }
    }
  }

  /// -1, reported, where there is none.
  int leaderOf(const NamedJoint& j) {
    const std::string& name = j.mimic->joint;
    const auto found = joints_.find(name);
    if (found != joints_.end()) return found->second;
    if (!name.empty())
      diagnostics_.error(j.mimic->at, "joint '" + j.name + "': no joint " + shown(name) +
                                          " that it could follow" +
                                          didYouMean(name, namesOf(parts_.joints)));
    return -1;
  }

  /// How `j` moves behind `leader`, whose own leader is known.
  KinematicTree::Follower following(const NamedJoint& j, int leader) {
    const Mimic& m = *j.mimic;
    KinematicTree::Follower f{leader, m.multiplier, m.offset};
    if (leader < 0) return f;
    if (const auto& before = tree_.followers[leader]) {
      f = {before->leader, m.multiplier * before->multiplier,
           m.multiplier * before->offset + m.offset};
    }
    if (f.leader < 0) return f;
    const NamedJoint& first = joint(f.leader);
    if (!first.moves() || f.multiplier == 0) {
      f.leader = -1;
    } else if (!first.hasAxis()) {
      diagnostics_.error(m.at, "joint '" + j.name + "' cannot follow joint '" + first.name +
                                   "', which is " + first.word +
                                   ": it has more than one coordinate");
    } else if (!std::isfinite(f.multiplier) || !std::isfinite(f.offset)) {
      diagnostics_.error(m.at, "joint '" + j.name + "': its multipliers are too large");
    }
    return f;
  }

  const Parts& parts_;
  Diagnostics& diagnostics_;
  Index links_, joints_;
  std::vector<std::string> linkNames_;
  KinematicTree tree_;
};

}  // namespace

std::optional<KinematicTree> makeTree(const Parts& parts, Diagnostics& diagnostics) {
  return TreeMaker(parts, diagnostics).make();
}

}  // namespace cardan::robots::urdf
