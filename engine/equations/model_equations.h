/// ModelEquations: the unknowns and equations of the model file as one more component, which has no
/// name: what is its own is the model's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "components/component.h"
#include "components/start_value.h"
#include "engine/equations/expression_variable.h"
#include "engine/equations/when_clauses.h"

namespace cardan {

/// Unknowns   the file's variables that no equation defines outright, with their derivatives below
///            the highest one: x, der(x), ... of an equation for der(der(x))
/// Equations  0 = left - right, as the file has them;  0 = der(x) - (unknown "der(x)")
class ModelEquations final : public Component {
 public:
  struct Row {
    std::unique_ptr<ExpressionVariable> left, right;
    RowId id;
    int size = 1;
    std::string text;
    bool readsLoads = false;  ///< known last: rowsOfLoads() has it
  };
  /// Start values of an unknown or of its rate, element by element.
  struct StartValues {
    std::vector<double> start;
    std::vector<bool> fixed;
    bool given = false;
    StateSelect select = StateSelect::defaultSelect;

    bool any() const {
      return given || select != StateSelect::defaultSelect ||
             std::find(fixed.begin(), fixed.end(), true) != fixed.end();
    }
  };
  struct Unknown {
    std::string name, unit, description;
    SourceMark at;
    std::vector<int> dimensions;
    int size = 1;
    int order = 0;  ///< of its highest derivative
    double nominal = 1;
    StartValues start, rateStart;
    std::vector<std::vector<UnknownId>> ids;  ///< per derivative that is an unknown, per element
    std::vector<RowId> chain;                 ///< of the equations between them

    /// "x", "der(x)", "der(der(x))"
    std::string derivativeName(int k) const;
  };

  explicit ModelEquations(std::vector<Unknown> unknowns) : unknowns_(std::move(unknowns)) {}

  void read(ParameterReader&) override {}
  void declare(Structure& s) override;
  void describe(Variables& v) const override;
  void evaluate(View<double>& x) const override { evaluateAs(x); }
  void evaluate(View<Dual>& x) const override { evaluateAs(x); }
  bool evaluates() const override { return true; }
  /// Rows that read loads, once these are summed.
  template <class S>
  void rowsOfLoads(View<S>& x) const;

  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  /// What happens at events reads variables, too.
  void happens(const WhenClauses* whens) { whens_ = whens; }
  /// Every expression that the run evaluates, as f(expression).
  template <class F>
  void forEachExpression(F f) const {
    for (const Row& r : rows_) {
      f(*r.left);
      f(*r.right);
    }
    if (whens_) whens_->forEachExpression([&](ExpressionVariable& e, bool) { f(e); });
  }
  /// Of the file: bound, and given their ids, once the names of all components are known.
  std::vector<Row>& rows() { return rows_; }
  const std::vector<Row>& rows() const { return rows_; }

 private:
  template <class S>
  void evaluateAs(View<S>& x) const;
  template <class S>
  static void evaluateRow(const Row& r, std::uint64_t pass, View<S>& x);

  std::vector<Unknown> unknowns_;
  std::vector<Row> rows_;
  const WhenClauses* whens_ = nullptr;
};

}  // namespace cardan
