#include "engine/dynamics/tree_newton.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/structure/indices.h"

namespace cardan {
namespace {

/// A load that depends on the place less than this, relative to its own size, does not.
constexpr double kRounding = 1e-11;

using Lanes = Dual::Lanes;

/// Three components in several directions at once.
struct LaneVector {
  Lanes x, y, z;
};
inline LaneVector operator+(const LaneVector& a, const LaneVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline LaneVector operator-(const LaneVector& a, const LaneVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline LaneVector operator*(double k, const LaneVector& a) { return {k * a.x, k * a.y, k * a.z}; }
inline LaneVector cross(const LaneVector& a, const Vector3d& b) {
  return {a.y * b[2] - a.z * b[1], a.z * b[0] - a.x * b[2], a.x * b[1] - a.y * b[0]};
}
inline LaneVector cross(const Vector3d& a, const LaneVector& b) {
  return {a[1] * b.z - a[2] * b.y, a[2] * b.x - a[0] * b.z, a[0] * b.y - a[1] * b.x};
}
/// T' a and T a
inline LaneVector resolve1(const Matrix3d& T, const LaneVector& a) {
  return {T(0, 0) * a.x + T(1, 0) * a.y + T(2, 0) * a.z,
          T(0, 1) * a.x + T(1, 1) * a.y + T(2, 1) * a.z,
          T(0, 2) * a.x + T(1, 2) * a.y + T(2, 2) * a.z};
}
inline LaneVector resolve2(const Matrix3d& T, const LaneVector& a) {
  return {T(0, 0) * a.x + T(0, 1) * a.y + T(0, 2) * a.z,
          T(1, 0) * a.x + T(1, 1) * a.y + T(1, 2) * a.z,
          T(2, 0) * a.x + T(2, 1) * a.y + T(2, 2) * a.z};
}
inline LaneVector lanesOf(const Vector3<Dual>& a) { return {a[0].d, a[1].d, a[2].d}; }
inline void setLanes(Vector3<Dual>& a, const LaneVector& d) {
  a[0].d = d.x;
  a[1].d = d.y;
  a[2].d = d.z;
}
inline Vector3<Dual> dual(const Vector3d& a) { return {Dual(a[0]), Dual(a[1]), Dual(a[2])}; }

/// Direction `first` + lane of a spatial vector, one in each lane.
struct UnitDirections {
  LaneVector angular, linear;
};
UnitDirections unitDirections(int first) {
  UnitDirections u{};
  Lanes* lanes[6] = {&u.angular.x, &u.angular.y, &u.angular.z,
                     &u.linear.x,  &u.linear.y,  &u.linear.z};
  for (int i = first; i < std::min(6, first + kLanes); ++i) (*lanes[i])[i - first] = 1;
  return u;
}

FrameState<Dual> constant(const FrameState<double>& f) {
  FrameState<Dual> d;
  d.r_0 = dual(f.r_0);
  d.R = f.R;
  d.v_0 = dual(f.v_0);
  d.a_0 = dual(f.a_0);
  d.z_a = dual(f.z_a);
  return d;
}

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

}  // namespace

TreeNewton::TreeNewton(const Equations& equations, ArticulatedTree::Scope scope)
    : equations_(equations), structure_(equations, scope) {
  if (!fits()) return;
  const Layout& l = equations.layout();
  gravity_ = equations.clusters().gravity();
  int inverse = 0;
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
    inverse += s.nv * s.nv;
  }
  inverse_.assign(inverse, 0.0);
  ofVelocity_.assign(inverse, 0.0);

  frames_.assign(structure_.mostSlots, constant(FrameState<double>{
                                           Vector3d::Zero(), frames::nullRotation(),
                                           Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero()}));
  loads_.resize(frames_.size());
  slots_.resize(frames_.size());
  flanges_.assign(structure_.mostFlangeSlots, {Dual(0), Dual(0), Dual(0)});
  flangeLoads_.assign(flanges_.size(), Dual(0));
  signals_.assign(equations.signals().slots(), Dual(0));
  signalRates_ = signals_;
  tables_.world = equations.flatModel().world;
  tables_.frameNode = structure_.slotOfFrame.data();
  tables_.frames = frames_.data();
  tables_.loads = loads_.data();
  tables_.signalOffset = equations.signals().offsets().data();
  tables_.signals = signals_.data();
  tables_.signalRates = signalRates_.data();
  tables_.flangeNode = structure_.slotOfFlange.data();
  tables_.flanges = flanges_.data();
  tables_.flangeLoads = flangeLoads_.data();

  tables_.modes = equations.state.modes.data();
  tables_.relations = equations.state.relations.data();
  tables_.expressions = &expressions_;
  tables_.inputs = equations.state.inputs.data();
  tables_.pasts = equations.state.pasts.data();
  tables_.impulses = equations.state.impulses.data();
  // A part with inputs or modes may depend on its place at other times than those of a probe.
  const FlatModel& b = equations.flatModel();
  std::vector<bool> massive(b.instances.size(), false), changing(b.instances.size(), false);
  for (FrameId f : b.massiveFrames) massive[b.frames[f.index].instance] = true;
  for (const FlatModel::Input& i : b.inputs) changing[i.instance] = true;
  for (const FlatModel::Mode& m : b.modes) changing[m.instance] = true;
  for (ArticulatedTree::Part& p : structure_.parts) {
    const size_t i = p.instance;
    p.posed = !massive[i] || changing[i] || probeIsPosed(p);
    if (p.posed) blocks_ = 3;
  }

  singleFreedoms_ =
      std::ranges::all_of(joints_, [](const Joint& joint) { return joint.step->nv == 1; });
  const size_t nv = l.nv, count = structure_.clusters, n = blocks_;
  std::vector<int> parents;
  for (const Joint& joint : joints_) parents.push_back(joint.parent);
  const OpenPlaces places(parents);
  for (size_t j = 0; j < joints_.size(); ++j) joints_[j].at = places.of[j];
  P_.resize(size_t{6} * places.count * blocks_);
  if (const AxisTree* axes = equations.clusters().axes(); axes && structure_.parts.empty())
    onAxes_.emplace(*axes);
  x_.resize(count * n);
  load_.resize(count);
  for (auto* perVelocity : {&S_, &U_, &PBv_}) perVelocity->resize(nv);
  for (auto* perVelocity : {&B_, &Bv_, &G_}) perVelocity->resize(nv * n);
  for (auto* perVelocity : {&beta_, &bq_, &bv_}) perVelocity->assign(nv, 0.0);
  if (extraRows_ && scope == ArticulatedTree::Scope::everything) {
    whole_ = equations.makeWorkspace<Dual>();
    rhs_.assign(l.size(), 0.0);
  }
}

/// Whether a part's loads depend on the place of its cluster, by looking at a few motions.
bool TreeNewton::probeIsPosed(const ArticulatedTree::Part& part) {
  for (int s = 1; s <= part.slots; ++s) {
    if (equations_.clusters().clusterOfNode(structure_.nodes[part.firstNode + s - 1]) == 0)
      return true;
  }
  for (int probe = 0; probe < 3; ++probe) {
    const auto number = [&](int k) { return std::sin(1.7 * k + 2.3 * probe + 0.4); };
    for (int s = 1; s <= part.slots; ++s) {
      FrameState<double> f;
      const auto vector = [&](int k) -> Vector3d {
        return Vector3d(number(k), number(k + 1), number(k + 2));
      };
      // One rigid motion for all nodes of the cluster.
      const Vector3d axis = vector(1).normalized(), w = vector(7), z = vector(10);
      f.R = frames::planarRotation(axis, 1.1 + probe, 0.0);
      const Matrix3d T = frames::to_T(f.R);
      const Vector3d arm = s == 1 ? Vector3d(0, 0, 0) : vector(20 + 3 * s);
      f.R = frames::from_T(T, Vector3d(T * w));
      f.r_0 = vector(4) + arm;
      f.v_0 = vector(13) + w.cross(arm);
      f.a_0 = vector(16) + z.cross(arm) + w.cross(w.cross(arm));
      f.z_a = T * z;
      frames_[s] = constant(f);
      Slot& slot = slots_[s];
      slot = {f.r_0, f.v_0, f.a_0 - gravity_, T, Vector3d(T * w), f.z_a, false};
    }
    Spatial P[18];
    addPart(part, slots_[1].r_0, 3, P);
    double size = 0, posed = 0;
    for (int r = 0; r < 6; ++r) {
      for (int k = 0; k < 6; ++k) {
        size = std::max({size, std::abs(P[3 * r].v[k]), std::abs(P[3 * r + 1].v[k])});
        posed = std::max(posed, std::abs(P[3 * r + 2].v[k]));
      }
    }
    if (!(posed <= kRounding * size * (1 + gravity_.norm()))) return true;
  }
  return false;
}

/// Frames of a part's nodes as constants.
void TreeNewton::fetchNodes(const Workspace<double>& at, const ArticulatedTree::Part& part) {
  for (int s = 1; s <= part.slots; ++s) {
    const int node = structure_.nodes[part.firstNode + s - 1];
    const FrameState<double>& f = at.frames[equations_.clusters().frameOfNode(node)];
    frames_[s] = constant(f);
    Slot& slot = slots_[s];
    slot.r_0 = f.r_0;
    slot.v_0 = f.v_0;
    slot.a_0 = f.a_0 - gravity_;
    slot.T = frames::to_T(f.R);
    slot.w_a = frames::angularVelocity2(f.R);
    slot.z_a = f.z_a;
    slot.world = equations_.clusters().clusterOfNode(node) == 0;
  }
}

/// Adds the derivatives of a part's loads by the motion of its cluster about `origin`.
void TreeNewton::addPart(const ArticulatedTree::Part& part, const Vector3d& origin, int blocks,
                         Spatial* P) {
  View<Dual> view(tables_);
  const int needed = part.posed ? std::max(blocks, 2) : 2;
  for (int block = blocks == 1 ? 1 : 0; block < needed; ++block) {
    for (int first = 0; first < 6; first += kLanes) {
      const UnitDirections u = unitDirections(first);
      for (int s = 1; s <= part.slots; ++s) {
        const Slot& n = slots_[s];
        FrameState<Dual>& f = frames_[s];
        loads_[s].setZero();
        if (n.world) continue;
        const Vector3d arm = n.r_0 - origin;
        const LaneVector linear = u.linear + cross(u.angular, arm);
        if (block == 0) {
          const Vector3d w = n.T.transpose() * n.w_a;
          Vector3<Dual> w_a = dual(n.w_a);
          setLanes(w_a, resolve2(n.T, u.angular));
          f.R = frames::from_T(frames::to_T(f.R), w_a);
          setLanes(f.z_a, resolve2(n.T, -1.0 * cross(w, u.angular)));
          setLanes(f.v_0, linear);
          setLanes(f.a_0, -2.0 * cross(n.v_0, u.angular));
        } else if (block == 1) {
          f.R = frames::from_T(frames::to_T(f.R), dual(n.w_a));
          setLanes(f.z_a, resolve2(n.T, u.angular));
          setLanes(f.v_0, LaneVector{});
          setLanes(f.a_0, linear);
        } else {
          Matrix3<Dual> T = n.T.cast<Dual>();
          for (int i = 0; i < 3; ++i) {
            const LaneVector e = cross(u.angular, Vector3d(n.T.row(i)));
            T(i, 0).d = e.x;
            T(i, 1).d = e.y;
            T(i, 2).d = e.z;
          }
          f.R = frames::from_T(T, dual(n.w_a));
          setLanes(f.r_0, linear);
          f.z_a = dual(n.z_a);
          setLanes(f.v_0, cross(u.angular, n.v_0));
          setLanes(f.a_0, cross(u.angular, n.a_0));
        }
      }
      loads_[0].setZero();
      part.component->evaluate(view);
      for (int s = 1; s <= part.slots; ++s) {
        const Slot& n = slots_[s];
        if (n.world) continue;
        const Wrench<Dual>& l = loads_[s];
        LaneVector f = lanesOf(l.f_0), t = lanesOf(l.t_0);
        if (block == 2) {
          f = f - cross(u.angular, Vector3d(l.f_0[0].v, l.f_0[1].v, l.f_0[2].v));
          t = t - cross(u.angular, Vector3d(l.t_0[0].v, l.t_0[1].v, l.t_0[2].v));
        }
        t = t + cross(Vector3d(n.r_0 - origin), f);
        const Lanes* rows[6] = {&t.x, &t.y, &t.z, &f.x, &f.y, &f.z};
        for (int r = 0; r < 6; ++r) {
          Spatial& row = P[blocks == 1 ? r : r * blocks + block];
          if constexpr (kLanes == 8) {
            row.v += reinterpret_cast<const Spatial::Lanes&>(*rows[r]);
          } else {
            for (int i = first; i < std::min(6, first + kLanes); ++i)
              row.v[i] += (*rows[r])[i - first];
          }
        }
      }
    }
  }
}

/// Inverse kinematic rows of the joints that need them.
bool TreeNewton::kinematicRows(const Workspace<double>& at, double cj) {
  const Layout& l = equations_.layout();
  for (const Joint& joint : joints_) {
    if (joint.kinematic < 0) continue;
    const Layout::TreeJoint& s = *joint.step;
    Dual q[kMaxPerEdge], qd[kMaxPerEdge], v[6], rows[kMaxPerEdge];
    auto& K = kinematics_[joint.kinematic].inverse;
    K.resize(s.nq, s.nq);
    for (int i = 0; i < s.nv; ++i) v[i] = Dual(at.y[l.nq + s.v + i]);
    for (int j0 = 0; j0 < s.nq; j0 += kLanes) {
      for (int j = 0; j < s.nq; ++j) {
        q[j] = Dual(at.y[s.q + j]);
        qd[j] = Dual(at.yp[s.q + j]);
        if (j >= j0 && j < j0 + kLanes) {
          q[j].setLane(j - j0, 1);
          qd[j].setLane(j - j0, cj);
        }
      }
      s.law->kinematics(q, qd, v, rows);
      for (int j = j0; j < std::min(s.nq, j0 + kLanes); ++j) {
        for (int i = 0; i < s.nq; ++i) K(i, j) = rows[i].lane(j - j0);
      }
    }
    K = invertSmall(K);
    if (!K.allFinite()) return false;
  }
  return true;
}

/// Adds what the parts at the axis of joint j take, per coordinate.
void TreeNewton::addAxisParts(size_t j, const JointState<Dual>& x, Dual* tau) {
  const PotentialNetwork& network = equations_.network();
  View<Dual> view(tables_);
  for (int p = structure_.firstAxisPart[j]; p < structure_.firstAxisPart[j + 1]; ++p) {
    const ArticulatedTree::AxisPart& part = structure_.axisParts[p];
    const auto termsOf = [&](int slot) -> const PotentialNetwork::Node& {
      return network.nodes[structure_.flangeNodes[part.firstFlangeNode + slot]];
    };
    const auto coordinateOf = [&](const PotentialNetwork::Term& t) {
      const int axis = network.sources[t.source].index;
      return equations_.flatModel().axes[axis].coordinate;
    };
    for (int s = 0; s < part.slots; ++s) {
      const PotentialNetwork::Node& node = termsOf(s);
      FlangeState<Dual> sum{Dual(node.constant), Dual(0), Dual(0)};
      for (const PotentialNetwork::Term& t : node.terms) {
        const int k = coordinateOf(t);
        sum.position += t.coefficient * x.q[k];
        sum.velocity += t.coefficient * x.v[k];
        sum.acceleration += t.coefficient * x.vd[k];
      }
      flanges_[s] = sum;
      flangeLoads_[s] = Dual(0);
    }
    part.component->evaluate(view);
    for (int s = 0; s < part.slots; ++s) {
      for (const PotentialNetwork::Term& t : termsOf(s).terms)
        tau[coordinateOf(t)] += t.coefficient * flangeLoads_[s];
    }
  }
}

/// P of the rigid body that cluster c is, about its origin, resolved in world:
///   by eta  f = m eta_v + eta_w x h                  t = I eta_w + h x eta_v
///   by nu   f = 2 nu_w x (m v + w x h)
///           t = -I (w x nu_w) + nu_w x (I w) + w x (I nu_w) - 2 h x (v x nu_w)
template <int blocks>
void TreeNewton::addBody(double m, const Motion& x, Spatial* P) const {
  const Vector3d& h = x.h;
  const Matrix3d& I = x.I;
  constexpr int e = eta(blocks);
  P[e].v += Spatial::Lanes{I(0, 0), I(0, 1), I(0, 2), 0, -h[2], h[1], 0, 0};
  P[blocks + e].v += Spatial::Lanes{I(1, 0), I(1, 1), I(1, 2), h[2], 0, -h[0], 0, 0};
  P[2 * blocks + e].v += Spatial::Lanes{I(2, 0), I(2, 1), I(2, 2), -h[1], h[0], 0, 0, 0};
  P[3 * blocks + e].v += Spatial::Lanes{0, h[2], -h[1], m, 0, 0, 0, 0};
  P[4 * blocks + e].v += Spatial::Lanes{-h[2], 0, h[0], 0, m, 0, 0, 0};
  P[5 * blocks + e].v += Spatial::Lanes{h[1], -h[0], 0, 0, 0, m, 0, 0};
  if constexpr (blocks > 1) {
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
}

/// Of a joint about or along the axis s, which stays where it is, and w and z of its far end:
///   turn   theta = s dq    nu_w = s dv - theta x w        nu_v = -theta x v
///          eta_w = (w x s) dv + s da - theta x z + w x nu_w    eta_v = 2 v x nu_w - theta x a
///   slide  rho = s dq      nu_v = s dv + (w x s) dq
///          eta_v = s da + 2 (w x s) dv + (z x s + w x (w x s)) dq
template <int blocks>
void TreeNewton::axisColumns(size_t j, const Workspace<double>& at, const Motion& x, double cj,
                             const Weights& weights, Columns& out) {
  const Joint& joint = joints_[j];
  const ClusterTree::Cluster& c = *joint.cluster;
  const Vector3d& s = x.axis;
  const Vector3d zero(0, 0, 0);
  const bool turns = c.kind == ClusterTree::Kind::turn;
  const size_t first = joint.step->v * blocks;
  Spatial *B = &B_[first], *Bv = &Bv_[first];
  const double dq = weights.q == 0 ? 0.0 : 1 / cj;
  out.turnOfBeta[0] = turns ? Spatial::of(dq * s, zero) : Spatial::of(zero, dq * s);
  if constexpr (blocks == 1) {
    B[0] = turns ? Spatial::of(s, zero) : Spatial::of(zero, s);
  } else {
    const Vector3d &w = x.w, &z = x.z, &a = x.a;
    const Vector3d ws = cross(w, s);
    if (turns) {
      const Vector3d theta = dq * s, v2 = 2 * x.v, nu = weights.v * s - cross(theta, w);
      B[0] = Spatial::of(nu, -cross(theta, x.v));
      B[1] = Spatial::of(weights.v * ws + weights.a * s - cross(theta, z) + cross(w, nu),
                         cross(v2, nu) - cross(theta, a));
      Bv[0] = Spatial::of(weights.v * s, zero);
      Bv[1] = Spatial::of(2 * weights.v * ws + weights.a * s, weights.v * cross(v2, s));
    } else {
      B[0] = Spatial::of(zero, weights.v * s + dq * ws);
      B[1] =
          Spatial::of(zero, weights.a * s + 2 * weights.v * ws + dq * (cross(z, s) + cross(w, ws)));
      Bv[0] = Spatial::of(zero, weights.v * s);
      Bv[1] = Spatial::of(zero, weights.a * s + 2 * weights.v * ws);
    }
    if constexpr (blocks == 3) {
      B[2] = out.turnOfBeta[0];
      Bv[2] = Spatial{};
    }
  }
  out.ofBeta[0] = out.ofVelocity[0] = 0;
  if (structure_.firstAxisPart[j] == structure_.firstAxisPart[j + 1]) return;
  Dual q(at.y[c.q]), v(at.y[c.v]), vd(at.yp[c.v]), tau(0);
  q.setLane(0, dq);
  for (int lane = 0; lane < 2; ++lane) {
    v.setLane(lane, weights.v);
    vd.setLane(lane, weights.a);
  }
  addAxisParts(j, {&q, &v, &vd}, &tau);
  out.ofBeta[0] = tau.lane(0);
  out.ofVelocity[0] = tau.lane(1);
}

/// Of any joint: motion of the far end and projection of a load that stays, by its own coordinates.
template <int blocks>
void TreeNewton::columns(size_t j, const Workspace<double>& at, double cj, const Weights& weights,
                         Columns& out) {
  const Layout& l = equations_.layout();
  const Joint& joint = joints_[j];
  const Layout::TreeJoint& s = *joint.step;
  const int nv = s.nv, directions = weights.velocity ? 2 * nv : nv;
  const FrameState<double>& far = at.frames[joint.cluster->frame];
  const FrameState<double>& from = at.frames[equations_.clusters().frameOfNode(s.near)];
  const Vector3d arm = far.r_0 - from.r_0;
  const Wrench<double>& F = at.loads[joint.cluster->frame];
  const FrameState<Dual> near = constant(from);
  FrameState<Dual> moved;
  Dual q[kMaxPerEdge], v[6], vd[6], tau[6];
  const JointState<Dual> x{q, v, vd,
                           s.chart < 0 ? nullptr : equations_.state.charts.data() + s.chart};
  const Matrix3d T = frames::to_T(far.R);
  const Vector3d w = T.transpose() * frames::angularVelocity2(far.R), a = far.a_0 - gravity_;
  for (int d0 = 0; d0 < directions; d0 += kLanes) {
    for (int i = 0; i < s.nq; ++i) q[i] = Dual(at.y[s.q + i]);
    for (int i = 0; i < nv; ++i) {
      v[i] = Dual(at.y[l.nq + s.v + i]);
      vd[i] = Dual(at.yp[l.nq + s.v + i]);
    }
    const int d1 = std::min(directions, d0 + kLanes);
    for (int d = d0; d < d1; ++d) {
      const int k = d < nv ? d : d - nv;
      v[k].setLane(d - d0, weights.v);
      vd[k].setLane(d - d0, weights.a);
      if (d >= nv || weights.q == 0) continue;
      if (joint.kinematic < 0) {
        q[k].setLane(d - d0, 1 / cj);
      } else {
        const auto& K = kinematics_[joint.kinematic].inverse;
        for (int i = 0; i < s.nq; ++i) q[i].setLane(d - d0, K(i, k));
      }
    }
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
    addAxisParts(j, x, tau);

    const Lanes components[18] = {nu_w.x,  nu_w.y,  nu_w.z,  nu_v.x,  nu_v.y,  nu_v.z,
                                  eta_w.x, eta_w.y, eta_w.z, eta_v.x, eta_v.y, eta_v.z,
                                  theta.x, theta.y, theta.z, rho.x,   rho.y,   rho.z};
    alignas(64) double lanes[18][kLanes];
    static_assert(sizeof lanes == sizeof components);
    std::memcpy(lanes, components, sizeof lanes);
    for (int d = d0; d < d1; ++d) {
      const int k = d < nv ? d : d - nv, lane = d - d0;
      const size_t first = (s.v + k) * blocks;
      Spatial of[3];
      for (int b = 0; b < 3; ++b) of[b] = Spatial::from(&lanes[6 * b][lane], kLanes);
      for (int b = 0; b < blocks; ++b) (d < nv ? B_ : Bv_)[first + b] = of[blocks == 1 ? 1 : b];
      if (d < nv) out.turnOfBeta[d] = of[2];
      for (int r = 0; r < nv; ++r)
        (d < nv ? out.ofBeta : out.ofVelocity)[r * nv + k] = tau[r].lane(lane);
    }
  }
}

template <int blocks>
TreeNewton::Motion TreeNewton::motionOf(size_t j, const Workspace<double>& at) const {
  Motion m;
  const ClusterTree::Cluster& c = *joints_[j].cluster;
  if (const AxisTree* axes = equations_.clusters().axes()) {
    const AxisTree::Link& link = axes->links()[j + 1];
    const AxisTree::Body& b = at.bodies[j + 1];
    m.arm = b.arm.vector();
    m.axis = (b.e[2] * link.sense).vector();
    m.w = b.w.vector();
    m.v = b.v.vector();
    m.z = b.z.vector();
    m.a = b.a.vector();
    const AxisTree::Inertia own = AxisTree::inertia(link, b);
    m.h = own.h.vector();
    for (int k = 0; k < 3; ++k) m.I.col(k) = own.I[k].vector();
    m.load = {b.f.vector(), b.t.vector()};
    return m;
  }
  const FrameState<double>& x = at.frames[c.frame];
  const Matrix3d& T = frames::to_T(x.R);
  m.arm = x.r_0 - at.frames[c.parentFrame].r_0;
  m.axis = c.sense * Vector3d(T.row(c.axis).transpose());
  m.v = x.v_0;
  m.a = x.a_0 - gravity_;
  if constexpr (blocks > 1) {
    m.w = multiplyTransposed(T, frames::angularVelocity2(x.R));
    m.z = multiplyTransposed(T, x.z_a);
  }
  if (c.massive) {
    m.h = multiplyTransposed(T, c.h);
    m.I = transposedProduct(T, product(c.I, T));
  }
  m.load = at.loads[c.frame];
  return m;
}

/// Takes joint j and the cluster that it carries into the cluster before it.
template <int blocks>
bool TreeNewton::eliminate(size_t j, const Workspace<double>& at, double cj,
                           const Weights& weights) {
  const Joint& joint = joints_[j];
  const Motion x = motionOf<blocks>(j, at);
  Spatial* P = &P_[joint.at.place * 6 * blocks];
  if (joint.at.leaf) std::fill_n(P, 6 * blocks, Spatial{});
  if (joint.cluster->massive) addBody<blocks>(joint.cluster->m, x, P);
  for (int p = structure_.firstPart[j + 1]; p < structure_.firstPart[j + 2]; ++p) {
    fetchNodes(at, structure_.parts[p]);
    addPart(structure_.parts[p], at.frames[joint.cluster->frame].r_0, blocks, P);
  }
  Columns of;
  if (joint.cluster->kind == ClusterTree::Kind::general) {
    columns<blocks>(j, at, cj, weights, of);
    return reduce<blocks, 0>(j, x, weights, of);
  }
  axisColumns<blocks>(j, at, x, cj, weights, of);
  return reduce<blocks, 1>(j, x, weights, of);
}

/// The elimination itself; `size` is nv where it is known beforehand, else 0.
template <int blocks, int size>
bool TreeNewton::reduce(size_t j, const Motion& x, const Weights& weights, const Columns& of) {
  Joint& joint = joints_[j];
  const Layout::TreeJoint& s = *joint.step;
  const int nv = size > 0 ? size : s.nv;
  const Wrench<double>& F = x.load;
  Spatial* P = &P_[joint.at.place * 6 * blocks];
  // Free directions: what a velocity, or an acceleration, does.
  for (int k = 0; k < nv; ++k) {
    const size_t first = (s.v + k) * blocks;
    S_[s.v + k] = weights.velocity ? Bv_[first] : B_[first + eta(blocks)];
  }
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
    if (weights.q != 0) {
      const Vector3d theta = of.turnOfBeta[k].angular(), rho = of.turnOfBeta[k].linear();
      U_[i] += Spatial::of(cross(theta, F.t_0) + cross(rho, F.f_0), cross(theta, F.f_0));
    }
    if (weights.velocity) timesP(&Bv_[i * blocks], PBv_[i]);
  }
  for (int r = 0; r < nv; ++r) {
    for (int k = 0; k < nv; ++k) {
      Spatial terms;
      terms.v = S_[s.v + r].v * U_[s.v + k].v;
      D[r * nv + k] = terms.sum() + of.ofBeta[r * nv + k];
      terms.v = terms.v < 0 ? -terms.v : terms.v;
      magnitude[r * nv + k] = terms.sum() + std::abs(of.ofBeta[r * nv + k]);
    }
  }
  double* inverse = &inverse_[joint.inverse];
  if (!invert(nv, D, magnitude, inverse)) return false;
  if (weights.velocity) std::copy_n(of.ofVelocity, nv * nv, &ofVelocity_[joint.inverse]);
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
  // About the parent's origin: columns, then rows.
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
  return true;
}

void TreeNewton::fetchSignals(const Workspace<double>& at) {
  tables_.time = Dual(value(at.tables.time));
  for (size_t i = 0; i < signals_.size(); ++i) {
    signals_[i] = Dual(at.signals[i]);
    signalRates_[i] = Dual(at.signalRates[i]);
  }
}

template <int blocks>
bool TreeNewton::factorWith(const Workspace<double>& at, double cj, const Weights& weights) {
  cj_ = cj;
  gravity_ = equations_.clusters().gravity();
  fetchSignals(at);
  for (size_t j = joints_.size(); j-- > 0;) {
    if (!eliminate<blocks>(j, at, cj, weights)) return false;
  }
  return true;
}

bool TreeNewton::factor(const Workspace<double>& at, double cj) {
  if (!kinematicRows(at, cj)) return false;
  if (extraRows_) {
    point_ = at.y;
    rate_ = at.yp;
    time_ = at.tables.time;
  }
  const Weights weights{1, 1, cj, true};
  return blocks_ == 2 ? factorWith<2>(at, cj, weights) : factorWith<3>(at, cj, weights);
}

bool TreeNewton::factorAccelerations(const Workspace<double>& at) {
  return factorWith<1>(at, 1, {0, 0, 1, false});
}

/// beta_ from the residues of the kinematic rows (null: none) and of the dynamic rows.
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
    if (bq) {
      const double* ofVelocity = &ofVelocity_[joint.inverse];
      for (int k = 0; k < nv; ++k) {
        u.add(PBv_[v + k], -bq[v + k]);
        for (int i = 0; i < nv; ++i) rest[k] += ofVelocity[k * nv + i] * bq[v + i];
      }
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
        if (bq) x[b].add(Bv_[i], -bq[v + k]);
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
  for (size_t i = 0; i < point_.size(); ++i) {
    whole_.y[i] = Dual(point_[i]);
    whole_.yp[i] = Dual(rate_[i]);
  }
  whole_.tables.time = Dual(time_);
  for (int i = 0; i < l.nq; ++i) whole_.y[i].setLane(0, x[i]);
  equations_.evaluate(whole_, {.everyFrame = false, .kinematicRows = false});
  for (int i = 0; i < l.nv; ++i) bv_[i] -= whole_.residual[l.nq + i].lane(0);
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

/// The sweeps of the accelerations where every joint has one freedom.
void TreeNewton::solveSingleFreedoms(const double* f, double* da) {
  for (Spatial& p : load_) p.v = Spatial::Lanes{};
  for (size_t j = joints_.size(); j-- > 0;) {
    const Joint& joint = joints_[j];
    const size_t v = joint.step->v;
    Spatial u = load_[j + 1];
    beta_[v] = (f[v] - Spatial::dot(S_[v], u)) * inverse_[joint.inverse];
    if (joint.parent == 0) continue;
    u.add(U_[v], beta_[v]);
    joint.shift.load(u);
    load_[joint.parent] += u;
  }
  for (size_t j = 0; j < joints_.size(); ++j) {
    const Joint& joint = joints_[j];
    const size_t v = joint.step->v;
    Spatial x;
    if (joint.parent != 0) {
      x = x_[joint.parent];
      joint.shift.motion(x);
      beta_[v] -= Spatial::dot(G_[v], x);
    }
    da[v] = beta_[v];
    if (joint.at.leaf) continue;
    x.add(S_[v], beta_[v]);
    x_[j + 1] = x;
  }
}

/// What the parts at the axes take by the accelerations of their joints.
void TreeNewton::findAxisInertia(const Workspace<double>& at) {
  fetchSignals(at);
  axisInertia_.assign(joints_.size(), 0.0);
  for (size_t j = 0; j < joints_.size(); ++j) {
    if (structure_.firstAxisPart[j] == structure_.firstAxisPart[j + 1]) continue;
    const ClusterTree::Cluster& c = *joints_[j].cluster;
    const Dual q(at.y[c.q]), v(at.y[c.v]);
    Dual vd(at.yp[c.v]), tau(0);
    vd.setLane(0, 1);
    addAxisParts(j, {&q, &v, &vd}, &tau);
    axisInertia_[j] = tau.lane(0);
  }
}

bool TreeNewton::accelerations(const Workspace<double>& at, const double* f, double* da) {
  if (!onAxes_) {
    if (!factorAccelerations(at)) return false;
    solveAccelerations(f, da);
    return true;
  }
  const bool bare = structure_.axisParts.empty();
  if (!bare) findAxisInertia(at);
  return onAxes_->solve(at.bodies.data(), bare ? nullptr : axisInertia_.data(), f, da);
}

void TreeNewton::solveAccelerations(const double* f, double* da) {
  if (singleFreedoms_) {
    solveSingleFreedoms(f, da);
    return;
  }
  std::copy_n(f, bv_.size(), bv_.begin());
  sweep<1>(nullptr, bv_.data());
  std::copy_n(beta_.begin(), beta_.size(), da);
}

}  // namespace cardan
