/// ClassComments: what the headers of the components say of their classes, by types of model files.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cardan {

/// Comments, classes, aliases and entries of components/, as the build has taken them from there.
std::string_view componentComments();

/// The comment of a class, without its slashes: its text, and the rows of its table (Unknowns, Equations,
/// Parts, Modes, Source).
struct ClassComment {
  std::string text;
  std::vector<std::string> lines;  ///< of the table
  bool generic = false;            ///< written for shafts and sliders alike, in the words of shafts
};

class ClassComments {
 public:
  explicit ClassComments(std::string_view source = componentComments());
  /// Of a type of the catalogue; empty where its class has none.
  ClassComment of(const std::string& type) const;

 private:
  void readLine(const std::string& line);
  std::string find(const std::string& name, const std::string& scope) const;

  /// "Blocks.Gain": {"Gain", "blocks"}, the class as it is named in a namespace
  std::map<std::string, std::pair<std::string, std::string>> classOfType_;
  std::map<std::string, std::vector<std::string>> comments_;  ///< by class
  std::map<std::string, std::string> aliases_;  ///< "blocks::Gain": "Algebraic<GainLaw>"
  std::string scope_;                           ///< while reading
  std::vector<std::string> block_;
};

}  // namespace cardan
