/// Why a simulation stopped before its end, in the words of the model's author.
#pragma once

#include <stdexcept>
#include <string>

namespace cardan {

/// A run that cannot go on: when, how short the step was, which unknown limits it, why, what to
/// try.
///
/// The model was understood (a file with mistakes is a ModelError); the solution found so far is
/// good.
class SolverError : public std::runtime_error {
 public:
  /// What stopped the integrator.
  enum class Cause {
    ErrorTest,              ///< the local error stays too large however short the step
    NewtonConvergence,      ///< the equations of a step find no solution
    ResidualNotComputable,  ///< the equations cannot be evaluated (domain error, overflow)
    SingularMatrix,         ///< the equations do not determine all unknowns
    RootNotComputable,      ///< an event condition cannot be evaluated
    StepTooSmall,           ///< the step is lost in the roundoff of time
    ToleranceTooTight,      ///< more digits asked for than a double has
    RestlessModes,      ///< modes (friction, switches) change each other without end at one instant
    Chattering,         ///< events follow each other without end
    TooManyTimeEvents,  ///< the same of events known ahead: a pulse of a billionth of the run
    EventsPileUp,       ///< events come ever faster, infinitely many before the time `value` [s]
    WentThrough,  ///< what `when` turned back before was not turned back at the time `value` [s]
    ContactViolated,   ///< a law of contact cannot be kept, and the user wants that to be an error
    RedundancyEnded,   ///< a constraint left out as redundant at the start is one no longer
    ConstraintLost,    ///< a constraint or prescribed motion gives way (dead point, end of reach)
    SingularPosition,  ///< loops so close to a singular position that an explicit method cannot tell
                       ///< how they go on
    AccelerationsWrong,  ///< those of an explicit method do not satisfy the equations
    Crawling,         ///< steps far below the scale of the motion, as Newton's method keeps failing
    ComponentFailed,  ///< a component cannot go on, and says why
    OutsideFailed,    ///< likewise, of what it drives outside of the model
    AssertionFailed,  ///< what the model asserts does not hold
    Undecided,        ///< a condition compares what is no number
    ResultNotFinite,  ///< a result is infinite or not a number
    StartNotFinite,   ///< a start value is infinite or not a number
    Internal          ///< a call the integrator refuses: a mistake of ours
  };

  struct Details {
    Cause cause = Cause::Internal;
    double time = 0;             ///< [s]  of the last good step; all results up to here hold
    double step = 0;             ///< [s]  size of the step that failed
    long steps = 0;              ///< steps done since the start
    int order = 0;               ///< of the last good step
    std::string unknown{};       ///< name of the unknown that limits the step
    double value = 0;            ///< of that unknown, at `time`
    std::string where{};         ///< the loops concerned, or what a component says; may be empty
    std::string reason{};        ///< the expression at fault and its place, where it was found
    std::string solverReport{};  ///< last message of the integrator itself, may be empty
  };

  explicit SolverError(Details details);

  const Details& details() const { return details_; }

 private:
  Details details_;
};

}  // namespace cardan
