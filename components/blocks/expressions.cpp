#include "components/blocks/expressions.h"

#include "components/make.h"

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

template class Expression<false>;
template class Expression<true>;

void TerminateSimulation::read(ParameterReader& r) {
  r.string("terminationText", terminationText_, "message at the end of the run");
  r.input("condition", std::vector<double>{0}, "", "the run ends when this becomes true");
}

void TerminateSimulation::declare(Structure& s) { condition_ = s.input("condition", 1); }

void TerminateSimulation::guards(const View<double>& x, Guards& g) const {
  if (x.input(condition_) > 0.5) g.terminate(terminationText_);
}

}  // namespace cardan::blocks

namespace cardan {

template std::unique_ptr<Component> make<blocks::RealExpression>();
template std::unique_ptr<Component> make<blocks::BooleanExpression>();
template std::unique_ptr<Component> make<blocks::TerminateSimulation>();

}  // namespace cardan
