/// Layout: where every unknown and every equation of the DAE stands.
#pragma once

#include <string>
#include <vector>

#include "engine/structure/flat_model.h"
#include "engine/structure/potential_network.h"
#include "engine/structure/spanning_tree.h"
#include "engine/structure/unknowns.h"

namespace cardan {

/// Unknowns y = [q | v | x | lambda | mu]; equations [kinematics | dynamics | of components |
/// velocity rows | position rows].
///
/// q, v: coordinates of the tree's edges in its order, then those of one-dimensional parts with
/// inertia; an edge has nq kinematic rows at the place of its q (nv with -v, then constraints among
/// q) and nv dynamic rows at the place of its v. x: unknowns of components. lambda: a multiplier
/// for every velocity row of a constraint; mu: one for every position row.
struct Layout : Unknowns {
  /// Edge of the tree, or a coordinate of one-dimensional parts (no law), with its place in y.
  struct TreeJoint {
    const JointLaw* law;  ///< null: a plain coordinate
    int near, far;        ///< nodes
    int a, b;             ///< nodes at frame_a and frame_b
    int edge;             ///< index into FlatModel::edges
    int q, v;             ///< offsets into the q part and the v part
    int nq, nv;
    bool forward;
    bool plain;      ///< kinematic rows are der(q) - v
    int chart = -1;  ///< offset of its reference into RunState::charts, -1: it has none
  };
  std::vector<TreeJoint> tree;
  int edges = 0;  ///< the first of `tree` are edges of the spanning tree; the rest have no law
  std::vector<int> moving;  ///< indices into `tree`: those with positions

  /// Edge that closes a loop; its coordinates are measured when asked for.
  struct CutJoint {
    const JointLaw* law;  ///< null: no coordinates
    const ClosureLaw* closure;
    int a, b;  ///< nodes
    int edge;
    int row;  ///< first multiplier, -1: no constraint
    int rows;
    int measured;  ///< offset into the measured coordinates: nq q, nv v, nv vd
  };
  std::vector<CutJoint> cutJoints;
  int measuredSize = 0;
  int chartSize = 0;  ///< numbers of all references (JointLaw::chart)

  /// Point without mass that only force elements meet: three of the unknowns x are its position,
  /// and the sum of the forces is their equation, at the same place. Its edge of the tree has no q.
  struct FreePoint {
    int edge;  ///< index into FlatModel::edges
    int node;
    int x;  ///< index into y of its position
  };
  std::vector<FreePoint> freePoints;

  std::vector<int> positionOfSource;  ///< PotentialNetwork source -> index into y of its position,
                                      ///< -1: no own coordinate
  std::vector<int> velocityOfSource;  ///< likewise of its velocity; -1: massless
  int firstRelation = 0;              ///< first multiplier of the network's relations
  std::vector<int> unknownOffset;     ///< UnknownId -> index into y
  std::vector<int> rowOffset;         ///< RowId -> index into the residual
  std::vector<int> constraintOffset;  ///< ConstraintId -> first multiplier
  std::vector<int> muOfLambda;        ///< multiplier -> index among mu, or -1 (velocity level only)
  std::vector<std::string> rowNames;  ///< per multiplier
  /// Per coordinate and velocity: [m], [m/s]; else an angle, or a number.
  std::vector<char> inMetres;

  /// All unknowns x are Kind::Rated, their rows in the same order: none there are is that, too.
  bool rated = true;

  /// True: elimination joint by joint is faster than a dense matrix. Constraints among positions cost
  /// a whole evaluation a solve, so that it takes more freedoms.
  bool recursionPays() const { return nv >= (nq > nv ? 12 : 1); }
};

Layout makeLayout(const FlatModel& flatModel, const SpanningTree& spanningTree,
                  const PotentialNetwork& network, Diagnostics& diagnostics);

}  // namespace cardan
