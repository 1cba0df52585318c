#include "engine/equations/body_tree.h"

#include <cmath>
#include <utility>

namespace cardan {

void BodyTree::set(std::vector<Link> links, const Vector3d& gravity) {
  links_ = std::move(links);
  gravity_ = gravity;
}

std::vector<BodyTree::Body> BodyTree::makeBodies() const {
  Body rest{};
  for (int k = 0; k < 3; ++k) rest.e[k] = Quad::of(Vector3d::Unit(k));
  rest.a = Quad::of(-gravity_);
  return std::vector<Body>(links_.size(), rest);
}

/// Over an arm that turns with the parent:
///   v = v_p + w x arm,  a = a_p + z x arm + w x (w x arm)
/// and over the joint, along its axis e:
///   turn   w = w_p + e v,  z = z_p + e vd + w_p x e v
///   slide  arm = arm_p + e q,  v += e v,  a += e vd + 2 w_p x e v
void BodyTree::carryOnAxes(size_t first, size_t last, const double* y, const double* yp,
                           Body* bodies) const {
  for (size_t i = first; i < last; ++i) {
    const Link& c = links_[i];
    const Body& p = bodies[c.parent];
    Body& b = bodies[i];
    const double q = c.sense * (y[c.q] + c.offset), v = c.sense * y[c.v], vd = c.sense * yp[c.v];
    Quad n[3];
    near(i, bodies, n);
    b.arm = combine(p.e, c.r.data());
    b.e[2] = n[2];
    const Quad along = n[2] * v;
    if (c.kind == Kind::turn) {
      const double cosine = std::cos(q), sine = std::sin(q);
      b.e[0] = n[0] * cosine + n[1] * sine;
      b.e[1] = n[1] * cosine - n[0] * sine;
      b.r = p.r + b.arm;
      b.w = p.w + along;
      b.z = p.z + n[2] * vd + cross(p.w, along);
      const Quad wr = cross(p.w, b.arm);
      b.v = p.v + wr;
      b.a = p.a + (crossed(p.z, b.arm) + crossed(p.w, wr)).turned();
    } else {
      b.e[0] = n[0];
      b.e[1] = n[1];
      b.w = p.w;
      b.z = p.z;
      b.arm += n[2] * q;
      b.r = p.r + b.arm;
      const Quad wr = cross(p.w, b.arm);
      b.v = p.v + wr + along;
      b.a = p.a + n[2] * vd + (crossed(p.z, b.arm) + crossed(p.w, wr + along * 2)).turned();
    }
    b.f = b.t = Quad{};
  }
}

/// With w_r, z_r the velocities of frame_b that turn it against frame_a, and their rates, in its axes:
///   w = w_p + w_r,  z = z_p + z_r + w_p x w_r
/// A shift adds, in axes of frame_a,
///   arm = arm_p + r,  v += v_r,  a += a_r + 2 w_p x v_r
/// Where the tree enters at frame_b all of it has the opposite sign, and a shift turns with the body:
///   arm = arm_p - r,  v -= w x r + v_r,  a -= z x r + w x (w x r + 2 v_r) + a_r
void BodyTree::carryFree(size_t i, const Matrix3d& turn, const JointState<double>& x,
                         Body* bodies) const {
  const Link& c = links_[i];
  const Body& p = bodies[c.parent];
  Body& b = bodies[i];
  Quad n[3];
  near(i, bodies, n);
  for (int k = 0; k < 3; ++k) {
    const double lane[3] = {turn(k, 0), turn(k, 1), turn(k, 2)};
    b.e[k] = combine(n, c.sense > 0 ? lane : turn.col(k).data());
  }
  const Quad* axes = c.sense > 0 ? b.e : n;
  const int first = c.nv - 3;
  const Quad w = combine(axes, x.v + first) * c.sense, z = combine(axes, x.vd + first) * c.sense;
  b.w = p.w + w;
  b.z = p.z + z + cross(p.w, w);
  b.arm = combine(p.e, c.r.data());
  Quad r{}, v{}, a{};
  if (c.kind == Kind::free) {
    const Quad* along = c.sense > 0 ? n : b.e;
    r = combine(along, x.q);
    v = combine(along, x.v);
    a = combine(along, x.vd);
    if (c.sense > 0) b.arm += r;
  }
  const Quad wr = cross(p.w, b.arm);
  if (c.sense > 0) {
    b.v = p.v + wr + v;
    b.a = p.a + a + (crossed(p.z, b.arm) + crossed(p.w, wr + v * 2)).turned();
  } else {
    const Quad turned = cross(b.w, r);
    b.v = p.v + wr - turned - v;
    b.a = p.a - a + (crossed(p.z, b.arm) + crossed(p.w, wr)).turned() -
          (crossed(b.z, r) + crossed(b.w, turned + v * 2)).turned();
    b.arm -= r;
  }
  b.r = p.r + b.arm;
  b.f = b.t = Quad{};
}

void BodyTree::take(size_t i, const FrameState<double>& frame, Body* bodies) const {
  Body& b = bodies[i];
  // The nearest rotation: where coordinates miss their own constraints a little (T T' = 1), the law of
  // motion of the body is to be exact.
  const Matrix3d& of = frames::to_T(frame.R);
  const Matrix3d T = 1.5 * of - 0.5 * product(productTransposed(of, of), of);
  for (int k = 0; k < 3; ++k) b.e[k] = Quad::of(Vector3d(T.row(k)));
  b.w = Quad::of(multiplyTransposed(T, frames::angularVelocity2(frame.R)));
  b.z = Quad::of(multiplyTransposed(T, frame.z_a));
  b.r = Quad::of(frame.r_0);
  b.arm = b.r - bodies[links_[i].parent].r;
  b.v = Quad::of(frame.v_0);
  b.a = Quad::of(Vector3d(frame.a_0 - gravity_));
  b.f = b.t = Quad{};
}

void BodyTree::loads(size_t first, size_t last, Body* bodies, double* residual) const {
  for (size_t i = last; i-- > first;) {
    const Link& c = links_[i];
    Body& b = bodies[i];
    const auto [f, t] = load(c, b, inertia(c, b));
    if (c.kind == Kind::turn || c.kind == Kind::slide) {
      residual[c.row] = c.sense * dot(b.e[2], c.kind == Kind::turn ? t : f);
    } else if (c.kind != Kind::general) {
      Quad n[3];
      turning(i, bodies, n);
      const Quad torque = t + cross(lever(i, bodies), f);
      double* row = residual + c.row + c.nv - 3;
      for (int k = 0; k < 3; ++k) row[k] = c.sense * dot(n[k], torque);
      if (c.kind == Kind::free) {
        shifting(i, bodies, n);
        for (int k = 0; k < 3; ++k) residual[c.row + k] = c.sense * dot(n[k], f);
      }
    }
    b.f = f;
    b.t = t;
    if (c.parent == 0) continue;
    Body& p = bodies[c.parent];
    p.f += f;
    p.t += t + cross(b.arm, f);
  }
}

}  // namespace cardan
