#include "engine/dynamics/completion.h"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/bordered_tree.h"
#include "engine/dynamics/operations.h"

namespace cardan {
namespace {

constexpr double kSolved = 1e-11;   // of a change, relative to 1 or to the unknown
constexpr double kRounding = 1e-6;  // likewise: what shrinks no more is rounding
constexpr double kShares = 1e-3;    // likewise, of what may be rounding though it is not small
constexpr double kChord = 1e-3;     // of the change before: by factors of a point before
constexpr int kIterations = 12;
constexpr int kDampedIterations = 100;     // each halves the distance to a bend
constexpr double kShortestPart = 0x1p-20;  // of a step

}  // namespace

Completion::Completion(const Equations& equations)
    : at_(equations),
      columns_(at_),
      projection_(at_, columns_),
      followed_(at_),
      equations_(at_, columns_, followed_),
      ties_(at_, equations_.system),
      open_(equations.layout(), equations_.system),
      sharing_(at_) {
  const Layout& l = equations.layout();
  if (equations.followers().empty()) {
    tree_ = std::make_unique<BorderedTree>(at_, columns_);
    if (!tree_->fits()) tree_.reset();
  }
  equations_.forgetRows();
  takeConstraints();
  recursive_ = tree_ && columns_.active().empty() && l.recursionPays();
  if (!recursive_) equations_.allocate();
}

Completion::~Completion() = default;

void Completion::sortFollowed(double t, std::vector<double>& y, std::vector<double>& yp) {
  const auto form = [&] {
    equations_.formRows();
    equations_.formMatrix();
  };
  const auto factor = [&] {
    equations_.differentiateRows();
    equations_.chooseUnits();
    return equations_.system.factor(nullptr);
  };
  followed_.sort(equations_.system, form, factor, t, y, yp);
}

/// Those that the run keeps at present.
void Completion::takeConstraints() {
  if (!columns_.choose()) return;
  projection_.allocate();
  equations_.forgetRows();
  open_.forgetLoose();
  if (tree_) tree_->allocate();
}

bool Completion::project(double t, std::vector<double>& y, Care care) {
  takeConstraints();
  return projection_.project(t, y, care);
}

void Completion::shareReactions(double t, std::vector<double>& y, const std::vector<double>& yp) {
  const Layout& l = at_.layout();
  if (std::ssize(columns_.active()) < l.nlambda && l.nv > 0) sharing_.share(t, y, yp);
}

BlockMatrix Completion::scaledMatrix() const {
  BlockMatrix scaled = matrix();
  scaled.scale(equations_.system.rowScale(), equations_.system.columnScale());
  return scaled;
}

double Completion::operations() const {
  const double along = columns_.active().empty() ? 0 : operations::kWithDirections,
               once = operations::evaluation(at_.equations());
  if (recursive_) return once * (2 + along) + tree_->operations();
  return once * (1 + along + operations::kWithDirections * equations_.sweeps()) +
         equations_.factorOperations();
}

/// change = matrix^-1 residue; of least norm where that is not unique.
bool Completion::solve() {
  ScaledSystem& system = equations_.system;
  if (!equations_.factor()) return false;
  const double weakest = equations_.weakestRow();
  conditioning_ = system.pivot() * weakest * weakest;
  open_.forgetLoose();
  if (system.isFactored() && !system.isSparse() && system.pivot() < OpenUnknowns::kAlike)
    open_.find();
  system.solve();
  if (system.isFactored()) return true;
  ties_.forget();
  for (int s = 0; s < system.scaled().blocks(); ++s) {
    if (!system.isSingular(s)) continue;
    if (ties_.solve(s)) {
      hidden_ = true;
    } else {
      contradiction_ = std::max(contradiction_, system.solveAtLeastNorm(s));
      singular_ = true;
    }
  }
  if (singular_) open_.find();
  return contradiction_ == 0;
}

/// That of column i: a rate, an unknown of a part, or a multiplier.
double Completion::unknownAt(int i, const std::vector<double>& y,
                             const std::vector<double>& yp) const {
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  if (i >= nvx) return y[l.lambdaOffset() + columns_.active()[i - nvx]];
  return (l.unknowns[l.nq + i].differential ? yp : y)[l.nq + i];
}

void Completion::step(std::vector<double>& y, std::vector<double>& yp) const {
  const Layout& l = at_.layout();
  const int nvx = l.nv + l.nx;
  const Eigen::VectorXd& change = equations_.system.change;
  for (int c = 0; c < nvx; ++c) {
    const size_t i = l.nq + c;
    (l.unknowns[i].differential ? yp : y)[i] -= change[c];
  }
  for (size_t k = 0; k < columns_.active().size(); ++k) {
    y[l.lambdaOffset() + columns_.active()[k]] -= change[nvx + k];
  }
}

/// Largest element of the change, relative to 1 or to what it is of: of all, or of rates of states alone.
double Completion::largestChange(const std::vector<double>& y, const std::vector<double>& yp,
                                 bool ratesAlone) const {
  const Layout& l = at_.layout();
  double largest = 0;
  for (int i = 0; i < (ratesAlone ? l.nv + l.nx : size()); ++i) {
    if (ratesAlone && !l.unknowns[l.nq + i].differential) continue;
    const double x = i >= l.nv + l.nx ? 0 : unknownAt(i, y, yp);
    const double change = std::abs(equations_.system.change[i]) / (1 + std::abs(x));
    if (change < kShares && open_.isLoose(i)) continue;
    if (!(change <= largest)) largest = change;
  }
  return largest;
}

/// What is known beforehand, and zero where nothing will be found.
void Completion::clear(std::vector<double>& y, std::vector<double>& yp) {
  const Layout& l = at_.layout();
  kinematicRates(l, y.data(), yp.data());
  for (int i = l.lambdaOffset(); i < l.size(); ++i) yp[i] = 0;
  for (int i = l.muOffset(); i < l.size(); ++i) y[i] = 0;
  if (std::ssize(columns_.active()) < l.nlambda) {
    for (int k = 0; k < l.nlambda; ++k) {
      if (!std::binary_search(columns_.active().begin(), columns_.active().end(), k))
        y[l.lambdaOffset() + k] = 0;
    }
  }
  singular_ = hidden_ = false;
  open_.clear();
  contradiction_ = lastChange_ = 0;
  conditioning_ = 1;
}

bool Completion::complete(double t, std::vector<double>& y, std::vector<double>& yp,
                          Factors factors) {
  const Layout& l = at_.layout();
  takeConstraints();
  clear(y, yp);
  if (size() == 0) return true;
  ScaledSystem& system = equations_.system;
  if (tree_ && recursive_) {
    at_.setPoint(t, y.data(), yp.data());
    equations_.formRows(false);
    if (tree_->solve(system.residue, system.change)) {
      conditioning_ = tree_->conditioning();
      step(y, yp);
      recursionTried_ = true;
      return true;
    }
    // Joints without mass of their own stay so; what happens on the way is no reason to change.
    recursive_ = recursionTried_;
  }
  equations_.allocate();
  if (!followed_.areSorted()) sortFollowed(t, y, yp);
  followed_.follow(t, y, yp);
  // Mechanics alone are linear in all of this; parts with unknowns of their own need not be.
  const int iterations = l.nx > 0 ? kIterations : 1;
  bool near = factors == Factors::near && system.isFactored() && l.nx > 0 && !followed_.anyRides();
  if (!near) system.forgetFactors();
  double largest = 0, taken = 0;  // changes: found, and of the step before
  const bool canDamp = iterations > 1 && !followed_.anyRides();
  if (canDamp) {
    before_ = y;
    ratesBefore_ = yp;
  }
  for (int k = 0; k < iterations; ++k) {
    at_.setPoint(t, y.data(), yp.data());
    if (followed_.anyRides()) {
      equations_.formMatrix();
      carry(t, y, yp);
    }
    equations_.formRows();
    // What is linear is solved by now: the factors of the step before tell.
    if (system.isFactored() && !followed_.anyRides()) {
      system.solve();
      largest = largestChange(y, yp);
      if (k == 1 && largest > kSolved && largest < kShares && !system.isSparse() &&
          !open_.knowsLoose() && system.pivot() < OpenUnknowns::kLoose) {
        open_.findLoose([&](int i) { return unknownAt(i, y, yp); });
        largest = largestChange(y, yp);
      }
      const bool done =
          largest <= kSolved || (largest < kRounding && taken > 0 && largest > 0.5 * taken);
      near = near && (k == 0 || largest < kChord * taken);
      if (done || near) step(y, yp);
      if (done) break;
      taken = largest;
      if (near) continue;
    }
    if (!followed_.anyRides()) equations_.formMatrix();
    equations_.differentiateRows();
    if (!solve()) {
      largest = 1;
      if (k > 0 && canDamp) break;  // whole steps have led astray
      // Equations that contradict each other are all met as well as they can be.
      if (std::isfinite(contradiction_) && contradiction_ > 0) step(y, yp);
      return false;
    }
    step(y, yp);
    if (followed_.anyRides()) followed_.follow(t, y, yp);
    taken = largest = largestChange(y, yp);
    if (largest <= kSolved) break;
  }
  bool isSolved = iterations == 1 || largest < kRounding;
  if (!isSolved && canDamp) {
    // Whole steps may have ended anywhere.
    y = before_;
    yp = ratesBefore_;
    isSolved = completeDamped(t, y, yp);
  }
  lastChange_ = iterations == 1 ? 0 : largestChange(y, yp, true);
  if (!at_.carried().empty()) carry(t, y, yp);
  return isSolved;
}

/// Behind a bend that no event tells of whole steps may lead to and fro for ever: of each only a part is
/// taken, such that the next one, by the same matrix, is shorter (Deuflhard's natural monotonicity).
bool Completion::completeDamped(double t, std::vector<double>& y, std::vector<double>& yp) {
  ScaledSystem& system = equations_.system;
  const auto residues = [&] {
    at_.setPoint(t, y.data(), yp.data());
    equations_.formRows();
  };
  residues();
  for (int k = 0; k < kDampedIterations; ++k) {
    equations_.formMatrix();
    equations_.differentiateRows();
    if (!solve()) return false;
    const std::vector<double> from = y, rates = yp;
    const Eigen::VectorXd whole = system.change;
    const double change = largestChange(from, rates);
    step(y, yp);
    residues();
    if (change < kRounding) return true;
    for (double part = 1;; part /= 2) {
      system.solve();
      if (largestChange(from, rates) <= (1 - part / 2) * change) break;
      if (part < kShortestPart) return false;
      y = from;
      yp = rates;
      system.change = part / 2 * whole;
      step(y, yp);
      residues();
    }
  }
  return false;
}

}  // namespace cardan
