/// SimulationSettings: how a model is to be run, as its file or a command says it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/text/diagnostics.h"

namespace cardan {

enum class IntegratorChoice {
  automatic,       ///< the explicit method while it is the right one, IDA otherwise
  ida,             ///< implicit, of variable order
  explicitMethod,  ///< explicit, of order 8
  stepping         ///< implicit, of order 1, steps of one length, no events of contact
};

/// What restitution is of where rigid surfaces strike each other: see Impacts.
enum class ImpactLaw { moreau, newton, poisson };

/// "automatic", "ida", "explicit", "stepping".
const char* word(IntegratorChoice choice);
const char* word(ImpactLaw law);
/// The words of all choices of that kind.
template <class Choice>
std::vector<std::string> wordsOf();
/// nullopt: no such word.
template <class Choice>
std::optional<Choice> choiceOf(const std::string& word);

struct OutputPattern {
  std::string pattern;
  SourceMark at;
};

/// More rows on the output grid are a mistake, and no wish.
inline constexpr double kMostOutputPoints = 1e8;

struct SimulationSettings {
  double start = 0;                ///< [s]
  double stop = 1;                 ///< [s]
  std::optional<double> interval;  ///< [s] between output points; not given: a 500th of the run
  double tolerance = 1e-8;         ///< [1] relative
  IntegratorChoice integrator = IntegratorChoice::ida;
  SourceMark integratorAt;     ///< where it says so
  std::optional<double> step;  ///< [s]  of `stepping`, which alone has one
  SourceMark stepAt;           ///< where it says so
  ImpactLaw impact = ImpactLaw::moreau;
  SourceMark impactAt;  ///< where it says so
};

/// Why a run from `start` to `stop` [s] has no room for steps ("must be farther from 'start' ..."),
/// or "".
std::string tooShortToRun(double start, double stop);

/// `--set NAME=VALUE`, as written behind `--set`.
using Overrides = std::vector<std::string>;

}  // namespace cardan
