/// Blocks around an expression of the model file.
#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"

namespace cardan::blocks {

/// y is what the file says: a number or an expression of variables.
///
/// Source  MSL 4.0 Blocks.Sources.RealExpression, BooleanExpression
template <bool Boolean>
class Expression final : public ComponentOf<Expression<Boolean>> {
 public:
  void read(ParameterReader& r) override {
    r.input("y", std::vector<double>{0}, "1", "expression of variables");
  }
  void declare(Structure& s) override { y_ = s.input("y", 1); }
  void describe(Variables& v) const override {
    v.scalar(output("y", "value of the expression", Level::Time, {y_}, Boolean),
             [this](const auto& x) { return x.input(y_); });
  }

 private:
  SignalId y_;
};

/// Ends the run, as planned, when `condition` becomes true.
///
/// Source  MSL 4.0 Blocks.Logical.TerminateSimulation
class TerminateSimulation final : public ComponentOf<TerminateSimulation> {
 public:
  void read(ParameterReader& r) override {
    r.string("terminationText", terminationText_, "message at the end of the run");
    r.input("condition", std::vector<double>{0}, "", "the run ends when this becomes true");
  }
  void declare(Structure& s) override { condition_ = s.input("condition", 1); }
  void guards(const View<double>& x, Guards& g) const override {
    if (x.input(condition_) > 0.5) g.terminate(terminationText_);
  }

 private:
  std::string terminationText_ = "... End condition reached";
  SignalId condition_;
};

Catalogue expressions() {
  return {
      entry<Expression<false>>("Blocks.RealExpression", "value of an expression"),
      entry<Expression<true>>("Blocks.BooleanExpression", "truth value of an expression"),
      entry<TerminateSimulation>("Blocks.TerminateSimulation",
                                 "ends the run when a condition becomes true"),
  };
}

}  // namespace cardan::blocks
