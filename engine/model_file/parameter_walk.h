/// ParameterWalk: goes through the parameters of a class, and of its parts, without a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "components/parameter_reader.h"

namespace cardan {

/// Nothing is given and no rule is broken; Derived says in visit() what becomes of a parameter.
class ParameterWalk : public ParameterReader {
 public:
  explicit ParameterWalk(const WorldSettings& world) : world_(world) {}

  bool require(bool holds, std::string_view, std::string_view) override { return holds; }
  bool isGiven(std::string_view) const override { return false; }
  const WorldSettings& world() const override { return world_; }
  void begin(std::string_view part) override { prefixes_.push_back(full(part) + "."); }
  void end() override { prefixes_.pop_back(); }

 protected:
  /// "part.name" of a parameter of the part that is read.
  std::string full(std::string_view name) const { return prefixes_.back() + std::string(name); }

 private:
  const WorldSettings& world_;
  std::vector<std::string> prefixes_{""};
};

}  // namespace cardan
