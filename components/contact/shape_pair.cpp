#include "components/contact/shape_pair.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "components/contact/solid_shape.h"
#include "components/interfaces/describe.h"
#include "components/interfaces/picture.h"

namespace cardan::contact {

namespace {

/// [m]  How flat a body is: about the radius of its surface where others touch it. The plane of contact of
/// two bodies turns with the flatter one, as below a rolling ball, or with the mean of both by this: so the
/// normal of two balls turns that roll on each other.
double flatness(const Solid& s) {
  if (s.isGround()) return std::numeric_limits<double>::infinity();
  if (s.kind == Solid::Kind::Polyhedron) return 1e6 * s.reach;
  return s.radius > 0 ? s.radius : s.reach;
}
/// [1]  Of B in that mean.
double shareOf(const Solid& b, const Solid& a) {
  const double by = flatness(b);
  return std::isinf(by) ? 1 : by / (by + flatness(a));
}

/// A function of the pose with its slopes by a shift dt and a turn dphi of B in A's frame.
template <class S>
S withSlopes(double f, const Vector3d& shift, const Vector3d& turn, const RelativePose<S>& at) {
  const RelativePose<double> pose = valuesOf(at);
  S sum(f);
  for (int i = 0; i < 3; ++i) {
    sum += chain(0, shift[i], at.t[i]);
    // dphi_k = (dR R')_ji for (i, j, k) cyclic
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int m = 0; m < 3; ++m) sum += chain(0, turn[k] * pose.R(i, m), at.R(j, m));
  }
  return sum;
}

/// [m2]  Second moments of the pressure about its centre, by its sum, across n; resolved in A.
Matrix3d momentsOf(const Pressures<double>& pieces, const NormalLoad<double>& l) {
  Symmetric<double> m2;
  double weight = 0;
  for (int i = 0; i < pieces.size; ++i) {
    const Pressure<double>& p = pieces.piece[i];
    const double s = dot(p.n, l.n);
    const Vector3d d = p.o - l.c;
    weight += s * p.m0;
    for (int k = 0; k < 6; ++k) m2.e[k] += s * p.m2.e[k];
    for (const int k : {0, 3, 5}) m2.e[k] += s * p.spread / 2;
    m2.addBoth(d, p.m1, s);
    m2.add(d, s * p.m0);
  }
  Matrix3d M;
  for (int k = 0; k < 3; ++k) M.col(k) = m2 * Vector3d(Vector3d::Unit(k) / weight);
  const Matrix3d across = Matrix3d::Identity() - l.n * l.n.transpose();
  return across * M * across;
}

}  // namespace

void ShapePair::read(ParameterReader& r) {
  sources_.ofPair.read(r);
  const auto part = [&](const char* name, Material& m) {
    r.begin(name);
    m.read(r);
    r.end();
  };
  part("a", sources_.a);
  part("b", sources_.b);
  part("defaults", sources_.defaults);
  const WorldSettings& world = r.world();
  if (world.gravityType == GravityType::UniformGravity && world.g > 0) g_ = world.g;
}

void ShapePair::parametersChanged() {
  foundation_ = Foundation::of(sources_, a_.solid(), b_.solid(), mass_, g_);
  const auto half = [](const Solid& s) {
    return s.isGround() ? std::numeric_limits<double>::infinity() : 0.5 * s.extent.minCoeff();
  };
  most_ = std::min(half(a_.solid()), half(b_.solid()));
}

double ShapePair::size() const {
  const double reach = std::min(a_.solid().reach, b_.solid().reach);
  return 2 * reach;
}

void ShapePair::declare(Structure& s) {
  frames_.declare(s);
  touching_.declare(s, "touching");
  if (foundation_.sticks()) bristle_.declare(s, foundation_.grip());
}

/// From a shape's frame to its solid's origin, resolved in world.
template <class S>
Vector3<S> ShapePair::arm(const FrameState<S>& frame, const SolidShape& shape) {
  return frames::resolve1(frame.R, Vector3<S>(shape.r().template cast<S>()));
}

template <class S>
ShapePair::Placed<S> ShapePair::place(const View<S>& x) const {
  const FrameState<S>& a = x.frame(frames_.frame_a);
  const FrameState<S>& b = x.frame(frames_.frame_b);
  Placed<S> p;
  p.T = a_.T() * frames::to_T(a.R);
  const Matrix3<S> T_b = b_.T() * frames::to_T(b.R);
  p.r_0 = a.r_0 + arm(a, a_);
  const Vector3<S> r_b = b.r_0 + arm(b, b_);
  p.pose.R = p.T * T_b.transpose();
  p.pose.t = p.T * (r_b - p.r_0);
  return p;
}

template <class S>
RelativeVelocity<S> ShapePair::motionOf(const View<S>& x, const Placed<S>& p) const {
  const FrameState<S>& a = x.frame(frames_.frame_a);
  const FrameState<S>& b = x.frame(frames_.frame_b);
  const Vector3<S> w_a = frames::angularVelocity1(a.R), w_b = frames::angularVelocity1(b.R);
  const Vector3<S> v =
      a.v_0 + cross(w_a, arm(a, a_)) - b.v_0 - cross(w_b, Vector3<S>(p.r_0 - b.r_0));
  return {p.T * v, p.T * Vector3<S>(w_a - w_b)};
}

template <class S>
ShapePair::Touch<S> ShapePair::touch(const View<S>& x) const {
  Pressures<S>& pieces = noPressures<S>();
  const Placed<S> p = place(x);
  const RelativeVelocity<S> motion = motionOf(x, p);
  Touch<S> c;
  c.overlap = press(a_.solid(), b_.solid(), p.pose, foundation_.kappa, pieces);
  const double share = std::clamp(c.overlap / (kTouch * size()), 0.0, 1.0);
  const bool barely = share < 1 && !(x.ahead() > 0);
  if (barely) {
    pieces.size = 0;
    press(a_.solid(), b_.solid(), together(p.pose), foundation_.kappa, pieces);
  }
  NormalLoad<S> l = sumOf(pieces, motion, foundation_.restitution);
  if (barely) {
    for (Vector3<S>* part : {&l.f, &l.t, &l.f_e, &l.t_e}) *part *= S(share);
  }
  const Matrix3<S> back = p.T.transpose();
  c.n_0 = back * l.n;
  c.c_0 = p.r_0 + back * l.c;
  const Vector3<S> w_a = frames::angularVelocity1(x.frame(frames_.frame_a).R);
  const Vector3<S> w_b = frames::angularVelocity1(x.frame(frames_.frame_b).R);
  c.w_0 = w_a * shareOf(a_.solid(), b_.solid()) + w_b * shareOf(b_.solid(), a_.solid());
  c.f_n = dot(l.f, l.n);
  c.area = S(l.area);
  c.f_0 = back * l.f;
  c.t_0 = back * Vector3<S>(l.t - cross(l.c, l.f));
  const Vector3<S> damping = l.f - l.f_e, turning = l.t - l.t_e;
  c.lossPower = -(dot(damping, motion.v) + dot(turning, motion.w));
  addFriction(x, l, motion, p.T, c);
  return c;
}

/// Where they overlap by kTouch, for a pose in which that is less, or in which they are apart by a hair, next
/// to the event: there the centre is of numbers that are all rounding, or there is none, and slip would jump.
template <class S>
RelativePose<S> ShapePair::together(RelativePose<S> pose) const {
  const RelativePose<double> at = valuesOf(pose);
  const auto shifted = [&](const Vector3d& by) {
    return gap(a_.solid(), b_.solid(), {at.R, at.t + by});
  };
  const double h = 1e-6 * size();
  Vector3d slope;
  for (int i = 0; i < 3; ++i)
    slope[i] = (shifted(h * Vector3d::Unit(i)) - shifted(-h * Vector3d::Unit(i))) / (2 * h);
  const double way = shifted(Vector3d::Zero()) + kTouch * size();
  pose.t -= (slope * (way / std::max(slope.squaredNorm(), 0.1))).template cast<S>();
  return pose;
}

/// What the results show, apart as well.
template <class S>
ShapePair::Touch<S> ShapePair::seen(const View<S>& x) const {
  if (touching_.holds(x)) return touch(x);
  Touch<S> c;
  c.c_0 = place(x).r_0;
  return c;
}

template <class S>
void ShapePair::addFriction(const View<S>& x, const NormalLoad<S>& l,
                            const RelativeVelocity<S>& motion, const Matrix3<S>& T,
                            Touch<S>& c) const {
  const Vector3<S> v = motion.v + cross(motion.w, l.c);
  const S w_n = dot(motion.w, l.n), r_g = sqrt(l.r_g2);
  const Vector3<S> slip = v - l.n * dot(l.n, v);
  const Matrix3<S> back = T.transpose();
  c.u_0 = back * Vector3<S>(slip + l.n * (r_g * w_n));
  if (foundation_.mu > 0) {
    const Vector3<S> hold =
        foundation_.sticks()
            ? bristle_.hold(x, c.u_0, c.n_0, foundation_.grip())
            : Vector3<S>(c.u_0 / sqrt(dot(c.u_0, c.u_0) + foundation_.v_c * foundation_.v_c));
    const S along = dot(hold, c.n_0), limit = foundation_.mu * c.f_n;
    const Vector3<S> friction = (hold - c.n_0 * along) * limit;
    c.f_0 -= friction;
    c.t_0 -= c.n_0 * (along * limit * r_g);
    c.f_friction = sqrt(dot(friction, friction));
    c.lossPower += limit * dot(hold, c.u_0);
  }
  if (!(foundation_.rolling > 0)) return;
  const Vector3<S> roll = motion.w - l.n * w_n;
  const double slow = foundation_.v_c / size();
  const Vector3<S> resistance =
      roll * (foundation_.rolling * c.f_n / sqrt(dot(roll, roll) + slow * slow));
  c.t_0 -= back * resistance;
  c.lossPower += dot(resistance, roll);
}

/// Its value, and its derivatives as those of a potential: where B moves by dt and turns by dphi in
/// A's frame, dU = f_A.dt + (torque on A about B's origin).dphi.
template <class S>
S ShapePair::energyAt(const View<S>& x) const {
  if (!touching_.holds(x)) return S(0.0);
  Pressures<double>& pieces = noPressures<double>();
  const RelativePose<S> at = place(x).pose;
  const RelativePose<double> pose = valuesOf(at);
  press(a_.solid(), b_.solid(), pose, foundation_.kappa, pieces);
  const NormalLoad<double> l = sumOf(pieces, {Vector3d::Zero(), Vector3d::Zero()}, {});
  return withSlopes(energy(a_.solid(), b_.solid(), pose, foundation_.kappa), l.f_e,
                    Vector3d(l.t_e - pose.t.cross(l.f_e)), at);
}

double ShapePair::gapAt(const View<double>& x) const {
  return gap(a_.solid(), b_.solid(), place(x).pose);
}

/// Its derivatives by differences: it is no part of the equations.
Dual ShapePair::gapAt(const View<Dual>& x) const {
  const RelativePose<Dual> at = place(x).pose;
  const RelativePose<double> pose = valuesOf(at);
  const double h = 1e-6 * size();
  Vector3d shift, turn;
  for (int i = 0; i < 3; ++i) {
    const auto moved = [&](double by) {
      RelativePose<double> p = pose;
      p.t[i] += by;
      return gap(a_.solid(), b_.solid(), p);
    };
    const auto turned = [&](double by) {
      const Vector3d axis = Vector3d::Unit(i);
      return gap(a_.solid(), b_.solid(),
                 {Eigen::AngleAxisd(by, axis).toRotationMatrix() * pose.R, pose.t});
    };
    shift[i] = (moved(h) - moved(-h)) / (2 * h);
    turn[i] = (turned(1e-6) - turned(-1e-6)) / 2e-6;
  }
  return withSlopes(gap(a_.solid(), b_.solid(), pose), shift, turn, at);
}

void ShapePair::follow(const View<double>& x, Modes& m) const {
  const Placed<double> p = place(x);
  const RelativeVelocity<double> motion = motionOf(x, p);
  const double gap = contact::gap(a_.solid(), b_.solid(), p.pose),
               speed = motion.v.norm() + motion.w.norm() * size();
  touching_.follow(m, -gap, size(), speed * x.ahead());
  tellDepth(m, -gap);
  if (!foundation_.sticks()) return;
  if (!touching_.isSet(m)) {
    bristle_.forget(m);
    return;
  }
  const bool is = gap < 0 && touching_.holds(x);
  const Touch<double> c = is ? touch(x) : Touch<double>{};
  bristle_.follow(x, m, is, c.u_0, c.n_0, foundation_.grip());
}

void ShapePair::guards(const View<double>& x, Guards& g) const {
  const bool sticks = foundation_.sticks();
  if (x.ahead() > 0) {
    for (int i = sticks ? 4 : 2; i > 0; --i) g.crossing(1);
    return;
  }
  if (!touching_.holds(x)) {
    touching_.guard(x, g, -gapAt(x), size());
    for (int i = sticks ? 3 : 1; i > 0; --i) g.crossing(1);
    return;
  }
  const Touch<double> c = touch(x);
  touching_.guard(x, g, overlapAt(x, c), size());
  g.crossing(most_ - c.overlap);
  tellDepth(g, c.overlap);
  if (sticks) bristle_.guards(x, g, c.u_0, c.n_0, foundation_.grip());
}

/// Beyond that, the nearest face may be one on the other side.
template <class To>
void ShapePair::tellDepth(To& to, double overlap) const {
  if (overlap < most_) return;
  to.violate(overlap / most_,
             fmt::format("the shapes overlap by {:.3g} m, more than half of the thinner one, "
                         "{:.3g} m: they are too soft for this load or speed",
                         overlap, most_));
}

/// [m]  < 0 apart. `c`: at x.
double ShapePair::overlapAt(const View<double>& x, const Touch<double>& c) const {
  return c.overlap > 0 ? c.overlap : -gapAt(x);
}

bool ShapePair::transition(const View<double>& x, Modes& m) const {
  if (x.ahead() > 0) return false;
  if (!touching_.isSet(m) && !touching_.wouldChange(m, -gapAt(x), size())) return false;
  const Touch<double> c = touch(x);
  const bool changed = touching_.update(m, overlapAt(x, c), size());
  if (!foundation_.sticks()) return changed;
  const bool slips = touching_.isSet(m)
                         ? bristle_.transition(x, m, c.u_0, c.n_0, foundation_.grip())
                         : bristle_.forget(m);
  return slips || changed;
}

void ShapePair::picture(Shapes& s) const {
  // On the one that lies on the other.
  const double side = flatness(a_.solid()) > flatness(b_.solid()) ? -1 : 1;
  picture::contactForce(
      s, Level::Velocity, [this](const View<double>& x) { return seen(x).c_0; },
      [this, side](const View<double>& x) { return Vector3d(side * seen(x).f_0); });
  const auto vector = [this](auto get) {
    return PictureValue::vector(Level::Velocity,
                                [this, get](const View<double>& x) { return get(patch(x)); });
  };
  const auto diameter = [this](auto get) {
    return PictureValue::scalar(
        Level::Velocity, [this, get](const View<double>& x) { return 2 * get(patch(x)).norm(); });
  };
  const auto major = [](const Patch& p) { return p.major_0; };
  s.add(Shape{.name = "patch",
              .type = "cylinder",
              .r_shape = PictureValue::vector(
                  Level::Velocity, [this](const View<double>& x) { return seen(x).c_0; }),
              .lengthDirection = vector([](const Patch& p) { return p.n_0; }),
              .widthDirection = vector(major),
              .length = 1e-4 * size(),
              .width = diameter(major),
              .height = diameter([](const Patch& p) { return p.minor_0; }),
              .color = Vector3d(255, 190, 60),
              .isPatch = true});
}

ShapePair::Patch ShapePair::patch(const View<double>& x) const {
  Patch c;
  if (!touching_.holds(x)) return c;
  Pressures<double>& pieces = noPressures<double>();
  const Placed<double> p = place(x);
  press(a_.solid(), b_.solid(), p.pose, foundation_.kappa, pieces);
  const NormalLoad<double> l = sumOf(pieces, motionOf(x, p), foundation_.restitution);
  if (!(l.elastic > 0)) return c;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(momentsOf(pieces, l));
  const auto half = [&](int k) {
    const double moment = std::max(axes.eigenvalues()[k], 0.0);
    return Vector3d(p.T.transpose() * (2 * std::sqrt(moment) * axes.eigenvectors().col(k)));
  };
  c.n_0 = p.T.transpose() * l.n;
  c.major_0 = half(2);
  c.minor_0 = half(1);
  return c;
}

void ShapePair::describe(Variables& v) const {
  describe::truth(v, {"touching", "1", "the shapes touch", Level::Time},
                  [this](const auto& x) { return touching_.isClear(x); });
  if (foundation_.sticks()) {
    describe::truth(v, {"stuck", "1", "the surfaces stick, and are not about to slip", Level::Time},
                    [this](const auto& x) { return touching_.isClear(x) && bristle_.isStuck(x); });
    bristle_.describe(v, foundation_.grip());
  }
  v.scalar({"gap", "m", "between the shapes, at most their distance; < 0: minus the overlap",
            Level::Position},
           [this](const auto& x) { return gapAt(x); });
  const auto scalar = [&](const char* name, const char* unit, const char* about, auto get) {
    v.scalar({name, unit, about, Level::Velocity},
             [this, get](const auto& x) { return get(seen(x)); });
  };
  const auto vector = [&](const char* name, const char* unit, const char* about, auto get) {
    v.vector({name, unit, about, Level::Velocity},
             [this, get](const auto& x) { return get(seen(x)); });
  };
  scalar("f_n", "N", "normal force, pushing", [](const auto& c) { return c.f_n; });
  vector("f_0", "N", "force on the first shape, resolved in world",
         [](const auto& c) { return c.f_0; });
  vector("t_0", "N.m", "torque on the first shape about r_contact_0, resolved in world",
         [](const auto& c) { return c.t_0; });
  vector("r_contact_0", "m",
         "centre of the normal forces, resolved in world; apart: the origin of "
         "the first shape",
         [](const auto& c) { return c.c_0; });
  vector("n_0", "1", "normal from the second shape to the first, resolved in world; apart: zero",
         [](const auto& c) { return c.n_0; });
  scalar("area", "m2", "of the contact", [](const auto& c) { return c.area; });
  scalar("depth", "m", "mean depth: f_n by area and stiffness", [this](const auto& c) {
    using S = std::decay_t<decltype(c.f_n)>;
    return value(c.area) > 0 ? S(c.f_n / (foundation_.kappa * c.area)) : S(0.0);
  });
  scalar("v_slip", "m/s", "slip at r_contact_0", [](const auto& c) {
    const auto along = dot(c.n_0, c.u_0), all = dot(c.u_0, c.u_0) - along * along;
    return sqrt(max(all, 0.0));
  });
  scalar("f_friction", "N", "size of the friction force",
         [](const auto& c) { return c.f_friction; });
  scalar("lossPower", "W", "power that damping and friction take",
         [](const auto& c) { return c.lossPower; });
  v.mechanics([this](const auto& x) {
    MechanicalSums<std::decay_t<decltype(x.time())>> sum;
    sum.potentialEnergy = energyAt(x);
    return sum;
  });
}

}  // namespace cardan::contact
