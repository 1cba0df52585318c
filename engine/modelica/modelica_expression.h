/// Expressions of the model file in the words of Modelica.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/expression/tokens.h"
#include "engine/text/diagnostics.h"

namespace cardan {

/// What one class can name, and how Modelica calls it.
struct ModelicaNames {
  std::map<std::string, std::string> identifiers;  ///< of components, parameters, variables
  std::map<std::string, std::string> values;       ///< of parameters that share a component's name
  bool isModel = true;  ///< false in a submodel, which as a class does not see what is around it
};

/// Writes expressions as their author did, with Modelica's names: `30*deg` -> `30*D2R`, `[a, b]` ->
/// `{a, b}`, `norm(v)` -> `Modelica.Math.Vectors.length(v)`.
class ModelicaExpressions {
 public:
  /// Both outlive this.
  ModelicaExpressions(const ModelicaNames& names, Diagnostics& diagnostics)
      : names_(names), diagnostics_(diagnostics) {}

  /// An expression, equation or range; `indices` are the names of the loops around it. What Modelica
  /// has no word for is reported.
  std::string translated(const std::string& text, const SourceMark& at,
                         const std::set<std::string>& indices = {});

  /// Constants that have been used, for an import.
  const std::set<std::string>& constants() const { return constants_; }
  /// Names that have been used as indices or sizes: they are whole numbers.
  const std::set<std::string>& wholeNumbers() const { return wholeNumbers_; }
  void countAsWhole(const std::string& text);

 private:
  struct Part {
    std::string name;
    std::string index;  ///< "[1]", as written
  };
  std::string range(size_t from, size_t to, bool isIndex);
  std::string bracketed(size_t open, size_t close, bool isIndex);
  std::vector<Part> partsFrom(size_t& k);
  std::string name(size_t& k, bool isIndex);
  std::string functionName(const std::string& written) const;
  size_t closingToken(size_t open) const;
  size_t endOfOperand(size_t from) const;
  void refuse(size_t token, const std::string& text);

  const ModelicaNames& names_;
  Diagnostics& diagnostics_;
  std::set<std::string> constants_;
  std::set<std::string> wholeNumbers_;
  // Of the expression that is being written.
  std::vector<Token> tokens_;
  SourceMark at_;
  std::set<std::string> indices_;
};

}  // namespace cardan
