/// ExperimentRun: what a model says at the points that were measured, and its derivatives there.
#pragma once

#include <fmt/format.h>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "components/instants.h"
#include "engine/fit/experiment_data.h"
#include "engine/fit/fit_task.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_source.h"
#include "engine/motion_point.h"
#include "engine/results/result_table.h"
#include "engine/sensitivities/sensitivities.h"
#include "engine/text/message_order.h"

namespace cardan {

/// A parameter in an experiment.
struct ExperimentParameter {
  std::string name;  ///< kTimeShift: the last one
  double low, high, scale;
  double size;  ///< typical of it
};

class ExperimentRun {
 public:
  using Index = Eigen::Index;
  using MatrixXd = Eigen::MatrixXd;
  using VectorXd = Eigen::VectorXd;

  /// The model with overrides of its own.
  using Load = std::function<Simulation(const Overrides& overrides)>;

  /// All outlive it.
  ExperimentRun(const ExperimentData& data, std::vector<ExperimentParameter> parameters,
                const Load& load, const Catalogue& catalogue)
      : data_(data), parameters_(std::move(parameters)), load_(load), catalogue_(catalogue) {
    shifts_ = !parameters_.empty() && parameters_.back().name == kTimeShift;
    for (const ExperimentData::Signal& s : data_.signals) variables_.push_back(s.variable);
  }

  /// The model at all points, x being the parameters; nothing where it cannot be run to their end:
  /// failure() says why.
  std::optional<Eigen::VectorXd> simulate(const VectorXd& x) {
    failure_.clear();
    if (values_.of.size() > 0 && values_.x == x) return values_.of;
    const double shift = shiftOf(x);
    if (!(data_.lastTime() + shift > data_.start)) {
      failure_ = "the time shift leaves nothing after the start of the run";
      return std::nullopt;
    }
    Rows rows;
    VectorXd y(data_.points);
    const auto same = [](const std::string& name) { return name; };
    if (!run(x, optionsAt(shift), rows) || !gather(rows, same, shift, 0, y)) {
      return std::nullopt;
    }
    values_ = {x, y};
    return y;
  }
  /// The same by parameters, a column each: by sensitivities where the model has them, by differences of
  /// runs where it has not. `roughly`: as good as the next step of a search asks for.
  std::optional<Eigen::MatrixXd> differentiate(const VectorXd& x, bool roughly) {
    failure_.clear();
    const bool good = roughly || !areRough_;
    if (good && derivatives_.of.size() > 0 && isHardlyFrom(derivatives_.x, x))
      return derivatives_.of;
    if (!exact_) chooseExact(x);
    MatrixXd J = MatrixXd::Zero(data_.points, x.size());
    const bool exactly = differentiateExactly(x, roughly, J);
    // One of them will do: the times in what is said differ.
    if (!exactly && !toldSome_) tell("for some values: " + failure_);
    toldSome_ = toldSome_ || !exactly;
    for (Index k = 0; k < modelParameters(); ++k) {
      if (exactly && (*exact_)[k]) continue;
      if (!differenceOf(k, x, J)) return std::nullopt;
    }
    if (shifts_ && !differentiateShift(x, J)) return std::nullopt;
    derivatives_ = {x, J};
    areRough_ = roughly && exactly && std::ranges::count(*exact_, true) > 0;
    return J;
  }
  const std::string& failure() const { return failure_; }
  /// Derivatives that were differences, and why: "L: it changes what the model is made of".
  const std::vector<std::string>& differences() const { return differences_; }
  double tolerance() const {
    return data_.settings.tolerance.value_or(data_.modelTolerance);
  }  ///< [1]  of its runs
  /// [1] Relative errors that derivatives have by the tolerance of their runs.
  double derivativeError() const {
    return differences_.empty() ? tolerance() : std::max(tolerance(), 1e-6);
  }
  int runs() const { return runs_; }

 private:
  static constexpr double kDifferenceTolerance = 1e-10;  // of runs whose differences are taken
  static constexpr double kRoughTolerance = 1e-6;        // of runs with rough derivatives
  static constexpr double kSamePlace = 1e-8;             // of a parameter's size
  static constexpr double kShiftReach = 1e-6;  // of the run: over it a signal is differentiated

  /// What was computed last: other weights, or another start, ask for it again.
  template <class T>
  struct Known {
    VectorXd x;
    T of;
  };
  /// Steps that short change no derivative that matters to the next one.
  bool isHardlyFrom(const VectorXd& a, const VectorXd& b) const {
    for (size_t k = 0; k < parameters_.size(); ++k) {
      if (std::abs(a[k] - b[k]) > kSamePlace * parameters_[k].size) return false;
    }
    return true;
  }

  /// Rows as they come.
  struct Rows final : RowSink {
    void begin(const std::vector<Column>& c) override { columns = c; }
    void row(double time, std::span<const double> values) override {
      times.push_back(time);
      all.insert(all.end(), values.begin(), values.end());
    }

    size_t columnOf(const std::string& name) const {
      const std::string plain = plainName(name);
      const auto found = std::ranges::find_if(
          columns, [&](const Column& c) { return plainName(c.name) == plain; });
      return found - columns.begin();
    }
    /// Parameters may move it.
    double start() const { return times.empty() ? -INFINITY : times.front(); }
    /// The value at a time that has a row; nothing where there is none.
    std::optional<double> at(double time, size_t column) const {
      const auto next = std::ranges::lower_bound(times, time - instantWidth(time));
      if (column >= columns.size() || next == times.end() || !hasCome(*next, time))
        return std::nullopt;
      return all[(next - times.begin()) * columns.size() + column];
    }

    std::vector<Column> columns;
    std::vector<double> times, all;
  };

  Eigen::Index modelParameters() const { return std::ssize(parameters_) - (shifts_ ? 1 : 0); }
  double shiftOf(const Eigen::VectorXd& x) const { return shifts_ ? x[x.size() - 1] : 0; }
  Simulation loadAt(const Eigen::VectorXd& x, const Overrides& more = {}) const {
    Overrides all = data_.overrides;
    for (Index k = 0; k < modelParameters(); ++k)
      all.push_back(fmt::format("{}={}", parameters_[k].name, x[k]));
    all.insert(all.end(), more.begin(), more.end());
    return load_(all);
  }
  /// Rows at all points; for a shift a little before and behind them as well. Before its start the model
  /// is as it starts.
  RunOptions optionsAt(double shift) const {
    RunOptions o = data_.settings;
    o.outputs = variables_;
    o.eventRows = false;
    const double last = data_.lastTime() + shift;
    const double reach = kShiftReach * (last - data_.start);
    o.stopTime = shifts_ ? last + reach : last;
    for (const ExperimentData::Signal& s : data_.signals) {
      for (const double t : s.time) {
        o.outputTimes.push_back(t + shift);
        if (!shifts_) continue;
        o.outputTimes.push_back(t + shift - reach);
        o.outputTimes.push_back(t + shift + reach);
      }
    }
    return o;
  }
  /// False: the model cannot be run there, and failure_ says why.
  bool attempt(const std::function<void()>& run) {
    try {
      run();
      return true;
    } catch (const ModelError& e) {
      failure_ = firstErrorOf(e);
    } catch (const SolverError& e) {
      failure_ = e.what();
    } catch (const AnalysisError& e) {
      failure_ = e.what();
    }
    return false;
  }
  bool run(const VectorXd& x, const RunOptions& options, Rows& rows) {
    ++runs_;
    return attempt([&] {
      Simulation simulation = loadAt(x);
      simulation.run(rows, options);
      if (!simulation.report().terminated.empty())
        failure_ = "the model ends the run: " + simulation.report().terminated;
    });
  }
  /// The column of each signal at its points, or so far ahead [s].
  bool gather(const Rows& rows, const std::function<std::string(const std::string&)>& column,
              double shift, double ahead, Eigen::Ref<VectorXd> values) {
    for (const ExperimentData::Signal& s : data_.signals) {
      const size_t c = rows.columnOf(column(s.variable));
      for (size_t i = 0; i < s.time.size(); ++i) {
        const auto value = rows.at(std::max(s.time[i] + shift + ahead, rows.start()), c);
        if (!value || !std::isfinite(*value)) {
          if (failure_.empty())
            failure_ = fmt::format("'{}' has no value at {:g} s", s.variable, s.time[i] + shift);
          return false;
        }
        values[s.first + static_cast<Index>(i)] = *value;
      }
    }
    return true;
  }
  /// Which parameters the model has sensitivities by: all of them, or those that are asked for alone.
  void chooseExact(const VectorXd& x) {
    const Index n = modelParameters();
    exact_.emplace(n, true);
    const auto tryThem = [&](const std::vector<std::string>& names) {
      return attempt([&] {
        const auto load = [&](const Overrides& more) { return loadAt(x, more); };
        Simulation nominal = load({});
        const RunOptions options = data_.settings;
        const auto choice = options.integrator.value_or(nominal.source().simulation.integrator);
        if (choice == IntegratorChoice::stepping) {
          Diagnostics d;
          d.error({}, "sensitivities need a method that finds events: 'stepping' does not");
          d.throwIfErrors();
        }
        const Sensitivities one(nominal, load, names, variables_, catalogue_, {}, true);
      });
    };
    std::vector<std::string> names;
    for (Index k = 0; k < n; ++k) names.push_back(parameters_[k].name);
    if (names.empty() || tryThem(names)) return;
    std::map<std::string, std::string> reasons;
    for (Index k = 0; k < n; ++k) {
      (*exact_)[k] = tryThem({names[k]});
      if ((*exact_)[k]) continue;
      std::string& of = reasons[failure_];
      of += (of.empty() ? "" : ", ") + names[k];
    }
    for (const auto& [reason, of] : reasons) tell(of + ": " + reason);
  }
  bool differentiateExactly(const VectorXd& x, bool roughly, MatrixXd& J) {
    std::vector<std::string> names;
    std::vector<double> sizes;
    for (Index k = 0; k < modelParameters(); ++k) {
      if (!(*exact_)[k]) continue;
      names.push_back(parameters_[k].name);
      sizes.push_back(parameters_[k].size);
    }
    if (names.empty()) return true;
    ++runs_;
    Rows rows;
    const double shift = shiftOf(x);
    const bool good = attempt([&] {
      const auto load = [&](const Overrides& more) { return loadAt(x, more); };
      Simulation nominal = load({});
      Sensitivities of(nominal, load, names, variables_, catalogue_, sizes, roughly);
      RunOptions options = optionsAt(shift);
      if (roughly) options.tolerance = std::max(tolerance(), kRoughTolerance);
      of.run(rows, options);
    });
    for (Index k = 0; good && k < modelParameters(); ++k) {
      if (!(*exact_)[k]) continue;
      const auto derivative = [&](const std::string& name) {
        return "d(" + name + ")/d(" + parameters_[k].name + ")";
      };
      if (!gather(rows, derivative, shift, 0, J.col(k))) return false;
    }
    return good;
  }
  /// A central difference, or one of the side that there is.
  bool differenceOf(Index k, const VectorXd& x, MatrixXd& J) {
    const ExperimentParameter& p = parameters_[k];
    const double size = p.scale > 0 ? p.scale : x[k] != 0 ? std::abs(x[k]) : 1;
    const double reach = std::cbrt(kDifferenceTolerance) * size;
    RunOptions options = optionsAt(shiftOf(x));
    options.tolerance = std::min(options.tolerance.value_or(1), kDifferenceTolerance);
    const auto at = [&](double value) -> std::optional<VectorXd> {
      if (value < p.low || value > p.high) return std::nullopt;
      VectorXd there = x, y(data_.points);
      there[k] = value;
      Rows rows;
      const auto same = [](const std::string& name) { return name; };
      if (!run(there, options, rows) || !gather(rows, same, shiftOf(x), 0, y)) return std::nullopt;
      return y;
    };
    const double above = x[k] + reach, below = x[k] - reach;
    const auto up = at(above), down = at(below);
    if (up && down) {
      J.col(k) = (*up - *down) / (above - below);
      return true;
    }
    const double side = up ? reach : -reach;
    const auto here = at(x[k]), far = at(x[k] + 2 * side);
    if ((!up && !down) || !here || !far) return false;
    const VectorXd& near = up ? *up : *down;
    J.col(k) = (4 * near - *far - 3 * *here) / (2 * side);
    return true;
  }
  /// The rates of the signals.
  bool differentiateShift(const VectorXd& x, MatrixXd& J) {
    const double shift = shiftOf(x);
    const double reach = kShiftReach * (data_.lastTime() + shift - data_.start);
    Rows rows;
    VectorXd before(data_.points), behind(data_.points);
    const auto same = [](const std::string& name) { return name; };
    if (!run(x, optionsAt(shift), rows) || !gather(rows, same, shift, -reach, before) ||
        !gather(rows, same, shift, reach, behind))
      return false;
    J.col(x.size() - 1) = (behind - before) / (2 * reach);
    for (const ExperimentData::Signal& s : data_.signals) {
      for (size_t i = 0; i < s.time.size(); ++i) {
        // At the start of the run there is one side only.
        const double t = s.time[i] + shift;
        const double start = rows.start();
        if (t > start - reach && t < start + reach)
          J(s.first + static_cast<Index>(i), x.size() - 1) *= 2 * reach / (t + reach - start);
      }
    }
    return true;
  }
  void tell(const std::string& text) {
    if (std::ranges::find(differences_, text) == differences_.end()) differences_.push_back(text);
  }

  const ExperimentData& data_;
  std::vector<ExperimentParameter> parameters_;
  const Load& load_;
  const Catalogue& catalogue_;
  bool shifts_ = false;
  std::vector<std::string> variables_;
  std::optional<std::vector<bool>> exact_;  ///< per parameter of the model, once it is known
  bool toldSome_ = false;
  std::vector<std::string> differences_;
  std::string failure_;
  Known<VectorXd> values_;
  Known<MatrixXd> derivatives_;
  bool areRough_ = false;  ///< these
  int runs_ = 0;
};

}  // namespace cardan
