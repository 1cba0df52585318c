#include "engine/equations/cluster_tree.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "frames/axis_turn.h"

namespace cardan {
namespace {

/// A direction that misses another by less is the same.
constexpr double kSame = 1e-15;

FrameState<double> atRest(const Vector3d& r, const Matrix3d& T) {
  FrameState<double> f;
  f.r_0 = r;
  f.R = frames::from_T(T, Vector3d(0, 0, 0));
  f.v_0.setZero();
  f.a_0.setZero();
  f.z_a.setZero();
  return f;
}

/// Which of a frame's axes is axis k of a Link, where `axis`, the joint's, comes last.
constexpr int frameAxis(int axis, int k) { return (axis + 1 + k) % 3; }

bool isIdentity(const Matrix3d& T) {
  return (T - Matrix3d::Identity()).cwiseAbs().maxCoeff() < kSame;
}

BodyTree::Kind kindOf(const Layout::TreeJoint& s) {
  using Kind = BodyTree::Kind;
  switch (s.law->axisMotion().kind) {
    case AxisMotion::Kind::turn:
      return Kind::turn;
    case AxisMotion::Kind::slide:
      return Kind::slide;
    case AxisMotion::Kind::general:
      break;
  }
  if (!s.law->turnsFreely()) return Kind::general;
  return s.nv == 3 ? Kind::ball : Kind::free;
}

/// Rounding of products of quarter turns.
void clean(Matrix3d& T) {
  for (int i = 0; i < 9; ++i) {
    const double whole = std::round(T(i));
    if (std::abs(T(i) - whole) < kSame) T(i) = whole;
  }
}

/// Rotation into axes one of which, `axis`, is e times `sense`: none where e is one already.
Matrix3d intoAxis(const Vector3d& e, int& axis, double& sense) {
  for (axis = 0; axis < 3; ++axis) {
    sense = e[axis] < 0 ? -1 : 1;
    if (1 - std::abs(e[axis]) < kSame) return Matrix3d::Identity();
  }
  axis = 2;
  const Vector3d z = sense * e;
  int smallest = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::abs(z[i]) < std::abs(z[smallest])) smallest = i;
  }
  const Vector3d x = cross(Vector3d(Vector3d::Unit(smallest)), z).normalized();
  Matrix3d T;
  T << x.transpose(), cross(z, x).transpose(), z.transpose();
  return T;
}

/// Two components of a vector seen from axes that are turned about the third.
template <class S>
[[gnu::always_inline]] inline void turn(const S& c, const S& s, S& x, S& y) {
  const S before = x;
  x = multiplyAdd(c, x, S(s * y));
  y = multiplyAdd(c, y, S(-(s * before)));
}

/// Motion of a point that is fixed at `arm` from the origin of `a`, resolved in a.
template <class S>
[[gnu::always_inline]] inline void carryPoint(const FrameState<S>& a, const Vector3d& arm,
                                              FrameState<S>& b) {
  const Vector3<S>& w = frames::angularVelocity2(a.R);
  const Vector3<S> wr = cross(w, arm);
  b.r_0 = a.r_0 + frames::resolve1(a.R, arm);
  b.v_0 = a.v_0 + frames::resolve1(a.R, wr);
  b.a_0 = a.a_0 + frames::resolve1(a.R, Vector3<S>(cross(a.z_a, arm) + cross(w, wr)));
}

/// Motion of a frame that is fixed in `a`: at `r` from its origin, where it is `moved`, and turned by
/// `T`, where it is `turned`.
template <class S>
[[gnu::always_inline]] inline void carryFrame(const FrameState<S>& a, bool moved, const Vector3d& r,
                                              bool turned, const Matrix3d& T, FrameState<S>& b) {
  if (moved) {
    carryPoint(a, r, b);
  } else {
    b.r_0 = a.r_0;
    b.v_0 = a.v_0;
    b.a_0 = a.a_0;
  }
  if (turned) {
    b.R = frames::from_T(product(T, frames::to_T(a.R)), multiply(T, frames::angularVelocity2(a.R)));
    b.z_a = multiply(T, a.z_a);
  } else {
    b.R = a.R;
    b.z_a = a.z_a;
  }
}

}  // namespace

ClusterTree::ClusterTree(const FlatModel& flatModel, const Layout& layout,
                         const std::vector<int>& nodeOfFrame, int nodes,
                         const std::vector<bool>& reads, Scope scope)
    : flatModel_(flatModel), layout_(layout), nodeOfFrame_(nodeOfFrame), nodes_(nodes) {
  frames_ = nodes;
  clusterOfNode_.assign(nodes, 0);
  frameOfNode_.assign(nodes, 0);
  frameOfId_.assign(nodeOfFrame.size(), 0);
  clusters_.emplace_back();
  std::vector<bool> moves(flatModel.edges.size(), false);
  for (const Layout::FreePoint& p : layout.freePoints) moves[p.edge] = true;
  for (int i = 0; i < layout.edges; ++i) {
    const Layout::TreeJoint& s = layout.tree[i];
    const int near = clusterOfNode_[s.near];
    if (s.nq == 0 && s.nv == 0 && !moves[s.edge]) {
      clusterOfNode_[s.far] = near;
      continue;
    }
    clusterOfNode_[s.far] = std::ssize(clusters_);
    Cluster c;
    c.parent = near;
    c.parentFrame = clusters_[near].frame;
    c.joint = &s;
    c.kind = kindOf(s);
    c.frame = c.onAxis() ? frames_++ : s.far;
    c.q = s.q;
    c.v = c.vRow = layout.nq + s.v;
    clusters_.push_back(c);
  }
  const WorldSettings& world = *flatModel.world;
  uniform_ = !world.field && world.gravityType != GravityType::PointGravity;
  merged_.assign(flatModel.instances.size(), false);
  for (size_t i = 0; i < merged_.size(); ++i)
    merged_[i] = uniform_ && flatModel.instances[i].component->rigidBody().has_value();
  markReadNodes(flatModel, nodeOfFrame, reads, scope);
  place();
}

/// Frames of components that are evaluated, or that are read, and of all that belongs to the same
/// composites; both ends of joints that their laws carry, and of cut joints.
void ClusterTree::markReadNodes(const FlatModel& flatModel, const std::vector<int>& nodeOfFrame,
                                const std::vector<bool>& reads, Scope scope) {
  std::vector<bool> instances(reads);
  for (size_t i = 0; i < instances.size(); ++i) {
    const Component* c = flatModel.instances[i].component;
    if (scope == Scope::loads && c->evaluates() && !merged_[i]) instances[i] = true;
  }
  for (const FlatModel::Driven& d : flatModel.driven)
    instances[flatModel.flanges[d.flange.index].instance] = true;
  instances = flatModel.withComposites(std::move(instances));
  read_.assign(nodes_, false);
  for (size_t f = 1; f < flatModel.frames.size(); ++f) {
    if (instances[flatModel.frames[f].instance]) read_[nodeOfFrame[f]] = true;
  }
  for (const Cluster& c : clusters_) {
    if (c.joint && c.kind == Kind::general) read_[c.joint->near] = read_[c.joint->far] = true;
  }
  for (const Layout::CutJoint& c : layout_.cutJoints) read_[c.a] = read_[c.b] = true;
}

void ClusterTree::place() {
  ++version_;
  if (uniform_) gravity_ = flatModel_.world->gravityAcceleration(Vector3d(0, 0, 0));
  findPlaces();
  findPlacements();
  for (size_t i = 0; i < merged_.size(); ++i) {
    if (merged_[i]) addBody(*flatModel_.instances[i].component->rigidBody());
  }
  for (Cluster& c : clusters_) c.massive = c.m != 0 || !c.I.isZero(0);
  bodies_.set(makeLinks(), gravity_);
  runs_.clear();
  for (size_t c = 1; c < clusters_.size(); ++c) {
    const bool goesOn = !runs_.empty() && clusters_[c].onAxis() && clusters_[c - 1].onAxis();
    if (!goesOn) runs_.push_back({c, c});
    runs_.back().last = c + 1;
  }
  for (Cluster& c : clusters_)
    c.framed = !c.joint || layout_.nlambda > 0 || c.kind == Kind::general ||
               c.firstPlacement < c.lastPlacement;
  for (int node = 0; node < nodes_; ++node) {
    Cluster& c = clusters_[clusterOfNode_[node]];
    if (read_[node] && frameOfNode_[node] == c.frame) c.framed = true;
  }
}

/// Every node in the frame of its cluster, and every cluster's frame in that before it, where the joints
/// between them are at zero.
void ClusterTree::findPlaces() {
  places_.assign(nodes_, atRest(Vector3d(0, 0, 0), Matrix3d::Identity()));
  const JointState<double> none{nullptr, nullptr, nullptr, nullptr};
  size_t next = 1;
  for (int i = 0; i < layout_.edges; ++i) {
    const Layout::TreeJoint& s = layout_.tree[i];
    const FrameState<double>& near = places_[s.near];
    FrameState<double>& far = places_[s.far];
    if (next == clusters_.size() || clusters_[next].joint != &s) {
      if (s.forward) {
        s.law->forward(near, none, far);
      } else {
        s.law->backward(near, none, far);
      }
      continue;
    }
    Cluster& c = clusters_[next++];
    c.m = 0;
    c.h.setZero();
    c.I.setZero();
    if (c.kind == Kind::general) continue;
    Matrix3d into = Matrix3d::Identity();
    c.sense = 1;
    if (c.onAxis()) {
      const AxisMotion motion = s.law->axisMotion();
      into = intoAxis(motion.e, c.axis, c.sense);
      c.offset = motion.offset;
    }
    if (!s.forward) c.sense = -c.sense;
    c.r_near = near.r_0;
    c.T_near = into * frames::to_T(near.R);
    clean(c.T_near);
    c.apart = c.r_near != Vector3d(0, 0, 0);
    c.straight = isIdentity(c.T_near);
    far = atRest(Vector3d(0, 0, 0), into.transpose());
  }
}

/// The frames of nodes that are read: the cluster's own, or one that is placed in it.
void ClusterTree::findPlacements() {
  std::vector<std::vector<Placement>> of(clusters_.size());
  for (int node = 0; node < nodes_; ++node) {
    const size_t c = clusterOfNode_[node];
    frameOfNode_[node] = node;
    if (!read_[node] || clusters_[c].frame == node) continue;
    const FrameState<double>& at = places_[node];
    Placement p{node, at.r_0 != Vector3d(0, 0, 0), true, at.r_0, frames::to_T(at.R)};
    clean(p.T);
    p.turned = !isIdentity(p.T);
    if (p.moved || p.turned) {
      of[c].push_back(p);
    } else {
      frameOfNode_[node] = clusters_[c].frame;
    }
  }
  for (size_t f = 0; f < nodeOfFrame_.size(); ++f) frameOfId_[f] = frameOfNode_[nodeOfFrame_[f]];
  placements_.clear();
  for (size_t c = 0; c < clusters_.size(); ++c) {
    clusters_[c].firstPlacement = std::ssize(placements_);
    placements_.insert(placements_.end(), of[c].begin(), of[c].end());
    clusters_[c].lastPlacement = std::ssize(placements_);
  }
}

/// The axes of every frame in turn, so that the joint's comes last.
std::vector<BodyTree::Link> ClusterTree::makeLinks() const {
  const auto turned = [](int axis) {
    Matrix3d P = Matrix3d::Zero();  // columns: the new axes
    for (int k = 0; k < 3; ++k) P(frameAxis(axis, k), k) = 1;
    return P;
  };
  std::vector<BodyTree::Link> links;
  for (const Cluster& c : clusters_) {
    const bool isWorld = !c.joint;
    const Matrix3d own = turned(isWorld ? 2 : c.axis);
    const Matrix3d parents = turned(c.parent > 0 ? clusters_[c.parent].axis : 2);
    const Matrix3d axes = parents.transpose() * c.T_near.transpose() * own;
    links.push_back({.parent = c.parent,
                     .kind = c.kind,
                     .nv = isWorld ? 0 : c.joint->nv,
                     .q = c.q,
                     .v = c.v,
                     .row = c.vRow,
                     .joint = isWorld ? 0 : c.joint->v,
                     .straight = isIdentity(axes),
                     .sense = c.sense,
                     .offset = c.offset,
                     .r = parents.transpose() * c.r_near,
                     .axes = axes,
                     .m = c.m,
                     .h = own.transpose() * c.h,
                     .I = own.transpose() * c.I * own});
  }
  return links;
}

void ClusterTree::addBody(const RigidBody& body) {
  const int node = nodeOfFrame_[body.frame.index];
  Cluster& c = clusters_[clusterOfNode_[node]];
  const FrameState<double>& at = places_[node];
  const Matrix3d T = frames::to_T(at.R);
  const Vector3d r = at.r_0 + T.transpose() * body.r_CM;
  c.m += body.m;
  c.h += body.m * r;
  c.I += T.transpose() * body.I * T +
         body.m * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
}

template <class S>
void ClusterTree::placeNodes(const Cluster& c, Workspace<S>& w) const {
  const FrameState<S>& at = w.frames[c.frame];
  for (int i = c.firstPlacement; i < c.lastPlacement; ++i) {
    const Placement& p = placements_[i];
    carryFrame(at, p.moved, p.r, p.turned, p.T, w.frames[p.node]);
  }
}

/// The frame before a joint, from that of the parent.
template <class S>
[[gnu::always_inline]] inline void ClusterTree::carryBefore(const Cluster& c,
                                                            const FrameState<S>& a,
                                                            FrameState<S>& b) const {
  if (c.parent == 0) {  // on the world, which stands still
    b.r_0 = c.r_near.cast<S>();
    b.v_0.setZero();
    b.a_0.setZero();
    b.R = frames::from_T(Matrix3<S>(c.T_near.cast<S>()), Vector3<S>(Vector3<S>::Zero()));
    b.z_a.setZero();
    return;
  }
  carryFrame(a, c.apart, c.r_near, !c.straight, c.T_near, b);
}

/// Over a joint about or along axis k of the frame on its far side.
template <int k, class S>
[[gnu::always_inline]] inline void ClusterTree::carry(const Cluster& c, Workspace<S>& w) const {
  FrameState<S>& b = w.frames[c.frame];
  carryBefore(c, w.frames[c.parentFrame], b);
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  const S q = c.sense * (w.y[c.q] + c.offset), v = c.sense * w.y[c.v], vd = c.sense * w.yp[c.v];
  Vector3<S>& z = b.z_a;
  if (c.kind == Kind::turn) {
    const S cosine = cos(q), sine = sin(q);
    turn(cosine, sine, z[i], z[j]);
    frames::turnAboutAxis<k>(b.R, cosine, sine);
    const Vector3<S>& omega = frames::angularVelocity2(b.R);
    z[i] = multiplyAdd(v, omega[j], z[i]);
    z[j] = z[j] - v * omega[i];
    z[k] += vd;
    frames::addVelocityAboutAxis<k>(b.R, v);
  } else {
    // der(r) and der(v) of the arm q along the axis, in axes that turn with omega.
    const Vector3<S>& omega = frames::angularVelocity2(b.R);
    const Matrix3<S>& T = frames::to_T(b.R);
    Vector3<S> relative, acceleration;
    relative[i] = omega[j] * q;
    relative[j] = -(omega[i] * q);
    relative[k] = v;
    Vector3<S> twice = relative;
    twice[k] = v + v;
    acceleration = cross(omega, twice);
    acceleration[i] = multiplyAdd(z[j], q, acceleration[i]);
    acceleration[j] = acceleration[j] - z[i] * q;
    acceleration[k] += vd;
    for (int row = 0; row < 3; ++row) b.r_0[row] = multiplyAdd(T(k, row), q, b.r_0[row]);
    b.v_0 += multiplyTransposed(T, relative);
    b.a_0 += multiplyTransposed(T, acceleration);
  }
}

template <class S>
void ClusterTree::carryByLaw(const Cluster& c, Workspace<S>& w) const {
  const Layout::TreeJoint& s = *c.joint;
  FrameState<S> before;
  if (c.kind != Kind::general) carryBefore(c, w.frames[c.parentFrame], before);
  const FrameState<S>& near = c.kind == Kind::general ? w.frames[frameOfNode(s.near)] : before;
  const JointState<S>& x = w.joints[s.edge];
  if (s.forward) {
    s.law->forward(near, x, w.frames[c.frame]);
  } else {
    s.law->backward(near, x, w.frames[c.frame]);
  }
}

template <class S>
[[gnu::always_inline]] inline void ClusterTree::project(const Cluster& c, const Workspace<S>& w,
                                                        const Wrench<S>& load, S* tau) const {
  if (c.kind == Kind::general) {
    projectByLaw(c, w, load, tau);
    return;
  }
  const FrameState<S>& x = w.frames[c.frame];
  if (c.onAxis()) {
    const Matrix3<S>& T = frames::to_T(x.R);
    const Vector3<S>& along = c.kind == Kind::turn ? load.t_0 : load.f_0;
    tau[0] = c.sense * detail::sumOfProducts(T(c.axis, 0), along[0], T(c.axis, 1), along[1],
                                             T(c.axis, 2), along[2]);
    return;
  }
  const FrameState<S>& parent = w.frames[c.parentFrame];
  const auto before = [&](const Vector3<S>& a) {
    return multiply(c.T_near, frames::resolve2(parent.R, a));
  };
  const int first = c.joint->nv - 3;
  Vector3<S> f, t;
  if (c.sense > 0) {
    f = first > 0 ? before(load.f_0) : load.f_0;
    t = frames::resolve2(x.R, load.t_0);
  } else {
    const Vector3<S> joint = parent.r_0 + frames::resolve1(parent.R, c.r_near);
    f = -frames::resolve2(x.R, load.f_0);
    t = -before(load.shifted(x.r_0 - joint).t_0);
  }
  for (int k = 0; k < 3; ++k) tau[first + k] = t[k];
  for (int k = 0; k < first; ++k) tau[k] = f[k];
}

template <class S>
void ClusterTree::projectByLaw(const Cluster& c, const Workspace<S>& w, const Wrench<S>& load,
                               S* tau) const {
  const Layout::TreeJoint& s = *c.joint;
  if (s.nv == 0) return;
  const FrameState<S>& a = w.frames[frameOfNode(s.a)];
  const FrameState<S>& b = w.frames[frameOfNode(s.b)];
  const JointState<S>& state = w.joints[s.edge];
  if (s.forward) {
    s.law->project(a, b, state, load, tau);
    return;
  }
  const Vector3<S> arm = w.frames[c.frame].r_0 - w.frames[frameOfNode(s.near)].r_0;
  s.law->project(a, b, state, -load.shifted(arm), tau);
}

template <class S>
void ClusterTree::rootsToLeaves(Workspace<S>& w) const {
  constexpr bool overBodies = std::is_same_v<S, double>;
  if (w.placed != version_) {
    w.placed = version_;
    placeNodes(clusters_[0], w);
    if constexpr (overBodies) w.bodies = bodies_.makeBodies();
  }
  if constexpr (overBodies) {
    moveBodies(w);
    return;
  }
  for (size_t i = 1; i < clusters_.size(); ++i) {
    const Cluster& c = clusters_[i];
    if (!c.onAxis()) {
      carryByLaw(c, w);
    } else if (c.axis == 2) {
      carry<2>(c, w);
    } else if (c.axis == 1) {
      carry<1>(c, w);
    } else {
      carry<0>(c, w);
    }
    placeNodes(c, w);
  }
}

/// Frames where one is read, with the nodes placed from them.
void ClusterTree::moveBodies(Workspace<double>& w) const {
  BodyTree::Body* bodies = w.bodies.data();
  for (const Run& run : runs_) {
    const Cluster& first = clusters_[run.first];
    if (first.onAxis()) {
      bodies_.carryOnAxes(run.first, run.last, w.y.data(), w.yp.data(), bodies);
    } else if (first.kind == Kind::general) {
      carryByLaw(first, w);
      bodies_.take(run.first, w.frames[first.frame], bodies);
    } else {
      const JointState<double>& x = w.joints[first.joint->edge];
      bodies_.carryFree(run.first, first.joint->law->turn(x), x, bodies);
    }
    for (size_t i = run.first; i < run.last; ++i) {
      const Cluster& c = clusters_[i];
      if (!c.framed) continue;
      if (c.kind != Kind::general) w.frames[c.frame] = frameOf(i, w);
      placeNodes(c, w);
    }
  }
}

FrameState<double> ClusterTree::frameOf(size_t c, const Workspace<double>& w) const {
  const BodyTree::Body& b = w.bodies[c];
  FrameState<double> f;
  const Vector3d w_0 = b.w.vector(), z_0 = b.z.vector();
  Matrix3d T;
  Vector3d w_a;
  for (int k = 0; k < 3; ++k) {
    const int i = frameAxis(clusters_[c].axis, k);
    const Vector3d e = b.e[k].vector();
    T.row(i) = e.transpose();
    w_a[i] = dot(e, w_0);
    f.z_a[i] = dot(e, z_0);
  }
  f.R = frames::from_T(T, w_a);
  f.r_0 = b.r.vector();
  f.v_0 = b.v.vector();
  f.a_0 = b.a.vector() + gravity_;
  return f;
}

FrameState<double> ClusterTree::frameBefore(size_t c, const Workspace<double>& w) const {
  const Cluster& cluster = clusters_[c];
  if (cluster.kind == Kind::general) return w.frames[frameOfNode(cluster.joint->near)];
  FrameState<double> f;
  carryBefore(cluster, frameOf(cluster.parent, w), f);
  return f;
}

template <class S>
void ClusterTree::clearLoads(Workspace<S>& w) const {
  constexpr bool all = !std::is_same_v<S, double>;
  const auto clear = [&](std::vector<Wrench<S>>& loads) {
    for (const Cluster& c : clusters_) {
      if (all || c.framed) loads[c.frame].setZero();
    }
    for (const Placement& p : placements_) loads[p.node].setZero();
  };
  clear(w.loads);
  if (w.tables.virtualLoads) clear(w.virtualLoads);
}

/// Load that moves the rigid bodies of a cluster, about its origin, resolved in world.
template <class S>
[[gnu::always_inline]] inline void ClusterTree::addInertia(const Cluster& c, const FrameState<S>& x,
                                                           Wrench<S>& load) const {
  const Vector3<S>& w = frames::angularVelocity2(x.R);
  const Vector3<S> ag = frames::resolve2(x.R, Vector3<S>(x.a_0 - gravity_));
  const Vector3<S> f = ag * c.m + cross(x.z_a, c.h) + cross(w, cross(w, c.h));
  const Vector3<S> t = multiply(c.I, x.z_a) + cross(w, multiply(c.I, w)) + cross(c.h, ag);
  load.f_0 += frames::resolve1(x.R, f);
  load.t_0 += frames::resolve1(x.R, t);
}

/// The load at a cluster's frame with those at the nodes that are placed from it.
template <class S>
[[gnu::always_inline]] inline Wrench<S>& ClusterTree::gather(const Cluster& c,
                                                             const Workspace<S>& w,
                                                             std::vector<Wrench<S>>& loads) const {
  Wrench<S>& sum = loads[c.frame];
  for (int k = c.firstPlacement; k < c.lastPlacement; ++k) {
    const int node = placements_[k].node;
    const Wrench<S>& part = loads[node];
    sum += placements_[k].moved ? part.shifted(w.frames[node].r_0 - w.frames[c.frame].r_0) : part;
  }
  return sum;
}

template <class S>
void ClusterTree::leavesToRoots(Workspace<S>& w, bool inertia) const {
  if constexpr (std::is_same_v<S, double>) {
    carryLoads(w, inertia);
  } else {
    for (size_t i = clusters_.size(); i-- > 1;) {
      const Cluster& c = clusters_[i];
      const FrameState<S>& x = w.frames[c.frame];
      Wrench<S>& load = gather(c, w, w.loads);
      if (inertia && c.massive) addInertia(c, x, load);
      project(c, w, load, w.residual.data() + c.vRow);
      if (c.parent > 0) {
        w.loads[c.parentFrame] += c.apart || c.kind != Kind::turn
                                      ? load.shifted(x.r_0 - w.frames[c.parentFrame].r_0)
                                      : load;
      }
    }
  }
  if (w.tables.virtualLoads) carryVirtualLoads(w);
}

/// What the stabilising multipliers do, likewise.
template <class S>
void ClusterTree::carryVirtualLoads(Workspace<S>& w) const {
  for (size_t i = clusters_.size(); i-- > 1;) {
    const Cluster& c = clusters_[i];
    const Wrench<S>& load = gather(c, w, w.virtualLoads);
    project(c, w, load, w.virtualRates.data() + c.joint->v);
    if (c.parent > 0) {
      const Vector3<S> arm = w.frames[c.frame].r_0 - w.frames[c.parentFrame].r_0;
      w.virtualLoads[c.parentFrame] += load.shifted(arm);
    }
  }
}

void ClusterTree::carryLoads(Workspace<double>& w, bool inertia) const {
  BodyTree::Body* bodies = w.bodies.data();
  double* residual = w.residual.data();
  for (size_t i = 1; i < clusters_.size(); ++i) {
    const Cluster& c = clusters_[i];
    if (!c.framed) continue;
    const Wrench<double>& load = gather(c, w, w.loads);
    bodies[i].f = Quad::of(load.f_0);
    bodies[i].t = Quad::of(load.t_0);
  }
  if (!inertia) {
    std::fill_n(residual + layout_.nq, layout_.nv, 0.0);
    return;
  }
  size_t last = clusters_.size();
  for (size_t i = last; i-- > 1;) {
    const Cluster& c = clusters_[i];
    if (i > 1 && c.kind != Kind::general) continue;
    bodies_.loads(i, last, bodies, residual);
    last = i;
    if (c.kind == Kind::general)
      projectByLaw(c, w, {bodies[i].f.vector(), bodies[i].t.vector()}, residual + c.vRow);
  }
}

void ClusterTree::work(const Cluster& c, const Workspace<double>& w, const Wrench<double>& load,
                       double* tau) const {
  project(c, w, load, tau);
}

void ClusterTree::holdMotion(Workspace<Dual>& w, const Workspace<double>& from) const {
  const auto take = [&](int frame) {
    const FrameState<double>& f = from.frames[frame];
    w.frames[frame] = {f.r_0.cast<Dual>(), f.R, f.v_0.cast<Dual>(), f.a_0.cast<Dual>(),
                       f.z_a.cast<Dual>()};
  };
  for (const Cluster& c : clusters_) {
    take(c.frame);
    for (int i = c.firstPlacement; i < c.lastPlacement; ++i) take(placements_[i].node);
  }
}

template void ClusterTree::rootsToLeaves(Workspace<double>&) const;
template void ClusterTree::rootsToLeaves(Workspace<Dual>&) const;
template void ClusterTree::clearLoads(Workspace<double>&) const;
template void ClusterTree::clearLoads(Workspace<Dual>&) const;
template void ClusterTree::leavesToRoots(Workspace<double>&, bool) const;
template void ClusterTree::leavesToRoots(Workspace<Dual>&, bool) const;

}  // namespace cardan
