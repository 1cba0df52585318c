/// Assembly: from declared components to the equations of the model.
#pragma once

#include <memory>
#include <vector>

#include "engine/equations/signal_graph.h"
#include "engine/structure/flat_model.h"
#include "engine/structure/layout.h"
#include "engine/structure/potential_network.h"
#include "engine/structure/spanning_tree.h"
#include "engine/structure/variable_table.h"

namespace cardan {

class Equations;
struct InputBinding;

/// What only a model file knows: the bindings of inputs and the names that their expressions may
/// use.
struct SignalContext {
  ParameterTable& parameters;
  const ModelSource& model;
  /// Binding of an input by its full name, or null.
  std::function<const InputBinding*(const std::string&)> binding;
  /// Adds the model's own variables to the table once all components have described theirs.
  std::function<void(VariableTable&, FlatModel&)> addVariables;
  /// The component that holds the file's own equations, or null.
  class ModelEquations* equations = nullptr;
  /// Inputs of the file, which addVariables() has put in.
  const std::vector<GivenInput>* given = nullptr;
  /// Components that follow from the others; may be empty.
  MakeAdditions additions{};
  /// Components are missing, so that what they would hold together falls apart: only names,
  /// connectors and signals are checked.
  bool incomplete = false;
};

/// All stages of the assembly, in the order in which they are made; does not move.
class Assembly {
 public:
  /// Errors go to `diagnostics`; the equations exist only if there are none.
  Assembly(const WorldSettings& world, std::vector<NamedComponent> components,
           const std::vector<ConnectionStatement>& connections, Diagnostics& diagnostics,
           const SignalContext* context = nullptr);
  Assembly(const Assembly&) = delete;
  ~Assembly();

  FlatModel flatModel;
  VariableTable variables;
  SpanningTree spanningTree;
  PotentialNetwork network;
  std::unique_ptr<SignalGraph> signals;
  Layout layout;
  std::unique_ptr<Equations> equations;
};

}  // namespace cardan
