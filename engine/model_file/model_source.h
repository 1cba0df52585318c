/// ModelSource: a model as its file describes it, flattened.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/expression/value.h"
#include "engine/model_file/simulation_settings.h"
#include "engine/model_file/source_text.h"
#include "engine/structure/encounters.h"
#include "engine/text/diagnostics.h"
#include "engine/text/yaml_document.h"

namespace cardan {

/// Where names of an expression are looked up: the model (scope 0), or one instance of a submodel.
/// A name is tried with the prefix of its scope first, then with those of the enclosing ones.
struct NameScope {
  std::string prefix;  ///< "", "arm1.", "arm1.hand."
  int parent = -1;     ///< index of the enclosing scope
};

/// A parameter of the model, or of an instance of a submodel (`arm1.L`).
struct ModelParameter {
  std::string name;  ///< in full
  SourceMark at;
  YamlNode expression;
  int scope = 0;  ///< where the names of `expression` are looked up
  /// Not there where it hinges on a default of a component; ParameterTable knows it once that is
  /// read.
  std::optional<ExpressionValue> value;
  bool failed = false;  ///< its error has been reported
  std::string unit;     ///< that the file states with its value: `300 mm`; values are in SI units
};

/// What an `if` leaves out.
struct AbsentComponent {
  std::string name;  ///< in full; of an array one element
  SourceMark at;     ///< of its `if`
};

struct ComponentDescription {
  std::string name;  ///< in full
  SourceMark at;
  std::string type;
  SourceMark typeAt;
  YamlNode arguments;  ///< a map without `type`
  int scope = 0;
};

/// A connection of two connectors, both names in full, down to a component's own connector.
struct ConnectionDescription {
  std::string a;
  std::string b;
  SourceMark aAt;
  SourceMark bAt;
};

/// The section `contacts`, its shape checked. Keys of laws are read by the components of the pairs.
struct ContactsDescription {
  EncounterRules rules;
  std::vector<YamlNode> keys;  ///< of rules.pairs: maps of what an item says besides its shapes
  YamlNode defaults;           ///< a map, or null
  std::vector<YamlNode::Entry> materials;  ///< maps by name
};

/// What a variable may be at the start: values that are known before the run.
struct StartDescription {
  std::optional<YamlNode> start;  ///< a number, an expression, a list of these
  std::optional<YamlNode> fixed;  ///< true, false, a list of these
};

/// A named result, or an unknown that an equation defines.
struct VariableDescription {
  std::string name;  ///< in full
  SourceMark at;
  std::optional<SourceExpression> expression;
  std::vector<int> size;   ///< of `{size: [3]}`; empty: a scalar, or as long as its start
  std::string type;        ///< of `{type: Frames.Orientation}`; "" for Real
  int scope = 0;           ///< of what follows
  StartDescription start;  ///< of itself
  StartDescription rate;   ///< of its derivative: `der: {start: 2, fixed: true}`
  std::optional<YamlNode> nominal, min, max;
  std::string stateSelect;  ///< "never" to "always"; empty: "default"
  std::string unit, description;
  bool isParameter = false;  ///< shows a parameter of the model that the start finds

  /// The file says something about its start.
  bool hasStart() const {
    return start.start || start.fixed || rate.start || rate.fixed || !stateSelect.empty();
  }
};

/// A number that comes from outside while the model runs.
struct InputDescription {
  std::string name;
  SourceMark at;
  std::optional<YamlNode> start;  ///< until something feeds it: a number, an expression, a list
  std::vector<int> size;          ///< of `{size: 3}`; empty: a scalar, or as long as its start
  std::string unit, description;
};

/// A condition that must hold, and what to say where it does not.
struct AssertDescription {
  SourceExpression condition;
  std::string message;
};

/// What happens where a condition becomes true.
struct WhenBranchDescription {
  SourceMark at;
  std::vector<SourceExpression> conditions;  ///< any of them
  struct Assignment {
    std::string target;  ///< as it is written
    SourceMark at;
    SourceExpression value;
  };
  std::vector<Assignment> set, reinit;
  std::vector<AssertDescription> assertions;
  std::string terminate;  ///< why the run ends; empty: it does not
};

/// `when ... elsewhen ...`: of branches that become true together the first one counts.
struct WhenDescription {
  std::vector<WhenBranchDescription> branches;
  int scope = 0;
};

struct SubmodelName {
  std::string name;
  SourceMark at;
};

/// A model without submodels and includes: names are in full, everything knows its place.
struct ModelSource {
  std::string name;
  std::string description;
  std::string file;
  std::vector<std::string> included;  ///< files that were read besides
  std::vector<NameScope> scopes{{}};
  std::vector<ModelParameter> parameters;
  ComponentDescription world{"world", {}, "World", {}, {}, 0};
  std::vector<ComponentDescription> components;
  std::vector<std::string> submodels;  ///< types that the file and its includes define
  std::vector<SubmodelName> submodelPlaces;
  std::vector<ConnectionDescription> connections;
  ContactsDescription contacts;
  std::vector<AbsentComponent> absent;
  std::vector<ConnectionDescription> absentConnections;  ///< those that went with them
  std::vector<InputDescription> inputs;
  std::vector<VariableDescription> variables;
  std::vector<SourceEquation> equations;
  std::vector<SourceEquation> initialEquations;
  std::vector<WhenDescription> whens;
  std::vector<AssertDescription> assertions;
  SimulationSettings simulation;
  std::vector<OutputPattern> outputs;
  std::map<std::string, std::string> connectorAliases;  ///< `arm1.frame_a` -> `arm1.base.frame_a`
  std::set<std::string> unknowns;  ///< variables that only implicit equations determine
  std::set<std::string> unread;    ///< components that could not be made; reported

  /// The variable is true or false, as its type, its start or the form of its expression says, or of what
  /// names there stand for; `isOther`: of names that are none of the model's own variables.
  bool isBoolean(const VariableDescription& of,
                 const std::function<bool(const std::string&)>& isOther = {}) const;

  /// A file that defines submodels and no model.
  bool isLibrary() const {
    return components.empty() && variables.empty() && equations.empty() && !submodels.empty();
  }

  /// The name with the connectors of submodel instances at its beginning replaced by what they
  /// stand for.
  std::string withoutAliases(const std::string& full) const;
  /// True of a name in full that begins with a component which could not be made.
  bool isUnread(const std::string& full) const;
};

}  // namespace cardan
