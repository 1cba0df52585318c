/// TwoTreeFrames: frame_a and frame_b of a part that carries the tree from one to the other.
#pragma once

#include <utility>
#include <vector>

#include "components/interfaces/coordinate.h"
#include "components/parameter_reader.h"
#include "components/structure.h"
#include "components/view.h"

namespace cardan {

/// A connector's force and torque on the component, resolved in the frame itself (MSL's f, t).
template <class S>
struct ConnectorLoad {
  Vector3<S> f;  ///< [N]
  Vector3<S> t;  ///< [N.m]
};

/// The user's choice of where a loop is opened: parameter `cut` of every two-frame joint and part.
inline void readCut(ParameterReader& r, bool& cut) {
  r.boolean("cut", cut, "only closes a loop: never part of the spanning tree");
}

/// Joints and rigid parts: an edge of the connection graph with a law of relative motion.
///
/// Older names TwoTreeFrames (joints) and FrameBase (no relative motion), MSL's PartialTwoFrames.
/// The sweep over the edge (older TreeJoint) and its closure (older CutJoint) are written once, for
/// every JointLaw.
struct TwoTreeFrames {
  FrameId frame_a, frame_b;
  JointId joint;

  void declare(Structure& s, const JointLaw& law, std::vector<UnknownInfo> positions,
               std::vector<UnknownInfo> velocities, CutPolicy policy = CutPolicy::normal) {
    frame_a = s.frame("frame_a");
    frame_b = s.frame("frame_b");
    joint = s.joint(frame_a, frame_b, law, std::move(positions), std::move(velocities), policy);
  }
  /// A joint with one coordinate; `used`: an axis flange needs it.
  void declare(Structure& s, const JointLaw& law, const Coordinate& position,
               const Coordinate& velocity, bool cut, bool used) {
    const bool isState = position.start.stateSelect == StateSelect::always;
    declare(s, law, {position.info()}, {velocity.info()}, policy(cut, used || isState));
  }
  /// Rigid: no freedom.
  void declareRigid(Structure& s, const JointLaw& law, bool cut) {
    declare(s, law, {}, {}, cut ? CutPolicy::always : CutPolicy::normal);
  }
  /// No joint: held together by `closure`, whose edge never carries the tree.
  void declareCut(Structure& s, const ClosureLaw& closure) {
    frame_a = s.frame("frame_a");
    frame_b = s.frame("frame_b");
    s.cut(frame_a, frame_b, closure);
  }
  /// The flange "axis" moves the joint's only coordinate; the flange `support` does not move.
  void declareDrive(Structure& s, Domain domain, const char* support) const {
    const FlangeId axis = s.flange("axis", domain), fixed = s.flange(support, domain);
    s.axis(axis, joint, 0);
    s.ground(fixed, 0);
  }
  /// `cut`: by the user; `used`: an axis flange or requested states need the coordinates.
  static CutPolicy policy(bool cut, bool used) {
    if (cut) return CutPolicy::always;
    return used ? CutPolicy::never : CutPolicy::normal;
  }

  template <class S>
  RelativeMotion<S> relativeMotion(const View<S>& x) const {
    return cardan::relativeMotion(x.frame(frame_a), x.frame(frame_b));
  }
  template <class S>
  frames::Orientation<S> relativeRotation(const View<S>& x) const {
    return frames::relativeRotation(x.frame(frame_a).R, x.frame(frame_b).R);
  }
  /// Load on the component at frame_b; only in variables of Level::Force.
  template <class S>
  ConnectorLoad<S> load_b(const View<S>& x) const {
    const auto& R = x.frame(frame_b).R;
    const Wrench<S>& load = x.connectorLoad(frame_b);
    return {frames::resolve2(R, load.f_0), frames::resolve2(R, load.t_0)};
  }
};

}  // namespace cardan
