// Results files and tubes: each rule on curves whose deviation is known in closed form.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/results/result_table.h"
#include "engine/results/tube.h"
#include "tests/folder.h"

using namespace cardan;

namespace {

using Verdict = SignalComparison::Verdict;

constexpr double kEps = 1e-12;  // a handful of roundings of numbers near 1

ResultTable read(const std::string& text) {
  const test::Folder folder;
  return ResultTable::read(folder.write("result.csv", text));
}

/// What reading says, with FILE for the path.
std::string errorOf(const std::string& text) {
  const test::Folder folder;
  try {
    ResultTable::read(folder.write("FILE", text));
  } catch (const ResultFileError& e) {
    CHECK(std::string_view(e.what()).starts_with(folder / "FILE"));
    return folder.shortened(e.what());
  }
  return "no error";
}

using Function = std::function<double(double)>;

/// f at n + 1 points of [0, 1].
ResultTable sampled(int n, const Function& f, const std::string& name = "x") {
  ResultTable t;
  for (int i = 0; i <= n; ++i) t.time.push_back(static_cast<double>(i) / n);
  std::vector<double>& values = t.add(name);
  for (const double time : t.time) values.push_back(f(time));
  return t;
}

SignalComparison compare(const ResultTable& result, const ResultTable& reference,
                         const TubeOptions& options = {}) {
  return compareResults(result, reference, {"x"}, options).signals.front();
}

double ramp(double t) { return t; }

}  // namespace

TEST_CASE("ResultTable: every tool's way of writing gives the same table") {
  const std::vector<std::string> texts{
      "\"time\",\"a.x\",\"b[1]\",\"M[1,2]\"\n0,1,2.5,3\n0.5,-1,2,1e-3\n",
      "time,a.x,b[1],M[1,2]\r\n0,1,2.5,3\r\n0.5,-1,2,1e-3\r\n",
      "\xef\xbb\xbf\"time\",\"a.x\",\"b[1]\",\"M[1,2]\"\n0,1,2.5,3\n\n0.5,-1,2,1e-3",
      "time;a.x;b[1];M[1,2]\n0;1;2.5;3\n0.5;-1;2;1e-3\n",
      "time;a.x;b[1];M[1,2]\n0;1;2,5;3\n0,5;-1;2;1e-3\n",
      "time\ta.x\tb[1]\tM[1,2]\n0\t1\t2.5\t3\n0.5\t-1\t2\t1e-3\n",
      "\"Time\", \"a.x\", \"b[1]\", \"M[1, 2]\"\n0, 1, 2.5, 3\n 0.5, -1, +2.0, 1.0E-03\n",
      "\"time\",\"'a'.x\",\"b[1]\",\"M[1,2]\",\n0,1,2.5,3,\n0.5,-1,2,0.001,\n",
      "\"time\",\"a.x\",\"b[1]\",\"M[1,2]\",\"a.x\"\n0,true,2.5,3,7\n0.5,-1,2,1e-3,7\n",
  };
  for (const std::string& text : texts) {
    CAPTURE(text);
    const ResultTable t = read(text);
    CHECK(t.time == std::vector<double>{0, 0.5});
    REQUIRE(t.find("a.x"));
    REQUIRE(t.find("b[1]"));
    REQUIRE(t.find("M[1, 2]"));
    CHECK(*t.find("a.x") == std::vector<double>{1, -1});
    CHECK(*t.find("b[1]") == std::vector<double>{2.5, 2});
    CHECK(*t.find("M[1,2]") == std::vector<double>{3, 1e-3});
    CHECK(t.find("time") == nullptr);
    CHECK(t.find("c") == nullptr);
  }
}

TEST_CASE("ResultTable: two rows of one time are kept, and Boolean words are numbers") {
  const ResultTable t = read("time,on\n0,false\n1,False\n1,true\n2,True\n");
  CHECK(t.time == std::vector<double>{0, 1, 1, 2});
  CHECK(*t.find("on") == std::vector<double>{0, 0, 1, 1});
}

TEST_CASE("ResultTable: a time in another unit is converted, what is no time is not") {
  CHECK(read("time [ms],a [mm]\n0,1\n500,2\n").time == std::vector<double>{0, 0.5});
  CHECK(read("\"t[min]\",a\n0,1\n2,2\n").time == std::vector<double>{0, 120});
  CHECK(read("time[s],a\n0,1\n2,2\n").time == std::vector<double>{0, 2});
  CHECK(read("angle [deg],a\n0,1\n2,2\n").time == std::vector<double>{0, 2});
}

TEST_CASE("ResultTable: infinite and undefined values are values") {
  const ResultTable t = read("time,x\n0,nan\n1,inf\n2,-1e999\n3,1e-999\n");
  const std::vector<double>& x = *t.find("x");
  CHECK(std::isnan(x[0]));
  CHECK(x[1] == std::numeric_limits<double>::infinity());
  CHECK(x[2] == -std::numeric_limits<double>::infinity());
  CHECK(x[3] == 0);
}

TEST_CASE("ResultTable: only wanted columns have to be numbers") {
  const test::Folder folder;
  const std::string file = folder.write("result.csv", "time,name,x\n0,left,1\n");
  const auto wanted = [](std::string_view name) { return name == "x"; };
  CHECK(*ResultTable::read(file, wanted).find("x") == std::vector<double>{1});
}

TEST_CASE("ResultTable: what is no result is refused, with the line") {
  CHECK(errorOf("") == "FILE: error: the file is empty");
  CHECK(errorOf("\n\n") == "FILE: error: the file is empty");
  CHECK(errorOf("\"time\",\"x\"\n") == "FILE: error: the file has a header but no rows");
  CHECK(errorOf("model: Pendulum\ncomponents:\n") ==
        "FILE:1: error: a CSV file of results must have a time and further columns, found "
        "'model: Pendulum'");
  CHECK(errorOf("0,1\n1,2\n") ==
        "FILE:1: error: a CSV file of results must begin with a line of names, found '0,1'");
  CHECK(errorOf(std::string("PK\0\0,", 5)) ==
        "FILE:1: error: the file must be a CSV file, found bytes that are no text");
  CHECK(errorOf("time,x\n0,1\n1\n") ==
        "FILE:3: error: a row must have 2 fields as the header has, found 1");
  CHECK(errorOf("time,x\n0,1\n1,2,3\n") ==
        "FILE:3: error: a row must have 2 fields as the header has, found 3");
  CHECK(errorOf("time,x\n0,1\n1,two\n") == "FILE:3: error: 'x' must be a number, found 'two'");
  CHECK(errorOf("time,x\n0,1\n1,\n") == "FILE:3: error: 'x' must be a number, found ''");
  CHECK(errorOf("time,x\n0,1\nnan,2\n") == "FILE:3: error: the time must be finite");
  CHECK(errorOf("time,x\n0,1\n2,1\n1.5,2\n") ==
        "FILE:4: error: the time must not fall, found '1.5' after a later one");
  CHECK_THROWS_AS(ResultTable::read("/no/such/file.csv"), ResultFileError);
}

TEST_CASE("tube: equal curves deviate by nothing, on whatever grids of a straight line") {
  for (const int n : {23, 50, 100, 1000}) {
    const SignalComparison s = compare(sampled(n, ramp), sampled(100, ramp));
    CHECK(s.passes());
    CHECK(s.deviation == 0);
    CHECK(s.pointwise < kEps);
    CHECK_FALSE(s.exitTime);
  }
}

TEST_CASE(
    "tube: a constant offset deviates by offset/range, less what the slope covers in the width") {
  const double offset = 0.003;
  TubeOptions options;
  for (const double slope : {1.0, -2.0, 10.0}) {
    const Function f = [&](double t) { return slope * t; };
    const Function g = [&](double t) { return slope * t + offset; };
    const SignalComparison s = compare(sampled(1000, g), sampled(100, f), options);
    const double range = std::abs(slope);
    CHECK(s.range == doctest::Approx(range));
    CHECK(s.pointwise == doctest::Approx(offset / range));
    // Inside the run the window reaches a width further up or down the line; at the end it does
    // not.
    CHECK(s.deviation <= s.pointwise);
    CHECK(s.deviation >= offset / range - options.width - kEps);
    CHECK(s.passes() == (s.deviation <= options.height));
  }
}

TEST_CASE("tube: a shift in time up to the width is no deviation, further on by the slope") {
  TubeOptions options;
  options.width = 0.01;
  options.height = 1e-3;
  for (const double shift : {0.005, 0.0099, 0.0105, 0.02}) {
    CAPTURE(shift);
    const Function late = [&](double t) { return std::max(0.0, t - 0.2 - shift); };
    const Function f = [](double t) { return std::max(0.0, t - 0.2); };
    ResultTable result = sampled(10000, late);
    const SignalComparison s = compare(result, sampled(100, f), options);
    CHECK(s.range == doctest::Approx(0.8));
    CHECK(s.pointwise == doctest::Approx(shift / 0.8));
    // At the end of the run the window holds nothing later: the whole shift counts there.
    CHECK(s.deviation == doctest::Approx(shift / 0.8));
    options.until = 0.9;
    const SignalComparison inside = compare(result, sampled(100, f), options);
    const double beyond = std::max(0.0, shift - options.width) / 0.7;
    CHECK(inside.deviation == doctest::Approx(beyond).epsilon(1e-9));
    CHECK(inside.passes() == (beyond <= options.height));
    options.until.reset();
  }
}

TEST_CASE("tube: its half height is the tolerance times the range, to the last digit") {
  TubeOptions options;
  options.height = 0.25;
  const Function step = [](double t) { return t < 0.5 ? 0.0 : 0.75; };
  for (const bool over : {false, true}) {
    ResultTable result = sampled(100, step);
    // 0.75 * 0.25 is exact.
    ResultTable moved;
    moved.time = result.time;
    std::vector<double>& x = moved.add("x");
    for (const double v : *result.find("x")) {
      x.push_back(v + (over ? std::nextafter(0.1875, 1) : 0.1875));
    }
    // On the lower level the sum is exact, too.
    CHECK(compare(moved, sampled(100, step), options).passes() == !over);
  }
}

TEST_CASE("tube: clipping shows at the peak") {
  const double pi = std::acos(-1.0);
  const Function f = [&](double t) { return std::sin(2 * pi * t); };
  const Function clipped = [&](double t) { return std::clamp(f(t), -0.9, 0.9); };
  const SignalComparison s = compare(sampled(1000, clipped), sampled(100, f));
  CHECK(s.verdict == Verdict::outside);
  CHECK(s.deviation == doctest::Approx(0.1 / 2));
  REQUIRE(s.worstTime);
  CHECK((*s.worstTime == doctest::Approx(0.25) || *s.worstTime == doctest::Approx(0.75)));
  // It leaves at the first point of the reference above 0.9 plus the height 2e-3 * 2.
  REQUIRE(s.exitTime);
  CHECK(*s.exitTime == doctest::Approx(std::ceil(100 * std::asin(0.904) / (2 * pi)) / 100));
}

TEST_CASE("tube: an element that is zero but for round-off is judged beside its vector") {
  ResultTable reference = sampled(
      100, [](double t) { return 100 * t; }, "r[1]");
  std::vector<double>& zero = reference.add("r[2]");
  std::vector<double>& alone = reference.add("q[2]");
  for (const double t : reference.time) {
    zero.push_back(1e-4 * std::sin(50 * t));
    alone.push_back(1e-4 * std::sin(50 * t));
  }
  ResultTable result = sampled(
      100, [](double t) { return 100 * t; }, "r[1]");
  result.add("r[2]") = std::vector<double>(result.time.size(), 0.0);
  result.add("q[2]") = std::vector<double>(result.time.size(), 0.0);
  const Comparison c = compareResults(result, reference, {"r[1]", "r[2]", "q[2]"});
  CHECK(c.signals[1].scale == doctest::Approx(1.0));  // a hundredth of 100
  CHECK(c.signals[1].passes());
  CHECK(c.signals[2].verdict == Verdict::outside);
  CHECK_FALSE(c.passes());
  // The other elements need not be compared to count.
  CHECK(compareResults(result, reference, {"r[2]"}).passes());
}

TEST_CASE("tube: the half height is never below the floor") {
  const Function noise = [](double t) { return 9e-8 * std::sin(300 * t); };
  const Function zero = [](double) { return 0.0; };
  CHECK(compare(sampled(100, noise), sampled(100, zero)).passes());
  TubeOptions options;
  options.floor = 1e-9;
  CHECK_FALSE(compare(sampled(100, noise), sampled(100, zero), options).passes());
}

TEST_CASE("tube: a discrete signal may switch ten widths early or late, no more") {
  TubeOptions options;
  options.width = 1e-3;
  auto switches = [](double at) { return [at](double t) { return t < at ? 0.0 : 1.0; }; };
  const ResultTable reference = sampled(1000, switches(0.5));
  for (const double at : {0.4925, 0.5, 0.5085}) {
    const SignalComparison s = compare(sampled(10000, switches(at)), reference, options);
    CHECK(s.discrete);
    CHECK(s.passes());
  }
  CHECK_FALSE(compare(sampled(10000, switches(0.4875)), reference, options).passes());
  CHECK_FALSE(compare(sampled(10000, switches(0.5125)), reference, options).passes());
  // The same jump of a Real signal: one width.
  auto real = [](double at) { return [at](double t) { return t < at ? 0.0 : 1.5; }; };
  const SignalComparison s =
      compare(sampled(10000, real(0.5085)), sampled(1000, real(0.5)), options);
  CHECK_FALSE(s.discrete);
  CHECK_FALSE(s.passes());
  // Thirteen whole values are no longer discrete, one is not either.
  CHECK(compare(reference, sampled(11, [](double t) { return std::round(11 * t); })).discrete);
  CHECK_FALSE(
      compare(reference, sampled(12, [](double t) { return std::round(12 * t); })).discrete);
  CHECK_FALSE(compare(reference, sampled(12, [](double) { return 3.0; })).discrete);
}

TEST_CASE("tube: at an event every value between the two rows is inside") {
  ResultTable result;
  result.time = {0, 0.5, 0.5, 1};
  result.add("x") = {0, 0, 2.5, 2.5};
  for (const double between : {0.0, 1.3, 2.5}) {
    ResultTable reference;
    reference.time = {0, 0.5, 1};
    reference.add("x") = {0, between, 2.5};
    CHECK(compare(result, reference).passes());
    CHECK(compare(result, reference).pointwise == 0);
  }
  ResultTable reference;
  reference.time = {0, 0.5, 1};
  reference.add("x") = {0, 2.6, 2.5};
  CHECK_FALSE(compare(result, reference).passes());
}

TEST_CASE("tube: the curve with fewer points is judged, whichever it is") {
  const double pi = std::acos(-1.0);
  const Function f = [&](double t) { return std::sin(2 * pi * t); };
  // Between the 20 points the straight lines cut the arc by up to 1 - cos(pi/20), but only points
  // are judged.
  CHECK(compare(sampled(20, f), sampled(1000, f)).passes());
  CHECK(compare(sampled(1000, f), sampled(20, f)).passes());
  CHECK(compare(sampled(1000, f), sampled(20, f)).pointwise < kEps);
}

TEST_CASE("tube: up to a time only") {
  const Function f = [](double t) { return t; };
  const Function breaks = [](double t) { return t < 0.7 ? t : 0.0; };
  TubeOptions options;
  CHECK_FALSE(compare(sampled(1000, breaks), sampled(100, f), options).passes());
  options.until = 0.6;
  const Comparison c = compareResults(sampled(1000, breaks), sampled(100, f), {"x"}, options);
  CHECK(c.passes());
  CHECK(c.stop == 0.6);
  CHECK(c.signals[0].range == doctest::Approx(0.6));
  options.until = -1;
  CHECK_THROWS_AS(compare(sampled(10, f), sampled(10, f), options), ResultFileError);
}

TEST_CASE("tube: a result that ends early, or begins late, does not pass") {
  auto part = [](double from, double to) {
    ResultTable t;
    for (int i = 0; i <= 1000; ++i) t.time.push_back(from + (to - from) * i / 1000);
    t.add("x") = t.time;
    return t;
  };
  const ResultTable reference = sampled(100, ramp);
  CHECK(compareResults(part(0, 0.9995), reference, {"x"}).passes());  // within a thousandth
  const Comparison early = compareResults(part(0, 0.998), reference, {"x"});
  CHECK_FALSE(early.covers);
  CHECK_FALSE(early.passes());
  CHECK(early.usable());
  CHECK_FALSE(compareResults(part(0.01, 1), reference, {"x"}).covers);
  CHECK_FALSE(compareResults(part(0, 0.5), reference, {"x"}).passes());
  const Comparison constant = compareResults(sampled(20, [](double) { return 1.0; }),
                                             sampled(40, [](double) { return 1.0; }), {"x"});
  CHECK(constant.passes());
}

TEST_CASE("tube: a result without rows where the reference has some shows too little") {
  const Function f = [](double t) { return std::sin(6 * t); };
  const ResultTable reference = sampled(100, f);
  auto without = [&](double from, double to, int n, const Function& g) {
    ResultTable t;
    for (int i = 0; i <= n; ++i) {
      const double time = static_cast<double>(i) / n;
      if (time <= from || time >= to) t.time.push_back(time);
    }
    std::vector<double>& x = t.add("x");
    for (const double time : t.time) x.push_back(g(time));
    return t;
  };
  // The ends alone; two fifths missing; a twelfth missing: whatever the signal does.
  for (const auto& [from, to] : {std::pair{0.0, 1.0}, {0.3, 0.7}, {0.5, 0.59}}) {
    CAPTURE(to);
    const SignalComparison s = compare(without(from, to, 100, f), reference);
    CHECK(s.usable());
    CHECK_FALSE(s.passes());
    const Function one = [](double) { return 1.0; };
    const SignalComparison still = compare(without(from, to, 1000, one), sampled(100, one));
    CHECK(still.verdict == Verdict::gap);
    REQUIRE(still.gap);
    CHECK(still.gap->start == doctest::Approx(from));
    CHECK(still.gap->stop == doctest::Approx(to));
    CHECK(still.gap->rows == static_cast<size_t>(std::lround(100 * (to - from)) - 1));
  }
  const Comparison named = compareResults(without(0.3, 0.7, 50, f), reference, {"x"});
  CHECK(named.signals[0].verdict == Verdict::gap);
  CHECK(explain(named.signals[0], named) ==
        "the result has no rows between 0.3 s and 0.7 s, the reference has 39");

  // A short gap counts where the reference moves in it: here a pulse of a thirtieth.
  const Function pulse = [](double t) { return t > 0.505 && t < 0.535 ? 1.0 : t; };
  const Function ramps = [](double t) { return t; };
  CHECK(compare(without(0.5, 0.54, 150, ramps), sampled(200, ramps)).passes());
  const SignalComparison missed = compare(without(0.5, 0.54, 150, ramps), sampled(200, pulse));
  CHECK(missed.verdict == Verdict::gap);
  CHECK(missed.gap->rows == 7);
  // In a denser result the reference's own points show it.
  CHECK(compare(without(0.5, 0.54, 1000, ramps), sampled(200, pulse)).verdict == Verdict::outside);
  // Rows that are as far apart everywhere are no gap, and nor is a reference without rows there.
  CHECK(compare(sampled(25, f), reference).passes());
  CHECK(compare(without(0.3, 0.7, 1000, ramps), without(0.3, 0.7, 100, ramps)).passes());
  // No signal at all is no agreement.
  CHECK_FALSE(compareResults(reference, reference, {}).passes());
}

TEST_CASE(
    "tube: one row of the reference in a gap counts where it leaves the line between the ends") {
  for (const double time : {0.35, 0.5, 0.62}) {
    for (const double height : {1.0, -1.5, 0.0}) {  // also as one of two whole numbers
      ResultTable result, reference;
      result.time = {0, 0.3, 0.7, 1};
      result.add("x").assign(4, 0.0);
      reference.time = {0, 0.3, time, 0.7, 1};
      reference.add("x") = {0, 0, height, 0, 0};
      CHECK(compare(result, reference).verdict == (height != 0 ? Verdict::gap : Verdict::inside));
    }
  }
  // Beside its own row, shifted by less than the width, it is none.
  const ResultTable reference = sampled(20, ramp);
  ResultTable result = reference;
  for (size_t i = 1; i + 1 < result.time.size(); ++i) result.time[i] += i % 2 ? 1e-4 : -1e-4;
  CHECK(compare(result, reference).passes());
}

TEST_CASE(
    "tube: what a denser result does between the reference's rows must be left open by these") {
  const double pi = std::acos(-1.0);
  const Function f = [&](double t) { return std::sin(2 * pi * t); };
  const ResultTable reference = sampled(100, f);
  // Zero at all rows of the reference.
  const auto waving = [&](double size, double from, double to) {
    return sampled(1000, [=](double t) {
      return f(t) + (t > from && t < to ? size * std::sin(2 * pi * 100 * t) : 0);
    });
  };
  CHECK(compare(waving(0, 0, 1), reference).passes());
  CHECK(compare(waving(1e-3, 0, 1), reference).passes());  // within the tube
  const SignalComparison s = compare(waving(3, 0, 1), reference);
  CHECK(s.verdict == Verdict::outside);
  CHECK(*s.exitTime < 0.01);
  CHECK(compare(waving(0.1, 0.3, 0.6), reference).verdict == Verdict::outside);
  CHECK(compare(waving(3, 0, 1), sampled(5, f)).passes());  // too few rows for a curve
  // As short as a gap may be it may be what the rows have missed, as an impact.
  CHECK(compare(waving(3, 0.3, 0.33), reference).passes());
  // Of a reference that is coarse, or jumps, rows leave open what the curve does between them.
  for (const int rows : {8, 10, 13, 50}) {
    for (const int turns : {1, 2, 3}) {
      CAPTURE(rows);
      CAPTURE(turns);
      const Function wave = [&](double t) { return std::sin(2 * pi * turns * t + 0.3); };
      CHECK(compare(sampled(1000, wave), sampled(rows, wave)).passes());
      const Function steps = [&](double t) { return wave(t) > 0.2 ? 1.0 : 0.0; };
      CHECK(compare(sampled(1000, steps), sampled(rows, steps)).passes());
    }
  }
}

TEST_CASE("tube: what cannot be compared is told apart from what differs") {
  const ResultTable reference = sampled(10, ramp);
  ResultTable result = sampled(10, ramp, "y");
  Comparison c = compareResults(result, reference, {"x", "y"});
  CHECK(c.signals[0].verdict == Verdict::missingResult);
  CHECK(c.signals[1].verdict == Verdict::missingReference);
  CHECK_FALSE(c.usable());
  CHECK_FALSE(c.passes());
  CHECK(c.worst() == nullptr);
  CHECK(c.margin() == 0);

  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ResultTable undefined = sampled(10, [&](double t) { return t > 0.45 ? nan : t; });
  c = compareResults(undefined, reference, {"x"});
  CHECK(c.signals[0].verdict == Verdict::notFinite);
  CHECK(*c.signals[0].exitTime == doctest::Approx(0.5));
  CHECK(c.usable());
  c = compareResults(reference, undefined, {"x"});
  CHECK(c.signals[0].verdict == Verdict::badReference);
  CHECK_FALSE(c.usable());
}

TEST_CASE("tube: a reference of one row is a point") {
  ResultTable one;
  one.time = {0};
  one.add("x") = {2};
  CHECK(compare(sampled(10, [](double) { return 2.0; }), one).passes());
  CHECK_FALSE(compare(sampled(10, [](double) { return 2.1; }), one).passes());
}
