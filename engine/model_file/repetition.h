/// What decides which parts a model has: `count`, `for`, `if`, and the indices in names.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model_file/parameter_table.h"
#include "engine/model_file/sections.h"

namespace cardan {

/// The indices around a statement, the innermost last: `i` is 3.
using IndexValues = std::vector<std::pair<std::string, double>>;

/// One element of an array of components.
struct ArrayElement {
  std::string suffix;  ///< "[3]", "[2,1]"; "" of what is no array
  IndexValues indices;
};

/// Evaluates what the shape of a model hinges on, while it is being expanded. Only parameters of the
/// model and of instances of submodels count: components have not been read yet.
class Repetitions {
 public:
  /// `model` gets its parameters while this is in use; both outlive it.
  Repetitions(const ModelSource& model, Diagnostics& diagnostics);

  /// The elements that `count` makes of the component `name`: one for null; those of `count: [2, 3]` by
  /// rows, with the indices i and j. Nothing, and reported, where it has no such value.
  std::vector<ArrayElement> elements(const YamlNode* count, const std::string& name, int scope);

  /// Value of an `if`; null is true. False, and reported, where it has none; `what` is "component 'x'".
  bool holds(const YamlNode& condition, const std::string& what, int scope,
             const IndexValues& indices);

  /// Calls `f` for the indices of `i in 1:3, j in 1:i`, once where it is null; false, and reported, where it
  /// has no meaning.
  bool forEach(const YamlNode& clause, int scope, const IndexValues& outer,
               const std::function<void(const IndexValues&)>& f);

  /// The names that `link[i+1].frame_a` and `link[2:n].frame_a` stand for. None, and reported, where an
  /// index has no value.
  std::vector<std::string> names(const std::string& text, const SourceMark& at, int scope,
                                 const IndexValues& indices);

  /// An expression with numbers in the place of indices: `L[i]*link[n-1].w` -> `L[3]*link[4].w`.
  std::string written(const std::string& text, const SourceMark& at, int scope,
                      const IndexValues& indices);
  /// The same of all texts below a value.
  void write(YamlNode& node, int scope, const IndexValues& indices);

 private:
  std::optional<ExpressionValue> evaluate(const std::string& text, const SourceMark& at, int scope,
                                          const IndexValues& indices, const std::string& what);
  std::optional<std::vector<double>> range(std::string_view text, const SourceMark& at, int scope,
                                           const IndexValues& indices, const std::string& what);
  std::vector<std::string> indexTexts(std::string_view inside, const SourceMark& at, int scope,
                                      const IndexValues& indices, const std::string& name);
  /// False, and reported, where all ranges of a model together are too long.
  bool isRoomFor(double passes, const SourceMark& at);
  bool loop(const std::vector<std::string_view>& clauses, size_t k, std::string_view whole,
            const SourceMark& at, int scope, IndexValues& indices,
            const std::function<void(const IndexValues&)>& f);

  Diagnostics& diagnostics_;
  Diagnostics ofParameters_;  ///< reported again where the parameter is evaluated for good
  ParameterTable table_;
  double passes_ = 0;  ///< values of all ranges so far, and the names they were written into
};

}  // namespace cardan
