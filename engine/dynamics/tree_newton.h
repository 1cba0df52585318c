/// TreeNewton: the exact Newton solve of a tree of bodies in O(n), by a block recursion.
#pragma once

#include <optional>
#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/dynamics/local_parts.h"
#include "engine/dynamics/open_places.h"
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
/// Of joints with an axis, of those that are free to turn and of rigid bodies B and P are formulas; of
/// others B, T and the shares of P are derivatives by Dual with seeds of one joint or one cluster
/// (LocalParts). xi is left out where no part depends on it.
///
/// Exact where frames are rigid, that is where coordinates meet their own constraints (Q.Q = 1):
/// off them by e, the pivots are off by O(e). The residues of these constraints themselves act on
/// the dynamics exactly.
///
/// Source  engine/README.md, "Newton matrix"
class TreeNewton {
 public:
  explicit TreeNewton(const Equations& equations);

  /// True: the structure of the model allows the recursion.
  bool fits() const { return parts_.structure().local; }

  /// Factorises at the point that `at` was evaluated at, by clusters (Purpose::everyFrame = false).
  /// False: a pivot is singular or not finite.
  bool factor(const Workspace<double>& at, double cj);

  /// J x = b; arrays of length n, may alias.
  void solve(const double* b, double* x);

 private:
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
    Vector3d w, v, z, a;  ///< a without uniform gravity
    Vector3d h;           ///< [kg.m]  of its rigid body about its origin
    Matrix3d I;           ///< [kg.m2]
    Wrench<double> load;
  };
  /// Kinematic rows of a joint with other coordinates than plain ones: dq = Z beta + Y b_e.
  struct Kinematics {
    SmallMatrix inverse;
  };

  template <int blocks>
  bool factorWith(const Workspace<double>& at);
  bool kinematicRows(const Workspace<double>& at, double cj);
  /// Columns of one joint: motion of the far end by its coordinates, and its own rows.
  struct Columns {
    double ofBeta[36], ofVelocity[36];
    Spatial turnOfBeta[6];
  };
  Motion motionOf(size_t j, const Workspace<double>& at) const;
  template <int blocks>
  void addBody(double m, const Motion& x, Spatial* P) const;
  template <int blocks>
  void axisColumns(size_t j, const Workspace<double>& at, const Motion& x, Columns& out);
  template <int blocks>
  void freeColumns(size_t j, const Workspace<double>& at, const Motion& x, Columns& out);
  void seedColumns(size_t j, const Workspace<double>& at, int d0, int d1, Dual* q, Dual* v,
                   Dual* vd) const;
  template <int blocks>
  void columns(size_t j, const Workspace<double>& at, const Motion& x_far, Columns& out);
  template <int blocks>
  bool eliminate(size_t j, const Workspace<double>& at);
  template <int blocks>
  void keepColumns(size_t j, int d0, int d1, const double (*lanes)[kLanes], const Dual* tau,
                   Columns& out);
  template <int size>
  void freeMatrix(const Layout::TreeJoint& s, const double* ofBeta, double* D,
                  double* magnitude) const;
  template <int blocks>
  void addToParent(const Joint& joint, const Vector3d& shift, Spatial* P);
  template <int blocks, int size>
  bool reduce(size_t j, const Motion& x, const Columns& of);
  template <int blocks>
  void sweep(const double* bq, const double* bv);
  void addDeformation(const double* b, double* x);

  const Equations& equations_;
  LocalParts parts_;
  int blocks_ = 2;
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

  std::optional<EvaluationPoint> whole_;  ///< of the last factor(), for extraRows_ alone
  std::vector<double> rhs_;
};

}  // namespace cardan
