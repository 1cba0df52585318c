/// ExperimentRun: what a model says at the points that were measured, and its derivatives there.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/fit/experiment_data.h"

namespace cardan {

/// A parameter in an experiment.
struct ExperimentParameter {
  std::string name;  ///< kTimeShift: the last one
  double low, high, scale;
  double size;  ///< typical of it
};

class ExperimentRun {
 public:
  /// The model with overrides of its own.
  using Load = std::function<Simulation(const Overrides& overrides)>;

  /// All outlive it.
  ExperimentRun(const ExperimentData& data, std::vector<ExperimentParameter> parameters,
                const Load& load, const Catalogue& catalogue);

  /// The model at all points, x being the parameters; nothing where it cannot be run to their end:
  /// failure() says why.
  std::optional<Eigen::VectorXd> simulate(const Eigen::VectorXd& x);
  /// The same by parameters, a column each: by sensitivities where the model has them, by differences of
  /// runs where it has not.
  std::optional<Eigen::MatrixXd> differentiate(const Eigen::VectorXd& x);
  const std::string& failure() const { return failure_; }
  /// Derivatives that were differences, and why: "L: it changes what the model is made of".
  const std::vector<std::string>& differences() const { return differences_; }
  double tolerance() const;  ///< [1]  of its runs
  /// [1] Relative errors that derivatives have by the tolerance of their runs.
  double derivativeError() const;
  int runs() const { return runs_; }

 private:
  struct Rows;

  Eigen::Index modelParameters() const { return std::ssize(parameters_) - (shifts_ ? 1 : 0); }
  double shiftOf(const Eigen::VectorXd& x) const { return shifts_ ? x[x.size() - 1] : 0; }
  Simulation loadAt(const Eigen::VectorXd& x, const Overrides& more = {}) const;
  RunOptions optionsAt(double shift) const;
  bool attempt(const std::function<void()>& run);
  bool run(const Eigen::VectorXd& x, const RunOptions& options, Rows& rows);
  bool gather(const Rows& rows, const std::function<std::string(const std::string&)>& column,
              double shift, double ahead, Eigen::Ref<Eigen::VectorXd> values);
  void chooseExact(const Eigen::VectorXd& x);
  bool differentiateExactly(const Eigen::VectorXd& x, Eigen::MatrixXd& J);
  bool differenceOf(Eigen::Index k, const Eigen::VectorXd& x, Eigen::MatrixXd& J);
  bool differentiateShift(const Eigen::VectorXd& x, Eigen::MatrixXd& J);
  void tell(const std::string& text);

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
  int runs_ = 0;
};

}  // namespace cardan
