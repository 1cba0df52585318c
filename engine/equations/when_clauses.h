/// WhenClauses: what the model file says happens at events, bound to its variables.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/equations/expression_variable.h"
#include "engine/equations/held_values.h"

namespace cardan {

class WhenClauses {
 public:
  /// Fires where the expression becomes true.
  struct Condition {
    std::unique_ptr<ExpressionVariable> expression;
    int held;  ///< whether it was true before
  };
  /// Of a discrete variable.
  struct Assignment {
    std::string name;
    int offset;  ///< into RunState::held
    int size;
    bool isInteger;
    std::unique_ptr<ExpressionVariable> value;
  };
  /// Of a state.
  struct Reinit {
    std::string name;
    std::vector<VariableElement> elements;
    SourceMark at;
    std::unique_ptr<ExpressionVariable> value;
    /// Per element: the unknown that it is a multiple of, plus a constant.
    struct Target {
      int unknown = -1;  ///< index into y
      double slope = 1;
    };
    std::vector<Target> targets;
  };
  struct Assertion {
    std::string message;
    std::unique_ptr<ExpressionVariable> condition;
  };
  struct Branch {
    std::string text;  ///< "when h < 0"
    SourceMark at;
    std::vector<Condition> conditions;  ///< any of them
    std::vector<Assignment> set;
    std::vector<Reinit> reinit;
    std::vector<Assertion> assertions;
    std::string terminate;  ///< why the run ends here; empty: it goes on
  };
  /// At most one branch fires at a time, the first.
  using Clause = std::vector<Branch>;
  /// Assignments in an order in which each comes after those whose new values it reads.
  struct Place {
    size_t clause, branch, assignment;
  };

  explicit WhenClauses(VariableTable& table) : held(table) {}

  HeldValues held;
  std::vector<Clause> clauses;
  std::vector<Assertion> assertions;  ///< at every event
  std::vector<Place> order;

  bool empty() const { return clauses.empty() && assertions.empty() && held.start().empty(); }

  /// Every expression; `switches` tells those that make events.
  template <class F>
  void forEachExpression(F f) const {
    const auto assertion = [&](const Assertion& a) { f(*a.condition, true); };
    for (const Clause& c : clauses) {
      for (const Branch& b : c) {
        for (const Condition& x : b.conditions) f(*x.expression, true);
        for (const Assignment& x : b.set) f(*x.value, false);
        for (const Reinit& x : b.reinit) f(*x.value, false);
        for (const Assertion& x : b.assertions) f(*x.condition, false);
      }
    }
    for (const Assertion& a : assertions) assertion(a);
  }
};

}  // namespace cardan
