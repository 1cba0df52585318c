/// Reduction: the linearised equations of a point in as few states as they have freedoms.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/motion_point.h"
#include "engine/structure/central_difference.h"
#include "engine/structure/dense_algebra.h"
#include "engine/structure/unknowns.h"

namespace cardan {

/// dz' = A dz + B du, and what every unknown does with z and u.
struct ReducedSystem {
  std::vector<int> states;  ///< indices into y
  Eigen::MatrixXd A;        ///< states x states
  Eigen::MatrixXd B;        ///< states x inputs, drives behind them
  Eigen::MatrixXd y, yp;    ///< length of y x (states + inputs): derivatives of y and y'
  /// What y and y' lack where forces of drives act; empty without drives.
  Eigen::VectorXd missingY, missingYp;
  Eigen::MatrixXd mass;         ///< of the velocities among the states, in their order
  Eigen::MatrixXd stiffness;    ///< -d(forces along these velocities)/d(states), as long as `mass`
  std::vector<bool> needsRate;  ///< per input: the motion follows it, so that its rates matter
  bool hidden = false;          ///< some equations tie states to each other
  /// The whole of it: E x' = A x + B u, x = all unknowns and multipliers (columns of
  /// PointDerivatives), velocity rows and norms differentiated once.
  Eigen::MatrixXd fullE, fullA, fullB;
};

/// What depends on the structure alone: which states are wanted rather than others.
///
/// The accelerations, multipliers and algebraic unknowns follow from the equations with velocity
/// rows (and norms of quaternions) differentiated once; this is solved exactly, with the derivatives
/// of the multipliers' loads (geometric stiffness) among the rows. What the constraints leave of
/// positions and velocities is the null space of position rows, norms and velocity rows. Of all
/// unknowns those become states that are preferred and far from dependent. Along a motion the
/// derivatives of constraints change: their rates are differences of sixth order of exact ones.
class Reduction {
 public:
  /// `weights`: per element of y, > 1 for unknowns that shall be states.
  Reduction(const PointEquations& equations, const std::vector<PointInput>& inputs,
            std::vector<double> weights)
      : equations_(equations),
        derivatives_(equations, inputs),
        inputs_(std::ssize(inputs)),
        weights_(std::move(weights)) {}

  /// From now on forces [N | N.m] act along these velocities (indices into y).
  void drive(const std::vector<int>& velocities, const Eigen::VectorXd& forces) {
    drives_ = velocities;
    forces_ = forces;
  }

  /// At a consistent point (accelerations and multipliers, too); `states` fixes the choice. Throws
  /// AnalysisError where the equations leave something open.
  ReducedSystem reduce(const MotionPoint& point, const std::vector<int>* states = nullptr) {
    ReducedSystem out;
    Matrices m = matricesAt(point);
    if (!m.K.allFinite() || !m.E.allFinite())
      throw AnalysisError("the derivatives of the equations at this point are not finite");
    collect(m);
    addDrives(m);
    solveRates(m, constraintRates(point), out);
    const MatrixXd J = constraints(m.K);
    const Eigen::Index nd = sizes_.size(), nu = m.U.cols();
    MatrixXd T;
    if (J.rows() == 0) {
      out.states = differential_;
      T = MatrixXd::Identity(nd, nd);
    } else {
      const MatrixXd basis = OrthogonalFactors(J, kIndependent).nullSpace();
      chooseStates(J, basis, states, out);
      if (std::ssize(out.states) != basis.cols())
        throw AnalysisError("the freedoms change along the motion: it passes a singular position");
      const MatrixXd real = sizes_.asDiagonal() * basis;
      std::vector<int> places;
      for (int s : out.states) places.push_back(place_[s]);
      DenseLu lu;
      lu.factor(rowsOfMatrix(real, places).transpose());
      if (basis.cols() > 0) T = lu.solve(MatrixXd(real.transpose())).transpose();
    }
    const Eigen::Index ns = std::ssize(out.states);
    if (ns == 0 || equations_.unknowns().still)
      throw AnalysisError("nothing is free to move in this model: it has no states");
    MatrixXd X(derivatives_.columns(), ns + nu);
    X.leftCols(ns) = J.rows() == 0 ? byStates_ : MatrixXd(byStates_ * T);
    X.rightCols(nu) = byInputs_;
    const Eigen::Index size = std::ssize(point.y);
    out.y.setZero(size, ns + nu);
    out.yp.setZero(size, ns + nu);
    for (int c = 0; c < derivatives_.columns(); ++c) {
      const int unknown = derivatives_.unknowns()[c];
      if (isDifferential_[c]) {
        out.y.row(unknown).head(ns) = T.row(place_[c]);
        out.yp.row(unknown) = X.row(c);
      } else {
        out.y.row(unknown) = X.row(c);
      }
    }
    const MatrixXd AB = rowsOfMatrix(out.yp, out.states);
    out.A = AB.leftCols(ns);
    out.B = AB.rightCols(nu);
    if (!drives_.empty()) {
      out.missingY = out.y.rightCols(1);
      out.missingYp = out.yp.rightCols(1);
      for (MatrixXd* of : {&out.y, &out.yp, &out.B}) *of = MatrixXd(of->leftCols(of->cols() - 1));
    }
    setMass(m, J, out);
    return out;
  }

  PointDerivatives& derivatives() { return derivatives_; }
  /// [s] In this time no unknown moves more than a hundredth of its typical size.
  double shortTime(const std::vector<double>& yp) const {
    double rate = 0;
    for (int i = 0; i < equations_.unknowns().xOffset(); ++i) {
      rate = std::max(rate, std::abs(yp[i]) / equations_.nominal(i));
    }
    const double typical = equations_.typicalTime();
    return 1e-2 * (rate * typical > 1 ? 1 / rate : typical);
  }

 private:
  using MatrixXd = Eigen::MatrixXd;
  using VectorXd = Eigen::VectorXd;

  static constexpr double kRegularPivot =
      1e-14;  // of a matrix with rows and columns of magnitude 1
  static constexpr double kOpenPivot =
      1e-11;  // below it, a combination of rows says nothing of rates
  static constexpr double kIndependent = 1e-9;     // of constraints with rows of magnitude 1
  static constexpr int kMostDifferentiations = 4;  // of hidden equations
  static constexpr double kPartner = 16;  // a position is preferred where its velocity is a state

  static MatrixXd columnsOf(const MatrixXd& A, const std::vector<int>& columns) {
    MatrixXd out(A.rows(), columns.size());
    for (size_t i = 0; i < columns.size(); ++i) out.col(i) = A.col(columns[i]);
    return out;
  }

  static MatrixXd rowsOfMatrix(const MatrixXd& A, const std::vector<int>& rows) {
    MatrixXd out(rows.size(), A.cols());
    for (size_t i = 0; i < rows.size(); ++i) out.row(i) = A.row(rows[i]);
    return out;
  }

  /// Factors that bring rows and columns to a largest element of about one.
  static void equilibrate(const MatrixXd& A, VectorXd& rows, VectorXd& columns) {
    rows.setOnes(A.rows());
    columns.setOnes(A.cols());
    const auto factor = [](double largest) { return largest > 0 ? 1 / std::sqrt(largest) : 1.0; };
    VectorXd largestOfRow(A.rows()), largestOfColumn(A.cols());
    for (int pass = 0; pass < 6; ++pass) {
      largestOfRow.setZero();
      for (Eigen::Index k = 0; k < A.cols(); ++k) {
        const VectorXd column = A.col(k).cwiseAbs().cwiseProduct(rows) * columns[k];
        largestOfColumn[k] = column.maxCoeff();
        largestOfRow = largestOfRow.cwiseMax(column);
      }
      for (Eigen::Index i = 0; i < A.rows(); ++i) rows[i] *= factor(largestOfRow[i]);
      for (Eigen::Index k = 0; k < A.cols(); ++k) columns[k] *= factor(largestOfColumn[k]);
    }
  }

  static void normaliseRows(MatrixXd& A) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (const double largest = A.row(i).norm(); largest > 0) A.row(i) /= largest;
    }
  }

  /// These columns of J, whose rows are of magnitude 1: a row that has nothing but rounding there says
  /// nothing of them.
  static MatrixXd partOf(const MatrixXd& J, const std::vector<int>& columns) {
    MatrixXd part = columnsOf(J, columns);
    for (Eigen::Index i = 0; i < part.rows(); ++i) {
      if (part.row(i).norm() < kIndependent) part.row(i).setZero();
    }
    return part;
  }

  struct Matrices {
    Eigen::MatrixXd E, K, U;
    Eigen::VectorXd F;
  };
  Matrices matricesAt(const MotionPoint& point) {
    const Eigen::Index n = derivatives_.rows();
    Matrices m{MatrixXd::Zero(n, derivatives_.columns()), MatrixXd(n, derivatives_.columns()),
               MatrixXd(n, inputs_), VectorXd(n)};
    derivatives_.at(point, m.E.data(), m.K.data(), m.U.data(), m.F.data());
    return m;
  }
  /// Which columns have rates, which rows are differentiated.
  void collect(const Matrices& m) {
    const Unknowns& l = equations_.unknowns();
    differential_.clear();
    algebraic_.clear();
    place_.clear();
    isDifferential_.clear();
    for (int c = 0; c < derivatives_.columns(); ++c) {
      const int unknown = derivatives_.unknowns()[c];
      const bool rate = c < derivatives_.firstVelocityRow() &&
                        (l.unknowns[unknown].differential || m.E.col(c).cwiseAbs().sum() > 0);
      auto& list = rate ? differential_ : algebraic_;
      place_.push_back(std::ssize(list));
      isDifferential_.push_back(rate);
      list.push_back(c);
    }
    sizes_.resize(std::ssize(differential_));
    for (size_t i = 0; i < differential_.size(); ++i) {
      sizes_[i] = equations_.nominal(differential_[i]);
    }
    differentiated_ = derivatives_.edgeRows();
    for (int r = derivatives_.firstVelocityRow(); r < derivatives_.firstPositionRow(); ++r) {
      bool plain = m.E.row(r).cwiseAbs().sum() > 0;  // reads the rate of a followed signal
      for (int c : algebraic_) plain = plain || m.K(r, c) != 0;
      if (!plain) differentiated_.push_back(r);
    }
  }
  /// Columns of U for a force along each drive, and one for what the rows lack: a change of y and y'
  /// that meets E dy' + K dy = -F is the derivative by an input whose column is F.
  void addDrives(Matrices& m) const {
    if (drives_.empty()) return;
    const Eigen::Index nu = m.U.cols(), more = std::ssize(drives_);
    MatrixXd U = MatrixXd::Zero(m.U.rows(), nu + more + 1);
    U.leftCols(nu) = m.U;
    U.col(nu + more) = m.F;
    for (Eigen::Index k = 0; k < more; ++k) {
      const int row = drives_[k];
      U(row, nu + k) = -1;
      U(row, nu + more) -= forces_[k];
    }
    for (int r : differentiated_) U(r, nu + more) = 0;
    U.col(nu + more).tail(U.rows() - derivatives_.firstPositionRow()).setZero();
    m.U = std::move(U);
  }
  /// How the derivatives of the differentiated rows change along the motion: as many rows, columns of
  /// the system.
  Eigen::MatrixXd constraintRates(const MotionPoint& point) {
    if (differentiated_.empty()) return MatrixXd::Zero(0, derivatives_.columns());
    // Along a straight line, whose first derivative is the motion's.
    const int last = derivatives_.firstVelocityRow();
    MotionPoint moved = point;
    MatrixXd K(derivatives_.rows(), derivatives_.columns());
    return centralDifference(shortTime(point.yp), [&](double dt) {
      moved.time = point.time + dt;
      for (int i = 0; i < last; ++i) moved.y[i] = point.y[i] + dt * point.yp[i];
      derivatives_.byUnknowns(moved, K.data());
      return rowsOfMatrix(K, differentiated_);
    });
  }
  /// P (rates of the differential columns, values of the others) + R (those columns, inputs) = 0, a
  /// row each equation; and the same as the pencil `out` shows.
  void writePencil(const Matrices& m, const MatrixXd& rates, MatrixXd& P, MatrixXd& R,
                   ReducedSystem& out) const {
    const Eigen::Index n = derivatives_.columns();
    const Eigen::Index nd = sizes_.size(), nu = m.U.cols();
    P = m.K.topRows(n);
    R.resize(n, nd + nu);
    R.leftCols(nd) = columnsOf(P, differential_);
    R.rightCols(nu) = m.U.topRows(n);
    for (int c : differential_) P.col(c) = m.E.col(c).head(n);
    out.needsRate.assign(nu, false);
    const auto refuseInputs = [&](const auto& row) {
      for (Eigen::Index k = 0; k < nu; ++k) {
        if (std::abs(row[k]) > 0) out.needsRate[k] = true;
      }
    };
    for (size_t i = 0; i < differentiated_.size(); ++i) {
      const int r = differentiated_[i];
      P.row(r).setZero();
      for (int c : differential_) P(r, c) = m.K(r, c);
      for (Eigen::Index k = 0; k < nd; ++k) R(r, k) = rates(i, differential_[k]);
      refuseInputs(m.U.row(r));
      R.row(r).tail(nu).setZero();
    }
    for (int r = derivatives_.firstPositionRow(); r < derivatives_.rows(); ++r)
      refuseInputs(m.U.row(r));
    out.fullE = MatrixXd::Zero(n, n);
    out.fullA = -P;
    for (Eigen::Index k = 0; k < nd; ++k) {
      const int c = differential_[k];
      out.fullE.col(c) = P.col(c);
      out.fullA.col(c) = -R.col(k);
    }
    out.fullB = -R.rightCols(nu);
  }
  /// Rates of the differential columns and values of the others by the differential columns and the
  /// inputs: byStates_, byInputs_. Equations that determine no rate tie states to each other: they are
  /// constraints, and hold differentiated (their derivatives as if they did not change).
  void solveRates(const Matrices& m, const MatrixXd& rates, ReducedSystem& out) {
    MatrixXd P, R;
    writePencil(m, rates, P, R, out);
    hiddenRows_.resize(0, sizes_.size());
    VectorXd rowScale, columnScale;
    equilibrate(P, rowScale, columnScale);
    DenseLu lu;
    lu.factor(rowScale.asDiagonal() * P * columnScale.asDiagonal());
    if (lu.pivotsExceed(kRegularPivot)) {
      takeRates(columnScale.asDiagonal() * lu.solve(-(rowScale.asDiagonal() * R)));
      return;
    }
    out.hidden = true;
    solveHiddenRates(std::move(P), std::move(R), out);
  }
  void solveHiddenRates(MatrixXd P, MatrixXd R, ReducedSystem& out) {
    const Eigen::Index n = derivatives_.columns();
    const Eigen::Index nd = sizes_.size(), nu = R.cols() - nd;
    VectorXd rowScale, columnScale;
    for (int round = 0; round < kMostDifferentiations; ++round) {
      equilibrate(P, rowScale, columnScale);
      const OrthogonalFactors factors(rowScale.asDiagonal() * P * columnScale.asDiagonal(),
                                      kOpenPivot);
      const MatrixXd scaledR = rowScale.asDiagonal() * R;
      if (factors.rank() == n) {
        MatrixXd X(n, nd + nu);
        for (Eigen::Index k = 0; k < X.cols(); ++k)
          X.col(k) = -(columnScale.asDiagonal() * factors.leastNorm(scaledR.col(k)));
        takeRates(X);
        return;
      }
      // What is left of the right side without rates: constraints, new ones and those before.
      const MatrixXd left = factors.rotate(scaledR).bottomRows(P.rows() - factors.rank());
      MatrixXd found = left.leftCols(nd) * sizes_.asDiagonal();
      const double largest = std::max(scaledR.cwiseAbs().maxCoeff(), 1e-300);
      std::vector<int> news;
      for (Eigen::Index i = 0; i < found.rows(); ++i) {
        if (found.row(i).norm() > kIndependent * largest) news.push_back(i);
        for (Eigen::Index k = 0; k < nu; ++k) {
          if (std::abs(left(i, nd + k)) > kIndependent * largest) out.needsRate[k] = true;
        }
      }
      if (news.empty()) break;
      addHiddenRows(rowsOfMatrix(left.leftCols(nd), news), P, R);
    }
    throw AnalysisError(
        "the equations at this point leave accelerations, forces or unknowns of parts open: it "
        "cannot be linearised");
  }
  void takeRates(const MatrixXd& X) {
    byStates_ = X.leftCols(sizes_.size());
    byInputs_ = X.rightCols(X.cols() - sizes_.size());
  }
  /// Constraints that were found, differentiated, as further rows of P and R.
  void addHiddenRows(const MatrixXd& rows, MatrixXd& P, MatrixXd& R) {
    MatrixXd hidden(hiddenRows_.rows() + rows.rows(), rows.cols());
    hidden << hiddenRows_, rows;
    hiddenRows_ = std::move(hidden);
    MatrixXd moreP = MatrixXd::Zero(P.rows() + rows.rows(), P.cols());
    MatrixXd moreR = MatrixXd::Zero(R.rows() + rows.rows(), R.cols());
    moreP.topRows(P.rows()) = P;
    moreR.topRows(R.rows()) = R;
    for (Eigen::Index k = 0; k < rows.cols(); ++k)
      moreP.col(differential_[k]).tail(rows.rows()) = rows.col(k);
    P = std::move(moreP);
    R = std::move(moreR);
  }
  /// Constraints on the differential columns, a row each, in their typical sizes.
  Eigen::MatrixXd constraints(const MatrixXd& K) const {
    std::vector<int> rows = differentiated_;
    for (int r = derivatives_.firstPositionRow(); r < derivatives_.rows(); ++r) rows.push_back(r);
    MatrixXd J(std::ssize(rows) + hiddenRows_.rows(), sizes_.size());
    J.topRows(std::ssize(rows)) = columnsOf(rowsOfMatrix(K, rows), differential_);
    J.bottomRows(hiddenRows_.rows()) = hiddenRows_;
    J = J * sizes_.asDiagonal();
    normaliseRows(J);
    return J;
  }
  /// States as places among the differential columns, and T: the differential columns by them.
  void chooseStates(const MatrixXd& J, const MatrixXd& basis, const std::vector<int>* given,
                    ReducedSystem& out) {
    const Unknowns& l = equations_.unknowns();
    out.states.clear();
    if (given) {
      out.states = *given;
      return;
    }
    const Eigen::Index freedoms = basis.cols();
    const std::vector<int> velocities = independentVelocities(J);
    const std::vector<PointJoint> joints = equations_.joints();
    std::vector<double> weight;
    for (int c : differential_) weight.push_back(weights_[c]);
    std::vector<bool> isVelocity(differential_.size(), false);
    for (int k : velocities) {
      const int v = differential_[k];
      for (const PointJoint& s : joints) {
        if (!s.plain || v < s.v || v >= s.v + s.nv) continue;
        for (size_t i = 0; i < differential_.size(); ++i) {
          if (differential_[i] == s.q + v - s.v) weight[i] *= kPartner;
        }
      }
    }
    std::vector<int> others;
    for (size_t i = 0; i < differential_.size(); ++i) {
      if (differential_[i] < l.nq || differential_[i] >= l.xOffset()) others.push_back(i);
    }
    // What the chosen velocities leave open.
    const MatrixXd rows = basis.transpose();
    MatrixXd Q = MatrixXd::Identity(freedoms, freedoms);
    if (!velocities.empty()) Q = PivotedQr(columnsOf(rows, velocities), kIndependent).Q();
    const Eigen::Index open = freedoms - std::ssize(velocities);
    MatrixXd candidates = Q.rightCols(open).transpose() * columnsOf(rows, others);
    for (Eigen::Index k = 0; k < candidates.cols(); ++k) candidates.col(k) *= weight[others[k]];
    std::vector<int> chosen = velocities;
    if (open > 0) {
      const Eigen::VectorXi order = PivotedQr(candidates, kIndependent).columnOrder();
      for (Eigen::Index k = 0; k < open; ++k) chosen.push_back(others[order[k]]);
    }
    std::sort(chosen.begin(), chosen.end());
    for (int k : chosen) out.states.push_back(differential_[k]);
  }
  /// Velocities that the constraints leave independent at a held position.
  std::vector<int> independentVelocities(const MatrixXd& J) const {
    const Unknowns& l = equations_.unknowns();
    std::vector<int> velocities;
    for (size_t i = 0; i < differential_.size(); ++i) {
      if (differential_[i] >= l.nq && differential_[i] < l.xOffset()) velocities.push_back(i);
    }
    if (velocities.empty()) return {};
    const MatrixXd basis = J.rows() > 0
                               ? OrthogonalFactors(partOf(J, velocities), kIndependent).nullSpace()
                               : MatrixXd::Identity(std::ssize(velocities), std::ssize(velocities));
    if (basis.cols() == 0) return {};
    MatrixXd candidates = basis.transpose();
    for (Eigen::Index k = 0; k < candidates.cols(); ++k)
      candidates.col(k) *= weights_[differential_[velocities[k]]];
    const Eigen::VectorXi order = PivotedQr(candidates, kIndependent).columnOrder();
    std::vector<int> chosen;
    for (Eigen::Index k = 0; k < basis.cols(); ++k) chosen.push_back(velocities[order[k]]);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }
  /// K of these rows times the derivatives of all columns by the states.
  Eigen::MatrixXd forcesByStates(const Matrices& m, const std::vector<int>& rows,
                                 const ReducedSystem& out) const {
    const Eigen::Index ns = std::ssize(out.states);
    if (derivatives_.columns() == std::ssize(out.states))
      return columnsOf(rowsOfMatrix(m.K, rows), out.states);
    MatrixXd all(derivatives_.columns(), ns);
    for (int c = 0; c < derivatives_.columns(); ++c)
      all.row(c) = out.y.row(derivatives_.unknowns()[c]).head(ns);
    return rowsOfMatrix(m.K, rows) * all;
  }
  /// Inertia of the velocities among the states: those of the others follow at a held position.
  void setMass(const Matrices& m, const MatrixXd& J, ReducedSystem& out) {
    const Unknowns& l = equations_.unknowns();
    std::vector<int> columns, places, chosen;  // all velocities; chosen ones among them
    for (size_t i = 0; i < differential_.size(); ++i) {
      const int c = differential_[i];
      if (c < l.nq || c >= l.xOffset()) continue;
      if (std::ranges::find(out.states, c) != out.states.end())
        chosen.push_back(std::ssize(columns));
      columns.push_back(c);
      places.push_back(i);
    }
    const MatrixXd M = columnsOf(rowsOfMatrix(m.E, columns), columns);
    // What the rows of the dynamics have of the states but for the accelerations: no sum of mass times
    // acceleration, which would cancel.
    const MatrixXd forces = forcesByStates(m, columns, out);
    if (J.rows() == 0) {
      out.mass = M;
      out.stiffness = forces;
      return;
    }
    const MatrixXd basis = OrthogonalFactors(partOf(J, places), kIndependent).nullSpace();
    if (basis.cols() != std::ssize(chosen) || chosen.empty()) return;
    VectorXd size(std::ssize(places));
    for (Eigen::Index k = 0; k < size.size(); ++k) size[k] = sizes_[places[k]];
    const MatrixXd real = size.asDiagonal() * basis;
    DenseLu lu;
    lu.factor(rowsOfMatrix(real, chosen).transpose());
    const MatrixXd T = lu.solve(MatrixXd(real.transpose())).transpose();
    out.mass = T.transpose() * M * T;
    out.stiffness = T.transpose() * forces;
  }

  PointEquations equations_;
  PointDerivatives derivatives_;
  Eigen::Index inputs_;
  std::vector<double> weights_;
  std::vector<int> drives_;
  Eigen::VectorXd forces_;
  std::vector<int> differential_;  ///< columns whose rate is found
  std::vector<int> algebraic_;     ///< the others
  std::vector<int> place_;         ///< per column: in the one list or the other
  std::vector<bool> isDifferential_;
  std::vector<int> differentiated_;      ///< rows that hold once differentiated
  Eigen::VectorXd sizes_;                ///< typical ones of the differential columns
  Eigen::MatrixXd hiddenRows_;           ///< further constraints among the differential columns
  Eigen::MatrixXd byStates_, byInputs_;  ///< rates or values of the columns
};

}  // namespace cardan
