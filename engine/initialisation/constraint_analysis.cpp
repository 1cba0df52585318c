#include "engine/initialisation/constraint_analysis.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "engine/structure/blocks.h"
#include "engine/structure/dense_algebra.h"

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
  return l.inMetres[l.nq + v] ? e.state.scales.length : 1;
}

/// Velocities that share constraints, or one that has none.
struct Freedoms {
  std::vector<int> velocities;
  MatrixXd directions;  ///< orthonormal basis of what the constraints leave free
};

struct Rank {
  int rank = 0;
  std::vector<int> redundant;
  std::vector<Freedoms> freedoms;
};

Rank rankOf(const BlockMatrix& G, double tolerance = kRankTolerance) {
  Rank r;
  std::vector<bool> isFree(G.cols(), true);
  for (const Block& b : blocksOf(G)) {
    int rank = 0;
    const MatrixXd rows = G.part(b.rows, b.columns);
    std::vector<int> order = b.rows;
    if (rows.size() > 0) {
      const PivotedQr qr(rows.transpose(), tolerance);
      if (qr.largestPivot() > 1e-12) rank = qr.rank();
      const Eigen::VectorXi pivots = qr.columnOrder();
      for (size_t i = 0; i < order.size(); ++i) order[i] = b.rows[pivots[i]];
      const MatrixXd Q = qr.Q();
      r.freedoms.push_back({b.columns, Q.rightCols(Q.cols() - rank)});
      for (const int v : b.columns) isFree[v] = false;
    }
    r.rank += rank;
    r.redundant.insert(r.redundant.end(), order.begin() + rank, order.end());
  }
  for (int v = 0; v < G.cols(); ++v) {
    if (isFree[v]) r.freedoms.push_back({{v}, MatrixXd::Ones(1, 1)});
  }
  std::ranges::sort(r.redundant);
  return r;
}

/// The rank a little further along the motion: at a singular position constraints look dependent
/// that are not.
Rank rankNearby(EvaluationPoint& at, double time, std::vector<double> y, const Rank& here) {
  const Layout& l = at.layout();
  if (here.rank == l.nv || here.redundant.empty()) return here;
  std::vector<double> rates(y.size(), 0.0), velocities(y);
  std::fill_n(velocities.begin() + l.nq, l.nv, 0.0);
  for (const auto& [own, directions] : here.freedoms) {
    VectorXd direction = VectorXd::Zero(directions.rows());
    for (int c = 0; c < directions.cols(); ++c) direction += (1 + 0.37 * c) * directions.col(c);
    if (directions.cols() > 0) direction *= kExcursion / direction.cwiseAbs().maxCoeff();
    for (size_t i = 0; i < own.size(); ++i)
      velocities[l.nq + own[i]] = direction[i] * unitOf(at.equations(), own[i]);
  }
  kinematicRates(l, velocities.data(), rates.data());
  for (int i = 0; i < l.nq; ++i) y[i] += rates[i];
  Completion completion(at.equations());
  if (!completion.project(time, y)) return here;
  at.setPoint(time, y.data(), std::vector<double>(y.size(), 0.0).data());
  return rankOf(at.scaledVelocityRows());
}

/// Greedily the coordinates whose velocities span the freedoms best, better known ones first; `tiers`
/// per velocity.
void addIndependent(const Freedoms& of, std::span<const int> tiers, std::vector<int>& all) {
  MatrixXd N = of.directions;
  const int freedoms = N.cols();
  if (N.rows() == freedoms) {  // nothing is constrained
    all.insert(all.end(), of.velocities.begin(), of.velocities.end());
    return;
  }
  std::vector<int> chosen, levels;
  for (const int v : of.velocities) levels.push_back(tiers[v]);
  std::sort(levels.begin(), levels.end(), std::greater<>());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  for (int level : levels) {
    while (std::ssize(chosen) < freedoms) {
      int best = -1;
      double length = 1e-3;
      for (int i = 0; i < N.rows(); ++i) {
        if (tiers[of.velocities[i]] == level && N.row(i).norm() > length * (1 + 1e-9)) {
          best = i;
          length = N.row(i).norm();
        }
      }
      if (best < 0) break;
      chosen.push_back(of.velocities[best]);
      const Eigen::RowVectorXd e = N.row(best).normalized();
      N -= (N * e.transpose()) * e;
    }
  }
  all.insert(all.end(), chosen.begin(), chosen.end());
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
  const BlockMatrix rows = at.scaledVelocityRows();
  const Rank here = rankOf(rows), coarse = rankOf(rows, kSingularTolerance);
  const Rank nearby = rankNearby(at, time, y, coarse);
  a.singularPosition = nearby.rank > coarse.rank;
  const Rank& generic = a.singularPosition ? nearby : here;
  a.degreesOfFreedom = l.nv - generic.rank;
  a.redundant = generic.redundant;
  std::vector<int> independent;
  for (const Freedoms& f : generic.freedoms)
    addIndependent(f, std::span(tiers).subspan(l.nq, l.nv), independent);
  std::ranges::sort(independent);
  a.states = stateNames(l, independent);
  return a;
}

namespace {

/// What the null space of some columns of the completed equations leaves open.
struct OpenColumns {
  VectorXd shares;       ///< per column of the equations: its length in an orthonormal basis
  int combinations = 0;  ///< the dimension; 0: they are regular

  /// `columns`: where those of M stand.
  void add(const MatrixXd& M, const std::vector<int>& columns) {
    if (M.size() == 0) return;
    const MatrixXd null = OrthogonalFactors(M, 1e-13).nullSpace();
    if (null.cols() > 0) shares(columns) = null.rowwise().norm();
    combinations += null.cols();
  }
  std::vector<int> all() const {
    std::vector<int> result;
    for (int i = 0; i < shares.size(); ++i) {
      if (shares[i] > 1e-6) result.push_back(i);
    }
    return result;
  }
};

/// `take`: the columns that count.
template <class Take>
OpenColumns openIn(const BlockMatrix& A, Take take) {
  OpenColumns open{VectorXd::Zero(A.cols())};
  for (int s = 0; s < A.blocks(); ++s) {
    std::vector<int> columns;
    std::ranges::copy_if(A.columnsOf(s), std::back_inserter(columns), take);
    open.add(A.part(A.rowsOf(s), columns), columns);
  }
  return open;
}

OpenColumns openIn(const Completion& completion) {
  return openIn(completion.scaledMatrix(), [](int) { return true; });
}

/// Those of the first `count` columns from `first` on that take part in it.
std::vector<int> takingPart(const OpenColumns& open, int first, int count) {
  std::vector<int> result;
  if (open.combinations == 0 || count == 0) return result;
  const VectorXd length = open.shares.segment(first, count);
  if (length.maxCoeff() < 1e-6) return result;
  for (int i = 0; i < count; ++i) {
    if (length[i] > 0.1 * length.maxCoeff()) result.push_back(i);
  }
  return result;
}

}  // namespace

std::vector<int> undeterminedColumns(const Completion& completion) {
  return openIn(completion).all();
}

std::vector<int> dependentRows(const Completion& completion) {
  const BlockMatrix A = completion.scaledMatrix();
  OpenColumns open{VectorXd::Zero(A.rows())};
  for (int s = 0; s < A.blocks(); ++s)
    open.add(A.part(A.rowsOf(s), A.columnsOf(s)).transpose(), A.rowsOf(s));
  return open.all();
}

std::vector<int> velocitiesWithoutMass(const Completion& completion, const Layout& layout) {
  // With forces of parts motions are open of what rests on more places than hold it, and slides there.
  const int nvx = layout.nv + layout.nx;
  const OpenColumns open = openIn(completion.scaledMatrix(), [&](int i) {
    return i < layout.nv || i >= nvx || layout.unknowns[layout.nq + i].differential;
  });
  return takingPart(open, 0, layout.nv);
}

OpenParts undeterminedParts(const Completion& completion, const Layout& layout) {
  const OpenColumns open = openIn(completion);
  return {takingPart(open, layout.nv, layout.nx), open.combinations};
}

}  // namespace cardan
