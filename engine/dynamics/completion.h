/// Completion: accelerations, multipliers and algebraic unknowns that belong to given positions and
/// velocities.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "engine/dynamics/constraint_projection.h"
#include "engine/dynamics/open_unknowns.h"
#include "engine/dynamics/rate_equations.h"
#include "engine/dynamics/reaction_sharing.h"
#include "engine/dynamics/tied_states.h"

namespace cardan {

class BorderedTree;

/// Solves again what the integrator leaves inexact or undefined: at the start, after events, at
/// every output row. Where parts have no unknowns but Kind::Rated the accelerations are solved joint by
/// joint, constraints bordered on the tree. Nothing is allocated after the first use, unless the equations
/// are singular, a signal of the state prescribes a motion, or positions have no inertia.
class Completion {
 public:
  /// Rows that RunState::redundant leaves out have multipliers of zero; where other ones come to be
  /// left out it allocates anew.
  explicit Completion(const Equations& equations);
  ~Completion();

  using Care = ConstraintProjection::Care;

  /// The last complete() went joint by joint.
  bool recursive() const { return recursive_; }
  /// Solves joint by joint wherever the structure allows it: for runs, which need no matrix().
  void useTreeSolver() { recursive_ = true; }
  /// For a method that goes on bit for bit from a saved state: the last digits of small matrices do not
  /// depend on points before.
  void forgetPoints() { equations_.forgetPoints(); }

  /// From t, q, v and the differential x in `y`, in the current modes: der(q), der(v), der(x),
  /// lambda and the algebraic x; mu = 0; and the velocities of positions without inertia
  /// (EvaluationPoint::carried). The old values serve as the guess. False: not solvable
  /// (nothing determines some of them, or the equations contradict each other: then all are met as
  /// well as they can be, see contradiction()).
  /// `factors`: near, where those of the call before, in the same modes and not far from here, are to be
  /// tried first.
  enum class Factors { fresh, near };
  bool complete(double t, std::vector<double>& y, std::vector<double>& yp,
                Factors factors = Factors::fresh);

  /// Shares the reactions out where redundant rows leave them undetermined: of all that move the
  /// model alike, those of least norm (forces [N] and torques [N.m] of all joints at their
  /// frame_b), whichever joint the loops are cut at. To follow complete() at the same instant; does
  /// nothing where no row is redundant.
  void shareReactions(double t, std::vector<double>& y, const std::vector<double>& yp);

  /// Moves q onto the constraints on position level and v onto those on velocity level, by the
  /// least change. Does nothing where there are none. `yp` is not touched. False: they cannot be
  /// met from here.
  bool project(double t, std::vector<double>& y, Care care = Care::full);
  /// There are constraints for project().
  bool constrains() const { return projection_.constrains(); }

  /// A follower is a state itself, and what its signal reads is found from it; after complete().
  bool leads(size_t f) const { return followed_.leads(f); }

  /// Patterns that the next solutions go by to the last digit, into an archive or, where the same rows
  /// are in use, out of it.
  template <class Archive>
  void exchange(Archive& archive) {
    std::vector<int> rows = columns_.active();
    archive(rows);
    const bool fits = !archive.isReading() || rows == columns_.active();
    equations_.exchange(archive, fits);
    columns_.exchange(archive, fits);
  }

  /// Multipliers with a row, ascending.
  const std::vector<int>& active() const { return columns_.active(); }
  int size() const { return equations_.size(); }
  /// Equations of the last complete() before its last step: rows [dynamics | components |
  /// constraints], columns [der(v) | der(x) or x | lambda].
  const BlockMatrix& matrix() const { return equations_.system.matrix; }
  /// The same with rows and columns scaled to magnitude 1.
  BlockMatrix scaledMatrix() const;
  /// The last complete() met a singular matrix and chose the solution of least norm.
  bool singular() const { return singular_; }
  /// Unknowns of parts (indices into y) that the last complete() found open against each other alone:
  /// frictions that hold the same motion.
  const std::vector<int>& undetermined() const { return open_.undetermined(); }
  /// Loads that some of these, `own`, may have among themselves while nothing else changes but multipliers:
  /// those that joints bear. A column each, rows as the unknowns of parts; none where any of `own` is open
  /// against others, too.
  Eigen::MatrixXd openAlone(const std::vector<int>& own) const { return open_.openAlone(own); }
  /// Largest residue that the last complete() had to leave, of rows scaled to magnitude 1; 0: it
  /// solved the equations.
  double contradiction() const { return contradiction_; }
  /// The last complete() found rates of states only from the time derivative of equations that tie
  /// states to each other.
  bool hidden() const { return hidden_; }
  /// What an instant without bounds does to the states where such equations are not met, as a potential
  /// that they prescribe has jumped: flows do to the states what they do to their rates, so that charge,
  /// flux and heat are balanced. To follow a complete() that has left a contradiction there; of no size:
  /// that is of other equations.
  Eigen::VectorXd jumpOfTied() { return ties_.jump(); }
  /// How far the equations of the last complete() were from singular ones: the smallest pivot of the
  /// scaled matrix, times the square of the smallest constraint row as it was before, in the model's
  /// own units (a row stands in the matrix twice, as G and as G'). Of a tree solved joint by joint: 1.
  double conditioning() const { return conditioning_; }
  /// What the last iteration of the last complete() still changed of the rates of states, relative; 0: it is
  /// linear. Unknowns that these do not hang on (how stuck frictions share a load) may be found worse.
  double lastChange() const { return lastChange_; }
  /// Operations of the last complete(), about (operations.h).
  double operations() const;
  /// Algebraic unknowns whose rates the last complete() or carry() did not find, as they depend on
  /// accelerations or forces.
  const std::vector<int>& openRates() const { return followed_.openRates(); }
  /// Followers (indices) whose signal depends on accelerations, on forces, or on rates itself, so that
  /// its rate is not known.
  const std::vector<int>& openFollowers() const { return followed_.openFollowers(); }
  /// Rates of the algebraic unknowns that the states determine, into yp; the others (openRates())
  /// become zero. To follow complete() in the same modes.
  void carry(double t, const std::vector<double>& y, std::vector<double>& yp) {
    followed_.carry(matrix(), t, y, yp);
  }

 private:
  void takeConstraints();
  void sortFollowed(double t, std::vector<double>& y, std::vector<double>& yp);
  bool completeDamped(double t, std::vector<double>& y, std::vector<double>& yp);
  bool solve();
  double unknownAt(int i, const std::vector<double>& y, const std::vector<double>& yp) const;
  double largestChange(const std::vector<double>& y, const std::vector<double>& yp,
                       bool ratesAlone = false) const;
  void clear(std::vector<double>& y, std::vector<double>& yp);
  void step(std::vector<double>& y, std::vector<double>& yp) const;

  EvaluationPoint at_;
  ConstraintColumns columns_;
  ConstraintProjection projection_;
  FollowedSignals followed_;
  RateEquations equations_;
  TiedStates ties_;
  OpenUnknowns open_;
  ReactionSharing sharing_;
  std::unique_ptr<BorderedTree> tree_;  ///< null: the matrix is formed
  bool recursive_ = false;
  bool recursionTried_ = false;  ///< with success
  bool singular_ = false;
  bool hidden_ = false;
  double contradiction_ = 0, conditioning_ = 1, lastChange_ = 0;
  std::vector<double> before_, ratesBefore_;  ///< where the steps begin
};

}  // namespace cardan
