// random-mechanisms: many random cases, each in a process of its own, and the table of outcomes.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "apps/cardan/process_pool.h"
#include "tests/random/event_case.h"
#include "tests/random/mechanism_case.h"

namespace {

using namespace cardan::random;

struct Arguments {
  std::string kind = "mechanisms";
  std::uint64_t seed = 1;
  std::size_t count = 1000;
  long jobs = 1;
  std::optional<std::uint64_t> only;
  std::string keep;
  double cpuSeconds = 5, timeLimit = 600;
};

struct Kind {
  std::string (*text)(std::uint64_t seed);
  Outcome (*run)(std::uint64_t seed, double cpuSeconds);
};

Kind kindOf(const std::string& name) {
  if (name == "events") {
    return {[](std::uint64_t seed) { return eventCase(seed).text; },
            [](std::uint64_t seed, double cpuSeconds) {
              return runEventCase(eventCase(seed), cpuSeconds);
            }};
  }
  return {[](std::uint64_t seed) { return randomMechanism(seed).text; },
          [](std::uint64_t seed, double cpuSeconds) {
            return runMechanism(randomMechanism(seed), cpuSeconds);
          }};
}

/// A case whose process did not come back with an outcome.
Outcome lost(std::uint64_t seed, const std::string& failure) {
  Outcome o;
  o.seed = seed;
  o.what =
      failure.find("crash") != std::string::npos ? Outcome::Class::crash : Outcome::Class::hang;
  o.kind = failure;
  return o;
}

void keep(const Arguments& a, const Outcome& o, const std::string& text) {
  if (a.keep.empty() || o.good()) return;
  std::filesystem::create_directories(a.keep);
  std::ofstream(fmt::format("{}/{}_{}.yaml", a.keep, a.kind, o.seed))
      << fmt::format("# {}: {}\n# {}\n", word(o.what), o.kind,
                     o.detail.substr(0, o.detail.find('\n')))
      << text;
}

int runAll(const Arguments& a) {
  const Kind kind = kindOf(a.kind);
  if (a.only) {
    fmt::print("{}\n", kind.text(*a.only));
    const Outcome o = kind.run(*a.only, a.cpuSeconds);
    fmt::print("# {}: {}\n# {}\n# {} steps, {:.2f} s\n", word(o.what), o.kind, o.detail, o.steps,
               o.seconds);
    keep(a, o, kind.text(*a.only));
    return o.good() ? 0 : 1;
  }
  OutcomeTable table;
  const auto begun = std::chrono::steady_clock::now();
  const cardan::ProcessPool pool{a.jobs, a.timeLimit};
  pool.run(
      cardan::ProcessPool::upTo(static_cast<long>(a.count)),
      [&](long i) { return serialised(kind.run(a.seed + i, a.cpuSeconds)); },
      [&](long i, const std::string& output, const std::string& failure) {
        const Outcome o = failure.empty() ? outcomeOf(output) : lost(a.seed + i, failure);
        table.add(o);
        if (!o.good()) {
          fmt::print("seed {}: {}: {}: {}\n", o.seed, word(o.what), o.kind, o.detail);
          std::fflush(stdout);
          keep(a, o, kind.text(o.seed));
        }
      },
      [] { return false; });
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  fmt::print("\n{} from seed {}, {:.0f} s\n{}", a.kind, a.seed, seconds, table.format());
  return table.bad() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Runs random models, each at several tolerances and step sequences, and judges them.",
      "random-mechanisms");
  Arguments a;
  app.add_option("--kind", a.kind, "mechanisms or events")
      ->check(CLI::IsMember({"mechanisms", "events"}));
  app.add_option("--count", a.count, "number of cases")->check(CLI::NonNegativeNumber);
  app.add_option("--seed", a.seed, "seed of the first case; the others follow one by one");
  app.add_option("--jobs", a.jobs, "processes at a time")->check(CLI::Range(1, 1000));
  app.add_option("--only", a.only,
                 "print the model of this seed, run it here and say what became of it");
  app.add_option("--keep", a.keep, "folder for the models of bad outcomes");
  app.add_option("--cpu-seconds", a.cpuSeconds, "limit of each run, processor time");
  app.add_option("--time-limit", a.timeLimit, "after which a process is ended, s");
  app.footer("Exit codes: 0 no bad outcome, 1 some, 2 the command line is wrong.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  return runAll(a);
}
