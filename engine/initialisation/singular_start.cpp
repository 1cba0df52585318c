#include "engine/initialisation/singular_start.h"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/completion.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Where constraints touch, positions are only found to the root of rounding.
constexpr double kNoSlope = 1e-6;
constexpr double kBeside = 1e-3;  // [rad] or of the model's length
constexpr double kOff = 1e-3;     // of the curvature, well above what the excursion's cube leaves
constexpr double kAtRest = 1e-6;  // of velocities against those that the accelerations give

/// Second differences of the constraints along the motion, whose velocities are `direction` times `rate`.
VectorXd curvatureAlong(EvaluationPoint& at, double time, double rate, const std::vector<double>& y,
                        const std::vector<double>& yp, const std::vector<double>& direction,
                        const std::vector<int>& rows) {
  const Layout& l = at.layout();
  VectorXd curvature = VectorXd::Zero(std::ssize(rows));
  std::vector<double> rates(y.size(), 0.0);
  kinematicRates(l, direction.data(), rates.data());
  for (double side : {-kBeside, kBeside}) {
    std::vector<double> beside = y;
    for (int i = 0; i < l.nq; ++i) beside[i] += side * rates[i];
    for (const Layout::TreeJoint& s : l.tree) projectEdge(s, beside);
    // Prescribed motions go on with the velocities.
    const Workspace<double>& w =
        at.evaluateAt(time + side / rate, beside.data(), yp.data(), {.kinematicRows = false});
    for (size_t i = 0; i < rows.size(); ++i) {
      curvature[i] +=
          w.positionResidues[rows[i]] / at.equations().positionScale(rows[i]) / (kBeside * kBeside);
    }
  }
  return curvature;
}

}  // namespace

int strandedAt(EvaluationPoint& at, double time, const std::vector<double>& y,
               const std::vector<double>& yp, const std::vector<int>& redundantRows) {
  const Equations& e = at.equations();
  const Layout& l = e.layout();
  auto unitOf = [&](int v) { return l.inMetres[l.nq + v] ? e.state.scales.length : 1.0; };
  std::vector<int> rows;
  for (int k = 0; k < l.nlambda; ++k) {
    const bool known = std::binary_search(redundantRows.begin(), redundantRows.end(), k);
    if (l.muOfLambda[k] >= 0 && !known) rows.push_back(k);
  }
  if (rows.empty() || l.nv == 0) return -1;

  // From rest the forces choose the branch.
  VectorXd moved(l.nv);
  double push = 0;
  for (int i = 0; i < l.nv; ++i) {
    moved[i] = y[l.nq + i] / unitOf(i);
    push = std::max(push, std::abs(yp[l.nq + i] / unitOf(i)));
  }
  const double rate = moved.cwiseAbs().maxCoeff();
  if (!(rate > 0) || !std::isfinite(rate) || rate * rate <= kAtRest * kAtRest * push) return -1;

  at.setPoint(time, y.data(), yp.data());
  const BlockMatrix G = at.velocityRows();
  std::vector<double> direction = y;
  for (int i = 0; i < l.nv; ++i) direction[l.nq + i] = moved[i] * unitOf(i) / rate;
  VectorXd curvature = VectorXd::Zero(l.nlambda);
  curvature(rows) = curvatureAlong(at, time, rate, y, yp, direction, rows);
  int worst = -1;
  double most = kOff;
  for (int s = 0; s < G.blocks(); ++s) {
    std::vector<int> own;
    std::ranges::set_intersection(rows, G.rowsOf(s), std::back_inserter(own));
    const std::vector<int>& columns = G.columnsOf(s);
    MatrixXd slopes = G.part(own, columns);
    if (slopes.size() == 0) continue;
    for (int c = 0; c < slopes.cols(); ++c) {
      for (size_t i = 0; i < own.size(); ++i)
        slopes(i, c) = slopes(i, c) * unitOf(columns[c]) / e.positionScale(own[i]);
    }
    const PivotedQr qr(slopes, kNoSlope);
    if (qr.rank() == slopes.rows()) continue;
    // Combinations without slope.
    const MatrixXd n = qr.Q().rightCols(slopes.rows() - qr.rank());
    const VectorXd off = n * (n.transpose() * curvature(own));
    Eigen::Index largest = 0;
    const double size = off.cwiseAbs().maxCoeff(&largest);
    if (!(size > most)) continue;
    most = size;
    worst = own[largest];
  }
  return worst;
}

}  // namespace cardan
