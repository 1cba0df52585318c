/// Fit: parameters of a model found from measurements, and how well these tell them.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/fit/fit_task.h"
#include "engine/simulation.h"

namespace cardan {

class ExperimentRun;
struct ExperimentData;
struct ToldApart;

/// The model of a fit with overrides of its own.
using FitLoad = std::function<Simulation(const Overrides& overrides)>;

/// A parameter as it was found.
struct FitEstimate {
  std::string label;  ///< its name; "phi.start of run1" where there are several
  std::string name;
  std::vector<size_t> experiments;  ///< that have it
  std::string unit;                 ///< SI; "": not known
  double start, value;
  double low, high;         ///< bounds
  double error = 0;         ///< standard error; infinite: the data do not tell
  double from = 0, to = 0;  ///< interval of confidence
  int atBound = 0;          ///< -1, 1: it would go beyond the lower, the upper one
};

/// A signal of an experiment, at its points.
struct FittedSignal {
  std::string experiment, variable, unit;
  double sigma = 0;                                   ///< of a value: given, or estimated
  std::vector<double> time, measured, before, after;  ///< [s]; in `unit`
  std::vector<double> band;  ///< half the width of the interval of confidence of the curve
  double rmsBefore = 0, rmsAfter = 0, mean = 0, largest = 0;  ///< of measured - model
  double correlation = 0;  ///< of a residual with the next one: near 0 where they are noise
};

struct FitResult {
  LeastSquaresResult search;  ///< residuals by standard deviation, priors behind them
  std::vector<FitEstimate> estimates;
  Eigen::MatrixXd covariance, correlation;
  std::vector<std::string> untold;       ///< what these data cannot tell
  std::vector<std::string> bent;         ///< intervals that are rough, as the model is not linear
  std::vector<std::string> differences;  ///< derivatives that were no sensitivities, and why
  std::vector<FittedSignal> signals;
  double freedoms = 0;              ///< where standard deviations were found: of the data alone
  double reducedChi2 = 0;           ///< variance of residuals by standard deviation
  bool sigmasKnown = false;         ///< errors are those of the standard deviations given
  std::string failure;              ///< why the model could not be run where the search went last
  long starts = 1, foundAgain = 1;  ///< searches; those that came to the same sum of squares
  int runs = 0;                     ///< of the model
};

class Fit {
 public:
  /// Numbers in (0, 1), by dimension, for start `k` >= 1.
  using UnitPoint = std::function<double(long k, int dimension)>;
  struct Progress {
    long start;
    int iteration;
    double cost;
  };

  /// Reads the data and tries the model. Throws ModelError with all that is wrong, ResultFileError.
  Fit(FitTask task, FitLoad load, const Catalogue& catalogue);
  ~Fit();

  const std::vector<std::string>& warnings() const { return warnings_; }
  /// `spread`: where further starts are. `progress`: false ends the search. Throws AnalysisError where
  /// the model cannot be run at the start.
  FitResult run(const UnitPoint& spread = {},
                const std::function<bool(const Progress&)>& progress = {});

  /// Residuals by standard deviation (with what is known of that by now), and their Jacobian.
  std::optional<Eigen::VectorXd> residuals(const Eigen::VectorXd& x);
  std::optional<Eigen::MatrixXd> jacobian(const Eigen::VectorXd& x, bool roughly = false);
  Eigen::VectorXd start() const;

 private:
  struct Unknown {
    FitEstimate shown;
    double scale;
    std::optional<FitParameter::Prior> prior;
  };
  /// Signals of one variable have one standard deviation.
  struct Noise {
    std::string variable;
    double sigma = 0;
    bool isKnown = false;
    Eigen::Index points = 0;
  };

  void findUnknowns(const std::vector<Simulation>& nominals, const Catalogue& catalogue,
                    Diagnostics& diagnostics);
  void findNoises(Diagnostics& diagnostics);
  double sizeOf(const Unknown& u, double x) const;
  double openByRuns() const;
  Eigen::VectorXd ofExperiment(size_t e, const Eigen::VectorXd& x) const;
  std::optional<Eigen::VectorXd> model(const Eigen::VectorXd& x);
  Eigen::VectorXd weighted(const Eigen::VectorXd& y, const Eigen::VectorXd& x) const;
  std::vector<Eigen::Index> freeOf(const LeastSquaresResult& s) const;
  double dataFreedoms(const LeastSquaresResult& s, const std::vector<Eigen::Index>& free) const;
  bool estimateNoises(const LeastSquaresResult& s);
  LeastSquaresResult search(Eigen::VectorXd x, Loss loss, long number, bool roughly, int iterations,
                            const std::function<bool(const Progress&)>& progress);
  void findSigmas(FitResult& result, bool passes,
                  const std::function<bool(const Progress&)>& progress);
  void polish(LeastSquaresResult& s, const std::function<bool(const Progress&)>& progress);
  Eigen::VectorXd spreadStart(long k, const UnitPoint& spread) const;
  ToldApart tellApart(const LeastSquaresResult& search, const std::vector<Eigen::Index>& free,
                      double variance);
  void judge(FitResult& result);
  double riseAt(const LeastSquaresResult& s, Eigen::VectorXd x, Eigen::Index kept, double expected);
  void checkIntervals(FitResult& result, double variance, double t);
  void describeSignals(FitResult& result, const Eigen::VectorXd& before);

  FitTask task_;
  FitLoad load_;
  std::vector<std::string> warnings_;
  std::vector<ExperimentData> data_;
  std::vector<std::unique_ptr<ExperimentRun>> runs_;
  std::vector<std::vector<size_t>> places_;  ///< per experiment: its unknowns
  std::vector<Unknown> unknowns_;
  std::vector<Noise> noises_;
  Eigen::VectorXd measured_, weights_;
  std::vector<size_t> noiseOf_;  ///< per point
  Eigen::Index priors_ = 0;
  std::string failure_;
};

}  // namespace cardan
