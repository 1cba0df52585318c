#include "components/contact/patch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cardan::contact {

namespace {

/// A polygon in a plane, with no more corners than clipping may give it.
struct Polygon {
  int size = 0;
  std::array<Vector3d, kMostCorners> corner;

  void add(const Vector3d& p) {
    if (size < kMostCorners) corner[size++] = p;
  }
};

/// The part of `in` where n.x <= c.
void clip(const Polygon& in, const Vector3d& n, double c, Polygon& out) {
  out.size = 0;
  if (in.size == 0) return;
  const Vector3d* before = &in.corner[in.size - 1];
  double d_before = c - n.dot(*before);
  for (int i = 0; i < in.size; ++i) {
    const Vector3d& p = in.corner[i];
    const double d = c - n.dot(p);
    if ((d_before >= 0) != (d >= 0)) out.add(*before + (p - *before) * (d_before / (d_before - d)));
    if (d >= 0) out.add(p);
    before = &p;
    d_before = d;
  }
}

/// Integrals of 1, y, y y', y y y' over a polygon, y from `o`.
struct Moments {
  double a0 = 0;
  Vector3d a1 = Vector3d::Zero();
  std::array<double, 6> a2{};   ///< xx xy xz yy yz zz
  std::array<double, 10> a3{};  ///< xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz

  Moments(const Polygon& p, const Vector3d& o, const Vector3d& n) {
    for (int k = 1; k + 1 < p.size; ++k)
      addTriangle(p.corner[0] - o, p.corner[k] - o, p.corner[k + 1] - o, n);
  }

 private:
  void addTriangle(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& n) {
    const double area = 0.5 * (b - a).cross(c - a).dot(n);
    if (!(area > 0)) return;
    const Vector3d s = a + b + c;
    Matrix3d sum;
    a0 += area;
    a1 += area / 3 * s;
    int k = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j, ++k) {
        const double v = a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
        sum(i, j) = sum(j, i) = v;
        a2[k] += area / 12 * (v + s[i] * s[j]);
      }
    }
    k = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        for (int m = j; m < 3; ++m, ++k) {
          const double v = 2 * (a[i] * a[j] * a[m] + b[i] * b[j] * b[m] + c[i] * c[j] * c[m]);
          a3[k] +=
              area / 60 *
              (v + s[i] * sum(j, m) + s[j] * sum(i, m) + s[m] * sum(i, j) + s[i] * s[j] * s[m]);
        }
      }
    }
  }
};

/// Adds the pressure kappa (c - N.y) on a cell to the moments of its face.
template <class S>
void addCell(const Moments& g, const Vector3<S>& N, const S& c, double kappa, Pressure<S>& p) {
  constexpr int kThird[6][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}, {3, 6, 7}, {4, 7, 8}, {5, 8, 9}};
  const Vector3<S> a2N = Symmetric<S>{{g.a2[0], g.a2[1], g.a2[2], g.a2[3], g.a2[4], g.a2[5]}} * N;
  p.m0 += kappa * (c * g.a0 - (N[0] * g.a1[0] + N[1] * g.a1[1] + N[2] * g.a1[2]));
  for (int i = 0; i < 3; ++i) p.m1[i] += kappa * (c * g.a1[i] - a2N[i]);
  for (int k = 0; k < 6; ++k) {
    const int* t = kThird[k];
    p.m2.e[k] +=
        kappa * (c * g.a2[k] - (N[0] * g.a3[t[0]] + N[1] * g.a3[t[1]] + N[2] * g.a3[t[2]]));
  }
}

/// Planes of a body, resolved in the frame of another one.
struct Planes {
  int size = 0;
  std::array<Vector3d, kMostFaces> n;
  std::array<double, kMostFaces> c;

  Planes(const Polyhedron& body, const Matrix3d& R, const Vector3d& t) {
    for (const Polyhedron::Face& f : body.faces) {
      n[size] = R * f.n;
      c[size] = f.c + n[size].dot(t);
      ++size;
    }
  }
  /// Of a point below one of them.
  double depth(int j, const Vector3d& x) const { return c[j] - n[j].dot(x); }
  /// All of the other body is beyond one of them; the widest gap is returned, or minus the least
  /// overlap.
  double gapTo(const Polyhedron& other) const {
    double gap = -std::numeric_limits<double>::infinity();
    for (int j = 0; j < size; ++j) {
      double deepest = -std::numeric_limits<double>::infinity();
      for (const Vector3d& v : other.vertices) deepest = std::max(deepest, depth(j, v));
      gap = std::max(gap, -deepest);
    }
    return gap;
  }
};

/// A face of one body inside the other, cut where the nearest plane of that changes.
class Section {
 public:
  explicit Section(const Planes& planes) : planes_(planes) {}

  /// False: it is outside.
  bool cut(const Polyhedron& body, const Polyhedron::Face& face) {
    Polygon *p = &buffer_[0], *q = &buffer_[1];
    p->size = 0;
    for (int v : face.corners) p->add(body.vertices[v]);
    for (int j = 0; j < planes_.size && p->size > 2; ++j) {
      bool any = false, all = true;
      for (int v : face.corners) {
        const bool inside = planes_.depth(j, body.vertices[v]) > 0;
        any = any || inside;
        all = all && inside;
      }
      if (!any) return false;
      if (all) continue;
      clip(*p, planes_.n[j], planes_.c[j], *q);
      std::swap(p, q);
    }
    whole_ = p;
    if (p->size < 3) return false;
    findCandidates();
    return true;
  }
  const Vector3d& origin() const { return whole_->corner[0]; }
  /// f(j, polygon) for every plane j that is the nearest one somewhere.
  template <class F>
  void forEachCell(F f) {
    Polygon* free[2];
    int k = 0;
    for (Polygon& b : buffer_) {
      if (&b != whole_ && k < 2) free[k++] = &b;
    }
    for (int a = 0; a < candidates_; ++a) {
      const int j = candidate_[a];
      const Polygon* cell = whole_;
      for (int b = 0; b < candidates_ && cell->size > 2; ++b) {
        if (b == a) continue;
        const int i = candidate_[b];
        Polygon* next = cell == free[0] ? free[1] : free[0];
        clip(*cell, planes_.n[i] - planes_.n[j], planes_.c[i] - planes_.c[j], *next);
        cell = next;
      }
      if (cell->size > 2) f(j, *cell);
    }
  }

 private:
  /// Planes that may be the nearest one; those that tie stay, lest a flush face lose its only one.
  /// First stands the one that leaves the least of the others' cells.
  void findCandidates() {
    std::array<double, kMostFaces> least;
    int nearest = -1;
    double most = std::numeric_limits<double>::infinity();
    for (int j = 0; j < planes_.size; ++j) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (int k = 0; k < whole_->size; ++k) {
        const double d = planes_.depth(j, whole_->corner[k]);
        low = std::min(low, d);
        high = std::max(high, d);
      }
      least[j] = low;
      if (high < most) nearest = j;
      most = std::min(most, high);
    }
    candidates_ = 0;
    for (int j = 0; j < planes_.size; ++j) {
      if (least[j] > most) continue;
      candidate_[candidates_++] = j;
      if (j == nearest) std::swap(candidate_[0], candidate_[candidates_ - 1]);
    }
  }

  const Planes& planes_;
  Polygon buffer_[3];
  const Polygon* whole_ = nullptr;
  std::array<int, kMostFaces> candidate_;
  int candidates_ = 0;
};

/// Faces of x in the field of y, which stands at `pose` in x's frame; f(face, pressure in x's
/// frame, area).
template <class S, class F>
double facesIn(const Polyhedron& x, const Polyhedron& y, const RelativePose<S>& pose, double kappa,
               F f) {
  const Planes planes(y, valuesOf(pose.R), valuesOf(pose.t));
  Section section(planes);
  double depth = 0;
  for (const Polyhedron::Face& face : x.faces) {
    if (!section.cut(x, face)) continue;
    Pressure<S> p;
    const Vector3d o = section.origin();
    double area = 0;
    section.forEachCell([&](int j, const Polygon& cell) {
      const Moments g(cell, o, face.n);
      if (!(g.a0 > 0)) return;
      area += g.a0;
      for (int k = 0; k < cell.size; ++k) depth = std::max(depth, planes.depth(j, cell.corner[k]));
      const Vector3<S> N = pose.R * y.faces[j].n.template cast<S>();
      addCell<S>(g, N, y.faces[j].c + dot(N, Vector3<S>(pose.t - o.template cast<S>())), kappa, p);
    });
    if (area > 0) f(face, p, o, area);
  }
  return depth;
}

/// All of one lies beyond a plane of the other.
bool apart(const Polyhedron& a, const Polyhedron& b, const RelativePose<double>& pose) {
  const RelativePose<double> back = pose.inverse();
  return (!a.isHalfSpace() && Planes(b, pose.R, pose.t).gapTo(a) >= 0) ||
         (!b.isHalfSpace() && Planes(a, back.R, back.t).gapTo(b) >= 0);
}

/// Over the cell of A and B where A's plane j is the nearest: integral of p_A dV by its border, for
/// div(-n_j d_j^2/2) = d_j.
class FieldEnergy {
 public:
  /// `in`: planes of the body with the field, `of`: those of the other one, in one frame.
  FieldEnergy(const Planes& in, const Planes& of, double size) : in_(in), of_(of), size_(size) {}

  /// Of a piece of the other's surface with normal n, below plane j.
  double onFace(int j, const Polygon& cell, const Vector3d& n) const {
    return -0.5 * in_.n[j].dot(n) * squares(j, cell, n);
  }
  /// Of the planes where two faces are equally near.
  double between() const {
    double sum = 0;
    for (int j = 0; j < in_.size; ++j) {
      for (int i = j + 1; i < in_.size; ++i) {
        const Vector3d m = in_.n[i] - in_.n[j];  // outward from the cell of j: there d_i < d_j
        const double length = m.norm();
        if (length < 1e-12) continue;
        Polygon p = bisector(j, i, m / length, (in_.c[i] - in_.c[j]) / length);
        if (p.size < 3) continue;
        const Vector3d n = m / length;
        sum += 0.5 * (in_.n[i] - in_.n[j]).dot(n) * squares(j, p, n);
      }
    }
    return sum;
  }

 private:
  double squares(int j, const Polygon& p, const Vector3d& n) const {
    const Moments g(p, p.corner[0], n);
    const Vector3d N = in_.n[j];
    const double c = in_.c[j] - N.dot(p.corner[0]);
    const Vector3d a2N = Symmetric<double>{g.a2} * N;
    return c * c * g.a0 - 2 * c * N.dot(g.a1) + N.dot(a2N);
  }
  Polygon bisector(int j, int i, const Vector3d& n, double c) const {
    Eigen::Index least = 0;
    n.cwiseAbs().minCoeff(&least);
    const Vector3d u = n.cross(Vector3d::Unit(least)).normalized() * size_, v = n.cross(u);
    Polygon p, q;
    for (const Vector3d& corner :
         {Vector3d(-u - v), Vector3d(u - v), Vector3d(u + v), Vector3d(v - u)})
      p.add(n * c + corner);
    const auto cut = [&](const Vector3d& m, double d) {
      clip(p, m, d, q);
      std::swap(p, q);
    };
    cut(in_.n[j], in_.c[j]);
    for (int k = 0; k < in_.size && p.size > 2; ++k) {
      if (k != j && k != i) cut(in_.n[k] - in_.n[j], in_.c[k] - in_.c[j]);
    }
    for (int k = 0; k < of_.size && p.size > 2; ++k) cut(of_.n[k], of_.c[k]);
    return p;
  }

  const Planes& in_;
  const Planes& of_;
  double size_;
};

/// Integral of the pressure in x's field kappa d over x and y, y's faces cut by x's.
double fieldEnergy(const Polyhedron& y, const Polyhedron& x, const RelativePose<double>& pose) {
  const Planes in(x, pose.R, pose.t), of(y, Matrix3d::Identity(), Vector3d::Zero());
  double size = pose.t.norm();
  for (const Polyhedron* p : {&x, &y}) {
    for (const Vector3d& v : p->vertices) size += v.norm();
  }
  const FieldEnergy energy(in, of, size);
  Section section(in);
  double sum = 0;
  for (const Polyhedron::Face& face : y.faces) {
    if (!section.cut(y, face)) continue;
    section.forEachCell([&](int j, const Polygon& cell) { sum += energy.onFace(j, cell, face.n); });
  }
  return x.isHalfSpace() ? sum : sum + energy.between();
}

}  // namespace

template <class S>
double pressBetween(const Polyhedron& a, const Polyhedron& b, const RelativePose<S>& pose,
                    double kappa, Pressures<S>& out) {
  if (apart(a, b, valuesOf(pose))) return 0;
  const bool two = !a.isHalfSpace() && !b.isHalfSpace();
  const double half = two ? 0.5 * kappa : kappa;
  double depth = 0;
  if (!a.isHalfSpace()) {
    depth = facesIn(
        a, b, pose, half,
        [&](const Polyhedron::Face& face, const Pressure<S>& p, const Vector3d& o, double area) {
          Pressure<S>& piece = out.add(-face.n.template cast<S>(), o.cast<S>());
          piece.m0 = p.m0;
          piece.m1 = p.m1;
          piece.m2 = p.m2;
          out.area += two ? 0.5 * area : area;
        });
  }
  if (b.isHalfSpace()) return depth;
  return std::max(depth, facesIn(b, a, pose.inverse(), half,
                                 [&](const Polyhedron::Face& face, const Pressure<S>& p,
                                     const Vector3d& o, double area) {
                                   Pressure<S>& piece = out.add(pose.R * face.n.template cast<S>(),
                                                                pose.R * o.cast<S>() + pose.t);
                                   piece.m0 = p.m0;
                                   piece.m1 = pose.R * p.m1;
                                   piece.m2 = p.m2.turned(pose.R);
                                   out.area += two ? 0.5 * area : area;
                                 }));
}
template double pressBetween(const Polyhedron&, const Polyhedron&, const RelativePose<double>&,
                             double, Pressures<double>&);
template double pressBetween(const Polyhedron&, const Polyhedron&, const RelativePose<Dual>&,
                             double, Pressures<Dual>&);

double energyBetween(const Polyhedron& a, const Polyhedron& b, const RelativePose<double>& pose,
                     double kappa) {
  if (apart(a, b, pose)) return 0;
  if (b.isHalfSpace()) return kappa * fieldEnergy(a, b, pose);
  const RelativePose<double> back = pose.inverse();
  if (a.isHalfSpace()) return kappa * fieldEnergy(b, a, back);
  return 0.5 * kappa * (fieldEnergy(a, b, pose) + fieldEnergy(b, a, back));
}

double separation(const Polyhedron& a, const Polyhedron& b, const RelativePose<double>& pose) {
  const RelativePose<double> back = pose.inverse();
  double gap = -std::numeric_limits<double>::infinity();
  if (!a.isHalfSpace()) gap = std::max(gap, Planes(b, pose.R, pose.t).gapTo(a));
  if (!b.isHalfSpace()) gap = std::max(gap, Planes(a, back.R, back.t).gapTo(b));
  if (gap >= 0 || a.isHalfSpace() || b.isHalfSpace()) return gap;
  const auto range = [](const Polyhedron& p, const Vector3d& n) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vector3d& v : p.vertices) {
      const double d = n.dot(v);
      low = std::min(low, d);
      high = std::max(high, d);
    }
    return std::pair(low, high);
  };
  for (const Vector3d& e : a.directions) {
    for (const Vector3d& g : b.directions) {
      const Vector3d across = e.cross(pose.R * g);
      const double length = across.norm();
      if (length < 1e-9) continue;
      const Vector3d n = across / length;
      const auto [low_a, high_a] = range(a, n);
      const auto [low_b, high_b] = range(b, pose.R.transpose() * n);
      const double shift = n.dot(pose.t);
      gap = std::max(gap, std::max(low_b + shift - high_a, low_a - high_b - shift));
    }
  }
  return gap;
}

}  // namespace cardan::contact
