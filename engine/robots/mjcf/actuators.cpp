#include "engine/robots/mjcf/actuators.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cardan::robots::mjcf {

void ActuatorSettings::apply(const XmlElement& e, const std::string& owner,
                             Diagnostics& diagnostics) {
  const auto value = [&](const char* name, double byDefault) {
    return number(e, name, byDefault, owner, diagnostics);
  };
  const auto list = [&](const char* name, auto& values, size_t most) {
    const auto given = numbers(e, name, 1, most, owner, diagnostics);
    if (given) std::copy_n(given->begin(), std::min(given->size(), values.size()), values.begin());
  };
  const auto word = [&](const char* name, std::string& text) {
    if (const XmlAttribute* a = e.attribute(name)) text = a->value;
  };
  list("gear", gear, 6);
  list("damping", damping, 10);
  armature = value("armature", armature);
  group = static_cast<int>(std::clamp(value("group", group), -1e6, 1e6));
  const auto range = [&](const std::string& name, std::array<double, 2>& values,
                         std::string& limited) {
    if (const auto r = numbers(e, (name + "range").c_str(), 2, 2, owner, diagnostics))
      values = {(*r)[0], (*r)[1]};
    word((name + "limited").c_str(), limited);
  };
  range("ctrl", controlRange, controlLimited);
  range("force", forceRange, forceLimited);
  range("act", stateRange, stateLimited);
  if (e.name == "general") {
    word("dyntype", dynamics);
    word("gaintype", gainType);
    word("biastype", biasType);
    list("gainprm", gain, 10);
    list("biasprm", bias, 10);
    if (const auto d = numbers(e, "dynprm", 1, 10, owner, diagnostics)) timeConstant = (*d)[0];
    return;
  }
  applyKind(e, owner, diagnostics);
}

/// What an element of a kind of its own implies.
void ActuatorSettings::applyKind(const XmlElement& e, const std::string& owner,
                                 Diagnostics& diagnostics) {
  const auto value = [&](const char* name, double byDefault) {
    return number(e, name, byDefault, owner, diagnostics);
  };
  const bool isServo = e.name == "position" || e.name == "intvelocity";
  if (!isServo) dynamics = "none";
  gainType = "fixed";
  biasType = "affine";
  if (e.name == "motor") {
    gain[0] = 1;
    biasType = "none";
  } else if (isServo) {
    gain[0] = value("kp", gain[0]);
    bias[1] = -gain[0];
    if (e.attribute("kv")) bias[2] = -value("kv", 0);
    if (e.attribute("dampratio")) bias[2] = value("dampratio", 0);
    if (e.attribute("kv") && e.attribute("dampratio"))
      diagnostics.error(e.mark(*e.attribute("dampratio")),
                        owner + ": 'kv' and 'dampratio' must not both be given");
    inheritedRange = value("inheritrange", inheritedRange);
    if (e.attribute("timeconst")) {
      timeConstant = value("timeconst", 0);
      dynamics = timeConstant == 0 ? "none" : "filterexact";
    }
    if (e.name == "intvelocity") dynamics = "integrator";
  } else if (e.name == "velocity") {
    gain[0] = value("kv", gain[0]);
    bias = {0, 0, -gain[0]};
  } else if (e.name == "damper") {
    gain = {0, 0, -value("kv", 0)};
    gainType = "affine";
    biasType = "none";
    controlLimited = "true";
  } else if (e.name == "cylinder") {
    dynamics = "filter";
    timeConstant = value("timeconst", timeConstant);
    gain[0] = value("area", gain[0]);
    if (e.attribute("diameter")) gain[0] = std::numbers::pi / 4 * std::pow(value("diameter", 0), 2);
    if (const auto b = numbers(e, "bias", 1, 3, owner, diagnostics))
      std::copy(b->begin(), b->end(), bias.begin());
  } else {  // a law of its own
    dynamics = gainType = biasType = e.name;
  }
}

std::string ActuatorSettings::whyNot() const {
  if (gainType != "fixed" && gainType != "affine" && gainType == dynamics)
    return "<" + gainType + "> has a law of its own";
  if (hasState() && dynamics != "integrator" && !dynamics.starts_with("filter"))
    return "its state has a law of its own";
  if (gainType != "fixed" && gainType != "affine") return "its gain is a law of its own";
  if (biasType != "none" && biasType != "affine") return "its bias is a law of its own";
  return "";
}

std::optional<std::array<double, 2>> limitsOf(const std::string& limited,
                                              const std::array<double, 2>& range) {
  const bool isLimited = limited == "true" || (limited != "false" && range[0] < range[1]);
  return isLimited ? std::optional(range) : std::nullopt;
}

}  // namespace cardan::robots::mjcf
