#include "engine/initialisation/regularisation.h"

#include <algorithm>
#include <cmath>

#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

/// Eigenvalues of K with a unit diagonal that count as zero: singular positions have some.
constexpr double kNoShare = 1e-9;
/// Of the mobility of a row, times the model's time: far below any tolerance, far above rounding.
constexpr double kRegularisation = 1e-12;
/// Inertias below this share of the largest are none.
constexpr double kNoInertia = 1e-9;

/// What a force of a row moves: speed by impulse, and velocity by its stabiliser.
struct Mobility {
  double velocity = 0, position = 0;
};

/// Of every velocity, for the multipliers of the position rows: the inverse of the diagonal of M, in
/// units of the largest mass. The three of a rotation weigh alike, whatever frame they are told in.
std::vector<double> stabiliserWeights(const Equations& equations, const Completion& completion) {
  const Layout& l = equations.layout();
  const BlockMatrix& all = completion.matrix();
  auto isLength = [&](int v) { return l.inMetres[l.nq + v] != 0; };
  std::vector<double> inertia(l.nv, 0.0);
  double largest[2] = {0, 0};
  for (const Layout::TreeJoint& s : l.tree) {
    double sum[2] = {0, 0};
    int count[2] = {0, 0};
    for (int v = s.v; v < s.v + s.nv; ++v) {
      sum[isLength(v)] += std::abs(all(v, v));
      ++count[isLength(v)];
    }
    for (int v = s.v; v < s.v + s.nv; ++v) {
      const bool kind = isLength(v);
      inertia[v] = s.nv > 2 ? sum[kind] / count[kind] : std::abs(all(v, v));
      largest[kind] = std::max(largest[kind], inertia[v]);
    }
  }
  const double length = equations.state.scales.length;
  const double mass = std::max(largest[1], largest[0] / (length * length));
  std::vector<double> weights(l.nv, 1.0);
  for (int v = 0; v < l.nv; ++v) {
    const bool kind = isLength(v);
    const double own = inertia[v] > kNoInertia * largest[kind] ? inertia[v] : largest[kind];
    if (own > 0)
      weights[v] = mass / own;
    else if (!kind)
      weights[v] = 1 / (length * length);
  }
  return weights;
}

/// Per multiplier: the first one of the component that it belongs to; relations stand for themselves.
std::vector<int> owners(const Equations& equations) {
  const Layout& l = equations.layout();
  const std::vector<FlatModel::Constraint>& constraints = equations.flatModel().constraints;
  std::vector<int> owner(l.nlambda);
  for (int k = 0; k < l.nlambda; ++k) owner[k] = k;
  for (size_t c = 0; c < constraints.size(); ++c) {
    const int rows = constraints[c].positionRows + constraints[c].velocityRows;
    std::fill_n(owner.begin() + l.constraintOffset[c], rows, l.constraintOffset[c]);
  }
  for (const Layout::CutJoint& c : l.cutJoints) {
    if (c.rows > 0) std::fill_n(owner.begin() + c.row, c.rows, c.row);
  }
  return owner;
}

/// Of every multiplier. Rows of `completion` share with each other alone, redundant ones, which may come
/// to be kept on the way, with all.
std::vector<Mobility> mobilities(const Equations& equations, const Completion& completion,
                                 const BlockMatrix& rows) {
  const Layout& l = equations.layout();
  const BlockMatrix& all = completion.matrix();
  const std::vector<bool>& redundant = equations.state.redundant;
  auto isLength = [&](int v) { return l.inMetres[l.nq + v] != 0; };
  double largest[2] = {0, 0};
  for (int v = 0; v < l.nv; ++v) {
    largest[isLength(v)] = std::max(largest[isLength(v)], std::abs(all(v, v)));
  }
  const double length = equations.state.scales.length;
  const double mass = std::max(largest[1], largest[0] / (length * length));
  std::vector<Mobility> single(l.nlambda);
  int row = l.nv + l.nx;
  for (int k = 0; k < l.nlambda; ++k) {
    for (const int v : redundant[k] ? rows.columnsOfRow(k) : all.columnsOfRow(row)) {
      if (v >= l.nv) break;
      const double x = redundant[k] ? rows(k, v) : all(row, v), inertia = std::abs(all(v, v));
      single[k].position += equations.state.stabiliserWeights[v] * x * x;
      if (inertia > kNoInertia * largest[isLength(v)]) single[k].velocity += x * x / inertia;
    }
    if (!redundant[k]) ++row;
  }
  const std::vector<int> owner = owners(equations);
  std::vector<Mobility> shared = single;
  for (int i = 0; i < l.nlambda; ++i) {
    for (int j = owner[i]; j < l.nlambda && owner[j] == owner[i]; ++j) {
      const bool alike = equations.isLength[i] == equations.isLength[j];
      if (!alike || (redundant[j] && !redundant[i])) continue;
      shared[i].velocity = std::max(shared[i].velocity, single[j].velocity);
      shared[i].position = std::max(shared[i].position, single[j].position);
    }
    // A row that moves no mass, or nothing at all yet.
    if (!(shared[i].position > 0)) shared[i].position = 1;
    if (!(shared[i].velocity > 0)) shared[i].velocity = mass > 0 ? shared[i].position / mass : 1;
  }
  return shared;
}

/// Per multiplier: its row has the same coefficients wherever the model is, as those of gears and of what
/// connects flanges have. None becomes dependent on the way, and where something sticks, the slip that eps
/// lets through would be taken for a motion of what bears the load.
std::vector<bool> linearRows(const Equations& equations) {
  const Layout& l = equations.layout();
  const FlatModel& model = equations.flatModel();
  std::vector<bool> hasFrames(model.instances.size(), false);
  for (const FlatModel::Frame& f : model.frames) {
    if (f.instance >= 0) hasFrames[f.instance] = true;
  }
  std::vector<bool> linear(l.nlambda, false);
  for (size_t c = 0; c < model.constraints.size(); ++c) {
    const FlatModel::Constraint& constraint = model.constraints[c];
    if (hasFrames[constraint.instance]) continue;
    std::fill_n(linear.begin() + l.constraintOffset[c],
                constraint.positionRows + constraint.velocityRows, true);
  }
  std::fill_n(linear.begin() + l.firstRelation, equations.network().relations.size(), true);
  for (int k = 0; k < l.nlambda; ++k) {
    if (equations.readsPrescribed[k]) linear[k] = false;
  }
  return linear;
}

}  // namespace

void regularise(Equations& e, const Completion& completion, const BlockMatrix& rows) {
  const Layout& l = e.layout();
  std::fill(e.state.regularisation.begin(), e.state.regularisation.end(), 0.0);
  std::fill(e.state.positionRegularisation.begin(), e.state.positionRegularisation.end(), 0.0);
  std::fill(e.state.forces.begin(), e.state.forces.end(), 1.0);
  std::fill(e.state.stabiliserWeights.begin(), e.state.stabiliserWeights.end(), 1.0);
  if (completion.active().empty()) return;
  e.state.stabiliserWeights = stabiliserWeights(e, completion);
  const std::vector<Mobility> mobility = mobilities(e, completion, rows);
  const bool stable = regularisationIsStable(completion, l);
  const std::vector<bool> linear = linearRows(e);
  for (int k = 0; k < l.nlambda; ++k) {
    const double speed = e.velocityScale(k);
    e.state.forces[k] = speed / (mobility[k].velocity * e.state.scales.time);
    // Never below one SI unit: what is smaller needs no weight in the convergence of Newton.
    e.state.nominals[l.lambdaOffset() + k] = std::max(1.0, e.state.forces[k]);
    if (const int m = l.muOfLambda[k]; m >= 0) {
      e.state.nominals[l.muOffset() + m] = std::max(1.0, speed / mobility[k].position);
    }
    if (!stable || linear[k]) continue;
    e.state.regularisation[k] = kRegularisation * e.state.scales.time * mobility[k].velocity;
    e.state.positionRegularisation[k] =
        kRegularisation * e.state.scales.time * mobility[k].position;
  }
}

namespace {

/// The same of one island: `all` has `n` rows of motion, then constraints.
bool isStable(const Eigen::Ref<const Eigen::MatrixXd>& all, Eigen::Index n) {
  const Eigen::Index m = all.rows() - n;
  if (m <= 0 || n == 0) return true;
  DenseLu motion;
  motion.factor(all.topLeftCorner(n, n));
  Eigen::MatrixXd K = all.bottomLeftCorner(m, n) * motion.solve(all.topRightCorner(n, m));
  // Motion that only the constraints determine (a leg without mass) leaves M singular.
  if (!(motion.reciprocalCondition() > 1e-15) || !K.allFinite()) return true;

  Eigen::VectorXd scale(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const double d = std::abs(K(i, i));
    scale[i] = d > 0 ? 1 / std::sqrt(d) : 1;
  }
  K = scale.asDiagonal() * K * scale.asDiagonal();
  Eigen::MatrixXd shifted = (K + K.transpose()) / 2;
  shifted.diagonal().array() += kNoShare;
  if (isPositiveDefinite(shifted)) return true;
  K.diagonal().array() += kNoShare;
  return isPositiveStable(K);
}

}  // namespace

bool regularisationIsStable(const Completion& completion, const Layout& layout) {
  const BlockMatrix& all = completion.matrix();  // of a tree without rows
  for (int s = 0; s < all.blocks(); ++s) {
    const std::vector<int>& columns = all.columnsOf(s);
    const auto constraints = std::ranges::lower_bound(columns, layout.nv + layout.nx);
    if (!isStable(all.block(s), constraints - columns.begin())) return false;
  }
  return true;
}

}  // namespace cardan
