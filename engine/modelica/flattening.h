/// Flattening: from the tree of components to what a model file lists.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/modelica/instance.h"
#include "engine/modelica/translation.h"
#include "engine/text/imported_model.h"

namespace cardan::modelica {

class Flattening {
 public:
  Flattening(Lookup& lookup, Evaluation& evaluation, Diagnostics& diagnostics)
      : lookup_(lookup),
        evaluation_(evaluation),
        diagnostics_(diagnostics),
        translation_(evaluation, connections_) {}

  ImportedModel flatten(const Instance& model);

 private:
  /// An equation where it applies; of `if` one with branches.
  struct FlatEquation {
    const Equation* equation = nullptr;
    Scope scope;
    struct Branch {
      const Expression* condition = nullptr;
      std::vector<FlatEquation> equations;
    };
    std::vector<Branch> branches;
  };

  // Connections and equations (flattening_equations.cpp).
  void gatherEquations(const Instance& instance);
  void gather(const std::vector<Equation>& equations, const Scope& scope,
              std::vector<FlatEquation>& out, bool isConditional);
  void gatherIf(const Equation& e, const Scope& scope, std::vector<FlatEquation>& out,
                bool isConditional);
  void gatherWhen(const Equation& e, const Scope& scope);
  void gatherCall(const Equation& e, const Scope& scope);
  void connect(const Equation& e, const Scope& scope);
  std::vector<Expression> expanded(const Expression& e, const Scope& scope);
  std::string connectorPath(const Expression& e, const Scope& scope, bool& isRemoved);
  void markDefined(const std::vector<FlatEquation>& equations);
  void writeEquation(const FlatEquation& e);
  void writeConditional(const FlatEquation& e);
  void writeWhen(const FlatEquation& e);
  YamlNode whenBranch(const Equation::Branch& b, const Scope& scope);
  void writeInitial(const FlatEquation& e);
  bool readsOwnRate(const Expression& e, const Scope& scope);
  bool define(const Component& c, const std::string& text, const Scope& scope, Position at);

  // Components (flattening.cpp).
  void registerConnectors(const Instance& instance);
  void writeComponents(const Instance& instance);
  void writeComponent(const Component& c);
  void writeParameters(const Instance& model);
  void writeVariable(const Component& c);
  void writeExperiment(const ClassDefinition& c);
  YamlNode arguments(const Modifier& m, const SourceMark& at);
  std::optional<YamlNode> argument(const std::string& name, const Modifier& m);
  std::optional<YamlNode> redeclared(const std::string& name, const Modifier& m);
  template <class Action>
  void guarded(Action action);
  void report(const SourceMark& at, const std::string& text, ErrorKind kind = ErrorKind::general);

  Lookup& lookup_;
  Evaluation& evaluation_;
  Diagnostics& diagnostics_;
  Connections connections_;
  Translation translation_;
  ImportedModel model_;
  std::vector<FlatEquation> equations_, initialEquations_;
  std::set<const Component*> defined_;                                ///< by an equation
  std::map<std::string, std::map<std::string, std::string>> inputs_;  ///< by component: driven by
  std::map<const Component*, size_t> variables_;  ///< place among model_.variables
  std::set<const Component*> discretes_;          ///< that `when` sets
  std::set<std::string> inputPaths_;              ///< inputs of all components
  std::set<std::string> endPaths_;  ///< connectors of components that something is connected to
  std::set<std::string> reported_;
  int checks_ = 0;
  int ends_ = 0;
};

template <class Action>
void Flattening::guarded(Action action) {
  try {
    action();
  } catch (const Refusal& r) {
    if (!r.text.empty()) report(r.at, r.text, r.kind);
  }
}

}  // namespace cardan::modelica
