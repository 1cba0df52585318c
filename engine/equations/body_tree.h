/// BodyTree: rigid bodies on joints, carried over one joint after the other in vectors of the world.
#pragma once

#include <vector>

#include "components/joint_law.h"
#include "engine/equations/quad.h"

namespace cardan {

/// The motion of ClusterTree and its loads for doubles: all vectors stay resolved in world, so that
/// nothing is turned on its way over a joint but the axes of the body behind it, and its inertia is
/// turned once. Bodies stand in the order of the clusters, parents first; body 0 is the world.
class BodyTree {
 public:
  /// How a joint moves: about or along an axis; free to turn about a common origin; free to turn and
  /// to shift; as its law says, over frames.
  enum class Kind { turn, slide, ball, free, general };

  /// A body and its joint, as they are at all times. The frame of one on an axis has it as the last one.
  struct Link {
    int parent;
    Kind kind;
    int nv;         ///< number of velocities
    int q, v;       ///< of the first one: indices into y: coordinate, velocity
    int row;        ///< index into the residual: its row of dynamics
    int joint;      ///< index among all velocities
    bool straight;  ///< `axes` are the parent's
    double
        sense;  ///< of the joint: -1 where the tree enters it at frame_b; of an axis: of that, too
    double offset;  ///< [rad | m]  of an axis: added to the coordinate
    Vector3d r;     ///< [m]  from the parent's origin to the joint, resolved in the parent's frame
    Matrix3d axes;  ///< [1]  columns: axes before the joint, resolved in the parent's frame
    double m;       ///< [kg]
    Vector3d h;     ///< [kg.m]   first moment of mass, resolved in its frame
    Matrix3d I;     ///< [kg.m2]  about its origin, resolved in its frame
  };
  /// Its motion and load, resolved in world.
  struct Body {
    Quad e[3];  ///< [1]      axes of its frame
    Quad arm;   ///< [m]      from the parent's origin to its own
    Quad w, z;  ///< [rad/s], [rad/s2]
    Quad r;     ///< [m]      of its origin
    Quad v, a;  ///< [m/s], [m/s2]  likewise; a without uniform gravity
    /// [N], [N.m]  About its origin: of parts on it; after loads(): what moves it and all it carries.
    Quad f, t;
  };
  /// Inertia of one body about its origin, resolved in world.
  struct Inertia {
    Quad h;
    Quad I[3];  ///< columns
  };

  const std::vector<Link>& links() const { return links_; }
  /// `links`: parents first, the first one stands for the world. `gravity` [m/s2], resolved in world.
  void set(std::vector<Link> links, const Vector3d& gravity);

  /// The bodies, at rest.
  std::vector<Body> makeBodies() const;
  /// Bodies first .. last - 1, which are on axes, each from its parent.
  void carryOnAxes(size_t first, size_t last, const double* y, const double* yp,
                   Body* bodies) const;
  /// Body i behind a ball or a free joint, from its parent. `turn`: R_rel.T of the joint (a -> b).
  void carryFree(size_t i, const Matrix3d& turn, const JointState<double>& x, Body* bodies) const;
  /// Body i as its frame moves.
  void take(size_t i, const FrameState<double>& frame, Body* bodies) const;

  /// Adds what moves bodies last - 1 .. first to their f and t; what a joint leaves free goes into its
  /// rows (of a general one they are for its law), and all of it is carried to the parent.
  void loads(size_t first, size_t last, Body* bodies, double* residual) const;

  /// Axes before joint i.
  [[gnu::always_inline]] void near(size_t i, const Body* bodies, Quad* n) const {
    const Link& c = links_[i];
    const Body& p = bodies[c.parent];
    for (int k = 0; k < 3; ++k) n[k] = c.straight ? p.e[k] : combine(p.e, c.axes.col(k).data());
  }
  /// The axes about which a ball or a free joint counts its angular velocity: those of frame_b.
  [[gnu::always_inline]] void turning(size_t i, const Body* bodies, Quad* n) const {
    if (links_[i].sense < 0) {
      near(i, bodies, n);
    } else {
      for (int k = 0; k < 3; ++k) n[k] = bodies[i].e[k];
    }
  }
  /// The axes along which a free joint counts its shift: those of frame_a.
  [[gnu::always_inline]] void shifting(size_t i, const Body* bodies, Quad* n) const {
    if (links_[i].sense > 0) {
      near(i, bodies, n);
    } else {
      for (int k = 0; k < 3; ++k) n[k] = bodies[i].e[k];
    }
  }
  /// Where a shift turns with the body itself: [m] from the joint, which is at frame_b, to its origin.
  [[gnu::always_inline]] Quad lever(size_t i, const Body* bodies) const {
    const Link& c = links_[i];
    if (c.kind != Kind::free || c.sense > 0) return {};
    return bodies[i].arm - combine(bodies[c.parent].e, c.r.data());
  }
  [[gnu::always_inline]] static Inertia inertia(const Link& link, const Body& body) {
    Inertia i;
    i.h = combine(body.e, link.h.data());
    const Quad J[3] = {combine(body.e, link.I.col(0).data()), combine(body.e, link.I.col(1).data()),
                       combine(body.e, link.I.col(2).data())};
    for (int k = 0; k < 3; ++k) {
      const double lane[3] = {body.e[0][k], body.e[1][k], body.e[2][k]};
      i.I[k] = combine(J, lane);
    }
    return i;
  }
  /// What moves one body besides what is in its f and t already; `own`: its inertia.
  ///   f = m a + z x h + w x (w x h),  t = I z + w x (I w) + h x a
  struct Load {
    Quad f, t;
  };
  [[gnu::always_inline]] static Load load(const Link& link, const Body& b, const Inertia& own) {
    const double w[3] = {b.w[0], b.w[1], b.w[2]}, z[3] = {b.z[0], b.z[1], b.z[2]};
    const Quad Iw = combine(own.I, w), Iz = combine(own.I, z);
    return {b.f + b.a * link.m + (crossed(b.z, own.h) + crossed(b.w, cross(b.w, own.h))).turned(),
            b.t + Iz + (crossed(b.w, Iw) + crossed(own.h, b.a)).turned()};
  }

 private:
  std::vector<Link> links_;
  Vector3d gravity_{0, 0, 0};
};

}  // namespace cardan
