#include "engine/dynamics/massive_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/dynamics/lane_vector.h"

namespace cardan {

MassiveParts::MassiveParts(const Equations& equations) : equations_(equations) {
  const FlatModel& b = equations.flatModel();
  std::vector<bool> massive(b.instances.size(), false), own(massive), changes(massive),
      holds(massive);
  for (FrameId f : b.massiveFrames) massive[b.frames[f.index].instance] = true;
  for (FlangeId f : b.inertialFlanges) massive[b.flanges[f.index].instance] = true;
  for (const FlatModel::Edge& e : b.edges) own[e.instance] = own[e.instance] || !e.isRoot;
  for (const FlatModel::Unknown& u : b.unknowns) own[u.instance] = true;
  for (const FlatModel::Row& r : b.rows) own[r.instance] = true;
  for (const FlatModel::Mode& m : b.modes) changes[m.instance] = true;
  for (const FlatModel::Constraint& c : b.constraints) holds[c.instance] = true;
  for (int i = 0; i < std::ssize(massive); ++i) {
    massive[i] =
        massive[i] && b.instances[i].component->evaluates() && !equations.clusters().isMerged(i);
    fits_ = fits_ && !(massive[i] && own[i]);
  }
  if (!fits_ || std::ranges::count(massive, true) == 0) return;
  std::vector<std::vector<int>> frames(b.instances.size()), flanges(frames);
  for (size_t f = 1; f < b.frames.size(); ++f) frames[b.frames[f].instance].push_back(f);
  for (int f = 0; f < std::ssize(b.flanges); ++f) flanges[b.flanges[f].instance].push_back(f);
  for (const FlatModel::Input& in : b.inputs) readSignals_ = readSignals_ || massive[in.instance];
  work_ = equations.makeWorkspace<Dual>();
  Workspace<double> probe = equations.makeWorkspace<double>();
  probe.bodies = equations.clusters().bodies().makeBodies();
  for (int i = 0; i < std::ssize(massive) && fits_; ++i) {
    if (!massive[i]) continue;
    place(i, frames[i], flanges[i]);
    // Of others the start may find an inertia that is zero now.
    if (fits_ && !changes[i] && !examine(parts_.back(), probe) && holds[i]) parts_.pop_back();
  }
}

int MassiveParts::addEnd(Part& part, int cluster, int index, int directions) {
  const auto known = std::ranges::find_if(
      part.ends, [&](const End& e) { return e.cluster == cluster && e.index == index; });
  if (known != part.ends.end()) return known - part.ends.begin();
  part.ends.push_back({cluster, index, part.directions, directions});
  part.directions += directions;
  return std::ssize(part.ends) - 1;
}

/// What its frames and flanges move with.
void MassiveParts::place(int instance, const std::vector<int>& frames,
                         const std::vector<int>& flanges) {
  const FlatModel& b = equations_.flatModel();
  const Layout& l = equations_.layout();
  const ClusterTree& tree = equations_.clusters();
  Part part{b.instances[instance].component, {}, {}, {}};
  for (const int f : frames) {
    const int frame = tree.frameOfId()[f];
    const int cluster = tree.clusterOfNode(equations_.nodeOfFrame()[f]);
    if (cluster > 0) {
      addEnd(part, cluster, frame, 6);
    } else {
      part.still.push_back(frame);
    }
  }
  const PotentialNetwork& network = equations_.network();
  for (const int f : flanges) {
    const int node = network.nodeOfFlange[f];
    if (std::ranges::find(part.flanges, node, &Part::Share::node) != part.flanges.end()) continue;
    part.flanges.push_back({node, -1, 0});
    for (const PotentialNetwork::Term& t : network.nodes[node].terms) {
      const PotentialNetwork::Source& source = network.sources[t.source];
      // What it gives the flange is not what it feels there.
      if (source.kind == PotentialNetwork::SourceKind::driven &&
          b.flanges[b.driven[source.index].flange.index].instance == instance)
        continue;
      int velocity = l.velocityOfSource[t.source] - l.nq;
      if (source.kind == PotentialNetwork::SourceKind::joint) {
        const FlatModel::AxisBinding& axis = b.axes[source.index];
        const auto joint = std::ranges::find_if(
            l.tree, [&](const auto& s) { return s.law && s.edge == axis.joint.index; });
        velocity = joint == l.tree.end() ? -1 : joint->v + axis.coordinate;
      }
      fits_ = fits_ && velocity >= 0;
      part.flanges.push_back({node, addEnd(part, 0, velocity, 1), t.coefficient});
    }
  }
  if (D_.rows() < part.directions)
    D_.resize(part.directions, (part.directions + kLanes - 1) / kLanes * kLanes);
  parts_.push_back(std::move(part));
}

/// Of a part that is always the same, by looking at a few motions. False: it does not depend on
/// accelerations (one that prescribes a motion only asks for states). Turns that it does not feel are
/// left out.
bool MassiveParts::examine(Part& part, Workspace<double>& probe) {
  bool depends = false;
  std::vector<char> turns(part.ends.size(), false);
  for (int k = 0; k < 3; ++k) {
    double n = 1.7 * k;
    const auto vector = [&] {
      n += 1.3;
      return Vector3d(std::sin(n), std::sin(2.1 * n), std::sin(3.2 * n));
    };
    const auto place = [&](int frame) {
      const Vector3d axis = vector().normalized();
      const Matrix3d T = frames::to_T(frames::planarRotation(axis, 1.1 + n, 0.0));
      probe.frames[frame] = {vector(), frames::from_T(T, vector()), vector(), vector(), vector()};
    };
    for (const int frame : part.still) place(frame);
    for (const End& e : part.ends) {
      if (e.cluster > 0) place(e.index);
    }
    for (const Part::Share& s : part.flanges)
      probe.flanges[s.node] = {n += 0.7, n += 0.9, n += 0.8};
    for (double& s : probe.signals) s = std::sin(n += 1.1);
    begin(probe);
    const auto D = derivatives(part, probe);
    depends = depends || !D.isZero(0);
    for (size_t e = 0; e < turns.size(); ++e) {
      const int first = part.ends[e].first + 3;
      turns[e] = turns[e] || (part.ends[e].directions == 6 && !(D.middleRows(first, 3).isZero(0) &&
                                                                D.middleCols(first, 3).isZero(0)));
    }
  }
  part.directions = 0;
  for (size_t e = 0; e < turns.size(); ++e) {
    End& end = part.ends[e];
    if (end.directions == 6 && !turns[e]) end.directions = 3;
    end.first = std::exchange(part.directions, part.directions + end.directions);
  }
  return depends;
}

void MassiveParts::begin(const Workspace<double>& at) {
  EvaluationTables<Dual>& t = work_.tables;
  t.time = Dual(value(at.tables.time));
  t.frameNode = equations_.clusters().frameOfId().data();
  t.virtualLoads = nullptr;
  t.virtualFlangeLoads = nullptr;
  t.expressions = &work_.expressions;
  work_.expressions.held = equations_.state.held.data();
  for (size_t i = 0; readSignals_ && i < at.signals.size(); ++i) {
    work_.signals[i] = Dual(at.signals[i]);
    work_.signalRates[i] = Dual(at.signalRates[i]);
  }
}

Eigen::Block<MassiveParts::Derivatives> MassiveParts::derivatives(const Part& part,
                                                                  const Workspace<double>& at) {
  const auto take = [&](int frame) {
    work_.frames[frame] = constant(at.frames[frame]);
    work_.loads[frame].setZero();
  };
  for (const int frame : part.still) take(frame);
  D_.setZero();
  View<Dual> view(work_.tables);
  for (int first = 0; first < part.directions; first += kLanes) {
    for (const Part::Share& s : part.flanges) {
      const FlangeState<double>& f = at.flanges[s.node];
      FlangeState<Dual>& x = work_.flanges[s.node];
      if (s.end < 0) {
        x = {Dual(f.position), Dual(f.velocity), Dual(f.acceleration)};
        work_.flangeLoads[s.node] = Dual(0);
      } else if (const int lane = part.ends[s.end].first - first; lane >= 0 && lane < kLanes) {
        x.acceleration.d[lane] = s.coefficient;
      }
    }
    for (const End& e : part.ends) {
      if (e.cluster == 0) continue;
      take(e.index);
      FrameState<Dual>& x = work_.frames[e.index];
      for (int lane = std::max(0, e.first - first);
           lane < std::min(kLanes, e.first + e.directions - first); ++lane) {
        const int k = first + lane - e.first;
        if (k < 3) x.a_0[k].d[lane] = 1;
        for (int i = 0; i < 3 && k >= 3; ++i)
          x.z_a[i].d[lane] = frames::to_T(at.frames[e.index].R)(i, k - 3);
      }
    }
    part.component->evaluate(view);
    const auto add = [&](int row, const Lanes& lanes, double by) {
      double* to = &D_(row, first);
      for (int c = 0; c < kLanes; ++c) to[c] += by * lanes[c];
    };
    for (const End& e : part.ends) {
      if (e.cluster == 0) continue;
      const Wrench<Dual>& load = work_.loads[e.index];
      for (int k = 0; k < e.directions; ++k)
        add(e.first + k, k < 3 ? load.f_0[k].d : load.t_0[k - 3].d, 1);
    }
    for (const Part::Share& s : part.flanges) {
      if (s.end >= 0) add(part.ends[s.end].first, work_.flangeLoads[s.node].d, s.coefficient);
    }
  }
  return D_.topLeftCorner(part.directions, part.directions);
}

}  // namespace cardan
