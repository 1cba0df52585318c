/// Flattening: from the tree of components to what a model file lists, for the model and for each
/// composite that is folded.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/modelica/folding.h"
#include "engine/modelica/instance.h"
#include "engine/modelica/own_connectors.h"
#include "engine/modelica/scalar_expression.h"
#include "engine/modelica/translation.h"
#include "engine/text/imported_model.h"

namespace cardan::modelica {

/// The model file of a model, composites of classes that it has several times as submodels.
ImportedModel flattened(const Instance& model, Lookup& lookup, Evaluation& evaluation,
                        Diagnostics& diagnostics);

struct FlowSource;

class Flattening {
 public:
  Flattening(Lookup& lookup, Evaluation& evaluation, const Folding& folding,
             Diagnostics& diagnostics)
      : lookup_(lookup),
        evaluation_(evaluation),
        folding_(folding),
        diagnostics_(diagnostics),
        isOrdered_(hasOwnConnectors(folding.model())),
        translation_(evaluation, connections_, folding),
        out_(&model_) {}

  ImportedModel flatten();
  /// Folded composites that cannot be, or need not be, because no other one is like them: to be
  /// written out in another go.
  const std::set<const Instance*>& notFoldable() const { return notFoldable_; }
  bool hasFixedParameters() const;

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
    std::vector<Branch> inWhen;
  };
  /// Calls f(equation, is in `when`) for all, before those with branches the ones in them.
  template <class F>
  static void forEvery(std::span<const FlatEquation> equations, bool isInWhen, const F& f) {
    for (const FlatEquation& e : equations) {
      for (const FlatEquation::Branch& b : e.branches) forEvery(b.equations, isInWhen, f);
      for (const FlatEquation::Branch& b : e.inWhen) forEvery(b.equations, true, f);
      f(e, isInWhen);
    }
  }
  /// The same of those outside of `when`.
  template <class F>
  static void forSimple(std::span<const FlatEquation> equations, const F& f) {
    forEvery(equations, false, [&](const FlatEquation& e, bool isInWhen) {
      if (!isInWhen) f(e);
    });
  }
  /// One equation, or one of several with `if` around them.
  struct EquationTree {
    const Component* variable = nullptr;  ///< the variable on the left of all branches
    std::string input;                    ///< or the signal input, by its full name
    Tree value;                           ///< of the right
    Tree residual;                        ///< left - right, of branches
    SourceMark at;
  };
  using Sides = std::pair<Tree, Tree>;  ///< of an equation
  /// What `when` does: sets a variable, or a state anew.
  struct Deed {
    std::string name;
    bool isReinit = false;
    Tree value;
  };

  struct FoldedParameter {
    std::string name;
    YamlNode value;
    bool isOwn = false;  ///< the default of the class, in the names of the submodel
    YamlNode declared;   ///< of a given one: what its declaration says, or a value
    std::string comment;
    SourceMark at;
  };
  /// A composite that is an instance of a submodel.
  struct Folded {
    const Instance* instance = nullptr;
    ImportedSections* around = nullptr;  ///< has it, at `index` of the components
    size_t index = 0;
    std::vector<FoldedParameter> parameters;
  };
  struct Group {
    ImportedModel::Submodel submodel;
    std::vector<const Folded*> instances;  ///< in the order of the model
  };

  // Connectors that equations give the flow of (flattening_flows.cpp).
  void findDrivenConnectors();
  std::vector<Target> targetsOf(const Expression& name, const Scope& scope);
  void findFlowsRead();
  bool readsFlow(const Component& connector, const FlowSource& source) const;
  /// The composite whose equations are about a connector, which may be in another one.
  static const Instance& ownerOf(const Component& connector);
  /// The full name of what stands beside a connector.
  static std::string besides(const Component& connector, const char* word);
  void writeDrivenConnectors();

  // Equations between potentials of connectors (flattening_relations.cpp).
  struct Driven;
  /// An equation, or the value of a variable.
  struct PotentialRow {
    const FlatEquation* equation = nullptr;
    const Component* declared = nullptr;
  };
  struct Relation {
    const Instance* instance = nullptr;
    const FlatEquation* equation = nullptr;
  };
  class RelationSearch;
  std::set<const Component*> findRelations(const Instance& instance,
                                           const std::vector<const Component*>& connectors);
  Tree differenceIn(const PotentialRow& row);
  Tree valueIn(const PotentialRow& row, const std::string& name);
  Tree withDefinitions(Tree e, const Instance& instance, const PotentialRow& own);
  std::string fullName(const std::string& name) const;
  std::string tiedTo(std::string potential) const;
  void solveDefinitions();
  class Accelerations;
  void findAccelerations();  // flattening_accelerations.cpp
  /// A coordinate of a part in whose terms a variable is one: `factor*part + shift`.
  struct Coordinate {
    std::string part;  ///< in full
    Tree factor, shift;
  };
  std::map<const Component*, Coordinate> coordinates_;
  bool isOfParameters(const ExpressionNode& e) const;
  void writeRelations();
  /// Two connectors that an equation ties, or one and what is given.
  struct Bond {
    std::array<std::string, 2> sets;  ///< by their potentials; "" for what is given
    std::array<Driven*, 2> ends;
    std::string total;  ///< `ratio` times the first flow and the second one; "" for flows apart
    Tree ratio;
    bool isDone = false;
  };
  /// An equation of two flows that one unknown stands for.
  struct United {
    const FlatEquation* equation;
    std::string first, second, total;
  };
  void uniteFlows(Bond& bond, const Tree& ratio);
  void writeUnited();
  void writeBalance(const Bond& bond, int side, const std::vector<Driven*>& atNode);
  Bond writeRelation(const Relation& r, const std::map<std::string, std::vector<Driven*>>& sets);
  void writeGiven(Driven& d, const std::string& name, const Tree& value, const SourceMark& at);
  void writeTied(const Driven& a, const Driven& b, const std::string& name, const Tree& ratio,
                 const Tree& shift, const SourceMark& at);
  void ground(const std::string& pin, const std::string& name, const SourceMark& at);
  void addPart(const std::string& name, const char* type,
               const std::vector<std::pair<const char*, Tree>>& arguments, const SourceMark& at);

  // Submodels (flattening_submodels.cpp).
  template <class Action>
  void inBody(const Instance& body, Action action);
  void findExports();
  std::string nameOutside(const std::string& end, const Instance& body) const;
  void writeConnections();
  void writeFolded(const Component& c);
  void writeFoldedParameters(const Instance& instance, Folded& folded);
  void writeSubmodels();
  void setDefaults(Group& group);
  static void trimArguments(const Folded& folded,
                            const std::vector<ImportedModel::Entry>& defaults);
  std::string nameOfGroup(const Instance& instance, std::set<std::string>& taken) const;

  // Connections and equations (flattening_equations.cpp).
  void gatherEquations(const Instance& instance);
  void gather(const std::vector<Equation>& equations, const Scope& scope,
              std::vector<FlatEquation>& out, bool isInWhen);
  void gatherIf(const Equation& e, const Scope& scope, std::vector<FlatEquation>& out,
                bool isInWhen);
  bool gatherElements(const Equation& e, const Scope& scope, std::vector<FlatEquation>& out);
  void gatherResults(const Equation& e, const Scope& scope, std::vector<FlatEquation>& out);
  bool isGiven(const Expression& left, const Expression& right, const Scope& scope);
  bool isOfNothing(const Expression& left, const Scope& scope);
  void requireNothing(const Expression& right, const Scope& scope);
  void gatherWhen(const Equation& e, const Scope& scope);
  void gatherCall(const Equation& e, const Scope& scope, bool isInitial);
  void warnOfPrinting(const SourceMark& at);
  void connect(const Equation& e, const Scope& scope);
  bool connectOwn(const Expression& a, const Expression& b, const Scope& scope);
  std::vector<Expression> expanded(const Expression& e, const Scope& scope);
  std::string connectorPath(const Expression& e, const Scope& scope, bool& isRemoved);
  int connectionsOf(const std::string& connector);
  void countConnections(const Instance& instance);
  void countConnections(const std::vector<Equation>& equations, const Scope& scope);
  void markDefined(const std::vector<FlatEquation>& equations);
  void markLeft(const Equation& e, const Scope& scope);
  void markOutputs(const Equation& e, const Scope& scope);
  void markOutputs(const Expression& e, const Scope& scope);
  bool isDrivenInside(const Component& output) const;
  void writeAssertion(const FlatEquation& e);
  void addAssertion(YamlNode holds, const std::string& message, const SourceMark& at, bool warns);
  std::string messageOf(const Expression& text, const Scope& scope);
  void findElementwise();
  class SplitSearch;
  void findSplit();
  std::string splitElement(const Expression& e, const Scope& scope);
  void findRates(const Expression& e, const Scope& scope, std::set<const Component*>& rates);
  const Component* elementNamed(const Expression& e, const Scope& scope, int& index);
  void writeEquation(const FlatEquation& e);
  void writeConditional(const FlatEquation& e);
  std::vector<EquationTree> treesOf(const FlatEquation& e);
  std::vector<EquationTree> conditionalTrees(const FlatEquation& e);
  static void arrange(std::vector<EquationTree>& texts, const std::vector<EquationTree>& like);
  void findGivenInputs();
  std::string inputNamed(const Expression& e, const Scope& scope);
  void addGivenInputs(const Component& c, YamlNode& arguments);
  void writeWhen(const FlatEquation& e);
  YamlNode whenBranch(const FlatEquation::Branch& b, const Scope& scope);
  static const Expression& argumentOf(const FlatEquation& call, size_t i);
  std::vector<Deed> deedsOf(const FlatEquation& e);
  YamlNode whenCondition(const Expression& condition, const Scope& scope);
  std::string setInWhen(const Expression& left, const Scope& scope);
  void writeInitial(const FlatEquation& e);
  bool readsRate(const Expression& e, const Scope& scope);
  bool requireSize(const Component& c, const Tree& value, const SourceMark& at);
  std::string kindFault(const Component& c, const Expression& value, const Scope& scope);
  void requireKind(const Component& c, const Expression& value, const Scope& scope);
  void writeCircles();
  void writeOrdered();
  int preferenceOf(const Component& c);
  Sides sidesOf(const FlatEquation& e);
  void addEquation(const Tree& left, const Tree& right, const SourceMark& at);
  void addInitial(const Tree& left, const Tree& right, const SourceMark& at);
  bool define(const Component& c, const Tree& value, const SourceMark& at, bool isEquation = false);

  // Components (flattening.cpp).
  void registerConnectors(const Instance& instance);
  void registerInputs(const Instance& model);
  bool isModelInput(const Component& c) const;
  void findMissingConnectors(const Component& c, const std::map<std::string, Value>& values);
  void writeFreeParameter(const Component& c);
  void writeComponents(const Instance& instance);
  void writeComponent(const Component& c);
  void writePart(const Component& c);
  void writeParameters(const Instance& model);
  void writeVariable(const Component& c);
  YamlNode attributesOf(const Component& c);
  void requireElements(const Component& c, std::string_view key, const Modifier& said);
  void writeSignalStart(const Component& c);
  void warnOfGuess(const std::string& path, const std::string& variable, const Modifier& start);
  struct Started {
    std::string path;
    Tree name;  ///< where it is written
    std::vector<int> sizes;
    SourceMark at;
  };
  void writeFixedStart(const Started& variable, const Modifier& said);
  void writeConnectorStarts(const Component& c);
  void writeDelays();
  void writeExperiment(const ClassDefinition& c);
  void addDrivenInputs(const Component& c, YamlNode& arguments);
  Modifier withoutGuesses(const Component& c);
  void giveElements(Modifier& variable, int size);
  YamlNode arguments(const Modifier& m, const SourceMark& at);
  std::optional<YamlNode> argument(const std::string& name, const Modifier& m);
  std::optional<YamlNode> redeclared(const std::string& name, const Modifier& m);
  template <class Action>
  void guarded(Action action);
  YamlNode parameterValue(const Component& c);
  void report(const SourceMark& at, const std::string& text, ErrorKind kind = ErrorKind::general);

  Lookup& lookup_;
  Evaluation& evaluation_;
  const Folding& folding_;
  Diagnostics& diagnostics_;
  Connections connections_;
  OwnConnectors ownConnectors_;
  bool isOrdered_;  ///< equations are sorted when all are there, as own connectors ask for
  Translation translation_;
  ImportedModel model_;
  ImportedSections* out_;                               ///< of the body that is written
  std::map<const Instance*, ImportedSections> bodies_;  ///< of folded ones
  std::vector<Folded> folded_;                          ///< outer ones first
  std::map<const Instance*, std::map<std::string, std::string>> exports_;  ///< end: connector
  std::map<std::string, std::string> exportedEnds_;  ///< connector of a folded composite: end
  std::set<const Instance*> notFoldable_;
  std::vector<FlatEquation> equations_, initialEquations_;
  std::vector<FlatEquation> ofNothing_;  ///< between arrays without elements
  /// Variables each of whose elements an equation `x[i] = ...` gives: these, and whose they are.
  std::map<const Component*, std::vector<const FlatEquation*>> elementwise_;
  std::map<const FlatEquation*, const Component*> elementOf_;
  std::set<const Component*> written_;  ///< of those variables
  std::set<const Component*> split_;    ///< vectors whose elements are variables by themselves
  std::vector<const Component*> writtenParameters_;
  std::deque<std::vector<Equation>> carriedOut_;  ///< of algorithms
  std::deque<Equation> separated_;      ///< one for each result of a function with several
  std::set<const Component*> defined_;  ///< by an equation
  std::set<const Component*> left_;     ///< alone on the left of one, also in `when`
  std::map<std::string, std::map<std::string, std::string>> inputs_;  ///< by component: driven by
  /// What a variable was before an equation defined it, and where the equation stands.
  struct Definition {
    YamlNode unknown;
    SourceMark at;
  };
  std::map<ImportedSections*, std::map<size_t, Definition>> definitions_;  ///< by place
  std::map<const Component*, size_t> variables_;  ///< place among the variables of its body
  std::set<const Component*> discretes_;          ///< that `when` sets
  std::set<std::string> setElements_;             ///< likewise, of vectors
  std::map<std::string, std::map<std::string, int>>
      startSizes_;                                        ///< by component: of its start values
  std::set<std::string> inputPaths_;                      ///< inputs of all components
  std::map<std::string, std::set<std::string>> keys_;     ///< by component: names of its parameters
  std::map<std::string, std::string> missingConnectors_;  ///< and the flag that is false
  std::map<std::string, std::vector<const FlatEquation*>>
      givenInputs_;                 ///< by component: equations that give its inputs
  std::set<std::string> endPaths_;  ///< connectors of components that something is connected to
  /// A connector of a composite whose flow its equations speak of, and what stands for it.
  struct Driven {
    const Component* connector = nullptr;
    const FlowSource* source = nullptr;
    std::string name;   ///< of the component in its place, in full
    Tree balance;       ///< what its flow is, where no equation gives it
    Tree input;         ///< what its component gives; null for the flow
    std::string total;  ///< an unknown that stands for the flows of two

    std::string end() const;
  };
  std::string potentialOf(const Driven& d);
  std::vector<Driven> driven_;
  std::set<std::pair<const Component*, std::string>> flowsRead_;  ///< by the equations around
  std::vector<Relation> relations_;
  std::vector<United> united_;
  /// What potentials define of the variables of composites, by their full names.
  std::map<const Instance*, std::map<std::string, PotentialRow>> potentialRows_;
  std::map<std::string, std::string>
      joined_;  ///< potentials that are tied, with what is given as ""
  std::map<const FlatEquation*, Sides> solved_;
  std::set<const FlatEquation*> dropped_;             ///< whose place a part of the catalogue takes
  std::optional<std::map<std::string, int>> counts_;  ///< of connect statements, by connector
  std::set<std::string> reported_;
  std::map<const ImportedSections*, int> checks_, ends_;  ///< how many there are
};

template <class Action>
void Flattening::guarded(Action action) {
  try {
    action();
  } catch (const Refusal& r) {
    if (!r.text.empty()) report(r.at, r.text, r.kind);
  } catch (const NotFoldable& n) {
    notFoldable_.insert(n.instance);
  }
}

/// What `action` writes is part of this body.
template <class Action>
void Flattening::inBody(const Instance& body, Action action) {
  struct Before {
    Flattening& flattening;
    const Instance& body;
    ImportedSections* out;
    ~Before() {
      flattening.translation_.setBody(body);
      flattening.out_ = out;
    }
  };
  const Before before{*this, translation_.body(), out_};
  translation_.setBody(body);
  out_ = &body == &folding_.model() ? &model_ : &bodies_[&body];
  action();
}

}  // namespace cardan::modelica
