/// Rod: what the two joints that hold two points at a fixed distance share.
#pragma once

#include "components/component.h"
#include "components/interfaces/total_power.h"
#include "components/interfaces/two_no_tree_frames.h"

namespace cardan {

/// Frames, length and the variables of the line from frame_a to frame_b.
///
/// computeRodLength: the length is a state that never changes, so that the start finds it, and
/// rodLength is its guess.
/// Source  MSL 4.0 Joints.SphericalSpherical, UniversalSpherical
struct Rod {
  TwoNoTreeFrames frames;
  bool computeRodLength = false;
  double rodLength = 1;  ///< [m]  > 0
  bool checkTotalPower = false;
  StartVector<3> rRod_0, rRod_a;  ///< [m]  from frame_a to frame_b

  /// MSL's advanced parameters, and the start values.
  void readLast(ParameterReader& r) {
    // MSL's two forms of the same constraint: constraintResidue, which false would let one replace,
    // keeps its default here.
    bool kinematicConstraint = true;
    r.boolean("kinematicConstraint", kinematicConstraint,
              "how a Modelica compiler writes the distance; the rod holds it either way");
    readCheckTotalPower(r, checkTotalPower);
    r.start("rRod_0", rRod_0, "m", "from frame_a to frame_b, resolved in world");
    r.start("rRod_a", rRod_a, "m", "from frame_a to frame_b, resolved in frame_a");
  }
  void declare(Structure& s) {
    frames.declare(s);
    if (!computeRodLength) return;
    L_ = s.unknown({"rodLength", "m", "distance between frame_a and frame_b", rodLength},
                   Kind::Differential);
    constant_ = s.row("der(rodLength)");
  }
  /// rodLength, rRod_0, rRod_a, eRod_a, constraintResidue.
  void describe(Variables& v) const {
    v.start("rRod_0", rRod_0);
    v.start("rRod_a", rRod_a);
    if (!computeRodLength) {
      describe::scalar(v, "rodLength", "m", "distance between frame_a and frame_b",
                       [this] { return rodLength; });
    }
    v.vector({"rRod_0", "m", "from frame_a to frame_b, resolved in world", Level::Position},
             [this](const auto& x) {
               return (x.frame(frames.frame_b).r_0 - x.frame(frames.frame_a).r_0).eval();
             });
    v.vector({"rRod_a", "m", "from frame_a to frame_b, resolved in frame_a", Level::Position},
             [this](const auto& x) { return line_a(x); });
    v.vector(
        {"eRod_a", "1", "direction from frame_a to frame_b, resolved in frame_a", Level::Position},
        [this](const auto& x) { return eRod_a(x); });
    v.scalar({"constraintResidue", "m2", "rRod_0.rRod_0 - rodLength^2", Level::Position},
             [this](const auto& x) {
               const auto r = line_a(x);
               const auto L = length(x);
               return dot(r, r) - L * L;
             });
  }

  template <class S>
  S length(const View<S>& x) const {
    return computeRodLength ? x.unknown(L_) : S(rodLength);
  }
  /// States that the length does not change; der(length), which is zero.
  template <class S>
  S lengthRate(View<S>& x) const {
    if (!computeRodLength) return S(0);
    return x.row(constant_) = x.rate(L_);
  }
  /// From frame_a to frame_b, resolved in frame_a [m].
  template <class S>
  Vector3<S> line_a(const View<S>& x) const {
    const FrameState<S>& a = x.frame(frames.frame_a);
    return frames::resolve2(a.R, (x.frame(frames.frame_b).r_0 - a.r_0).eval());
  }
  /// Direction from frame_a to frame_b, resolved in frame_a [1].
  template <class S>
  Vector3<S> eRod_a(const View<S>& x) const {
    return line_a(x) / length(x);
  }

 private:
  UnknownId L_;
  RowId constant_;
};

}  // namespace cardan
