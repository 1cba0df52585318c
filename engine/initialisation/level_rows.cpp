#include "engine/initialisation/level_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/dynamics/completion.h"
#include "engine/structure/indices.h"
#include "engine/structure/matrix_limit.h"

namespace cardan {
namespace {

constexpr double kLongestTurn = 1.0;  // [rad] of an angle in one iteration
constexpr double kLongestQuaternion =
    0.5;  // of an element of a quaternion or a transformation matrix

}  // namespace

std::vector<StartRow> constraintRows(const Equations& equations, Level level, bool all) {
  const Layout& l = equations.layout();
  const bool position = level == Level::Position;
  std::vector<StartRow> rows;
  for (int s = 0; position && s < l.edges; ++s) {
    for (int e = 0; e < l.tree[s].nq - l.tree[s].nv; ++e)
      rows.push_back({StartRow::Kind::coordinate, s, e});
  }
  for (int k = 0; k < l.nlambda; ++k) {
    if (equations.state.redundant[k] && !all) continue;
    if (!position && !equations.readsPrescribed[k]) rows.push_back({StartRow::Kind::velocity, k});
    if (position && l.muOfLambda[k] >= 0) rows.push_back({StartRow::Kind::position, k});
  }
  return rows;
}

LevelRows::LevelRows(EvaluationPoint& at, const StartConditions& conditions, double time,
                     std::vector<double> y, std::vector<double> yp, std::vector<int> columns,
                     std::vector<StartRow> rows)
    : at_(at),
      conditions_(conditions),
      time_(time),
      y_(std::move(y)),
      yp_(std::move(yp)),
      columns_(std::move(columns)),
      rows_(std::move(rows)) {
  const Layout& l = at_.layout();
  std::vector<bool> unknown(y_.size(), false);
  for (int c : columns_) unknown[c] = true;
  for (int s = 0; s < l.edges; ++s) {
    const auto first = unknown.begin() + l.tree[s].q;
    if (l.tree[s].nq > l.tree[s].nv && std::all_of(first, first + l.tree[s].nq, std::identity()))
      settled_.push_back(s);
  }
}

void LevelRows::addWish(int condition) {
  rows_.push_back({StartRow::Kind::condition, condition, 0, wishes_++});
  sweep_.reset();
}

template <class S>
S LevelRows::row(const StartRow& r, const Workspace<S>& w, std::vector<S>& buffer) const {
  switch (r.kind) {
    case StartRow::Kind::condition:
      return conditions_.all()[r.index].residue(w, buffer);
    case StartRow::Kind::position:
      return w.positionResidues[r.index] / at_.equations().positionScale(r.index);
    case StartRow::Kind::velocity:
      return w.velocityResidues[r.index] / at_.equations().positionScale(r.index);
    case StartRow::Kind::coordinate:
      break;
  }
  const Layout& l = at_.layout();
  const Layout::TreeJoint& s = l.tree[r.index];
  S rows[kMaxPerEdge];
  s.law->kinematics(w.y.data() + s.q, w.yp.data() + s.q, w.y.data() + l.nq + s.v, rows);
  return rows[s.nv + r.element];
}

Eigen::VectorXd LevelRows::current() const {
  Eigen::VectorXd u = Eigen::VectorXd::Zero(unknowns());
  for (int i = 0; i < unknowns() - wishes_; ++i) u[i] = y_[columns_[i]];
  return u;
}

const std::vector<double>& LevelRows::put(const Eigen::VectorXd& u) {
  for (size_t i = 0; i < columns_.size(); ++i) y_[columns_[i]] = u[i];
  return y_;
}

void LevelRows::setPoint(const Eigen::VectorXd& u) {
  put(u);
  at_.setPoint(time_, y_.data(), yp_.data());
}

bool LevelRows::residue(const Eigen::VectorXd& u, Eigen::VectorXd& r) {
  setPoint(u);
  const Workspace<double>& w = at_.evaluate({.kinematicRows = false, .measure = true});
  const int firstWish = std::ssize(columns_);
  for (int i = 0; i < rows(); ++i) {
    const StartRow& list = rows_[i];
    r[i] = row(list, w, buffer_);
    if (list.wish >= 0) r[i] -= u[firstWish + list.wish];
  }
  return r.size() == 0 || std::isfinite(r.cwiseAbs().maxCoeff());
}

void LevelRows::settle(Eigen::VectorXd& u) {
  if (settled_.empty()) return;
  put(u);
  for (int s : settled_) projectEdge(at_.layout().tree[s], y_);
  for (size_t i = 0; i < columns_.size(); ++i) u[i] = y_[columns_[i]];
}

/// -1: it may read anything.
int LevelRows::islandOf(const StartRow& r) const {
  const Layout& l = at_.layout();
  const Islands& islands = at_.equations().islands();
  if (r.kind == StartRow::Kind::coordinate) return islands.unknowns.setOf[l.tree[r.index].q];
  if (r.kind != StartRow::Kind::condition)
    return islands.unknowns.setOf[l.lambdaOffset() + r.index];
  const StartCondition& c = conditions_.all()[r.index];
  if (c.unknown >= 0) return islands.unknowns.setOf[c.unknown];
  const bool isOwn = c.instance > 0 && c.source != StartCondition::Source::equation &&
                     std::ranges::all_of(at_.equations().signals().sources(),
                                         [](const SignalSource& s) { return s.timeOnly; });
  return isOwn ? islands.ofInstance[c.instance] : -1;
}

void LevelRows::sortIntoIslands() {
  const Partition& unknowns = at_.equations().islands().unknowns;
  int count = unknowns.sets();
  std::vector<int> ofRows, ofColumns = unknowns.some(columns_).setOf;
  for (const StartRow& r : rows_) {
    ofRows.push_back(islandOf(r));
    if (r.wish >= 0) ofColumns.push_back(ofRows.back());
  }
  if (std::ranges::count(ofRows, -1) > 0) {
    count = 1;
    for (std::vector<int>* of : {&ofRows, &ofColumns}) std::ranges::fill(*of, 0);
  }
  ofRows_ = Partition(std::move(ofRows), count);
  ofColumns_ = Partition(ofColumns, count);
  ofColumns.resize(columns_.size());
  sweep_.emplace(ofRows_, Partition(std::move(ofColumns), count));
}

void LevelRows::jacobian(const Eigen::VectorXd& u, BlockMatrix& J) {
  setPoint(u);
  if (!sweep_) sortIntoIslands();
  throwIfTooLarge(ofRows_.widest, ofColumns_.widest, at_.layout().size(),
                  at_.equations().flatModel());
  J = BlockMatrix::zero(ofRows_, ofColumns_);
  const int firstWish = std::ssize(columns_);
  for (int i = 0; i < rows(); ++i) {
    if (rows_[i].wish >= 0) J(i, firstWish + rows_[i].wish) = -1;
  }
  const auto seed = [&](int c, int lane, double on) {
    at_.dualWorkspace().y[columns_[c]].setLane(lane, on);
  };
  const auto evaluate = [&] {
    at_.evaluateDual({.kinematicRows = false, .measure = true});
    values_.clear();
    for (const StartRow& r : rows_) values_.push_back(row(r, at_.dualWorkspace(), dualBuffer_));
  };
  const bool known = sweep_->fill(
      J, seed, [&](int c, int lane) { seed(c, lane, 0); }, evaluate,
      [&](int i, int lane) { return values_[i].lane(lane); });
  if (!known) sweep_->learn(J);
}

double LevelRows::longestStep(const Layout& l, int q) {
  const bool own = l.edges < std::ssize(l.tree) && q >= l.tree[l.edges].q;
  const std::string& unit = l.unknowns[q].unit;
  if (!own && unit == "rad") return kLongestTurn;
  if (!own && unit == "1") return kLongestQuaternion;
  return std::numeric_limits<double>::infinity();
}

Movability LevelRows::movability(const std::vector<int>& tiers) const {
  Movability m;
  m.longestStep.setConstant(unknowns(), std::numeric_limits<double>::infinity());
  const Layout& l = at_.layout();
  for (int i = 0; i < unknowns() - wishes_; ++i) {
    const int k = columns_[i];
    m.tier.push_back(tiers[k]);
    if (k < l.nq) m.longestStep[i] = longestStep(l, k);
  }
  for (const StartRow& r : rows_) {
    if (r.wish >= 0) m.tier.push_back(conditions_.all()[r.index].tier);
  }
  return m;
}

}  // namespace cardan
