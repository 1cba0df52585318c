/// CutForce, CutTorque, CutForceAndTorque: the load that passes from frame_a to frame_b, as outputs.
#pragma once

#include <string>
#include <vector>

#include "components/component.h"
#include "components/interfaces/resolving.h"
#include "components/laws/rigid_offset.h"
#include "components/sensors/arrow.h"
#include "components/sensors/sensor_output.h"

namespace cardan {

/// What the three share: frame_a and frame_b coincide; the load on the sensor at frame_a, or its
/// negative, resolved in a frame of choice; an arrow for each output.
class CutLoad : public ComponentOf<CutLoad> {
 public:
  void read(ParameterReader& r) override {
    r.boolean("animation", animation_, "the load is shown as an arrow");
    r.boolean("positiveSign", positiveSign_,
              "the load on the sensor at frame_a; false: its negative, that at frame_b");
    readResolveInFrameA(r, "resolveInFrame", resolveInFrame_,
                        "frame in which the load is resolved");
    for (const Load& load : loads_) {
      const double byDefault = load.isTorque ? r.world().defaultNm_to_m : r.world().defaultN_to_m;
      r.input(load.scale(), std::vector<double>{byDefault}, load.isTorque ? "N.m/m" : "N/m",
              std::string("length of the arrow = load divided by this; default: world.default") +
                  load.scale());
    }
    for (const Load& load : loads_) readArrow(r, load.output.name, {0, 128, 0});
    readSpecularCoefficient(r);
    for (Load& load : loads_) load.output.read(r);
  }
  void declare(Structure& s) override {
    frames_.declareAB(s, resolveInFrame_ == ResolveInFrame::frame_resolve);
    s.joint(frames_.frame_a, frames_.frame_b, sameFrame_, {}, {});
  }
  void describe(Variables& v) const override {
    for (const Load& load : loads_) {
      load.output.describe(v, [this, load](const auto& x) {
        const auto& load_0 = load.of_0(x.connectorLoad(frames_.frame_a));
        return (frames_.resolve(x, resolveInFrame_, load_0) * (positiveSign_ ? 1.0 : -1.0)).eval();
      });
    }
  }
  void picture(Shapes& s) const override {
    if (!animation_) return;
    for (const Load& load : loads_) {
      const std::string name = load.output.name;
      ArrowShape arrow = picture::sensorArrow(name + "Arrow", name);
      arrow.place = frames_.frame_b;
      arrow.r_head = PictureValue::vector(Level::Force, [this, load](const View<double>& x) {
        const Vector3d& load_0 = load.of_0(x.connectorLoad(frames_.frame_a));
        return Vector3d(frames::resolve2(x.frame(frames_.frame_b).R, load_0) *
                        (positiveSign_ ? -1 : 1));
      });
      arrow.scale = PictureValue::input(load.scale(), 1);
      arrow.heads = load.isTorque ? 2 : 1;
      arrow.headAtTail = true;
      s.add(std::move(arrow));
    }
  }

 protected:
  CutLoad(bool hasForce, bool hasTorque) {
    if (hasForce) loads_.push_back({false, {"force", "N", "cut-force", Level::Force}});
    if (hasTorque) loads_.push_back({true, {"torque", "N.m", "cut-torque", Level::Force}});
  }

 private:
  struct Load {
    bool isTorque;
    SensorOutput<3> output;

    const char* scale() const { return isTorque ? "Nm_to_m" : "N_to_m"; }
    template <class S>
    const Vector3<S>& of_0(const Wrench<S>& load) const {
      return isTorque ? load.t_0 : load.f_0;
    }
  };

  bool animation_ = true;
  bool positiveSign_ = true;
  ResolveInFrame resolveInFrame_ = ResolveInFrame::frame_a;  ///< not frame_b
  std::vector<Load> loads_;

  RigidOffset sameFrame_;  ///< no offset: frame_b is frame_a
  SensorFrames frames_;
};

/// frame_a and frame_b coincide.
///
/// Outputs    force = T_X f_0 at frame_a, X = resolveInFrame; its negative without positiveSign
/// Source     MSL 4.0 Sensors.CutForce
class CutForce final : public CutLoad {
 public:
  CutForce() : CutLoad(true, false) {}
};

/// frame_a and frame_b coincide.
///
/// Outputs    torque = T_X t_0 at frame_a, X = resolveInFrame; its negative without positiveSign
/// Source     MSL 4.0 Sensors.CutTorque
class CutTorque final : public CutLoad {
 public:
  CutTorque() : CutLoad(false, true) {}
};

/// frame_a and frame_b coincide.
///
/// Outputs    force = T_X f_0, torque = T_X t_0 at frame_a, X = resolveInFrame;
///            the negatives without positiveSign
/// Source     MSL 4.0 Sensors.CutForceAndTorque
class CutForceAndTorque final : public CutLoad {
 public:
  CutForceAndTorque() : CutLoad(true, true) {}
};

}  // namespace cardan
