/// Parts that BodyShape, BodyBox and BodyCylinder consist of: `body` at frame_a, `frameTranslation`
/// to frame_b.
#pragma once

#include "components/parts/body.h"
#include "components/parts/fixed_translation.h"

namespace cardan {

/// A rigid body with two parallel frames, as MSL composes it.
struct BodyComposite {
  Vector3d r{0, 0, 0};  ///< [m] frame_a to frame_b, resolved in frame_a
  Body::Parameters body;

  void declare(Structure& s);
  /// Hands changed parameters to the inner parts.
  void update();
  /// r_0, v_0, a_0.
  void describe(Variables& v) const;

 private:
  Body* innerBody_ = nullptr;
  FixedTranslation* innerTranslation_ = nullptr;
};

}  // namespace cardan
