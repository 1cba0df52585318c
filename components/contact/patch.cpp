#include "components/contact/patch.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "components/contact/polygon.h"

namespace cardan::contact {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFlush = 1e-9;  // [m]  of faces in one plane

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
  /// Of a plane with origin and axes.
  Slope slope(int j, const Vector3d& o, const Vector3d& e1, const Vector3d& e2) const {
    return {{n[j].dot(e1), n[j].dot(e2)}, c[j] - n[j].dot(o)};
  }
  /// One of them lies between its body and all of the other one.
  bool part(const Polyhedron& other) const {
    for (int j = 0; j < size; ++j) {
      const auto isInside = [&](const Vector3d& v) { return c[j] - n[j].dot(v) > 0; };
      if (std::ranges::none_of(other.vertices, isInside)) return true;
    }
    return false;
  }
  bool contain(const Vector3d& p) const {
    for (int j = 0; j < size; ++j) {
      if (!(c[j] - n[j].dot(p) > 0)) return false;
    }
    return true;
  }
  /// Which faces of the other body are not beyond one of them, by more than rounding.
  std::vector<int> facesWithin(const Polyhedron& other) const {
    std::vector<int> within;
    int beyond = 0;  // mostly that of the face before
    for (int i = 0; i < std::ssize(other.faces); ++i) {
      const Polyhedron::Face& face = other.faces[i];
      const auto isBeyond = [&](int j) {
        const Slope s = slope(j, face.o, face.e1, face.e2);
        return std::ranges::all_of(face.places,
                                   [&](const Vector2d& u) { return s.at(u) < -kFlush; });
      };
      bool is = size > 0 && isBeyond(beyond);
      for (int j = 0; !is && j < size; ++j) {
        is = isBeyond(j);
        if (is) beyond = j;
      }
      if (!is) within.push_back(i);
    }
    return within;
  }
  /// The widest gap between one of them and all of the other body, or minus the least overlap.
  double gapTo(const Polyhedron& other) const {
    double gap = -kInfinity;
    for (int j = 0; j < size; ++j) {
      double deepest = -kInfinity;
      for (const Vector3d& v : other.vertices) deepest = std::max(deepest, c[j] - n[j].dot(v));
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
  bool cut(const Polyhedron::Face& face) {
    // Where one face is out of reach its neighbours are, of the same plane.
    if (beyond_ >= 0) {
      const Slope s = planes_.slope(beyond_, face.o, face.e1, face.e2);
      if (std::ranges::none_of(face.places, [&](const Vector2d& u) { return s.at(u) > 0; }))
        return false;
    }
    Polygon *p = &buffer_[0], *q = &buffer_[1];
    p->size = 0;
    for (const Vector2d& u : face.places) p->add(u);
    for (int j = 0; j < planes_.size; ++j) {
      slope_[j] = planes_.slope(j, face.o, face.e1, face.e2);
      bool any = false, all = true;
      for (int k = 0; k < p->size; ++k) {
        const bool inside = slope_[j].at(p->corner[k]) > 0;
        any = any || inside;
        all = all && inside;
      }
      if (!any) beyond_ = j;
      if (!any) return false;
      if (!all && clip(*p, slope_[j], *q)) std::swap(p, q);
    }
    whole_ = p;
    if (p->size < 3) return false;
    findCandidates();
    return true;
  }
  const Vector2d& origin() const { return whole_->corner[0]; }
  const Slope& slope(int j) const { return slope_[j]; }
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
        Polygon* next = cell == free[0] ? free[1] : free[0];
        if (clip(*cell, slope_[candidate_[b]] - slope_[j], *next)) cell = next;
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
    double most = kInfinity;
    for (int j = 0; j < planes_.size; ++j) {
      double low = kInfinity, high = -kInfinity;
      for (int k = 0; k < whole_->size; ++k) {
        const double d = slope_[j].at(whole_->corner[k]);
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
  int beyond_ = -1;  ///< the plane that a face was beyond last
  std::array<Slope, kMostFaces> slope_;
  Polygon buffer_[3];
  const Polygon* whole_ = nullptr;
  std::array<int, kMostFaces> candidate_;
  int candidates_ = 0;
};

/// Faces of x in the field of y, which stands at `pose` in x's frame; f(face, pressure by the face's
/// axes, origin of its moments in x's frame, area).
template <class S, class F>
double facesIn(const Polyhedron& x, const Polyhedron& y, const RelativePose<S>& pose, double kappa,
               F f) {
  const Planes planes(y, valuesOf(pose.R), valuesOf(pose.t));
  Section section(planes);
  double depth = 0;
  for (const Polyhedron::Face& face : x.faces) {
    if (!section.cut(face)) continue;
    FlatPressure<S> p;
    const Vector2d u = section.origin();
    const Vector3d o = face.o + face.e1 * u[0] + face.e2 * u[1];
    double area = 0;
    section.forEachCell([&](int j, const Polygon& cell) {
      const Moments g(cell, u);
      if (!(g.m > 0)) return;
      area += g.m;
      for (int k = 0; k < cell.size; ++k)
        depth = std::max(depth, section.slope(j).at(cell.corner[k]));
      const Vector3<S> n = pose.R * y.faces[j].n.template cast<S>();
      const S c = y.faces[j].c + dot(n, Vector3<S>(pose.t - o.template cast<S>()));
      p.add(g, c, dot(n, Vector3<S>(face.e1.template cast<S>())),
            dot(n, Vector3<S>(face.e2.template cast<S>())), kappa);
    });
    if (area > 0) f(face, p, o, area);
  }
  return depth;
}

/// All of one lies beyond a plane of the other.
bool apart(const Polyhedron& a, const Polyhedron& b, const RelativePose<double>& pose) {
  const RelativePose<double> back = pose.inverse();
  return (!a.isHalfSpace() && Planes(b, pose.R, pose.t).part(a)) ||
         (!b.isHalfSpace() && Planes(a, back.R, back.t).part(b));
}

/// Integral of the square of a depth over a polygon.
double squaresOf(const Polygon& p, const Slope& s) {
  const Vector2d& u = p.corner[0];
  return Moments(p, u).squares({s.n, s.at(u)});
}

/// Of the overlap of two bodies: the integral of the depth in one of them, by borders of the cells of
/// its faces, for div(-n_j d_j^2/2) = d_j there.
class FieldEnergy {
 public:
  /// `in`: planes of the body with the field, `of`: those of the other one, in one frame; of each as
  /// many as matter in the overlap.
  FieldEnergy(const Planes& in, std::vector<int> cells, const Planes& of, std::vector<int> borders,
              double size)
      : in_(in), of_(of), cells_(std::move(cells)), borders_(std::move(borders)), size_(size) {}

  /// Of the planes between cells, where two faces are equally near.
  double between() const {
    double sum = 0;
    for (const int j : cells_) {
      for (const int i : cells_) {
        if (i <= j) continue;
        const Vector3d across = in_.n[i] - in_.n[j];  // from the cell of j to that of i
        const double length = across.norm();
        if (length > kParallel) sum += length / 2 * squares(j, i, across / length, length);
      }
    }
    return sum;
  }

 private:
  static constexpr double kParallel = 1e-12;

  double squares(int j, int i, const Vector3d& n, double length) const {
    Eigen::Index least = 0;
    n.cwiseAbs().minCoeff(&least);
    const Vector3d o = n * ((in_.c[i] - in_.c[j]) / length);
    const Vector3d e1 = n.cross(Vector3d::Unit(least)).normalized(), e2 = n.cross(e1);
    Polygon buffer[2], *p = &buffer[0], *q = &buffer[1];
    for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
      p->add(size_ * Vector2d(x, y));
    const auto cut = [&](const Slope& s) {
      if (p->size > 2 && clip(*p, s, *q)) std::swap(p, q);
    };
    const Slope own = in_.slope(j, o, e1, e2);
    cut(own);
    for (const int k : cells_) {
      if (k != j && k != i) cut(in_.slope(k, o, e1, e2) - own);
    }
    for (const int k : borders_) cut(of_.slope(k, o, e1, e2));
    return p->size < 3 ? 0 : squaresOf(*p, own);
  }

  const Planes& in_;
  const Planes& of_;
  std::vector<int> cells_, borders_;
  double size_;
};

/// Integral of the depth in x, which stands at `pose` in y's frame, over the overlap with y. Only these
/// cells of x meet it: those whose face is partly in y, and those through which a face of y passes.
double fieldEnergy(const Polyhedron& y, const Polyhedron& x, const RelativePose<double>& pose) {
  const Planes in(x, pose.R, pose.t), of(y, Matrix3d::Identity(), Vector3d::Zero());
  double size = pose.t.norm();
  for (const Polyhedron* p : {&x, &y}) {
    for (const Vector3d& v : p->vertices) size += v.norm();
  }
  Section section(in);
  double sum = 0;
  bool meet = false;
  std::array<bool, kMostFaces> meets{};
  for (const Polyhedron::Face& face : y.faces) {
    if (!section.cut(face)) continue;
    meet = true;
    section.forEachCell([&](int j, const Polygon& cell) {
      meets[j] = true;
      sum -= 0.5 * in.n[j].dot(face.n) * squaresOf(cell, section.slope(j));
    });
  }
  if (x.isHalfSpace()) return sum;
  Vector3d middle = pose.t;
  for (const Vector3d& v : x.vertices)
    middle += pose.R * v / static_cast<double>(x.vertices.size());
  if (!meet && !of.contain(middle)) return 0;
  const RelativePose<double> back = pose.inverse();
  for (const int j : Planes(y, back.R, back.t).facesWithin(x)) meets[j] = true;
  std::vector<int> cells;
  for (int j = 0; j < in.size; ++j) {
    if (meets[j]) cells.push_back(j);
  }
  return sum + FieldEnergy(in, std::move(cells), of, in.facesWithin(y), size).between();
}

}  // namespace

template <class S>
double pressBetween(const Polyhedron& a, const Polyhedron& b, const RelativePose<S>& pose,
                    double kappa, Pressures<S>& out) {
  if (apart(a, b, valuesOf(pose))) return 0;
  const bool two = !a.isHalfSpace() && !b.isHalfSpace();
  const double share = two ? 0.5 : 1;
  double depth = 0;
  if (!a.isHalfSpace()) {
    depth = facesIn(a, b, pose, share * kappa,
                    [&](const Polyhedron::Face& face, const FlatPressure<S>& p, const Vector3d& o,
                        double area) {
                      Pressure<S>& piece = out.add(-face.n.template cast<S>(), o.cast<S>());
                      p.addTo(piece, face.e1.template cast<S>(), face.e2.template cast<S>());
                      piece.area = share * area;
                    });
  }
  if (b.isHalfSpace()) return depth;
  return std::max(depth, facesIn(b, a, pose.inverse(), share * kappa,
                                 [&](const Polyhedron::Face& face, const FlatPressure<S>& p,
                                     const Vector3d& o, double area) {
                                   const auto turned = [&](const Vector3d& v) {
                                     return Vector3<S>(pose.R * v.template cast<S>());
                                   };
                                   Pressure<S>& piece = out.add(turned(face.n), turned(o) + pose.t);
                                   p.addTo(piece, turned(face.e1), turned(face.e2));
                                   piece.area = share * area;
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
  double gap = -kInfinity;
  if (!a.isHalfSpace()) gap = std::max(gap, Planes(b, pose.R, pose.t).gapTo(a));
  if (!b.isHalfSpace()) gap = std::max(gap, Planes(a, back.R, back.t).gapTo(b));
  if (gap >= 0 || a.isHalfSpace() || b.isHalfSpace()) return gap;
  const auto range = [](const Polyhedron& p, const Vector3d& n) {
    double low = kInfinity, high = -kInfinity;
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
