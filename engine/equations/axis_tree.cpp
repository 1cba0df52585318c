#include "engine/equations/axis_tree.h"

#include <cmath>
#include <utility>

namespace cardan {

void AxisTree::set(std::vector<Link> links, const Vector3d& gravity) {
  links_ = std::move(links);
  gravity_ = gravity;
}

std::vector<AxisTree::Body> AxisTree::makeBodies() const {
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
void AxisTree::motion(const double* y, const double* yp, Body* bodies) const {
  for (size_t i = 1; i < links_.size(); ++i) {
    const Link& c = links_[i];
    const Body& p = bodies[c.parent];
    Body& b = bodies[i];
    const double q = c.sense * y[c.q], v = c.sense * y[c.v], vd = c.sense * yp[c.v];
    Quad n[3] = {p.e[0], p.e[1], p.e[2]};
    if (!c.straight) {
      for (int k = 0; k < 3; ++k) n[k] = combine(p.e, c.axes.col(k).data());
    }
    b.arm = combine(p.e, c.r.data());
    b.e[2] = n[2];
    const Quad along = n[2] * v;
    if (c.kind == AxisMotion::Kind::turn) {
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

/// f = m a + z x h + w x (w x h),  t = I z + w x (I w) + h x a
void AxisTree::loads(Body* bodies, double* residual) const {
  for (size_t i = links_.size(); i-- > 1;) {
    const Link& c = links_[i];
    const Body& b = bodies[i];
    const Inertia own = inertia(c, b);
    const double w[3] = {b.w[0], b.w[1], b.w[2]}, z[3] = {b.z[0], b.z[1], b.z[2]};
    const Quad Iw = combine(own.I, w), Iz = combine(own.I, z);
    const Quad f =
        b.f + b.a * c.m + (crossed(b.z, own.h) + crossed(b.w, cross(b.w, own.h))).turned();
    const Quad t = b.t + Iz + (crossed(b.w, Iw) + crossed(own.h, b.a)).turned();
    residual[c.row] = c.sense * dot(b.e[2], c.kind == AxisMotion::Kind::turn ? t : f);
    bodies[i].f = f;
    bodies[i].t = t;
    if (c.parent == 0) continue;
    Body& p = bodies[c.parent];
    p.f += f;
    p.t += t + cross(b.arm, f);
  }
}

}  // namespace cardan
