#include "tests/random/mechanism_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "tests/random/agreement.h"
#include "tests/random/bounded_run.h"
#include "tests/random/row_judges.h"

namespace cardan::random {
namespace {

using End = BoundedRun::End;

/// Within this times its tolerance a run agrees with a tighter one, and no third one is asked.
constexpr double kAgrees = 1000;

bool within(const Mechanism& m, const BoundedRun& run, const BoundedRun& tighter) {
  const std::vector<double> d = deviation(m, run, tighter);
  return d.empty() || d.back() <= kAgrees * run.settings.tolerance;
}

/// How the runs ended, where not all of them reached the end.
void describeEnds(const std::vector<const BoundedRun*>& runs, Outcome& o) {
  for (const BoundedRun* r : runs) {
    if (r->end == End::completed) continue;
    const bool all = std::all_of(runs.begin(), runs.end(),
                                 [&](const BoundedRun* x) { return x->end == r->end; });
    const std::string only = all ? "" : fmt::format(" (at {:g})", r->settings.tolerance);
    if (r->end == End::otherError) {
      o.what = Outcome::Class::broken;
      o.kind = kindOfMessage(r->message);
      o.detail = r->message;
      return;
    }
    if (o.what != Outcome::Class::completed) continue;
    if (r->end == End::unfinished) {
      o.what = Outcome::Class::unfinished;
      o.kind = "limit of computing time" + only;
      o.detail = fmt::format("reached {} s in {} steps at {:g}", r->reached(),
                             r->report.integrator.steps, r->settings.tolerance);
    } else {
      o.what = Outcome::Class::stopped;
      o.kind =
          (r->end == End::modelError ? "at the start: " : "") + kindOfMessage(r->message) + only;
      o.detail = r->message;
    }
  }
}

}  // namespace

Outcome runMechanism(const Mechanism& m, double cpuSeconds) {
  const std::clock_t begun = std::clock();
  Outcome o;
  o.seed = m.seed;
  // Two tolerances as they come, and a third sequence of steps that a longest step dictates.
  const BoundedRun loose = runBounded(m.text, {1e-6, 0, cpuSeconds, 0});
  const BoundedRun tight = runBounded(m.text, {1e-8, 0, cpuSeconds, 0});
  const BoundedRun short_ = runBounded(m.text, {1e-7, m.stop / 317, cpuSeconds, 0});
  std::vector<const BoundedRun*> runs{&loose, &short_, &tight};
  describeEnds(runs, o);
  for (const BoundedRun* r : runs) o.steps += r->report.integrator.steps;

  for (const BoundedRun* r : runs) {
    if (o.what == Outcome::Class::broken) break;
    if (const auto v = judgeRows(m, *r)) {
      o.what = Outcome::Class::violation;
      o.kind = v->kind;
      o.detail = v->detail;
      break;
    }
  }
  if (o.good() && (!within(m, loose, tight) || !within(m, short_, tight))) {
    const BoundedRun exact = runBounded(m.text, {1e-10, m.stop / 1013, 4 * cpuSeconds, 0});
    o.steps += exact.report.integrator.steps;
    AgreementVerdict verdict = judgeAgreement(m, runs, exact);
    if (!verdict.agree) {
      // Whether errors have only grown large is seen from closer by.
      const BoundedRun finer = runBounded(m.text, {1e-9, 0, 4 * cpuSeconds, 0});
      const BoundedRun exacter = runBounded(m.text, {1e-11, m.stop / 1013, 8 * cpuSeconds, 0});
      o.steps += finer.report.integrator.steps + exacter.report.integrator.steps;
      if (finer.end == End::completed && exacter.end == End::completed) {
        runs.push_back(&finer);
        verdict = judgeAgreement(m, runs, exacter);
      }
    }
    if (!verdict.agree) {
      o.what = Outcome::Class::disagreement;
      o.kind = verdict.kind;
      o.detail = verdict.detail;
    } else if (verdict.sensitive && o.what == Outcome::Class::completed) {
      o.what = Outcome::Class::sensitive;
    }
  }
  o.seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  return o;
}

}  // namespace cardan::random
