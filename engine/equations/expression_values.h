/// ExpressionValues: the numbers of the model's expressions in one workspace.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/expression/scalar_operation.h"

namespace cardan {

class ExpressionVariable;

template <class S>
struct ExpressionValues {
  /// Of one expression: what is read, what came out, and in which pass.
  struct One {
    std::vector<S> slots, results, registers;
    std::uint64_t pass = 0;
  };
  std::vector<One> ofExpression;  ///< by ExpressionVariable's number; made when first needed
  /// Of an array of the table that is no expression, and in which pass.
  struct Array {
    std::vector<S> elements;
    std::uint64_t pass = 0;
  };
  std::vector<Array> ofArray;  ///< by their place in the table; made when first needed
  std::vector<const ExpressionVariable*> waiting;  ///< of an evaluation
  std::uint64_t passes = 0;
  std::vector<S> scratch;            ///< a variable of which one element is wanted
  const double* held = nullptr;      ///< RunState::held
  Reading reading = Reading::plain;  ///< of plain numbers
  bool open = false;  ///< relations compare for themselves: frozen branches have led to no number

  /// A number for one evaluation of expressions that refer to each other, never given before.
  std::uint64_t newPass() { return ++passes; }

  /// Evaluates by `run`, and again with open relations where `finite` says no.
  template <class Run, class Finite>
  void withinBranches(const Run& run, const Finite& finite) {
    run();
    if (open || finite()) return;
    open = true;
    run();
    open = false;
  }
};

}  // namespace cardan
