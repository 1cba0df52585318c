/// Instantiation: from a class to the tree of its components, sizes and conditions evaluated.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/modelica/evaluation.h"
#include "engine/modelica/instance.h"
#include "engine/modelica/lookup.h"

namespace cardan::modelica {

class Instantiation {
 public:
  Instantiation(Lookup& lookup, Evaluation& evaluation, Diagnostics& diagnostics)
      : lookup_(lookup), evaluation_(evaluation), diagnostics_(diagnostics) {
    evaluation.completeBy([this](const Component& c) { complete(c); });
  }
  ~Instantiation() { evaluation_.completeBy({}); }
  Instantiation(const Instantiation&) = delete;

  std::unique_ptr<Instance> instantiate(const ClassDefinition& model);

  /// What a class's name means where it stands; of kind `none`, and reported, if nothing.
  Type typeOf(const TypeName& name, const Scope& scope);

 private:
  void collect(Instance& instance, const ClassDefinition& c, const Scope& where, Modifier& modifier,
               std::vector<const ClassDefinition*>& chain);
  void addComponent(Instance& instance, const Element& element, const Scope& scope,
                    Modifier& modifier);
  void addClass(Instance& instance, const Element& element, const Scope& scope, Modifier& modifier);
  void extend(Instance& instance, const Entity& found, const TypeName& name, const Modification& m,
              const Scope& scope, const Modifier& outer,
              std::vector<const ClassDefinition*>& chain);
  void finish(Instance& instance);
  void complete(const Component& c);
  bool isThere(const Component& c);
  void finishComponent(Component& c);
  void checkLengths(const Modifier& m, const std::vector<int>& sizes);
  void expand(Component& c, const std::vector<int>& sizes);
  static void takePresentNames(Component& c);
  void fill(Component& c);
  void giveFields(Component& c);
  void checkModifier(const Component& c);
  void checkValue(Component& c);
  void checkWhole(const Component& c);
  void checkFields(const Component& c, const Expression& e, const Scope& scope);
  void checkBalance(const Component& c);
  Type classify(const Entity& entity, const SourceMark& at, int depth);
  Type classifyDefinition(Type type, const SourceMark& at, int depth);
  Type classifyShort(const Type& type, int depth);
  Type classifyConnector(Type type, int depth);
  Type inherited(const Type& type, const TypeName& name, const Modification& m, const Scope& scope,
                 int depth);
  const Element* onlyModified(const Scope& text, int depth);
  bool isOfCatalogue(const Entity& entity, int depth);
  Modifier modifierOf(const Modification& m, const Scope& scope, Position at);
  void addArgument(Modifier& modifier, const Argument& a, const Scope& scope);
  Modifier redeclarationAs(const Element& element, const Scope& scope, Position at);
  Modifier merge(const Modifier& outer, const Modifier& inner);
  const Component* worldOf(const Component& c);
  std::optional<std::vector<int>> sizesOf(const Component& c);
  bool error(const SourceMark& at, const std::string& text, ErrorKind kind = ErrorKind::general);
  void report(const Refusal& r) { error(r.at, r.text, r.kind); }

  Lookup& lookup_;
  Evaluation& evaluation_;
  Diagnostics& diagnostics_;
  size_t components_ = 0;
  const Component* world_ = nullptr;  ///< the first one
  bool tooMany_ = false;
  std::set<std::string> reported_;
};

/// Marks every value below that is not `each` as belonging to element `index` of an array.
void pickElement(Modifier& modifier, int index);

}  // namespace cardan::modelica
