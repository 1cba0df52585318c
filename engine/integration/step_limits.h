/// StepLimits: what limits the steps of a run: whose error, what stops, where Newton's method fails,
/// which switches never rest, and how stiff the equations are.
#pragma once

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/dynamics/completion.h"
#include "engine/integration/event_system.h"
#include "engine/integration/integrator.h"
#include "engine/integration/multibody_system.h"
#include "engine/integration/run_report.h"

namespace cardan {

/// Looks on while a run steps. Numbers of the integration alone decide, so that a run is explained
/// alike every time.
class StepLimits {
 public:
  /// `longest` [s]: step; `tolerance`: relative. The system outlives this.
  StepLimits(MultibodySystem& system, double longest, double tolerance)
      : system_(system), completion_(system.equations()), longest_(longest), tolerance_(tolerance) {
    completion_.useTreeSolver();
  }

  /// After every call of step() that returned `result`.
  void look(const Integrator& integrator, Integrator::StepResult result) {
    if (!begun_) start_ = integrator.previousTime();
    begun_ = true;
    const IntegratorStatistics now = integrator.statistics();
    if (now.newtonFailures > seen_.newtonFailures) {
      count(newton_, integrator.troublesomeUnknown(), integrator.time(),
            now.newtonFailures - seen_.newtonFailures);
    }
    const bool stepped = now.steps > seen_.steps;
    const bool restarted = now.restarts > seen_.restarts;
    if (restarted) sinceStart_ = 0;
    all_.errorFailures += now.errorTestFailures - seen_.errorTestFailures;
    seen_ = now;
    if (!stepped) return;
    ++sinceStart_;
    ++all_.steps;
    all_.isFixed = integrator.hasFixedStep();
    all_.isExplicit = !integrator.startsAtOrderOne() && !all_.isFixed;
    if (result == Integrator::StepResult::Root) {
      ++all_.events;
    } else if (integrator.lastStep() >= kAlmost * longest_) {
      ++all_.longest;
    } else if (result == Integrator::StepResult::ReachedStop) {
      ++all_.cut;
    } else if (integrator.startsAtOrderOne() && sinceStart_ <= StepExplanation::kStartingSteps) {
      ++all_.starting;
    } else if (const int i = integrator.leadingError(); i >= 0) {
      count(error_, i, integrator.time(), 1);
    }
    if (result == Integrator::StepResult::Stepped && all_.steps >= nextProbe_) probe(integrator);
  }
  /// After an event at `time` [s].
  void event(double time, const std::vector<std::string>& changed) {
    for (const std::string& name : changed) {
      const auto [found, isNew] = switches_.try_emplace(name);
      StepExplanation::Switch& s = found->second;
      if (isNew) {
        s.events = {name, 0, time, time};
      } else {
        const double between = time - s.events.last;
        s.shortest = s.events.count == 1 ? between : std::min(s.shortest, between);
        if (s.events.count > 1 &&
            all_.steps - lastStepsOf_[name].second <= StepExplanation::kCloseSteps)
          ++s.close;
      }
      ++s.events.count;
      s.events.last = time;
      lastStepsOf_[name] = {all_.steps, lastStepsOf_[name].first};
    }
  }
  /// A step could not be made.
  void failed(const Integrator& integrator) {
    const IntegratorStatistics now = integrator.statistics();
    if (now.newtonFailures > seen_.newtonFailures) {
      count(newton_, integrator.troublesomeUnknown(), integrator.time(),
            now.newtonFailures - seen_.newtonFailures);
    }
    all_.errorFailures += now.errorTestFailures - seen_.errorTestFailures;
    seen_ = now;
  }

  StepExplanation explanation(const Integrator& integrator) const {
    StepExplanation result = all_;
    result.span = begun_ ? integrator.time() - start_ : 0;
    result.error = mostFirst(error_);
    result.newton = mostFirst(newton_);
    const IntegratorStatistics all = integrator.statistics();
    result.evaluations = static_cast<double>(all.residuals + all.rates);
    if (const EventSystem* events = system_.events()) {
      for (const EventSystem::SearchCost& c : events->searchCosts()) {
        const SourceMark& at = c.at;
        result.searches.push_back(
            {c.name, at.file.empty() ? "" : fmt::format("{}:{}:{}", at.file, at.line, at.column),
             c.evaluations});
      }
    }
    for (const auto& [name, s] : switches_) result.switches.push_back(s);
    std::ranges::stable_sort(result.switches, [](const auto& a, const auto& b) {
      return a.events.count > b.events.count;
    });
    return result;
  }

 private:
  static constexpr size_t kMostProbes = 24;
  /// Iterations of the power method, and how many of the last ones its rate is taken from; even, as an
  /// oscillation takes two.
  static constexpr int kPowerIterations = 16, kPowerTail = 4;
  /// Relative change of the unknowns by which rates are differentiated.
  static constexpr double kProbe = 1e-7;
  /// A step that is this near to the longest one is as long.
  static constexpr double kAlmost = 0.999;

  template <class T>
  static std::vector<T> mostFirst(const std::map<int, T>& shares) {
    std::vector<T> result;
    for (const auto& [unknown, share] : shares) result.push_back(share);
    std::ranges::stable_sort(result, [](const T& a, const T& b) { return a.count > b.count; });
    return result;
  }

  void count(std::map<int, StepExplanation::Share>& shares, int unknown, double time, long n) {
    const auto [share, isNew] = shares.try_emplace(unknown);
    if (isNew) {
      share->second.first = time;
      share->second.name = unknown >= 0 ? system_.unknownName(unknown) : "";
    }
    share->second.count += n;
    share->second.last = time;
  }
  /// The unknown whose part in a change is the largest.
  static size_t leading(const std::vector<double>& change, const Integrator& integrator) {
    size_t largest = 0;
    std::vector<double> one(change.size(), 0.0);
    double most = -1;
    for (size_t i = 0; i < change.size(); ++i) {
      if (change[i] == 0) continue;
      one[i] = change[i];
      const double part = integrator.norm(one, integrator.y());
      one[i] = 0;
      if (part > most) {
        most = part;
        largest = i;
      }
    }
    return largest;
  }
  /// The dominant eigenvalue of the rates as a function of the differential unknowns, by the power
  /// method.
  void probe(const Integrator& integrator) {
    nextProbe_ = all_.steps + stride_;
    const std::vector<double> y(integrator.y().begin(), integrator.y().end());
    const std::vector<double> yp(integrator.yp().begin(), integrator.yp().end());
    std::vector<double> base = y, rates = yp;
    const double t = integrator.time();
    if (!completion_.complete(t, base, rates)) return;
    std::vector<double> change(y.size(), 0.0), near, nearRates;
    for (size_t i = 0; i < y.size(); ++i) {
      if (!system_.isDifferential(i)) continue;
      change[i] = 1 + 0.1 * static_cast<double>(i % 7);
    }
    double rate = 0, sign = 0;
    for (int k = 0; k < kPowerIterations; ++k) {
      const double size = integrator.norm(change, y);
      if (!(size > 0) || !std::isfinite(size)) return;
      const double by = kProbe / (tolerance_ * size);
      near = base;
      for (size_t i = 0; i < near.size(); ++i) {
        change[i] *= by;
        near[i] += change[i];
      }
      nearRates = rates;
      if (!completion_.complete(t, near, nearRates)) return;
      std::vector<double> next(y.size(), 0.0);
      for (size_t i = 0; i < next.size(); ++i) {
        if (system_.isDifferential(i)) next[i] = nearRates[i] - rates[i];
      }
      const double growth = integrator.norm(next, y) / integrator.norm(change, y);
      if (!(growth > 0) || !std::isfinite(growth)) return;
      if (k >= kPowerIterations - kPowerTail) {
        rate += std::log(growth) / kPowerTail;
        // How much of the change comes back along itself.
        std::vector<double> sum(y.size());
        for (size_t i = 0; i < sum.size(); ++i) sum[i] = next[i] / growth + change[i];
        const double apart = integrator.norm(sum, y) / integrator.norm(change, y);
        sign += (apart * apart - 2) / (2 * kPowerTail);
      }
      change = std::move(next);
    }
    all_.stiffness.push_back({t, integrator.lastStep(), std::exp(rate), sign,
                              system_.unknownName(leading(change, integrator))});
    if (all_.stiffness.size() >= kMostProbes) thinOut();
  }
  /// Every second probe goes, and so do half of those to come.
  void thinOut() {
    std::vector<StepExplanation::Stiffness> kept;
    for (size_t i = 1; i < all_.stiffness.size(); i += 2)
      kept.push_back(std::move(all_.stiffness[i]));
    all_.stiffness = std::move(kept);
    stride_ *= 2;
    nextProbe_ = all_.steps + stride_;
  }

  const MultibodySystem& system_;
  Completion completion_;  ///< its own: the run is the same whether somebody looks on or not
  double longest_, tolerance_;
  double start_ = 0;
  bool begun_ = false;
  IntegratorStatistics seen_;
  long sinceStart_ = 0;  ///< steps
  long nextProbe_ = 20, stride_ = 20;
  StepExplanation all_;
  std::map<int, StepExplanation::Share> error_, newton_;  ///< by unknown
  std::map<std::string, StepExplanation::Switch> switches_;
  /// Of each switch: steps at its last event and at the one before.
  std::map<std::string, std::pair<long, long>> lastStepsOf_;
};

}  // namespace cardan
