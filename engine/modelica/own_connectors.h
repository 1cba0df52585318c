/// OwnConnectors: connectors that files define, with flow variables: what is connected has equal
/// potentials, and flows that sum to zero.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/modelica/instance.h"

namespace cardan::modelica {

/// True of classes with a connector of their own among their components, at any depth.
bool hasOwnConnectors(const Instance& instance);

class OwnConnectors {
 public:
  struct Equation {
    Tree left, right;
    SourceMark at;
  };

  /// Field by field, also of connectors made of connectors. `isOutside`: a connector of the class in which the
  /// statement stands, not of a part there. Throws Refusal where the two have not the same elements.
  void connect(const Component& a, bool isOutsideA, const Component& b, bool isOutsideB,
               const SourceMark& at);
  /// Of all connections, and of flows that nothing is connected with.
  std::vector<Equation> equations(const Instance& model) const;

 private:
  /// A flow variable seen from one of its two sides: into its component, or into what is inside.
  struct Side {
    std::string path;
    bool isOutside = false;
    auto operator<=>(const Side&) const = default;
  };

  void connectField(const Component& a, bool isOutsideA, const Component& b, bool isOutsideB,
                    const SourceMark& at);
  void addFlows(const Component& c, std::vector<Equation>& out) const;
  static Side standing(const std::map<Side, Side>& united, Side s);

  std::map<Side, Side> flows_;       ///< united with
  std::map<Side, Side> potentials_;  ///< united with; of these sides are alike
  std::vector<Equation> potentialEquations_;
  std::vector<std::pair<Side, SourceMark>> met_;  ///< flows in the order of their connections
};

}  // namespace cardan::modelica
