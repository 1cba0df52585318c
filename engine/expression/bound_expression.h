/// An expression made ready for the run: evaluated often, for doubles and dual numbers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/expression/expression.h"
#include "engine/expression/program.h"
#include "engine/expression/resolver.h"
#include "engine/expression/value.h"
#include "engine/text/diagnostics.h"

namespace cardan {

/// Operations on slots of variables; types and shapes are checked, names resolved.
///
/// Evaluation looks nothing up, and allocates nothing where the caller keeps the registers (the
/// short forms make their own). Results that are not finite are the caller's to detect;
/// fault() explains them.
///
/// Relations `< <= > >=` between numbers outside noEvent() and smooth() are event candidates. After
/// watchBends() the kinks of abs, min, max and the jumps of sign, floor, ceil, integer, div, mod,
/// rem are, too; noEvent(abs(x)) is a plain function. `==` and `<>` never are.
class BoundExpression {
 public:
  /// The time at which a relation between `time` and constants changes.
  struct TimeEvent {
    double time;
    bool after;  ///< value of the relation from then on; before it is the opposite
  };

  /// Place of the first character of the text.
  const SourceMark& at() const { return expression_.at(); }
  const ValueShape& shape() const { return shape_; }
  int size() const { return std::ssize(outputs_); }
  bool isBoolean() const { return type_ == ValueType::boolean; }
  /// True if no variable and no time is in it; constant() is its value.
  bool isConstant() const { return constant_.has_value(); }
  const ExpressionValue& constant() const { return *constant_; }

  /// Writes size() results to `out`, row by row; Booleans as 1 and 0. S: double or Dual.
  /// `frozen`: the states of all relations; nullptr: each compares for itself. So they do, too, where
  /// a frozen branch is asked beyond its end for what is not finite there: sqrt(abs(x)) while x > 0
  /// is held, at an x just below.
  template <class S>
  void evaluate(const S* slots, const S& time, const RelationState* frozen,
                std::vector<S>& registers, S* out) const;
  template <class S>
  void evaluate(const S* slots, const S& time, const RelationState* frozen, S* out) const {
    std::vector<S> registers;
    evaluate(slots, time, frozen, registers, out);
  }

  /// The same with another reading.
  void evaluateAs(Reading reading, const double* slots, double time, const RelationState* frozen,
                  std::vector<double>& registers, double* out) const;

  /// Makes the jumps of functions relations, and their kinks if `kinks`: the motion feels them. Call once.
  void watchBends(bool kinks = true);

  /// Program::packSlots().
  std::vector<int> packSlots() { return program_.packSlots(); }
  /// Per result the slot of the variable that it is, as it stands; -1: it is more than that.
  std::vector<int> slotsAsTheyAre() const;

  bool bendsUnseen() const { return program_.bendsUnseen(); }
  bool jumps() const { return program_.jumps(); }
  Program::Compared compared() const { return program_.compared(); }
  Program::Unseen unseen() const { return program_.unseenIn(outputs_); }
  int relationCount() const { return std::ssize(program_.relations()); }
  /// left - right of all relations: each changes its sign where the relation does; 0 where it is no more
  /// than the rounding of what it was computed from. Frozen kinks give way a hair later. Of a floor n, or
  /// one that has the state of n, (left - n) (n + 1 - left): negative where it is another one.
  void relationResiduals(const double* slots, double time, const RelationState* frozen,
                         std::vector<double>& registers, double* residuals) const;
  void relationResiduals(const double* slots, double time, const RelationState* frozen,
                         double* residuals) const {
    std::vector<double> registers;
    relationResiduals(slots, time, frozen, registers, residuals);
  }
  /// What the relations say at a point; later ones see the `frozen` states of earlier ones.
  void relationStates(const double* slots, double time, const RelationState* frozen,
                      std::vector<double>& registers, RelationState* states) const;
  void relationStates(const double* slots, double time, const RelationState* frozen,
                      RelationState* states) const {
    std::vector<double> registers;
    relationStates(slots, time, frozen, registers, states);
  }
  /// When relation k changes, if it is one between time and constants, like `2*time < t0`, that
  /// changes once.
  std::optional<TimeEvent> timeEvent(int k) const { return timeEvents_[k]; }

  /// Program::typeInTime of the value, or of what relation k compares.
  double typeInTime(double perDegree) const { return program_.typeInTime(outputs_, perDegree); }
  double typeInTime(int k, double perDegree) const {
    const Program::Relation& r = program_.relations()[k];
    const double sides = program_.typeInTime({r.left, r.right}, perDegree);
    return r.operation == Operation::wholePart ? 2 * sides : sides;
  }

  /// What the value reads, and what the two sides of relation k read.
  Program::Reads reads() const { return program_.readsOf(outputs_); }
  /// What the value follows between events.
  Program::Reads follows() const { return program_.followedBy(outputs_); }
  Program::Reads relationReads(int k) const {
    const Program::Relation& r = program_.relations()[k];
    return program_.readsOf({r.left, r.right});
  }

  /// The same in the branches that an evaluation with `frozen` relations has chosen, of the value or
  /// of relation k; `registers` are those of that evaluation.
  Program::Reads reads(const std::vector<double>& registers, const RelationState* frozen) const {
    return program_.readsOf(outputs_, registers.data(), frozen);
  }
  Program::Reads relationReads(int k, const std::vector<double>& registers,
                               const RelationState* frozen) const {
    const Program::Relation& r = program_.relations()[k];
    return program_.readsOf({r.left, r.right}, registers.data(), frozen);
  }

  /// Relation k is of a floor.
  bool isOfFloor(int k) const { return program_.relations()[k].operation == Operation::wholePart; }

  /// The text of relation k, or of the function that it is a bend of, and where that stands.
  struct Place {
    std::string text;
    SourceMark at;
  };
  Place placeOfRelation(int k) const;
  /// How many operations the value and the relations take.
  int operations() const { return program_.size(); }

  /// What goes wrong in an evaluation.
  struct Fault {
    std::string text;     ///< names the sub-expression: "division by zero in 'a/(time - 1)'"
    std::string cure;     ///< Program::Fault's
    SourceMark at;        ///< of that sub-expression in the file
    bool isRead = false;  ///< it is a variable that is read: the cause lies elsewhere
  };
  /// The first thing that goes wrong; nothing if all is finite.
  std::optional<Fault> fault(const double* slots, double time,
                             const RelationState* frozen = nullptr) const;
  /// A comparison of what is no number decides the value.
  struct Undecided {
    std::string text;  ///< of the comparison
    SourceMark at;
    std::string cause;  ///< what is wrong with the side that is no number; "" where that is read
    int slot =
        -1;  ///< the variable that is read and is no number, or hangs on such a comparison itself
    bool isOpen = false;  ///< it hangs on one
  };
  std::optional<Undecided> undecided(const double* slots, double time, const RelationState* frozen,
                                     std::vector<double>& registers,
                                     const std::function<bool(int)>& hangs) const;
  Program::Risk riskOf(const std::function<bool(int)>& isRisky) const {
    return program_.riskOf(outputs_, isRisky);
  }

 private:
  friend std::optional<BoundExpression> bind(const Expression&, VariableResolver&, Diagnostics&);
  explicit BoundExpression(Expression expression) : expression_(std::move(expression)) {}
  void findTimeEvents();
  void runRelations(const double* slots, double time, const RelationState* frozen,
                    std::vector<double>& registers) const;
  double residual(int k, const RelationState* frozen, const std::vector<double>& registers,
                  const double* sizes) const;
  template <class S>
  void prepare(std::vector<S>& registers) const {
    if (registers.empty()) program_.prepare(registers);
  }

  Expression expression_;  // keeps the nodes that messages print
  ValueType type_ = ValueType::real;
  ValueShape shape_;
  std::optional<ExpressionValue> constant_;
  Program program_;
  std::vector<int> outputs_;  // registers
  std::vector<std::optional<TimeEvent>> timeEvents_;
};

/// Resolves names and checks types and shapes; errors go to `diagnostics`. The result is a number,
/// a Boolean or an array.
std::optional<BoundExpression> bind(const Expression& expression, VariableResolver& resolver,
                                    Diagnostics& diagnostics);

extern template void BoundExpression::evaluate(const double*, const double&, const RelationState*,
                                               std::vector<double>&, double*) const;
extern template void BoundExpression::evaluate(const Dual*, const Dual&, const RelationState*,
                                               std::vector<Dual>&, Dual*) const;

}  // namespace cardan
