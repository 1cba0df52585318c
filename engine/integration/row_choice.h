/// RowChoice: which of the constraint rows that depend on each other are kept, chosen again along the
/// motion.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/integration/integrator.h"

namespace cardan {

/// The start leaves rows out that the others imply (RunState::redundant). In an overconstrained loop
/// those kept may come to depend on each other where all together are as good as ever: a Bennett
/// linkage has such positions in every turn. So where positions have moved by a tenth of a radian or of
/// the model's length, the smallest pivot of the kept rows is compared with that of the best choice
/// among all; below half of it, the best ones are kept from there on. Where every choice is near
/// singular nothing changes: that is a singular position.
///
/// Neither the integrator's order and step nor any result shows a change, as with Charts. Rows that are
/// independent cost nothing.
class RowChoice {
 public:
  explicit RowChoice(Equations& equations);

  /// At positions on the constraints. True: other rows are kept from here on, so that multipliers are to
  /// be found anew, or translated.
  bool choose(double t, const double* y);
  /// After an accepted step of the integrator that ended with no event.
  void renew(Integrator& integrator);

  auto kept() { return std::tie(lookedAt_); }

 private:
  /// Rows that depend on each other through their velocities.
  struct Group {
    std::vector<int> all, velocities;
    std::vector<int> before, kept;  ///< multipliers; before and after the last choice
    Eigen::MatrixXd reactions;  ///< of those kept, by those before, of rows scaled to magnitude 1
  };
  bool isDue(const double* y) const;
  void findGroups(const BlockMatrix& rows);
  bool chooseIn(Group& group, const BlockMatrix& rows);
  void translate(double* y) const;

  Equations& equations_;
  std::optional<EvaluationPoint> at_;  ///< where rows are left out
  std::vector<double> still_;          ///< zero rates
  std::vector<double> lookedAt_;       ///< positions of the last look; empty: none yet
  std::vector<Group> groups_;          ///< where some rows are left out, of the last look:
  std::vector<bool> leftOut_;          ///< RunState::redundant
  std::vector<char> elements_;         ///< those that are not zero
  std::vector<Group> changed_;         ///< by the last choice
};

}  // namespace cardan
