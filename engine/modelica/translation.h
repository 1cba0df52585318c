/// Translation: Modelica expressions as the model file says them, parameters of composites put in.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/modelica/connections.h"
#include "engine/modelica/evaluation.h"
#include "engine/modelica/folding.h"
#include "engine/modelica/formula.h"
#include "engine/modelica/scalar_expression.h"
#include "engine/text/yaml_document.h"

namespace cardan::modelica {

class Translation {
 public:
  Translation(Evaluation& evaluation, const Connections& connections, const Folding& folding)
      : evaluation_(evaluation),
        connections_(connections),
        folding_(folding),
        body_(&folding.model()) {}

  /// The body that what follows is written in: names are as it has them. All below throw NotFoldable
  /// for what is outside of it.
  const Instance& body() const { return *body_; }
  void setBody(const Instance& body) { body_ = &body; }
  /// A full name as the body has it.
  std::string nameHere(const std::string& path) const { return Folding::nameIn(*body_, path); }

  /// The flow of this connector is a variable of the model file.
  void addDriven(const std::string& connector) { driven_.insert(connector); }

  /// This Boolean comes from outside, as a number.
  void addBooleanInput(const std::string& path) { booleanInputs_.insert(path); }
  /// What the source of a signal is called.
  Tree signal(const std::string& source) const;

  /// The elements of a vector are variables by themselves.
  void addSplit(const Component& c) { split_.insert(&c); }

  /// What der() of a variable is.
  void addAcceleration(const Component& rate, Tree a) { accelerations_[&rate] = std::move(a); }
  /// What der() and der(der()) of a name are.
  void addMotion(const Tree& name, Tree velocity, Tree acceleration) {
    motions_[{body_, toString(*name)}] = {std::move(velocity), std::move(acceleration)};
  }

  /// `delay(x, T)`: a component gives what x was.
  struct Delay {
    const Instance* body;
    std::string name;
    Tree input, time, longest;  ///< `longest`: null for a fixed time
    SourceMark at;
  };
  const std::vector<Delay>& delays() const { return delays_; }

  /// What must hold during the run, as functions and indices ask for.
  struct Requirement {
    const Instance* body;
    Tree holds;
    std::string text;
    SourceMark at;
    bool warns;
  };
  const std::vector<Requirement>& requirements() const { return requirements_; }

  /// True of parameters that the model file has under `parameters`.
  bool isWritten(const Component& c) const;

  /// True of parameters that the start finds: `d(fixed = false, start = 2)`.
  static bool isFree(const Component& c);

  /// All throw Refusal where a model file cannot say it.
  Tree tree(const Expression& e, const Scope& scope);
  Tree tree(const Binding& b);
  /// A variable of a connector.
  Tree tree(const Component& connector, const std::string& variable);
  YamlNode expression(const Expression& e, const Scope& scope, const SourceMark& at) {
    return expressionNode(tree(e, scope), at);
  }
  /// A value of `parameters` or of a component: number, word, list or expression.
  YamlNode node(const Binding& b);
  YamlNode node(const Value& v, const SourceMark& at) const;
  /// The elements of an expression, where it can be taken apart. `isKnown` is false then where it reads
  /// what may be an array and was taken for a scalar: variables of the catalogue's components.
  std::optional<ScalarElements> elements(const Tree& e, bool& isKnown);
  /// The name of an orientation that a variable is another name for; null for all others.
  Tree aliasOf(const Component& c);
  /// Known by indices of loops, constants and parameters that the model file does not have.
  bool isSettled(const Expression& e, const Scope& scope);
  /// A name on the left of an equation: the variable that it is, else null.
  const Component* variableIn(const Expression& e, const Scope& scope);
  /// What the function of a call asserts the model does.
  void carryOut(const Expression& call, const Scope& scope);

 private:
  Tree name(const Expression& e, const Scope& scope);
  Tree component(const Component& c, const NamePart* part, const std::string& tail,
                 const Expression& e, const Scope& scope);
  Tree flow(const Component& connector, const std::string& tail, const SourceMark& at);
  Tree parameter(const Component& c, const NamePart* part, const Expression& e, const Scope& scope);
  std::optional<Tree> fieldOfWhole(const Component& field);
  Evaluation::Caller caller();
  void require(const Value& holds, const std::string& text, const SourceMark& at,
               bool warns = false);
  Tree call(const Expression& e, const Scope& scope);
  Tree delay(const Expression& e, const Scope& scope);
  std::optional<Tree> gravity(const Expression& e, const Scope& scope);
  bool isWord(const Expression& e, const Scope& scope);
  Trees listed(const std::vector<Expression>& items, const Scope& scope);
  Tree conditional(const Expression& e, const Scope& scope);
  Tree comprehension(const Expression& e, const Scope& scope);
  Tree matrix(const Expression& e, const Scope& scope);
  std::optional<std::vector<int>> sizesOf(const std::string& name);
  Tree ofCatalogue(const Component& c, const std::string& tail, const Expression& e,
                   const Scope& scope);
  Tree variable(const Component& c, const NamePart* part, const std::string& dotTail,
                const Scope& scope, const SourceMark& at);
  std::optional<Tree> rate(const Expression& e, const Scope& scope);
  Tree carriedOut(const FunctionTarget& f, const Expression& e, const Scope& scope);
  Tree indexed(const std::string& name, const std::vector<Expression>& subscripts,
               const Scope& scope, const Component& of);
  YamlNode node(const Expression& e, const Scope& scope, std::vector<int> picks);
  YamlNode sequence(const std::vector<Expression>& items, const Scope& scope, const SourceMark& at);
  YamlNode pickedNode(const Binding& b);
  const Binding* valueOfParameter(const Expression& name, const Scope& scope);

  Evaluation& evaluation_;
  const Connections& connections_;
  const Folding& folding_;
  const Instance* body_;
  std::set<std::string> driven_;
  std::map<const Component*, Tree> accelerations_;
  std::map<std::pair<const Instance*, std::string>, std::pair<Tree, Tree>> motions_;  ///< by body
  std::set<const Component*> split_;
  std::set<std::string> booleanInputs_;
  std::vector<Delay> delays_;
  std::vector<Requirement> requirements_;
  std::map<std::string, std::vector<int>> sizes_;  ///< of all variables and parameters of the files
  std::vector<const Component*> underway_;
  int depth_ = 0;
  bool isValue_ = false;  ///< a parameter's value is translated, which no variable may be part of
};

}  // namespace cardan::modelica
