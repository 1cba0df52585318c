#include "engine/initialisation/coupled_start.h"

#include <cmath>
#include <limits>

#include "engine/structure/indices.h"
#include "engine/structure/matrix_limit.h"

namespace cardan {
namespace {

constexpr double kDifference = 6e-6;  // cube root of the rounding: best for central differences
constexpr int kFree = -1;             // tier of what has no guess worth keeping
constexpr int kForce = 1;  // of algebraic unknowns with a start: between default and given ones

}  // namespace

CoupledStart::CoupledStart(EvaluationPoint& at, Completion& completion,
                           const StartConditions& conditions, double time,
                           const std::vector<UnknownParameter>& parameters,
                           const std::vector<int>& redundant, std::vector<double> y,
                           std::vector<double> yp)
    : at_(at),
      completion_(completion),
      conditions_(conditions),
      time_(time),
      parameters_(parameters),
      y_(std::move(y)),
      yp_(std::move(yp)) {
  const Layout& l = at.layout();
  for (int k = 0; k < l.nlambda; ++k) {
    if (std::find(redundant.begin(), redundant.end(), k) == redundant.end()) active_.push_back(k);
  }
  for (int i = 0; i < l.lambdaOffset(); ++i) slots_.push_back({i, false});
  for (int i = l.nq; i < l.lambdaOffset(); ++i) {
    if (l.unknowns[i].differential) slots_.push_back({i, true});
  }
  for (int k : active_) slots_.push_back({l.lambdaOffset() + k, false});
  for (size_t c = 0; c < conditions.all().size(); ++c) {
    if (conditions.all()[c].fixed) fixed_.push_back(c);
  }
  for (const Layout::TreeJoint& s : l.tree) rowCount_ += s.nq - s.nv;
  rowCount_ += l.nmu + l.nlambda + std::ssize(active_) + l.nv + l.nx + std::ssize(fixed_);
  for (size_t f = 0; f < at.equations().followers().size(); ++f) rowCount_ += !completion.leads(f);
}

Eigen::VectorXd CoupledStart::current() const {
  Eigen::VectorXd u(unknowns());
  for (size_t i = 0; i < slots_.size(); ++i) {
    const size_t k = slots_[i].unknown;
    u[i] = (slots_[i].rate ? yp_ : y_)[k];
    // Not what the guesses of the others left for it.
    const bool wished = !at_.layout().unknowns[k].differential && conditions_.tiers()[k] > 0;
    if (!slots_[i].rate && wished) u[i] = conditions_.guess()[k];
  }
  for (size_t p = 0; p < parameters_.size(); ++p) {
    u[slots_.size() + p] = *parameters_[p].target;
  }
  return u;
}

void CoupledStart::put(const Eigen::VectorXd& u) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    (slots_[i].rate ? yp_ : y_)[slots_[i].unknown] = u[i];
  }
  for (size_t p = 0; p < parameters_.size(); ++p) {
    const double x = u[slots_.size() + p];
    if (*parameters_[p].target == x) continue;
    *parameters_[p].target = x;
    parameters_[p].changed();
  }
  kinematicRates(at_.layout(), y_.data(), yp_.data());
}

Movability CoupledStart::movability() const {
  Movability m;
  m.longestStep.setConstant(unknowns(), std::numeric_limits<double>::infinity());
  const Layout& l = at_.layout();
  for (size_t i = 0; i < slots_.size(); ++i) {
    const size_t k = slots_[i].unknown;
    const int tier = conditions_.tiers()[k];
    if (slots_[i].rate) {
      m.tier.push_back(kFree);
    } else if (l.unknowns[k].differential) {
      m.tier.push_back(2 * tier);
    } else {
      m.tier.push_back(tier > 0 ? kForce : kFree);
    }
    if (slots_[i].unknown < l.nq) m.longestStep[i] = LevelRows::longestStep(l, slots_[i].unknown);
  }
  m.tier.insert(m.tier.end(), parameters_.size(), kFree);
  return m;
}

bool CoupledStart::residue(const Eigen::VectorXd& u, Eigen::VectorXd& r) {
  const Layout& l = at_.layout();
  put(u);
  if (!at_.carried().empty()) completion_.carry(time_, y_, yp_);
  at_.setPoint(time_, y_.data(), yp_.data());
  const Workspace<double>& w = at_.evaluateWithFlow();
  int row = 0;
  double edge[kMaxPerEdge];
  for (const Layout::TreeJoint& s : l.tree) {
    if (s.nq == s.nv) continue;
    s.law->kinematics(w.y.data() + s.q, w.yp.data() + s.q, w.y.data() + l.nq + s.v, edge);
    for (int i = s.nv; i < s.nq; ++i) r[row++] = edge[i];
  }
  for (int k = 0; k < l.nlambda; ++k) {
    if (l.muOfLambda[k] >= 0) r[row++] = w.positionResidues[k];
    r[row++] = w.velocityResidues[k];
  }
  for (int i = l.nq; i < l.lambdaOffset(); ++i) r[row++] = w.residual[i];
  const std::vector<Equations::Follower>& followers = at_.equations().followers();
  for (size_t f = 0; f < followers.size(); ++f) {
    // What leads is a state: the signal is found from it, its rate is none of the signal's.
    if (!completion_.leads(f)) r[row++] = at_.flow().residual[followers[f].row].lane(0);
  }
  for (int k : active_) r[row++] = at_.flow().velocityResidues[k].lane(0);
  for (int c : fixed_) r[row++] = conditions_.all()[c].residue(w, buffer_);
  return std::isfinite(r.cwiseAbs().maxCoeff());
}

CoupledStart::Row CoupledStart::worstRow(const Eigen::VectorXd& residue,
                                         const BlockMatrix& J) const {
  const Layout& l = at_.layout();
  const FlatModel& b = at_.equations().flatModel();
  // In the order of residue().
  std::vector<std::pair<const char*, Concerned>> rows;
  auto ofUnknown = [&](int i) { return ownerOfUnknown(b, l.unknowns[i].name); };
  for (const Layout::TreeJoint& s : l.tree) {
    for (int i = s.nv; i < s.nq; ++i) rows.emplace_back("its orientation", ofUnknown(s.q));
  }
  for (int k = 0; k < l.nlambda; ++k) {
    const Concerned owner = ownerOfRow(at_.equations(), k);
    if (l.muOfLambda[k] >= 0) rows.emplace_back("its constraint", owner);
    rows.emplace_back("the rate of its constraint", owner);
  }
  for (int i = l.nq; i < l.xOffset(); ++i) {
    rows.emplace_back("its equation of motion", ofUnknown(i));
  }
  for (size_t r = 0; r < b.rows.size(); ++r) {
    const int instance = b.rows[r].instance;
    for (int i = 0; i < b.rows[r].size; ++i) {
      rows.emplace_back("its equation",
                        Concerned{b.typeAndName(instance), b.instances[instance].at});
    }
  }
  while (std::ssize(rows) < rowCount_) rows.emplace_back("an equation", Concerned{});
  Row worst;
  double share = -1;
  for (int i = 0; i < rowCount_; ++i) {
    const double slope = J.rows() == rowCount_ ? J.block(0).row(i).cwiseAbs().maxCoeff() : 0;
    const double size = std::abs(residue[i]) / (slope > 0 ? slope : 1);
    if (!(size > share) || rows[i].second.who.empty()) continue;
    share = size;
    worst = {rows[i].first, rows[i].second, residue[i]};
  }
  return worst;
}

void CoupledStart::jacobian(const Eigen::VectorXd& u, BlockMatrix& J) {
  throwIfTooLarge(rows(), unknowns(), at_.layout().size(), at_.equations().flatModel());
  J = BlockMatrix::zero(Partition::whole(rows()), Partition::whole(unknowns()));
  Eigen::VectorXd x = u, above(rows()), below(rows());
  for (int j = 0; j < unknowns(); ++j) {
    const double h = kDifference * (1 + std::abs(u[j]));
    x[j] = u[j] + h;
    const bool up = residue(x, above);
    x[j] = u[j] - h;
    const bool down = residue(x, below);
    x[j] = u[j];
    if (up && down) J.column(j) = (above - below) / (2 * h);
  }
  put(u);
  if (unknowns() == 0) return;
  // Rounding of the differences would pass for a weak dependence.
  for (int i = 0; i < rows(); ++i) {
    const double smallest = 1e-9 * J.block(0).row(i).cwiseAbs().maxCoeff();
    for (int j = 0; j < unknowns(); ++j) {
      if (std::abs(J(i, j)) < smallest) J(i, j) = 0;
    }
  }
}

}  // namespace cardan
