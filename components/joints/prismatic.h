/// Prismatic joint: frame_b slides along the axis n, which is fixed in frame_a and in frame_b.
#pragma once

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/joints/across.h"

namespace cardan {

/// Unknowns   s [m], v [m/s]
/// Equations  der(s) = v;  0 = f + e.f_b   (d'Alembert along the free axis)
/// Source     MSL 4.0 Joints.Prismatic
class Prismatic final : public ComponentOf<Prismatic>, public JointLawOf<Prismatic> {
 public:
  static constexpr int nq = 1, nv = 1;

  struct Parameters {
    bool useAxisFlange = false;
    Vector3d n{1, 0, 0};  ///< [1]    axis of translation, any length but zero, resolved in frame_a
    StartValue s;         ///< [m]    distance
    StartValue v;         ///< [m/s]  velocity
    StartValue a;         ///< [m/s2] acceleration
    bool cut = false;     ///< only closes a loop
  };

  Prismatic() = default;
  explicit Prismatic(const Parameters& p) : p_(p) { parametersChanged(); }

  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void parametersChanged() override;

  template <class S>
  Slide<S> motionAt(const JointState<S>& x) const {
    return {e_ * x.q[0], e_ * x.v[0], e_ * x.vd[0]};
  }
  template <class S>
  void projectLoad(const Vector3<S>& f_a, const Vector3<S>& /*t_b*/, const JointState<S>&,
                   S* tau) const {
    tau[0] = dot(e_, f_a);
  }
  /// Cut: no displacement across the axis, parallel axes.
  template <class S>
  void closureAt(const RelativeMotion<S>& m, ClosureRows<S>& rows) const {
    for (const Vector3d* u : {&across1_, &across2_}) rows.position(dot(*u, m.r_rel), *u);
    alignFrames(m, frames::nullRotation(), rows);
  }
  template <class S>
  void measureAt(const RelativeMotion<S>& m, S* q, S* v, S* vd) const {
    q[0] = dot(e_, m.r_rel);
    v[0] = dot(e_, m.v_rel);
    vd[0] = dot(e_, m.a_rel);
  }
  std::string closureName(int row) const override;

 private:
  Parameters p_;
  Animation animation_;

  // Derived
  Vector3d e_{1, 0, 0};                           ///< unit axis, the same in frame_a and frame_b
  Vector3d across1_{0, 1, 0}, across2_{0, 0, 1};  ///< unit vectors across it

  TwoTreeFrames frames_;
  FlangeId axis_, support_;
};

}  // namespace cardan
