// Units of mass, length and time say nothing about a mechanism: it moves alike in all of them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "tests/models/energy.h"

using namespace cardan;

namespace {

/// Powers of the units of mass, length and time.
struct Dimension {
  int mass = 0, length = 0, time = 0;
};

/// The same mechanism with every mass, length and time larger by a factor.
struct Scaling {
  double mass = 1, length = 1, time = 1;
  double of(Dimension d) const {
    return std::pow(mass, d.mass) * std::pow(length, d.length) * std::pow(time, d.time);
  }
};

/// Dimensions of the parameters that the models of this file use, by their names.
const std::map<std::string, Dimension> kParameters{
    {"m", {1, 0, 0}},        {"r", {0, 1, 0}},        {"r_CM", {0, 1, 0}},
    {"r_0", {0, 1, 0}},      {"v_0", {0, 1, -1}},     {"s", {0, 1, 0}},
    {"v", {0, 1, -1}},       {"w", {0, 0, -1}},       {"width", {0, 1, 0}},
    {"diameter", {0, 1, 0}}, {"density", {1, -3, 0}}, {"I_11", {1, 2, 0}},
    {"I_22", {1, 2, 0}},     {"I_33", {1, 2, 0}},     {"rRod1_ia", {0, 1, 0}},
    {"rRod2_ib", {0, 1, 0}}, {"rRod_ia", {0, 1, 0}},  {"foot", {0, 1, 0}},
    {"tip", {0, 1, 0}},      {"c", {1, 0, -2}},       {"s_unstretched", {0, 1, 0}},
    {"s_rel0", {0, 1, 0}},   {"tau", {1, 2, -2}},     {"g", {0, 1, -2}},
    {"stop", {0, 0, 1}},     {"interval", {0, 0, 1}}, {"d", {1, 0, -1}},
    {"hip", {0, 1, 0}},      {"upper", {0, 1, 0}},    {"lower", {0, 1, 0}},
    {"wrist", {0, 1, 0}},    {"half", {0, 1, 0}},     {"kp", {1, 2, -2}},
    {"kd", {1, 2, -1}},      {"a", {0, 1, 0}},        {"der_angles", {0, 0, -1}},
    {"f", {0, 0, -1}}};

const std::map<std::string, Dimension> kUnits{
    {"rad", {}},       {"rad/s", {0, 0, -1}}, {"m", {0, 1, 0}},  {"m/s", {0, 1, -1}},
    {"N", {1, 1, -2}}, {"N.m", {1, 2, -2}},   {"J", {1, 2, -2}}, {"1", {}}};

/// Every number of a parameter with a dimension, in a model without expressions for them.
std::string scaled(const std::string& text, const Scaling& by) {
  static const std::regex pair(
      R"(([A-Za-z_]\w*): (\{start: )?(\[[-+0-9.eE, ]*\]|[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?))");
  static const std::regex number(R"([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)");
  std::string result;
  auto last = text.cbegin();
  for (std::sregex_iterator i(text.begin(), text.end(), pair), end; i != end; ++i) {
    const std::smatch& m = *i;
    result.append(last, m[3].first);
    last = m[3].second;
    const auto known = kParameters.find(m[1]);
    if (known == kParameters.end()) {
      result += m[3];
      continue;
    }
    const std::string values = m[3];
    auto from = values.cbegin();
    for (std::sregex_iterator n(values.begin(), values.end(), number); n != end; ++n) {
      result.append(from, (*n)[0].first);
      from = (*n)[0].second;
      result += fmt::format("{:.17g}", std::stod((*n)[0]) * by.of(known->second));
    }
    result.append(from, values.cend());
  }
  return result.append(last, text.cend());
}

Trajectory runScales(const std::string& text) {
  Simulation s = Simulation::fromText(catalogue(), text, "model.yaml");
  Trajectory result;
  s.run(result);
  return result;
}

/// Numbers in expressions as parameters and lists of numbers, and results that have units.
const std::map<std::string, std::vector<std::pair<std::string, std::string>>> kRewritten{
    {"delta",
     {{"kd: 20}", "kd: 20, f: 1}"},
      {"2*pi*time", "2*pi*f*time"},
      {"outputs: [", "outputs: [platform.r_0, \"arm?.hinge.phi\"] #"}}},
    {"bricard", {{"outputs: [", "outputs: [\"j*.phi\", rod3.frame_b.r_0] #"}}},
    {"governor",
     {{"start: 2*pi", "start: 6.283185307179586"},
      {"parameters: {side: 1}", "parameters: {side: 1, hip: 0.05, upper: 0.5}"},
      {"[0.05*side, 0, 0]", "[hip*side, 0, 0]"},
      {"[\"side*cos(30*deg)\", 0, -0.5]", "[2*upper*side*cos(30*deg), 0, -upper]"},
      {"[\"0.5*side*cos(30*deg)\", 0, -0.25]", "[upper*side*cos(30*deg), 0, -upper/2]"},
      {"outputs: [", "outputs: [guide.s, bearing.w, arm*.hinge.phi] #"}}},
    {"rolling_coin", {{"outputs: [", "outputs: [wheel.x, wheel.y, wheel.angles] #"}}}};

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size(), ++count)
    text.replace(at, from.size(), to);
  REQUIRE_MESSAGE(count > 0, from);
}

/// A shipped model over a shorter time, with a gravity of its own.
std::string shipped(const std::string& name, const std::string& stop) {
  std::ifstream file(std::string(CARDAN_SOURCE_DIR "/models/loops/") + name + ".yaml");
  REQUIRE(file);
  std::stringstream text;
  text << file.rdbuf();
  std::string model = std::regex_replace(text.str(), std::regex("stop: [0-9.]+"), "stop: " + stop);
  if (const auto own = kRewritten.find(name); own != kRewritten.end()) {
    for (const auto& [from, to] : own->second) replaceAll(model, from, to);
  }
  // Defaults have dimensions, too.
  model = std::regex_replace(model, std::regex("diameter: 0.05"), "$&, density: 7700");
  if (model.find("\nworld:") == std::string::npos) model += "world: {g: 9.80665}\n";
  return std::regex_replace(model, std::regex(R"(world: \{n)"), "world: {g: 9.80665, n");
}

/// Largest difference of the positions of two runs, in the units of the first, against their
/// largest value or 1.
double difference(const Trajectory& a, const Trajectory& b, const Scaling& by) {
  REQUIRE(a.columns().size() == b.columns().size());
  REQUIRE(a.time().size() == b.time().size());
  double worst = 0;
  for (const Column& c : a.columns()) {
    const auto unit = kUnits.find(c.unit);
    REQUIRE(unit != kUnits.end());
    if (c.unit != "rad" && c.unit != "m") continue;
    const double factor = by.of(unit->second);
    const auto &x = a[c.name], &y = b[c.name];
    double size = 1;
    for (double v : x) size = std::max(size, std::abs(v));
    for (size_t i = 0; i < x.size(); ++i) {
      worst = std::max(worst, std::abs(y[i] / factor - x[i]) / size);
    }
  }
  return worst;
}

constexpr double kScalesTolerance = 1e-8;  // of the shipped models

/// Slider-crank of heavy blocks whose drive is a prismatic joint, with arms without mass.
std::string heavySlider(int cut, double weight) {
  auto marked = [cut](int joint) { return joint == cut ? ", cut: true" : ""; };
  return fmt::format(R"(
components:
  crank_joint: {{type: Revolute, phi: {{start: 0.4, fixed: true}}, w: {{fixed: true}}{}}}
  crank:       {{type: BodyBox, r: [0.7, 0, 0], width: 0.5, density: {}}}
  rod_joint:   {{type: Revolute, phi: {{start: -0.7}}{}}}
  rod:         {{type: FixedTranslation, r: [1.6, 0, 0]}}
  tip_joint:   {{type: Revolute{}}}
  block:       {{type: Body, m: {}, r_CM: [0.2, 0.1, 0], I_33: {}}}
  guide:       {{type: Prismatic, n: [1, 0, 0], s: {{start: 2}}{}}}
connections:
  - [world.frame_b, crank_joint.frame_a]
  - [crank_joint.frame_b, crank.frame_a]
  - [crank.frame_b, rod_joint.frame_a]
  - [rod_joint.frame_b, rod.frame_a]
  - [rod.frame_b, tip_joint.frame_a]
  - [tip_joint.frame_b, block.frame_a]
  - [world.frame_b, guide.frame_a]
  - [guide.frame_b, block.frame_a]
simulation: {{stop: 1.5, interval: 0.05, tolerance: 1e-10}}
outputs: [crank_joint.phi, guide.s, kineticEnergy, totalEnergy]
)",
                     marked(1), 1000 * weight, marked(2), marked(3), 5 * weight, 2 * weight,
                     marked(4));
}

}  // namespace

TEST_CASE("scales: loops move alike whatever the units of mass, length and time") {
  const Scaling scalings[] = {{1e6, 1, 1},  {1e-6, 1, 1}, {1, 1e3, 1},
                              {1, 1e-3, 1}, {1, 1, 1e3},  {1, 1, 1e-3}};
  // All but engine_v6, whose gas has a pressure in pascal.
  for (const std::string name : {"fourbar", "slider_crank", "spatial_fourbar", "squeezer",
                                 "stewart", "delta", "bricard", "governor", "rolling_coin"}) {
    const std::string text = shipped(name, name == std::string("squeezer") ? "0.01" : "0.3");
    const Trajectory reference = runScales(text);
    // Two runs differ by their own errors at most; the tighter one shows how large these are.
    const Trajectory exact = runScales(
        std::regex_replace(text, std::regex("tolerance: [-0-9.eE]+"), "tolerance: 1e-10"));
    const double own = difference(exact, reference, Scaling{1, 1, 1});
    // Global errors are tens of tolerances.
    const double allowed = std::max(100 * kScalesTolerance, 10 * own);
    for (const Scaling& by : scalings) {
      CAPTURE(name);
      CAPTURE(by.mass);
      CAPTURE(by.length);
      CAPTURE(by.time);
      CHECK(difference(reference, runScales(scaled(text, by)), by) < allowed);
    }
  }
}

TEST_CASE("scales: a conservative loop keeps its energy whatever its weight and its cut") {
  const Trajectory reference = runScales(heavySlider(4, 1));
  for (double weight : {1e-6, 1.0, 1e6}) {
    for (int cut = 1; cut <= 4; ++cut) {
      CAPTURE(weight);
      CAPTURE(cut);
      const Trajectory t = runScales(heavySlider(cut, weight));
      CHECK(test::energyDrift(t) < 100 * 1e-10);
      CHECK(std::abs(t["crank_joint.phi"].back() - reference["crank_joint.phi"].back()) <
            300 * 1e-10);
    }
  }
}
