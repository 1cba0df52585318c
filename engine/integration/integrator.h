/// Integrator: what a run needs of the method that steps its model.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/integration/run_report.h"

namespace cardan {

class StateArchive;

struct IntegratorOptions {
  double relativeTolerance = 1e-8;
  double maximumStep = 0;  ///< [s]  0: none
  double look = 0;  ///< [s]  switching functions are looked at as often within a step; 0: as it is
  double step = 0;  ///< [s]  of a method whose steps have one length
  double initialStep = 0;  ///< [s]  0: chosen from y'
  int maximumOrder = 5;    ///< 1..5, of a method of variable order
  bool timing = false;     ///< measure the time shares in IntegratorStatistics
};

/// Steps a model forward in time, one internal step at a call. Initial values must be consistent:
/// nothing is corrected here.
class Integrator {
 public:
  enum class StepResult { Stepped, ReachedStop, Root };

  virtual ~Integrator() = default;

  /// Looks at a consistent start before start() goes there. Returns why this method cannot step the
  /// system from it, in the user's words; "": it can.
  virtual std::string examine(double /*t*/, const std::vector<double>& /*y*/) { return ""; }

  /// Begins a run at (t, y, y') with a step h [s] (0: chosen) and clears the statistics.
  virtual void start(double t, std::span<const double> y, std::span<const double> yp,
                     double h = 0) = 0;

  /// Continues from other values after a real discontinuity, with a step h [s] (0: chosen). A
  /// refused start or restart (SolverError) changes nothing.
  virtual void restart(double t, std::span<const double> y, std::span<const double> yp,
                       double h) = 0;
  /// A start or restart goes on at order one: its first step has to be found from y''.
  virtual bool startsAtOrderOne() const = 0;
  /// Steps have one length, whatever happens in them.
  virtual bool hasFixedStep() const { return false; }

  /// One internal step, never past tStop; ReachedStop: time() == tStop exactly. A step to a tStop
  /// within roundoff of time() is empty. After Root, either restart or step on to the end of the
  /// internal step. Throws SolverError, or what the system threw; time(), y() and yp() stay those
  /// of the last good step. Pre: tStop >= time(), and not inside an internal step already done.
  virtual StepResult step(double tStop) = 0;

  virtual double time() const = 0;          ///< [s]
  virtual double previousTime() const = 0;  ///< [s]  time() before the last step
  virtual std::span<const double> y() const = 0;
  virtual std::span<const double> yp() const = 0;

  /// y and y' at t in [previousTime(), time()]. Throws std::out_of_range elsewhere.
  virtual void interpolate(double t, std::span<double> y, std::span<double> yp) const = 0;

  /// The unknown that last made an iteration fail, -1: none.
  virtual int troublesomeUnknown() const { return -1; }

  /// The unknown whose error is the largest part of that of the last internal step, -1: none.
  virtual int leadingError() const { return -1; }

  virtual double lastStep() const = 0;  ///< [s]  size of the last internal step
  virtual int lastOrder() const = 0;

  /// [s] The last step size that was not cut short by a stop time: the one to give to restart().
  virtual double regularStep() const = 0;

  /// [s] Size of the next internal step, as far as known: it may still be shortened.
  virtual double nextStep() const = 0;

  /// How far the system moves if its explicit time alone goes on to `t` [s], in units of the
  /// tolerance. Infinity where that is not computable; 0 of a method whose steps do not depend on it.
  virtual double effectOfTime(double /*t*/) { return 0; }

  /// Weighted root mean square of a change of the differential unknowns at `y`, in units of the
  /// tolerance.
  virtual double norm(std::span<const double> change, std::span<const double> y) const = 0;

  /// y() and yp() satisfy all equations, constraints among them, without another look.
  virtual bool isRefined() const = 0;

  /// Changes the coordinates without a restart. `map` turns the unknowns y of any recent time, in
  /// place, from the old into the new coordinates; the system must speak the new ones from here on.
  /// Throws std::logic_error before the first step and between Root and the end of its step.
  virtual void mapHistory(const std::function<void(double* y)>& map) = 0;

  /// Constraints give way a little to their reactions, as the rows of the residual say; else they
  /// are met at the end of every step.
  virtual bool regularises() const = 0;

  virtual IntegratorStatistics statistics() const = 0;
  /// The methods that have stepped the run, in their order.
  virtual std::vector<MethodChange> methods() const = 0;
  /// What it had to put up with, in the user's words.
  virtual std::vector<std::string> warnings() const { return {}; }

  /// Everything that the next step depends on into an archive, or out of it: it then goes on from
  /// where that was collected, bit by bit as from there. The system's own memory is not in it.
  /// Pre: started; what is given back may be another integrator's, of the same method, of a system
  /// of the same structure with the same options.
  virtual void exchange(StateArchive& archive) = 0;
};

}  // namespace cardan
