/// Records what a component says about its parameters, for `cardan components TYPE`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model_file/parameter_walk.h"

namespace cardan {

/// One parameter, ready to print.
struct DocumentedParameter {
  std::string name;  ///< inner parts in front: "actuatedRevolute_a.phi"
  std::string
      type;  ///< "number", "integer", "boolean", "text", "vector of 3", "start value", "input", ...
  std::string unit;          ///< "" for things that are not numbers
  std::string defaultValue;  ///< as a model file would say it; "" for a required input
  std::string range;         ///< ">= 0", "> 0" or ""
  std::string description;
  std::vector<std::string> choices;  ///< of an enumeration
};

/// Reads nothing: every parameter keeps its default.
class ParameterDocumentation final : public ParameterWalk {
 public:
  using ParameterWalk::ParameterWalk;

  const std::vector<DocumentedParameter>& parameters() const { return parameters_; }

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override;

 private:
  std::vector<DocumentedParameter> parameters_;
};

}  // namespace cardan
