#include "apps/cardan/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace cardan {
namespace {

/// Names of a list that are printed.
constexpr size_t kMostNames = 5;
/// A step holds more of a decay than this: the equations are stiff there.
constexpr double kStiff = 10;
/// The same where the method is explicit: near the bound of its stability, 6.1.
constexpr double kStable = 4;
/// Steps a period of an oscillation that is followed.
constexpr double kFewSteps = 100;
/// Turns in a run from which on an oscillation is not the motion that is looked at.
constexpr double kManyTurns = 100;
/// Part of the steps from which on something is worth an advice.
constexpr double kWorthIt = 0.2;
/// Part of the evaluations from which on the search for events is told, and part of these from which
/// on a condition is.
constexpr double kDearSearch = 0.1, kNamed = 0.05;

double percent(long part, long all) {
  return all > 0 ? 100 * static_cast<double>(part) / static_cast<double>(all) : 0;
}

std::string share(long n, long all, const std::string& what) {
  if (percent(n, all) < 0.05) return "";
  return fmt::format("  {:>5.1f} %  {}\n", percent(n, all), what);
}

std::string plural(long n, const char* one) {
  return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

std::string span(const StepExplanation::Share& s) {
  return s.first == s.last ? fmt::format("at {:.6g} s", s.first)
                           : fmt::format("from {:.6g} to {:.6g} s", s.first, s.last);
}

bool chatters(const StepExplanation::Switch& s) { return s.close >= StepExplanation::kChattering; }

using Stiffness = StepExplanation::Stiffness;

/// The probe whose fastest motion is farthest below a step.
const Stiffness* stiffest(const StepExplanation& e) {
  const auto most =
      std::ranges::max_element(e.stiffness, {}, [](const Stiffness& s) { return s.rate * s.step; });
  return most == e.stiffness.end() ? nullptr : &*most;
}

bool decays(const Stiffness& s) { return s.sign < -0.5; }

/// An explicit method cannot step beyond what stability lets it.
bool isStiff(const StepExplanation& e, const Stiffness& s) {
  return decays(s) && s.rate * s.step > (e.isExplicit ? kStable : kStiff);
}

std::string stiffnessText(const StepExplanation& e, const Stiffness& s) {
  const double inStep = s.rate * s.step;
  std::string text = fmt::format("stiffness, most at {:.6g} s\n", s.time);
  if (decays(s)) {
    text += fmt::format("  the fastest motion decays within {:.3g} s (1/e), most of it in '{}'\n",
                        1 / s.rate, s.unknown);
  } else {
    text += fmt::format("  the fastest motion turns with {:.3g} Hz, most of it in '{}'\n",
                        s.rate / (2 * std::numbers::pi), s.unknown);
  }
  if (decays(s)) {
    text += fmt::format("  a step of {:.3g} s is {:.3g} times that: {}\n", s.step, inStep,
                        isStiff(e, s) ? "the equations are stiff" : "they are not stiff");
  } else {
    text += fmt::format("  a step of {:.3g} s is {:.3g} of a turn: the equations are not stiff\n",
                        s.step, inStep / (2 * std::numbers::pi));
  }
  return text;
}

std::string eventsText(const StepExplanation& e) {
  std::string text;
  for (size_t i = 0; i < std::min(kMostNames, e.switches.size()); ++i) {
    const StepExplanation::Switch& s = e.switches[i];
    text += fmt::format("  {:>6}  '{}' {}", s.events.count, s.events.name, span(s.events));
    if (s.events.count > 1) text += fmt::format(", at least {:.3g} s apart", s.shortest);
    text += chatters(s) ? ": it chatters\n" : "\n";
  }
  if (e.switches.size() > kMostNames)
    text += fmt::format("  and {} more\n", e.switches.size() - kMostNames);
  return text.empty() ? "" : "events\n" + text;
}

/// What the search for events has cost, where that is worth it.
std::string searchText(const StepExplanation& e) {
  double searched = 0;
  for (const StepExplanation::Search& s : e.searches) searched += s.evaluations;
  const double all = e.evaluations + searched;
  if (!(searched > kDearSearch * all)) return "";
  std::string text =
      fmt::format("the search for events took {:.1f} % of the evaluations\n", 100 * searched / all);
  for (size_t i = 0; i < std::min(kMostNames, e.searches.size()); ++i) {
    const StepExplanation::Search& s = e.searches[i];
    if (s.evaluations < kNamed * searched) break;
    text += fmt::format("  {:>5.1f} %  '{}'{}\n", 100 * s.evaluations / all, s.name,
                        s.place.empty() ? "" : " at " + s.place);
  }
  return text;
}

std::string newtonText(const StepExplanation& e) {
  std::string text;
  for (size_t i = 0; i < std::min(kMostNames, e.newton.size()); ++i) {
    const StepExplanation::Share& s = e.newton[i];
    text += fmt::format("  {:>6}  {} {}\n", s.count,
                        s.name.empty() ? "before an iteration could be made" : "'" + s.name + "'",
                        span(s));
  }
  return text.empty() ? "" : "Newton's method failed\n" + text;
}

/// One advice a cause that is worth it.
std::string adviceText(const StepExplanation& e) {
  std::string text;
  const auto say = [&](const std::string& line) { text += "  - " + line + "\n"; };
  const auto isMuch = [&](long n) {
    return static_cast<double>(n) > kWorthIt * static_cast<double>(e.steps);
  };
  const Stiffness* const s = stiffest(e);
  for (const StepExplanation::Switch& w : e.switches) {
    if (!chatters(w)) continue;
    say(
        fmt::format("'{}' switches to and fro: give it a hysteresis (\"x > 0.1 or pre(on) and x > "
                    "-0.1\"), or make what it switches smooth",
                    w.events.name));
  }
  if (!e.newton.empty() && e.newton.front().count > e.steps / 20) {
    say("Newton's method fails where the equations bend within a step or become singular: look at "
        "the model at the times above");
  }
  if (isMuch(e.starting)) {
    say("many steps begin anew after events, at low order: '--integrator automatic' goes on at "
        "full "
        "order");
  }
  if (isMuch(e.cut)) {
    say("steps end at instants that have to be met (clocks, tables, pulses): fewer of them, or "
        "longer intervals");
  }
  if (e.isFixed) {
    say("steps have the length of --step: half of it halves the error, and doubles the cost");
  } else if (isMuch(e.longest)) {
    say("steps are as long as they may be: a larger --maximum-step, if the motion allows it");
  }
  const bool stiff = s && isStiff(e, *s);
  if (stiff && e.isExplicit) {
    say(fmt::format(
        "the fast decay of '{}' keeps explicit steps short: '--integrator ida' steps over it",
        s->unknown));
  } else if (!e.error.empty() && isMuch(e.error.front().count)) {
    const double turn = 2 * std::numbers::pi;
    const bool turns = s && !decays(*s) && s->rate * s->step > turn / kFewSteps &&
                       s->rate * e.span > turn * kManyTurns;
    if (turns) {
      say(fmt::format(
          "an oscillation of {:.3g} Hz is followed turn by turn: a damper takes it away, a "
          "larger --tolerance makes it cheaper",
          s->rate / (2 * std::numbers::pi)));
    } else {
      const std::string& name = e.error.front().name;
      const bool own = name.find('.') == std::string::npos;
      say(fmt::format("the error of '{}' sets the step: a larger --tolerance makes it longer{}",
                      name, own ? ", and so does a larger 'nominal' of it" : ""));
    }
  }
  if (stiff && !e.isExplicit && !e.isFixed)
    say(fmt::format("the fast decay of '{}' is stepped over: keep '--integrator ida'", s->unknown));
  if (text.empty()) say("nothing stands out");
  return "what to do\n" + text;
}

}  // namespace

std::string whyText(const StepExplanation& e) {
  std::string text = fmt::format("{} over {:.6g} s", plural(e.steps, "step"), e.span);
  if (e.steps > 0)
    text += fmt::format(", {:.3g} s on average", e.span / static_cast<double>(e.steps));
  text += "; the step is set by\n";
  for (size_t i = 0; i < std::min(kMostNames, e.error.size()); ++i)
    text += share(e.error[i].count, e.steps, "the error of '" + e.error[i].name + "'");
  long others = 0;
  for (size_t i = kMostNames; i < e.error.size(); ++i) others += e.error[i].count;
  if (others > 0)
    text +=
        share(others, e.steps, fmt::format("the errors of {} others", e.error.size() - kMostNames));
  if (e.events > 0) text += share(e.events, e.steps, "an event inside the step");
  if (e.starting > 0) text += share(e.starting, e.steps, "a start or an event just before");
  if (e.cut > 0) text += share(e.cut, e.steps, "an instant that has to be met");
  if (e.longest > 0)
    text += share(e.longest, e.steps,
                  e.isFixed ? "its length, which is given" : "the longest step allowed");
  if (e.errorFailures > 0)
    text +=
        fmt::format("  {} repeated as the error was too large\n", plural(e.errorFailures, "step"));
  text += newtonText(e) + eventsText(e) + searchText(e);
  if (const Stiffness* const s = stiffest(e)) text += stiffnessText(e, *s);
  return text + adviceText(e);
}

}  // namespace cardan
