/// Kept values: what a study keeps of each run, as expressions over what its variables have done.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/results/rows.h"
#include "engine/text/diagnostics.h"

namespace cardan {

class Expression;
class ExpressionValue;

/// What becomes of a variable over a run.
enum class RunScalar {
  final,  ///< the last value
  min,    ///< of the rows, and of all elements
  max,
  mean,   ///< over time, by the trapezoidal rule between rows
  rms,    ///< the root of the mean square, likewise
  at,     ///< the value at a time, linear between rows
  first,  ///< the first time at which a condition holds
};

/// One call of a reduction, `max(abs(body.frame_b.f))`.
struct ReductionCall {
  RunScalar kind;
  std::string variable;   ///< of the model, made for it: the argument
  double at = 0;          ///< [s]  of `at`
  std::string text = {};  ///< of the argument, as events name it
};

/// A variable that the model gets for a study.
struct StudyVariable {
  std::string name, text;
  SourceMark at;  ///< of its text
};

/// A value of a run: an expression of reductions and parameters, `(max(x) - min(x))/L`.
struct KeptValue {
  std::string name;
  SourceMark at;
  std::string text;
  /// `text` with its reductions as `_1`, `_2`, ... (numbers of KeptValues::calls from 1).
  std::string outer;
  std::vector<size_t> calls;                    ///< in the order of the text
  std::shared_ptr<const Expression> tree = {};  ///< of `outer`

  /// Nothing but a reduction: may be a vector.
  bool isBare() const;
};

/// All values of a study, and the variables that they need.
class KeptValues {
 public:
  /// Adds one; wrong ones are reported. `name`: "" for the text itself. `at`: of its first character.
  void add(const std::string& name, const std::string& text, const SourceMark& at,
           Diagnostics& diagnostics);

  const std::vector<KeptValue>& values() const { return values_; }
  const std::vector<ReductionCall>& calls() const { return calls_; }
  const std::vector<StudyVariable>& variables() const { return variables_; }

 private:
  class Scanner;
  std::string variableFor(const std::string& argument, const SourceMark& at);

  std::vector<KeptValue> values_;
  std::vector<ReductionCall> calls_;
  std::vector<StudyVariable> variables_;
};

/// Reduces the rows of a run. Columns that no kept value reads are passed over.
class ReducedRun final : public RowSink {
 public:
  explicit ReducedRun(const KeptValues& kept) : kept_(kept) {}

  void begin(const std::vector<Column>& columns) override;
  void row(double time, std::span<const double> values) override;
  /// An event of kept conditions alone does not count in what else is kept.
  void event(const std::vector<std::string>& changed) override;
  /// Something else than final values is kept.
  bool wantsGrid() const override;

  /// Names of the results: those of vectors are followed by indices. After begin().
  std::vector<std::string> names() const;
  /// Reports what the columns show to be wrong: conditions that are none, or that no event tells of
  /// (`unseen`: the comparison in this variable, or ""), vectors inside expressions, names that are no
  /// parameters. After begin().
  void check(const std::map<std::string, ExpressionValue>& parameters,
             const std::function<std::string(const std::string& variable)>& unseen,
             Diagnostics& diagnostics) const;
  /// The results; nothing where there is no value (a time that never came, a division by 0).
  std::vector<std::optional<double>> results(
      const std::map<std::string, ExpressionValue>& parameters) const;

 private:
  struct State {
    std::vector<size_t> columns;
    bool isBoolean = false;
    bool found = false;
    std::vector<double> values;  ///< the result so far
    std::vector<double> before;  ///< its columns in the last row that counts,
    double time = 0;             ///< [s]  and the time of that
    double largest = 0;          ///< value in any of them
  };
  size_t sizeOf(const ReductionCall& call, const State& state) const;
  static void reduce(const ReductionCall& call, State& state, double time,
                     std::span<const double> values);
  bool jumps(const State& state, std::span<const double> values) const;
  std::vector<std::optional<double>> valueOf(size_t call) const;
  std::optional<double> evaluate(const KeptValue& value,
                                 const std::map<std::string, ExpressionValue>& parameters) const;

  const KeptValues& kept_;
  std::vector<State> states_;
  std::vector<double> last_;  ///< row; pending: it counts unless the next is of such an event
  double begun_ = 0, time_ = 0;
  bool any_ = false, isPending_ = false, isOwnEvent_ = false;
};

}  // namespace cardan
