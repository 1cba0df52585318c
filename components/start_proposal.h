/// StartProposal: what a component may say about the start beyond start values.
#pragma once

#include "components/ids.h"
#include "components/view.h"

namespace cardan {

/// Receives coordinates.
class Proposal {
 public:
  virtual ~Proposal() = default;
  /// Position k of joint j should start at q. Without effect where the joint only closes a loop.
  virtual void position(JointId j, int k, double q) = 0;
};

/// An optional side of a component: one that knows which coordinates of its inner joints belong to
/// the motion of its frames, and which of several solutions its parameters choose.
///
/// Asked before the start is solved, when a proposal is a guess, and after it, when a proposal that
/// differs from the solution means that another branch is wanted.
class StartProposal {
 public:
  virtual ~StartProposal() = default;
  /// Positions of all frames are known. What else depends on them at the start (an axis that is
  /// stated in another frame) may be set here, too.
  virtual void propose(const View<double>& x, Proposal& p) = 0;
};

}  // namespace cardan
