#include "engine/dynamics/open_unknowns.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

constexpr double kTakesPart = 1e-6;
constexpr double kJustRounding = 2e-15;  // of the terms of an equation: a residue that is rounding

}  // namespace

void OpenUnknowns::find() {
  const Layout& l = layout_;
  clear();
  for (int s = 0; l.nx > 0 && s < system_.scaled().blocks(); ++s) {
    if (!(system_.pivot(s) < kAlike)) continue;
    // With accelerations: of what slides on more places than hold it, other shares move it along them.
    Eigen::MatrixXd open = kernel(system_.scaled().block(s), kAlike);
    for (const int i : ofParts(s, open)) undetermined_.push_back(l.nq + i);
    if (open.cols() > 0) open_.emplace_back(s, std::move(open));
  }
  std::ranges::sort(undetermined_);
}

void OpenUnknowns::findLoose(const std::function<double(int)>& unknownAt) {
  loose_.assign(system_.size(), 0);
  for (int s = 0; s < system_.scaled().blocks(); ++s) {
    if (!(system_.pivot(s) < kLoose)) continue;
    double residue = 0, unknowns = 1;
    for (const int i : system_.scaled().rowsOf(s))
      residue = std::max(residue, std::abs(system_.scaledResidue()[i]));
    for (const int i : system_.scaled().columnsOf(s))
      unknowns = std::max(unknowns, std::abs(unknownAt(i)) / system_.columnScale()[i]);
    if (!(residue <= kJustRounding * unknowns)) continue;
    for (const int i : ofParts(s, kernel(system_.scaled().block(s), kLoose))) loose_[i] = 1;
  }
}

/// Columns of unknowns of parts in null vectors of an island.
std::vector<int> OpenUnknowns::ofParts(int island, const Eigen::MatrixXd& open) const {
  const Layout& l = layout_;
  const std::vector<int>& columns = system_.scaled().columnsOf(island);
  std::vector<int> own;
  for (int i = 0; i < std::ssize(columns) && open.cols() > 0; ++i) {
    const bool ofPart = columns[i] >= l.nv && columns[i] < l.nv + l.nx;
    if (ofPart && open.row(i).norm() > kTakesPart) own.push_back(columns[i]);
  }
  return own;
}

Eigen::MatrixXd OpenUnknowns::openAlone(const std::vector<int>& own) const {
  const Layout& l = layout_;
  const int nvx = l.nv + l.nx;
  Eigen::MatrixXd loads(l.nx, 0);
  for (const auto& [island, vectors] : open_) {
    const std::vector<int>& columns = system_.scaled().columnsOf(island);
    std::vector<int> mine, others;
    for (int i = 0; i < std::ssize(columns); ++i) {
      if (columns[i] >= nvx) continue;
      (std::ranges::find(own, l.nq + columns[i]) != own.end() ? mine : others).push_back(i);
    }
    if (mine.empty()) continue;
    Eigen::MatrixXd open = vectors;
    for (Eigen::Index c = 0; c < open.cols(); ++c) {
      open.col(c) /= open.col(c).cwiseAbs().maxCoeff();
      for (double& x : open.col(c)) x = std::abs(x) > kTakesPart ? x : 0;
    }
    const Eigen::MatrixXd alone = kernel(open(others, Eigen::all), kTakesPart);
    const Eigen::MatrixXd mixed = kernel(open(mine, Eigen::all), kTakesPart);
    if (alone.cols() + mixed.cols() != open.cols()) return {};
    const Eigen::Index before = loads.cols();
    loads.conservativeResize(Eigen::NoChange, before + alone.cols());
    loads.rightCols(alone.cols()).setZero();
    for (const int i : mine) {
      if (columns[i] >= l.nv)
        loads.row(columns[i] - l.nv).tail(alone.cols()) =
            system_.columnScale()[columns[i]] * open.row(i) * alone;
    }
  }
  return loads;
}

}  // namespace cardan
