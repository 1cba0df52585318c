/// BodyAccelerations: the accelerations of a tree of bodies, from the leaves to the world and back.
#pragma once

#include <vector>

#include "engine/dynamics/massive_parts.h"
#include "engine/dynamics/open_places.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {

/// Smallest pivot relative to the terms that it is made of: below, a joint moves nothing.
inline constexpr double kMovesNothing = 1e-13;

/// Solves M da = f in O(n), without forming M. With P (6 x 6) the inertia of a body and of all that it
/// carries as far as they follow it, p the load of what they do by themselves, less that under which
/// they are already, S a free direction of the joint, and J what turns or slides with it alone:
///   D = S' P S + J,    beta = (f - S' p) / D
///   P -= P S S' P / D,    p += P S beta
/// for one direction after the other, then to the parent's origin:
///   P_up += X' P X,    p_up += X' p
/// and back from the world, x the change of a body's acceleration, last direction first:
///   x = X x_up,    da = beta - S' P x / D,    x += S da
/// X carries an acceleration over the arm. Where a body is free to turn, or to turn and to shift, these
/// directions are all there are, so that its inertia A about its origin is inverted in place of them.
///
/// Shafts have a coordinate each and J for P. What a part that reaches several of all these takes of one by
/// the acceleration of another, C, is put upon the inertia T of the rest:
///   (T + C) da = f,    (1 + T^-1 C) da = T^-1 f
/// in those velocities that move such a part.
///
/// Source  Featherstone, Rigid Body Dynamics Algorithms (2008), chapter 7
class BodyAccelerations {
 public:
  explicit BodyAccelerations(const Equations& equations);

  /// True: the structure of the model allows the recursion.
  bool fits() const { return fits_; }
  /// At the motion of `at`, evaluated by clusters (Purpose::everyFrame = false) without what moves the
  /// bodies (Purpose::inertia = false), which is added on the way: M da = f + S' (load of the bodies);
  /// arrays of length nv, may alias. False: a joint moves nothing.
  bool accelerations(const Workspace<double>& at, const double* f, double* da);
  /// Behind it: M da = f for further f.
  void solve(const double* f, double* da);
  /// Operations of accelerations() that parts take, about (operations.h).
  double operations() const;

 private:
  /// A load as a function of the change of an acceleration:
  ///   t = A z + B a + t_0,  f = G z + C a + f_0
  struct Carried {
    Quad A[3], B[3], G[3], C[3];  ///< columns
    Quad t, f;

    Carried& operator+=(const Carried& other);
    void take(const Carried& other);
  };
  struct Joint {
    Quad s;     ///< its axis
    Quad t, f;  ///< of an axis: P S / D about the parent's origin
    double inverse = 0, beta = 0;
    int more = -1;  ///< index into free_ or the first one into directions_
    int part = -1;  ///< index into the shares of parts in P, -1: none
  };
  /// Of a body that is free to turn.
  struct Free {
    Quad inverse[3], H[3], G[3];   ///< A^-1, A^-1 B
    Quad rest;                     ///< A^-1 (torque of f - t_0)
    Quad inverseC[3], shift;       ///< free to shift, too: (C - G A^-1 B)^-1, and its acceleration
    Quad turning[3], shifting[3];  ///< axes of its velocities
    Quad lever;                    ///< [m]  BodyTree::lever
  };
  /// One of a joint that its law describes.
  struct Direction {
    Quad z, a;  ///< S
    Quad t, f;  ///< P S / D
    double inverse, beta;
  };
  /// Of the acceleration of a body that something hangs on.
  struct Change {
    Quad z, a;
  };

  /// Bodies from `first` to before `end`.
  struct Branch {
    size_t first, end;
  };
  /// A part that reaches several ends.
  struct Coupled {
    int part;
    std::vector<char> alone;               ///< per end: what it takes by itself is in T
    std::vector<std::vector<int>> places;  ///< per end: velocities that move it, in touched_
    std::vector<Eigen::MatrixXd> J;        ///< per end: its motion by these, a column each
    Eigen::MatrixXd D;                     ///< MassiveParts::derivatives
  };

  void placeParts(const Layout& layout);
  void findShares(const Workspace<double>& at);
  void findDirections(size_t i, const Workspace<double>& at);
  static void addShare(const Eigen::Ref<const MassiveParts::Derivatives>& D, const Vector3d& arm,
                       Eigen::Matrix<double, 6, 6>& share);
  void takeShare(size_t i, Carried& P) const;
  void solveUnit(int velocity, double* da);
  bool shafts(const double* f, double* da) const;
  void addReach(const MassiveParts::End& end, Coupled& coupled);
  void findReach(const MassiveParts::End& end, const Workspace<double>& at, double* column) const;
  bool findCouplings(const Workspace<double>& at);
  Change directionOf(size_t i, int k) const;
  void addCoupling(double* da);
  template <bool onAxes>
  bool toWorld(const Workspace<double>& at, const double* f);
  bool eliminateAxis(size_t i, const BodyTree::Body& b, const double* f, Carried& P);
  bool eliminateFree(size_t i, const BodyTree::Body* bodies, const double* f, Carried& P);
  bool eliminateDirections(size_t i, const double* f, Carried& P);
  static void shift(const Quad& arm, Carried& P);
  void loadsToWorld(const Branch& branch, const double* f);
  void fromWorld(const Branch& branch, double* da);
  template <bool onAxes>
  void fromWorld(const Branch& branch, double* da);
  void solveFree(const BodyTree::Link& c, const double* f, Free& x, Quad& t, Quad& force) const;

  const ClusterTree& clusters_;
  const BodyTree& tree_;
  MassiveParts parts_;
  bool fits_;
  /// All joints are about or along axes, and no part on a body has a share in P.
  bool onAxes_ = true;
  OpenPlaces places_;
  std::vector<Carried> carried_;  ///< by places
  std::vector<Joint> joints_;     ///< by bodies
  std::vector<Quad> arms_;        ///< likewise
  std::vector<Free> free_;
  std::vector<Direction> directions_;
  /// By bodies; on the way to the world: t and f of what hangs on them.
  std::vector<Change> changes_;
  std::vector<char> loaded_;                         ///< likewise: something does
  std::vector<Eigen::Matrix<double, 6, 6>> shares_;  ///< of parts in P
  std::vector<double> axisInertia_;                  ///< [kg.m2 | kg]  J, per joint; empty: none
  int own_ = 0;                                      ///< first velocity that is no joint's
  std::vector<double> ownInertia_;                   ///< [kg.m2 | kg]  J of it and those behind it
  std::vector<Branch> branches_;  ///< per velocity of a joint: all that it moves with
  std::vector<int> bodyOnAxis_;   ///< per velocity of a joint; 0: it has more

  std::vector<Coupled> coupled_;
  std::vector<int> touched_,
      place_;  ///< velocities that move a coupled part; place there, -1: none
  Eigen::MatrixXd C_, inverse_, K_, W_;  ///< inverse_: columns of T^-1;  W_ = T^-1 C,  K_ = 1 + W_
  Eigen::VectorXd unit_, moved_, change_;
  DenseLu lu_;
};

}  // namespace cardan
