/// ClusterTree: the tree of the bodies with everything that moves together merged.
#pragma once

#include <vector>

#include "engine/equations/body_tree.h"
#include "engine/equations/workspace.h"
#include "engine/structure/layout.h"

namespace cardan {

/// Nodes that do not move relative to each other form a cluster: one frame, one rigid body, hanging on
/// a joint with freedoms; cluster 0 is the world. The sweeps go over clusters, in their order in
/// memory. Frames of nodes are found only where a component, a cut joint or a signal reads them.
///
/// A cluster on an axis has a frame of its own, one of whose axes is the joint's, so that turning mixes
/// two rows and nothing else. Any other cluster's frame is that of the joint's far node, and the
/// joint's law carries it there. Nodes that sit exactly in their cluster's frame share it.
///
/// Doubles go over bodies() instead: Workspace::bodies has motion and loads of all clusters, and frames
/// are there where one is read.
///
/// Rigid bodies are added up where gravity is uniform:
///   f = m T (a_0 - g_0) + z x h + w x (w x h)
///   t = I z + w x (I w) + h x T (a_0 - g_0)       h = m r_CM, I about the frame's origin
class ClusterTree {
 public:
  using Kind = BodyTree::Kind;

  /// Where a node is, relative to the frame of its cluster.
  struct Placement {
    int node;
    bool moved, turned;  ///< false: at its origin; parallel to it
    Vector3d r;          ///< [m]  from the cluster's origin, resolved in its frame
    Matrix3d T;          ///< from the cluster's frame into the node's
  };
  struct Cluster {
    int parent = -1;
    int frame = 0;        ///< index into Workspace::frames and loads
    int parentFrame = 0;  ///< likewise of the parent
    Kind kind = Kind::general;
    const Layout::TreeJoint* joint = nullptr;  ///< null: the world
    int q = 0, v = 0, vRow = 0;  ///< of its first one: indices into y, y, the residual
    int axis = 2;                ///< of the frame: the joint's
    double sense = 1;            ///< of the axis, and of the joint: +1 or -1
    double offset = 0;           ///< [rad | m]  of the coordinate of an axis
    // But for a general joint: from the parent's frame to that before the joint.
    bool straight = true, apart = false;
    Vector3d r_near{0, 0, 0};
    Matrix3d T_near = Matrix3d::Identity();
    // The rigid body that it is, about its frame's origin, resolved in its frame.
    bool massive = false;
    double m = 0;
    Vector3d h{0, 0, 0};
    Matrix3d I = Matrix3d::Zero();
    int firstPlacement = 0, lastPlacement = 0;  ///< nodes that are read
    bool framed = true;                         ///< doubles need its frame
    bool onAxis() const { return kind == Kind::turn || kind == Kind::slide; }
  };

  /// What is asked for besides the motion of what is read.
  enum class Scope { loads, motion };
  /// `reads`: per instance, whether signals or results read its variables.
  ClusterTree(const FlatModel& flatModel, const Layout& layout, const std::vector<int>& nodeOfFrame,
              int nodes, const std::vector<bool>& reads, Scope scope = Scope::loads);

  /// Finds all constants again, after parameters of components have changed.
  void place();
  int version() const { return version_; }

  /// Nodes and the clusters' own frames.
  int frames() const { return frames_; }
  const std::vector<Cluster>& clusters() const { return clusters_; }
  int clusterOfNode(int node) const { return clusterOfNode_[node]; }
  /// Where a node that is read stands in Workspace::frames, and all nodes and all FrameIds.
  int frameOfNode(int node) const { return frameOfNode_[node]; }
  const std::vector<int>& frameOfNode() const { return frameOfNode_; }
  const std::vector<int>& frameOfId() const { return frameOfId_; }
  /// The instance is a rigid body that its cluster has taken over.
  bool isMerged(size_t instance) const { return merged_[instance]; }
  /// The same tree in vectors of the world.
  const BodyTree& bodies() const { return bodies_; }
  /// [m/s2]  that of the bodies taken over, resolved in world
  const Vector3d& gravity() const { return gravity_; }

  /// Motion of all clusters and of the nodes that are read, from the coordinates.
  template <class S>
  void rootsToLeaves(Workspace<S>& w) const;
  /// Sets the loads to zero that leavesToRoots() gathers.
  template <class S>
  void clearLoads(Workspace<S>& w) const;
  /// Loads of clusters and nodes carried to the world; what a joint leaves free goes into its rows.
  /// `inertia`: with those of the rigid bodies; for doubles without them no row has a load, which
  /// stays where it is, in the f and t of its body.
  template <class S>
  void leavesToRoots(Workspace<S>& w, bool inertia) const;
  /// Work of a load on cluster c, about its origin, per unit of the velocities of its joint: tau has
  /// joint->nv elements. At the motion of `w`.
  void work(const Cluster& c, const Workspace<double>& w, const Wrench<double>& load,
            double* tau) const;
  /// The frame of cluster c, and that before its joint, from the motion of the bodies in `w`.
  FrameState<double> frameOf(size_t c, const Workspace<double>& w) const;
  FrameState<double> frameBefore(size_t c, const Workspace<double>& w) const;
  /// The motion in `from` as a constant in `w`.
  void holdMotion(Workspace<Dual>& w, const Workspace<double>& from) const;

 private:
  void markReadNodes(const FlatModel& flatModel, const std::vector<int>& nodeOfFrame,
                     const std::vector<bool>& reads, Scope scope);
  void findPlaces();
  void findPlacements();
  void addBody(const RigidBody& body);
  std::vector<BodyTree::Link> makeLinks() const;
  template <class S>
  void carryBefore(const Cluster& c, const FrameState<S>& a, FrameState<S>& b) const;
  template <int axis, class S>
  void carry(const Cluster& c, Workspace<S>& w) const;
  template <class S>
  void carryByLaw(const Cluster& c, Workspace<S>& w) const;
  template <class S>
  void project(const Cluster& c, const Workspace<S>& w, const Wrench<S>& load, S* tau) const;
  template <class S>
  void projectByLaw(const Cluster& c, const Workspace<S>& w, const Wrench<S>& load, S* tau) const;
  template <class S>
  void placeNodes(const Cluster& c, Workspace<S>& w) const;
  template <class S>
  Wrench<S>& gather(const Cluster& c, const Workspace<S>& w, std::vector<Wrench<S>>& loads) const;
  template <class S>
  void carryVirtualLoads(Workspace<S>& w) const;
  void moveBodies(Workspace<double>& w) const;
  void carryLoads(Workspace<double>& w, bool inertia) const;
  template <class S>
  void addInertia(const Cluster& c, const FrameState<S>& x, Wrench<S>& load) const;

  const FlatModel& flatModel_;
  const Layout& layout_;
  const std::vector<int> nodeOfFrame_;
  int nodes_, frames_ = 0, version_ = 0;
  std::vector<int> clusterOfNode_, frameOfNode_, frameOfId_;
  std::vector<bool> read_;    ///< per node
  std::vector<bool> merged_;  ///< per instance
  bool uniform_ = true;       ///< gravity
  Vector3d gravity_{0, 0, 0};
  std::vector<Cluster> clusters_;
  std::vector<Placement> placements_;
  BodyTree bodies_;
  /// Clusters first .. last - 1: on axes, or one joint of another kind.
  struct Run {
    size_t first, last;
  };
  std::vector<Run> runs_;
  std::vector<FrameState<double>> places_;  ///< per node, relative to its cluster's frame, at rest
};

}  // namespace cardan
