/// OrientationStates: how a body or joint with a free orientation starts and which coordinates it
/// has.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "components/interfaces/describe.h"
#include "components/interfaces/two_tree_frames.h"
#include "components/laws/free_motion_law.h"
#include "components/parameter_reader.h"
#include "components/variables.h"

namespace cardan {

/// Coordinates of a free orientation. `automatic` follows MSL's useQuaternions.
enum class OrientationForm { automatic, quaternions, transformationMatrix, angles };

/// A law with the coordinates it declares.
struct OrientationLaw {
  std::unique_ptr<JointLaw> law;
  std::vector<UnknownInfo> positions;  ///< orientation coordinates only
};

/// Where the angles of an orientation were at the last accepted step, and the variables of them.
struct RememberedAngles {
  MemoryId last;
  frames::Sequence sequence;

  template <class S>
  static Vector3d guess(const View<S>& x, MemoryId m) {
    const double* phi = x.remembered(m);
    return {phi[0], phi[1], phi[2]};
  }
  /// Angles of R: they go on from those, beyond half a turn too.
  template <class S>
  Vector3<S> of(const View<S>& x, const frames::Orientation<S>& R) const {
    return nearestAngles(R, sequence, guess(x, last));
  }
  /// The same with first and second derivatives; z [rad/s2] = der(R.w).
  template <class S>
  AngleMotion<S> motion(const View<S>& x, const frames::Orientation<S>& R,
                        const Vector3<S>& z) const {
    return angleMotion(R, z, sequence, guess(x, last));
  }
};
/// `R`(const View<S>&) gives the orientation; the angles begin nearest to `start` [rad].
template <class F>
RememberedAngles rememberAngles(Variables& v, const frames::Sequence& sequence,
                                const Vector3d& start, F R) {
  // Close to the singular place the first and the third angle run through half a turn within a small one.
  const auto room = [sequence](const auto& phi) {
    using std::abs, std::cos, std::sin;
    return 0.25 * abs(sequence[0] == sequence[2] ? sin(phi[1]) : cos(phi[1]));
  };
  return {v.memory({start[0], start[1], start[2], room(start)},
                   [R, sequence, room](const auto& x, const double* before, auto* out) {
                     const auto phi =
                         nearestAngles(R(x), sequence, Vector3d(before[0], before[1], before[2]));
                     for (int i = 0; i < 3; ++i) out[i] = phi[i];
                     out[3] = room(phi);
                   }),
          sequence};
}

/// Parameters angles_start, w_..._start, z_..._start, useQuaternions, ... of MSL's Body, Spherical
/// and FreeMotion.
///
/// Frame 1 is the world (Body) or frame_a (joints), frame 2 is frame_a (Body) or frame_b (joints).
/// As in MSL, w and z are given in frame 1 and turned by the start orientation: what holds at the
/// start is R.w = resolve2(R_start, w_start), also where the orientation itself is free.
struct OrientationStates {
  bool angles_fixed = false;
  Vector3d angles_start{0, 0, 0};  ///< [rad] about the axes of sequence_start
  frames::Sequence sequence_start{1, 2, 3};
  bool w_fixed = false;
  Vector3d w_start{0, 0, 0};  ///< [rad/s]  resolved in frame 1
  bool z_fixed = false;
  Vector3d z_start{0, 0, 0};  ///< [rad/s2] resolved in frame 1
  bool anglesGiven = false, wGiven = false, zGiven = false;

  bool enforceStates = false;
  bool useQuaternions = true;
  frames::Sequence sequence_angleStates{1, 2, 3};
  OrientationForm orientationStates = OrientationForm::automatic;

  /// `suffix`: "0" (w_0_start) or "rel_a" (w_rel_a_start).
  void readStart(ParameterReader& r, const std::string& suffix);
  void readStates(ParameterReader& r);

  OrientationForm form() const;
  StateSelect priority() const { return enforceStates ? StateSelect::always : StateSelect::avoid; }
  /// Orientation at the start, frame 1 -> frame 2.
  frames::Orientation<double> R_start() const;
  Vector4d Q_start() const { return frames::to_Q(R_start()); }
  Vector3d phi_start() const;
  StartVector<3> wStart() const;
  StartVector<3> zStart() const;

  OrientationLaw freeMotionLaw() const;
  OrientationLaw sphericalLaw() const;

  /// The start row of angles_start and the variables Q, phi, phi_d, phi_dd, R_start, Q_start,
  /// phi_start that MSL's classes share. R(const View<S>&) gives the rotation from frame 1 to frame
  /// 2, z(const View<S>&) der(R.w), and coordinates(x) those of the orientation where they are
  /// unknowns, else null.
  template <class F, class Z, class Q>
  void describeOrientation(Variables& v, const std::string& startName, F R, Z z,
                           Q coordinates) const {
    v.initial({"angles_start", "orientation at the start", Level::Position, angles_fixed,
               anglesGiven, priority()},
              3, [this, R](const auto& x, auto* out) {
                const auto error =
                    frames::rotationVector(frames::relativeRotation(R_start(), R(x)));
                for (int i = 0; i < 3; ++i) out[i] = error[i];
              });
    // Both go on beyond half a turn; a quaternion that is unknown has its sign of its own.
    const auto quaternion = [this, R, coordinates](const auto& x, const double* before, auto* out) {
      const auto* q = coordinates(x);
      if (q && form() == OrientationForm::quaternions) {
        for (int i = 0; i < 4; ++i) out[i] = q[i];
      } else {
        const auto Q4 = frames::to_Q(R(x), Vector4d(before[0], before[1], before[2], before[3]));
        for (int i = 0; i < 4; ++i) out[i] = Q4[i];
      }
    };
    const Vector4d Q0 = Q_start();
    constexpr double kAnyTurn = 1e9;
    const MemoryId lastQ = v.memory({Q0[0], Q0[1], Q0[2], Q0[3], kAnyTurn},
                                    [quaternion](const auto& x, const double* before, auto* out) {
                                      quaternion(x, before, out);
                                      out[4] = kAnyTurn;
                                    });
    VariableInfo quaternionInfo{"Q", "1", "quaternion of the orientation", Level::Position};
    quaternionInfo.remembers = true;
    v.array(quaternionInfo, {4}, [quaternion, lastQ](const auto& x, auto* out) {
      quaternion(x, x.remembered(lastQ), out);
    });
    const RememberedAngles angles = rememberAngles(v, sequence_angleStates, phi_start(), R);
    const auto ofAngles = [](const char* name, const char* unit, const char* text, Level level) {
      VariableInfo info{name, unit, text, level};
      info.remembers = true;
      return info;
    };
    v.vector(
        ofAngles("phi", "rad", "angles about the axes of sequence_angleStates", Level::Position),
        [R, angles](const auto& x) { return angles.of(x, R(x)); });
    v.vector(ofAngles("phi_d", "rad/s", "first derivative of phi", Level::Velocity),
             [R, z, angles](const auto& x) { return angles.motion(x, R(x), z(x)).phi_d; });
    v.vector(ofAngles("phi_dd", "rad/s2", "second derivative of phi", Level::Acceleration),
             [R, z, angles](const auto& x) { return angles.motion(x, R(x), z(x)).phi_dd; });
    cardan::describe::orientation(v, startName, "orientation at the start",
                                  [this](const auto&) { return R_start(); });
    v.array({"Q_start", "1", "quaternion at the start", Level::Constant}, {4},
            [this](const auto&, auto* out) {
              const Vector4d Q4 = Q_start();
              for (int i = 0; i < 4; ++i) out[i] = Q4[i];
            });
    cardan::describe::vector(v, "phi_start", "rad", "angles phi at the start",
                             [this] { return phi_start(); });
  }

  /// For a joint from frame_a to frame_b: the above, R_rel, R_rel_inv, the angular velocity `w` and
  /// the start rows of w and z. `offset`: index of the first orientation coordinate in the joint's.
  void describeJoint(Variables& v, const TwoTreeFrames& frames, const std::string& w,
                     int offset) const;

 private:
  template <template <class> class Law>
  OrientationLaw make() const;
};

}  // namespace cardan
