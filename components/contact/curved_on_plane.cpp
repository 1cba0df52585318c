#include "components/contact/curved_on_plane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "components/contact/gauss.h"

namespace cardan::contact {

namespace {

using std::numbers::pi;

/// M + x x' weight
template <class S>
Symmetric<S> plus(Symmetric<S> m, const Vector3<S>& x, const S& weight) {
  m.add(x, weight);
  return m;
}

/// [1]  How much of a base of radius R the part below the plane takes, by its width: 1 where it is all of
/// it, next to none on a side or a rim. `lying`: of the normal n, the square of what is across the axis.
template <class S>
S baseShare(const Symmetric<S>& about, const Vector3<S>& n, const S& lying, const S& volume,
            double R) {
  constexpr double kAll = 1 - 1e-6;  // the quadrature's error is less
  const Vector3<S> across(-n[1], n[0], S(0.0));
  const S wide = dot(across, about * across) / (lying * volume);
  return min(S(wide / (kAll * 0.25 * R * R)), 1.0);
}

/// Of a disc of radius 1, the part on the side of -x of the chord x = -cos(angle): its area, and the
/// integrals of x, x^2 and y^2 over it.
template <class S>
struct Segment {
  explicit Segment(const S& angle) {
    const S s = sin(angle), c = cos(angle), s3 = s * s * s;
    area = angle - s * c;
    x = -2.0 / 3 * s3;
    xx = 0.25 * area + 0.5 * s3 * c;
    yy = 0.25 * area - s3 * c / 6.0;
  }
  S area, x, xx, yy;
};

}  // namespace

template <class S>
CurvedOnPlane<S>::CurvedOnPlane(const Solid& body, const RelativePose<S>& pose)
    : n_(pose.R.col(2)), h_(-dot(n_, pose.t)) {
  if (body.kind == Solid::Kind::Cylinder) {
    cylinder(body);
  } else if (body.kind == Solid::Kind::Cone) {
    cone(body);
  } else {
    ellipsoid(body.radii);
  }
}

template <class S>
double CurvedOnPlane<S>::press(double kappa, Pressures<S>& out) const {
  if (!(value(volume_) > 0)) return 0;
  Pressure<S>& p = out.add(n_, first_ / volume_);
  p.m0 = kappa * volume_;
  p.m2 = damped_;
  for (S& e : p.m2.e) e *= kappa;
  p.spread = kappa * spread_;
  p.area = area_;
  return -gap_;
}

/// Points of it are u t + e x + l y, u along the axis, e across it and up, l horizontal; their height
/// is h + c t + g.(x, y). The solid's column along u at (x, y) has the length L(x, y) below.
template <class S>
void CurvedOnPlane<S>::cylinder(const Solid& body) {
  const double R = body.radius, H = body.length / 2;
  const double c = std::abs(value(n_[2]));
  const bool lies = c < kUpright;
  const double side = lies || value(n_[2]) > 0 ? 1 : -1;
  const Column column{side, lies ? S(kUpright) : S(side * n_[2])};
  const Vector3d up(value(n_[0]), value(n_[1]), 0);
  const double s = up.norm(), h = value(h_);
  gap_ = h - c * H - s * R;
  if (!(gap_ < 0)) return;
  const Vector3d e = s > 1e-12 ? Vector3d(up / s) : Vector3d(1, 0, 0);
  if (s < 1e-12) {
    addColumns(body, column, e, -R, R, h < -c * H);
  } else {
    const double rise = value(column.c) * H, x0 = (-rise - h) / s, x1 = (rise - h) / s;
    addColumns(body, column, e, -R, x0, true);
    addColumns(body, column, e, x0, x1, false);
  }
  if (!(value(volume_) > 0)) return;
  if (lies) {
    const S share = n_[2] / kUpright;
    for (S* odd : {&first_[2], &second_.e[2], &second_.e[4]}) *odd *= share;
  }
  settleDamping(R);
}

/// Of what stands on all of its base, all is damped; of what lies on its side or on its rim, what turns it
/// along the horizontal part of its axis.
template <class S>
void CurvedOnPlane<S>::settleDamping(double R) {
  const Vector3<S> centre = first_ / volume_;
  const Symmetric<S> about = plus<S>(second_, centre, -volume_);
  const Vector3<S> axis(S(0.0), S(0.0), S(1.0));
  const Vector3<S> flat = axis - n_ * n_[2];
  const S lying = dot(flat, flat);
  damped_ = about;
  if (value(lying) > 1e-18) {
    const S stands = (1.0 - lying) * baseShare(about, n_, lying, volume_, R);
    for (S& m : damped_.e) m *= stands;
    damped_.add(flat, (1.0 - stands) * dot(flat, about * flat) / (lying * lying));
  }
  const auto across = [&](const Symmetric<S>& m) { return m.trace() - dot(n_, m * n_); };
  spread_ = across(about) - across(damped_);
}

/// Slices across the axis have the radius R (H - t)/(2 H), and their points the height h + c t + s x.
template <class S>
void CurvedOnPlane<S>::cone(const Solid& body) {
  const double R = body.radius, H = body.length / 2, h = value(h_), c = value(n_[2]);
  const S across = n_[0] * n_[0] + n_[1] * n_[1];
  gap_ = std::min(h - c * H - std::sqrt(value(across)) * R, h + c * H);
  if (!(gap_ < 0)) return;
  const bool stands = value(across) < kUpright * kUpright;
  Slices sums{stands ? S(kUpright) : S(sqrt(across))};
  const double s = value(sums.lean);
  const auto rim = [&](double t, double side) {
    return h + c * t + side * s * R * (H - t) / (2 * H);
  };
  // Where the lowest and the highest points of the slices are in the plane.
  const auto meets = [&](double side) {
    const double below = rim(-H, side), above = rim(H, side);
    return below * above < 0 ? std::clamp(H - 2 * H * above / (above - below), -H, H) : H;
  };
  std::array<double, 4> ends{-H, meets(-1), meets(1), H};
  std::ranges::sort(ends);
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    const double middle = 0.5 * (ends[i] + ends[i + 1]);
    if (rim(middle, -1) < 0) addSlices(body, ends[i], ends[i + 1], rim(middle, 1) <= 0, sums);
  }
  if (!(value(sums.V) > 0)) return;
  const Vector3<S> axis(S(0.0), S(0.0), S(1.0));
  const Vector3<S> lean(n_[0] / sums.lean, n_[1] / sums.lean, S(0.0));
  const Vector3<S> up = stands ? Vector3<S>(S(1.0), S(0.0), S(0.0)) : lean;
  volume_ = sums.V;
  first_ = lean * sums.x + axis * sums.t;
  second_.add(up, sums.xx);
  second_.add(Vector3<S>(-up[1], up[0], S(0.0)), sums.yy);
  second_.add(axis, sums.tt);
  second_.addBoth(lean, axis, sums.xt);
  settleDamping(R);
}

template <class S>
void CurvedOnPlane<S>::addSlices(const Solid& body, double from, double to, bool full,
                                 Slices& sums) {
  const double H = body.length / 2, middle = 0.5 * (from + to), half = 0.5 * (to - from);
  if (!(half > 0)) return;
  forEachGaussPoint([&](double point, double share) {
    // Areas begin and end as powers of one and a half.
    const double t = middle + half * std::sin(pi / 2 * point);
    const double weight = share * pi / 2 * half * std::cos(pi / 2 * point);
    const double r = body.radius * (H - t) / (2 * H);
    const S chord = -(h_ + n_[2] * t) / (sums.lean * r);  // its place: x = r chord
    const double at = full ? 1 : value(chord);
    if (!(at > -1)) return;
    const Segment<S> part(at < 1 ? acos(S(-chord)) : S(pi));
    const double w2 = weight * r * r, w3 = w2 * r, w4 = w3 * r;
    sums.V += part.area * w2;
    sums.x += part.x * w3;
    sums.t += part.area * (w2 * t);
    sums.xx += part.xx * w4;
    sums.yy += part.yy * w4;
    sums.tt += part.area * (w2 * t * t);
    sums.xt += part.x * (w3 * t);
    const double s = value(sums.lean);
    if (at < 1) area_ += 2 * std::sqrt(1 - at * at) * r * weight / s;
    energy_ -= value(part.area) * w2 * value(h_ + n_[2] * t) + s * value(part.x) * w3;
  });
}

template <class S>
void CurvedOnPlane<S>::addColumns(const Solid& body, const Column& column, const Vector3d& e,
                                  double from, double to, bool full) {
  const double R = body.radius, H = body.length / 2;
  from = std::clamp(from, -R, R);
  to = std::clamp(to, -R, R);
  if (!(to > from)) return;
  const double side = column.side;
  const Vector3<S> u(S(0.0), S(0.0), S(side)), l(S(-side * e[1]), S(side * e[0]), S(0.0));
  const Vector3<S> across = e.cast<S>();
  const S &c = column.c, g = dot(n_, across), g_l = dot(n_, l);
  const double a = std::asin(from / R), b = std::asin(to / R);
  forEachGaussPoint([&](double point, double share) {
    const double angle = 0.5 * (a + b) + 0.5 * (b - a) * point;
    const double x = R * std::sin(angle), y = R * std::cos(angle);
    const double chord = 2 * y * y * share * 0.5 * (b - a);
    S L(2 * H);
    if (!full) {
      L = H - (h_ + g * x) / c;
      if (!(value(L) > 0)) return;
      if (value(L) > 2 * H) L = S(2 * H);
    }
    const S t = 0.5 * L - H, weight = L * chord;
    const Vector3<S> place = u * t + across * x;
    volume_ += weight;
    area_ += full ? 0 : chord / value(c);
    first_ += place * weight;
    // Columns at +y are longer than those at -y where the plane leans that way.
    if (!full) {
      const S more = g_l / c * (-chord * y * y / 3);
      first_ += l * more;
      second_.addBoth(l, Vector3<S>(across * x + u * (L - H)), more);
    }
    second_.add(place, weight);
    second_.add(l, weight * (y * y / 3));
    second_.add(u, weight * L * L / 12.0);
    energy_ -= value(weight) * value(h_ + c * t + g * x);
  });
}

template <class S>
void CurvedOnPlane<S>::ellipsoid(const Vector3d& radii) {
  const Vector3<S> N(n_[0] * radii[0], n_[1] * radii[1], n_[2] * radii[2]);
  const S size = sqrt(dot(N, N));
  gap_ = value(h_) - value(size);
  if (!(gap_ < 0)) return;
  const Vector3<S> m = N / size;
  const S d = min(S(1.0 - h_ / size), 2.0);
  const double det = radii.prod();
  const S unit = pi * d * d * (1.0 - d / 3.0), full = d * (2.0 - d);
  volume_ = det * unit;
  const Vector3<S> centre = -m * (pi / 4 * full * full / unit);
  for (int i = 0; i < 3; ++i) first_[i] = volume_ * radii[i] * centre[i];
  const S rr = det * pi / 4 * d * d * d * (4.0 / 3 - d + d * d / 5.0);
  for (int i = 0; i < 3; ++i) spread_ += rr * (radii[i] * radii[i]);
  const Vector3<S> Dm(radii[0] * m[0], radii[1] * m[1], radii[2] * m[2]);
  spread_ -= rr * dot(Dm, Dm);
  // D (1 - m m') D along n: n D D n - (m D n)^2 = 0, as m is along D n.
  energy_ = det * value(size) * pi * value(d * d * d) * (1.0 / 3 - value(d) / 12);
  area_ = pi * value(full) * det / value(size);
}

template class CurvedOnPlane<double>;
template class CurvedOnPlane<Dual>;

}  // namespace cardan::contact
