/// ReactionColumns: what the reactions of constraints do along the velocities of the tree.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "engine/equations/equations.h"

namespace cardan {

/// G', a column a multiplier, without derivatives: unit reactions are carried towards the world, and
/// every joint on the way gets its share. Of the joints that close loops, of relations between
/// flanges, and of parts that have frames or flanges alone and state their reactions by View::react.
class ReactionColumns {
 public:
  explicit ReactionColumns(const Equations& equations);

  /// Its reaction is found here, and is all that the multiplier does.
  bool has(int multiplier) const { return columnOf_[multiplier] >= 0; }
  bool empty() const { return columns_ == 0; }

  /// At the motion that `at` was evaluated at, by clusters (Purpose::everyFrame = false).
  void evaluate(const Workspace<double>& at);
  /// Of a multiplier that it has: generalised forces [N | N.m] of a unit reaction, on the velocities of its
  /// island.
  auto column(int multiplier) const { return transpose_.column(columnOf_[multiplier]); }

 private:
  /// A joint between the ends of a cut one: what carries both ends feels nothing.
  struct Link {
    int cluster;  ///< that the joint carries
    double sign;  ///< +1: with frame_b, -1: with frame_a
  };
  struct Cut {
    const Layout::CutJoint* joint;
    int column;
    std::vector<Link> links;
  };
  void addCuts();
  void addRelations();
  void addParts();
  void findVelocities();
  bool reachVelocities(const std::vector<PotentialNetwork::Term>& terms) const;
  const std::vector<PotentialNetwork::Term>& termsAt(int flange) const;
  void add(int cluster, double sign, const Wrench<double>& load, const Vector3d& point,
           const Workspace<double>& at, int column);

  const Equations& equations_;
  std::vector<int> columnOf_;  ///< per multiplier, -1: it has not
  std::vector<Cut> cuts_;
  std::vector<int> velocityOf_;  ///< per source of potentials: index into v; -1: it has no inertia,
                                 ///< or what drives it passes its flow on
  int columns_ = 0;
  int firstOfParts_ = 0;   ///< column
  BlockMatrix transpose_;  ///< nv x rows
};

}  // namespace cardan
