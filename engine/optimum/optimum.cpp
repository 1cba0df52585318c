#include "engine/optimum/optimum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/motion_point.h"
#include "engine/optimum/nlopt_search.h"
#include "engine/study/sampling.h"

namespace cardan {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kMet = 1e-6;     // constraints, in their units
constexpr double kSame = 1e-6;    // relative: the same optimum
constexpr long kRunsEach = 1000;  // per parameter and one: of methods that know no end

std::vector<double> listOf(const VectorXd& x) { return {x.begin(), x.end()}; }
VectorXd vectorOf(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), std::ssize(x));
}

}  // namespace

Optimum::Optimum(const OptimumRuns& runs, Evaluate evaluate,
                 std::function<void(const Progress&)> progress)
    : runs_(runs),
      task_(runs.task()),
      evaluate_(std::move(evaluate)),
      progress_(std::move(progress)),
      first_(task_.goals.size(), NAN) {
  for (const bool equal : {true, false}) {
    for (size_t i = 0; i < task_.constraints.size(); ++i) {
      if ((task_.constraints[i].side == 0) == equal) order_.push_back(i);
    }
    if (equal) equalities_ = order_.size();
  }
}

SqpOptions Optimum::options() const {
  SqpOptions o;
  const auto n = std::ssize(task_.parameters);
  o.equalities = static_cast<Index>(equalities_);
  o.low.resize(n);
  o.high.resize(n);
  for (Index k = 0; k < n; ++k) {
    o.low[k] = task_.parameters[k].low;
    o.high[k] = task_.parameters[k].high;
  }
  // What runs leave open can be improved no further.
  o.noise = 0.1 * runs_.tolerance();
  o.tolerance = std::max(1e-12, 1e-5 * runs_.tolerance());
  o.mostIterations = static_cast<int>(task_.iterations);
  return o;
}

Optimum::Search Optimum::searchFrom(const std::vector<double>& start, size_t goal,
                                    std::optional<double> bound) const {
  const SqpOptions o = options();
  VectorXd units = VectorXd::Constant(std::ssize(order_) + (bound ? 1 : 0), bound.value_or(0));
  for (size_t i = 0; i < order_.size(); ++i)
    units[static_cast<Index>(i)] = task_.constraints[order_[i]].bound;
  return {Sqp(vectorOf(start), o), goal, bound, {o.equalities, units.cwiseAbs(), {}, {}, {}}};
}

VectorXd Optimum::BestRun::violations(const SmoothValues& v) const {
  return cardan::violations(v.c, equalities).cwiseQuotient(units.cwiseMax(1e-300));
}

bool Optimum::BestRun::meetsConstraints() const {
  return (violations(values).array() <= kMet).all();
}

void Optimum::BestRun::take(const OptimumRun& run, std::vector<double> goalsThere,
                            const SmoothValues& v) {
  units = units.cwiseMax(v.c.cwiseAbs());
  const auto rank = [&](const SmoothValues& of) {
    const double worst = of.c.size() > 0 ? violations(of).maxCoeff() : 0;
    return worst > kMet ? std::pair(worst, 0.0) : std::pair(0.0, of.f);
  };
  if (!x.empty() && rank(values) <= rank(v)) return;
  x = run.x;
  goals = std::move(goalsThere);
  values = v;
}

/// Outcomes of all, the best of which the searches know from now on; nothing: it was stopped.
std::optional<std::vector<OptimumOutcome>> Optimum::made(const std::vector<OptimumRun>& runs,
                                                         std::span<Search> searches) {
  std::vector<OptimumOutcome> outcomes = evaluate_(runs);
  for (size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].kind != OptimumRun::Kind::plain) continue;
    for (Search& s : searches) {
      const SmoothValues v = valuesOf(outcomes[i], s.goal, s.bound);
      if (v.failure.empty() && std::isfinite(v.f) && v.c.allFinite())
        s.best.take(runs[i], goalsOf(outcomes[i]), v);
    }
  }
  stopped_ = stopped_ || !std::ranges::all_of(outcomes, &OptimumOutcome::isMade);
  if (stopped_) return std::nullopt;
  return outcomes;
}

/// Two runs beside x, or three on one side of it at a bound.
std::vector<OptimumRun> Optimum::differenceRuns(const std::vector<double>& x, size_t k) const {
  const BoundedParameter& p = task_.parameters[k];
  const double reach = std::cbrt(OptimumRuns::kPrecise) * runs_.sizeOf(k, x[k]);
  std::vector<double> shifts{reach, -reach};
  if (x[k] - reach < p.low) shifts = {0, reach, 2 * reach};
  if (x[k] + reach > p.high) shifts = {0, -reach, -2 * reach};
  std::vector<OptimumRun> runs;
  for (const double by : shifts) {
    runs.push_back({OptimumRun::Kind::precise, x});
    runs.back().x[k] += by;
  }
  return runs;
}

/// What a search needs to go on.
std::vector<OptimumRun> Optimum::runsFor(const Sqp& sqp, Asked& asked) const {
  asked.x = listOf(sqp.point());
  if (!sqp.wantsDerivatives()) return {{OptimumRun::Kind::plain, asked.x}};
  std::vector<OptimumRun> runs;
  const std::vector<bool>& exact = runs_.exact();
  asked.exactly = differences_.empty() && std::ranges::find(exact, true) != exact.end();
  if (asked.exactly) runs.push_back({OptimumRun::Kind::derivatives, asked.x});
  for (size_t k = 0; k < exact.size(); ++k) {
    if (asked.exactly && exact[k]) continue;
    asked.differenced.push_back(k);
    const auto more = differenceRuns(asked.x, k);
    runs.insert(runs.end(), more.begin(), more.end());
  }
  return runs;
}

/// Derivatives of kept values from what has come. False: the search for them was ended.
bool Optimum::differ(std::vector<Asked>& asked, std::vector<Slopes>& slopes,
                     const std::vector<OptimumOutcome>& outcomes,
                     std::vector<std::string>& failures) {
  const size_t n = task_.parameters.size();
  std::vector<OptimumRun> more;
  const auto take = [&](const Asked& a, size_t i, std::span<const OptimumOutcome> from) {
    size_t at = 0;
    for (const size_t k : a.differenced) {
      const auto points = differenceRuns(a.x, k);
      const auto part = from.subspan(at, points.size());
      at += points.size();
      for (const OptimumOutcome& o : part) {
        if (!o.isGood()) failures[i] = o.reason;
      }
      for (size_t v = 0; failures[i].empty() && v < task_.kept.values().size(); ++v) {
        if (!std::ranges::all_of(part, [&](const auto& o) { return o.kept[v].has_value(); }))
          continue;
        const auto y = [&](size_t p) { return *part[p].kept[v]; };
        const double reach = points[1].x[k] - points[0].x[k];
        slopes[i][v * n + k] =
            part.size() == 2 ? (y(1) - y(0)) / reach : (4 * y(1) - y(2) - 3 * y(0)) / (2 * reach);
      }
    }
  };
  std::vector<size_t> again;
  for (size_t i = 0; i < asked.size(); ++i) {
    Asked& a = asked[i];
    const std::span rest = std::span(outcomes).subspan(a.first + (a.exactly ? 1 : 0));
    if (a.exactly && !outcomes[a.first].isGood()) {
      // Where the model has none here, all of them are differences, from now on.
      if (differences_.empty())
        differences_.push_back("from one point on: " + outcomes[a.first].reason);
      a.differenced.clear();
      a.first = more.size();
      for (size_t k = 0; k < n; ++k) {
        a.differenced.push_back(k);
        const auto points = differenceRuns(a.x, k);
        more.insert(more.end(), points.begin(), points.end());
      }
      again.push_back(i);
      continue;
    }
    if (a.exactly) slopes[i] = outcomes[a.first].slopes;
    if (!a.differenced.empty()) take(a, i, rest);
  }
  if (again.empty()) return true;
  const auto found = made(more);
  if (!found) return false;
  for (const size_t i : again) take(asked[i], i, std::span(*found).subspan(asked[i].first));
  return true;
}

SmoothValues Optimum::valuesOf(const OptimumOutcome& outcome, size_t goal,
                               std::optional<double> bound) const {
  SmoothValues s;
  if (!outcome.isGood()) return {outcome.reason.empty() ? "failed" : outcome.reason, 0, {}};
  for (size_t v = 0; v < outcome.kept.size(); ++v) {
    if (!outcome.kept[v]) return {"'" + task_.kept.values()[v].name + "' has no value", 0, {}};
  }
  s.f = signOf(goal) * *outcome.kept[task_.goals[goal].kept];
  s.c.resize(std::ssize(order_) + (bound ? 1 : 0));
  for (size_t i = 0; i < order_.size(); ++i) {
    const OptimumTask::Constraint& c = task_.constraints[order_[i]];
    s.c[i] = (c.side < 0 ? -1 : 1) * (*outcome.kept[c.kept] - c.bound);
  }
  if (bound)
    s.c[std::ssize(order_)] = *bound - signOf(1 - goal) * *outcome.kept[task_.goals[1 - goal].kept];
  return s;
}

SmoothDerivatives Optimum::derivativesOf(const Slopes& slopes, const std::string& failure,
                                         const Search& search) const {
  const auto n = std::ssize(task_.parameters);
  SmoothDerivatives d;
  d.failure = failure;
  const auto row = [&](size_t kept, double sign) {
    Eigen::RowVectorXd r(n);
    for (Index k = 0; k < n; ++k) r[k] = sign * slopes[kept * n + k].value_or(NAN);
    return r;
  };
  d.f = row(task_.goals[search.goal].kept, signOf(search.goal));
  d.c.resize(std::ssize(order_) + (search.bound ? 1 : 0), n);
  for (size_t i = 0; i < order_.size(); ++i) {
    const OptimumTask::Constraint& c = task_.constraints[order_[i]];
    d.c.row(i) = row(c.kept, c.side < 0 ? -1 : 1);
  }
  const size_t other = 1 - search.goal;
  if (search.bound) d.c.row(std::ssize(order_)) = row(task_.goals[other].kept, -signOf(other));
  return d;
}

/// Goals of a run, not a number where there are none.
std::vector<double> Optimum::goalsOf(const OptimumOutcome& outcome) const {
  std::vector<double> goals(task_.goals.size(), NAN);
  for (size_t g = 0; outcome.isGood() && g < goals.size(); ++g)
    goals[g] = outcome.kept[task_.goals[g].kept].value_or(NAN);
  return goals;
}

/// All searches that have not ended by what each of them waits for.
void Optimum::step(std::vector<Search>& searches) {
  std::vector<Asked> asked, slopesAsked;
  std::vector<OptimumRun> runs;
  for (size_t i = 0; i < searches.size(); ++i) {
    if (searches[i].sqp.hasEnded()) continue;
    Asked a{.search = i, .x = {}, .first = runs.size(), .differenced = {}};
    const auto mine = runsFor(searches[i].sqp, a);
    runs.insert(runs.end(), mine.begin(), mine.end());
    (searches[i].sqp.wantsDerivatives() ? slopesAsked : asked).push_back(std::move(a));
  }
  const auto outcomes = made(runs, searches);
  if (!outcomes) return;
  std::vector<Slopes> slopes(slopesAsked.size(),
                             Slopes(task_.kept.values().size() * task_.parameters.size()));
  std::vector<std::string> failures(slopesAsked.size());
  if (!differ(slopesAsked, slopes, *outcomes, failures)) return;
  for (const Asked& a : asked) {
    Search& s = searches[a.search];
    const OptimumOutcome& o = (*outcomes)[a.first];
    const SmoothValues values = valuesOf(o, s.goal, s.bound);
    if (a.x == runs_.start()) first_ = goalsOf(o);
    s.sqp.tell(values);
  }
  for (size_t i = 0; i < slopesAsked.size(); ++i) {
    Search& s = searches[slopesAsked[i].search];
    s.sqp.tell(derivativesOf(slopes[i], failures[i], s));
  }
}

void Optimum::goOn(std::vector<Search>& searches) {
  while (!stopped_ &&
         !std::ranges::all_of(searches, [](const Search& s) { return s.sqp.hasEnded(); })) {
    step(searches);
    const Search& s = searches[best(searches)];
    tell(s, s.sqp.iterations());
  }
}

void Optimum::tell(const Search& search, int iteration) const {
  const BestRun& b = search.best;
  if (progress_ && !b.x.empty())
    progress_({iteration, signOf(search.goal) * b.values.f, b.meetsConstraints()});
}

/// The one with the smallest objective among those that meet the constraints.
size_t Optimum::best(const std::vector<Search>& searches) const {
  const auto rank = [](const Search& search) {
    const Sqp& s = search.sqp;
    return !s.hasPoint()          ? std::pair(3, 0.0)
           : s.violation() > kMet ? std::pair(2, s.violation())
                                  : std::pair(isFound(s.stop()) ? 0 : 1, s.values().f);
  };
  return std::ranges::min_element(searches, {}, rank) - searches.begin();
}

/// Throws AnalysisError where none has come to its end.
void Optimum::checkRuns(const Search& search) const {
  if (search.best.x.empty() && !stopped_)
    throw AnalysisError("the model cannot be run at the start of the search: " +
                        search.sqp.failure());
}

/// Where the search has come to, or else the best run.
OptimumResult Optimum::resultOf(const Search& search, bool hasEnded) const {
  const Sqp& s = search.sqp;
  const BestRun& b = search.best;
  OptimumResult r;
  r.isStopped = stopped_ && !s.hasEnded();
  r.found = hasEnded && isFound(s.stop()) && s.violation() <= kMet;
  r.reason = reasonOf(s.stop());
  if (!s.failure().empty()) r.reason += ": " + s.failure();
  if (s.stop() == SqpStop::noise) r.reason += fmt::format(" (tolerance {:g})", runs_.tolerance());
  r.iterations = s.iterations();
  r.first = first_;
  r.x = r.found ? listOf(s.x()) : b.x;
  const bool isKnown = !r.x.empty(), standsThere = isKnown && s.hasPoint() && r.x == listOf(s.x());
  r.x.resize(task_.parameters.size(), NAN);
  r.atBound.resize(r.x.size());
  for (size_t k = 0; k < r.x.size(); ++k) {
    const BoundedParameter& p = task_.parameters[k];
    r.atBound[k] = r.x[k] <= p.low ? -1 : r.x[k] >= p.high ? 1 : 0;
  }
  r.goals.assign(task_.goals.size(), NAN);
  r.constraints.resize(order_.size());
  if (!isKnown) return r;
  const SmoothValues& there = r.found ? s.values() : b.values;
  if (r.x == b.x) r.goals = b.goals;
  r.goals[search.goal] = signOf(search.goal) * there.f;
  if (standsThere && s.derivatives().f.size() > 0)
    r.slopes = listOf(signOf(search.goal) * s.derivatives().f);
  const VectorXd violations = b.violations(there);
  for (size_t i = 0; i < order_.size(); ++i) {
    const OptimumTask::Constraint& c = task_.constraints[order_[i]];
    OptimumResult::Constraint& shown = r.constraints[order_[i]];
    const Index row = static_cast<Index>(i);
    shown.value = c.bound + (c.side < 0 ? -1 : 1) * there.c[row];
    shown.isViolated = !r.found && violations[row] > kMet;
    const bool hasMultiplier = r.found && s.multipliers().size() > row;
    if (hasMultiplier) shown.multiplier = std::abs(s.multipliers()[row]);
    shown.isActive = c.side == 0 || (hasMultiplier ? shown.multiplier > 0
                                                   : std::abs(there.c[row]) <= kMet * b.units[row]);
  }
  return r;
}

std::vector<std::string> Optimum::differences() const {
  std::vector<std::string> all = runs_.differences();
  all.insert(all.end(), differences_.begin(), differences_.end());
  return all;
}

OptimumResult Optimum::run() {
  if (task_.method != "local") return byNlopt();
  std::vector<Search> searches;
  const auto n = static_cast<int>(task_.parameters.size());
  const Sampling latin(SamplingMethod::latin, n, std::max(1L, task_.starts - 1), task_.seed, false);
  for (long k = 0; k < task_.starts; ++k) {
    std::vector<double> x = runs_.start();
    for (int i = 0; k > 0 && i < n; ++i) {
      const auto& [low, high] = std::pair(task_.parameters[i].low, task_.parameters[i].high);
      const double share = latin(k - 1, i);
      const bool decades = low > 0 && high > 100 * low;
      x[i] = decades ? low * std::pow(high / low, share) : low + share * (high - low);
    }
    searches.push_back(searchFrom(x));
  }
  goOn(searches);
  const Search& found = searches[best(searches)];
  const Sqp& least = found.sqp;
  checkRuns(found);
  OptimumResult r = resultOf(found);
  if (r.found && stopped_) r.reason += "; other searches were stopped";
  r.starts = task_.starts;
  r.foundAgain = std::ranges::count_if(searches, [&](const Search& s) {
    return r.found && s.sqp.hasPoint() && s.sqp.violation() <= kMet &&
           s.sqp.values().f <=
               least.values().f + kSame * std::max(1e-12, std::abs(least.values().f));
  });
  return r;
}

std::vector<OptimumResult> Optimum::front() {
  std::vector<Search> searches{searchFrom(runs_.start(), 0), searchFrom(runs_.start(), 1)};
  goOn(searches);
  std::vector<OptimumResult> ends;
  for (const Search& s : searches) {
    checkRuns(s);
    ends.push_back(resultOf(s));
  }
  // The other goal at each end: its run is made again, or known.
  const auto both = [&](OptimumResult& r) {
    const auto found =
        stopped_ || !r.isKnown() ? std::nullopt : made({{OptimumRun::Kind::plain, r.x}});
    if (found) r.goals = goalsOf(found->front());
  };
  for (OptimumResult& r : ends) both(r);
  std::vector<Search> between;
  for (long i = 1; i + 1 < task_.front && !stopped_; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(task_.front - 1);
    std::vector<double> x(ends[0].x);
    for (size_t k = 0; k < x.size(); ++k) x[k] += share * (ends[1].x[k] - x[k]);
    const double bound =
        signOf(1) * (ends[0].goals[1] + share * (ends[1].goals[1] - ends[0].goals[1]));
    between.push_back(searchFrom(x, 0, bound));
  }
  goOn(between);
  std::vector<OptimumResult> all{ends[0]};
  for (const Search& s : between) {
    if (stopped_ && s.best.x.empty()) continue;
    all.push_back(resultOf(s));
    both(all.back());
  }
  all.push_back(ends[1]);
  return all;
}

/// A method of NLopt, one run after the other; from where a global one has come to, a local search goes on.
OptimumResult Optimum::byNlopt() {
  const SqpOptions o = options();
  const long most = task_.runs > 0 ? task_.runs : kRunsEach * (std::ssize(task_.parameters) + 1);
  const bool isGlobal = nloptNeedsBounds(task_.method);
  int count = 0;
  // The method begins where it likes: what the report calls the start is that of the model.
  std::vector<Search> searches{searchFrom(runs_.start())};
  Search& search = searches[0];
  const auto madeAt = [&](const std::vector<double>& x) {
    return stopped_ ? std::nullopt : made({{OptimumRun::Kind::plain, x}}, searches);
  };
  if (const auto begin = madeAt(runs_.start())) first_ = goalsOf(begin->front());
  const NloptResult found =
      searchByNlopt(task_.method, vectorOf(runs_.start()), o, std::ssize(order_), most, task_.seed,
                    [&](const VectorXd& x) -> std::optional<SmoothValues> {
                      const auto outcome = madeAt(listOf(x));
                      if (!outcome) return std::nullopt;
                      tell(search, ++count);
                      return valuesOf(outcome->front(), 0, {});
                    });
  const bool goesOn = isGlobal && !stopped_;
  search.sqp = Sqp(found.x, o);
  if (goesOn) {
    goOn(searches);
  } else if (const auto last = madeAt(listOf(found.x))) {
    search.sqp.settle(valuesOf(last->front(), 0, {}));
  }
  checkRuns(search);
  OptimumResult r = resultOf(search, isGlobal || found.found);
  if (goesOn) {
    r.reason = found.reason + "; then a local search: " + r.reason;
  } else if (search.sqp.stop() != SqpStop::unbounded) {
    r.reason = found.reason;
  }
  return r;
}

}  // namespace cardan
