/// Values of parameters: of the model, of instances of submodels, of components.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/model_file/model_source.h"

namespace cardan {

/// Evaluates parameters when they are asked for, in whatever order they refer to each other.
///
/// A model's parameter may use a component's (`2*boxBody1.width`) and the other way round. What the
/// file does not give is a default, known once that component has been read: readComponents() reads
/// components in the order in which they need each other. A circle is reported as `a -> b -> a`.
class ParameterTable {
 public:
  /// The outcome of an evaluation.
  struct Result {
    enum class State {
      known,
      failed,    ///< its error has been, or will be, reported at its own place
      deferred,  ///< hinges on a component's default before components are read
      unknown,   ///< no such name
    };
    State state = State::failed;
    ExpressionValue value;

    bool isKnown() const { return state == State::known; }
  };

  /// `model` and `diagnostics` outlive the table.
  ParameterTable(const ModelSource& model, Diagnostics& diagnostics);

  /// Calls `read` once for World and every component, first for those whose defaults others use.
  /// `read` has to publish() what it reads, as ParameterBinding does.
  void readComponents(const std::function<void(const ComponentDescription&)>& read);

  /// Takes in a component that does not stand in the file, to be read now; it stays here.
  const ComponentDescription& add(ComponentDescription component);

  /// A parameter's value as a component has read it. Most are defaults that many components have in
  /// common: each is kept once.
  struct Published {
    std::string key;  ///< inside the component
    ExpressionValue value;
  };

  /// The value of a component's parameter, from its reader; of one that is not among the table's, and
  /// read for its mistakes alone, nothing is kept.
  void publish(const ComponentDescription& component, std::string key, ExpressionValue value);
  /// What a component has published, in the order in which it was read.
  const std::vector<const Published*>& publishedBy(const ComponentDescription& component) const {
    return components_.at(component.name).values;
  }

  /// Value of a number, word, expression or list in the file; `name` in full is what is being
  /// evaluated.
  Result evaluate(const YamlNode& node, int scope, const std::string& name,
                  Diagnostics& diagnostics);
  /// The same, where `name` is a component's parameter: a circle that leads back to it is found.
  Result evaluateGuarded(const std::string& name, const YamlNode& node, int scope,
                         Diagnostics& diagnostics);
  /// The number, if the node is one that needs no evaluation.
  static std::optional<double> plainNumber(const YamlNode& node);
  /// Value of an expression's text.
  Result evaluateText(const SourceExpression& expression, const std::string& name,
                      Diagnostics& diagnostics);

  /// Value of a name in a scope.
  Result lookup(const std::string& name, int scope);
  /// Value of the model's parameter of this index.
  Result parameter(size_t index);
  /// Takes in parameters that the model has got since.
  void addParameters();
  /// The unit that the file states with a value, or with the parameter that it names: values of
  /// parameters are in the SI unit of the same dimension. "" if it states none.
  std::string unitOf(const YamlNode& value, int scope) const { return stated(value, scope).unit; }
  /// The value that says it, where it is that of the parameter: `30 deg` behind `a`. Null where --set
  /// has replaced it.
  const YamlNode* quantityOf(const YamlNode& value, int scope) const {
    return stated(value, scope).quantity;
  }

  /// Names that could have been meant in this scope.
  std::vector<std::string> knownNames(const std::string& near, int scope) const;
  /// The component that a name in full belongs to, by its beginning; null if to none.
  const ComponentDescription* ownerOf(const std::string& name) const;
  /// True if a component has published a parameter of this name in full.
  bool isPublished(const std::string& name) const;
  /// Calls f(component, what it has published) for all components; for results.
  template <class F>
  void forEachComponent(F f) const {
    f(model_.world, publishedBy(model_.world));
    for (const ComponentDescription& c : model_.components) f(c, publishedBy(c));
    for (const ComponentDescription& c : added_) f(c, publishedBy(c));
  }

 private:
  enum class Reading { notYet, now, done };
  struct ComponentEntry {
    const ComponentDescription* component = nullptr;
    Reading reading = Reading::notYet;
    std::vector<const Published*> values;
  };
  /// To the last bit: -0 is not 0.
  struct Same {
    bool operator()(const Published& a, const Published& b) const;
  };
  struct Hash {
    size_t operator()(const Published& p) const;
  };
  struct ParameterEntry {
    size_t index = 0;
    Result result;
    bool isEvaluated = false;
  };

  struct Stated {
    std::string unit;
    const YamlNode* quantity = nullptr;
  };
  Stated stated(const YamlNode& value, int scope) const;
  void read(ComponentEntry& entry);
  Result lookupFull(const std::string& name);
  std::string explainUnknown(const std::string& name, int scope) const;
  Result componentKey(ComponentEntry& entry, const std::string& key);
  Result guarded(const std::string& name, const SourceMark& at, const std::function<Result()>& run);
  Result list(const YamlNode& node, int scope, const std::string& name, Diagnostics& diagnostics);

  const ModelSource& model_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, ParameterEntry> parameters_;
  std::unordered_map<std::string, ComponentEntry> components_;
  std::deque<ComponentDescription> added_;  ///< in place: entries point at them
  std::unordered_set<Published, Hash, Same> published_;
  std::function<void(const ComponentDescription&)> read_;
  size_t registered_ = 0;              ///< parameters of the model
  std::vector<std::string> underway_;  ///< what is being evaluated or read, the innermost last
  std::set<std::string> inCircle_;     ///< members of circles that have been reported
  size_t elements_ = 0;                ///< of all values found so far
};

}  // namespace cardan
