#include "engine/initialisation/least_change.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>

#include "engine/structure/blocks.h"
#include "engine/structure/dense_algebra.h"

namespace cardan {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kEmptyColumn = 1e-9;   // of a column, relative to the largest of the Jacobian
constexpr double kEmptyRow = 1e-10;     // of rounding, not of a dependence
constexpr double kZeroResidue = 1e-10;  // residue relative to the terms it is made of
constexpr double kResidueRounding =
    4 * std::numeric_limits<double>::epsilon();  // of a settled residue
constexpr int kNewtonIterations = 60;
constexpr int kApproachIterations = 40;
constexpr int kOtherGuesses = 24;
constexpr double kFarFromGuess = 0.05;  // [rad, m] of a known part: there may be a nearer solution

/// Columns of one tier.
MatrixXd columnsOf(const MatrixXd& J, const std::vector<int>& tier, int which) {
  MatrixXd A(J.rows(), std::count(tier.begin(), tier.end(), which));
  int c = 0;
  for (int j = 0; j < J.cols(); ++j) {
    if (tier[j] == which) A.col(c++) = J.col(j);
  }
  return A;
}

/// tieredStep() of a block with rows of magnitude 1. Columns up to `smallest` count as empty.
VectorXd blockStep(const MatrixXd& J, VectorXd r, const std::vector<int>& tier, double smallest) {
  VectorXd dx = VectorXd::Zero(J.cols());
  std::vector<int> tiers(tier);
  std::sort(tiers.begin(), tiers.end());
  tiers.erase(std::unique(tiers.begin(), tiers.end()), tiers.end());

  // Forward: what a tier absorbs is rotated out of the rows that the next ones see.
  std::vector<OrthogonalFactors> parts;
  MatrixXd rows = J;
  std::vector<MatrixXd>
      seen;  // per tier: the rows as it saw them, with their residue as a last column
  for (int t : tiers) {
    const MatrixXd A = columnsOf(rows, tier, t);
    const double largest = A.size() > 0 ? A.colwise().norm().maxCoeff() : 0.0;
    const double tolerance = largest > smallest ? std::max(smallest / largest, 1e-13) : 2.0;
    const OrthogonalFactors& d = parts.emplace_back(A, tolerance);
    MatrixXd& kept = seen.emplace_back(rows.rows(), rows.cols() + 1);
    kept << rows, r;
    const MatrixXd rotated = d.rotate(kept);
    const auto rest = rotated.bottomRows(rows.rows() - d.rank());
    r = rest.col(rest.cols() - 1);
    rows = rest.leftCols(rest.cols() - 1).eval();
    if (rows.rows() == 0) break;
  }
  // Backward: each tier makes up for what the less movable ones did.
  for (size_t k = parts.size(); k-- > 0;) {
    const MatrixXd& kept = seen[k];
    const VectorXd left = kept.leftCols(J.cols()) * dx + kept.col(J.cols());
    const VectorXd part = parts[k].leastNorm(-left);
    int c = 0;
    for (int j = 0; j < J.cols(); ++j) {
      if (tier[j] == tiers[k]) dx[j] = part[c++];
    }
  }
  return dx;
}

double norm(const VectorXd& r) {
  const double n = r.norm();
  return std::isfinite(n) ? n : std::numeric_limits<double>::infinity();
}

/// The same sequence of numbers in [-1, 1) everywhere (splitmix64).
class Numbers {
 public:
  double next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
  }

 private:
  std::uint64_t state_ = 1;
};

/// Newton's method with a line search; the state of one search.
class Search {
 public:
  Search(EquationRows& rows, const Movability& m) : all_(rows.unknowns()), rows_(rows), m_(m) {
    std::iota(all_.begin(), all_.end(), 0);
  }

  LeastChangeResult newton(const VectorXd& guess) {
    LeastChangeResult s;
    s.u = guess;
    rows_.settle(s.u);
    if (!evaluate(s)) return s;
    for (; s.iterations < kNewtonIterations; ++s.iterations) {
      if (s.residue.size() == 0 || s.u.size() == 0) break;
      if (s.residue.cwiseAbs().maxCoeff() <= kResidueRounding) break;
      rows_.jacobian(s.u, s.J);
      const VectorXd dx = tieredStep(s.J, s.residue, m_.tier);
      if (dx.cwiseAbs().maxCoeff() <= 1e-15 * (1 + s.u.cwiseAbs().maxCoeff())) break;
      if (!advance(s, dx)) break;
    }
    s.converged = satisfied(s);
    return s;
  }

  /// Slides along the solutions until nothing nearer to `guess` is found; where known parts of the
  /// guess are far off even so, looks for another branch that keeps them, for each block by itself.
  void approach(LeastChangeResult& s, const VectorXd& guess) {
    slide(s, guess);
    if (!isFar(s.u, guess, all_)) return;
    rows_.jacobian(s.u, s.J);
    const std::vector<Block> blocks = blocksOf(s.J);
    Numbers numbers;
    for (int k = 0; k < kOtherGuesses; ++k) {
      std::vector<const Block*> far;
      for (const Block& b : blocks) {
        if (isFar(s.u, guess, b.columns)) far.push_back(&b);
      }
      if (far.empty()) return;
      const VectorXd other =
          besides(guess, std::numbers::pi * (k + 1) / kOtherGuesses, 0.1, numbers);
      VectorXd beside = s.u;
      for (const Block* b : far) beside(b->columns) = other(b->columns);
      LeastChangeResult trial = newton(beside);
      if (trial.converged) slide(trial, guess);
      s.iterations += trial.iterations;
      if (!trial.converged) continue;
      beside = s.u;
      for (const Block* b : far) {
        if (distance(trial.u, guess, b->columns) < distance(s.u, guess, b->columns) * (1 - 1e-6))
          beside(b->columns) = trial.u(b->columns);
      }
      trial.u = beside;
      if (beside == s.u || !evaluate(trial) || !satisfied(trial)) continue;
      trial.iterations = s.iterations;
      s = std::move(trial);
    }
  }

  /// A guess beside another one: the most known parts moved by `fraction` of the width.
  VectorXd besides(const VectorXd& guess, double width, double fraction, Numbers& numbers) const {
    const int highest = *std::ranges::max_element(m_.tier);
    VectorXd other = guess;
    for (int i = 0; i < other.size(); ++i) {
      const bool known = highest > 0 && m_.tier[i] == highest;
      other[i] += width * (known ? fraction : 1) * numbers.next();
    }
    return other;
  }

 private:
  /// Of these unknowns. Only angles let the same equations have several branches.
  bool isFar(const VectorXd& u, const VectorXd& guess, const std::vector<int>& unknowns) const {
    if (!m_.longestStep.array().isFinite().any()) return false;
    return std::ranges::any_of(unknowns, [&](int i) {
      return m_.tier[i] > 0 && std::abs(u[i] - guess[i]) > kFarFromGuess;
    });
  }

  void slide(LeastChangeResult& s, const VectorXd& guess) {
    double best = distance(s.u, guess, all_);
    double fraction = 1;
    for (int k = 0; k < kApproachIterations && best > 0; ++k) {
      rows_.jacobian(s.u, s.J);
      VectorXd linear = s.residue;
      s.J.addTimes(s.u - guess, -1, linear);
      const VectorXd target = guess + tieredStep(s.J, linear, m_.tier);
      const VectorXd way = target - s.u;
      if (way.cwiseAbs().maxCoeff() <= 1e-10 * (1 + s.u.cwiseAbs().maxCoeff())) return;
      bool nearer = false;
      for (; !nearer && fraction > 1e-3; fraction /= 2) {
        LeastChangeResult trial = newton(s.u + fraction * limited(way));
        s.iterations += trial.iterations;
        const double d = trial.converged ? distance(trial.u, guess, all_) : best;
        if (d < best * (1 - 1e-12)) {
          trial.iterations = s.iterations;
          s = std::move(trial);
          best = d;
          nearer = true;
        }
      }
      if (!nearer) return;
      fraction = std::min(1.0, 4 * fraction);
    }
  }

  bool evaluate(LeastChangeResult& s) {
    s.residue.resize(rows_.rows());
    return rows_.residue(s.u, s.residue) && std::isfinite(norm(s.residue));
  }

  VectorXd limited(const VectorXd& dx) const {
    double factor = 1;
    for (int i = 0; i < dx.size(); ++i) {
      if (std::abs(dx[i]) * factor > m_.longestStep[i])
        factor = m_.longestStep[i] / std::abs(dx[i]);
    }
    return factor * dx;
  }

  /// The longest of a few steps that lowers the residue: tiered ones, then damped ones along the
  /// gradient.
  bool advance(LeastChangeResult& s, const VectorXd& dx) {
    const VectorXd step = limited(dx);
    const double before = norm(s.residue);
    for (double f = 1; f > 1e-4; f /= 2) {
      if (accept(s, f * step, before * (1 - 1e-4 * f))) return true;
    }
    if (satisfied(s)) return false;  // only rounding is left
    double scale = 0;
    for (int j = 0; j < s.J.cols(); ++j) scale = std::max(scale, s.J.column(j).squaredNorm());
    for (double damping = 1e-4; damping < 1e3; damping *= 100) {
      VectorXd damped(s.J.cols());
      for (int b = 0; b < s.J.blocks(); ++b) {
        const auto J = s.J.block(b);
        if (J.cols() == 0) continue;
        MatrixXd N = J.transpose() * J;
        N.diagonal().array() += damping * scale;
        const VectorXd slope = J.transpose() * s.residue(s.J.rowsOf(b));
        damped(s.J.columnsOf(b)) = -solveSymmetric(N, slope);
      }
      if (accept(s, limited(damped), before * (1 - 1e-9))) return true;
    }
    return false;
  }

  bool accept(LeastChangeResult& s, const VectorXd& step, double below) {
    VectorXd r(s.residue.size());
    VectorXd u = s.u + step;
    rows_.settle(u);
    if (!rows_.residue(u, r) || !(norm(r) < below)) return false;
    s.u = u;
    s.residue = r;
    return true;
  }

  /// A residue counts as zero relative to the terms that it is made of.
  static bool satisfied(const LeastChangeResult& s) {
    // Where nothing was left to do there is no J.
    VectorXd terms = VectorXd::Zero(s.residue.size());
    for (int j = 0; j < s.J.cols(); ++j) {
      for (const int i : s.J.rowsOfColumn(j)) terms[i] += std::abs(s.J(i, j)) * std::abs(s.u[j]);
    }
    for (int i = 0; i < s.residue.size(); ++i) {
      if (!(std::abs(s.residue[i]) <= kZeroResidue * (1 + terms[i]))) return false;
    }
    return true;
  }

  /// Higher tiers count so much more that lower ones never outweigh them.
  double distance(const VectorXd& u, const VectorXd& guess,
                  const std::vector<int>& unknowns) const {
    double sum = 0;
    for (const int i : unknowns) {
      if (m_.tier[i] < 0) continue;
      sum += std::pow(1e4, m_.tier[i]) * (u[i] - guess[i]) * (u[i] - guess[i]);
    }
    return sum;
  }

  std::vector<int> all_;  ///< unknowns
  EquationRows& rows_;
  const Movability& m_;
};

}  // namespace

VectorXd tieredStep(const BlockMatrix& J, const VectorXd& residue, const std::vector<int>& tier) {
  struct Scaled {
    MatrixXd J;
    VectorXd residue, ofColumns;  ///< ofColumns: columns of J over those of the block
    std::vector<int> tier;
  };
  const std::vector<Block> blocks = blocksOf(J);
  std::vector<Scaled> scaled;
  double longest = 0;
  for (const Block& b : blocks) {
    Scaled& s = scaled.emplace_back();
    s.J = J.part(b.rows, b.columns);
    s.residue = residue(b.rows);
    s.ofColumns = VectorXd::Ones(s.J.cols());
    if (b.columns.empty()) continue;
    // Rows of magnitude 1, and free columns too: units must not look like dependence. Rows of
    // rounding stay small.
    for (int i = 0; i < s.J.rows(); ++i) {
      const double largest = s.J.row(i).cwiseAbs().maxCoeff();
      if (largest < kEmptyRow) continue;
      s.J.row(i) /= largest;
      s.residue[i] /= largest;
    }
    for (int j = 0; j < s.J.cols(); ++j) {
      s.tier.push_back(tier[b.columns[j]]);
      const double length = s.J.col(j).norm();
      if (s.tier[j] >= 0 || length < kEmptyRow) continue;
      s.ofColumns[j] = 1 / length;
      s.J.col(j) *= s.ofColumns[j];
    }
    longest = std::max(longest, s.J.colwise().norm().maxCoeff());
  }
  VectorXd dx = VectorXd::Zero(J.cols());
  for (size_t k = 0; k < blocks.size(); ++k) {
    const Scaled& s = scaled[k];
    if (s.J.size() == 0) continue;
    dx(blocks[k].columns) =
        blockStep(s.J, s.residue, s.tier, kEmptyColumn * longest).cwiseProduct(s.ofColumns);
  }
  return dx;
}

LeastChangeResult solveRows(EquationRows& rows, const VectorXd& guess,
                            const Movability& movability) {
  return Search(rows, movability).newton(guess);
}

namespace {

/// The blocks of the pattern that the derivatives have at the guess and beside it.
std::vector<Block> independentBlocks(EquationRows& rows, const VectorXd& guess) {
  Numbers numbers;
  VectorXd u = guess;
  BlockMatrix at, beside;
  rows.settle(u);
  rows.jacobian(u, at);
  for (double& x : u) x += 0.1 * numbers.next();
  rows.settle(u);
  rows.jacobian(u, beside);
  return blocksOf(at, &beside);
}

/// One block of equations, the other unknowns as they are in `u`.
class BlockRows final : public EquationRows {
 public:
  BlockRows(EquationRows& all, const Block& block, const VectorXd& u)
      : all_(all), block_(block), u_(u), r_(all.rows()) {}
  int unknowns() const override { return std::ssize(block_.columns); }
  int rows() const override { return std::ssize(block_.rows); }
  bool residue(const VectorXd& u, VectorXd& r) override {
    u_(block_.columns) = u;
    const bool computable = all_.residue(u_, r_);
    r = r_(block_.rows);
    return computable;
  }
  void jacobian(const VectorXd& u, BlockMatrix& J) override {
    u_(block_.columns) = u;
    all_.jacobian(u_, J_);
    J = BlockMatrix(Partition::whole(rows()), Partition::whole(unknowns()));
    J.block(0) = J_.part(block_.rows, block_.columns);
  }
  void settle(VectorXd& u) override {
    u_(block_.columns) = u;
    all_.settle(u_);
    u = u_(block_.columns);
  }

 private:
  EquationRows& all_;
  const Block& block_;
  VectorXd u_, r_;
  BlockMatrix J_;
};

/// From other guesses near this one, until one leads to a solution.
LeastChangeResult fromOtherGuesses(Search& search, LeastChangeResult best, const VectorXd& guess) {
  Numbers numbers;
  for (int k = 0; k < kOtherGuesses && !best.converged; ++k) {
    // Wider and wider, and every other time of all tiers.
    const double width = 0.05 * std::pow(1.25, k);
    LeastChangeResult trial = search.newton(search.besides(guess, width, k % 2, numbers));
    const int iterations = best.iterations + trial.iterations;
    if (trial.converged || norm(trial.residue) < norm(best.residue)) best = std::move(trial);
    best.iterations = iterations;
  }
  return best;
}

/// Block by block: a loop that is hard to close does not keep the others from it.
LeastChangeResult blockwise(EquationRows& rows, Search& whole, LeastChangeResult best,
                            const VectorXd& guess, const Movability& movability) {
  const std::vector<Block> blocks = independentBlocks(rows, guess);
  if (blocks.size() < 2) return best;
  VectorXd u = guess;
  int iterations = best.iterations;
  for (const Block& block : blocks) {
    BlockRows part(rows, block, u);
    Movability m;
    for (int j : block.columns) m.tier.push_back(movability.tier[j]);
    m.longestStep = movability.longestStep(block.columns);
    const LeastChangeResult solution = leastChange(part, guess(block.columns), m);
    iterations += solution.iterations;
    u(block.columns) = solution.u;
  }
  LeastChangeResult together = whole.newton(u);
  iterations += together.iterations;
  if (together.converged || norm(together.residue) < norm(best.residue)) best = std::move(together);
  best.iterations = iterations;
  return best;
}

}  // namespace

LeastChangeResult leastChange(EquationRows& rows, const VectorXd& guess,
                              const Movability& movability) {
  Search search(rows, movability);
  LeastChangeResult best = search.newton(guess);
  if (!best.converged && guess.size() > 0) {
    best = blockwise(rows, search, std::move(best), guess, movability);
    best = fromOtherGuesses(search, std::move(best), guess);
  }
  if (best.converged && best.iterations > 0) search.approach(best, guess);
  return best;
}

void approach(EquationRows& rows, const VectorXd& guess, const Movability& movability,
              LeastChangeResult& solution) {
  Search(rows, movability).approach(solution, guess);
}

}  // namespace cardan
