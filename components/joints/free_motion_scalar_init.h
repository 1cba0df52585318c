/// FreeMotionScalarInit: six freedoms between two frames, each scalar of the motion with a start
/// value of its own.
#pragma once

#include <array>

#include "components/animation.h"
#include "components/component.h"
#include "components/joints/free_motion.h"

namespace cardan {

/// As FreeMotion it adds no equation where other joints hold the two frames: its outputs come from
/// the frames.
///
/// Unknowns   as FreeMotion; three angles as coordinates where the user prefers one of them as a
///            state
/// Source     MSL 4.0 Joints.FreeMotionScalarInit
class FreeMotionScalarInit final : public ComponentOf<FreeMotionScalarInit> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void picture(Shapes& s) const override;

 private:
  /// Three outputs name_1, name_2, name_3 that exist where all of their use_... are true.
  struct Group {
    bool use = false;    ///< its own use_...
    bool shown = false;  ///< its own and those it rests on
    std::array<StartValue, 3> values;

    Vector3d starts() const {
      return shown ? Vector3d(values[0].start[0], values[1].start[0], values[2].start[0])
                   : Vector3d(0, 0, 0);
    }
  };

  void readGroup(ParameterReader& r, Group& g, const std::string& flag, const std::string& name,
                 const char* unit, bool hasStateSelect);
  /// `inner`: where MSL's inner parts have the same, {} in place of the index; `derivative`: its block
  /// that reads it, null if there is none.
  template <class F>
  void output(Variables& v, const Group& g, const std::string& name, const char* inner,
              const char* unit, Level level, F f, const char* derivative = nullptr) const;

  Group r_rel_a_, v_rel_a_, a_rel_a_;  ///< [m], [m/s], [m/s2] resolved in frame_a
  Group angle_, angle_d_, angle_dd_;  ///< [rad], [rad/s], [rad/s2] about the axes of sequence_start
  Group w_rel_b_, z_rel_b_;           ///< [rad/s], [rad/s2] resolved in frame_b
  frames::Sequence sequence_start_{1, 2, 3};
  Animation animation_;

  OrientationStates orientation_;  ///< derived: coordinates and their start
  OrientationLaw law_;
  TwoTreeFrames frames_;
};

}  // namespace cardan
