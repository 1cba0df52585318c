#include "engine/modelica/former_names.h"

#include <algorithm>
#include <iterator>

namespace cardan::modelica {
namespace {

struct FormerName {
  std::string_view type;  ///< in the catalogue
  std::string_view former;
  std::string_view present;
};

// The library's own conversion from 3.2.3 to 4.0.0.
constexpr FormerName kFormerNames[] = {
    {"World", "mue", "mu"},
    {"Rotational.Brake", "mue_pos", "mu_pos"},
    {"Rotational.Clutch", "mue_pos", "mu_pos"},
    {"Rotational.OneWayClutch", "mue_pos", "mu_pos"},
    {"Translational.Brake", "mue_pos", "mu_pos"},
    {"Rotational.Brake", "mue0", "mu0"},
    {"Rotational.Clutch", "mue0", "mu0"},
    {"Rotational.OneWayClutch", "mue0", "mu0"},
    {"Translational.Brake", "mue0", "mu0"},
    {"Rotational.SignTorque", "tau_constant", "tau_nominal"},
    {"FreeMotion", "arrowDiameter", ""},
    {"FreeMotionScalarInit", "arrowDiameter", ""},
    {"Visualizers.Torus", "ri", "R"},
    {"Visualizers.Torus", "ro", "r"},
    {"Visualizers.Torus", "n_ri", "n_R"},
    {"Visualizers.Torus", "n_ro", "n_r"},
    {"Joints.RollingWheel", "wheelRadius", "radius"},
    {"Joints.RollingWheelSet", "wheelRadius", "radius"},
    {"Joints.RollingWheelSet", "wheelDistance", "track"},
    {"RollingWheel", "wheelRadius", "radius"},
    {"RollingWheel", "wheelMass", "m"},
    {"RollingWheel", "wheel_I_axis", "I_axis"},
    {"RollingWheel", "wheel_I_long", "I_long"},
    {"RollingWheel", "wheelColor", "color"},
    {"RollingWheelSet", "wheelRadius", "R_wheel"},
    {"RollingWheelSet", "wheelMass", "m_wheel"},
    {"RollingWheelSet", "wheel_I_axis", "I_wheelAxis"},
    {"RollingWheelSet", "wheel_I_long", "I_wheelLong"},
    {"RollingWheelSet", "wheelDistance", "track"},
    {"RollingWheelSet", "wheelWidth", "width_wheel"},
    {"RollingWheelSet", "wheelColor", "color"},
    {"Blocks.Sine", "freqHz", "f"},
    {"Blocks.Cosine", "freqHz", "f"},
    {"Blocks.ExpSine", "freqHz", "f"},
    {"Analog.SineVoltage", "freqHz", "f"},
    {"Analog.CosineVoltage", "freqHz", "f"},
    {"Analog.SineCurrent", "freqHz", "f"},
    {"Analog.CosineCurrent", "freqHz", "f"},
    {"Blocks.Limiter", "limitsAtInit", ""},
    {"Blocks.VariableLimiter", "limitsAtInit", ""},
    {"Blocks.LimPID", "limitsAtInit", ""},
    {"Blocks.DeadZone", "deadZoneAtInit", ""},
};

}  // namespace

std::string_view presentName(std::string_view catalogueType, std::string_view name) {
  const auto* const found = std::ranges::find_if(kFormerNames, [&](const FormerName& f) {
    return f.type == catalogueType && f.former == name;
  });
  return found == std::end(kFormerNames) ? name : found->present;
}

bool isModeOfFriction(std::string_view name) {
  return name == "startForward" || name == "startBackward" || name == "locked" || name == "stuck";
}

}  // namespace cardan::modelica
