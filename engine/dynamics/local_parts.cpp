#include "engine/dynamics/local_parts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "engine/dynamics/lane_vector.h"

namespace cardan {
namespace {

/// A load that depends on the place less than this, relative to its own size, does not.
constexpr double kPoseRounding = 1e-11;

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

/// Seeds a node's frame with the unit directions `u` of the cluster's motion about `origin`: velocities
/// (block 0), accelerations (1), poses (2).
template <class Slot>
void seed(const Slot& n, const UnitDirections& u, const Vector3d& origin, int block,
          FrameState<Dual>& f) {
  const LaneVector linear = u.linear + cross(u.angular, Vector3d(n.r_0 - origin));
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
    Matrix3<Dual> T = n.T.template cast<Dual>();
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

}  // namespace

LocalParts::LocalParts(const Equations& equations) : equations_(equations), structure_(equations) {
  if (!structure_.local) return;
  gravity_ = equations.clusters().gravity();
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
  tables_.ahead = &equations.state.ahead;
  // A part with inputs or modes may depend on its place at other times than those of a probe.
  const FlatModel& b = equations.flatModel();
  std::vector<bool> massive(b.instances.size(), false), changing(b.instances.size(), false);
  for (FrameId f : b.massiveFrames) massive[b.frames[f.index].instance] = true;
  for (const FlatModel::Input& i : b.inputs) changing[i.instance] = true;
  for (const FlatModel::Mode& m : b.modes) changing[m.instance] = true;
  for (ArticulatedTree::Part& p : structure_.parts) {
    const size_t i = p.instance;
    p.posed = !massive[i] || changing[i] || probeIsPosed(p);
    posed_ = posed_ || p.posed;
  }
}

void LocalParts::fetchSignals(const Workspace<double>& at) {
  gravity_ = equations_.clusters().gravity();
  tables_.time = Dual(value(at.tables.time));
  for (size_t i = 0; i < signals_.size(); ++i) {
    signals_[i] = Dual(at.signals[i]);
    signalRates_[i] = Dual(at.signalRates[i]);
  }
}

/// Whether a part's loads depend on the place of its cluster, by looking at a few motions.
bool LocalParts::probeIsPosed(const ArticulatedTree::Part& part) {
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
    if (!(posed <= kPoseRounding * size * (1 + gravity_.norm()))) return true;
  }
  return false;
}

/// Frames of a part's nodes as constants.
void LocalParts::fetchNodes(const Workspace<double>& at, const ArticulatedTree::Part& part) {
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
void LocalParts::addPart(const ArticulatedTree::Part& part, const Vector3d& origin, int blocks,
                         Spatial* P) {
  View<Dual> view(tables_);
  const int needed = part.posed ? blocks : 2;
  for (int block = 0; block < needed; ++block) {
    for (int first = 0; first < 6; first += kLanes) {
      const UnitDirections u = unitDirections(first);
      for (int s = 1; s <= part.slots; ++s) {
        loads_[s].setZero();
        if (!slots_[s].world) seed(slots_[s], u, origin, block, frames_[s]);
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
          Spatial& row = P[r * blocks + block];
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

void LocalParts::add(size_t cluster, const Workspace<double>& at, const Vector3d& origin,
                     int blocks, Spatial* P) {
  for (int p = structure_.firstPart[cluster]; p < structure_.firstPart[cluster + 1]; ++p) {
    fetchNodes(at, structure_.parts[p]);
    addPart(structure_.parts[p], origin, blocks, P);
  }
}

/// Adds what the parts at the axis of joint j take, per coordinate.
void LocalParts::addAtAxis(size_t j, const JointState<Dual>& x, Dual* tau) {
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

}  // namespace cardan
