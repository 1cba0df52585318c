/// CutLaw: the law of a component that only closes loops, never part of the spanning tree.
#pragma once

#include "components/interfaces/two_tree_frames.h"

namespace cardan {

/// No coordinates; Derived states closures(), closureName() and closureAt().
template <class Derived>
class CutLawOf : public JointLawOf<Derived> {
 public:
  static constexpr int nq = 0, nv = 0;

  /// Asked for by the contract of laws; a cut edge has no motion of its own.
  template <class S>
  Offset motionAt(const JointState<S>&) const {
    static const Vector3d kNowhere = Vector3d::Zero();
    return {kNowhere};
  }
  template <class S>
  void projectLoad(const Vector3<S>&, const Vector3<S>&, const JointState<S>&, S*) const {}
  template <class S>
  void measureAt(const RelativeMotion<S>&, S*, S*, S*) const {}
};

/// Declares both frames and the cut between them.
inline void declareCut(TwoTreeFrames& frames, Structure& s, const JointLaw& law) {
  frames.declare(s, law, {}, {}, CutPolicy::always);
}

}  // namespace cardan
