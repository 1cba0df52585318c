/// ModelText: a model file line by line, while it is being invented.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frames/rotations.h"

namespace cardan::random {

/// A number as it stands in a model file: all its digits.
std::string number(double x);
/// "[x, y, z]"
std::string list(const Vector3d& v);

class ModelText {
 public:
  /// "rev3": `stem` and a number that counts up for each stem.
  std::string newName(const std::string& stem);
  /// `parameters`: what follows the type, "n: [0, 0, 1], d: 2".
  void component(const std::string& name, const std::string& type, const std::string& parameters);
  void connect(const std::string& a, const std::string& b);
  void variable(const std::string& name, const std::string& expression);
  void output(const std::string& name) { outputs_.push_back(name); }

  const std::vector<std::string>& outputs() const { return outputs_; }
  /// `world`: parameters of the world; `simulation`: of the run.
  std::string text(const std::string& description, const std::string& world,
                   const std::string& simulation) const;

 private:
  std::map<std::string, int> counts_;
  std::vector<std::string> components_, connections_, variables_, outputs_;
};

}  // namespace cardan::random
