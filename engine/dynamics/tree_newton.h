/// TreeNewton: the exact Newton solve of a tree of bodies in O(n), by a block recursion.
#pragma once

#include <optional>
#include <vector>

#include "engine/dynamics/articulated_tree.h"
#include "engine/dynamics/axis_accelerations.h"
#include "engine/dynamics/open_places.h"
#include "engine/dynamics/spatial.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {

/// Solves J x = b, J = dF/dy + cj dF/dy', without forming J.
///
/// The motion of a cluster varies by x = (nu, eta, xi), each a spatial vector about the origin of
/// the far node of its joint, resolved in world:
///   xi   variation of its place (turn, shift)
///   nu   variation of its velocity as seen from the cluster itself: dw - theta x w, dv - theta x v
///   eta  of its acceleration (dz + w x nu_w, da + 2 v x nu_w), a without uniform gravity
/// Over a joint whose coordinates stay, all three pass unchanged, so that a joint adds B beta and
/// nothing else:
///   x = x_parent + B beta - B_v b_q,          beta = dv + b_q, b_q the kinematic residues
///   load of a cluster and all it carries      P x + p, seen from the cluster
///   seen from the parent                      P x_parent + U beta,  U = P B + xi x* F
///   its row of dynamics                       S' (P x_parent + U beta) + T beta = b_v
/// beta is eliminated from the leaves to the world: a pivot D = S' U + T of the size of the joint.
/// Of joints with an axis and of rigid bodies B and P are formulas; of others B, T and the shares of P
/// are derivatives by Dual with seeds of one joint or one cluster. xi is left out where no part
/// depends on it; the accelerations alone need eta only.
///
/// Exact where frames are rigid, that is where coordinates meet their own constraints (Q.Q = 1):
/// off them by e, the pivots are off by O(e). The residues of these constraints themselves act on
/// the dynamics exactly.
///
/// Source  engine/README.md, "Newton matrix"
class TreeNewton {
 public:
  explicit TreeNewton(const Equations& equations,
                      ArticulatedTree::Scope scope = ArticulatedTree::Scope::everything);

  /// True: the structure of the model allows the recursion.
  bool fits() const { return structure_.local; }

  /// Factorises at the point that `at` was evaluated at, by clusters (Purpose::everyFrame = false).
  /// False: a pivot is singular or not finite.
  bool factor(const Workspace<double>& at, double cj);
  /// The same for the accelerations alone: d F / d der(v), the mass matrix.
  bool factorAccelerations(const Workspace<double>& at);

  /// J x = b; arrays of length n, may alias.
  void solve(const double* b, double* x);
  /// M da = f; arrays of length nv, may alias.
  void solveAccelerations(const double* f, double* da);
  /// Both at once, for one f alone.
  bool accelerations(const Workspace<double>& at, const double* f, double* da);

 private:
  /// Seeds of one joint: weights of (dq, dv, da) per unit of beta and of a velocity alone.
  struct Weights {
    double q, v, a;
    bool velocity;  ///< directions of a velocity alone are needed too
  };
  /// What a joint keeps for solve(), as offsets by its first velocity.
  struct Joint {
    const Layout::TreeJoint* step;
    const ClusterTree::Cluster* cluster;  ///< that it carries
    int parent;
    int inverse;           ///< first element of D^-1 and of the velocities' share
    int kinematic;         ///< index into kinematics_, -1: dq = beta / cj
    OpenPlaces::Place at;  ///< of the cluster's P in P_, while it is needed
    SpatialShift shift;
  };
  /// Motion of the cluster that a joint carries and what it takes, resolved in world.
  struct Motion {
    Vector3d arm;         ///< [m]  from the parent's origin to its own
    Vector3d axis;        ///< of a joint that has one
    Vector3d w, v, z, a;  ///< a without uniform gravity; w, z only with velocities
    Vector3d h;           ///< [kg.m]  of its rigid body about its origin
    Matrix3d I;           ///< [kg.m2]
    Wrench<double> load;
  };
  /// Kinematic rows of a joint with other coordinates than plain ones: dq = Z beta + Y b_e.
  struct Kinematics {
    SmallMatrix inverse;
  };

  /// Offset of the columns of eta among the blocks.
  static constexpr int eta(int blocks) { return blocks == 1 ? 0 : 1; }
  bool probeIsPosed(const ArticulatedTree::Part& part);
  template <int blocks>
  bool factorWith(const Workspace<double>& at, double cj, const Weights& weights);
  bool kinematicRows(const Workspace<double>& at, double cj);
  /// Columns of one joint: motion of the far end by its coordinates, and its own rows.
  struct Columns {
    double ofBeta[36], ofVelocity[36];
    Spatial turnOfBeta[6];
  };
  void fetchNodes(const Workspace<double>& at, const ArticulatedTree::Part& part);
  void addPart(const ArticulatedTree::Part& part, const Vector3d& origin, int blocks, Spatial* P);
  template <int blocks>
  Motion motionOf(size_t j, const Workspace<double>& at) const;
  template <int blocks>
  void addBody(double m, const Motion& x, Spatial* P) const;
  template <int blocks>
  void axisColumns(size_t j, const Workspace<double>& at, const Motion& x, double cj,
                   const Weights& weights, Columns& out);
  template <int blocks>
  void columns(size_t j, const Workspace<double>& at, double cj, const Weights& weights,
               Columns& out);
  template <int blocks>
  bool eliminate(size_t j, const Workspace<double>& at, double cj, const Weights& weights);
  template <int blocks, int size>
  bool reduce(size_t j, const Motion& x, const Weights& weights, const Columns& of);
  void findAxisInertia(const Workspace<double>& at);
  void fetchSignals(const Workspace<double>& at);
  void addAxisParts(size_t j, const JointState<Dual>& x, Dual* tau);
  template <int blocks>
  void sweep(const double* bq, const double* bv);
  void solveSingleFreedoms(const double* f, double* da);
  void addDeformation(const double* b, double* x);

  const Equations& equations_;
  ArticulatedTree structure_;
  int blocks_ = 2;
  bool singleFreedoms_ = false;              ///< every joint has nv = 1
  std::optional<AxisAccelerations> onAxes_;  ///< where ClusterTree::axes()
  std::vector<double> axisInertia_;          ///< per joint, of the parts at its axis
  double cj_ = 0;
  Vector3d gravity_{0, 0, 0};
  std::vector<Joint> joints_;
  std::vector<Kinematics> kinematics_;
  bool extraRows_ = false;  ///< some joint has constraints among its positions

  // Per cluster
  std::vector<Spatial> P_;  ///< 6 rows of blocks
  std::vector<Spatial> x_, load_;
  // Per velocity
  std::vector<Spatial> S_, U_, PBv_;
  std::vector<Spatial> B_, Bv_, G_;           ///< blocks each
  std::vector<double> inverse_, ofVelocity_;  ///< per joint nv x nv
  std::vector<double> beta_, bq_, bv_;

  // Scratch of the local evaluations
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
  std::vector<double> point_, rate_;  ///< y, y' of the last factor(), for extraRows_
  double time_ = 0;
  Workspace<Dual> whole_;  ///< filled only for extraRows_
  std::vector<double> rhs_;
};

}  // namespace cardan
