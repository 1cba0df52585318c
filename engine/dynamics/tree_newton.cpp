#include "engine/dynamics/tree_newton.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/dynamics/body_accelerations.h"
#include "engine/dynamics/lane_vector.h"
#include "engine/structure/indices.h"

namespace cardan {
namespace {

/// Inverse of the leading n x n of `A` (row by row); false: a pivot is small against `size`.
bool invert(int n, const double* A, const double* size, double* out) {
  if (n == 1) {
    out[0] = 1 / A[0];
    return std::abs(A[0]) > kMovesNothing * size[0];
  }
  double M[6][12];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      M[i][j] = A[i * n + j];
      M[i][n + j] = i == j ? 1 : 0;
    }
  }
  double scale[6];
  for (int i = 0; i < n; ++i) {
    scale[i] = 0;
    for (int j = 0; j < n; ++j) scale[i] = std::max(scale[i], size[i * n + j]);
    if (!std::isfinite(scale[i])) return false;
  }
  for (int k = 0; k < n; ++k) {
    int best = k;
    auto relative = [&](int i) { return scale[i] > 0 ? std::abs(M[i][k]) / scale[i] : 0.0; };
    for (int i = k + 1; i < n; ++i) {
      if (relative(i) > relative(best)) best = i;
    }
    if (!(relative(best) > kMovesNothing)) return false;
    std::swap(scale[k], scale[best]);
    for (int j = 0; j < 2 * n; ++j) std::swap(M[k][j], M[best][j]);
    const double pivot = 1 / M[k][k];
    for (int j = 0; j < 2 * n; ++j) M[k][j] *= pivot;
    for (int i = 0; i < n; ++i) {
      const double factor = M[i][k];
      if (i == k || factor == 0) continue;
      for (int j = k; j < 2 * n; ++j) M[i][j] -= factor * M[k][j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) out[i * n + j] = M[i][n + j];
  }
  return true;
}

/// Column `k` of so many blocks: velocities, accelerations and, of three, the pose.
template <int blocks>
void put(std::vector<Spatial>& columns, size_t k, const Spatial& nu, const Spatial& eta,
         const Spatial& xi) {
  Spatial* of = &columns[k * blocks];
  of[0] = nu;
  of[1] = eta;
  if constexpr (blocks == 3) of[2] = xi;
}

}  // namespace

TreeNewton::TreeNewton(const Equations& equations) : equations_(equations), parts_(equations) {
  if (!fits()) return;
  const Layout& l = equations.layout();
  gravity_ = equations.clusters().gravity();
  if (parts_.posed()) blocks_ = 3;
  int inverse = 0;
  std::vector<int> parents;
  const auto& clusters = equations.clusters().clusters();
  for (size_t c = 1; c < clusters.size(); ++c) {
    const Layout::TreeJoint& s = *clusters[c].joint;
    int kinematic = -1;
    if (!s.plain) {
      kinematic = std::ssize(kinematics_);
      kinematics_.emplace_back();
      extraRows_ = extraRows_ || s.nq > s.nv;
    }
    joints_.push_back({&s, &clusters[c], clusters[c].parent, inverse, kinematic, {}, {}});
    parents.push_back(clusters[c].parent);
    inverse += s.nv * s.nv;
  }
  inverse_.assign(inverse, 0.0);
  ofVelocity_.assign(inverse, 0.0);

  const size_t nv = l.nv, count = clusters.size(), n = blocks_;
  const OpenPlaces places(parents);
  for (size_t j = 0; j < joints_.size(); ++j) joints_[j].at = places.of[j];
  P_.resize(6 * places.count * n);
  x_.resize(count * n);
  load_.resize(count);
  for (auto* perVelocity : {&S_, &U_, &PBv_}) perVelocity->resize(nv);
  for (auto* perVelocity : {&B_, &Bv_, &G_}) perVelocity->resize(nv * n);
  for (auto* perVelocity : {&beta_, &bq_, &bv_}) perVelocity->assign(nv, 0.0);
  if (extraRows_) {
    whole_.emplace(equations);
    rhs_.assign(l.size(), 0.0);
  }
}

/// Inverse kinematic rows of the joints that need them.
bool TreeNewton::kinematicRows(const Workspace<double>& at, double cj) {
  const Layout& l = equations_.layout();
  for (const Joint& joint : joints_) {
    if (joint.kinematic < 0) continue;
    const Layout::TreeJoint& s = *joint.step;
    SmallMatrix& K = kinematics_[joint.kinematic].inverse;
    const double* v = at.y.data() + l.nq + s.v;
    K = invertSmall(kinematicDerivatives(s, &at.y[s.q], &at.yp[s.q], v, 1, cj));
    if (!K.allFinite()) return false;
  }
  return true;
}

/// P of the rigid body that cluster c is, about its origin, resolved in world:
///   by eta  f = m eta_v + eta_w x h                  t = I eta_w + h x eta_v
///   by nu   f = 2 nu_w x (m v + w x h)
///           t = -I (w x nu_w) + nu_w x (I w) + w x (I nu_w) - 2 h x (v x nu_w)
template <int blocks>
void TreeNewton::addBody(double m, const Motion& x, Spatial* P) const {
  const Vector3d& h = x.h;
  const Matrix3d& I = x.I;
  P[1].v += Spatial::Lanes{I(0, 0), I(0, 1), I(0, 2), 0, -h[2], h[1], 0, 0};
  P[blocks + 1].v += Spatial::Lanes{I(1, 0), I(1, 1), I(1, 2), h[2], 0, -h[0], 0, 0};
  P[2 * blocks + 1].v += Spatial::Lanes{I(2, 0), I(2, 1), I(2, 2), -h[1], h[0], 0, 0, 0};
  P[3 * blocks + 1].v += Spatial::Lanes{0, h[2], -h[1], m, 0, 0, 0, 0};
  P[4 * blocks + 1].v += Spatial::Lanes{-h[2], 0, h[0], 0, m, 0, 0, 0};
  P[5 * blocks + 1].v += Spatial::Lanes{h[1], -h[0], 0, 0, 0, m, 0, 0};
  const Vector3d& w = x.w;
  const Vector3d v2 = 2 * x.v, p2 = m * v2 + 2 * cross(w, h), Iw = multiply(I, w);
  // W I - I W - [I w] with W = [w]; -h x (2 v x u) = (h.2v) u - 2v (h.u)
  Matrix3d N;
  for (int k = 0; k < 3; ++k) {
    const Vector3d column = I.col(k);
    N.col(k) = cross(w, column) - v2 * h[k];
  }
  const double hv = dot(h, v2);
  for (int r = 0; r < 3; ++r) {
    const Vector3d row = I.col(r);  // symmetric
    // (I W)(r, :) = row x w read from the left: row' W = (row x w)'
    const Vector3d IW = cross(row, w);
    for (int k = 0; k < 3; ++k) N(r, k) -= IW[k];
    N(r, r) += hv;
  }
  N(0, 1) += Iw[2];
  N(0, 2) -= Iw[1];
  N(1, 0) -= Iw[2];
  N(1, 2) += Iw[0];
  N(2, 0) += Iw[1];
  N(2, 1) -= Iw[0];
  for (int r = 0; r < 3; ++r)
    P[r * blocks].v += Spatial::Lanes{N(r, 0), N(r, 1), N(r, 2), 0, 0, 0, 0, 0};
  P[3 * blocks].v += Spatial::Lanes{0, p2[2], -p2[1], 0, 0, 0, 0, 0};
  P[4 * blocks].v += Spatial::Lanes{-p2[2], 0, p2[0], 0, 0, 0, 0, 0};
  P[5 * blocks].v += Spatial::Lanes{p2[1], -p2[0], 0, 0, 0, 0, 0, 0};
}

/// Of a joint about or along the axis s, which stays where it is, and w and z of its far end:
///   turn   theta = s dq    nu_w = s dv - theta x w        nu_v = -theta x v
///          eta_w = (w x s) dv + s da - theta x z + w x nu_w    eta_v = 2 v x nu_w - theta x a
///   slide  rho = s dq      nu_v = s dv + (w x s) dq
///          eta_v = s da + 2 (w x s) dv + (z x s + w x (w x s)) dq
template <int blocks>
void TreeNewton::axisColumns(size_t j, const Workspace<double>& at, const Motion& x, Columns& out) {
  const Joint& joint = joints_[j];
  const ClusterTree::Cluster& c = *joint.cluster;
  const Vector3d &s = x.axis, &w = x.w, &z = x.z, &a = x.a;
  const Vector3d zero(0, 0, 0), ws = cross(w, s);
  const bool turns = c.kind == ClusterTree::Kind::turn;
  const size_t first = joint.step->v * blocks;
  Spatial *B = &B_[first], *Bv = &Bv_[first];
  const double dq = 1 / cj_;
  out.turnOfBeta[0] = turns ? Spatial::of(dq * s, zero) : Spatial::of(zero, dq * s);
  if (turns) {
    const Vector3d theta = dq * s, v2 = 2 * x.v, nu = s - cross(theta, w);
    B[0] = Spatial::of(nu, -cross(theta, x.v));
    B[1] =
        Spatial::of(ws + cj_ * s - cross(theta, z) + cross(w, nu), cross(v2, nu) - cross(theta, a));
    Bv[0] = Spatial::of(s, zero);
    Bv[1] = Spatial::of(2 * ws + cj_ * s, cross(v2, s));
  } else {
    B[0] = Spatial::of(zero, s + dq * ws);
    B[1] = Spatial::of(zero, cj_ * s + 2 * ws + dq * (cross(z, s) + cross(w, ws)));
    Bv[0] = Spatial::of(zero, s);
    Bv[1] = Spatial::of(zero, cj_ * s + 2 * ws);
  }
  if constexpr (blocks == 3) {
    B[2] = out.turnOfBeta[0];
    Bv[2] = Spatial{};
  }
  out.ofBeta[0] = out.ofVelocity[0] = 0;
  if (!parts_.hasAxisParts(j)) return;
  Dual q(at.y[c.q]), v(at.y[c.v]), vd(at.yp[c.v]), tau(0);
  q.setLane(0, dq);
  for (int lane = 0; lane < 2; ++lane) {
    v.setLane(lane, 1);
    vd.setLane(lane, cj_);
  }
  parts_.addAtAxis(j, {&q, &v, &vd}, &tau);
  out.ofBeta[0] = tau.lane(0);
  out.ofVelocity[0] = tau.lane(1);
}

/// Of a joint that is free to turn: theta about its axes s, and w, z of both ends; of the velocity of
/// frame_b against frame_a, w_r, only where s turns with the far end (else w_r is zero and w_p is w):
///   turn   nu_w = s dv - theta x w_p        nu_v = -theta x v
///          eta_w = s da + w_p x s dv - theta x (z - z_r) - (theta x w_p) x w_r + w x nu_w
///          eta_v = 2 v x nu_w - theta x a
/// with z_r = z - z_p - w_p x w_r. Of one that is free to shift along s, which stays:
///   shift  rho = s dq    nu_v = s dv + w_p x rho
///          eta_v = s da + 2 w_p x s dv + z_p x rho + w_p x (w_p x rho)
template <int blocks>
void TreeNewton::freeColumns(size_t j, const Workspace<double>& at, const Motion& x, Columns& out) {
  const Joint& joint = joints_[j];
  const Layout::TreeJoint& s = *joint.step;
  const BodyTree& tree = equations_.clusters().bodies();
  const BodyTree::Link& link = tree.links()[j + 1];
  const Vector3d w_p = at.bodies[link.parent].w.vector(), z_p = at.bodies[link.parent].z.vector();
  const Vector3d &w = x.w, &v = x.v, &a = x.a, zero(0, 0, 0);
  const int nv = s.nv, first = nv - 3;
  std::fill_n(out.ofBeta, nv * nv, 0.0);
  std::fill_n(out.ofVelocity, nv * nv, 0.0);
  Quad n[3];
  tree.turning(j + 1, at.bodies.data(), n);
  Vector3d axes[3];
  for (int k = 0; k < 3; ++k) axes[k] = (n[k] * link.sense).vector();
  const bool turnAlong = link.sense > 0;
  const Vector3d w_r = turnAlong ? Vector3d(w - w_p) : zero;
  const Vector3d w_s = turnAlong ? w_p : w, z_s = turnAlong ? z_p : x.z;
  const auto& K = kinematics_[joint.kinematic].inverse;
  const double still[6] = {0, 0, 0, 0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    double dq[kMaxPerEdge], turned[kMaxPerEdge];
    for (int i = 0; i < s.nq; ++i) dq[i] = K(i, first + k);
    s.law->kinematics(&at.y[s.q], dq, still, turned);
    Vector3d theta = zero;
    for (int i = 0; i < 3; ++i) theta += axes[i] * turned[first + i];
    const Vector3d& axis = axes[k];
    const Vector3d nu = axis - cross(theta, w_s);
    const Vector3d of_v = cj_ * axis + cross(w_p, axis), v2 = 2 * v;
    const Vector3d eta_w = of_v - cross(theta, z_s) - cross(cross(theta, w_s), w_r) + cross(w, nu);
    const Spatial xi = Spatial::of(theta, zero);
    put<blocks>(B_, s.v + first + k, Spatial::of(nu, -cross(theta, v)),
                Spatial::of(eta_w, cross(v2, nu) - cross(theta, a)), xi);
    put<blocks>(Bv_, s.v + first + k, Spatial::of(axis, zero),
                Spatial::of(of_v + cross(w, axis), cross(v2, axis)), Spatial{});
    out.turnOfBeta[first + k] = xi;
    if (!turnAlong) continue;
    for (int r = 0; r < 3; ++r)
      out.ofBeta[(first + r) * nv + first + k] = dot(cross(theta, axes[r]), x.load.t_0);
  }
  if (first == 0) return;
  tree.shifting(j + 1, at.bodies.data(), n);
  for (int k = 0; k < 3; ++k) {
    const Vector3d axis = n[k].vector(), rho = axis / cj_, along = cross(w_p, axis);
    const Vector3d of_v = cj_ * axis + 2 * along;
    const Spatial xi = Spatial::of(zero, rho);
    put<blocks>(B_, s.v + k, Spatial::of(zero, axis + cross(w_p, rho)),
                Spatial::of(zero, of_v + cross(z_p, rho) + cross(w_p, cross(w_p, rho))), xi);
    put<blocks>(Bv_, s.v + k, Spatial::of(zero, axis), Spatial::of(zero, of_v), Spatial{});
    out.turnOfBeta[k] = xi;
    for (int r = 0; r < 3; ++r)
      out.ofBeta[(first + r) * nv + k] = -dot(axes[r], cross(rho, x.load.f_0));
  }
}

/// Coordinates of joint j, with its directions d0 to d1 in the lanes: first those of its coordinates,
/// then those of its velocities alone.
void TreeNewton::seedColumns(size_t j, const Workspace<double>& at, int d0, int d1, Dual* q,
                             Dual* v, Dual* vd) const {
  const Layout& l = equations_.layout();
  const Joint& joint = joints_[j];
  const Layout::TreeJoint& s = *joint.step;
  const int nv = s.nv;
  for (int i = 0; i < s.nq; ++i) q[i] = Dual(at.y[s.q + i]);
  for (int i = 0; i < nv; ++i) {
    v[i] = Dual(at.y[l.nq + s.v + i]);
    vd[i] = Dual(at.yp[l.nq + s.v + i]);
  }
  for (int d = d0; d < d1; ++d) {
    const int k = d < nv ? d : d - nv;
    v[k].setLane(d - d0, 1);
    vd[k].setLane(d - d0, cj_);
    if (d >= nv) continue;
    if (joint.kinematic < 0) {
      q[k].setLane(d - d0, 1 / cj_);
    } else {
      const auto& K = kinematics_[joint.kinematic].inverse;
      for (int i = 0; i < s.nq; ++i) q[i].setLane(d - d0, K(i, k));
    }
  }
}

/// What directions d0 to d1 have given: spatial vectors by their elements, and the joint's own rows.
template <int blocks>
void TreeNewton::keepColumns(size_t j, int d0, int d1, const double (*lanes)[kLanes],
                             const Dual* tau, Columns& out) {
  const Layout::TreeJoint& s = *joints_[j].step;
  const int nv = s.nv;
  for (int d = d0; d < d1; ++d) {
    const int k = d < nv ? d : d - nv, lane = d - d0;
    const size_t first = (s.v + k) * blocks;
    Spatial of[3];
    for (int b = 0; b < 3; ++b) of[b] = Spatial::from(&lanes[6 * b][lane], kLanes);
    for (int b = 0; b < blocks; ++b) (d < nv ? B_ : Bv_)[first + b] = of[b];
    if (d < nv) out.turnOfBeta[d] = of[2];
    for (int r = 0; r < nv; ++r)
      (d < nv ? out.ofBeta : out.ofVelocity)[r * nv + k] = tau[r].lane(lane);
  }
}

/// Of any joint: motion of the far end and projection of a load that stays, by its own coordinates.
template <int blocks>
void TreeNewton::columns(size_t j, const Workspace<double>& at, const Motion& x_far, Columns& out) {
  const Layout::TreeJoint& s = *joints_[j].step;
  const int nv = s.nv, directions = 2 * nv;
  const FrameState<double> far = equations_.clusters().frameOf(j + 1, at);
  const FrameState<double> from = equations_.clusters().frameBefore(j + 1, at);
  const Vector3d arm = far.r_0 - from.r_0;
  const Wrench<double>& F = x_far.load;
  const FrameState<Dual> near = constant(from);
  FrameState<Dual> moved;
  Dual q[kMaxPerEdge], v[6], vd[6], tau[6];
  const JointState<Dual> x{q, v, vd,
                           s.chart < 0 ? nullptr : equations_.state.charts.data() + s.chart};
  const Matrix3d T = frames::to_T(far.R);
  const Vector3d w = T.transpose() * frames::angularVelocity2(far.R), a = far.a_0 - gravity_;
  for (int d0 = 0; d0 < directions; d0 += kLanes) {
    const int d1 = std::min(directions, d0 + kLanes);
    seedColumns(j, at, d0, d1, q, v, vd);
    if (s.forward) {
      s.law->forward(near, x, moved);
    } else {
      s.law->backward(near, x, moved);
    }
    const Matrix3<Dual>& T_ = frames::to_T(moved.R);
    LaneVector theta{};
    for (int i = 0; i < 3; ++i)
      theta = theta + cross(Vector3d(T.row(i)), LaneVector{T_(i, 0).d, T_(i, 1).d, T_(i, 2).d});
    theta = 0.5 * theta;
    const LaneVector rho = lanesOf(moved.r_0);
    const LaneVector nu_w = resolve1(T, lanesOf(frames::angularVelocity2(moved.R)));
    const LaneVector nu_v = lanesOf(moved.v_0) - cross(theta, far.v_0);
    const LaneVector eta_w = resolve1(T, lanesOf(moved.z_a)) + cross(w, nu_w);
    const LaneVector eta_v = lanesOf(moved.a_0) - cross(theta, a) + 2.0 * cross(far.v_0, nu_w);

    // The load stays; the point that it is projected at moves with the far end.
    Wrench<Dual> load;
    if (s.forward) {
      load = {dual(F.f_0), dual(F.t_0)};
      setLanes(load.t_0, -1.0 * cross(rho, F.f_0));
      s.law->project(near, moved, x, load, tau);
    } else {
      const Wrench<double> held = -F.shifted(arm);
      load = {dual(held.f_0), dual(held.t_0)};
      s.law->project(moved, near, x, load, tau);
    }
    parts_.addAtAxis(j, x, tau);

    const Lanes components[18] = {nu_w.x,  nu_w.y,  nu_w.z,  nu_v.x,  nu_v.y,  nu_v.z,
                                  eta_w.x, eta_w.y, eta_w.z, eta_v.x, eta_v.y, eta_v.z,
                                  theta.x, theta.y, theta.z, rho.x,   rho.y,   rho.z};
    alignas(64) double lanes[18][kLanes];
    static_assert(sizeof lanes == sizeof components);
    std::memcpy(lanes, components, sizeof lanes);
    keepColumns<blocks>(j, d0, d1, lanes, tau, out);
  }
}

TreeNewton::Motion TreeNewton::motionOf(size_t j, const Workspace<double>& at) const {
  Motion m;
  const BodyTree::Link& link = equations_.clusters().bodies().links()[j + 1];
  const BodyTree::Body& b = at.bodies[j + 1];
  m.arm = b.arm.vector();
  m.axis = (b.e[2] * link.sense).vector();
  m.w = b.w.vector();
  m.v = b.v.vector();
  m.z = b.z.vector();
  m.a = b.a.vector();
  const BodyTree::Inertia own = BodyTree::inertia(link, b);
  m.h = own.h.vector();
  for (int k = 0; k < 3; ++k) m.I.col(k) = own.I[k].vector();
  m.load = {b.f.vector(), b.t.vector()};
  return m;
}

/// Takes joint j and the cluster that it carries into the cluster before it.
template <int blocks>
bool TreeNewton::eliminate(size_t j, const Workspace<double>& at) {
  const Joint& joint = joints_[j];
  const Motion x = motionOf(j, at);
  Spatial* P = &P_[joint.at.place * 6 * blocks];
  if (joint.at.leaf) std::fill_n(P, 6 * blocks, Spatial{});
  if (joint.cluster->massive) addBody<blocks>(joint.cluster->m, x, P);
  if (parts_.hasParts(j + 1)) parts_.add(j + 1, at, at.bodies[j + 1].r.vector(), blocks, P);
  Columns of;
  if (joint.cluster->onAxis()) {
    axisColumns<blocks>(j, at, x, of);
    return reduce<blocks, 1>(j, x, of);
  }
  const auto kind = joint.cluster->kind;
  if (kind == BodyTree::Kind::general || (kind == BodyTree::Kind::free && !joint.step->forward)) {
    columns<blocks>(j, at, x, of);
    return reduce<blocks, 0>(j, x, of);
  }
  freeColumns<blocks>(j, at, x, of);
  return joint.step->nv == 3 ? reduce<blocks, 3>(j, x, of) : reduce<blocks, 6>(j, x, of);
}

/// Adds P to that of the cluster before it, about the origin of that: columns, then rows.
template <int blocks>
void TreeNewton::addToParent(const Joint& joint, const Vector3d& shift, Spatial* P) {
  Spatial* parent = &P_[joints_[joint.parent - 1].at.place * 6 * blocks];
  if (joint.at.first) std::fill_n(parent, 6 * blocks, Spatial{});
  for (int i = 0; i < 6 * blocks; ++i) joint.shift.load(P[i]);
  for (int b = 0; b < blocks; ++b) {
    const auto force = [&](int i) -> const Spatial::Lanes& { return P[(3 + i) * blocks + b].v; };
    parent[b].v += P[b].v + (shift[1] * force(2) - shift[2] * force(1));
    parent[blocks + b].v += P[blocks + b].v + (shift[2] * force(0) - shift[0] * force(2));
    parent[2 * blocks + b].v += P[2 * blocks + b].v + (shift[0] * force(1) - shift[1] * force(0));
    for (int i = 0; i < 3; ++i) parent[(3 + i) * blocks + b].v += force(i);
  }
}

/// S U and what the joint's rows add, nv x nv; and the sums of the sizes of what was added up.
template <int size>
void TreeNewton::freeMatrix(const Layout::TreeJoint& s, const double* ofBeta, double* D,
                            double* magnitude) const {
  const int nv = size > 0 ? size : s.nv;
  for (int r = 0; r < nv; ++r) {
    for (int k = 0; k < nv; ++k) {
      Spatial terms;
      terms.v = S_[s.v + r].v * U_[s.v + k].v;
      D[r * nv + k] = terms.sum() + ofBeta[r * nv + k];
      terms.v = terms.v < 0 ? -terms.v : terms.v;
      magnitude[r * nv + k] = terms.sum() + std::abs(ofBeta[r * nv + k]);
    }
  }
}

/// The elimination itself; `size` is nv where it is known beforehand, else 0.
template <int blocks, int size>
bool TreeNewton::reduce(size_t j, const Motion& x, const Columns& of) {
  Joint& joint = joints_[j];
  const Layout::TreeJoint& s = *joint.step;
  const int nv = size > 0 ? size : s.nv;
  const Wrench<double>& F = x.load;
  Spatial* P = &P_[joint.at.place * 6 * blocks];
  // Free directions: what a velocity does.
  for (int k = 0; k < nv; ++k) S_[s.v + k] = Bv_[(s.v + k) * blocks];
  const auto timesP = [&](const Spatial* column, Spatial& out) {
    Spatial::Lanes rows[6];
    for (int r = 0; r < 6; ++r) {
      rows[r] = P[r * blocks].v * column[0].v;
      for (int b = 1; b < blocks; ++b) rows[r] += P[r * blocks + b].v * column[b].v;
    }
    out = Spatial::sums(rows);
  };
  constexpr int most = size > 0 ? size : 6;
  double D[most * most], magnitude[most * most];
  Spatial H[most][blocks];
  for (int k = 0; k < nv; ++k) {
    const size_t i = s.v + k;
    for (int b = 0; b < blocks; ++b) {
      Spatial::Lanes sum = P[b].v * S_[i].v[0];
      for (int r = 1; r < 6; ++r) sum += P[r * blocks + b].v * S_[i].v[r];
      H[k][b].v = sum;
    }
    // Columns, not the rows of a P that is symmetric but for rounding: with these, what is skew of it
    // would double at every joint of several freedoms.
    timesP(&B_[i * blocks], U_[i]);
    const Vector3d theta = of.turnOfBeta[k].angular(), rho = of.turnOfBeta[k].linear();
    U_[i] += Spatial::of(cross(theta, F.t_0) + cross(rho, F.f_0), cross(theta, F.f_0));
    timesP(&Bv_[i * blocks], PBv_[i]);
  }
  freeMatrix<size>(s, of.ofBeta, D, magnitude);
  double* inverse = &inverse_[joint.inverse];
  if (!invert(nv, D, magnitude, inverse)) return false;
  std::copy_n(of.ofVelocity, nv * nv, &ofVelocity_[joint.inverse]);
  if (joint.parent == 0) return true;
  const Vector3d& shift = x.arm;
  joint.shift = SpatialShift(shift);

  for (int k = 0; k < nv; ++k) {
    Spatial* G = &G_[(s.v + k) * blocks];
    for (int b = 0; b < blocks; ++b) {
      Spatial::Lanes sum = H[0][b].v * inverse[k * nv];
      for (int i = 1; i < nv; ++i) sum += H[i][b].v * inverse[k * nv + i];
      G[b].v = sum;
    }
    const Spatial& U = U_[s.v + k];
    for (int r = 0; r < 6; ++r) {
      for (int b = 0; b < blocks; ++b) P[r * blocks + b].v -= G[b].v * U.v[r];
    }
  }
  addToParent<blocks>(joint, shift, P);
  return true;
}

template <int blocks>
bool TreeNewton::factorWith(const Workspace<double>& at) {
  for (size_t j = joints_.size(); j-- > 0;) {
    if (!eliminate<blocks>(j, at)) return false;
  }
  return true;
}

bool TreeNewton::factor(const Workspace<double>& at, double cj) {
  if (!kinematicRows(at, cj)) return false;
  if (extraRows_) whole_->setPoint(at.tables.time, at.y.data(), at.yp.data());
  cj_ = cj;
  gravity_ = equations_.clusters().gravity();
  parts_.fetchSignals(at);
  return blocks_ == 2 ? factorWith<2>(at) : factorWith<3>(at);
}

/// beta_ from the residues of the kinematic rows and of the dynamic rows.
template <int blocks>
void TreeNewton::sweep(const double* bq, const double* bv) {
  for (Spatial& p : load_) p.v = Spatial::Lanes{};
  for (size_t j = joints_.size(); j-- > 0;) {
    const Joint& joint = joints_[j];
    const int v = joint.step->v, nv = joint.step->nv;
    const double* inverse = &inverse_[joint.inverse];
    Spatial u = load_[j + 1];
    double rest[6];
    for (int k = 0; k < nv; ++k) rest[k] = bv[v + k];
    const double* ofVelocity = &ofVelocity_[joint.inverse];
    for (int k = 0; k < nv; ++k) {
      u.add(PBv_[v + k], -bq[v + k]);
      for (int i = 0; i < nv; ++i) rest[k] += ofVelocity[k * nv + i] * bq[v + i];
    }
    for (int k = 0; k < nv; ++k) rest[k] -= Spatial::dot(S_[v + k], u);
    for (int k = 0; k < nv; ++k) {
      double& beta = beta_[v + k];
      beta = 0;
      for (int i = 0; i < nv; ++i) beta += inverse[k * nv + i] * rest[i];
      u.add(U_[v + k], beta);
    }
    if (joint.parent == 0) continue;
    joint.shift.load(u);
    load_[joint.parent] += u;
  }
  for (size_t j = 0; j < joints_.size(); ++j) {
    const Joint& joint = joints_[j];
    const int v = joint.step->v, nv = joint.step->nv;
    Spatial x[blocks];
    if (joint.parent != 0) {
      for (int b = 0; b < blocks; ++b) {
        x[b] = x_[joint.parent * blocks + b];
        joint.shift.motion(x[b]);
      }
      for (int k = 0; k < nv; ++k) {
        const Spatial* G = &G_[(v + k) * blocks];
        Spatial::Lanes sum = G[0].v * x[0].v;
        for (int b = 1; b < blocks; ++b) sum += G[b].v * x[b].v;
        beta_[v + k] -= Spatial::sumOf(sum);
      }
    }
    for (int k = 0; k < nv; ++k) {
      for (int b = 0; b < blocks; ++b) {
        const size_t i = (v + k) * blocks + b;
        x[b].add(B_[i], beta_[v + k]);
        x[b].add(Bv_[i], -bq[v + k]);
      }
    }
    for (int b = 0; b < blocks; ++b) x_[(j + 1) * blocks + b] = x[b];
  }
}

/// Residues of the constraints among positions (Q.Q = 1): they fix a share of dq that is no motion,
/// whose effect on the dynamics goes to the right side. Adds the share to x, leaves the rest in
/// bv_.
void TreeNewton::addDeformation(const double* b, double* x) {
  const Layout& l = equations_.layout();
  bool any = false;
  for (const Joint& joint : joints_) {
    const Layout::TreeJoint& s = *joint.step;
    for (int i = 0; i < s.nq; ++i) x[s.q + i] = 0;
    for (int e = s.nv; e < s.nq; ++e) {
      const double residue = b[s.q + e];
      if (residue == 0) continue;
      any = true;
      for (int i = 0; i < s.nq; ++i)
        x[s.q + i] += kinematics_[joint.kinematic].inverse(i, e) * residue;
    }
  }
  if (!any) return;
  Workspace<Dual>& w = whole_->dualWorkspace();
  for (int i = 0; i < l.nq; ++i) w.y[i].setLane(0, x[i]);
  whole_->evaluateDual({.everyFrame = false, .kinematicRows = false});
  for (int i = 0; i < l.nv; ++i) bv_[i] -= w.residual[l.nq + i].lane(0);
  for (int i = 0; i < l.nq; ++i) w.y[i].setLane(0, 0);
}

void TreeNewton::solve(const double* b, double* x) {
  const Layout& l = equations_.layout();
  for (const Joint& joint : joints_) {
    const Layout::TreeJoint& s = *joint.step;
    for (int k = 0; k < s.nv; ++k) {
      bq_[s.v + k] = b[s.q + k];
      bv_[s.v + k] = b[l.nq + s.v + k];
    }
  }
  if (extraRows_) {
    std::copy_n(b, rhs_.size(), rhs_.begin());
    addDeformation(rhs_.data(), x);
  }
  blocks_ == 2 ? sweep<2>(bq_.data(), bv_.data()) : sweep<3>(bq_.data(), bv_.data());
  for (const Joint& joint : joints_) {
    const Layout::TreeJoint& s = *joint.step;
    const double* beta = &beta_[s.v];
    if (joint.kinematic < 0) {
      for (int k = 0; k < s.nv; ++k) x[s.q + k] = beta[k] / cj_;
    } else {
      const auto& K = kinematics_[joint.kinematic].inverse;
      for (int i = 0; i < s.nq; ++i) {
        double dq = extraRows_ ? x[s.q + i] : 0.0;
        for (int k = 0; k < s.nv; ++k) dq += K(i, k) * beta[k];
        x[s.q + i] = dq;
      }
    }
    for (int k = 0; k < s.nv; ++k) x[l.nq + s.v + k] = beta[k] - bq_[s.v + k];
  }
}

}  // namespace cardan
