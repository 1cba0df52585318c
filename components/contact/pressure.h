/// Pressure: what acts between two shapes before damping and friction, piece by piece, and what
/// follows from all of it: normal, centre, width, and the law of restitution.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <memory>

#include "frames/frames.h"

namespace cardan::contact {

/// A symmetric matrix: xx, xy, xz, yy, yz, zz.
template <class S>
struct Symmetric {
  std::array<S, 6> e{};

  Vector3<S> operator*(const Vector3<S>& v) const {
    return {e[0] * v[0] + e[1] * v[1] + e[2] * v[2], e[1] * v[0] + e[3] * v[1] + e[4] * v[2],
            e[2] * v[0] + e[4] * v[1] + e[5] * v[2]};
  }
  S trace() const { return e[0] + e[3] + e[5]; }
  void add(const Vector3<S>& x, const S& weight) {
    int k = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j, ++k) e[k] += weight * x[i] * x[j];
    }
  }
  /// (x y' + y x') weight
  void addBoth(const Vector3<S>& x, const Vector3<S>& y, const S& weight) {
    int k = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j, ++k) e[k] += weight * (x[i] * y[j] + y[i] * x[j]);
    }
  }
  /// R M R'
  Symmetric turned(const Matrix3<S>& R) const {
    Matrix3<S> M;
    for (int j = 0; j < 3; ++j) {
      M.col(j) = R * (*this * Vector3<S>(R.row(j).transpose()));
    }
    return {{M(0, 0), M(0, 1), M(0, 2), M(1, 1), M(1, 2), M(2, 2)}};
  }
};

/// Normal forces in one direction: a face under pressure, or a line, or a point. Vectors are
/// resolved in the frame of the first body A.
template <class S>
struct Pressure {
  Vector3<S> n;                        ///< [1]    direction in which they push A
  Vector3<S> o;                        ///< [m]    where moments are taken about
  S m0{0};                             ///< [N]    their sum
  Vector3<S> m1 = Vector3<S>::Zero();  ///< [N.m]  sum of x f
  Symmetric<S> m2;                     ///< [N.m2]  sum of x x' f
  S spread{0};                         ///< [N.m2]  more of it across n, which damps no rolling
  double area = 0;                     ///< [m2]
};

/// The pieces between two shapes at one instant; as many as there may be.
template <class S>
struct Pressures {
  static constexpr int kMost = 512;
  int size = 0;
  std::array<Pressure<S>, kMost> piece;

  Pressure<S>& add(const Vector3<S>& n, const Vector3<S>& o) {
    Pressure<S>& p = piece[size < kMost ? size++ : kMost - 1];
    p = Pressure<S>{};
    p.n = n;
    p.o = o;
    return p;
  }
};

/// Emptied room for the pieces of one pair, a thread's own, made when first asked for: as a
/// `thread_local` object it would cost every start of a process or thread its pages.
template <class S>
Pressures<S>& noPressures() {
  thread_local const auto room = std::make_unique<Pressures<S>>();
  room->size = 0;
  return *room;
}

/// Motion of A's material relative to B's: [m/s] at A's origin and [rad/s], resolved in A.
template <class S>
struct RelativeVelocity {
  Vector3<S> v;
  Vector3<S> w;
};

/// The sum of all pieces, about A's origin, resolved in A.
template <class S>
struct NormalLoad {
  S elastic{0};                         ///< [N]    size of the force without damping
  Vector3<S> n = Vector3<S>::UnitZ();   ///< [1]    its direction, on A
  Vector3<S> c = Vector3<S>::Zero();    ///< [m]    centre of the normal forces
  S r_g2{0};                            ///< [m2]   their radius of gyration about n, squared
  double area = 0;                      ///< [m2]   under pressure, across n
  Vector3<S> f = Vector3<S>::Zero();    ///< [N]    on A, with damping
  Vector3<S> t = Vector3<S>::Zero();    ///< [N.m]
  Vector3<S> f_e = Vector3<S>::Zero();  ///< [N]    without it
  Vector3<S> t_e = Vector3<S>::Zero();  ///< [N.m]
};

/// Damping by a coefficient of restitution that holds at every speed far above v_s:
///
/// Equations  p -> p (1 + beta q/sqrt(<q^2> + v_s^2)), q(x) = approach of the materials along n,
///            <q^2> its mean over the pressure;  beta = (1 - e^2)/(1 + e^2)
///            All of what damping adds acts along n: its power is -beta int p q^2/sqrt(..) <= 0, and
///            as |<q>| <= sqrt(<q^2>) and beta < 1, it never pulls.
struct Restitution {
  double beta = 0;  ///< [1]
  double v_s = 1;   ///< [m/s]  below, it is viscous
};

template <class S>
NormalLoad<S> sumOf(const Pressures<S>& pieces, const RelativeVelocity<S>& motion,
                    const Restitution& restitution) {
  NormalLoad<S> l;
  for (int i = 0; i < pieces.size; ++i) {
    const Pressure<S>& p = pieces.piece[i];
    l.f_e += p.n * p.m0;
    l.t_e += cross(Vector3<S>(p.m1 + p.o * p.m0), p.n);
  }
  l.f = l.f_e;
  l.t = l.t_e;
  const S square = dot(l.f_e, l.f_e);
  if (!(value(square) > 0)) return l;
  l.elastic = sqrt(square);
  l.n = l.f_e / l.elastic;
  S weight{0};
  Vector3<S> first = Vector3<S>::Zero();
  for (int i = 0; i < pieces.size; ++i) {
    const Pressure<S>& p = pieces.piece[i];
    const S s = dot(p.n, l.n);
    weight += s * p.m0;
    l.area += value(s) * p.area;
    first += (p.m1 + p.o * p.m0) * s;
  }
  l.c = first / weight;
  Vector3<S> t_d = Vector3<S>::Zero();
  S f_d{0}, squares{0}, gyration{0};
  const Vector3<S> slope = -cross(l.n, motion.w);  // of q, along x
  for (int i = 0; i < pieces.size; ++i) {
    const Pressure<S>& p = pieces.piece[i];
    const S s = dot(p.n, l.n);
    const Vector3<S> d = p.o - l.c;
    const Vector3<S> across = p.m2 * l.n;
    const S along = dot(d, l.n);
    gyration +=
        s * (p.m2.trace() - dot(l.n, across) + 2.0 * (dot(d, p.m1) - along * dot(l.n, p.m1)) +
             (dot(d, d) - along * along) * p.m0 + p.spread);
    const S q = dot(slope, p.o) - dot(l.n, motion.v);
    const S linear = dot(slope, p.m1);
    const S mean = q * p.m0 + linear;
    const Vector3<S> second = p.m2 * slope;
    f_d += s * mean;
    t_d += cross(Vector3<S>(p.m1 * q + second + p.o * mean), l.n) * s;
    squares += s * (q * (mean + linear) + dot(slope, second));
  }
  l.r_g2 = max(S(gyration / weight), S(0.0));
  const S rms2 = max(S(squares / l.elastic), S(0.0));
  const S a = restitution.beta / sqrt(rms2 + restitution.v_s * restitution.v_s);
  l.f += l.n * (f_d * a);
  l.t += t_d * a;
  return l;
}

}  // namespace cardan::contact
