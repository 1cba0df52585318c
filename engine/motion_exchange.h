/// MotionExchange: a simulation whose states somebody outside integrates: rates, switching functions and
/// events at any point.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cardan {

class Simulation;
struct RunOptions;

/// After start() the point is that of the start, at rest in consistent modes. Then, again and again:
/// setTime() and setStates() for rates() and margins(), however often, and wherever a method likes to look;
/// passStep() at the end of each of its steps; passEvent() where that says so, where a margin is not
/// positive any more, at the time that the last passEvent() told, and where an input has jumped. Between
/// events inputs may be set to move continuously. Simulation::value(), time(), report(), save() and
/// restore() go with it.
class MotionExchange {
 public:
  /// The simulation outlives it, and its run is nobody else's.
  explicit MotionExchange(Simulation& simulation);
  ~MotionExchange();

  /// Places of the states among the unknowns of a model: all that have rates.
  static std::vector<int> states(const Simulation& simulation);

  /// Begins a run. Returns "", or why this model cannot be integrated from outside, in the user's words;
  /// then it cannot go on. Throws as Simulation::start().
  std::string start(const RunOptions& options);
  /// Number of margins, the same for the whole run.
  int margins() const;
  /// Typical sizes of the states.
  std::vector<double> nominals() const;

  /// [s] Any, the last step's and those beyond the stop time among them, where methods look, too.
  void setTime(double time);
  /// Those that constraints tie together may miss them by the errors of a step.
  void setStates(std::span<const double> states);
  std::span<const double> states() const;

  /// Makes the point consistent, for values. False: not possible there; a shorter step may be.
  bool complete();
  /// der of the states. False: not computable there.
  bool rates(std::span<double> rates);
  /// How far from a change everything is that switches; all are positive behind an event, and continuous
  /// between two, but for the last one. False: not computable there.
  bool margins(std::span<double> margins);

  /// A step was made to the point. True: passEvent() is to follow. Throws SolverError where the run cannot
  /// go on.
  bool passStep();
  struct Event {
    bool statesChanged;
    bool happened;  ///< rates may have jumped, so that a method begins anew
    double next;    ///< [s]  of the next one that is known; infinity: none
  };
  /// Lets happen what happens at the point. Throws SolverError. The model may end the run there
  /// (RunReport::terminated).
  Event passEvent();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cardan
