/// MotionFlow: what some parts of a model read, as functions of time along the motion.
#pragma once

#include <limits>
#include <type_traits>
#include <vector>

#include "components/view.h"
#include "engine/equations/expression_values.h"
#include "engine/structure/potential_network.h"
#include "engine/structure/spanning_tree.h"
#include "frames/along_motion.h"

namespace cardan {

/// The motion of frames, flanges, joints and unknowns is known up to accelerations; so the rate of
/// everything up to velocities is known as well, without another sweep: der(r_0) = v_0,
/// der(T) = -w x T, der(w) = z. Whatever is computed from it in Dual has its own rate in a lane.
class MotionFlow {
 public:
  /// Numbers of one evaluation, of what is read alone. What is no level of a motion is that of the
  /// tables that they were filled from.
  struct Numbers {
    std::vector<FrameState<Dual>> frames;
    std::vector<FlangeState<Dual>> flanges;
    std::vector<Dual> coordinates, y, yp, signals, signalRates;
    std::vector<JointState<Dual>> joints;
    ExpressionValues<Dual> expressions;
    EvaluationTables<Dual> tables;
  };

  MotionFlow() = default;
  MotionFlow(const FlatModel& flatModel, const std::vector<bool>& instances);

  /// Some of what this instance has is a position without inertia.
  static bool isPlacedByForces(const FlatModel& flatModel, const PotentialNetwork& network,
                               const SpanningTree& spanningTree, int instance);
  /// True: the rates of all that this instance's variables read are known wherever its motion is:
  /// nothing there is placed by forces alone.
  static bool isKnown(const FlatModel& flatModel, const PotentialNetwork& network,
                      const SpanningTree& spanningTree, int instance);

  /// Fills everything but the signals: a quantity x with the rate der(x) becomes along(x, der(x)).
  template <class S, class Along>
  void fill(const EvaluationTables<S>& t, int signals, Numbers& n, Along along) const;

 private:
  struct Joint {
    int id;
    int positions, velocities;
    bool plain;  ///< der(q) = v
    int first;   ///< among the coordinates
  };
  void prepare(int signals, Numbers& n) const;

  std::vector<int> frameAt_, flangeAt_, unknownAt_;  ///< where it is among those read, or -1
  std::vector<int> frames_, flanges_, unknowns_;     ///< that are read
  std::vector<Joint> joints_;
  int jointCount_ = 0, coordinates_ = 0;
};

template <class S, class Along>
void MotionFlow::fill(const EvaluationTables<S>& t, int signals, Numbers& n, Along along) const {
  prepare(signals, n);
  EvaluationTables<Dual>& out = n.tables;
  out.time = along(t.time, S(1));
  out.world = t.world;
  out.signalOffset = t.signalOffset;
  out.modes = t.modes;
  out.relations = t.relations;
  out.inputs = t.inputs;
  out.memory = t.memory;
  out.pasts = t.pasts;
  out.impulses = t.impulses;
  out.ahead = t.ahead;
  n.expressions.held = t.expressions->held;
  n.expressions.open = t.expressions->open;
  // Rates of accelerations: nobody asks for them.
  const auto open = [](const S& x) {
    Dual d(value(x));
    for (int l = 0; l < kLanes; ++l) d.setLane(l, std::numeric_limits<double>::quiet_NaN());
    return d;
  };
  for (size_t k = 0; k < frames_.size(); ++k) {
    const FrameState<S>& f = t.frames[t.frameNode[frames_[k]]];
    FrameState<Dual>& to = n.frames[k];
    to.R = frames::alongMotion(f.R, f.z_a, along);
    for (int i = 0; i < 3; ++i) {
      to.r_0[i] = along(f.r_0[i], f.v_0[i]);
      to.v_0[i] = along(f.v_0[i], f.a_0[i]);
      to.a_0[i] = open(f.a_0[i]);
      to.z_a[i] = open(f.z_a[i]);
    }
  }
  for (size_t k = 0; k < flanges_.size(); ++k) {
    const FlangeState<S>& f = t.flanges[t.flangeNode[flanges_[k]]];
    n.flanges[k] = {along(f.position, f.velocity), along(f.velocity, f.acceleration),
                    open(f.acceleration)};
  }
  for (const Joint& j : joints_) {
    const JointState<S>& x = t.joints[j.id];
    if (!x.q) continue;
    Dual* const q = n.coordinates.data() + j.first;
    // Quaternions and the like: their rates are among those of the unknowns.
    const S* const rates = j.plain ? x.v : t.yp + (x.q - t.y);
    for (int i = 0; i < j.positions; ++i) q[i] = along(x.q[i], rates[i]);
    for (int i = 0; i < j.velocities; ++i) {
      q[j.positions + i] = along(x.v[i], x.vd[i]);
      q[j.positions + j.velocities + i] = open(x.vd[i]);
    }
    n.joints[j.id] = {q, q + j.positions, q + j.positions + j.velocities, x.chart};
  }
  for (size_t k = 0; k < unknowns_.size(); ++k) {
    const int i = t.unknownOffset[unknowns_[k]];
    n.y[k] = along(t.y[i], t.yp[i]);
    n.yp[k] = open(t.yp[i]);
  }
}

}  // namespace cardan
