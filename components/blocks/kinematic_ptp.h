/// Point-to-point movements: as fast as velocity and acceleration limits allow, all axes in step.
#pragma once

#include "components/blocks/time_source.h"

namespace cardan::blocks {

/// Path s from 0 to 1 with phases of constant acceleration: up, cruise, down.
struct PathProfile {
  bool moves = false;
  double sd_max = 0;                 ///< [1/s]   largest speed reached
  double sdd_max = 0;                ///< [1/s2]  acceleration
  double up = 0, down = 0, end = 0;  ///< [s]  end of acceleration, start of deceleration, end

  PathProfile() = default;
  /// delta, and the limits of its axes.
  PathProfile(const Eigen::VectorXd& delta, const Eigen::VectorXd& qd_max,
              const Eigen::VectorXd& qdd_max);

  /// Beginnings of phases 1 (up), 2 (cruise), 3 (down), 4 (at rest), from the start on.
  double begin(int phase) const;
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
  void read(ParameterReader& r) override;
  void describe(Variables& v) const override;
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
  void read(ParameterReader& r) override;
  void describe(Variables& v) const override;
  double begin(int phase) const { return startTime_ + profile_.begin(phase); }

 private:
  Eigen::MatrixXd q_begin_ = Eigen::MatrixXd::Zero(1, 1);
  Eigen::MatrixXd q_end_ = Eigen::MatrixXd::Ones(1, 1);
  Eigen::MatrixXd delta_;
  double startTime_ = 0;  ///< [s]
  PathProfile profile_;
};

}  // namespace cardan::blocks
