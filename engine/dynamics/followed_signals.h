/// FollowedSignals: unknowns that follow signals, and rates of the algebraic unknowns that these read.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/dynamics/scaled_system.h"

namespace cardan {

/// A signal that reads algebraic unknowns, such as the angle of a flange without inertia, either
/// moves along with them, or the equations have the rate of what follows it (2*der(der(phi)) = tau):
/// then it is the follower that is a state, and the signal that is found from it, its row holding as
/// it is. So it is taken where the equations determine everything then.
class FollowedSignals {
 public:
  /// `at` outlives it.
  explicit FollowedSignals(EvaluationPoint& at);

  /// A follower is a state itself, and what its signal reads is found from it.
  bool leads(size_t f) const { return is(f, Following::leads); }
  /// Its rate is that of the signal, which reads algebraic unknowns, whose rates are carried.
  bool rides(size_t f) const { return is(f, Following::rides); }
  bool anyRides() const { return anyRides_; }
  bool areSorted() const { return following_.size() == at_.equations().followers().size(); }
  /// How each follower is determined, by the equations of RateEquations at the point. `form`: all rows as they
  /// are; `factor`: the system of their time derivatives, densely; false: it is not finite.
  void sort(ScaledSystem& system, const std::function<void()>& form,
            const std::function<bool()>& factor, double t, std::vector<double>& y,
            std::vector<double>& yp);

  /// Followers get their values; one may follow another.
  void follow(double t, std::vector<double>& y, const std::vector<double>& yp);
  /// Rates of the algebraic unknowns into yp: d/dt g(t, q, v, x, z) = 0 for the rows that tie them to
  /// the states. `matrix`: of all rows, in these modes.
  void carry(const BlockMatrix& matrix, double t, const std::vector<double>& y,
             std::vector<double>& yp);
  /// Algebraic unknowns of parts, and rows of components that tie them to the states.
  const std::vector<int>& algebraic() const { return algebraic_; }
  const std::vector<int>& carriers() const { return carriers_; }
  /// Rates of algebraic() by those of the residues of carriers(); where any follower rides.
  const Eigen::MatrixXd& ofCarriers() const { return ofCarriers_; }
  /// Completion's of these names.
  const std::vector<int>& openRates() const { return openRates_; }
  const std::vector<int>& openFollowers() const { return openFollowers_; }

 private:
  enum class Following { moves, rides, leads };
  bool is(size_t f, Following how) const { return !following_.empty() && following_[f] == how; }
  void findOpenFollowers(const Eigen::MatrixXd& asTheyAre);
  void findCarriers(const BlockMatrix& matrix);

  EvaluationPoint& at_;
  std::vector<Following> following_;  ///< per follower; empty: not yet known
  bool anyRides_ = false;
  std::vector<int> algebraic_, carriers_, openRates_, openFollowers_;
  Eigen::MatrixXd ofCarriers_;
  std::vector<char> isCarried_;  ///< per algebraic_: carriers_ determine its rate
};

}  // namespace cardan
