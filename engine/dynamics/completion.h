/// Completion: accelerations, multipliers and algebraic unknowns that belong to given positions and
/// velocities.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "engine/dynamics/evaluation_point.h"
#include "engine/dynamics/reaction_columns.h"
#include "engine/dynamics/sparse_lu.h"
#include "engine/structure/block_lu.h"

namespace cardan {

class BodyAccelerations;

/// Moves the positions of one edge onto the constraints among themselves (Q.Q = 1), by the least
/// change. False: they cannot be met from here.
bool projectEdge(const Layout::TreeJoint& step, std::vector<double>& y);

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

  /// How near project() comes: to the last digit, of which much may be left near a singular position;
  /// or to 1e-13 of the model's scales, for a point from which nothing goes on.
  enum class Care { full, row };

  /// The last complete() went joint by joint.
  bool recursive() const { return recursive_; }
  /// Solves joint by joint wherever the structure allows it: for runs, which need no matrix().
  void useTreeSolver() { recursive_ = true; }
  /// For a method that goes on bit for bit from a saved state: the last digits of small matrices do not
  /// depend on points before.
  void forgetPoints();

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
  bool constrains() const { return extraRows_ > 0 || !active_.empty(); }

  /// A follower is a state itself, and what its signal reads is found from it; after complete().
  bool leads(size_t f) const { return !following_.empty() && following_[f] == Following::leads; }

  /// Patterns that the next solutions go by to the last digit, into an archive or, where the same rows
  /// are in use, out of it.
  template <class Archive>
  void exchange(Archive& archive) {
    std::vector<int> rows = active_;
    bool isFormed = matrix_.size() > 0;
    archive(rows);
    archive(isFormed);
    const bool fits = !archive.isReading() || rows == active_;
    if (fits && isFormed) allocateMatrix();
    ColouredJacobian accelerations = accelerationSweep_, rates = rateSweep_,
                     transpose = transposeSweep_;
    for (ColouredJacobian* of : {&accelerations, &rates, &transpose}) archive(*of);
    if (!archive.isReading() || !fits) return;
    if (!isFormed) matrix_ = {};
    accelerationSweep_ = std::move(accelerations);
    rateSweep_ = std::move(rates);
    transposeSweep_ = std::move(transpose);
    for (BlockMatrix* of : {&matrix_, &rates_, &ofSwept_}) of->setZero();
    pattern_ = -1;
    factored_ = false;
  }

  /// Multipliers with a row, ascending.
  const std::vector<int>& active() const { return active_; }
  int size() const { return at_.layout().nv + at_.layout().nx + std::ssize(active_); }
  /// Equations of the last complete() before its last step: rows [dynamics | components |
  /// constraints], columns [der(v) | der(x) or x | lambda].
  const BlockMatrix& matrix() const { return matrix_; }
  /// The same with rows and columns scaled to magnitude 1.
  BlockMatrix scaledMatrix() const;
  /// The last complete() met a singular matrix and chose the solution of least norm.
  bool singular() const { return singular_; }
  /// Unknowns of parts (indices into y) that the last complete() found open against each other alone:
  /// frictions that hold the same motion.
  const std::vector<int>& undetermined() const { return undetermined_; }
  /// Loads that some of these, `own`, may have among themselves while nothing else changes but multipliers:
  /// those that joints bear. A column each, rows as the unknowns of parts; none where any of `own` is open
  /// against others, too.
  Eigen::MatrixXd openAlone(const std::vector<int>& own) const;
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
  Eigen::VectorXd jumpOfTied();
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
  const std::vector<int>& openRates() const { return openRates_; }
  /// Followers (indices) whose signal depends on accelerations, on forces, or on rates itself, so that
  /// its rate is not known.
  const std::vector<int>& openFollowers() const { return openFollowers_; }
  /// Rates of the algebraic unknowns that the states determine, into yp; the others (openRates())
  /// become zero. To follow complete() in the same modes.
  void carry(double t, const std::vector<double>& y, std::vector<double>& yp);

 private:
  Eigen::VectorXd reactions(double t, const std::vector<double>& y, const std::vector<double>& yp);
  void chooseRows();
  void allocateMatrix();
  void allocateRows();
  bool completeRecursively();
  bool completeDamped(double t, std::vector<double>& y, std::vector<double>& yp);
  double weakestRow() const;
  void solveForReactions();
  bool projectEdges(std::vector<double>& y);
  void chooseUnits();
  void accelerationRows(bool inertia = true);
  void accelerationMatrix();
  void differentiateRows();
  void prescribedAccelerations();
  bool solve();
  template <class Visit>
  void eachElement(Visit visit);
  bool scale();
  bool factorSparse();
  void solveByFactors();
  void findUndetermined();
  std::vector<int> ofParts(int island, const Eigen::MatrixXd& open) const;
  void findLoose(const std::vector<double>& y, const std::vector<double>& yp);
  double unknownAt(int i, const std::vector<double>& y, const std::vector<double>& yp) const;
  /// Equations that tie states of an island to each other, with what determines the rates beside them.
  struct Ties {
    Eigen::MatrixXd rows;  ///< combinations of rows of the matrix, one each
    /// The scaled matrix, below it what the combinations are of the states' rates.
    Eigen::MatrixXd all;
    Eigen::VectorXd scales;  ///< of the latter
  };
  Ties findTies(int island);
  Eigen::VectorXd solveTies(const Ties& ties, int island, const Eigen::VectorXd& matrix,
                            const Eigen::VectorXd& tied) const;
  bool solveWithHidden(int island);
  double solveAtLeastNorm(int island);
  void findRowRates();
  void follow(double t, std::vector<double>& y, const std::vector<double>& yp);
  void sortFollowers(double t, std::vector<double>& y, std::vector<double>& yp);
  bool rides(size_t f) const { return !following_.empty() && following_[f] == Following::rides; }
  void findOpenFollowers(const Eigen::MatrixXd& asTheyAre);
  void findCarriers();
  double largestChange(const std::vector<double>& y, const std::vector<double>& yp,
                       bool ratesAlone = false) const;
  void clear(std::vector<double>& y, std::vector<double>& yp);
  void step(std::vector<double>& y, std::vector<double>& yp) const;
  void constraintTranspose();
  void sweepTranspose();
  void positionJacobian();
  void velocityJacobian();
  bool projectPositions(double t, std::vector<double>& y, Care care);
  bool projectVelocities(double t, std::vector<double>& y, Care care);
  void leastChange(const BlockMatrix& J, BlockMatrix& normal, Eigen::VectorXd& residue,
                   Eigen::VectorXd& change, bool& factored);
  double positionRows(const double* y);

  EvaluationPoint at_;
  ReactionColumns reactions_;
  std::vector<int> swept_;  ///< of active_, as indices: those that reactions_ has not
  BlockMatrix ofSwept_;
  std::unique_ptr<BodyAccelerations> tree_;  ///< null: the matrix is formed
  bool recursive_ = false, forgetful_ = false;
  bool recursionTried_ = false;  ///< with success
  bool transposeKnown_ = false;  ///< Gt_ is of the point that project() began at, or nearer
  double moved_ = 0;             ///< sum of what the positions moved since [model's length | rad]
  bool rowsKnown_ = false;       ///< project(): the rows are evaluated at its positions
  bool singular_ = false;
  bool hidden_ = false;
  double contradiction_ = 0, conditioning_ = 1, lastChange_ = 0;
  std::vector<bool> leftOut_;        ///< RunState::redundant that all below is for
  std::vector<int> active_;          ///< multipliers with a row
  std::vector<int> activePosition_;  ///< those with a row on position level
  std::vector<int> projected_;       ///< of active_, as indices: those that project() may use
  std::vector<int> undetermined_;
  std::vector<char>
      loose_;  ///< per column, of the last factors: see findLoose(); empty: not looked at
  std::vector<std::pair<int, Eigen::MatrixXd>>
      open_;                      ///< null vectors of islands, of columns scaled to 1
  std::vector<double> still_;     ///< zero rates
  std::vector<int> jointFrames_;  ///< frame_b of every joint that holds something
  int extraRows_ = 0;             ///< constraints among q of single edges

  BlockMatrix matrix_, scaled_;
  Eigen::VectorXd residue_, scaledResidue_, change_, rowScale_, columnScale_;
  Eigen::VectorXd rowUnit_, columnUnit_;  ///< of the model's scales: its own units make all of one
                                          ///< magnitude
  BlockLu lu_;
  SparseLu sparseLu_;
  bool sparse_ = false;            ///< the last factors are sparse
  int pattern_ = -1;               ///< versions of the sweeps that start_, rows_ are of
  std::vector<int> start_, rows_;  ///< elements of matrix_, column by column
  std::vector<double> values_;     ///< of the scaled matrix
  bool rowRatesKnown_ = false;     ///< of the matrix as it is:
  Eigen::VectorXd rowRates_;       ///< of all rows along the motion
  BlockMatrix byState_;            ///< how these depend on the rates of states
  bool factored_ = false;          ///< there are factors of the whole matrix

  /// How a follower is determined.
  enum class Following {
    moves,  ///< its signal is one of states: the rate is that of the signal
    rides,  ///< likewise, but the signal reads algebraic unknowns, whose rates are carried
    leads   ///< it is a state itself, and what the signal reads is found from it
  };
  std::vector<Following> following_;          ///< per follower; empty: not yet known
  std::vector<double> before_, ratesBefore_;  ///< where the steps begin
  bool anyRides_ = false;
  std::vector<int> algebraic_;  ///< algebraic unknowns of parts
  std::vector<int> carriers_;   ///< rows of components without accelerations or multipliers
  std::vector<int> openRates_, openFollowers_;
  Eigen::MatrixXd ofCarriers_;   ///< rates of algebraic_ by those of the residues of carriers_
  std::vector<char> isCarried_;  ///< per algebraic_: carriers_ determine its rate
  BlockMatrix rates_;  ///< constraint rows, then (for followed signals) those of components, by
                       ///< the velocities
  ColouredJacobian accelerationSweep_, rateSweep_, transposeSweep_;
  BlockMatrix Gt_;  ///< nv x active: velocity rows by v, transposed
  BlockMatrix
      loads_;  ///< likewise: dynamic rows by their multipliers; where none is swept that is Gt_
  BlockMatrix ofMultipliers_;  ///< M^-1 times that
  BlockMatrix schur_;          ///< what the rows see of that
  Eigen::VectorXd load_, answer_, multiplierChange_, rowResidue_;
  BlockLu schurLu_;
  std::vector<int> stepOf_;   ///< per velocity: index into Layout::tree; -1: without a position
  Eigen::MatrixXd rateRows_;  ///< 6 x nq: of v by der(q), edge by edge, where q is not plain

  BlockMatrix Jq_, Jv_;                      ///< rows by q, by v
  BlockMatrix normal_, normalOfVelocities_;  ///< J J' of each, or its factor
  bool positionsFactored_ = false;           ///< normal_ is the factor
  /// The velocity rows by v are the position rows by q, times the model's time.
  bool sameRows_ = false;
  Eigen::VectorXd rq_, rv_, dq_, dv_, ofIsland_;
};

}  // namespace cardan
