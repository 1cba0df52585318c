/// Target: the text of an expression or equation: parsed, printed, evaluated before the run, bound
/// and evaluated in the run.
#include "engine/expression/expression.h"

#include <cmath>
#include <map>

#include "engine/expression/bound_expression.h"
#include "engine/expression/constant_evaluation.h"
#include "frames/dual.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"

using namespace cardan;

namespace {

const SourceMark kMark{"m.yaml", 1, 1};
/// Printing adds parentheses; a tree this flat stays within the parser's limits.
constexpr int kDeepestPrinted = 50;
constexpr int kMostElements = 10'000;  ///< of a result; larger ones show nothing new, slowly

std::optional<ExpressionValue> lookup(const std::string& name) {
  static const std::map<std::string, ExpressionValue> values = {
      {"L", 0.5},
      {"n", 3},
      {"zero", 0},
      {"flag", true},
      {"kind", "fast"},
      {"v", std::vector<double>{1, 2, 3}},
      {"w", std::vector<double>{4, 5, 6}},
      {"M", ExpressionValue::matrix(2, 3, {1, 2, 3, 4, 5, 6})},
      {"box.width", 0.1},
      {"sine1[2].f", 50},
      {"huge", 1e308}};
  const auto found = values.find(name);
  if (found == values.end()) return std::nullopt;
  return found->second;
}

/// Slots: x y z, a vector r of 3, a Boolean b, a matrix T 2 x 2, derivatives of x (two) and r, a
/// matrix A 3 x 3.
class Variables final : public VariableResolver {
 public:
  static constexpr size_t kSlots = 26;

  std::optional<NameMeaning> resolve(const std::string& name, int order) override {
    const auto slots = [](int first, ValueShape shape = {}, bool isBoolean = false) {
      return NameMeaning(VariableSlots{first, shape, isBoolean});
    };
    if (name == "x" && order < 3) return slots(order == 0 ? 0 : 10 + order);
    if (name == "r" && order < 2) return slots(order == 0 ? 3 : 13, ValueShape::vector(3));
    if (order > 0) return std::nullopt;
    if (name == "y") return slots(1);
    if (name == "body[1].z") return slots(2);
    if (name == "b") return slots(6, {}, true);
    if (name == "T") return slots(7, ValueShape::matrix(2, 2));
    if (name == "A") return slots(17, ValueShape::matrix(3, 3));
    if (name == "initial()") return slots(16, {}, true);
    if (auto value = lookup(name)) return NameMeaning(std::move(*value));
    return std::nullopt;
  }
  std::vector<std::string> knownNames() const override { return {"x", "y", "body[1].z", "r", "T"}; }
};

bool isFinite(const std::vector<double>& x) {
  for (const double e : x) {
    if (!std::isfinite(e)) return false;
  }
  return true;
}

void evaluateInRun(const BoundExpression& e) {
  static const std::vector<double> points[] = {
      {0.7, 1.3, -0.4, 0.2, -1.1, 0.6, 1.0, 1.5, 0.3, 0.8, -0.9, 0.35, 0.6,
       0.5, 0.1, -0.7, 0.0, 1.0,  0.0, 0.0, 0.0, 0.6, 0.8, 0.0,  -0.8, 0.6},
      std::vector<double>(Variables::kSlots, 0.0),
      std::vector<double>(Variables::kSlots, 1e200)};
  const auto relations = static_cast<size_t>(e.relationCount());
  for (const std::vector<double>& slots : points) {
    for (const double time : {0.0, 0.5, 1e9}) {
      std::vector<double> out(static_cast<size_t>(e.size()));
      e.evaluate(slots.data(), time, nullptr, out.data());
      const auto fault = e.fault(slots.data(), time);
      fuzz::expect(!fault == isFinite(out), "a value that is not finite has a reason",
                   fault ? fault->text : "");

      std::vector<Dual> duals(slots.begin(), slots.end());
      duals[0].setLane(0, 1);
      std::vector<Dual> dualOut(out.size());
      e.evaluate(duals.data(), Dual(time), nullptr, dualOut.data());
      for (size_t i = 0; i < out.size(); ++i) {
        const double difference = std::abs(dualOut[i].v - out[i]);
        fuzz::expect(!std::isfinite(out[i]) || difference <= 1e-9 * std::abs(out[i]) + 1e-300,
                     "duals carry the same value");
      }

      std::vector<RelationState> states(relations);
      std::vector<double> residuals(relations);
      e.relationStates(slots.data(), time, nullptr, states.data());
      e.relationResiduals(slots.data(), time, states.data(), residuals.data());
      e.evaluate(slots.data(), time, states.data(), out.data());
    }
  }
  for (size_t k = 0; k < relations; ++k) {
    const auto event = e.timeEvent(static_cast<int>(k));
    fuzz::expect(!event || std::isfinite(event->time), "an event has a finite time");
  }
}

void tryExpression(const Expression& expression) {
  const std::string printed = toString(expression);
  if (expression.root().depth <= kDeepestPrinted) {
    Diagnostics diagnostics;
    const auto again = parseExpression(printed, kMark, diagnostics);
    fuzz::expect(again.has_value(), "what is printed can be read: " + diagnostics.format(),
                 printed);
    fuzz::expect(toString(*again) == printed, "what is printed reads back as the same tree",
                 printed + "\n" + toString(*again));
  }
  namesIn(expression);
  mentions(expression, "time");

  Diagnostics beforeRun;
  const auto constant = evaluateConstant(expression, lookup, beforeRun, {"L", "n", "box.width"});
  fuzz::expect(constant.has_value() == (beforeRun.errorCount() == 0), "no value, one error",
               beforeRun.format());
  fuzz::expectClean(beforeRun.format());
  if (constant) {
    fuzz::expect(isFinite(constant->elements()), "a constant is finite", printed);
    constant->describe();
    constant->format();
  }

  Diagnostics inRun;
  Variables variables;
  const auto bound = bind(expression, variables, inRun);
  fuzz::expect(bound.has_value() == (inRun.errorCount() == 0), "no value, one error",
               inRun.format());
  fuzz::expectClean(inRun.format());
  if (bound && bound->size() <= kMostElements) evaluateInRun(*bound);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(fuzz::textOf(data, size));
  Diagnostics diagnostics;
  if (const auto expression = parseExpression(text, kMark, diagnostics)) {
    tryExpression(*expression);
  } else {
    fuzz::expect(diagnostics.errorCount() == 1, "one error", diagnostics.format());
  }
  Diagnostics ofEquation;
  if (const auto equation = parseEquation(text, kMark, ofEquation)) {
    tryExpression(equation->left);
    tryExpression(equation->right);
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed, fuzz::mutatedExpression);
}
