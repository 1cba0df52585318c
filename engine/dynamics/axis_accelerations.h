/// AxisAccelerations: the accelerations of a tree on axes alone, from the leaves to the world and back.
#pragma once

#include <vector>

#include "engine/dynamics/open_places.h"
#include "engine/equations/axis_tree.h"

namespace cardan {

/// Smallest pivot relative to the terms that it is made of: below, a joint moves nothing.
inline constexpr double kMovesNothing = 1e-13;

/// Solves M da = f in O(n), without forming M. With P (6 x 6) the inertia of a body and of all that it
/// carries as far as they follow it, p the load of what they do by themselves, S the joint's axis:
///   D = S' P S + J,    beta = (f - S' p) / D,    G = X' P S / D
///   P_up += X' (P - P S S' P / D) X,    p_up += X' (p + P S beta)
/// and back from the world, x the change of a body's acceleration:
///   da = beta - G' x_up,    x = X x_up + S da
/// X carries an acceleration over the arm. What the way back needs of a joint is one vector of six.
///
/// Source  Featherstone, Rigid Body Dynamics Algorithms (2008), chapter 7
class AxisAccelerations {
 public:
  explicit AxisAccelerations(const AxisTree& tree);

  /// At the motion of `bodies` (AxisTree::motion). `axisInertia` [kg.m2 | kg]: what turns or slides with
  /// a joint alone, per joint; null: nothing does. f and da by the joints' indices among the velocities,
  /// may alias. False: a joint moves nothing.
  bool solve(const AxisTree::Body* bodies, const double* axisInertia, const double* f, double* da);

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
    Quad t, f;  ///< G about the parent's origin
    double beta;
  };
  /// Of the acceleration of a body that something hangs on.
  struct Change {
    Quad z, a;
  };

  bool toWorld(const AxisTree::Body* bodies, const double* axisInertia, const double* f);
  void fromWorld(const AxisTree::Body* bodies, double* da);

  const AxisTree& tree_;
  OpenPlaces places_;
  std::vector<Carried> carried_;  ///< by places
  std::vector<Joint> joints_;     ///< by bodies
  std::vector<Change> changes_;   ///< likewise
};

}  // namespace cardan
