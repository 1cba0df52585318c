/// A VariableFunction of a callable.
#pragma once

#include <memory>
#include <utility>

#include "components/variables.h"

namespace cardan {

/// f(const View<S>&, S* out), for double and Dual.
template <class F>
std::unique_ptr<VariableFunction> variableFunction(F f) {
  class Function final : public VariableFunction {
   public:
    explicit Function(F g) : f_(std::move(g)) {}
    void evaluate(const View<double>& x, double* out) const override { f_(x, out); }
    void evaluate(const View<Dual>& x, Dual* out) const override { f_(x, out); }

   private:
    F f_;
  };
  return std::make_unique<Function>(std::move(f));
}

}  // namespace cardan
