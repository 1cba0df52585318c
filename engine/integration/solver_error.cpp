#include "engine/integration/solver_error.h"

#include <sstream>
#include <utility>

namespace cardan {
namespace {

struct Advice {
  const char* rule;   // what happened
  const char* cause;  // what it usually means in a model
  const char* hint;   // what to try
};

Advice adviceFor(SolverError::Cause cause, bool hasLoops) {
  using Cause = SolverError::Cause;
  switch (cause) {
    case Cause::ErrorTest:
      return {"the error test fails however short the step",
              "the motion jumps or has a corner at this time (an impact, a stop, a table with a "
              "kink), grows without bound, or starts from values that contradict the equations",
              "look at this unknown around this time; state the jump as an event; loosen the "
              "tolerance"};
    case Cause::NewtonConvergence:
      return {"the equations of the step find no solution",
              "a mechanism at the end of its reach, a loop that is being pulled apart, or a force "
              "that jumps",
              "look at the positions at this time; smooth the force or state its jump as an event; "
              "set a maximum step"};
    case Cause::ResidualNotComputable:
      return {
          "the equations cannot be evaluated",
          "a division by zero, a root of a negative number, or a value that grows without bound",
          "look at this unknown around this time; check the parameters and expressions it "
          "depends on"};
    case Cause::SingularMatrix:
      return {"the equations do not determine all unknowns",
              "a singular position of a loop, a part without mass that is free to move, or "
              "constraints that repeat or contradict each other",
              "give the part a mass or a joint on its path one freedom more or less; start away "
              "from the singular position"};
    case Cause::RootNotComputable:
      return {"an event condition cannot be evaluated",
              "a division by zero or a root of a negative number in a condition",
              "check the conditions that depend on this unknown"};
    case Cause::StepTooSmall:
      return {"the step is shorter than time can resolve",
              "this unknown grows without bound, or a parameter differs from the others by many "
              "powers of ten (a stiffness, a tiny mass)",
              "look at this unknown around this time; check the units of the parameters around it"};
    case Cause::ToleranceTooTight:
      return {"the tolerance asks for more digits than a double has",
              "a tolerance near 1e-15, or a value far larger than its nominal value",
              "loosen the tolerance"};
    case Cause::RestlessModes:
      return {"the modes of friction elements or switches do not come to rest",
              "switches that undo each other, or friction elements that leave their forces "
              "undetermined",
              "look at these components; give a switch a hysteresis"};
    case Cause::Chattering:
      return {"events follow each other without end",
              "a switch that acts against itself through the motion (sliding along its threshold)",
              "give the switch a hysteresis or the controlled part a little dynamics"};
    case Cause::EventsPileUp:
      return {
          "events come faster and faster, infinitely many of them in finite time",
          "a body that bounces until it rests, or a switch with ever shorter turns",
          "let it rest below a speed that you choose: in 'reinit', \"if abs(pre(v)) < 0.01 then "
          "0 else ...\", and a discrete variable that holds it there"};
    case Cause::WentThrough:
      return {
          "a motion went through where 'when' had turned it back before",
          "bounces too short to tell one from the next, or a last one that nothing holds",
          "let it rest below a speed that you choose: in 'reinit', \"if abs(pre(v)) < 0.01 then "
          "0 else ...\", and a discrete variable that holds it there"};
    case Cause::ContactViolated:
      return {
          "a law of contact cannot be kept, which --strict makes an error",
          "bodies without mass, a prescribed motion that drives one into another, contacts too "
          "soft for their load, or friction that jams",
          "run without --strict: the results then say in contactViolation when and by how much"};
    case Cause::TooManyTimeEvents:
      return {"events of time follow each other without end",
              "a pulse, a sampling or a table whose period is far below a billionth of the run",
              "check the period and its unit, or the stop time"};
    case Cause::RedundancyEnded:
      return {
          "a constraint that the others implied at the start is implied no longer",
          "a loop that left a special position (all axes parallel or in one plane), so that its "
          "joints now allow less than they did",
          "start from another position; replace a joint of this loop by one with fewer "
          "constraints (Spherical, RevolutePlanarLoopConstraint)"};
    case Cause::ConstraintLost:
      return {
          "a constraint or prescribed motion cannot be kept up",
          "a mechanism driven into a dead point or beyond its reach, or two drives that come to "
          "contradict each other: the reaction grows without bound",
          "look at the positions of this loop at this time; change the drive or the lengths"};
    case Cause::SingularPosition:
      return {
          "the loops come close to a singular position",
          "a mechanism whose links fall in line, from where it could go on in several ways: the "
          "explicit method cannot tell which",
          "the integrators 'ida' and 'automatic', which pass there"};
    case Cause::AccelerationsWrong:
      return {
          "the accelerations found do not satisfy the equations",
          "masses that differ by many powers of ten along a chain, so that rounding is as large as "
          "what is light",
          "the integrator 'ida', which solves the equations themselves"};
    case Cause::Crawling:
      if (!hasLoops) {
        return {
            "the steps have become far shorter than the motion needs",
            "a force that jumps where no event tells of it, as that of a contact which is too soft "
            "for its load or speed, or one far stiffer than all others",
            "look at the warnings, and at this unknown around this time; make the contact stiffer "
            "or the force smooth; the integrator 'stepping' for many bodies in contact"};
      }
      return {"the steps have become far shorter than the motion needs",
              "a singular position of a loop that is passed or stayed in, where the equations of a "
              "step hardly determine its solution",
              "start away from the singular position; loosen the tolerance; look at this unknown "
              "around this time"};
    case Cause::ComponentFailed:
      return {"a component cannot go on", "what it is asked for at this time is not defined",
              "end the run before, or change the component's parameters"};
    case Cause::OutsideFailed:
      return {"what runs outside of the model has failed",
              "a mistake in it, or values and times that it was not made for",
              "look at what it says itself; change its inputs, parameters or interval"};
    case Cause::AssertionFailed:
      return {"what the model asserts does not hold", "the motion left what the model is made for",
              "look at the results up to here"};
    case Cause::Undecided:
      return {"a condition compares what is no number",
              "a root of a negative number, or a quotient of zeros", "keep it within its domain"};
    case Cause::ResultNotFinite:
      return {"a result is infinite or not a number",
              "a division by zero or a root of a negative number in an expression, or a direction "
              "between two "
              "points that coincide",
              "check the expressions and components behind this result"};
    case Cause::StartNotFinite:
      return {"a start value is infinite or not a number",
              "an expression for a start value or parameter", "check the start values"};
    case Cause::Internal:
      return {
          "the integrator refused to work",
          "a time, force or parameter far beyond all others (1e100 and more, or as small), or a "
          "mistake in this program",
          "check the values of the model; where they are sound, please report it, with the "
          "model"};
  }
  return {"", "", ""};
}

std::string describe(const SolverError::Details& d) {
  const Advice advice = adviceFor(d.cause, !d.where.empty());
  std::ostringstream text;
  text.precision(9);
  text << "the simulation stops at time = " << d.time << " s: " << advice.rule << '\n';
  if (d.cause == SolverError::Cause::ContactViolated) {
    text << "  " << d.where << "\n  likely cause: " << advice.cause << "\n  try: " << advice.hint;
    return text.str();
  }
  const bool isTold = d.cause == SolverError::Cause::ComponentFailed ||
                      d.cause == SolverError::Cause::OutsideFailed ||
                      d.cause == SolverError::Cause::AssertionFailed;
  if (isTold) {
    text << "  " << d.unknown << ": " << d.where << '\n';
  } else if (d.cause == SolverError::Cause::EventsPileUp) {
    text << "  " << d.unknown << ": without end before time = " << d.value << " s\n";
  } else if (d.cause == SolverError::Cause::WentThrough) {
    text << "  " << d.unknown << ": last at time = " << d.value << " s\n";
  } else if (!d.unknown.empty()) {
    const bool isRow = d.cause == SolverError::Cause::ConstraintLost ||
                       d.cause == SolverError::Cause::RedundancyEnded;
    const bool isOff = isRow || d.cause == SolverError::Cause::AccelerationsWrong;
    const bool switches = d.cause == SolverError::Cause::Chattering ||
                          d.cause == SolverError::Cause::TooManyTimeEvents ||
                          d.cause == SolverError::Cause::RestlessModes;
    if (switches) {
      text << "  what switches: " << d.unknown << '\n';
    } else {
      text << (isRow ? "  constraint: '" : "  limiting unknown: '") << d.unknown
           << (isOff ? "' is off by " : "' = ") << d.value << '\n';
    }
  }
  if (!d.where.empty() && !isTold) text << "  at: " << d.where << '\n';
  if (d.order > 0) {
    text << "  step: " << d.step << " s, order " << d.order << ", after " << d.steps << " steps\n";
  }
  if (d.reason.empty()) {
    text << "  likely cause: " << advice.cause << '\n' << "  try: " << advice.hint;
  } else {
    text << "  because: " << d.reason;
  }
  if (!d.solverReport.empty()) text << "\n  integrator: " << d.solverReport;
  return text.str();
}

}  // namespace

SolverError::SolverError(Details details)
    : std::runtime_error(describe(details)), details_(std::move(details)) {}

}  // namespace cardan
