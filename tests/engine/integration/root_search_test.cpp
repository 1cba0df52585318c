// RootSearch on functions of time alone: what is found, where, and what is no event.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <vector>

#include "engine/integration/root_search.h"

using namespace cardan;

namespace {

using Functions = std::vector<std::function<double(double)>>;

struct Found {
  double t;
  std::vector<int> signs;
};

/// Walks over [0, stop] in steps of h; all events on the way, and how often functions were
/// evaluated.
struct Walk {
  std::vector<Found> events;
  int evaluations = 0;

  Walk(const Functions& functions, double stop, double h, double together = 0,
       const std::function<bool(double)>& fits = nullptr) {
    RootSearch search(static_cast<int>(functions.size()));
    const auto evaluate = [&](RootSearch::Sample& s) {
      ++evaluations;
      s.g.clear();
      s.slope.clear();
      for (const auto& f : functions) {
        s.g.push_back(f(s.t));
        s.slope.push_back((f(s.t + 1e-6) - f(s.t - 1e-6)) / 2e-6);
      }
      s.consistent = !fits || fits(s.t);
      return true;
    };
    RootSearch::Sample at;
    evaluate(at);
    search.begin(at);
    for (int i = 1; i * h <= stop; ++i) {
      RootSearch::Sample end;
      end.t = i * h;
      evaluate(end);
      search.newStep();
      // After an event the rest of the step.
      while (const auto t = search.advance(end, 1e-13, together, evaluate)) {
        events.push_back({*t, {search.found().begin(), search.found().end()}});
        if (!end.consistent || *t >= end.t) break;
      }
    }
  }
};

}  // namespace

TEST_CASE("RootSearch: crossings are located to the resolution, on their far side") {
  const auto g = [](double t) { return std::cos(t); };
  const Walk walk({g}, 10, 0.3);
  REQUIRE(walk.events.size() == 3);
  for (size_t i = 0; i < 3; ++i) {
    const double exact = std::numbers::pi * (static_cast<double>(i) + 0.5);
    CHECK(walk.events[i].t >= exact);
    CHECK(walk.events[i].t - exact < 3e-13);
    CHECK(walk.events[i].signs[0] == (i % 2 == 0 ? -1 : 1));
  }
  // A secant method: a handful of evaluations for an event, one for a step.
  CHECK(walk.evaluations < 34 + 3 * 12);
}

TEST_CASE("RootSearch: two crossings within one step are both found, however close") {
  for (const double depth : {1e-1, 1e-3, 1e-5, 1e-7}) {
    CAPTURE(depth);
    const double half = std::sqrt(depth);
    for (const double centre : {1.05, 1.27, 1.5, 1.71, 1.93}) {
      CAPTURE(centre);
      const Walk walk({[&](double t) { return (t - centre) * (t - centre) - depth; }}, 3, 1.0);
      REQUIRE(walk.events.size() == 2);
      CHECK(std::abs(walk.events[0].t - (centre - half)) < 1e-12 / half);
      CHECK(std::abs(walk.events[1].t - (centre + half)) < 1e-12 / half);
    }
  }
}

TEST_CASE(
    "RootSearch: what turns back is found before, behind and within what others do in the step") {
  for (const double other : {2.3, 2.99, 3.0, 3.01, 3.7, 3.9}) {
    CAPTURE(other);
    const auto narrow = [](double t) { return (t - 3) * (t - 3) - 1e-6; };
    const auto wide = [&](double t) { return std::abs(t - other) - 0.2; };
    const auto once = [&](double t) { return other + 0.1 - t; };
    const Walk walk({narrow, [&](double t) { return wide(t) * (wide(t) + 0.4); }, once}, 5, 5.0);
    int changes = 0;
    for (const Found& e : walk.events) {
      for (const int sign : e.signs) changes += sign != 0;
    }
    CHECK(changes == 5);
  }
}

TEST_CASE("RootSearch: a curve that dips a little below zero is followed to its lowest point") {
  for (const double depth : {1e-3, 1e-5, 1e-7}) {
    for (const double shift : {0.0, 0.11, 0.37}) {
      CAPTURE(depth);
      CAPTURE(shift);
      const Walk walk({[&](double t) { return 1 - depth + std::sin(2 * t + shift); }}, 9, 1.5);
      CHECK(walk.events.size() == 6);
    }
  }
}

TEST_CASE("RootSearch: a short flight at the beginning of a long step is seen") {
  for (const double length : {1e-2, 1e-4, 1e-6}) {
    CAPTURE(length);
    const Walk walk({[&](double t) { return (t + 1e-3 * length) * (length - t); }}, 1, 1.0);
    REQUIRE(walk.events.size() == 1);
    CHECK(walk.events[0].t == doctest::Approx(length).epsilon(1e-6));
    const Walk back({[&](double t) { return (t - 1e-3 * length) * (length - t); }}, 1, 1.0);
    CHECK(back.events.size() == 2);
  }
}

TEST_CASE("RootSearch: of what swings many times in a step every change is found") {
  for (const double frequency : {1.0, 10.0, 37.0}) {
    for (const double level : {0.0, 0.5, -0.7, 0.99}) {
      CAPTURE(frequency);
      CAPTURE(level);
      const double last = 2 * std::numbers::pi * std::floor(10 * frequency / 6.3) / frequency;
      const Walk walk({[&](double t) { return std::sin(frequency * t + 0.3) - level; }}, last,
                      last / 5);
      CHECK(std::ssize(walk.events) == 2 * std::lround(last * frequency / (2 * std::numbers::pi)));
    }
  }
}

TEST_CASE("RootSearch: a distance that is passed is seen wherever other functions are looked at") {
  // At 0.382 of the way its cubic may have the value and nearly the slope of the side before the bend.
  for (double place = 0.05; place < 0.95; place += 0.005) {
    CAPTURE(place);
    const auto distance = [&](double t) { return std::abs(t - place) - 0.02; };
    const auto falling = [](double t) { return 1 - 0.9 * t; };
    const Walk walk({falling, distance}, 1, 1);
    REQUIRE(walk.events.size() == 2);
    CHECK(std::abs(walk.events[0].t - (place - 0.02)) < 1e-12);
    CHECK(std::abs(walk.events[1].t - (place + 0.02)) < 1e-12);
  }
}

TEST_CASE("RootSearch: a function that turns just above zero is no event") {
  const Walk walk({[](double t) { return (t - 1.4) * (t - 1.4) + 1e-9; }}, 3, 1.0);
  CHECK(walk.events.empty());
}

TEST_CASE("RootSearch: of several functions the earliest counts, then the others") {
  const Walk walk({[](double t) { return 0.8 - t; }, [](double t) { return t - 0.3; },
                   [](double t) { return std::sin(20 * t) + 2; }},
                  1, 1.0);
  REQUIRE(walk.events.size() == 2);
  CHECK(walk.events[0].t == doctest::Approx(0.3).epsilon(1e-12));
  CHECK(walk.events[0].signs == std::vector<int>{0, 1, 0});
  CHECK(walk.events[1].t == doctest::Approx(0.8).epsilon(1e-12));
  CHECK(walk.events[1].signs == std::vector<int>{-1, 0, 0});
}

TEST_CASE("RootSearch: changes within the accuracy of time are one event") {
  const Functions twins{[](double t) { return t - 0.3; }, [](double t) { return 0.3 + 1e-12 - t; }};
  const Walk together(twins, 1, 1.0, 1e-10);
  REQUIRE(together.events.size() == 1);
  CHECK(together.events[0].signs == std::vector<int>{1, -1});
  CHECK(Walk(twins, 1, 1.0).events.size() == 2);
}

TEST_CASE("RootSearch: a function that starts at zero gets its side from the first clear value") {
  CHECK(Walk({[](double t) { return t; }}, 2, 0.1).events.empty());
  CHECK(Walk({[](double t) { return -t * t; }}, 2, 0.1).events.empty());
  const Walk walk({[](double t) { return t * (t - 1.25); }}, 2, 0.1);
  REQUIRE(walk.events.size() == 1);
  CHECK(walk.events[0].t == doctest::Approx(1.25).epsilon(1e-12));
}

TEST_CASE("RootSearch: modes that change at the end of a step itself are found there at once") {
  const Walk walk({[](double) { return 1; }}, 0.5, 0.5, 0, [](double t) { return t < 0.5; });
  REQUIRE(walk.events.size() == 1);
  CHECK(walk.events[0].t == 0.5);
  CHECK(walk.evaluations <= 5);  // both ends, the middle, just before the end
}

TEST_CASE(
    "RootSearch: what rounding has put below zero at a start rises silently, and comes back") {
  for (const bool modesFollow : {false, true}) {
    CAPTURE(modesFollow);
    bool haveFollowed = false;
    const auto evaluate = [&](RootSearch::Sample& s) {
      s.g = {s.t * (0.3 - s.t) - 1e-17};
      s.slope = {0.3 - 2 * s.t};
      s.consistent = !modesFollow || haveFollowed || !(s.g[0] > 0);
      return true;
    };
    RootSearch search(1);
    search.begin({0, {1}});  // its size is known
    RootSearch::Sample at, end;
    end.t = 1;
    evaluate(at);
    evaluate(end);
    search.begin(at);
    if (modesFollow) {
      const std::optional<double> rise = search.advance(end, 1e-13, 0, evaluate);
      REQUIRE(rise.has_value());
      CHECK(*rise < 1e-12);
      haveFollowed = true;
      at.t = *rise;
      evaluate(at);
      search.begin(at);
    }
    const std::optional<double> fall = search.advance(end, 1e-13, 0, evaluate);
    REQUIRE(fall.has_value());
    CHECK(*fall == doctest::Approx(0.3).epsilon(1e-12));
    CHECK(search.found()[0] == -1);
    CHECK(!search.advance(end, 1e-13, 0, evaluate));
  }
}

TEST_CASE("RootSearch: a hop of any length right behind a start ends where it does") {
  // Surfaces strike that are closed to 1e-9 and approach by more than 1e-7; the way goes up again later.
  for (const double largest : {0.5, 5.0}) {
    for (const double start : {-4e-14, -3e-15, 0.0, 3e-15}) {
      for (double hop = 1e-9; hop < 0.05; hop *= 3) {
        CAPTURE(largest);
        CAPTURE(start);
        CAPTURE(hop);
        const auto evaluate = [&](RootSearch::Sample& s) {
          s.g = {start + 5 * s.t * (hop - s.t) + 20 * s.t * s.t * s.t};
          s.slope = {5 * hop - 10 * s.t + 60 * s.t * s.t};
          s.consistent = !(s.g[0] < 1e-9 && s.slope[0] < -1e-7);
          return true;
        };
        RootSearch search(1);
        search.begin({0, {largest}});  // its size is known
        RootSearch::Sample at, end;
        end.t = 1;
        evaluate(at);
        evaluate(end);
        search.begin(at);
        std::optional<double> struck;
        do {
          struck = search.advance(end, 1e-13, 0, evaluate);
          REQUIRE(struck.has_value());
          at.t = *struck;
          evaluate(at);
        } while (at.consistent && !(at.slope[0] < 0));  // its rise changes nothing
        CHECK(at.g[0] > -1e-9);
      }
    }
  }
}

TEST_CASE("RootSearch: modes that do not fit are an event although no function tells of it") {
  // Zero at the start, and wrong from then on: the switch is due at once.
  const Walk walk({[](double t) { return -t; }}, 0.1, 0.1, 0, [](double t) { return t <= 0; });
  REQUIRE(walk.events.size() == 1);
  CHECK(walk.events[0].t < 1e-12);
  CHECK(walk.events[0].signs == std::vector<int>{0});
}

TEST_CASE("RootSearch: rounding around zero is no crossing") {
  const Walk walk({[](double t) { return t < 0.5 ? 1 - 2 * t : 1e-16 * std::sin(1e3 * t); }}, 2,
                  0.1);
  CHECK(walk.events.size() <= 1);
}

TEST_CASE("RootSearch: constants and far functions cost no evaluation inside the steps") {
  const Walk walk({[](double) { return 1.0; }, [](double t) { return 5 + std::sin(t); }}, 10, 0.1);
  CHECK(walk.events.empty());
  CHECK(walk.evaluations <= 101 + 1);
}
