#include "components/blocks/expressions.h"

#include "components/catalogue_entry.h"

namespace cardan::blocks {

template <bool Boolean>
void Expression<Boolean>::read(ParameterReader& r) {
  r.input("y", std::vector<double>{0}, "1", "expression of variables");
}

template <bool Boolean>
void Expression<Boolean>::declare(Structure& s) {
  y_ = s.input("y", 1);
}

template <bool Boolean>
void Expression<Boolean>::describe(Variables& v) const {
  v.scalar(output("y", "value of the expression", Level::Time, {y_}, Boolean),
           [this](const auto& x) { return x.input(y_); });
}

void TerminateSimulation::read(ParameterReader& r) {
  r.string("terminationText", terminationText_, "message at the end of the run");
  r.input("condition", std::vector<double>{0}, "", "the run ends when this becomes true");
}

void TerminateSimulation::declare(Structure& s) { condition_ = s.input("condition", 1); }

void TerminateSimulation::guards(const View<double>& x, Guards& g) const {
  if (x.input(condition_) > 0.5) g.terminate(terminationText_);
}

Catalogue expressions() {
  return {
      entry<RealExpression>("Blocks.RealExpression", "value of an expression"),
      entry<BooleanExpression>("Blocks.BooleanExpression", "truth value of an expression"),
      entry<TerminateSimulation>("Blocks.TerminateSimulation",
                                 "ends the run when a condition becomes true"),
  };
}

}  // namespace cardan::blocks
