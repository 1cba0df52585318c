#include "engine/dynamics/followed_signals.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

constexpr double kOpenRate = 1e-9;

}  // namespace

FollowedSignals::FollowedSignals(EvaluationPoint& at) : at_(at) {
  const Layout& l = at.layout();
  for (int i = l.xOffset(); i < l.lambdaOffset(); ++i) {
    if (!l.unknowns[i].differential) algebraic_.push_back(i);
  }
}

void FollowedSignals::follow(double t, std::vector<double>& y, const std::vector<double>& yp) {
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  bool changed = true;
  for (size_t pass = 0; changed && pass < followers.size(); ++pass) {
    const Workspace<double>& w = at_.evaluateAt(t, y.data(), yp.data(), {.kinematicRows = false});
    changed = false;
    for (size_t i = 0; i < followers.size(); ++i) {
      if (leads(i)) continue;
      const Equations::Follower& f = followers[i];
      const double residue = w.residual[f.row];
      y[f.unknown] -= residue;
      changed = changed || residue != 0;
    }
  }
}

void FollowedSignals::sort(ScaledSystem& system, const std::function<void()>& form,
                           const std::function<bool()>& factor, double t, std::vector<double>& y,
                           std::vector<double>& yp) {
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  const Layout& l = at_.layout();
  following_.assign(followers.size(), Following::moves);
  if (followers.empty()) return;
  at_.setPoint(t, y.data(), yp.data());
  form();
  BlockMatrix& matrix = system.matrix;
  const Eigen::MatrixXd asTheyAre = matrix.block(0);  // all is one island
  bool grown = true;
  while (std::exchange(grown, false)) {
    for (size_t f = 0; f < followers.size(); ++f) {
      const auto row = asTheyAre.row(followers[f].row - l.nq);
      bool reads = false;
      for (int i = l.xOffset(); i < l.lambdaOffset() && !leads(f); ++i) {
        const bool open = !l.unknowns[i].differential;
        bool led = false;
        for (size_t k = 0; k < followers.size(); ++k)
          led = led || (leads(k) && followers[k].unknown == i);
        reads = reads || ((open || led) && row[i - l.nq] != 0);
      }
      if (!reads) continue;
      following_[f] = Following::leads;
      grown = true;
    }
  }
  // Each combination of rows that determines nothing holds a signal that cannot be led.
  for (size_t round = 0; round <= followers.size(); ++round) {
    matrix.block(0) = asTheyAre;
    if (anyRides_) carry(matrix, t, y, yp);
    if (!factor() || system.isFactored()) break;
    const Eigen::MatrixXd idle =
        kernel(system.scaled().block(0).transpose(), ScaledSystem::kDependent);
    double largest = ScaledSystem::kDependent;
    size_t most = followers.size();
    for (size_t f = 0; f < followers.size() && idle.cols() > 0; ++f) {
      const double part = idle.row(followers[f].row - l.nq).norm();
      if (!leads(f) || part <= largest) continue;
      largest = part;
      most = f;
    }
    if (most == followers.size()) break;
    following_[most] = Following::rides;
    anyRides_ = true;
  }
  system.forgetFactors();
  findOpenFollowers(asTheyAre);
}

/// What the signal of a follower reads besides states must have a rate that the states determine, or
/// be a rate whose own one is found (EvaluationPoint::secondRates).
void FollowedSignals::findOpenFollowers(const Eigen::MatrixXd& asTheyAre) {
  const Layout& l = at_.layout();
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  const auto isFollower = [&](int i) {
    return std::ranges::any_of(followers, [&](const auto& f) { return f.unknown == i; });
  };
  const auto isKnown = [&](int i) {
    if (at_.prescribes()) return isFollower(i);
    const auto a = std::ranges::find(algebraic_, i);
    return a != algebraic_.end() && isCarried_[a - algebraic_.begin()] &&
           std::ranges::find(at_.carried(), i) != at_.carried().end();
  };
  openFollowers_.clear();
  for (size_t f = 0; f < followers.size(); ++f) {
    if (leads(f)) continue;
    const auto row = asTheyAre.row(followers[f].row - l.nq);
    bool open = false;
    for (int c = 0; c < row.size(); ++c) open = open || (row[c] != 0 && !isKnown(l.nq + c));
    if (open) openFollowers_.push_back(f);
  }
}

/// Rows of components that hold neither an acceleration nor a multiplier tie algebraic unknowns to
/// the states.
void FollowedSignals::findCarriers(const BlockMatrix& matrix) {
  const Layout& l = at_.layout();
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  carriers_.clear();
  for (int r = l.xOffset(); r < l.lambdaOffset(); ++r) {
    bool ties = true;
    for (size_t f = 0; f < followers.size(); ++f)
      ties = ties && (followers[f].row != r || leads(f));
    for (const int c : matrix.columnsOfRow(r - l.nq)) {
      const bool isAlgebraic = c >= l.nv && c < l.nv + l.nx && !l.unknowns[l.nq + c].differential;
      ties = ties && (isAlgebraic || matrix(r - l.nq, c) == 0);
    }
    if (ties) carriers_.push_back(r);
  }
}

void FollowedSignals::carry(const BlockMatrix& matrix, double t, const std::vector<double>& y,
                            std::vector<double>& yp) {
  if (algebraic_.empty()) return;
  findCarriers(matrix);
  for (int i : algebraic_) yp[i] = 0;
  at_.setPoint(t, y.data(), yp.data());
  const Purpose purpose{.everyFrame = false, .kinematicRows = false};
  const int rows = std::ssize(carriers_), columns = std::ssize(algebraic_);
  Eigen::VectorXd rates(rows);
  const Workspace<Dual>& flow = at_.alongTheFlow(purpose);
  for (int r = 0; r < rows; ++r) rates[r] = flow.residual[carriers_[r]].lane(0);
  const Partition ofRows = at_.equations().islands().rows.some(carriers_),
                  ofColumns = at_.equations().islands().unknowns.some(algebraic_);
  BlockMatrix G(ofRows, ofColumns);
  at_.sweepOnce(
      G, purpose,
      [&](Workspace<Dual>& w, int c, int lane, double on) { w.y[algebraic_[c]].setLane(lane, on); },
      [&](const Workspace<Dual>& w, int r, int lane) {
        return w.residual[carriers_[r]].lane(lane);
      });
  Eigen::VectorXd found = Eigen::VectorXd::Zero(columns), open = Eigen::VectorXd::Ones(columns);
  ofCarriers_.setZero(columns, rows);
  for (int s = 0; s < ofRows.sets(); ++s) {
    const auto A = G.block(s);
    if (A.size() == 0) continue;
    Eigen::VectorXd scale(A.rows());
    for (int r = 0; r < A.rows(); ++r) {
      const double largest = A.row(r).cwiseAbs().maxCoeff();
      scale[r] = largest > 0 ? 1 / largest : 1;
    }
    const OrthogonalFactors factors(scale.asDiagonal() * A, ScaledSystem::kDependent);
    const Eigen::VectorXd own = scale.cwiseProduct(rates(ofRows.members[s]));
    found(ofColumns.members[s]) = -factors.leastNorm(own);
    open(ofColumns.members[s]) = factors.nullSpace().rowwise().norm();
    if (anyRides_) ofCarriers_ = -factors.pseudoInverse() * scale.asDiagonal();
  }
  isCarried_.assign(columns, 0);
  openRates_.clear();
  for (int c = 0; c < columns; ++c) {
    isCarried_[c] = open[c] < kOpenRate;
    if (isCarried_[c]) {
      yp[algebraic_[c]] = found[c];
    } else {
      openRates_.push_back(algebraic_[c]);
    }
  }
  at_.setPoint(t, y.data(), yp.data());
}

}  // namespace cardan
