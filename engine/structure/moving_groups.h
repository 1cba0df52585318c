/// MovingGroups: frames that are fixed to each other, and the groups of them that joints join.
#pragma once

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
  MovingGroups(const FlatModel& flatModel, const std::vector<int>& carriers);

  /// Group of a frame: what connections and rigid parts hold together.
  int of(int frame) { return rigid_.find(frame); }
  /// A joint with fewer than six freedoms leads from one body to the other; the world is none.
  bool areJoined(int a, int b) const { return joined_.contains(std::minmax(a, b)); }
  /// [kg]  Of the group and of all that joints join it with; infinite for the world.
  double mass(int group);

 private:
  struct Joint {
    int a, b;
    int freedoms;
  };
  void joinAcross(std::vector<Joint>& joints, const std::vector<bool>& isBody) const;

  UnionFind rigid_;
  UnionFind machines_;          ///< groups joined by joints
  std::vector<double> masses_;  ///< [kg]  per machine, by its first frame
  std::set<std::pair<int, int>> joined_;
};

}  // namespace cardan
