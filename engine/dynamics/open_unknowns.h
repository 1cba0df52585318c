/// OpenUnknowns: unknowns of parts that equations leave open against each other, as shares of a load.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <utility>
#include <vector>

#include "engine/dynamics/scaled_system.h"
#include "engine/structure/layout.h"

namespace cardan {

/// By null vectors of the islands of a system, whose columns are [v | x | multipliers].
class OpenUnknowns {
 public:
  /// Of pivots and columns: shares of a load differ by a hair in their arms, and are open nevertheless.
  static constexpr double kAlike = 1e-8;
  /// Of pivots: what is rounding in the equations may be this much more in unknowns along null vectors of smaller ones.
  static constexpr double kLoose = 1e-6;

  /// Both outlive it.
  OpenUnknowns(const Layout& layout, const ScaledSystem& system)
      : layout_(layout), system_(system) {}

  void clear() {
    undetermined_.clear();
    open_.clear();
  }
  /// Those that take part in a null vector of the last dense factors, of columns scaled to magnitude 1.
  void find();
  /// Indices into y, ascending.
  const std::vector<int>& undetermined() const { return undetermined_; }
  /// Completion::openAlone().
  Eigen::MatrixXd openAlone(const std::vector<int>& own) const;

  /// Those whose last change may be rounding though it is not small: shares of a load that hardly
  /// anything tells apart, in islands whose equations one solution has met to rounding, as they are linear.
  /// `unknownAt`: the unknown of a column.
  void findLoose(const std::function<double(int)>& unknownAt);
  void forgetLoose() { loose_.clear(); }
  bool knowsLoose() const { return !loose_.empty(); }
  bool isLoose(int column) const { return !loose_.empty() && loose_[column] != 0; }

 private:
  std::vector<int> ofParts(int island, const Eigen::MatrixXd& open) const;

  const Layout& layout_;
  const ScaledSystem& system_;
  std::vector<int> undetermined_;
  std::vector<std::pair<int, Eigen::MatrixXd>> open_;  ///< null vectors of islands
  std::vector<char> loose_;                            ///< per column; empty: not looked at
};

}  // namespace cardan
