/// FmuDescription: what an FMU says to its own library, resources/cardan.txt; the exporter writes it,
/// the library reads it, so that it needs no XML.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cardan {

enum class FmuKind { real, integer, boolean, text };
enum class FmuRole {
  independent,  ///< the time
  constant,     ///< of the structure of the model: it can be read
  parameter,    ///< set before the start
  tunable,      ///< a number at a signal input of a component
  input,        ///< of the model
  calculated,   ///< a parameter that others determine
  exactStart,   ///< a result whose start value holds
  approxStart,  ///< a result whose start value is a guess
  result
};

struct FmuVariable {
  std::string name;
  FmuKind kind = FmuKind::real;
  FmuRole role = FmuRole::result;
  std::string start;   ///< value, as a text; "" where there is none
  std::string target;  ///< what --set calls it ("L", "j1.phi.start"); elements of a list have one
  bool isOutput = false;
  std::string unit, description;  ///< for the model description alone: not among what is written

  bool isNumber() const { return kind == FmuKind::real; }
  bool isSettable() const {
    return role == FmuRole::parameter || role == FmuRole::tunable || role == FmuRole::input ||
           isStart();
  }
  bool isStart() const { return role == FmuRole::exactStart || role == FmuRole::approxStart; }
  /// A column of a run.
  bool isResult() const { return role == FmuRole::result || isStart(); }
  /// Its target takes a list.
  bool isListElement() const { return name.ends_with(']') && !target.ends_with(']'); }
};

/// The number that `text` is; nothing where it is none.
std::optional<double> fmuNumber(const std::string& text);

struct FmuDescription {
  std::string name;   ///< of the model
  std::string token;  ///< GUID, instantiation token
  std::string file;   ///< of the model, relative to resources/
  std::vector<std::string> overrides;
  double start = 0, stop = 1, interval = 0;  ///< [s]  of the default run
  double tolerance = 0;                      ///< [1]
  std::vector<FmuVariable> variables;        ///< by value references

  std::string write() const;
  /// Throws std::runtime_error where `text` is none.
  static FmuDescription read(const std::string& text);
};

}  // namespace cardan
