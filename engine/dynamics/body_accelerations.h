/// BodyAccelerations: the accelerations of a tree of bodies, from the leaves to the world and back.
#pragma once

#include <vector>

#include "engine/dynamics/local_parts.h"
#include "engine/dynamics/open_places.h"

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
    int part = -1;  ///< first index into the shares of parts in P, -1: none
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

  void findShares(const Workspace<double>& at);
  void findDirections(size_t i, const Workspace<double>& at);
  void addShare(size_t i, Carried& P) const;
  template <bool onAxes>
  bool toWorld(const Workspace<double>& at, const double* f);
  bool eliminateAxis(size_t i, const BodyTree::Body& b, const double* f, Carried& P);
  bool eliminateFree(size_t i, const BodyTree::Body* bodies, const double* f, Carried& P);
  bool eliminateDirections(size_t i, const double* f, Carried& P);
  static void shift(const Quad& arm, Carried& P);
  void loadsToWorld(const double* f);
  template <bool onAxes>
  void fromWorld(double* da);
  void solveFree(const BodyTree::Link& c, const double* f, Free& x, Quad& t, Quad& force) const;

  const ClusterTree& clusters_;
  const BodyTree& tree_;
  LocalParts parts_;
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
  std::vector<Spatial> shares_;      ///< of parts in P, by rows
  std::vector<double> axisInertia_;  ///< [kg.m2 | kg]  J, per joint; empty: none
};

}  // namespace cardan
