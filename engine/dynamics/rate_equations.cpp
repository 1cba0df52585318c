#include "engine/dynamics/rate_equations.h"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/operations.h"

namespace cardan {

void RateEquations::forgetRows() {
  for (Eigen::VectorXd* v : {&system.residue, &system.change}) v->setZero(size());
  system.matrix = {};
  ofSweeps_ = -1;
}

void RateEquations::allocate() {
  const int n = size();
  if (system.matrix.rows() == n) return;
  const Layout& l = at_.layout();
  const Islands& islands = at_.equations().islands();
  const int nvx = l.nv + l.nx;
  const Partition lambdas =
                      islands.unknowns.range(l.lambdaOffset(), l.nlambda).some(columns_.active()),
                  rows = islands.rows.range(l.nq, nvx).with(lambdas),
                  columns = islands.unknowns.range(l.nq, nvx).with(lambdas);
  const bool follows = !at_.equations().followers().empty();
  const Partition rates = lambdas.with(islands.rows.range(l.xOffset(), follows ? l.nx : 0)),
                  states = columns.range(0, nvx);
  system.allocate(rows, columns);
  rates_ = BlockMatrix::zero(rates, states);
  accelerationSweep_ = ColouredJacobian(rows, columns);
  rateSweep_ = ColouredJacobian(rates, states);
  if (forgetful_) forgetPoints();
}

void RateEquations::forgetPoints() {
  forgetful_ = true;
  if (size() >= SparseLu::kLeast) return;
  accelerationSweep_.stayPlain();
  rateSweep_.stayPlain();
}

void RateEquations::formRows(bool inertia) {
  const Layout& l = at_.layout();
  const Workspace<double>& w =
      at_.evaluate({.everyFrame = false, .kinematicRows = false, .inertia = inertia});
  for (int i = 0; i < l.nv + l.nx; ++i) system.residue[i] = w.residual[l.nq + i];
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  if (columns_.active().empty() && followers.empty()) return;
  const Workspace<Dual>& flow =
      at_.alongTheFlow({.loads = !followers.empty(), .everyFrame = false, .kinematicRows = false});
  // A followed signal's rate comes from its row, differentiated.
  for (size_t i = 0; i < followers.size(); ++i) {
    const Equations::Follower& f = followers[i];
    if (!followed_.leads(i)) system.residue[f.row - l.nq] = flow.residual[f.row].lane(0);
  }
  for (size_t k = 0; k < columns_.active().size(); ++k) {
    system.residue[l.nv + l.nx + k] = flow.velocityResidues[columns_.active()[k]].lane(0);
  }
}

void RateEquations::formMatrix() {
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  at_.sweep(
      accelerationSweep_, system.matrix, {.everyFrame = false, .kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        const int i = l.nq + c;
        if (c >= nvx) {
          w.y[l.lambdaOffset() + columns_.active()[c - nvx]].setLane(lane, on);
        } else {
          (l.unknowns[i].differential ? w.yp : w.y)[i].setLane(lane, on);
        }
      },
      [&](const Workspace<Dual>& w, int i, int lane) {
        return i < nvx ? w.residual[l.nq + i].lane(lane) : 0.0;
      });
}

void RateEquations::differentiateRows() {
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx, na = std::ssize(columns_.active());
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  if (columns_.active().empty() && followers.empty()) return;
  // d/dt of a velocity row, or of a followed signal's, contains der(v) as the row itself has v.
  at_.sweep(
      rateSweep_, rates_, {.everyFrame = false, .kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        if (l.unknowns[l.nq + c].differential) w.y[l.nq + c].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int i, int lane) {
        return i < na ? w.velocityResidues[columns_.active()[i]].lane(lane)
                      : w.residual[l.xOffset() + i - na].lane(lane);
      });
  for (int k = 0; k < na; ++k) {
    for (const int c : system.matrix.columnsOfRow(nvx + k))
      system.matrix(nvx + k, c) = c < nvx ? rates_(k, c) : 0;
  }
  for (size_t f = 0; f < followers.size(); ++f) {
    if (followed_.leads(f)) continue;
    // All is one island.
    const int row = followers[f].row - l.nq;
    const auto rates = rates_.block(0);
    auto matrix = system.matrix.block(0);
    Eigen::RowVectorXd rate = rates.row(na + row - l.nv);
    if (followed_.rides(f)) {
      for (size_t a = 0; a < followed_.algebraic().size(); ++a) {
        const double reads = system.matrix(row, followed_.algebraic()[a] - l.nq);
        for (size_t c = 0; reads != 0 && c < followed_.carriers().size(); ++c)
          rate += reads * followed_.ofCarriers()(a, c) *
                  rates.row(na + followed_.carriers()[c] - l.xOffset());
      }
    }
    matrix.row(row).setZero();
    matrix.row(row).head(nvx) = rate;
  }
  if (at_.prescribes() && !columns_.active().empty()) prescribedAccelerations();
}

/// Accelerations change the second derivatives of followed signals, which prescribed motions read.
void RateEquations::prescribedAccelerations() {
  const Layout& l = at_.layout();
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  const int nvx = l.nv + l.nx, na = std::ssize(columns_.active());
  Eigen::MatrixXd reads = Eigen::MatrixXd::Zero(na, std::ssize(followers));
  at_.columns(
      std::ssize(followers), {.kinematicRows = false},
      [&](Workspace<Dual>& w, int c, int lane, double on) {
        w.yp[followers[c].unknown].setLane(lane, on);
      },
      [&](const Workspace<Dual>& w, int c, int lane) {
        for (int k = 0; k < na; ++k) {
          reads(k, c) = w.velocityResidues[columns_.active()[k]].lane(lane);
        }
      });
  std::vector<double> yp(at_.valueWorkspace().yp);
  const std::vector<double> here = at_.secondRates();
  for (int c = 0; c < nvx; ++c) {
    const size_t i = l.nq + c;
    if (!l.unknowns[i].differential) continue;
    const double kept = yp[i];
    yp[i] = kept + 1;
    const std::vector<double>& there = at_.secondRatesFor(yp.data());
    yp[i] = kept;
    for (size_t f = 0; f < followers.size(); ++f) {
      const double slope = there[f] - here[f];
      // Rounding of the differences would pass for a weak dependence.
      if (std::abs(slope) < 1e-8) continue;
      system.matrix.column(c).tail(na) += reads.col(f) * slope;
    }
  }
  at_.secondRatesFor(yp.data());
}

void RateEquations::chooseUnits() {
  const Layout& l = at_.layout();
  const double length = at_.equations().state.scales.length;
  auto isLength = [&](int v) { return l.inMetres[l.nq + v] != 0; };
  double mass = 0;
  for (int v = 0; v < l.nv; ++v) {
    const double inertia = std::abs(system.matrix(v, v));
    mass = std::max(mass, isLength(v) ? inertia : inertia / (length * length));
  }
  if (!(mass > 0) || !std::isfinite(mass)) mass = 1;
  system.rowUnit.setOnes();
  system.columnUnit.setOnes();
  for (int v = 0; v < l.nv; ++v) {
    system.columnUnit[v] = isLength(v) ? 1 : 1 / length;
    system.rowUnit[v] = system.columnUnit[v] / mass;
  }
  for (size_t k = 0; k < columns_.active().size(); ++k) {
    const Eigen::Index i = l.nv + l.nx + k;
    const double size = at_.equations().isLength[columns_.active()[k]] ? 1 : length;
    system.rowUnit[i] = size;
    system.columnUnit[i] = mass * size;
  }
}

bool RateEquations::factor() {
  chooseUnits();
  return system.factor(findPattern() ? &pattern_ : nullptr);
}

/// False: not known.
bool RateEquations::findPattern() {
  const int n = size();
  if (!accelerationSweep_.grouped() || !at_.equations().followers().empty()) return false;
  const int nvx = at_.layout().nv + at_.layout().nx, na = n - nvx;
  if (na > 0 && !rateSweep_.grouped()) return false;
  const int version = accelerationSweep_.version() + rateSweep_.version();
  if (ofSweeps_ == version) return true;
  ofSweeps_ = version;
  ++pattern_.version;
  pattern_.start.assign(1, 0);
  pattern_.rows.clear();
  for (int j = 0; j < n; ++j) {
    const auto append = [&](const ColouredJacobian& of, int before, int after, int shift) {
      for (int k = of.start()[j]; k < of.start()[j + 1]; ++k) {
        const int i = of.rows()[k];
        if (i >= before && i < after) pattern_.rows.push_back(i + shift);
      }
    };
    append(accelerationSweep_, 0, nvx, 0);
    if (na > 0 && j < nvx) append(rateSweep_, 0, na, nvx);
    pattern_.start.push_back(std::ssize(pattern_.rows));
  }
  return true;
}

double RateEquations::weakestRow() const {
  double weakest = 1;
  for (int i = size() - std::ssize(columns_.active()); i < size(); ++i)
    weakest = std::min(weakest, system.rowUnit[i] / system.rowScale()[i]);
  return weakest;
}

double RateEquations::sweeps() const {
  return accelerationSweep_.evaluations() +
         (columns_.active().empty() ? 0 : rateSweep_.evaluations());
}

double RateEquations::factorOperations() const {
  return system.isSparse() ? operations::sparseFactors(static_cast<double>(pattern_.rows.size()))
                           : operations::denseFactors(size());
}

}  // namespace cardan
