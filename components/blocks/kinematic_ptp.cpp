/// Point-to-point movements: as fast as velocity and acceleration limits allow, all axes in step.
#include <algorithm>
#include <cmath>

#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"

namespace cardan::blocks {
namespace {

constexpr double kNoWay = 10 * 2.220446049250313e-16;

/// A vector of one element stands for as many as are needed.
struct AxisVector {
  const char* name;
  Eigen::MatrixXd* values;
};

void spread(ParameterReader& r, const std::vector<AxisVector>& vectors) {
  Eigen::Index n = 1;
  for (const AxisVector& v : vectors) n = std::max(n, v.values->size());
  for (const AxisVector& v : vectors) {
    const Eigen::Index size = v.values->size();
    if (!r.require(size == 1 || size == n, v.name,
                   "must have one element or as many as the longest vector") ||
        size == 1) {
      *v.values = Eigen::MatrixXd::Constant(n, 1, size > 0 ? (*v.values)(0, 0) : 1.0);
    }
  }
}

void readLimits(ParameterReader& r, Eigen::MatrixXd& qd_max, Eigen::MatrixXd& qdd_max) {
  r.vectorOfAnySize("qd_max", qd_max, "1/s", "largest velocity of each axis");
  r.vectorOfAnySize("qdd_max", qdd_max, "1/s2", "largest acceleration of each axis");
  for (auto [name, limit] : {AxisVector{"qd_max", &qd_max}, AxisVector{"qdd_max", &qdd_max}}) {
    if (!r.require(limit->minCoeff() > 0, name, "must be positive")) limit->setOnes();
  }
}

}  // namespace

/// Path s from 0 to 1 with phases of constant acceleration: up, cruise, down.
struct PathProfile {
  bool moves = false;
  double sd_max = 0;                 ///< [1/s]   largest speed reached
  double sdd_max = 0;                ///< [1/s2]  acceleration
  double up = 0, down = 0, end = 0;  ///< [s]  end of acceleration, start of deceleration, end

  PathProfile() = default;
  /// delta, and the limits of its axes.
  PathProfile(const Eigen::VectorXd& delta, const Eigen::VectorXd& qd_max,
              const Eigen::VectorXd& qdd_max) {
    const double slowest = delta.cwiseQuotient(qd_max).cwiseAbs().maxCoeff();
    const double laziest = delta.cwiseQuotient(qdd_max).cwiseAbs().maxCoeff();
    if (slowest <= kNoWay || laziest <= kNoWay) return;
    moves = true;
    sdd_max = 1 / laziest;
    sd_max = 1 / slowest;
    if (sd_max / sdd_max >= std::sqrt(laziest)) {  // the speed limit is not reached
      up = down = std::sqrt(laziest);
      sd_max = sdd_max * up;
    } else {
      up = sd_max / sdd_max;
      down = slowest;
    }
    end = down + up;
  }

  /// Beginnings of phases 1 (up), 2 (cruise), 3 (down), 4 (at rest), from the start on.
  double begin(int phase) const {
    if (!moves || phase > 4) return kNever;
    return phase <= 1 ? 0 : phase == 2 ? up : phase == 3 ? down : end;
  }
  template <class S>
  S position(int phase, const S& t) const {
    const double half = 0.5 * sdd_max;
    switch (moves ? phase : 0) {
      case 0:
        return S(0.0);
      case 1:
        return half * t * t;
      case 2:
        return half * up * up + sd_max * (t - up);
      case 3:
        return 1.0 - half * (end - t) * (end - t);
      default:
        return S(1.0);
    }
  }
  template <class S>
  S velocity(int phase, const S& t) const {
    switch (moves ? phase : 0) {
      case 1:
        return sdd_max * t;
      case 2:
        return S(sd_max);
      case 3:
        return sdd_max * (end - t);
      default:
        return S(0.0);
    }
  }
  double acceleration(int phase) const {
    return !moves ? 0 : phase == 1 ? sdd_max : phase == 3 ? -sdd_max : 0;
  }
};

/// Acceleration of a movement by deltaq.
///
/// Output  y = acceleration
/// Source  MSL 4.0 Blocks.Sources.KinematicPTP
class KinematicPTP final : public TimeSource<KinematicPTP> {
 public:
  void read(ParameterReader& r) override {
    Eigen::MatrixXd qd_max = Eigen::MatrixXd::Ones(1, 1), qdd_max = qd_max;
    r.vectorOfAnySize("deltaq", deltaq_, "1", "distance of each axis");
    readLimits(r, qd_max, qdd_max);
    r.real("startTime", startTime_, "s", "start of the movement");
    spread(r, {{"deltaq", &deltaq_}, {"qd_max", &qd_max}, {"qdd_max", &qdd_max}});
    profile_ = PathProfile(deltaq_, qd_max, qdd_max);
  }
  void describe(Variables& v) const override {
    v.array(output("y", "acceleration", Level::Time), {count(deltaq_)},
            [this](const auto& x, auto* out) {
              const double a = profile_.acceleration(phase(x));
              for (Eigen::Index i = 0; i < deltaq_.size(); ++i)
                out[i] = deltaq_(i) * a + 0.0 * x.time();
            });
  }
  double begin(int phase) const { return startTime_ + profile_.begin(phase); }

 private:
  Eigen::MatrixXd deltaq_ = Eigen::MatrixXd::Ones(1, 1);
  double startTime_ = 0;  ///< [s]
  PathProfile profile_;
};

/// Movement from q_begin to q_end.
///
/// Outputs  q, qd = der(q), qdd = der(qd), moving
/// Source   MSL 4.0 Blocks.Sources.KinematicPTP2
class KinematicPTP2 final : public TimeSource<KinematicPTP2> {
 public:
  void read(ParameterReader& r) override {
    Eigen::MatrixXd qd_max = Eigen::MatrixXd::Ones(1, 1), qdd_max = qd_max;
    r.vectorOfAnySize("q_begin", q_begin_, "1", "start position of each axis");
    r.vectorOfAnySize("q_end", q_end_, "1", "end position of each axis");
    readLimits(r, qd_max, qdd_max);
    r.real("startTime", startTime_, "s", "start of the movement");
    spread(
        r,
        {{"q_begin", &q_begin_}, {"q_end", &q_end_}, {"qd_max", &qd_max}, {"qdd_max", &qdd_max}});
    delta_ = q_end_ - q_begin_;
    profile_ = PathProfile(delta_, qd_max, qdd_max);
  }
  void describe(Variables& v) const override {
    const int n = std::ssize(delta_);
    v.array(output("q", "position", Level::Time), {n}, [this](const auto& x, auto* out) {
      using S = std::decay_t<decltype(x.time())>;
      const S s = profile_.position(phase(x), S(x.time() - startTime_));
      for (Eigen::Index i = 0; i < delta_.size(); ++i) out[i] = q_begin_(i) + delta_(i) * s;
    });
    v.array(output("qd", "velocity", Level::Time), {n}, [this](const auto& x, auto* out) {
      using S = std::decay_t<decltype(x.time())>;
      const S sd = profile_.velocity(phase(x), S(x.time() - startTime_));
      for (Eigen::Index i = 0; i < delta_.size(); ++i) out[i] = delta_(i) * sd;
    });
    v.array(output("qdd", "acceleration", Level::Time), {n}, [this](const auto& x, auto* out) {
      const double sdd = profile_.acceleration(phase(x));
      for (Eigen::Index i = 0; i < delta_.size(); ++i) out[i] = delta_(i) * sdd + 0.0 * x.time();
    });
    v.array(output("moving", "the end position is not yet reached", Level::Time, {}, true), {n},
            [this](const auto& x, auto* out) {
              for (Eigen::Index i = 0; i < delta_.size(); ++i) {
                const bool moving = phase(x) < 4 && std::abs(delta_(i)) > kNoWay;
                out[i] = (moving ? 1.0 : 0.0) + 0.0 * x.time();
              }
            });
    v.constant("endTime", "s", "end of the movement",
               profile_.moves ? startTime_ + profile_.end : 0.0);
  }
  double begin(int phase) const { return startTime_ + profile_.begin(phase); }

 private:
  Eigen::MatrixXd q_begin_ = Eigen::MatrixXd::Zero(1, 1);
  Eigen::MatrixXd q_end_ = Eigen::MatrixXd::Ones(1, 1);
  Eigen::MatrixXd delta_;
  double startTime_ = 0;  ///< [s]
  PathProfile profile_;
};

Catalogue kinematicPtps() {
  return {
      entry<KinematicPTP>("Blocks.KinematicPTP", "acceleration of a point-to-point movement"),
      entry<KinematicPTP2>("Blocks.KinematicPTP2",
                           "point-to-point movement: position, velocity, acceleration"),
  };
}

}  // namespace cardan::blocks
