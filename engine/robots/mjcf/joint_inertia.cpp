#include "engine/robots/mjcf/joint_inertia.h"

#include <map>
#include <utility>

#include "engine/robots/strands.h"
#include "frames/algebra.h"

namespace cardan::robots::mjcf {
namespace {

/// Velocity of a body, or momentum, seen at the world's origin.
struct Screw {
  Vector3d angular{0, 0, 0}, linear{0, 0, 0};

  double dot(const Screw& other) const {
    return angular.dot(other.angular) + linear.dot(other.linear);
  }
};

Screw turnAbout(const Vector3d& axis, const Vector3d& point) { return {axis, cross(point, axis)}; }

Screw momentumOf(const Mass& body, const Screw& v) {
  const Vector3d p = body.m * (v.linear + cross(v.angular, body.r_CM));
  return {body.I * v.angular + cross(body.r_CM, p), p};
}

struct Freedom {
  Screw along;
  int body = 0, joint = 0;
  std::vector<int> path;    ///< itself, and those that carry it, inwards
  std::vector<double> row;  ///< of the mass matrix, later of L, along the path
};

}  // namespace

class JointInertias::MassMatrix {
 public:
  explicit MassMatrix(const Robot& robot)
      : robot_(robot), poses_(posesOf(robot)), ofJoint_(robot.joints.size(), -1) {
    gatherMasses();
    last_.assign(robot.bodies.size(), -1);
    for (size_t b = 0, k = 0; b < robot.bodies.size(); ++b) {
      const int parent = robot.bodies[b].parent;
      last_[b] = parent < 0 ? -1 : last_[parent];
      for (; k < order_.size() && robot.joints[order_[k]].body == static_cast<int>(b); ++k)
        addJoint(order_[k]);
    }
  }

  std::vector<JointInertia> inertias() {
    std::vector<JointInertia> all(robot_.joints.size());
    std::vector<int> count(all.size(), 0);
    for (const Freedom& f : freedoms_) {
      all[f.joint].held += f.row[0];
      ++count[f.joint];
    }
    factor();
    for (const Freedom& f : freedoms_) all[f.joint].free += ease({{f.path[0], 1.0}});
    for (size_t j = 0; j < all.size(); ++j) {
      all[j].held /= count[j];
      all[j].free = all[j].free > 0 ? count[j] / all[j].free : 0;
    }
    return all;
  }

  /// After inertias().
  double free(const std::vector<Share>& sum) const {
    std::map<int, double> force;
    for (const Share& s : sum) {
      if (s.joint >= 0) force[ofJoint_[s.joint]] += s.coefficient;
      if (s.strand < 0) continue;
      for (const StrandState::Pull& p : stateOf(robot_.strands[s.strand], poses_).pulls) {
        if (p.body < 0 || last_[p.body] < 0) continue;
        const Screw pull{cross(p.at, p.force), p.force};
        for (const int k : freedoms_[last_[p.body]].path)
          force[k] -= s.coefficient * pull.dot(freedoms_[k].along);
      }
    }
    const double e = ease(std::move(force));
    return e > 0 ? 1 / e : 0;
  }

 private:
  /// In the world, each with what it carries; joints by their bodies.
  void gatherMasses() {
    for (size_t b = 0; b < robot_.bodies.size(); ++b) {
      carried_.push_back(poses_[b] * robot_.bodies[b].mass);
    }
    for (size_t b = carried_.size(); b-- > 0;) {
      const int parent = robot_.bodies[b].parent;
      if (parent >= 0) carried_[parent] = carried_[parent] + carried_[b];
    }
    std::vector<std::vector<int>> ofBody(robot_.bodies.size());
    for (size_t j = 0; j < robot_.joints.size(); ++j) ofBody[robot_.joints[j].body].push_back(j);
    for (const auto& joints : ofBody) order_.insert(order_.end(), joints.begin(), joints.end());
  }

  void addJoint(int joint) {
    const Joint& j = robot_.joint(joint);
    const int body = robot_.joints[joint].body;
    const Pose& p = poses_[body];
    const Vector3d at = p.r + p.R * j.pos;
    if (j.hasAxis()) {
      const Vector3d axis = p.R * j.axis.stableNormalized();
      add(j.turns() ? turnAbout(axis, at) : Screw{Vector3d::Zero(), axis}, body, joint);
      return;
    }
    for (int i = 0; i < 3 && j.type == JointType::free; ++i)
      add({Vector3d::Zero(), Vector3d::Unit(i)}, body, joint);
    for (int i = 0; i < 3; ++i) add(turnAbout(p.R.col(i), at), body, joint);
  }

  void add(const Screw& along, int body, int joint) {
    Freedom f{along, body, joint, {static_cast<int>(freedoms_.size())}, {}};
    const Screw momentum = momentumOf(carried_[body], along);
    f.row.push_back(momentum.dot(along) + robot_.joint(joint).armature);
    if (last_[body] >= 0) {
      const auto& inner = freedoms_[last_[body]].path;
      f.path.insert(f.path.end(), inner.begin(), inner.end());
      for (const int i : inner) f.row.push_back(momentum.dot(freedoms_[i].along));
    }
    last_[body] = ofJoint_[joint] = std::ssize(freedoms_);
    freedoms_.push_back(std::move(f));
  }

  /// M = L'DL, from the tips inwards: D at the front of the rows, L behind.
  void factor() {
    for (size_t k = freedoms_.size(); k-- > 0;) {
      Freedom& f = freedoms_[k];
      if (!(f.row[0] > 0)) continue;
      for (size_t i = 1; i < f.path.size(); ++i) {
        const double a = f.row[i] / f.row[0];
        Freedom& carrier = freedoms_[f.path[i]];
        for (size_t m = i; m < f.path.size(); ++m) carrier.row[m - i] -= a * f.row[m];
      }
      for (size_t i = 1; i < f.path.size(); ++i) f.row[i] /= f.row[0];
    }
  }

  /// f'M^-1 f of forces along freedoms, by those that carry them: |D^-1/2 L^-T f|^2.
  double ease(std::map<int, double> force) const {
    double sum = 0;
    while (!force.empty()) {
      const auto [k, y] = *force.rbegin();
      force.erase(k);
      const Freedom& at = freedoms_[k];
      if (!(at.row[0] > 0)) return 0;
      sum += y * y / at.row[0];
      for (size_t i = 1; i < at.path.size(); ++i) force[at.path[i]] -= at.row[i] * y;
    }
    return sum;
  }

  const Robot& robot_;
  std::vector<Pose> poses_;
  std::vector<Mass> carried_;      ///< of a body and all that it carries, in the world
  std::vector<int> order_, last_;  ///< joints by bodies; of a body: its last freedom
  std::vector<int> ofJoint_;       ///< of a joint: its last freedom
  std::vector<Freedom> freedoms_;
};

JointInertias::JointInertias(const Robot& robot)
    : matrix_(std::make_unique<MassMatrix>(robot)), joints_(matrix_->inertias()) {}
JointInertias::~JointInertias() = default;

double JointInertias::free(const std::vector<Share>& sum) const { return matrix_->free(sum); }

}  // namespace cardan::robots::mjcf
