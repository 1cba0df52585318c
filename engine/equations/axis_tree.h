/// AxisTree: trees of rigid bodies on revolute and prismatic joints, swept in closed form.
#pragma once

#include <vector>

#include "components/axis_motion.h"
#include "engine/equations/quad.h"

namespace cardan {

/// The sweeps of ClusterTree without frames: all vectors stay resolved in world, so that nothing is
/// turned on its way over a joint but the axes of the body behind it, and its inertia is turned once.
/// Bodies stand in the order of the clusters, parents first; body 0 is the world.
class AxisTree {
 public:
  /// A body and its joint, as they are at all times. Its frame has the joint's axis as the last one.
  struct Link {
    int parent;
    int q, v;   ///< indices into y: coordinate, velocity
    int row;    ///< index into the residual: its row of dynamics
    int joint;  ///< index among all velocities
    AxisMotion::Kind kind;
    bool straight;  ///< where q is zero its axes are the parent's
    double sense;   ///< of the axis: +1 or -1
    Vector3d r;     ///< [m]  from the parent's origin to the joint, resolved in the parent's frame
    Matrix3d axes;  ///< [1]  columns: its own where q is zero, resolved in the parent's frame
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
    Quad f, t;  ///< [N], [N.m]  what moves it and all it carries, about its origin
  };
  /// Inertia of one body about its origin, resolved in world.
  struct Inertia {
    Quad h;
    Quad I[3];  ///< columns
  };

  /// True: the model is such a tree, and everything else here may be called.
  bool fits() const { return !links_.empty(); }
  const std::vector<Link>& links() const { return links_; }
  /// `links`: parents first, the first one stands for the world. `gravity` [m/s2], resolved in world.
  void set(std::vector<Link> links, const Vector3d& gravity);

  /// The bodies, at rest.
  std::vector<Body> makeBodies() const;
  /// Motion of all bodies at (y, y'); their loads become zero.
  void motion(const double* y, const double* yp, Body* bodies) const;
  /// Adds what moves the bodies to what is in f and t, and carries it to the world; what a joint leaves
  /// free goes into its row.
  void loads(Body* bodies, double* residual) const;

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

 private:
  std::vector<Link> links_;
  Vector3d gravity_{0, 0, 0};
};

}  // namespace cardan
