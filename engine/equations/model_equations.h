/// ModelEquations: unknowns and implicit equations of the model file as one more component.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "components/component.h"
#include "engine/equations/expression_variable.h"

namespace cardan {

/// Unknowns   the file's variables that no equation defines outright
/// Equations  0 = left - right
class ModelEquations final : public Component {
 public:
  struct Row {
    std::unique_ptr<ExpressionVariable> left, right;  ///< bound after assembly of the names
    RowId id;
    int size = 1;
  };
  struct Unknown {
    std::string name;
    int size = 1;
    double start = 0;  ///< guess
    std::vector<UnknownId> ids;
  };

  ModelEquations(std::vector<Unknown> unknowns, size_t rows)
      : unknowns_(std::move(unknowns)), rows_(rows) {}

  void read(ParameterReader&) override {}
  void declare(Structure& s) override {
    for (Unknown& u : unknowns_) {
      for (int i = 0; i < u.size; ++i) {
        u.ids.push_back(s.unknown(
            {u.size == 1 ? u.name : u.name + "[" + std::to_string(i + 1) + "]", "", "", u.start},
            Kind::Algebraic));
      }
    }
    for (Row& r : rows_) r.id = s.row("equation", 1);
  }
  void describe(Variables&) const override {}
  void evaluate(View<double>& x) const override { evaluateAs(x); }
  void evaluate(View<Dual>& x) const override { evaluateAs(x); }
  bool evaluates() const override { return true; }

  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  std::vector<Row>& rows() { return rows_; }

 private:
  template <class S>
  void evaluateAs(View<S>& x) const {
    for (const Row& r : rows_) {
      S left, right;
      r.left->evaluate(x, &left);
      r.right->evaluate(x, &right);
      x.row(r.id) = left - right;
    }
  }

  std::vector<Unknown> unknowns_;
  std::vector<Row> rows_;
};

}  // namespace cardan
