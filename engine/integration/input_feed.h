/// InputFeed: inputs of a model as functions of time, from a table.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/equations/model_inputs.h"
#include "engine/integration/input_table.h"

namespace cardan {

class Diagnostics;
class Equations;

/// Between two changes an input is value + slope (time - instant), three numbers of the run's state
/// (input_variable.h). Changes are met exactly by the steps: a jump is an event, and so is a bend where
/// a motion is prescribed by a rate; other bends end a step, and the run tells the method of them.
/// Before the first row and after the last one an input keeps what it is there.
class InputFeed {
 public:
  /// Finds the inputs by the names of the columns; columns of other names go to unused(). Errors: no
  /// column is an input, an input has a number that is none.
  InputFeed(std::shared_ptr<const InputTable> table, const Assembly& assembly,
            Diagnostics& diagnostics);

  /// Sets the inputs to what they are from `time` [s] on. Returns the names of those that jump.
  std::vector<std::string> moveTo(double time, Equations& equations) const;
  /// [s] The next change after `time`: of any kind, and one that is an event; infinity: none.
  double nextChange(double time) const { return after(changes_, time); }
  double nextEvent(double time) const { return after(events_, time); }
  /// Gives the inputs the numbers of the file again.
  void release(Equations& equations) const;

  const std::vector<std::string>& unused() const { return unused_; }

 private:
  struct Channel {
    size_t column;
    ModelInput input;
  };
  /// Value and slope from row `row` on.
  struct Piece {
    double value, slope, since;
  };
  Piece piece(size_t column, size_t row) const;
  static double after(const std::vector<double>& times, double time);
  void findChanges(bool ratesMatter);

  std::shared_ptr<const InputTable> table_;
  std::vector<Channel> channels_;
  std::vector<std::string> unused_;
  std::vector<double> changes_, events_;  ///< [s]  rising
};

}  // namespace cardan
