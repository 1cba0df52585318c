/// RunState: what a run of a model changes beside its unknowns. The model itself stays as it is.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "components/outside.h"
#include "components/past.h"
#include "engine/equations/model_scales.h"
#include "engine/expression/program.h"

namespace cardan {

/// A copy holds the run at an instant; assigned back, it goes on from there.
struct RunState {
  /// Current modes, frozen during a step.
  std::vector<int> modes;
  /// States of the relations of all expressions, frozen likewise; kOpenRelation: each compares for
  /// itself.
  std::vector<RelationState> relations;
  /// Of the inputs that have numbers, three each (input_variable.h): SignalGraph::numbers.
  std::vector<double> inputs;
  /// Numbers of the model's own that change at events alone: discrete variables, what pre() gives,
  /// whether sample(), initial(), terminal() hold (HeldValues).
  std::vector<double> held;
  /// Counts the changes of modes, relations and inputs: what was found before one is out of date.
  std::uint64_t changes = 0;
  /// Reference orientations that angles are counted from, nine numbers a joint (JointLaw::chart).
  /// Workspaces point there: values change, the place of the first does not.
  std::vector<double> charts;
  /// Coordinates of the joints outside the tree at the last accepted step: the branches of their
  /// angles. Empty before a run: every workspace goes on from what it measured last.
  std::vector<double> measured;
  /// What variables remember of the last accepted step (VariableTable::memories).
  std::vector<double> memory;
  /// Records of signals that delays read, per PastId.
  std::vector<Past> pasts;
  /// What components drive outside of the model, per OutsideId; null: not begun. Copies share it, so that
  /// only the run that began it may go on.
  std::vector<std::shared_ptr<Outside>> outsides;
  /// What they are (View::kStriking, View::kGiven, or 0: none act); behind it three per ImpulseId [N.s | N].
  std::vector<double> impulses;
  /// [s] For so long nobody looks for the instants at which surfaces touch; the impulses are then
  /// forces [N], what has acted over that time. 0: they are events (View::ahead).
  double ahead = 0;
  /// [1] The most by which laws of contact were violated since the row of results before.
  double contactViolation = 0;

  /// Per multiplier: its row is left out, as it says nothing new; the multiplier is zero.
  std::vector<bool> redundant;
  /// Regularisation of the constraint rows, per multiplier: velocity row [s.(m|rad)^2/(kg.m2)] and
  /// position row, see initialisation/regularisation.h.
  std::vector<double> regularisation, positionRegularisation;
  /// W, per velocity: how readily it follows the multipliers of the position rows, an inverse
  /// inertia in the model's own measure, see initialisation/regularisation.h.
  std::vector<double> stabiliserWeights;
  /// Per multiplier: what it is at the last (re)start. The regularisation pulls there, not to zero:
  /// a start that satisfies the constraints then satisfies the rows however large the reactions.
  std::vector<double> multiplierReference;

  /// Scales of the model at its start, and what follows from them: typical sizes per unknown (for
  /// the error weights; what a component or the user says comes first), and per multiplier its
  /// typical force [N | N.m].
  ModelScales scales;
  std::vector<double> nominals;
  std::vector<double> forces;
};

}  // namespace cardan
