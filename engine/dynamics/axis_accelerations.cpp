#include "engine/dynamics/axis_accelerations.h"

#include <cmath>

namespace cardan {
namespace {

std::vector<int> parentsOf(const AxisTree& tree) {
  std::vector<int> parents;
  for (size_t i = 1; i < tree.links().size(); ++i) parents.push_back(tree.links()[i].parent);
  return parents;
}

}  // namespace

AxisAccelerations::AxisAccelerations(const AxisTree& tree) : tree_(tree), places_(parentsOf(tree)) {
  carried_.resize(places_.count);
  joints_.resize(tree.links().size());
  changes_.resize(tree.links().size());
}

[[gnu::always_inline]] inline AxisAccelerations::Carried& AxisAccelerations::Carried::operator+=(
    const Carried& other) {
  for (int k = 0; k < 3; ++k) {
    A[k] += other.A[k];
    B[k] += other.B[k];
    G[k] += other.G[k];
    C[k] += other.C[k];
  }
  t += other.t;
  f += other.f;
  return *this;
}

/// One by one: a copy in wider pieces than they were written in waits for them to reach the cache.
[[gnu::always_inline]] inline void AxisAccelerations::Carried::take(const Carried& other) {
  for (int k = 0; k < 3; ++k) {
    A[k] = other.A[k];
    B[k] = other.B[k];
    G[k] = other.G[k];
    C[k] = other.C[k];
  }
  t = other.t;
  f = other.f;
}

bool AxisAccelerations::solve(const AxisTree::Body* bodies, const double* axisInertia,
                              const double* f, double* da) {
  if (!toWorld(bodies, axisInertia, f)) return false;
  fromWorld(bodies, da);
  return true;
}

bool AxisAccelerations::toWorld(const AxisTree::Body* bodies, const double* axisInertia,
                                const double* f) {
  const std::vector<AxisTree::Link>& links = tree_.links();
  for (size_t i = links.size(); i-- > 1;) {
    const AxisTree::Link& c = links[i];
    const AxisTree::Body& b = bodies[i];
    const OpenPlaces::Place& at = places_.of[i - 1];
    const AxisTree::Inertia own = AxisTree::inertia(c, b);
    // t = I z + h x a,  f = z x h + m a
    const Quad h = own.h, n = -h;
    Carried P;
    for (int k = 0; k < 3; ++k) P.A[k] = own.I[k];
    P.G[0] = Quad::picked<3, 6, 1, 3>(h, n);
    P.G[1] = Quad::picked<2, 3, 4, 3>(h, n);
    P.G[2] = Quad::picked<5, 0, 3, 3>(h, n);
    for (int k = 0; k < 3; ++k) P.B[k] = -P.G[k];
    P.C[0] = Quad::of(1, 0, 0) * c.m;
    P.C[1] = Quad::of(0, 1, 0) * c.m;
    P.C[2] = Quad::of(0, 0, 1) * c.m;
    if (!at.leaf) P += carried_[at.place];
    Joint& keep = joints_[i];
    const Quad s = b.e[2] * c.sense;
    keep.s = s;
    const double axis[3] = {c.sense * b.e[2][0], c.sense * b.e[2][1], c.sense * b.e[2][2]};
    const bool turns = c.kind == AxisMotion::Kind::turn;
    // What the joint's own acceleration does.
    Quad t, g, along, p;
    if (turns) {
      along = t = combine(P.A, axis);
      g = combine(P.G, axis);
      p = P.t;
    } else {
      t = combine(P.B, axis);
      along = g = combine(P.C, axis);
      p = P.f;
    }
    const double J = axisInertia ? axisInertia[i - 1] : 0;
    const double D = dot(s, along) + J;
    if (!(std::abs(D) > kMovesNothing * (sumOfSizes(s, along) + std::abs(J)))) return false;
    const double inverse = 1 / D;
    keep.beta = (f[c.joint] - dot(s, p)) * inverse;
    if (c.parent == 0) continue;

    // About the parent's origin: a = a_up + z_up x arm, then t_up = t + arm x f. All of it before what
    // the joint takes out of it, for which the pivot is waited for.
    const double x = b.arm[0], y = b.arm[1], z = b.arm[2];
    P.A[0] += P.B[2] * y - P.B[1] * z;
    P.A[1] += P.B[0] * z - P.B[2] * x;
    P.A[2] += P.B[1] * x - P.B[0] * y;
    P.G[0] += P.C[2] * y - P.C[1] * z;
    P.G[1] += P.C[0] * z - P.C[2] * x;
    P.G[2] += P.C[1] * x - P.C[0] * y;
    const Quad once = b.arm.turned();
    const auto shift = [&](Quad& torque, const Quad& force) {
      torque += Quad{b.arm.v * force.turned().v - once.v * force.v}.turned();
    };
    for (int k = 0; k < 3; ++k) {
      shift(P.A[k], P.G[k]);
      shift(P.B[k], P.C[k]);
    }
    shift(P.t, P.f);
    shift(t, g);
    keep.t = t * inverse;
    keep.f = g * inverse;
    for (int k = 0; k < 3; ++k) {
      P.A[k] -= t * keep.t[k];
      P.G[k] -= g * keep.t[k];
      P.B[k] -= t * keep.f[k];
      P.C[k] -= g * keep.f[k];
    }
    P.t += t * keep.beta;
    P.f += g * keep.beta;
    Carried& up = carried_[places_.of[c.parent - 1].place];
    if (at.first) {
      up.take(P);
    } else {
      up += P;
    }
  }
  return true;
}

void AxisAccelerations::fromWorld(const AxisTree::Body* bodies, double* da) {
  const std::vector<AxisTree::Link>& links = tree_.links();
  Quad z, a;
  for (size_t i = 1; i < links.size(); ++i) {
    const AxisTree::Link& c = links[i];
    const Joint& joint = joints_[i];
    double acceleration = joint.beta;
    if (c.parent == 0) {
      z = a = Quad{};
    } else {
      // In a chain they are there.
      if (c.parent + 1 != static_cast<int>(i)) {
        z = changes_[c.parent].z;
        a = changes_[c.parent].a;
      }
      const Quad::Lanes p = joint.t.v * z.v + joint.f.v * a.v;
      acceleration -= p[0] + p[1] + p[2];
      a += cross(z, bodies[i].arm);
    }
    da[c.joint] = acceleration;
    if (places_.of[i - 1].leaf) continue;
    if (c.kind == AxisMotion::Kind::turn) {
      z += joint.s * acceleration;
    } else {
      a += joint.s * acceleration;
    }
    changes_[i].z = z;
    changes_[i].a = a;
  }
}

}  // namespace cardan
