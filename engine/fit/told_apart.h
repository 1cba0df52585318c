/// ToldApart: which parameters, or combinations of them, signals can tell.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace cardan {

struct ToldApart {
  /// Of the parameters, by the signals alone: what is not determined has an infinite error.
  Eigen::MatrixXd inverse;  ///< (J'J)^-1, of what is determined
  std::vector<bool> isDetermined;
  /// "only m*L can be told from these signals, not m and L"
  std::vector<std::string> texts;

  /// J: residuals by parameters `names` at x; `sizes`: how far these may be thought to go; `error`: [1] of
  /// the elements of J, relative to their column.
  ToldApart(const Eigen::MatrixXd& J, const Eigen::VectorXd& x, const Eigen::VectorXd& sizes,
            const std::vector<std::string>& names, double error);

  /// Some combination is not told.
  bool isOpen() const { return open_.cols() > 0; }
  /// Which: by the Jacobian at another point y, which shows whether it is products or sums that are told.
  void tell(const Eigen::MatrixXd& there, const Eigen::VectorXd& y);

 private:
  std::vector<std::string> names_;
  Eigen::VectorXd x_;
  std::vector<Eigen::Index> members_;  ///< of the directions that are open
  Eigen::MatrixXd open_;               ///< directions of x in which nothing changes, a column each
};

}  // namespace cardan
