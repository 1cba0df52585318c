#include "engine/integration/row_choice.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/structure/blocks.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

/// [rad] or of the model's length: what positions move until the next look.
constexpr double kMoved = 0.1;
/// Smallest pivot of the kept rows, relative to that of the best choice, below which these are kept.
constexpr double kWorse = 0.5;
/// Smallest pivot of the best choice, relative to its largest, below which the position is singular.
constexpr double kSingular = 1e-4;

}  // namespace

RowChoice::RowChoice(Equations& equations)
    : equations_(equations), still_(equations.layout().size(), 0.0) {}

bool RowChoice::isDue(const double* y) const {
  const Layout& l = equations_.layout();
  if (lookedAt_.empty()) return true;
  for (int i = 0; i < l.nq; ++i) {
    const double unit = l.inMetres[i] ? equations_.state.scales.length : 1;
    if (std::abs(y[i] - lookedAt_[i]) > kMoved * unit) return true;
  }
  return false;
}

bool RowChoice::choose(double t, const double* y) {
  const std::vector<bool>& redundant = equations_.state.redundant;
  if (std::ranges::find(redundant, true) == redundant.end() || !isDue(y)) return false;
  lookedAt_.assign(y, y + equations_.layout().nq);
  if (!at_) at_.emplace(equations_);
  at_->setPoint(t, y, still_.data());
  const BlockMatrix& rows =
      at_->scaledVelocityRows({.loads = false, .everyFrame = false, .kinematicRows = false});
  findGroups(rows);
  changed_.clear();
  for (Group& group : groups_) {
    if (chooseIn(group, rows)) changed_.push_back(std::move(group));
  }
  if (changed_.empty()) return false;
  leftOut_.clear();
  return true;
}

void RowChoice::findGroups(const BlockMatrix& rows) {
  const std::vector<bool>& redundant = equations_.state.redundant;
  bool known = leftOut_ == redundant;
  elements_.resize(rows.size());
  for (size_t k = 0; k < elements_.size(); ++k) {
    const bool is = rows.data()[k] != 0;
    known = known && elements_[k] == is;
    elements_[k] = is;
  }
  if (known) return;
  leftOut_ = redundant;
  groups_.clear();
  for (Block& b : blocksOf(rows)) {
    Group group{std::move(b.rows), std::move(b.columns), {}, {}, {}};
    std::ranges::copy_if(group.all, std::back_inserter(group.before),
                         [&](int k) { return !redundant[k]; });
    if (!group.before.empty() && group.before.size() < group.all.size())
      groups_.push_back(std::move(group));
  }
}

bool RowChoice::chooseIn(Group& group, const BlockMatrix& rows) {
  const auto transposed = [&](const std::vector<int>& of) -> Eigen::MatrixXd {
    return rows.part(of, group.velocities).transpose();
  };
  const int rank = std::ssize(group.before);
  const Eigen::MatrixXd before = transposed(group.before);
  const PivotedQr now(before, 0), best(transposed(group.all), 0);
  const double smallest = best.pivot(rank - 1);
  if (!(smallest > kSingular * best.largestPivot())) return false;
  if (now.pivot(rank - 1) >= kWorse * smallest) return false;
  const Eigen::VectorXi order = best.columnOrder();
  for (int i = 0; i < rank; ++i) group.kept.push_back(group.all[order[i]]);
  std::ranges::sort(group.kept);
  for (const int k : group.all)
    equations_.state.redundant[k] = !std::ranges::binary_search(group.kept, k);
  const PivotedQr kept(transposed(group.kept), 0);
  group.reactions.resize(rank, rank);
  for (int i = 0; i < rank; ++i) group.reactions.col(i) = kept.solve(before.col(i));
  return true;
}

void RowChoice::renew(Integrator& integrator) {
  if (!choose(integrator.time(), integrator.y().data())) return;
  integrator.mapHistory([this](double* y) { translate(y); });
  const std::span<const double> y = integrator.y();
  equations_.referToMultipliers({y.begin(), y.end()});
}

/// Multipliers of before, which may be those of a little earlier, as those of the rows kept now that
/// react alike; none that stabilise positions.
void RowChoice::translate(double* y) const {
  const Layout& l = equations_.layout();
  double* const lambda = y + l.lambdaOffset();
  for (const Group& group : changed_) {
    const int rank = std::ssize(group.before);
    Eigen::VectorXd x(rank);
    for (int i = 0; i < rank; ++i) {
      const int k = group.before[i];
      x[i] = lambda[k] * equations_.positionScale(k);
    }
    x = group.reactions * x;
    for (const int k : group.all) {
      lambda[k] = 0;
      if (const int m = l.muOfLambda[k]; m >= 0) y[l.muOffset() + m] = 0;
    }
    for (int i = 0; i < rank; ++i) {
      const int k = group.kept[i];
      lambda[k] = x[i] / equations_.positionScale(k);
    }
  }
}

}  // namespace cardan
