/// DriveTrainFrame: the frame in which a one-dimensional part of a drive train is fixed.
#pragma once

#include "components/laws/rigid_offset.h"
#include "components/structure.h"
#include "components/view.h"

namespace cardan {

/// frame_a of Rotor1D, BevelGear1D and Mounting1D. MSL removes it, with its connections, where
/// world.driveTrainMechanics3D is false; here it stays, carries no load, and where it is connected
/// to nothing rests at world's origin.
struct DriveTrainFrame {
  FrameId frame_a;
  bool effects3D = true;  ///< world.driveTrainMechanics3D

  void declare(Structure& s) {
    frame_a = s.frame("frame_a");
    effects3D = s.world().driveTrainMechanics3D;
    if (!effects3D) s.root(frame_a, atWorld_, {}, {}, RootRank::freePoint);
  }
  /// Torque [N.m] on the part at frame_a, resolved there; no force.
  template <class S>
  void addTorque(View<S>& x, const Vector3<S>& t) const {
    x.addLoad(frame_a, Vector3<S>::Zero(), t);
  }

 private:
  RigidOffset atWorld_;
};

}  // namespace cardan
