#include "apps/bench/measurement.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace cardan::bench {
namespace {

struct Instant {
  double wall, cpu;  ///< [s]
};

/// CPU time of this thread leaves out what others take from a shared machine.
Instant now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(wall).count(),
          static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec)};
}

size_t repeats() {
  const char* s = std::getenv("REPS");
  return s ? std::max(1, std::atoi(s)) : 5;
}

double median(std::vector<double> x) {
  if (x.empty()) return std::nan("");
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

double extreme(const std::vector<double>& x, bool largest) {
  if (x.empty()) return std::nan("");
  return largest ? *std::max_element(x.begin(), x.end()) : *std::min_element(x.begin(), x.end());
}

}  // namespace

std::string Measurement::json() const {
  const std::vector<double> shown(final.begin(),
                                  final.begin() + std::min<std::ptrdiff_t>(8, std::ssize(final)));
  nlohmann::ordered_json j{{"peer", "cardan"},
                           {"case", benchCase},
                           {"n", n},
                           {"stop", stop},
                           {"method", method},
                           {"accuracy_setting", setting},
                           {"wall_s", median(wall)},
                           {"wall_min", extreme(wall, false)},
                           {"wall_max", extreme(wall, true)},
                           {"cpu_s", median(cpu)},
                           {"cpu_min", extreme(cpu, false)},
                           {"repeats", wall.size()},
                           {"steps", steps},
                           {"rhs_evals", residuals},
                           {"final", shown},
                           {"error", error}};  // not a number: null
  for (const auto& [name, value] : extra) j[name] = value;
  if (!note.empty()) j["note"] = note;
  return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void repeat(Measurement& m, const std::function<void()>& run) {
  auto timed = [&] {
    const Instant begun = now();
    run();
    const Instant end = now();
    return Instant{end.wall - begun.wall, end.cpu - begun.cpu};
  };
  const Instant first = timed();
  size_t count = repeats();
  if (first.cpu > 20) count = std::min<size_t>(count, 3);
  if (first.cpu > 60) count = 1;
  if (count > 1 && first.cpu < 1e-2) count = std::max<size_t>(count, 11);
  auto keep = [&](const Instant& t) {
    m.wall.push_back(t.wall);
    m.cpu.push_back(t.cpu);
  };
  if (first.cpu > 2) keep(first);  // else the first run only warms up
  while (m.wall.size() < count) keep(timed());
}

void timeCall(Measurement& m, const std::function<void(int)>& f) {
  int calls = 1, number = 0;
  auto burst = [&] {
    const Instant begun = now();
    for (int i = 0; i < calls; ++i) f(number++);
    const Instant end = now();
    return Instant{end.wall - begun.wall, end.cpu - begun.cpu};
  };
  Instant t = burst();
  for (; t.wall < 4e-3 && calls < (1 << 24); t = burst()) calls *= 2;
  const size_t samples = t.wall > 1 ? 3 : std::max<size_t>(repeats(), 9);
  for (size_t s = 0; s < samples; ++s) {
    t = burst();
    m.wall.push_back(t.wall / calls);
    m.cpu.push_back(t.cpu / calls);
  }
  f(0);
  m.extra.emplace_back("ns_per_eval", 1e9 * median(m.cpu));
}

double sample(int i, int call, double amplitude) {
  static const std::array<double, 1024> table = [] {
    std::array<double, 1024> t{};
    for (size_t k = 0; k < t.size(); ++k) t[k] = std::sin(0.7 * static_cast<double>(k) + 0.3);
    return t;
  }();
  return amplitude * table[(7 * i + call) & 1023];
}

}  // namespace cardan::bench
