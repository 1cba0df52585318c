/// Rod: what the two joints that hold two points at a fixed distance share.
#pragma once

#include "components/component.h"
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
  void readLast(ParameterReader& r);
  void declare(Structure& s);
  /// rodLength, rRod_0, rRod_a, eRod_a, constraintResidue.
  void describe(Variables& v) const;

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
