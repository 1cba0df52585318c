/// OwnEquations: the equations of a model file sorted: which define a variable outright, which hold
/// between unknowns, and how often the unknowns are differentiated.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/expression/expression.h"
#include "engine/model_file/model_source.h"

namespace cardan {

/// An equation `x = ...` defines x, unless x has been defined before, the equation contains der(),
/// which makes x a name for a rate and is as good, or x depends on itself through it: then x is an
/// unknown. So is every variable that no equation defines.
class OwnEquations {
 public:
  struct Definition {
    size_t variable;  ///< index into ModelSource::variables
    Equation equation;
    int scope = 0;
  };
  struct Row {
    Equation equation;
    int scope = 0;
  };

  OwnEquations() = default;
  /// Reads the equations of `model`; errors of their texts go to `diagnostics`.
  OwnEquations(const ModelSource& model, Diagnostics& diagnostics);

  const std::vector<Definition>& definitions() const { return definitions_; }
  const std::vector<Row>& rows() const { return rows_; }
  /// Variables that nothing defines, in the order of the file.
  const std::vector<size_t>& unknowns() const { return unknowns_; }
  /// Variables that `when` sets, in the order of the file.
  const std::vector<size_t>& discretes() const { return discretes_; }
  /// Order of the highest derivative of a variable in the equations.
  int order(size_t variable) const { return order_[variable]; }
  /// The variable of the model that a name means in a scope, whatever its indices.
  std::optional<size_t> variable(const std::string& name, int scope) const;

 private:
  void findDiscretes();
  void read(Diagnostics& diagnostics);
  void findOrders();
  void breakCircles();
  std::vector<size_t> readBy(const Expression& e, int scope) const;
  bool isState(const Definition& d) const;
  bool startsAsState(const Definition& d) const;

  const ModelSource* model_ = nullptr;
  std::unordered_map<std::string, size_t> byName_;
  std::vector<Definition> definitions_;
  std::vector<Row> rows_;
  std::vector<size_t> unknowns_, discretes_;
  std::vector<bool> isDiscrete_;  ///< per variable
  std::vector<int> order_;        ///< per variable
};

}  // namespace cardan
