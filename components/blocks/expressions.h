/// Blocks around an expression of the model file.
#pragma once

#include "components/blocks/time_source.h"

namespace cardan::blocks {

/// y is what the file says: a number or an expression of variables.
///
/// Source  MSL 4.0 Blocks.Sources.RealExpression, BooleanExpression
template <bool Boolean>
class Expression final : public ComponentOf<Expression<Boolean>> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void describe(Variables& v) const override;

 private:
  SignalId y_;
};
using RealExpression = Expression<false>;
using BooleanExpression = Expression<true>;

/// Ends the run, as planned, when `condition` becomes true.
///
/// Source  MSL 4.0 Blocks.Logical.TerminateSimulation
class TerminateSimulation final : public ComponentOf<TerminateSimulation> {
 public:
  void read(ParameterReader& r) override;
  void declare(Structure& s) override;
  void guards(const View<double>& x, Guards& g) const override;

 private:
  std::string terminationText_ = "... End condition reached";
  SignalId condition_;
};

}  // namespace cardan::blocks
