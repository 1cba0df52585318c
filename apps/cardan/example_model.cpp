#include "apps/cardan/example_model.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "apps/cardan/embedded_examples.h"
#include "apps/cosimulation/types.h"
#include "engine/simulation.h"

namespace cardan {
namespace {

/// The sections of a model file behind its name, as written_examples.yaml has them; "" where there are none.
std::string writtenExample(const std::string& type) {
  const std::string_view all = embeddedExamples("written_examples.yaml");
  const std::string head = "--- # " + type + "\n";
  const size_t at = all.find(head);
  if (at == all.npos) return "";
  const std::string_view rest = all.substr(at + head.size());
  return std::string(rest.substr(0, rest.find("--- # ")));
}

/// What an example has besides `x`.
struct Surroundings {
  std::vector<std::string> components;   ///< "hinge: {type: Revolute, ...}"
  std::vector<std::string> connections;  ///< "world.frame_b, hinge.frame_a"

  void add(const std::string& component) { components.push_back(component); }
  void connect(const std::string& a, const std::string& b) { connections.push_back(a + ", " + b); }
};

constexpr const char* kBody =
    "{type: Body, m: 1, r_CM: [0.2, 0, 0], I_11: 0.01, I_22: 0.02, I_33: 0.02}";

/// A hinge on the world; what it carries is connected to hinge.frame_b.
void addHinge(Surroundings& s) {
  s.add("hinge: {type: Revolute, n: [0, 0, 1], phi: {fixed: true}, w: {start: 1, fixed: true}}");
  s.connect("world.frame_b", "hinge.frame_a");
}

std::string numbered(const std::string& name, size_t i) { return name + std::to_string(i); }

/// One frame: it is carried, it rides on a pendulum, it carries, it is alone.
void placeFrame(Surroundings& s, const std::string& frame, int variant) {
  if (variant == 0) {
    addHinge(s);
    s.connect("hinge.frame_b", frame);
  } else if (variant == 1) {
    addHinge(s);
    s.add("rod: {type: BodyBox, r: [0.5, 0, 0], width: 0.05}");
    s.connect("hinge.frame_b", "rod.frame_a");
    s.connect("rod.frame_b", frame);
  } else if (variant == 2) {
    s.add("hinge: {type: Revolute, n: [0, 0, 1], phi: {fixed: true}, w: {start: 1, fixed: true}}");
    s.add(std::string("body: ") + kBody);
    s.connect(frame, "hinge.frame_a");
    s.connect("hinge.frame_b", "body.frame_a");
  }
}

/// Several frames: bodies hang on the world by x, or on a hinge by it; x acts between the world and a
/// slider; x acts between two free bodies.
void placeFrames(Surroundings& s, const std::vector<std::string>& frames, int variant) {
  const auto bodies = [&](size_t first) {
    for (size_t i = first; i < frames.size(); ++i) {
      s.add(numbered("body", i) + ": " + kBody);
      s.connect(frames[i], numbered("body", i) + ".frame_a");
    }
  };
  if (variant == 0) {
    s.connect("world.frame_b", frames[0]);
    bodies(1);
  } else if (variant == 1) {
    addHinge(s);
    s.connect("hinge.frame_b", frames[0]);
    bodies(1);
  } else if (variant == 2) {
    s.add("guide: {type: Prismatic, n: [1, 0, 0], s: {start: 0.8, fixed: true}, v: {fixed: true}}");
    s.add(std::string("slider: ") + kBody);
    s.connect("world.frame_b", frames[0]);
    s.connect("world.frame_b", "guide.frame_a");
    s.connect("guide.frame_b", "slider.frame_a");
    s.connect("slider.frame_a", frames[1]);
  } else {
    for (size_t i = 0; i < frames.size(); ++i) {
      s.add(
          fmt::format("body{}: {{type: Body, m: 1, r_CM: [0, 0, 0], I_11: 0.02, I_22: 0.02, I_33: "
                      "0.02, r_0: {{start: [{}, 0, 0], fixed: true}}, v_0: {{fixed: true}}, "
                      "angles_fixed: true, w_0_fixed: true}}",
                      i, i));
      s.connect(fmt::format("body{}.frame_a", i), frames[i]);
    }
  }
}

/// Flanges: inertias at each, the first one moving; or the first one held.
void placeFlanges(Surroundings& s, const std::vector<std::string>& flanges, bool rotational,
                  int variant) {
  const std::string mass = rotational ? "shaft" : "mass";
  for (size_t i = 0; i < flanges.size(); ++i) {
    const std::string name = numbered(mass, i + 1);
    const bool held = variant == 1 && i == 0;
    const bool moves = i == (variant == 1 ? 1U : 0U);
    if (held) {
      s.add(name + (rotational ? ": {type: Rotational.Fixed}" : ": {type: Translational.Fixed}"));
    } else if (rotational) {
      s.add(name + ": {type: Rotational.Inertia, J: 0.1" +
            (moves ? ", phi: {start: 0.1, fixed: true}, w: {start: 2, fixed: true}}" : "}"));
    } else {
      s.add(name + ": {type: Translational.Mass, m: 1" +
            (moves ? ", s: {start: 0.1, fixed: true}, v: {start: 0.5, fixed: true}}" : "}"));
    }
    s.connect(flanges[i], name + (held ? ".flange" : ".flange_a"));
  }
}

/// Pins: a source behind a resistor at the first, ground at the last, resistors to ground between.
void placePins(Surroundings& s, const std::vector<std::string>& pins, int variant) {
  s.add("ground: {type: Analog.Ground}");
  if (pins.size() > 1 || variant == 1) {
    s.add("source: {type: Analog.SineVoltage, V: 5, f: 2}");
    s.add("resistor: {type: Analog.Resistor, R: 10}");
    s.connect("source.n", "ground.p");
    s.connect("source.p", "resistor.p");
    s.connect("resistor.n", pins[0]);
  }
  for (size_t i = pins.size() > 1 || variant == 1 ? 1 : 0; i + 1 < pins.size(); ++i) {
    s.add(numbered("resistor", i) + ": {type: Analog.Resistor, R: 100}");
    s.connect(pins[i], numbered("resistor", i) + ".p");
    s.connect(numbered("resistor", i) + ".n", "ground.p");
  }
  s.connect(pins.back(), "ground.p");
}

/// Heat ports: something warm at the first, heat capacities at the others; or the other way round.
void placePorts(Surroundings& s, const std::vector<std::string>& ports, int variant) {
  for (size_t i = 0; i < ports.size(); ++i) {
    const bool warm = ports.size() > 1 && (variant == 0) == (i == 0);
    s.add(numbered("heat", i + 1) +
          (warm ? ": {type: Thermal.FixedTemperature, T: 350}"
                : ": {type: Thermal.HeatCapacitor, C: 20, T: {start: 293.15, fixed: true}}"));
    s.connect(ports[i], numbered("heat", i + 1) + ".port");
  }
}

/// The map of x: its type, what has to be bound, what was found to be missing.
std::string componentX(const CatalogueEntry& entry, const TypeDescription& t,
                       const std::vector<std::string>& missing) {
  std::string x = "x: {type: " + entry.type;
  for (const DocumentedParameter& p : t.parameters) {
    if (!p.type.starts_with("input") || !p.defaultValue.empty()) continue;
    const std::string value = p.unit.empty() ? "\"time > 0.5\"" : "\"0.5*sin(2*pi*time)\"";
    const size_t of = p.type.find(" of ");
    if (of == std::string::npos) {
      x += ", " + p.name + ": " + value;
      continue;
    }
    std::string list;
    for (int i = 0; i < std::stoi(p.type.substr(of + 4)); ++i)
      list += (i > 0 ? ", " : "") + (i == 0 ? value : std::string("0"));
    x += ", " + p.name + ": [" + list + "]";
  }
  for (const std::string& name : missing) x += ", " + name + ": 0.1";
  return x + "}";
}

enum class Trial { fails, runs, moves };

/// Tries a model for a second; names that "must be given" are added to `missing`.
Trial tryModel(const std::string& text, std::vector<std::string>& missing) {
  try {
    Simulation s = Simulation::fromText(allTypes(), text);
    const InitialReport start = s.initialise();
    Trajectory rows;
    s.run(rows);
    const bool quiet = s.warnings().all().empty() && start.redundantConstraints.empty();
    return start.degreesOfFreedom > 0 && quiet ? Trial::moves : Trial::runs;
  } catch (const ModelError& e) {
    for (const Diagnostic& d : e.diagnostics().all()) {
      const size_t rule = d.text.find("' must be given"), from = d.text.rfind('\'', rule - 1);
      if (rule != std::string::npos && from != std::string::npos && missing.size() < 10)
        missing.push_back(d.text.substr(from + 1, rule - from - 1));
    }
  } catch (const std::exception&) {
  }
  return Trial::fails;
}

}  // namespace

std::string exampleModel(const CatalogueEntry& entry, const TypeDescription& t) {
  std::string modelName = entry.type;
  std::erase(modelName, '.');
  const std::string head = "model: " + modelName + "Example\n";
  if (const std::string written = writtenExample(entry.type); !written.empty())
    return head + written;
  std::vector<std::string> frames, rotational, translational, pins, ports;
  for (const TypeDescription::Connector& c : t.connectors) {
    if (!c.condition.empty()) continue;
    const std::string name = "x." + c.name;
    if (c.kind == "frame") frames.push_back(name);
    if (c.kind == "rotational flange") rotational.push_back(name);
    if (c.kind == "translational flange") translational.push_back(name);
    if (c.kind == "pin") pins.push_back(name);
    if (c.kind == "heat port") ports.push_back(name);
  }
  // What carries is tried as one first; what acts or measures between things that move.
  const bool carries = entry.package == "joints" || entry.package == "parts";
  const std::array<int, 4> ofOne = carries ? std::array{0, 3, 2, 1} : std::array{1, 0, 2, 3};
  const std::array<int, 4> ofSeveral = carries ? std::array{0, 1, 2, 3} : std::array{2, 1, 0, 3};
  std::vector<std::string> missing;
  std::string fallback;
  for (int trial = 0; trial < 2 * 8; ++trial) {
    const int place = trial / 2 % 4, other = trial % 2;
    if (frames.empty() && place > 0) continue;
    Surroundings s;
    const size_t at = place;
    if (frames.size() == 1) placeFrame(s, frames[0], ofOne[at]);
    if (frames.size() > 1) placeFrames(s, frames, ofSeveral[at]);
    if (!rotational.empty()) placeFlanges(s, rotational, true, other);
    if (!translational.empty()) placeFlanges(s, translational, false, other);
    if (!pins.empty()) placePins(s, pins, other);
    if (!ports.empty()) placePorts(s, ports, other);
    std::string text = head + "components:\n";
    text += "  " + componentX(entry, t, missing) + "\n";
    for (const std::string& c : s.components) text += "  " + c + "\n";
    if (!s.connections.empty()) text += "connections:\n";
    for (const std::string& c : s.connections) text += "  - [" + c + "]\n";
    text += "simulation: {stop: 1, interval: 0.01}\n";
    const size_t known = missing.size();
    const Trial result = tryModel(text, missing);
    const bool nothingMoves = frames.empty() && rotational.empty() && translational.empty();
    if (result == Trial::moves || (result == Trial::runs && nothingMoves)) return text;
    if (result == Trial::runs && fallback.empty()) fallback = text;
    if (missing.size() > known) --trial;  // once more with what was missing
  }
  return fallback;
}

}  // namespace cardan
