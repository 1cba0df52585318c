/// Recorder: the asked-for variables as rows of numbers.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/integration/continuation.h"
#include "engine/results/result_rates.h"
#include "engine/results/row_watch.h"
#include "engine/results/rows.h"

namespace cardan {

class Model;

/// Chooses columns by name and glob and evaluates rows. What needs accelerations or forces makes a
/// row dearer: they are solved for only if some column reads them.
class Recorder {
 public:
  /// `patterns`: as selectOutputs() reads them. Unknown names are errors. `watch`: sees every
  /// instant that is recorded; null: nobody does.
  Recorder(const Model& model, Equations& equations, const std::vector<OutputPattern>& patterns,
           Diagnostics& diagnostics, RowWatch* watch = nullptr);

  const std::vector<Column>& columns() const { return columns_; }

  /// Row at (t, y, yp): q and v are projected onto the constraints first, and y, yp completed where
  /// needed, unless they are `consistent`; both are changed. `row` has columns().size() elements.
  void record(double t, std::vector<double>& y, std::vector<double>& yp, Completion& completion,
              double* row, bool consistent = false);

  /// A step was taken to `t`: angles stay on their branch, however far apart the rows are. Before
  /// the rows of the step; `look` [s]: it is followed in parts of that length at least.
  void follow(const Integrator& integrator, double t, double look) {
    if (continuation_) continuation_->follow(integrator, t, look);
  }
  /// What it remembers of the steps, or null.
  Continuation* continuation() { return continuation_.get(); }

 private:
  struct Item {
    int variable;
    int element;
    int buffer;  ///< first of the variable's elements in values_
  };
  void add(const std::string& name, VariableElement e);
  int bufferOf(int variable);
  void chooseFrames(const std::set<int>& needed);
  void findMoments(double t, const std::vector<double>& y, const std::vector<double>& yp,
                   Completion& completion);
  void look(double t, const View<double>& view);
  void findVelocities(double t, const std::vector<double>& y, const std::vector<double>& yp,
                      Completion& completion, bool consistent);
  template <class F, class G>
  void evaluateFlow(Workspace<Dual>& d, double t, const std::vector<double>& y,
                    const std::vector<double>& yp, F rate, G rateOfRate);
  void prepareFlow(double t, const std::vector<double>& y, const std::vector<double>& yp,
                   Completion& completion);
  void prepareMomentFlows(double t);

  const Model& model_;
  Equations& equations_;
  std::vector<Column> columns_;
  std::vector<Item> items_;
  std::vector<int> variables_;             ///< evaluated once a row each
  std::vector<int> buffers_;               ///< where
  std::map<int, size_t> placeOfVariable_;  ///< in `variables_`
  std::vector<double> values_;
  RowWatch* watch_;
  std::vector<double> watched_;  ///< values of the watch's variables
  bool complete_ = false;        ///< accelerations, multipliers or algebraic unknowns are read
  bool flow_ = false;            ///< time derivatives of variables are read
  bool byDifferences_ = false;   ///< some of these are of more than states
  bool nested_ = false;          ///< some of these are of what takes derivatives itself
  std::vector<int> carried_;     ///< positions without inertia
  /// Completed points of the motion a moment before and after the row.
  struct Moments {
    double distance = 0;  ///< between the two [s]; 0: they have not been found
    std::vector<double> y[2], yp[2];
    double rate(int i) const { return (y[1][i] - y[0][i]) / distance; }
    double secondRate(int i) const { return (yp[1][i] - yp[0][i]) / distance; }
  };
  Moments moments_;
  Workspace<double> w_;
  /// Where no column reads a force.
  std::optional<MotionOfParts> motion_;
  bool unknownsAlone_ = false;  ///< nothing else is read
  std::unique_ptr<Workspace<Dual>> dual_;
  std::unique_ptr<Workspace<Dual>> dualOfMoments_[2];
  std::unique_ptr<ResultRates> rates_;          ///< where the signals have some
  std::unique_ptr<Continuation> continuation_;  ///< where something depends on the steps before
};

}  // namespace cardan
