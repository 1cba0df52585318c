/// VariableTable: every variable of a model by name, with how to evaluate it; start values and
/// initial conditions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/variables.h"
#include "engine/structure/flat_model.h"

namespace cardan {

class ExpressionVariable;

/// One element of a variable.
struct VariableElement {
  int variable = -1;
  int element = 0;
};

class VariableTable {
 public:
  /// Instances that are none: the model itself, a parameter of the model.
  static constexpr int kModel = -1, kParameter = -2;

  struct Variable {
    std::string name;  ///< full name, without the indices of its elements ("body.r_0")
    VariableInfo info;
    std::vector<int> dimensions;  ///< {} scalar, {3} vector, {3, 3} matrix
    int size = 1;
    std::unique_ptr<VariableFunction> function;
    int instance = kModel;
    ExpressionVariable* expression = nullptr;  ///< `function`, where that is an expression
  };
  /// `phi: {start:, fixed:}` of one element.
  struct Start {
    VariableElement of;
    double start = 0;
    bool fixed = false;
    bool given = false;
    StateSelect select = StateSelect::defaultSelect;
  };
  struct Initial {
    InitialInfo info;
    int size = 0;
    int instance = -1;
    std::unique_ptr<VariableFunction> function;
  };

  /// Numbers that variables keep from step to step (Variables::memory), one after another.
  struct Memory {
    int offset = 0;
    std::unique_ptr<VariableFunction> next;  ///< after an accepted step, from those before it
  };

  /// Asks all components of the flat model, then adds the coordinates of joints and the connectors'
  /// variables.
  VariableTable(const FlatModel& flatModel, Diagnostics& diagnostics);

  /// Adds one more (model variables, signals); returns its index.
  int add(std::string name, VariableInfo info, std::vector<int> dimensions,
          std::unique_ptr<VariableFunction> function, int instance = kModel,
          ExpressionVariable* expression = nullptr);

  /// Variable by its name without indices.
  std::optional<int> find(std::string_view name) const;
  /// Elements that "body.r_0[1]" or "body.r_0" (all three) name; empty if there are none.
  std::vector<VariableElement> elements(std::string_view name) const;
  /// Name of an element with its indices ("body.r_0[1]").
  std::string nameOf(VariableElement e) const;
  /// Elements with a name of their own that matches a glob, in the order of the model; then those
  /// with another one (an alias).
  std::vector<VariableElement> matching(std::string_view glob) const;

  const Variable& operator[](int i) const { return variables_[static_cast<size_t>(i)]; }
  int size() const { return static_cast<int>(variables_.size()); }
  const std::vector<Start>& starts() const { return starts_; }
  const std::vector<Initial>& initials() const { return initials_; }
  const std::vector<std::unique_ptr<VariableFunction>>& mechanics() const { return mechanics_; }
  const std::vector<Memory>& memories() const { return memories_; }
  /// All memories at the start of a run.
  const std::vector<double>& memoryStart() const { return memoryStart_; }
  /// All names, for 'did you mean'.
  std::vector<std::string> names() const;
  /// The number of one more expression of the model, while it is loaded.
  size_t countExpression() const { return (*expressions_)++; }

 private:
  class Description;

  void addFlanges(const FlatModel& flatModel);
  void addInputs(const FlatModel& flatModel);

  std::vector<Variable> variables_;
  std::map<std::string, int, std::less<>> byName_;
  std::map<std::string, std::string, std::less<>> aliases_;
  std::vector<Start> starts_;
  std::vector<Initial> initials_;
  std::vector<std::unique_ptr<VariableFunction>> mechanics_;
  std::vector<Memory> memories_;
  std::vector<double> memoryStart_;
  std::unique_ptr<size_t> expressions_ = std::make_unique<size_t>(0);  ///< counted so far
};

/// True if `text` matches `glob`: * is any characters but dots, ? one of them, ** any characters.
bool matchesGlob(std::string_view text, std::string_view glob);

}  // namespace cardan
