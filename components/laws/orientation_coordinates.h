/// Coordinates of a free orientation from frame_a to frame_b: quaternion, transformation matrix or
/// three angles.
///
/// Each class is a set of nq coordinates q with
///   orientation(q, w)         R_rel of the coordinates, turning with w [rad/s] (in frame_b)
///   isRotation                R_rel is one even where the constraints among q do not hold
///   rows(q, qd, w, rates, e)  rates: angular velocity of (q, qd) minus w (3);
///                             e: the nq - 3 constraints among q
///   rates(q, w, qd)           qd for which both are zero, the constraints differentiated; false: there
///                             is no formula, or none at this place
///   measure(R_rel, q)         coordinates of an orientation; on entry q holds a guess of the sign
///                             or branch
///   infos()                   names and starts of the coordinates
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "components/chart.h"
#include "components/laws/joint_axis.h"
#include "components/structure.h"

namespace cardan {

/// Quaternion: 4 coordinates, w = 2 E(Q) der(Q), Q.Q = 1. The constraint keeps its length; R is that of
/// Q / |Q|, a rotation off the constraint, too.
/// Source  MSL 4.0 Frames.Quaternions
class QuaternionCoordinates {
 public:
  static constexpr int nq = 4;
  static constexpr bool isRotation = true;

  template <class S>
  frames::Orientation<S> orientation(const S* q, const double*, const Vector3<S>& w) const {
    const S square =
        multiplyAdd(q[0], q[0], S(q[1] * q[1])) + multiplyAdd(q[2], q[2], S(q[3] * q[3]));
    const S twice = 2.0 / square;
    const S x = twice * q[0], y = twice * q[1], z = twice * q[2], r = twice * q[3];
    const S xx = x * q[0], yy = y * q[1], zz = z * q[2], rr = r * q[3];
    const S xy = x * q[1], xz = x * q[2], yz = y * q[2], xr = x * q[3], yr = y * q[3],
            zr = z * q[3];
    Matrix3<S> T;
    T << xx + rr - 1.0, xy + zr, xz - yr, xy - zr, yy + rr - 1.0, yz + xr, xz + yr, yz - xr,
        zz + rr - 1.0;
    return frames::from_T(T, w);
  }
  template <class S>
  void rows(const S* q, const S* qd, const Vector3<S>& w, S* rates, S* extra) const {
    const Vector4<S> Q(q[0], q[1], q[2], q[3]);
    const Vector3<S> w_Q =
        frames::Quaternions::angularVelocity2(Q, Vector4<S>(qd[0], qd[1], qd[2], qd[3]));
    for (int i = 0; i < 3; ++i) rates[i] = w_Q[i] - w[i];
    extra[0] = frames::Quaternions::orientationConstraint(Q)[0];
  }
  bool rates(const double* q, const Vector3d& w, double* qd) const {
    // E E' = Q.Q, E Q = 0
    const double half = 0.5 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const Vector3d u = w * half;
    qd[0] = q[3] * u[0] - q[2] * u[1] + q[1] * u[2];
    qd[1] = q[2] * u[0] + q[3] * u[1] - q[0] * u[2];
    qd[2] = -q[1] * u[0] + q[0] * u[1] + q[3] * u[2];
    qd[3] = -q[0] * u[0] - q[1] * u[1] - q[2] * u[2];
    return true;
  }
  template <class S>
  void measure(const frames::Orientation<S>& R, S* q) const {
    const Vector4<S> Q =
        frames::to_Q(R, Vector4d(value(q[0]), value(q[1]), value(q[2]), value(q[3])));
    for (int i = 0; i < 4; ++i) q[i] = Q[i];
  }
  std::vector<UnknownInfo> infos(const frames::Orientation<double>& start) const {
    const Vector4d Q = frames::to_Q(start);
    std::vector<UnknownInfo> list;
    for (int i = 0; i < 4; ++i)
      list.push_back({"Q[" + std::to_string(i + 1) + "]", "1", "quaternion", Q[i]});
    return list;
  }
};

/// Transformation matrix: 9 coordinates by columns (T11, T21, T31, T12, ...), w = the axial part of
/// T der(T)', and the six residues orientationConstraint(R).
/// Source  MSL 4.0 Frames.orientationConstraint
class MatrixCoordinates {
 public:
  static constexpr int nq = 9;
  static constexpr bool isRotation = false;

  template <class S>
  frames::Orientation<S> orientation(const S* q, const double*, const Vector3<S>& w) const {
    return frames::from_T(matrix(q), w);
  }
  template <class S>
  void rows(const S* q, const S* qd, const Vector3<S>& w, S* rates, S* extra) const {
    const Matrix3<S> T = matrix(q);
    // T der(T)' = skew(w) only for exact derivatives; its skew part is taken, so that no element is
    // preferred.
    const Matrix3<S> A = productTransposed(T, matrix(qd));
    rates[0] = 0.5 * (A(2, 1) - A(1, 2)) - w[0];
    rates[1] = 0.5 * (A(0, 2) - A(2, 0)) - w[1];
    rates[2] = 0.5 * (A(1, 0) - A(0, 1)) - w[2];
    const auto c = frames::TransformationMatrices::orientationConstraint(T);
    for (int i = 0; i < 6; ++i) extra[i] = c[i];
  }
  bool rates(const double*, const Vector3d&, double*) const { return false; }
  template <class S>
  void measure(const frames::Orientation<S>& R, S* q) const {
    const auto T = frames::to_vector(R);
    for (int i = 0; i < 9; ++i) q[i] = T[i];
  }
  std::vector<UnknownInfo> infos(const frames::Orientation<double>& start) const {
    const auto T = frames::to_vector(start);
    std::vector<UnknownInfo> list;
    for (int i = 0; i < 9; ++i) {
      list.push_back({"T[" + std::to_string(i % 3 + 1) + "," + std::to_string(i / 3 + 1) + "]", "1",
                      "transformation matrix", T[i]});
    }
    return list;
  }

 private:
  template <class S>
  static Matrix3<S> matrix(const S* q) {
    Matrix3<S> T;
    for (int i = 0; i < 9; ++i) T(i % 3, i / 3) = q[i];
    return T;
  }
};

/// The angles of R about the axes of `sequence` that are nearest to `guess` [rad]: of the two
/// triples that give R the one whose first angle is nearer on the circle, then each angle on its
/// turn. (axesRotationsAngles compares by the plain difference, which jumps where an angle passes
/// pi.)
template <class S>
Vector3<S> nearestAngles(const frames::Orientation<S>& R, const frames::Sequence& sequence,
                         const Vector3d& guess) {
  constexpr double pi = std::numbers::pi;
  Vector3<S> phi = frames::axesRotationsAngles(R, sequence, guess[0]);
  const double first = value(phi[0]);
  if (std::abs(nearestTurn(first, guess[0]) - guess[0]) > pi / 2) {
    // The other triple begins with this angle, to the last digit.
    phi = frames::axesRotationsAngles(R, sequence, first > 0 ? first - pi : first + pi);
  }
  for (int i = 0; i < 3; ++i) phi[i] = nearestTurn(S(phi[i]), guess[i]);
  return phi;
}

/// The reference that three angles are counted from (a -> reference -> b).
class AngleChart final : public Chart {
 public:
  explicit AngleChart(const frames::Sequence& sequence)
      : sequence_(sequence), middle_(0, sequence[0] == sequence[2] ? kRight : 0, 0) {}

  const frames::Sequence& sequence() const { return sequence_; }
  /// Changes the meaning of the coordinates, from the start of a run on.
  void setReference(const frames::Orientation<double>& R) { first_ = R; }
  /// Angles from frame_a at the start: `phi` [rad]; the reference is chosen for them.
  void startAt(const Vector3d& phi) {
    atStart_ = phi;
    if (regularity(phi.data()) >= kDue) return;
    setReference(referenceFor(frames::axesRotations(sequence_, phi, kStill)));
    atStart_ = middle_;
  }
  /// Coordinates at the start: all turns of the angles given to startAt() are kept.
  const Vector3d& coordinatesAtStart() const { return atStart_; }

  /// `reference`: the one in force, or null for that of the start.
  template <class S>
  frames::Orientation<S> orientation(const Vector3<S>& angles, const double* reference,
                                     const Vector3<S>& w) const {
    const auto T = frames::TransformationMatrices::axesRotations(sequence_, angles);
    return frames::from_T(product(T, reference ? matrix(reference) : frames::to_T(first_)), w);
  }
  /// By the reference of the start.
  template <class S>
  Vector3<S> angles(const frames::Orientation<S>& R, const Vector3d& guess) const {
    return nearestAngles(frames::relativeRotation(first_, R), sequence_, guess);
  }

  int size() const override { return 9; }
  void start(double* reference) const override { keep(first_, reference); }
  void plain(double* reference) const override { keep(frames::nullRotation(), reference); }
  /// By the sine of the angle between the first and the third axis: due within 30 degrees of the
  /// singular place.
  double regularity(const double* q) const override {
    return std::abs(middle_[1] == 0 ? std::cos(q[1]) : std::sin(q[1]));
  }
  void renew(const double* q, double* reference) const override {
    keep(referenceFor(orientation<double>(at(q), reference, kStill)), reference);
  }
  void translate(const double* before, const double* after, const double* guess,
                 double* q) const override {
    const auto R = orientation<double>(at(q), before, kStill);
    const auto R_after = frames::from_T(matrix(after), kStill);
    const Vector3d a = nearestAngles(frames::relativeRotation(R_after, R), sequence_, at(guess));
    for (int i = 0; i < 3; ++i) q[i] = a[i];
  }
  void middle(double* q) const override {
    for (int i = 0; i < 3; ++i) q[i] = middle_[i];
  }

 private:
  static constexpr double kRight = std::numbers::pi / 2;
  static inline const Vector3d kStill{0, 0, 0};

  static Vector3d at(const double* q) { return {q[0], q[1], q[2]}; }
  static Matrix3d matrix(const double* reference) { return Eigen::Map<const Matrix3d>(reference); }
  static void keep(const frames::Orientation<double>& R, double* reference) {
    Eigen::Map<Matrix3d>{reference} = frames::to_T(R);
  }
  /// The reference that gives R the angles of the middle.
  frames::Orientation<double> referenceFor(const frames::Orientation<double>& R) const {
    const auto toMiddle = frames::axesRotations(sequence_, middle_, kStill);
    return frames::absoluteRotation(R, frames::inverseRotation(toMiddle));
  }

  frames::Sequence sequence_;
  Vector3d middle_;  ///< as far from the singular places as can be
  frames::Orientation<double> first_ = frames::nullRotation();
  Vector3d atStart_{0, 0, 0};  ///< coordinates
};

/// Three angles about the axes of `sequence`, counted from a reference orientation (a -> reference
/// -> b): w = e3 da3 + T3 e2 da2 + T3 T2 e1 da1. Singular where the first and third axis are
/// parallel; a reference chosen anew keeps away from there.
/// Source  MSL 4.0 Frames.axesRotations
class AngleCoordinates {
 public:
  static constexpr int nq = 3;
  static constexpr bool isRotation = true;

  explicit AngleCoordinates(const frames::Sequence& sequence = frames::kCardanSequence)
      : chart_(std::make_shared<AngleChart>(sequence)) {}

  /// Shared by the copies: one edge has one chart.
  const std::shared_ptr<AngleChart>& chart() const { return chart_; }

  template <class S>
  frames::Orientation<S> orientation(const S* q, const double* chart, const Vector3<S>& w) const {
    return chart_->orientation(Vector3<S>(q[0], q[1], q[2]), chart, w);
  }
  template <class S>
  void rows(const S* q, const S* qd, const Vector3<S>& w, S* rates, S*) const {
    const Vector3<S> w_q = frames::Internal::from_anglesd(
        chart_->sequence(), Vector3<S>(q[0], q[1], q[2]), Vector3<S>(qd[0], qd[1], qd[2]));
    for (int i = 0; i < 3; ++i) rates[i] = w_q[i] - w[i];
  }
  bool rates(const double* q, const Vector3d& w, double* qd) const {
    const Vector3d phi(q[0], q[1], q[2]);
    Vector3d axes[3];
    for (int k = 0; k < 3; ++k)
      axes[k] =
          frames::Internal::from_anglesd(chart_->sequence(), phi, Vector3d(Vector3d::Unit(k)));
    const Vector3d across = cross(axes[1], axes[2]);
    const double volume = dot(axes[0], across);
    if (std::abs(volume) < 1e-3) return false;
    qd[0] = dot(w, across) / volume;
    qd[1] = dot(w, Vector3d(cross(axes[2], axes[0]))) / volume;
    qd[2] = dot(w, Vector3d(cross(axes[0], axes[1]))) / volume;
    return true;
  }
  template <class S>
  void measure(const frames::Orientation<S>& R, S* q) const {
    const Vector3<S> phi = chart_->angles(R, Vector3d(value(q[0]), value(q[1]), value(q[2])));
    for (int i = 0; i < 3; ++i) q[i] = phi[i];
  }
  std::vector<UnknownInfo> infos(const frames::Orientation<double>& start) const {
    double phi[3] = {0, 0, 0};
    measure(start, phi);
    std::vector<UnknownInfo> list;
    for (int i = 0; i < 3; ++i)
      list.push_back({"phi[" + std::to_string(i + 1) + "]", "rad", "angle", phi[i]});
    return list;
  }

 private:
  std::shared_ptr<AngleChart> chart_;
};

/// Angles of a rotation about a sequence of axes with their first and second derivatives.
template <class S>
struct AngleMotion {
  Vector3<S> phi;     ///< [rad]
  Vector3<S> phi_d;   ///< [rad/s]  0 where the first and third axis are parallel
  Vector3<S> phi_dd;  ///< [rad/s2] 0 there
};

/// Angle motion of R, where z [rad/s2] = der(R.w); the angles nearest to `guess`.
template <class S>
AngleMotion<S> angleMotion(const frames::Orientation<S>& R, const Vector3<S>& z,
                           const frames::Sequence& sequence,
                           const Vector3d& guess = Vector3d::Zero()) {
  AngleMotion<S> m;
  m.phi = nearestAngles(R, sequence, guess);

  // w = c1 da1 + c2 da2 + c3 da3: the three axes resolved in frame_b.
  const Vector3<S> c1 = frames::resolve2(R, frames::axis(sequence[0]));
  const Vector3<S> c3 = frames::axis(sequence[2]).template cast<S>();
  const Vector3<S> c2 = frames::TransformationMatrices::resolve2(
      frames::TransformationMatrices::axisRotation(sequence[2], S(m.phi[2])),
      frames::axis(sequence[1]));
  const Vector3<S> c23 = cross(c2, c3), c31 = cross(c3, c1), c12 = cross(c1, c2);
  const S volume = dot(c1, c23);
  if (abs(value(volume)) < 1e-12) {
    m.phi_d.setZero();
    m.phi_dd.setZero();
    return m;
  }
  const Vector3<S>& w = frames::angularVelocity2(R);
  m.phi_d = Vector3<S>(dot(w, c23), dot(w, c31), dot(w, c12)) / volume;
  // The first axis turns against frame_b with the second and third rotation, the second axis with
  // the third.
  const Vector3<S> w3 = c3 * m.phi_d[2], w32 = c2 * m.phi_d[1] + w3;
  const Vector3<S> rest = z + cross(w32, c1) * m.phi_d[0] + cross(w3, c2) * m.phi_d[1];
  m.phi_dd = Vector3<S>(dot(rest, c23), dot(rest, c31), dot(rest, c12)) / volume;
  return m;
}

}  // namespace cardan
