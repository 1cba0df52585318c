/// The Newton matrix dF/dy + cj dF/dy', exact, factorised densely, sparsely or by a recursion over
/// the tree.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "engine/dynamics/evaluation_point.h"
#include "engine/dynamics/reaction_columns.h"
#include "engine/dynamics/resting_unknowns.h"
#include "engine/dynamics/sparse_lu.h"
#include "engine/structure/block_lu.h"

namespace cardan {

class TreeNewton;

/// Large trees are eliminated joint by joint (TreeNewton). For the others the matrix is formed and
/// its velocities are eliminated by the kinematic rows: with dv = K dq + G^T dmu - b (K = cj where
/// der(q) = v) and da = cj dv the remaining unknowns are (q, x, lambda, mu): half the size, and
/// half as many directions to differentiate.
///
/// Of islands there is a block each. Where the whole is sparse, columns without common rows are differentiated together and the factors are
/// sparse.
///
/// Columns of lambda, and G^T, are reactions carried to the world (ReactionColumns), or, where a
/// multiplier does more, come from a sweep of the constraints alone. Where the sweep of the others has
/// directions to spare, it takes these too, with the velocities (dv, and da = cj dv) in place of mu,
/// whose columns are made of theirs: a small loop costs one evaluation.
///
/// Exact where mu = 0, as it is on solutions: d(G^T mu)/dq is left out of the kinematic rows. Rows
/// of redundant constraints (multiplier = 0) are left out with their multipliers.
class NewtonMatrix {
 public:
  enum class Form { automatic, condensed, tree };

  explicit NewtonMatrix(const Equations& equations);
  ~NewtonMatrix();

  /// Evaluates and factorises at a point; arrays of length n. False: singular or not finite.
  /// `evaluated`: the equations at that point, where the caller has them.
  bool factor(double t, double cj, const double* y, const double* yp,
              const Workspace<double>* evaluated = nullptr);

  /// solve() from now on with the last factors as those of another cj: what inertia and constraints
  /// are in them is exact, as each of their unknowns and rows goes with a power of cj; of forces it is
  /// the part that short steps do not feel. False: over a tree, whose factors cost little.
  bool carryTo(double cj);

  /// J x = b with the last factorised J; may alias. Redundant multipliers stay: b is zero there.
  void solve(const double* b, double* x);

  /// Patterns that the next matrices go by to the last digit, into an archive or, where the unknowns are
  /// the same, out of it.
  template <class Archive>
  void exchange(Archive& archive) {
    resting_.exchange(archive);
    if (archive.isReading() && nc_ >= 0) chooseActive();
    std::vector<int> rest = rest_;
    ColouredJacobian columns = columnSweep_, multipliers = multiplierSweep_, joint = jointSweep_;
    archive(rest);
    for (ColouredJacobian* of : {&columns, &multipliers, &joint}) archive(*of);
    if (!archive.isReading() || rest != rest_ || nc_ < 0) return;
    columnSweep_ = std::move(columns);
    multiplierSweep_ = std::move(multipliers);
    jointSweep_ = std::move(joint);
    for (BlockMatrix* of : {&matrix_, &derivatives_, &ofSwept_}) of->setZero();
    analysed_ = -1;
  }

  /// What the next matrix leaves out.
  RestingUnknowns& resting() { return resting_; }

  /// How to factorise from now on; `tree` where the structure allows it.
  void setForm(Form form) { form_ = form; }
  /// True: the last factorisation went over the tree.
  bool overTree() const { return overTree_; }
  /// True: the last factors were sparse.
  bool sparse() const { return !overTree_ && sparse_; }
  /// Operations of one matrix with its factors, and of one solution, about (operations.h).
  double operations() const;
  double operationsOfSolution() const;
  /// Evaluations with directions for one matrix, kinematic rows aside.
  int evaluations() const {
    return together_ ? jointSweep_.evaluations()
                     : columnSweep_.evaluations() + multiplierSweep_.evaluations();
  }

 private:
  bool factorTree(double t, double cj, const double* y, const double* yp,
                  const Workspace<double>* evaluated);
  bool factorCondensed(double t, double cj, const double* y, const double* yp,
                       const Workspace<double>* evaluated);
  void takeKinematicResidues(const double* b);
  void solveCondensed(const double* b, double* x);
  void solveCarried(const double* b, double* x);
  void allocateCondensed();
  void chooseActive();
  void allocateChosen();
  int elementOf(int condensed) const {
    return condensed < nq_ ? condensed : rest_[static_cast<size_t>(condensed - nq_)];
  }
  void keepPattern(const ColouredJacobian& before, const std::vector<int>& elements);
  void kinematicBlocks(double cj, const double* y, const double* yp);
  void addVelocity(int v, int lane, double dv);
  void clearVelocity(int v, int lane);
  void seedUnknown(int column, int lane, double on);
  void clearUnknown(int column, int lane);
  void setMultiplier(int j, int lane, double on);
  double derivative(int row, int lane) const;
  void reactionColumns(const Workspace<double>& evaluated);
  void multiplierColumns(const Workspace<double>& evaluated);
  void takeMultiplierColumns();
  void takeExtraRows();
  void columns();
  void columnsTogether(const Workspace<double>& evaluated);
  bool factorDense();
  bool factorSparse();

  const Equations& equations_;
  Form form_ = Form::automatic;
  bool overTree_ = false;
  std::unique_ptr<TreeNewton> tree_;
  EvaluationPoint at_;

  // Condensed; allocated when it is needed first
  Workspace<Dual>* w_ = nullptr;  ///< of at_
  double cj_ = 0;
  double ratio_ = 1;             ///< of the cj that solve() is for, to cj_
  std::vector<double> carried_;  ///< right side for cj_, then changes of q; empty: as factored
  int n_, nq_, nv_;
  std::vector<int> stepOfPosition_;  ///< index into Layout::tree, per position
  std::vector<int> rest_;            ///< the other unknowns, and rows, that are not redundant
  std::vector<int> restBefore_;      ///< at the last factorisation
  std::vector<int> activeLambda_;    ///< multipliers among them
  std::vector<int> activeMu_;        ///< those among them, counted from the first mu
  std::vector<int> lambdaOfMu_;      ///< per active mu: index into activeLambda_
  std::vector<int> residualOf_;      ///< per condensed row; -1: a constraint among q of an edge
  std::vector<int> positionOf_;      ///< per velocity: the condensed row of its dynamics
  RestingUnknowns resting_;
  ReactionColumns reactions_;
  std::vector<int> swept_;        ///< of activeLambda_, as indices: those that reactions_ has not
  bool multipliersKnown_ = true;  ///< the last sweep over the multipliers met its pattern
  int nc_ = -1;                   ///< condensed size: nq and the rest
  int firstLambda_ = 0, firstMu_ = 0;  ///< condensed columns
  ColouredJacobian columnSweep_, multiplierSweep_;
  bool together_ = false;        ///< jointSweep_ stands for both
  ColouredJacobian jointSweep_;  ///< columns as condensed up to lambda, then the velocities
  // Condensed rows, then those of G^T
  BlockMatrix derivatives_;  ///< of jointSweep_
  BlockMatrix multipliers_;  ///< columns of the active lambda
  BlockMatrix ofSwept_;      ///< of those that are swept
  BlockMatrix matrix_;       ///< condensed; in the dense form its rows and columns are scaled to a
                             ///< largest element of about one
  Eigen::VectorXd scale_;    ///< row factors
  Eigen::VectorXd columnScale_;
  BlockLu lu_;
  bool sparse_ = false;
  SparseLu sparseLu_;
  int analysed_ = -1;           ///< version of the pattern that sparseLu_ knows
  std::vector<double> values_;  ///< of the pattern
  Eigen::VectorXd rhs_, solution_;
  Eigen::MatrixXd K_;      ///< max nv x nq per edge, side by side: column q holds dv/dq of its edge
  Eigen::MatrixXd extra_;  ///< constraint rows among q of an edge, per column of q
  BlockMatrix WGt_;        ///< W G', nv x active mu: what mu adds to the velocities
};

}  // namespace cardan
