#include "engine/optimum/nlopt_search.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/motion_point.h"
#include "engine/text/loaded_library.h"

#ifdef CARDAN_NLOPT
#include <nlopt.h>
#endif

namespace cardan {
namespace {

struct NloptMethod {
  const char* word;
  const char* algorithm;    ///< as nlopt_algorithm_from_string has it
  const char* constrained;  ///< the same with constraints; null: it has none
  bool isGlobal;
};
constexpr std::array<NloptMethod, 6> kMethods{{
    {"global", "GN_DIRECT_L", "GN_ISRES", true},
    {"direct", "GN_DIRECT_L", nullptr, true},
    {"isres", "GN_ISRES", "GN_ISRES", true},
    {"crs", "GN_CRS2_LM", nullptr, true},
    {"cobyla", "LN_COBYLA", "LN_COBYLA", false},
    {"bobyqa", "LN_BOBYQA", nullptr, false},
}};

const NloptMethod* methodOf(std::string_view word) {
  const auto found = std::ranges::find_if(kMethods, [&](const auto& m) { return m.word == word; });
  return found == kMethods.end() ? nullptr : &*found;
}

#ifdef CARDAN_NLOPT
constexpr double kFarAway = 1e30;       // where there is nothing
constexpr double kSmallestStep = 1e-9;  // relative, of local methods
constexpr double kConstraints = 1e-8;   // to which they are met

/// NLopt's functions, as far as they are used.
struct Library {
  decltype(&nlopt_algorithm_from_string) algorithm = nullptr;
  decltype(&nlopt_create) create = nullptr;
  decltype(&nlopt_destroy) destroy = nullptr;
  decltype(&nlopt_srand) seed = nullptr;
  decltype(&nlopt_optimize) optimize = nullptr;
  decltype(&nlopt_force_stop) stop = nullptr;
  decltype(&nlopt_set_min_objective) setObjective = nullptr;
  decltype(&nlopt_add_inequality_constraint) addInequality = nullptr;
  decltype(&nlopt_add_equality_constraint) addEquality = nullptr;
  decltype(&nlopt_set_lower_bounds) setLow = nullptr;
  decltype(&nlopt_set_upper_bounds) setHigh = nullptr;
  decltype(&nlopt_set_maxeval) setMostRuns = nullptr;
  decltype(&nlopt_set_xtol_rel) setStep = nullptr;
  bool isThere = false;

  Library() {
    const LoadedLibrary library(CARDAN_NLOPT);
    const auto find = [&](const char* name, auto& f) { return library.find(name, f); };
    isThere = find("nlopt_algorithm_from_string", algorithm) && find("nlopt_create", create) &&
              find("nlopt_destroy", destroy) && find("nlopt_srand", seed) &&
              find("nlopt_optimize", optimize) && find("nlopt_force_stop", stop) &&
              find("nlopt_set_min_objective", setObjective) &&
              find("nlopt_add_inequality_constraint", addInequality) &&
              find("nlopt_add_equality_constraint", addEquality) &&
              find("nlopt_set_lower_bounds", setLow) && find("nlopt_set_upper_bounds", setHigh) &&
              find("nlopt_set_maxeval", setMostRuns) && find("nlopt_set_xtol_rel", setStep);
  }
};

/// What NLopt asks for one by one, of one run for each point.
struct Asked {
  const std::function<std::optional<SmoothValues>(const Eigen::VectorXd&)>& values;
  const Library& library;
  nlopt_opt search;
  Eigen::VectorXd x = {};
  SmoothValues here = {};

  const SmoothValues& at(unsigned n, const double* there) {
    const Eigen::Map<const Eigen::VectorXd> point(there, n);
    if (x.size() > 0 && point == x) return here;
    const auto found = values(point);
    if (!found) library.stop(search);
    here = found.value_or(SmoothValues{"stopped", 0, {}});
    x = point;
    return here;
  }
};
struct AskedConstraint {
  Asked* all;
  Eigen::Index number;
};

double objective(unsigned n, const double* x, double*, void* data) {
  const SmoothValues& v = static_cast<Asked*>(data)->at(n, x);
  return v.failure.empty() ? v.f : kFarAway;
}
double constraint(unsigned n, const double* x, double*, void* data) {
  const auto* c = static_cast<AskedConstraint*>(data);
  const SmoothValues& v = c->all->at(n, x);
  return v.failure.empty() ? -v.c[c->number] : kFarAway;
}

const char* reasonOf(nlopt_result result) {
  switch (result) {
    case NLOPT_MAXEVAL_REACHED:
      return "it took as many runs as it may (--runs)";
    case NLOPT_FORCED_STOP:
      return "it was stopped";
    case NLOPT_INVALID_ARGS:
      return "NLopt refuses the task";
    case NLOPT_OUT_OF_MEMORY:
      return "not enough memory";
    case NLOPT_FAILURE:
      return "NLopt has failed";
    default:
      return "steps have become too short to matter";
  }
}
#endif

}  // namespace

std::vector<std::string> nloptMethods() {
  std::vector<std::string> words;
  for (const NloptMethod& m : kMethods) words.emplace_back(m.word);
  return words;
}

bool nloptNeedsBounds(const std::string& method) {
  const NloptMethod* m = methodOf(method);
  return m && m->isGlobal;
}

NloptResult searchByNlopt(
    const std::string& method, const Eigen::VectorXd& start, const SqpOptions& options,
    Eigen::Index constraints, long mostRuns, unsigned long seed,
    const std::function<std::optional<SmoothValues>(const Eigen::VectorXd& x)>& values) {
  const NloptMethod& m = *methodOf(method);
  const char* algorithm = constraints > 0 ? m.constrained : m.algorithm;
  if (!algorithm)
    throw AnalysisError("the method '" + method +
                        "' knows no constraints; local, global, isres and cobyla do");
#ifdef CARDAN_NLOPT
  static const Library n;
  if (!n.isThere)
    throw AnalysisError("the method '" + method +
                        "' is one of NLopt, and " CARDAN_NLOPT
                        " is not here (Debian's package libnlopt0)");
  nlopt_opt search = n.create(n.algorithm(algorithm), start.size());
  n.seed(seed);
  Asked asked{values, n, search};
  std::vector<AskedConstraint> each;
  for (Eigen::Index i = 0; i < constraints; ++i) each.push_back({&asked, i});
  n.setLow(search, options.low.data());
  n.setHigh(search, options.high.data());
  n.setObjective(search, objective, &asked);
  for (AskedConstraint& c : each)
    (c.number < options.equalities ? n.addEquality : n.addInequality)(search, constraint, &c,
                                                                      kConstraints);
  n.setMostRuns(search, static_cast<int>(std::min(mostRuns, 2000000000L)));
  if (!m.isGlobal) n.setStep(search, kSmallestStep);
  NloptResult found{start, "", false};
  double f = 0;
  const nlopt_result result = n.optimize(search, found.x.data(), &f);
  n.destroy(search);
  found.reason = reasonOf(result);
  found.found = (result > 0 && result != NLOPT_MAXEVAL_REACHED) || result == NLOPT_ROUNDOFF_LIMITED;
  return found;
#else
  (void)start, (void)options, (void)mostRuns, (void)seed, (void)values;
  throw AnalysisError("the method '" + method +
                      "' is one of NLopt, and this program was built without it (Debian's package "
                      "libnlopt-dev)");
#endif
}

}  // namespace cardan
