/// Model: a model file read, its components made and assembled.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "components/catalogue_entry.h"
#include "engine/equations/assembly.h"
#include "engine/equations/model_equations.h"
#include "engine/equations/own_equations.h"
#include "engine/equations/when_clauses.h"
#include "engine/model_file/model_file.h"
#include "engine/model_file/parameter_binding.h"
#include "engine/model_file/parameter_table.h"

namespace cardan {

/// An initial equation `left = right` of the file, as the function left - right.
struct InitialEquationOfFile final : VariableFunction {
  std::unique_ptr<ExpressionVariable> left, right;
  std::string text;
  SourceMark at;
  bool isDone = false;      ///< it has said where something held begins: no condition is left of it
  bool isDiscrete = false;  ///< both sides change at events alone: no start of a motion can meet it

  void evaluate(const View<double>& x, double* out) const override { difference(x, out); }
  void evaluate(const View<Dual>& x, Dual* out) const override { difference(x, out); }
  int size() const { return left->expression().size(); }
  Level level() const { return std::max(left->level(), right->level()); }
  bool takesDerivatives() const { return left->takesDerivatives() || right->takesDerivatives(); }

 private:
  template <class S>
  void difference(const View<S>& x, S* out) const {
    std::array<S, 16> subtrahend;
    left->evaluate(x, out);
    right->evaluate(x, subtrahend.data());
    for (int i = 0; i < size(); ++i) out[i] -= subtrahend[i];
  }
};

/// What is held between events begins at the value of one side of an initial equation.
struct HeldStart {
  InitialEquationOfFile* equation;
  const ExpressionVariable *held, *value;
  std::vector<std::vector<int>> places;  ///< per element those of RunState::held
  bool isInteger;
};

/// Does not move: components hold pointers into it.
class Model {
 public:
  /// Reads the file at `path`. All errors go to `diagnostics`; complete() says whether it can run.
  Model(const Catalogue& catalogue, const std::string& path, const Overrides& overrides,
        Diagnostics& diagnostics);
  /// The same from a text; `path` is its name in messages.
  Model(const Catalogue& catalogue, std::string_view text, const std::string& path,
        const Overrides& overrides, Diagnostics& diagnostics);
  /// The same from a document; `files` are those that it was made from, the model's own the first.
  Model(const Catalogue& catalogue, const ModelDocument& document,
        const std::vector<std::string>& files, const Overrides& overrides,
        Diagnostics& diagnostics);
  Model(const Model&) = delete;

  bool complete() const { return assembly_ && assembly_->equations; }

  const ModelSource& description() const { return description_; }
  const Assembly& assembly() const { return *assembly_; }
  /// Parameters that the initial conditions determine, with the component that has to know of a
  /// change.
  struct FreeParameterOfComponent {
    FreeParameter parameter;
    Component* component;
  };
  const std::vector<FreeParameterOfComponent>& freeParameters() const { return freeParameters_; }
  /// Name of the model's parameter that a component takes as this free one ("spring.c"), or null.
  const std::string* nameInModel(const std::string& freeParameter) const;
  const std::vector<std::unique_ptr<InitialEquationOfFile>>& initialEquations() const {
    return initialEquations_;
  }
  const std::vector<HeldStart>& heldStarts() const { return heldStarts_; }
  /// Every expression whose relations may switch while the model runs.
  template <class F>
  void forEachExpression(F f) const {
    for (const SignalSource& s : assembly_->signals->sources()) {
      if (s.expression) f(*s.expression);
    }
    for (int i = 0; i < assembly_->variables.size(); ++i) {
      if (ExpressionVariable* e = assembly_->variables[i].expression) f(*e);
    }
    if (equations_) {
      for (ModelEquations::Row& r : equations_->rows()) {
        f(*r.left);
        f(*r.right);
      }
    }
    whens_->forEachExpression([&](ExpressionVariable& e, bool switches) {
      if (switches) f(e);
    });
  }
  /// What the file says happens at events.
  const WhenClauses& whens() const { return *whens_; }
  /// Relations of all of them.
  size_t relations() const { return relations_; }
  /// Reports names among the outputs that nothing has; for a model that is not complete().
  void checkOutputs(Diagnostics& diagnostics) const;
  /// What an input is bound to that no equation reads (a colour, a size): numbers, or else the
  /// variable that is its expression.
  struct PictureInput {
    std::vector<double> numbers;
    int variable = -1;
  };
  /// By its full name ("arrow.r_head"); nothing where there is none.
  std::optional<PictureInput> pictureInput(const std::string& name) const;
  /// Values of the model's own parameters, by full name.
  std::vector<std::pair<std::string, ExpressionValue>> ownParameters() const;
  /// What the start has found so far, by all its full names; it stands for the guesses.
  std::vector<std::pair<std::string, double>> foundParameters() const;
  /// What components have read.
  const ParameterTable& parameters() const { return *parameters_; }

 private:
  void build(const Catalogue& catalogue, Diagnostics& diagnostics);
  std::vector<NamedComponent> readComponents(const Catalogue& catalogue, Diagnostics& diagnostics);
  void read(const ComponentDescription& c, Component& component, Diagnostics& diagnostics);
  void makeEquations(std::vector<NamedComponent>& components, Diagnostics& diagnostics);
  Additions makeContacts(FlatModel& flat, Diagnostics& diagnostics);
  bool isTaken(const std::string& name, const std::string& by, const SourceMark& at,
               const VariableTable& table, Diagnostics& diagnostics) const;
  void addParameters(VariableTable& table);
  void addVariables(VariableTable& table, Diagnostics& diagnostics);
  void addStarts(VariableTable& table, Diagnostics& diagnostics);
  void bindEquations(VariableTable& table, FlatModel& flat, Diagnostics& diagnostics);
  void addPictureInputs(VariableTable& table, Diagnostics& diagnostics);
  void bindInitialEquations(Diagnostics& diagnostics);
  void findHeldStarts(Diagnostics& diagnostics);
  std::optional<HeldStart> heldStart(InitialEquationOfFile& e, bool leftIsHeld) const;
  void begin(HeldStart start, std::set<int>& said, Diagnostics& diagnostics);
  void watchBends();

  ModelSource description_;
  std::unique_ptr<ParameterTable> parameters_;
  WorldSettings world_;
  std::map<std::string, InputBinding, std::less<>> inputs_;  ///< by full name
  std::map<std::string, int> pictureInputs_;                 ///< variables of inputs, by full name
  std::vector<FreeParameterOfComponent> freeParameters_;
  std::vector<GivenInput> given_;        ///< inputs of the file
  OwnEquations own_;                     ///< the file's equations
  ModelEquations* equations_ = nullptr;  ///< those between unknowns, as a component; null: none
  std::unique_ptr<WhenClauses> whens_;
  std::unique_ptr<Assembly> assembly_;
  std::vector<std::unique_ptr<InitialEquationOfFile>> initialEquations_;
  std::vector<HeldStart> heldStarts_;
  size_t relations_ = 0;
};

}  // namespace cardan
