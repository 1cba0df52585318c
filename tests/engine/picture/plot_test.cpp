// Plots: curves are where their data are, to half a pixel, and stay small.
#include "engine/picture/plot.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "engine/picture/decimation.h"

namespace cardan {
namespace {

struct Pixel {
  double x, y;
};
/// Corners of the first curve of an SVG.
std::vector<Pixel> curveOf(const std::string& svg) {
  const size_t at = svg.find("class=\"curve\"");
  REQUIRE(at != std::string::npos);
  const size_t from = svg.find(" d=\"", at) + 4, to = svg.find('"', from);
  std::string d = svg.substr(from, to - from);
  for (char& c : d) {
    if (c == 'M' || c == 'L') c = ' ';
  }
  std::istringstream in(d);
  std::vector<Pixel> points;
  for (Pixel p{}; in >> p.x >> p.y;) points.push_back(p);
  return points;
}

/// Distance of a pixel from a polygon.
double distance(const std::vector<Pixel>& line, const Pixel& p) {
  double best = 1e300;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const double dx = line[i + 1].x - line[i].x, dy = line[i + 1].y - line[i].y;
    const double square = dx * dx + dy * dy;
    double s = square > 0 ? ((p.x - line[i].x) * dx + (p.y - line[i].y) * dy) / square : 0;
    s = std::min(1.0, std::max(0.0, s));
    best = std::min(best, std::hypot(line[i].x + s * dx - p.x, line[i].y + s * dy - p.y));
  }
  return best;
}

Plot plotOf(const std::vector<double>& x, const std::vector<double>& y) {
  Plot plot;
  PlotPanel panel;
  panel.curves.push_back({.label = "phi <1> & \"2\"", .x = x, .y = y});
  plot.panels.push_back(std::move(panel));
  return plot;
}

}  // namespace

TEST_CASE("decimated: keeps the extremes of every column, in their order") {
  std::vector<double> x, y;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(i * 1e-5);
    y.push_back(std::sin(500.0 * x.back()) + (i == 77777 ? 5 : 0));
  }
  const auto points = decimated(x, y, 0, 1, 500);
  CHECK(points.size() <= 2000);
  double highest = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    highest = std::max(highest, points[i].y);
    if (i > 0) CHECK(points[i].x >= points[i - 1].x);
  }
  CHECK(highest > 4);
}

TEST_CASE("decimated: what is not finite lifts the pen") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto points =
      decimated(std::vector<double>{0, 1, 2, 3}, std::vector<double>{0, nan, nan, 1}, 0, 3, 10);
  REQUIRE(points.size() == 3);
  CHECK(std::isnan(points[1].y));
}

TEST_CASE("formatSvg: every point of the data lies within half a pixel of the curve") {
  std::vector<double> x, y;
  for (int i = 0; i <= 4000; ++i) {
    x.push_back(0.0025 * i);
    y.push_back(std::exp(-0.2 * x.back()) * std::cos(9 * x.back()));
    if (i == 2000) {  // an event: two rows of one time
      x.push_back(x.back());
      y.push_back(y.back() + 0.4);
    }
  }
  const Plot plot = plotOf(x, y);
  const PlotFrame f = plotFrames(plot).front();
  const std::string svg = formatSvg(plot);
  CHECK(svg.find("phi &lt;1&gt; &amp; &quot;2&quot;") != std::string::npos);
  const std::vector<Pixel> line = curveOf(svg);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const Pixel p{f.left + f.width * (x[i] - f.x_low) / (f.x_high - f.x_low),
                  f.top + f.height * (f.y_high - y[i]) / (f.y_high - f.y_low)};
    worst = std::max(worst, distance(line, p));
  }
  CHECK(worst < 0.5);
}

TEST_CASE("formatSvg: half a million rows of four signals are less than 300 kB") {
  std::vector<double> x;
  std::vector<std::vector<double>> ys(4);
  for (int i = 0; i < 500000; ++i) {
    x.push_back(2e-6 * i);
    for (size_t k = 0; k < 4; ++k)
      ys[k].push_back(std::sin(3000 * x.back() + double(k)) * (1 + x.back()));
  }
  Plot plot;
  PlotPanel panel;
  for (size_t k = 0; k < 4; ++k)
    panel.curves.push_back({.label = "y", .x = x, .y = ys[k], .color = k});
  plot.panels.push_back(std::move(panel));
  CHECK(formatSvg(plot).size() < 300'000);
}

TEST_CASE("plotTicks: round numbers inside the range") {
  CHECK(plotTicks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  for (const auto& [low, high] :
       {std::pair{-3.7, 12.1}, std::pair{1e-9, 3e-9}, std::pair{-1e8, 1e9}}) {
    const auto ticks = plotTicks(low, high, 6);
    CHECK(ticks.size() >= 3);
    CHECK(ticks.size() <= 13);
    CHECK(ticks.front() >= low);
    CHECK(ticks.back() <= high * (1 + 1e-9));
  }
}

TEST_CASE("formatBraille: a rising line goes from lower left to upper right") {
  const std::vector<double> x{0, 1}, y{0, 1};
  const std::string text = formatBraille(plotOf(x, y), 40);
  std::istringstream in(text);
  std::string line;
  std::vector<std::string> lines;
  while (std::getline(in, line)) lines.push_back(line);
  REQUIRE(lines.size() == 12);
  CHECK(lines[1].find("\xe2\xa0\x80") != std::string::npos);  // the blank one, at the left
  CHECK(lines[1].substr(lines[1].size() - 3) != "\xe2\xa0\x80");
  CHECK(lines[10].substr(11, 3) != "\xe2\xa0\x80");
}

TEST_CASE("formatBraille: the line above the curves names them, once, with their unit") {
  const std::vector<double> x{0, 1}, y{0, 1};
  const auto head = [&](const std::vector<std::string>& names, const std::string& yLabel) {
    Plot plot;
    plot.panels.emplace_back();
    plot.panels[0].yLabel = yLabel;
    for (const std::string& n : names)
      plot.panels[0].curves.push_back({.label = n, .x = x, .y = y});
    const std::string text = formatBraille(plot, 40);
    return text.substr(0, text.find('\n'));
  };
  CHECK(head({"j.phi"}, "j.phi [rad]") == "j.phi [rad]");
  CHECK(head({"mean"}, "mean") == "mean");
  CHECK(head({"mean"}, "") == "mean");
  CHECK(head({"a.phi", "b.phi"}, "angle [rad]") == "a.phi, b.phi - angle [rad]");
  CHECK(head({"phi"}, "phi_b [rad]") == "phi - phi_b [rad]");
}

}  // namespace cardan
