/// Reads one component's parameters from the model file.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "components/parameter_reader.h"
#include "engine/expression/expression.h"
#include "engine/model_file/parameter_table.h"
#include "engine/model_file/quantities.h"

namespace cardan {

/// What one element of a signal input is: a number or an expression of variables.
struct InputElement {
  double constant = 0.0;
  std::optional<SourceExpression> expression;  ///< takes the place of `constant`
};

/// What the file (or, `given` false, the default) says about a signal input. Where there is no
/// element, a connection has to bind it.
struct InputBinding {
  std::string name;  ///< as the component reads it, inner parts in front: "force", "part.u"
  int size = 1;
  bool optional = false;
  bool given = false;
  std::vector<InputElement> elements;  ///< `size` of them, or none
  std::optional<SourceExpression>
      expression;  ///< one for the whole vector, in place of the elements
  SourceMark at;   ///< of the value; of the component, where it is not given
};

/// A parameter that initialisation finds: `c: {fixed: false, start: 100}`.
struct FreeParameter {
  std::string name;          ///< inside the component
  double* target = nullptr;  ///< holds `start` until then; stays valid as long as the component
  double start = 0.0;
  SourceMark at;
};

/// One reading of one component. Call finish() after the component has read its parameters.
class ParameterBinding final : public ParameterReader {
 public:
  /// All references outlive the binding.
  ParameterBinding(const ComponentDescription& component, ParameterTable& table,
                   const WorldSettings& world, Diagnostics& diagnostics);

  /// Reports the keys that no parameter asked for.
  void finish();

  const std::vector<InputBinding>& inputBindings() const { return inputs_; }
  const std::vector<FreeParameter>& unknownParameters() const { return unknowns_; }
  /// What was read, defaults too.
  const std::vector<const ParameterTable::Published*>& values() const {
    return table_.publishedBy(component_);
  }

  /// Files that parameters were read from.
  const std::vector<std::string>& files() const { return files_; }

  bool require(bool holds, std::string_view name, std::string_view rule) override;
  bool requireRow(bool holds, std::string_view name, int row, std::string_view rule) override;
  bool isGiven(std::string_view name) const override;
  std::string fileNamed(std::string_view name, const std::string& written) override;
  const WorldSettings& world() const override { return world_; }
  void begin(std::string_view part) override;
  void end() override;

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override;

 private:
  using Keys = std::set<std::string>;
  /// The keys that were asked for in one map of the file, and which of its entries have one of them.
  struct Asked {
    const YamlNode* map;
    std::string prefix;
    std::vector<std::string> keys;
    std::vector<bool> isKnown;
  };
  /// The keys of the component, or of one inner part.
  struct Level {
    std::string prefix;   ///< "", "actuatedRevolute_a."
    const YamlNode* map;  ///< nullptr: the file says nothing about this part
    size_t asked;         ///< in asked_, where there is a map
  };

  std::string fullName(std::string_view name) const {
    return levels_.back().prefix + std::string(name);
  }
  const YamlNode* given(std::string_view name) const;
  void enter(std::string prefix, const YamlNode* map);
  void ask(std::string_view key);
  void error(const SourceMark& at, const std::string& text);
  void errorMust(const ParameterInfo& info, const YamlNode& at, const std::string& rule,
                 const std::string& found);

  std::string radiansIn(const Expression& expression) const;
  WantedUnit wanted(const ParameterInfo& info) const;
  std::optional<YamlNode> inOwnUnit(const ParameterInfo& info, const YamlNode& node);
  std::optional<ExpressionValue> evaluate(const ParameterInfo& info, const YamlNode& written);
  bool isInRange(const ParameterInfo& info, const YamlNode& node,
                 const std::vector<double>& elements);
  std::optional<double> readNumber(const ParameterInfo& info, const YamlNode& node);
  std::optional<bool> readBoolean(const ParameterInfo& info, const YamlNode& node);
  std::optional<std::string> readString(const ParameterInfo& info, const YamlNode& node);
  std::optional<std::vector<int>> readIntegers(const ParameterInfo& info, const YamlNode& node,
                                               int size);
  std::optional<int> readChoice(const ParameterInfo& info, const YamlNode& node,
                                const std::vector<std::string_view>& names);
  /// A vector of `size` numbers, or of any number of them (0).
  std::optional<std::vector<double>> readVector(const ParameterInfo& info, const YamlNode& node,
                                                int size);

  void read(const ParameterInfo& info, const YamlNode& node, double* x);
  void read(const ParameterInfo& info, const YamlNode& node, int* x);
  void read(const ParameterInfo& info, const YamlNode& node, bool* x);
  void read(const ParameterInfo& info, const YamlNode& node, std::string* x);
  void read(const ParameterInfo& info, const YamlNode& node, Vector3d* x);
  void read(const ParameterInfo& info, const YamlNode& node, Matrix3d* x);
  void read(const ParameterInfo& info, const YamlNode& node, std::array<int, 3>* x);
  void read(const ParameterInfo& info, const YamlNode& node, std::vector<int>* x);
  void read(const ParameterInfo& info, const YamlNode& node, std::vector<std::string>* x);
  void read(const ParameterInfo& info, const YamlNode& node, EnumerationTarget& x);
  void read(const ParameterInfo& info, const YamlNode& node, StartTarget& x);
  void read(const ParameterInfo& info, const YamlNode& node, InputTarget& x);
  void read(const ParameterInfo& info, const YamlNode& node, TableTarget& x);
  void readFile(const ParameterInfo& info, TableTarget& x);
  void readUnknown(const ParameterInfo& info, const YamlNode& node, double* x);
  void readFixed(const ParameterInfo& info, const YamlNode& node, StartTarget& x);
  void warnOfDegrees(const ParameterInfo& info, const YamlNode& node);
  void warnOfInertia();
  std::optional<InputElement> readInputElement(const ParameterInfo& info, const YamlNode& node);

  const ComponentDescription& component_;
  ParameterTable& table_;
  const WorldSettings& world_;
  Diagnostics& diagnostics_;
  std::vector<Level> levels_;
  std::vector<Asked> asked_;
  std::map<std::string, std::string> described_;  ///< parameter by prefix and description, of keys
                                                  ///< that are such a description
  Keys failed_;                                   ///< full names whose value was refused
  std::vector<InputBinding> inputs_;
  std::vector<FreeParameter> unknowns_;
  std::vector<std::string> files_;
  std::map<std::string, std::vector<SourceMark>, std::less<>> rowsOnFile_;  ///< of tables by name
};

}  // namespace cardan
