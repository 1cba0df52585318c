/// An expression as a list of operations on scalars, each with its own register.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/expression/expression.h"
#include "engine/expression/scalar_operation.h"

namespace cardan {

/// The frozen value of a relation: 1 true, 0 false; of a floor stateOfFloor().
using RelationState = std::int32_t;
/// In place of the first state of an expression: its relations compare for themselves.
inline constexpr RelationState kOpenRelation = -1;

/// Whether the change of a relation is an event: never, always, or where the motion feels the
/// function that has a kink (abs, max) or a jump (sign, floor) there.
enum class Watch { never, always, kink, jump };

/// A kink's relation changes this far beyond equality of its sides: noise about zero is no event, and at
/// the event the decision is clear.
inline double hairOf(double left, double right) {
  return 1e-10 * (1 + std::min(std::abs(left) + std::abs(right), 1e100));
}
/// So near to a kink relations compare the function itself, whatever is frozen: floor(abs(x)) is not -1.
inline bool isAtKink(double left, double right) {
  return std::abs(left - right) < 2 * hairOf(left, right);
}

/// One operation; its operands are registers, its result goes to the register with its own number.
struct Instruction {
  Operation operation = Operation::constant;
  int a = -1;  ///< register; the slot of `load`
  int b = -1;  ///< register; unused of unary operations
  /// Register of `select`. Of a relation, and of a floor that jumps by events: the number of its
  /// event, -1 for none; -2 - k for bend k before watchBends().
  int c = -1;
};

/// An operand while the program is built: a number, or the result of an instruction.
struct Operand {
  double constant = 0.0;
  int target = -1;

  static Operand number(double x) { return {x, -1}; }
  bool isConstant() const { return target < 0; }
};

/// The operations of one or more outputs in the order of their dependencies.
class Program {
 public:
  /// Of wholePart the left side counts alone.
  struct Relation {
    int left;
    int right;
    Operation operation;
    bool isKink = false;  ///< of a function that is continuous
    bool operator==(const Relation&) const = default;
  };

  Operand load(int slot, const ExpressionNode* origin);
  Operand time(const ExpressionNode* origin);
  /// The result of an operation; equal operations are done once. Operands that are all constant are
  /// folded, unless the result is not finite. `watch`: of a relation or a floor.
  Operand apply(Operation op, Operand a, Operand b, const ExpressionNode* origin,
                Watch watch = Watch::never);
  Operand select(Operand condition, Operand yes, Operand no, const ExpressionNode* origin);

  /// Register of an operand.
  int target(Operand x);

  /// Drops the operations that neither `outputs` nor relations need. Call once, last.
  void finish(const std::vector<int>& outputs);

  int size() const { return std::ssize(instructions_); }
  /// Numbers the slots that are read anew, without gaps; returns which they were, in their order.
  std::vector<int> packSlots();
  /// That register `i` is loaded from; -1: it is computed.
  int slotOf(int i) const {
    return instructions_[i].operation == Operation::load ? instructions_[i].a : -1;
  }
  /// Those whose changes are events.
  const std::vector<Relation>& relations() const { return relations_; }
  /// What it computes may bend or jump where no relation tells of it: inside noEvent() and smooth().
  bool bendsUnseen() const { return bendsUnseen_; }
  void setBendsUnseen() { bendsUnseen_ = true; }
  /// A function in it jumps where no relation tells of it before watchBends().
  bool jumps() const;
  /// What the comparisons read that the outputs depend on, also those for equality; `jumps`: one of these
  /// reads such a function.
  struct Compared {
    bool jumps;
    std::vector<int> slots;
  };
  Compared compared() const;
  /// From now on the jumps of functions, and their kinks if `kinks`, are among the relations. Call once,
  /// after finish().
  void watchBends(bool kinks);

  /// Runs the operations of the outputs.
  template <class S>
  void run(const S* slots, const S& time, const RelationState* frozen, S* registers) const {
    run(order_, slots, time, frozen, registers);
  }
  /// The same of plain numbers with another reading.
  void runAs(Reading reading, const double* slots, double time, const RelationState* frozen,
             std::vector<double>& registers) const;
  /// Runs the operations that the relations compare.
  void runRelations(const double* slots, double time, const RelationState* frozen,
                    double* registers) const {
    run<double, true>(relationOrder_, slots, time, frozen, registers);
  }

  /// Puts the constants into the registers.
  template <class S>
  void prepare(std::vector<S>& registers) const {
    registers.assign(instructions_.size(), S(0.0));
    for (size_t i = 0; i < instructions_.size(); ++i) {
      if (instructions_[i].operation == Operation::constant) registers[i] = S(constants_[i]);
    }
  }

  /// What went wrong on the way to a register that is not finite.
  struct Fault {
    std::string text;  ///< "division by zero in '1/x'"
    std::string
        cure;  ///< "", or what keeps the argument in its domain: "max(x, 0) in place of 'x'"
    const ExpressionNode* node = nullptr;
    bool isRead = false;  ///< a variable that is read was not finite already
    int slot = -1;        ///< of that
  };
  /// The operation that first went wrong on the way to register `i`; nothing if that is finite.
  std::optional<Fault> faultAt(int i, const std::vector<double>& registers) const;

  /// A comparison on the way to a result that is of no number, in the branches taken, and decides it; or a
  /// variable that hangs on one itself.
  struct Undecided {
    int at;    ///< register of the comparison, or of the variable
    int side;  ///< register of the side that is no number; -1: a variable
  };
  /// `hangs(slot)`: the variable read there does; none: no one. `registers` are those of a run.
  std::optional<Undecided> undecided(const std::vector<int>& results,
                                     const std::vector<double>& registers,
                                     const std::function<bool(int)>& hangs) const;
  /// Some operation that registers need may have no number as its result, or some slot that is read has
  /// `isRisky(slot)`: for the results, and for what is compared on the way to them.
  struct Risk {
    bool inResults, inComparisons;
  };
  Risk riskOf(const std::vector<int>& results, const std::function<bool(int)>& isRisky) const;

  /// The difference left - right of each relation as a function slope*time + offset; slope NaN
  /// where it is none.
  struct Affine {
    double slope;
    double offset;
  };
  std::vector<Affine> relationsInTime() const;

  /// The exponential type of `results` as functions of time alone [1/s]: they have nothing that is
  /// narrower than about its inverse (Bernstein's inequality). Sums of products of polynomials, sin, cos
  /// and exp of what is affine in time have one, and what is made of these between the events of its
  /// relations; `perDegree` is that of time itself over a span. Infinity: none is known.
  double typeInTime(const std::vector<int>& results, double perDegree) const;

  /// What register `i` stands for in the text; null: not known.
  const ExpressionNode* originOf(int i) const { return origins_[i]; }
  /// What relation k stands for in the text; null: not known.
  const ExpressionNode* originOfRelation(int k) const;

  /// What some results read.
  struct Reads {
    bool time = false;
    std::vector<int> slots;  ///< of variables
  };
  Reads readsOf(const std::vector<int>& results) const;
  /// What they follow between events: without what only tells when something jumps.
  Reads followedBy(const std::vector<int>& results) const;
  /// Comparisons that decide a Boolean result and are no events, with what their sides follow; and the
  /// Booleans that decide it.
  struct Unseen {
    struct Comparison {
      const ExpressionNode* node;
      Reads follows;
    };
    std::vector<Comparison> comparisons;
    std::vector<int> slots;
  };
  Unseen unseenIn(const std::vector<int>& results) const;
  /// The same in the branches that the registers of a run with `frozen` relations have chosen; these
  /// read nothing themselves.
  Reads readsOf(const std::vector<int>& results, const double* registers,
                const RelationState* frozen) const;
  /// Per register how large the terms are that the sides of the relations were computed from: sums
  /// that cancel are known to rounding of these. `registers` of runRelations(), which keep them.
  const double* relationSizes(std::vector<double>& registers) const;

  /// Derivative by time of a result. `ofLoad` gives the derivative of a variable, by the register
  /// that holds it.
  Operand derivative(Operand x, const std::function<Operand(int)>& ofLoad,
                     const ExpressionNode* origin);

 private:
  std::vector<Affine> affineInTime() const;
  /// `compares`: for what relations compare, which are true to their value near a kink.
  template <class S, bool compares = false>
  void run(const std::vector<int>& order, const S* slots, const S& time,
           const RelationState* frozen, S* registers) const;
  void addSize(int i, const double* registers, double* sizes) const;
  double meant(const Instruction& step, double asComputed, const double* registers,
               const double* sizes) const;
  std::vector<int> neededFor(const std::vector<int>& roots) const;
  void orderRelations();
  Operand chainRule(int i, const std::map<int, Operand>& rates, const ExpressionNode* origin);
  Operand asOperand(int i) const;
  Operand append(Instruction instruction, const ExpressionNode* origin);

  std::vector<Instruction> instructions_;
  std::vector<double> constants_;  // of each register, 0 where it is not constant
  std::vector<const ExpressionNode*> origins_;
  std::vector<Relation> relations_, bends_;
  bool bendsUnseen_ = false;
  bool decides_ = false;    // by numbers: some operation is a floor or compares which is larger
  std::vector<int> order_;  // registers to compute for the outputs
  std::vector<int> relationOrder_;  // and for the relations
  std::map<std::tuple<Operation, int, int, int>, int> known_;
  std::map<std::uint64_t, int> knownConstants_;
};

template <class S, bool compares>
void Program::run(const std::vector<int>& order, const S* slots, const S& time,
                  const RelationState* frozen, S* registers) const {
  for (const int i : order) {
    const Instruction& step = instructions_[i];
    S& result = registers[i];
    if (step.operation == Operation::load) {
      result = slots[step.a];
    } else if (step.operation == Operation::time) {
      result = time;
    } else if (step.operation == Operation::select) {
      result = registers[value(registers[step.a]) != 0.0 ? step.b : step.c];
    } else if (frozen && step.c >= 0) {
      const double state = frozen[step.c];
      if (step.operation == Operation::floor) {
        result = S(floorOfState(value(registers[step.a]), state));
      } else if (compares && relations_[step.c].isKink &&
                 isAtKink(value(registers[step.a]), value(registers[step.b]))) {
        result = applyOperation(step.operation, registers[step.a], registers[step.b]);
      } else {
        result = S(state);
      }
    } else {
      const S& b = registers[step.b < 0 ? step.a : step.b];
      result = applyOperation(step.operation, registers[step.a], b);
    }
  }
}

}  // namespace cardan
