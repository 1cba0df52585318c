/// A component of the catalogue that gives a flow into what it is connected with.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "engine/modelica/instance.h"

namespace cardan::modelica {

struct FlowSource {
  struct Flow {
    const char* name;   ///< in the connector
    const char* input;  ///< of the component
    int size;           ///< 0: a scalar
  };
  std::string_view connector;  ///< physicalConnector()
  const char* type;
  const char* end;
  const char* potential;  ///< in the connector; "" where it is no number
  std::vector<Flow> flows;
  std::vector<std::pair<const char*, const char*>> settings = {};
  const char* otherEnd = "";  ///< where the flow comes from: grounded
};

/// That of a connector of a composite; null where there is none.
const FlowSource* flowSourceOf(const Component& connector);

}  // namespace cardan::modelica
