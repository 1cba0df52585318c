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
  result,
  state,       ///< continuous, and no result that goes by its name
  derivative,  ///< of a continuous state, all of them in the order of the states
  indicator    ///< of events, in model exchange
};

struct FmuVariable {
  std::string name;
  FmuKind kind = FmuKind::real;
  FmuRole role = FmuRole::result;
  std::string start;   ///< value, as a text; "" where there is none
  std::string target;  ///< what --set calls it ("L", "j1.phi.start"); elements of a list have one
  bool isOutput = false;
  std::string unit, description;  ///< for the model description alone: not among what is written
  int stateOf = -1;               ///< likewise, of a derivative: value reference of its state
  int ordinal = -1;       ///< which continuous state it is, or derivative, or indicator; -1: none
  std::string nominal{};  ///< of a continuous state, as a text; else ""

  bool isNumber() const { return kind == FmuKind::real; }
  bool isSettable() const {
    return role == FmuRole::parameter || role == FmuRole::tunable || role == FmuRole::input ||
           isStart();
  }
  bool isStart() const { return role == FmuRole::exactStart || role == FmuRole::approxStart; }
  /// A column of a run.
  bool isResult() const { return role == FmuRole::result || isStart(); }
  /// Of the exchange of states; not a result.
  bool isOfExchange() const {
    return role == FmuRole::state || role == FmuRole::derivative || role == FmuRole::indicator;
  }
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
  size_t states = 0, indicators = 0;         ///< of model exchange
  std::string noExchange;                    ///< why there is no model exchange; "": there is

  std::string write() const;
  /// Throws std::runtime_error where `text` is none.
  static FmuDescription read(const std::string& text);
};

}  // namespace cardan
