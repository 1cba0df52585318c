#include "engine/initialisation/constraint_analysis.h"

#include <algorithm>
#include <numeric>

#include "engine/structure/blocks.h"
#include "engine/structure/dense_algebra.h"
#include "engine/structure/indices.h"

namespace cardan {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRankTolerance = 1e-9;
/// Where constraints touch, positions are only found to the root of rounding.
constexpr double kSingularTolerance = 1e-6;
constexpr double kExcursion = 0.02;  // [rad] or of the model's length: the look around a position

/// Of a velocity: the model's length, or 1 for an angle.
double unitOf(const Equations& e, int v) {
  const Layout& l = e.layout();
  return l.unknowns[l.nq + v].unit == "m/s" ? e.state.scales.length : 1;
}

struct Rank {
  int rank = 0;
  std::vector<int> redundant;
  MatrixXd freedoms;  ///< orthonormal basis of the velocities that G leaves free
};

Rank rankOf(const MatrixXd& G, double tolerance = kRankTolerance) {
  Rank r;
  const int nv = G.cols();
  std::vector<VectorXd> freedoms;
  std::vector<bool> isFree(nv, true);
  for (const Block& b : blocksOf(G)) {
    int rank = 0;
    const MatrixXd rows = G(b.rows, b.columns);
    std::vector<int> order = b.rows;
    if (rows.size() > 0) {
      const PivotedQr qr(rows.transpose(), tolerance);
      if (qr.largestPivot() > 1e-12) rank = qr.rank();
      const Eigen::VectorXi pivots = qr.columnOrder();
      for (size_t i = 0; i < order.size(); ++i) order[i] = b.rows[pivots[i]];
      const MatrixXd Q = qr.Q();
      for (int c = rank; c < Q.cols(); ++c) {
        freedoms.emplace_back(VectorXd::Zero(nv))(b.columns) = Q.col(c);
      }
      for (const int v : b.columns) isFree[v] = false;
    }
    r.rank += rank;
    r.redundant.insert(r.redundant.end(), order.begin() + rank, order.end());
  }
  for (int v = 0; v < nv; ++v) {
    if (isFree[v]) freedoms.emplace_back(VectorXd::Unit(nv, v));
  }
  std::ranges::sort(r.redundant);
  r.freedoms.resize(nv, std::ssize(freedoms));
  for (size_t c = 0; c < freedoms.size(); ++c) r.freedoms.col(c) = freedoms[c];
  return r;
}

/// The rank a little further along the motion: at a singular position constraints look dependent
/// that are not.
Rank rankNearby(EvaluationPoint& at, double time, std::vector<double> y, const Rank& here) {
  const Layout& l = at.layout();
  if (here.freedoms.cols() == 0 || here.redundant.empty()) return here;
  VectorXd direction = VectorXd::Zero(l.nv);
  for (int c = 0; c < here.freedoms.cols(); ++c) direction += (1 + 0.37 * c) * here.freedoms.col(c);
  direction *= kExcursion / direction.cwiseAbs().maxCoeff();
  std::vector<double> rates(y.size(), 0.0), velocities(y);
  for (int i = 0; i < l.nv; ++i) {
    velocities[l.nq + i] = direction[i] * unitOf(at.equations(), i);
  }
  kinematicRates(l, velocities.data(), rates.data());
  for (int i = 0; i < l.nq; ++i) y[i] += rates[i];
  Completion completion(at.equations());
  if (!completion.project(time, y)) return here;
  at.setPoint(time, y.data(), std::vector<double>(y.size(), 0.0).data());
  return rankOf(at.scaledVelocityRows());
}

/// Greedily the coordinates whose velocities span the freedoms best, better known ones first.
std::vector<int> independentVelocities(MatrixXd N, const std::vector<int>& tiers,
                                       int firstVelocity) {
  std::vector<int> chosen;
  const int freedoms = N.cols();
  if (freedoms == 0) return chosen;
  if (N.rows() == freedoms) {  // nothing is constrained
    chosen.resize(freedoms);
    std::iota(chosen.begin(), chosen.end(), 0);
    return chosen;
  }
  std::vector<int> levels(tiers.begin() + firstVelocity, tiers.begin() + firstVelocity + N.rows());
  std::sort(levels.begin(), levels.end(), std::greater<>());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  for (int level : levels) {
    while (std::ssize(chosen) < freedoms) {
      int best = -1;
      double length = 1e-3;
      for (int i = 0; i < N.rows(); ++i) {
        if (tiers[firstVelocity + i] == level && N.row(i).norm() > length * (1 + 1e-9)) {
          best = i;
          length = N.row(i).norm();
        }
      }
      if (best < 0) break;
      chosen.push_back(best);
      const Eigen::RowVectorXd e = N.row(best).normalized();
      N -= (N * e.transpose()) * e;
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// Names of the chosen coordinates: of a joint with more positions than velocities all its
/// positions, once.
std::vector<std::string> stateNames(const Layout& l, const std::vector<int>& chosen) {
  std::vector<std::string> names;
  for (const Layout::TreeJoint& s : l.tree) {
    bool whole = false;
    const auto begin = std::lower_bound(chosen.begin(), chosen.end(), s.v);
    for (auto i = begin; i != chosen.end() && *i < s.v + s.nv; ++i) {
      const int v = *i;
      if (s.plain) {
        names.push_back(l.unknowns[s.q + v - s.v].name);
      } else {
        whole = true;
      }
    }
    for (int i = 0; whole && i < s.nq; ++i) names.push_back(l.unknowns[s.q + i].name);
  }
  for (int v : chosen) names.push_back(l.unknowns[l.nq + v].name);
  return names;
}

}  // namespace

ConstraintAnalysis analyseConstraints(EvaluationPoint& at, double time,
                                      const std::vector<double>& y, const std::vector<double>& yp,
                                      const std::vector<int>& tiers) {
  const Layout& l = at.layout();
  ConstraintAnalysis a;
  if (l.nlambda == 0) {
    a.degreesOfFreedom = l.nv;
    std::vector<int> all(l.nv);
    std::iota(all.begin(), all.end(), 0);
    a.states = stateNames(l, all);
    return a;
  }
  at.setPoint(time, y.data(), yp.data());
  const MatrixXd rows = at.scaledVelocityRows();
  const Rank here = rankOf(rows), coarse = rankOf(rows, kSingularTolerance);
  const Rank nearby = rankNearby(at, time, y, coarse);
  a.singularPosition = nearby.rank > coarse.rank;
  const Rank& generic = a.singularPosition ? nearby : here;
  a.degreesOfFreedom = l.nv - generic.rank;
  a.redundant = generic.redundant;
  a.states = stateNames(l, independentVelocities(generic.freedoms, tiers, l.nq));
  return a;
}

namespace {

/// Null space of the completed equations' matrix, a column each; none where it is regular.
MatrixXd nullSpace(const MatrixXd& A) {
  if (A.size() == 0) return {};
  return OrthogonalFactors(A, 1e-13).nullSpace();
}

/// Those of the first `count` entries from `first` on that take part in `null`.
std::vector<int> takingPart(const MatrixXd& null, int first, int count) {
  std::vector<int> result;
  if (null.cols() == 0 || count == 0) return result;
  const VectorXd length = null.middleRows(first, count).rowwise().norm();
  if (length.maxCoeff() < 1e-6) return result;
  for (int i = 0; i < count; ++i) {
    if (length[i] > 0.1 * length.maxCoeff()) result.push_back(i);
  }
  return result;
}

}  // namespace

std::vector<int> undeterminedColumns(const Completion& completion) {
  const MatrixXd null = nullSpace(completion.scaledMatrix());
  std::vector<int> result;
  for (int i = 0; null.cols() > 0 && i < null.rows(); ++i) {
    if (null.row(i).norm() > 1e-6) result.push_back(i);
  }
  return result;
}

std::vector<int> velocitiesWithoutMass(const Completion& completion, const Layout& layout) {
  // With forces of parts motions are open of what rests on more places than hold it, and slides there.
  std::vector<Eigen::Index> rates;
  for (int i = 0; i < layout.nv + layout.nx; ++i) {
    if (i < layout.nv || layout.unknowns[layout.nq + i].differential) rates.push_back(i);
  }
  for (int i = layout.nv + layout.nx; i < completion.size(); ++i) rates.push_back(i);
  return takingPart(nullSpace(completion.scaledMatrix()(Eigen::all, rates)), 0, layout.nv);
}

OpenParts undeterminedParts(const Completion& completion, const Layout& layout) {
  const MatrixXd null = nullSpace(completion.scaledMatrix());
  const int combinations = null.cols();
  return {takingPart(null, layout.nv, layout.nx), combinations};
}

}  // namespace cardan
