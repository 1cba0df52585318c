/// World: gravity and the defaults of all other components; its frame_b is the inertial frame.
#pragma once

#include <memory>
#include <utility>

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/one_frame.h"
#include "components/laws/rigid_offset.h"
#include "components/world_settings.h"

namespace cardan {

/// Equations  r_0 = 0;  R = nullRotation
/// Source     MSL 4.0 World
///
/// It is read first, through a reader without world(): what others look up there is what settings()
/// holds after.
class World final : public ComponentOf<World> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void picture(Shapes& s) const override;
  void parametersChanged() override { settings_.prepare(); }

  const WorldSettings* worldSettings() const override { return &settings_; }
  const WorldSettings& settings() const { return settings_; }
  /// Replaces the gravity field. read() calls it for `redeclare: {gravityAcceleration: {type: ...,
  /// ...}}` where the type is a field of ours; a program with a field of its own calls it after
  /// reading.
  void setField(std::shared_ptr<const GravityField> field) { settings_.field = std::move(field); }

 private:
  void readGravityField(ParameterReader& r);

  WorldSettings settings_;
  Animation animation_;
  RigidOffset origin_;  ///< no offset: an edge, so that frame_b has loads of its own
  OneFrame_b frame_;
};

}  // namespace cardan
