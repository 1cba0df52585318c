/// MovingGroups: frames that are fixed to each other, and the groups of them that joints join.
#pragma once

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "engine/structure/flat_model.h"
#include "engine/structure/union_find.h"

namespace cardan {

class MovingGroups {
 public:
  static constexpr int kWorld = 0;  ///< the group of what is fixed in the world

  /// `carriers`: frames whose groups are bodies, besides those with mass.
  MovingGroups(const FlatModel& b, const std::vector<int>& carriers)
      : rigid_(rigidGroups(b)), machines_(rigid_), masses_(b.frames.size(), 0.0) {
    std::vector<Joint> joints;
    for (const FlatModel::Edge& e : b.edges) {
      const Joint joint{of(e.a.index), of(e.b.index), e.nv()};
      if (e.isRoot || joint.freedoms >= kFree || joint.a == joint.b) continue;
      joints.push_back(joint);
      if (joint.a != kWorld && joint.b != kWorld) machines_.unite(joint.a, joint.b);
    }
    for (const Instance& i : b.instances) {
      if (const auto body = i.component->rigidBody())
        masses_[machines_.find(body->frame.index)] += body->m;
    }
    std::vector<bool> isBody(b.frames.size(), false);
    isBody[kWorld] = true;
    for (const int frame : carriers) isBody[of(frame)] = true;
    for (const FrameId f : b.massiveFrames) isBody[of(f.index)] = true;
    joinAcross(joints, isBody);
    for (const Joint& joint : joints) {
      if (joint.freedoms < kFree && joint.a != kWorld && joint.b != kWorld)
        joined_.insert(std::minmax(joint.a, joint.b));
    }
  }

  /// Group of a frame: what connections and rigid parts hold together.
  int of(int frame) { return rigid_.find(frame); }
  /// A joint with fewer than six freedoms leads from one body to the other; the world is none.
  bool areJoined(int a, int b) const { return joined_.contains(std::minmax(a, b)); }
  /// [kg]  Of the group and of all that joints join it with; infinite for the world.
  double mass(int group) {
    return group == kWorld ? std::numeric_limits<double>::infinity()
                           : masses_[machines_.find(group)];
  }

 private:
  static constexpr int kFree = 6;  ///< freedoms of what nothing holds

  static bool isRigid(const FlatModel::Edge& e) {
    return !e.isRoot && e.law && e.law->positions() == 0 && e.law->velocities() == 0;
  }

  static UnionFind rigidGroups(const FlatModel& b) {
    UnionFind sets(b.frames.size());
    for (auto [p, q] : b.frameConnections) sets.unite(p, q);
    for (const FlatModel::Edge& e : b.edges) {
      if (isRigid(e)) sets.unite(e.a.index, e.b.index);
    }
    return sets;
  }

  struct Joint {
    int a, b;
    int freedoms;
  };
  /// Two joints with no body between them are one: those of a universal joint, of a cylindrical one.
  void joinAcross(std::vector<Joint>& joints, const std::vector<bool>& isBody) const {
    std::vector<std::vector<size_t>> at(isBody.size());
    for (size_t i = 0; i < joints.size(); ++i) {
      at[joints[i].a].push_back(i);
      at[joints[i].b].push_back(i);
    }
    for (int between = 0; between < std::ssize(isBody); ++between) {
      if (isBody[between] || at[between].size() != 2) continue;
      const size_t kept = at[between][0], dropped = at[between][1];
      if (kept == dropped) continue;
      const auto otherEnd = [&](const Joint& j) { return j.a == between ? j.b : j.a; };
      const int far = otherEnd(joints[dropped]);
      joints[kept] = {otherEnd(joints[kept]), far,
                      joints[kept].freedoms + joints[dropped].freedoms};
      joints[dropped].freedoms = kFree;
      std::ranges::replace(at[far], dropped, kept);
    }
  }

  UnionFind rigid_;
  UnionFind machines_;          ///< groups joined by joints
  std::vector<double> masses_;  ///< [kg]  per machine, by its first frame
  std::set<std::pair<int, int>> joined_;
};

}  // namespace cardan
