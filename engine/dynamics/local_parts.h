/// LocalParts: derivatives of the loads of parts that reach no further than one cluster or one joint.
#pragma once

#include <vector>

#include "engine/dynamics/articulated_tree.h"
#include "engine/dynamics/spatial.h"

namespace cardan {

/// Evaluates parts by Dual with seeds of the motion of their own cluster, or of the coordinates of their
/// own joint.
class LocalParts {
 public:
  explicit LocalParts(const Equations& equations);

  const ArticulatedTree& structure() const { return structure_; }
  /// The load of some part depends on the place of its cluster.
  bool posed() const { return posed_; }

  /// Takes time and signals as they are.
  void fetchSignals(const Workspace<double>& at);
  bool hasParts(size_t cluster) const {
    return structure_.firstPart[cluster] < structure_.firstPart[cluster + 1];
  }
  bool hasAxisParts(size_t joint) const {
    return structure_.firstAxisPart[joint] < structure_.firstAxisPart[joint + 1];
  }
  /// Adds the derivatives of the loads of a cluster's parts by its motion about `origin`: six rows of
  /// `blocks` (TreeNewton's nu, eta, xi).
  void add(size_t cluster, const Workspace<double>& at, const Vector3d& origin, int blocks,
           Spatial* P);
  /// Adds what the parts at the axis of a joint take, per coordinate.
  void addAtAxis(size_t joint, const JointState<Dual>& x, Dual* tau);

 private:
  bool probeIsPosed(const ArticulatedTree::Part& part);
  void fetchNodes(const Workspace<double>& at, const ArticulatedTree::Part& part);
  void addPart(const ArticulatedTree::Part& part, const Vector3d& origin, int blocks, Spatial* P);

  const Equations& equations_;
  ArticulatedTree structure_;
  bool posed_ = false;
  Vector3d gravity_{0, 0, 0};

  ExpressionValues<Dual> expressions_;
  EvaluationTables<Dual> tables_;
  std::vector<FrameState<Dual>> frames_;
  std::vector<Wrench<Dual>> loads_;
  struct Slot {
    Vector3d r_0, v_0, a_0;  ///< a_0 without uniform gravity
    Matrix3d T;
    Vector3d w_a, z_a;
    bool world;  ///< part of the world: it does not move
  };
  std::vector<Slot> slots_;
  std::vector<Dual> signals_, signalRates_;
  std::vector<FlangeState<Dual>> flanges_;
  std::vector<Dual> flangeLoads_;
};

}  // namespace cardan
