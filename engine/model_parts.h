/// ModelParts: what a model is made of, for pictures and reports.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "components/ids.h"
#include "engine/expression/value.h"

namespace cardan {

class Component;
class Diagnostics;
class Model;
class Simulation;
struct ComponentDescription;
struct ModelSource;
struct WorldSettings;

/// A component as it stands in the model.
struct ModelPart {
  const std::string& name;  ///< full name ("boxBody1.body")
  const std::string& type;
  int parent;  ///< the composite that this is a part of, or -1
  const Component& component;
};

/// Reports every component that drives something outside of the model (Structure::outside): `why` it cannot
/// be had then.
void refuseOutside(const Simulation& simulation, const std::string& why, Diagnostics& diagnostics);
/// The same, thrown as ModelError.
void refuseOutside(const Simulation& simulation, const std::string& why);

/// Refers to the model, which lives as long as one of its simulations.
class ModelParts {
 public:
  explicit ModelParts(const Simulation& simulation);

  const ModelSource& source() const;
  const WorldSettings& world() const;
  int size() const;
  ModelPart operator[](int i) const;

  /// Name of a frame connector; its node: frames that are fixed to each other have one.
  const std::string& frameName(FrameId frame) const;
  int node(FrameId frame) const;
  /// Frame connectors by full name.
  std::vector<std::pair<std::string, FrameId>> frames() const;

  /// Per frame: the part that it belongs to; -1: none.
  std::vector<int> partsOfFrames() const;

  bool hasVariable(const std::string& name) const;
  /// "{3}" of a vector; none of a scalar, or where there is no such variable.
  std::vector<int> dimensions(const std::string& variable) const;
  /// Of a Boolean: a comparison that decides it and changes without an event, so that rows alone show it;
  /// "": there is none.
  std::string unseenComparison(const std::string& variable) const;
  /// All that a result can hold.
  struct Variable {
    std::string name, unit, description;
    std::vector<int> dimensions;
  };
  std::vector<Variable> variables() const;
  /// Further names, and what they stand for.
  std::vector<std::pair<std::string, std::string>> aliases() const;
  /// What an input is bound to that no equation reads (a colour, a size): numbers, or else a variable,
  /// by its place in the model's table.
  struct Input {
    std::vector<double> numbers;
    int variable = -1;
    int size = 0;  ///< of the variable
  };
  /// By its full name ("arrow.r_head"); nothing where there is none.
  std::optional<Input> input(const std::string& name) const;

  /// Values that components have read, by full name, component by component; whether one is among them.
  std::vector<std::pair<std::string, ExpressionValue>> parameters() const;
  /// Those of one component, without its name.
  std::vector<std::pair<std::string, ExpressionValue>> parameters(
      const ComponentDescription& component) const;
  bool isParameter(const std::string& name) const;
  /// The model's own, and those that its start has found.
  std::vector<std::pair<std::string, ExpressionValue>> ownParameters() const;
  std::vector<std::pair<std::string, double>> foundParameters() const;

 private:
  const Model& model_;
};

}  // namespace cardan
