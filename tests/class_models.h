/// A model for every class of the catalogue, with general numbers, made from what the class says of
/// itself: a new class is in all laws that go over them by being listed.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/equations/model.h"
#include "engine/model_file/parameter_documentation.h"
#include "engine/simulation.h"

namespace cardan::classes {

/// What a class is told so that it does something; all others keep their defaults.
inline const std::map<std::string, std::string> kParameters{
    {"Revolute", "n: [1, 2, 3], useAxisFlange: true"},
    {"Prismatic", "n: [1, 2, 3], useAxisFlange: true"},
    {"Cylindrical",
     "n: [1, 2, 3], prismatic: {friction: {mu: 0.2}, limits: {max: 9, c: 20}}, revolute: "
     "{friction: "
     "{mu: 0.3, radius: 0.1}, limits: {min: -9, c: 20, d: 3}}"},
    {"Universal",
     "n_a: [1, 2, 0], n_b: [0, 1, 3], revolute_a: {friction: {mu: 0.3, radius: 0.1}}, revolute_b: "
     "{friction: {torque: 2}}"},
    {"Spherical", "friction: {mu: 0.3, radius: 0.1}, limits: {max: 3, c: 20, d: 3}"},
    {"Planar", "n: [1, 2, 3], n_x: [2, -1, 0]"},
    {"FixedTranslation", "r: [0.1, 0.2, 0.3]"},
    {"FixedRotation", "r: [0.1, 0.2, 0.3], n: [1, 2, 3], angle: 40"},
    {"Body", "m: 2, r_CM: [0.1, 0.2, 0.3], I_11: 1, I_22: 1.2, I_33: 1.4, I_21: 0.1"},
    {"BodyShape", "m: 2, r: [1, 0.2, 0], r_CM: [0.1, 0.2, 0.3], I_11: 1, I_22: 1.2, I_33: 1.4"},
    {"BodyBox", "r: [0.5, 0.1, 0.2]"},
    {"BodyCylinder", "r: [0.5, 0.1, 0.2]"},
    {"PointMass", "m: 2"},
    {"Spring", "c: 20, s_unstretched: 0.4, m: 0.7"},
    {"Damper", "d: 3"},
    {"Bushing",
     "c: [20, 30, 40], d: [2, 3, 4], c_rot: [3, 4, 5], d_rot: [0.1, 0.2, 0.3], b: [0.5, 0.6, "
     "0.7], b_rot: [0.2, 0.3, 0.4], r_rel0: [0.1, 0.2, 0.3]"},
    {"SpringDamperParallel", "c: 20, d: 3, s_unstretched: 0.4"},
    {"SpringDamperSeries", "c: 20, d: 3, s_unstretched: 0.4"},
    {"LineForceWithMass", "m: 0.7"},
    {"LineForceWithTwoMasses", "m_a: 0.7, m_b: 0.5"},
    {"LineForceAround", "radius: 0.2, useSide: true"},
    {"Examples.Loops.Utilities.GasForce2", "L: 1, d: 0.2, k0: 0.1, k1: 1, k: 1.2"},
    {"Rotor1D", "J: 0.3, n: [1, 2, 3]"},
    {"BevelGear1D", "ratio: 2, n_a: [1, 2, 3], n_b: [0, 1, 1]"},
    {"Mounting1D", "n: [1, 2, 3]"},
    {"RollingWheel", "radius: 0.3, m: 2, I_axis: 0.06, I_long: 0.12"},
    {"RollingWheelSet",
     "R_wheel: 0.1, m_wheel: 0.5, I_wheelAxis: 0.01, I_wheelLong: 0.02, track: 0.5"},
    {"Joints.RollingWheel", "radius: 0.3"},
    {"Joints.RollingWheelSet", "radius: 0.1, track: 0.5"},
    {"RollingConstraintVerticalWheel", "radius: 0.1"},
    {"AbsoluteSensor",
     "get_r: true, get_v: true, get_a: true, get_angles: true, get_w: true, get_z: true, "
     "resolveInFrame: frame_a"},
    {"RelativeSensor",
     "get_r_rel: true, get_v_rel: true, get_a_rel: true, get_angles: true, get_w_rel: true, "
     "get_z_rel: true"},
    {"Rotational.Inertia", "J: 0.3"},
    {"Rotational.Disc", "deltaPhi: 0.2"},
    {"Rotational.Spring", "c: 20"},
    {"Rotational.SpringDamper", "c: 20, d: 3"},
    {"Rotational.ElastoBacklash", "c: 20, d: 3, b: 0.001"},
    {"Rotational.Brake", "fn_max: 2"},
    {"Rotational.Clutch", "fn_max: 2"},
    {"Rotational.IdealGear", "ratio: 2"},
    {"Rotational.IdealPlanetary", "ratio: 2"},
    {"Rotational.Coupling", "turning: [[1, 0.2]], sliding: [[2, 0.1]]"},
    {"Rotational.IdealGearR2T", "ratio: 2"},
    {"Rotational.IdealRollingWheel", "radius: 0.4"},
    {"Rotational.ConstantSpeed", "w_fixed: 2"},
    {"Rotational.ConstantTorque", "tau_constant: 2"},
    {"Rotational.TorqueStep", "stepTorque: 2"},
    {"Rotational.LinearSpeedDependentTorque", "tau_nominal: 2, w_nominal: 3"},
    {"Rotational.QuadraticSpeedDependentTorque", "tau_nominal: 2, w_nominal: 3"},
    {"Rotational.Damper", "d: 3, useHeatPort: true"},
    {"Analog.Resistor", "R: 3, alpha: 0.01, useHeatPort: true"},
    {"Analog.Conductor", "G: 3, alpha: 0.01, useHeatPort: true"},
    {"Analog.Capacitor", "C: 0.3"},
    {"Analog.Inductor", "L: 0.3"},
    {"Translational.Mass", "m: 0.3"},
    {"Translational.Rod", "L: 0.2"},
    {"Translational.Spring", "c: 20"},
    {"Translational.Damper", "d: 3"},
    {"Translational.SpringDamper", "c: 20, d: 3"},
    {"Translational.ElastoGap", "c: 20, d: 3, s_rel0: 5, n: 2"},
    {"Translational.Brake", "fn_max: 2"},
    {"Translational.IdealGearR2T", "ratio: 2"},
    {"Translational.IdealRollingWheel", "radius: 0.4"},
    {"Translational.ConstantSpeed", "v_fixed: 2"},
    {"Translational.ConstantForce", "f_constant: 2"},
    {"Translational.ForceStep", "stepForce: 2"},
    {"Translational.LinearSpeedDependentForce", "f_nominal: 2, v_nominal: 3"},
    {"Translational.QuadraticSpeedDependentForce", "f_nominal: 2, v_nominal: 3"},
    {"Contact.Shape", "shape: box, size: [0.1, 0.2, 0.3], r: [0.1, 0, 0], angles: [10, 20, 30]"},
    {"Contact.SpherePlane", "radius: 6, k: 20, damping: 0.1, mu: 0.3, v_creep: 1"},
    {"Contact.SphereSphere", "radius_a: 4, k: 20, damping: 0.1, mu: 0.3, v_creep: 1"},
    {"Contact.PointSurface", "n: [0, -1, 0], k: 20, damping: 0.1, mu: 0.3, stick: true"},
    {"Contact.TorusPlane", "radius: 6, tubeRadius: 1, k: 20, damping: 0.1, mu: 0.3, v_creep: 1"},
    {"Visualizers.PipeWithScalarField", "rOuter: 0.1, length: 1, T_min: 0, T_max: 1"},
    {"Visualizers.Advanced.PipeWithScalarField", "rOuter: 0.1, length: 1, T_min: 0, T_max: 1"},
    {"Blocks.Sine", "f: 1"},
    {"Blocks.Cosine", "f: 1"},
    {"Blocks.ExpSine", "f: 1, damping: 1"},
    {"Blocks.Exponentials", "riseTime: 1, riseTimeConst: 0.1"},
    {"Blocks.Pulse", "period: 1"},
    {"Blocks.SawTooth", "period: 1"},
    {"Blocks.Trapezoid", "period: 1"},
    {"Blocks.BooleanPulse", "period: 1"},
    {"Blocks.Ramp", "duration: 2"},
    {"Blocks.BooleanStep", "startTime: 0.1"},
    {"Blocks.TimeTable", "table: [[0, 1], [1, 3], [2, 2]]"},
    {"Blocks.CombiTimeTable", "table: [[0, 1], [1, 3], [2, 2]]"},
    {"Blocks.KinematicPTP", "deltaq: [2], qd_max: [1], qdd_max: [1]"},
    {"Blocks.KinematicPTP2", "q_end: [2], qd_max: [1], qdd_max: [1]"},
    {"Blocks.MatrixGain", "K: [[1, 2], [3, 4]]"},
    {"Blocks.PadeDelay", "delayTime: 0.3, n: 3"},
    {"Blocks.FixedDelay", "delayTime: 0.3"},
    {"Blocks.VariableDelay", "delayMax: 2"},
    {"Blocks.TriggeredTrapezoid", "rising: 0.1"},
    {"Rotational.OneWayClutch", "fn_max: 2"},
    {"Rotational.ElastoBacklash2", "c: 20, d: 3, b: 0.001"},
    {"Rotational.LossyGear",
     "ratio: 2, lossTable: [[0, 0.9, 0.8, 0.1, 0.2], [5, 0.8, 0.7, 0.3, 0.4]]"},
    {"Rotational.InverseSpeedDependentTorque", "tau_nominal: 2, w_nominal: 3, w0: 0.5"},
    {"Rotational.SignTorque", "tau_nominal: 2, w0: 10"},
    {"Rotational.EddyCurrentTorque", "tau_nominal: 2, w_nominal: 3, useHeatPort: true"},
    {"Translational.InverseSpeedDependentForce", "f_nominal: 2, v_nominal: 3, v0: 0.5"},
    {"Translational.SignForce", "f_nominal: 2, v0: 10, reg: Sine"},
    {"Translational.EddyCurrentForce", "f_nominal: 2, v_nominal: 3, useHeatPort: true"},
    {"Translational.RollingResistance", "fWeight: 20, v0: 10"},
    {"Translational.Vehicle", "m: 2, J: 0.1, R: 0.3, A: 1, Cd: 0.5, vReg: 5"},
    {"Blocks.CombiTable1Ds", "table: [[0, 1], [10, 3]]"},
    {"Blocks.CombiTable1Dv", "table: [[0, 1], [10, 3]]"},
    {"Blocks.CombiTable2Ds", "table: [[0, 0, 10], [0, 1, 2], [10, 3, 5]]"},
    {"Blocks.CombiTable2Dv", "table: [[0, 0, 10], [0, 1, 2], [10, 3, 5]]"},
    {"Blocks.SlewRateLimiter", "Rising: 100, Td: 0.1"},
    {"Blocks.LimIntegrator", "outMax: 100"},
    {"Analog.IdealTransformer", "n: 2"},
    {"Analog.Gyrator", "G1: 0.3, G2: 0.3"},
    {"Analog.Diode", "Vt: 1, useHeatPort: true"},
    {"Analog.IdealDiode", "Ron: 0.1, Goff: 0.2, useHeatPort: true"},
    {"Analog.IdealClosingSwitch", "Ron: 0.1, Goff: 0.2"},
    {"Analog.IdealOpeningSwitch", "Ron: 0.1, Goff: 0.2"},
    {"Analog.VCC", "transConductance: 0.5"},
    {"Analog.CCV", "transResistance: 0.5"},
    {"Analog.CCC", "gain: 0.5"},
    {"Blocks.Sum", "nin: 2"},
    {"Blocks.Gain", "k: 2"},
    {"Blocks.Limiter", "uMax: 10"},
    {"Blocks.DeadZone", "uMax: 0.01"},
    {"Blocks.Derivative", "k: 2, T: 0.3"},
    {"Blocks.FirstOrder", "k: 2, T: 0.3"},
    {"Blocks.SecondOrder", "w: 2, D: 0.3"},
    {"Blocks.PI", "k: 2, T: 0.3"},
    {"Blocks.PID", "k: 2"},
    {"Blocks.LimPID", "yMax: 100"},
    {"Blocks.CriticalDamping", "f: 1"},
    {"Blocks.TransferFunction", "b: [2, 1], a: [1, 2, 3]"},
    {"Blocks.StateSpace", "A: [[-1, 0.2], [0, -2]], B: [[1], [2]], C: [[1, 3]], D: [[0.5]]"},
};

/// Connectors that a class has with these parameters, as the engine sees them.
struct Connectors {
  std::vector<std::string> frames, rotational, translational, pins, heatPorts;
};

inline Connectors connectorsOf(const std::string& type, const std::string& parameters) {
  // A model of nothing else is seldom complete, but its flatModel is.
  Diagnostics diagnostics;
  Model model(
      catalogue(),
      "components:\n  c: {type: " + type + (parameters.empty() ? "" : ", " + parameters) + "}\n",
      "model.yaml", {}, diagnostics);
  Connectors found;
  const FlatModel& b = model.assembly().flatModel;
  for (const auto& [name, ref] : b.connectors) {
    if (name.substr(0, 2) != "c." || name.find('.', 2) != std::string::npos) continue;
    if (ref.kind == ConnectorKind::frame) found.frames.push_back(name.substr(2));
    if (ref.kind != ConnectorKind::flange) continue;
    std::vector<std::string>* const lists[] = {&found.rotational, &found.translational, &found.pins,
                                               &found.heatPorts};
    const Domain domain = b.flanges[static_cast<size_t>(ref.index)].domain;
    lists[static_cast<size_t>(domain)]->push_back(name.substr(2));
  }
  return found;
}

/// Inputs of a class: functions of the carrier's motion, smooth and different from each other.
inline std::string boundInputs(const CatalogueEntry& entry, const std::string& parameters) {
  const WorldSettings world;
  ParameterDocumentation documentation(world);
  entry.make()->read(documentation);
  std::string text;
  int k = 0;
  for (const DocumentedParameter& p : documentation.parameters()) {
    if (!p.type.starts_with("input")) continue;
    if (entry.package == "visualizers" && !p.defaultValue.empty()) continue;
    if (parameters.find(p.name + ":") != std::string::npos) continue;
    if (p.unit.empty()) {  // truth values
      text += ", " + p.name + ": \"r0.phi > " + (k++ % 2 ? "9" : "-9") + "\"";
      continue;
    }
    int size = p.type == "input" ? 1 : std::stoi(p.type.substr(9));
    if (entry.type == "Blocks.MatrixGain" || entry.type == "Blocks.Sum") size = 2;
    std::string list;
    for (int i = 0; i < size; ++i) {
      ++k;
      list += (i ? ", " : "") + ("\"0.3 + 0.1*sin(" + std::to_string(k) + "*time) + 0.0" +
                                 std::to_string(k) + "*r0.phi\"");
    }
    text += ", " + p.name + ": " + (size == 1 && p.type == "input" ? list : "[" + list + "]");
  }
  return text;
}

/// A carrier (a revolute with a link and a prismatic with another), the class 'c' at its end and a
/// body on every further frame; axes and small inertias on its flanges. With `reversed`, its frames
/// and flanges change places.
inline std::string modelOf(const CatalogueEntry& entry, bool reversed) {
  const auto given = kParameters.find(entry.type);
  std::string parameters = given == kParameters.end() ? "" : given->second;
  Connectors c = connectorsOf(entry.type, parameters);
  for (auto* names : {&c.frames, &c.rotational, &c.translational, &c.pins, &c.heatPorts}) {
    if (reversed) std::reverse(names->begin(), names->end());
  }
  const std::string inputs = boundInputs(entry, parameters);
  std::string components =
      "  r0: {type: Revolute, n: [1, 2, 3], useAxisFlange: true}\n"
      "  l0: {type: BodyShape, m: 1, r: [0.5, 0.1, 0.2], r_CM: [0.2, 0.1, 0], I_11: 0.1, I_22: "
      "0.2, I_33: 0.25}\n"
      "  p0: {type: Prismatic, n: [3, 1, 2], useAxisFlange: true}\n"
      "  l1: {type: BodyShape, m: 1, r: [0.1, 0.4, 0.2], r_CM: [0.1, 0.2, 0], I_11: 0.2, I_22: "
      "0.1, I_33: 0.25}\n";
  components +=
      "  c: {type: " + entry.type + (parameters.empty() ? "" : ", " + parameters) + inputs + "}\n";
  std::string connections =
      "  - [world.frame_b, r0.frame_a]\n  - [r0.frame_b, l0.frame_a]\n"
      "  - [l0.frame_b, p0.frame_a]\n  - [p0.frame_b, l1.frame_a]\n";
  const auto connect = [&](const std::string& a, const std::string& b) {
    connections += "  - [" + a + ", " + b + "]\n";
  };
  for (size_t i = 0; i < c.frames.size(); ++i) {
    const std::string k = std::to_string(i), frame = "c." + c.frames[i];
    if (i == 0) {
      connect("l1.frame_b", frame);
      continue;
    }
    components += "  body" + k +
                  ": {type: Body, m: 1.5, r_CM: [0.1, -0.2, 0.3], I_11: 0.3, I_22: 0.2, I_33: "
                  "0.25, r_0: {start: [1, 2, " +
                  k + "]}}\n";
    connect(frame, "body" + k + ".frame_a");
  }
  for (size_t i = 0; i < c.rotational.size(); ++i) {
    const std::string k = std::to_string(i);
    components += "  wheel" + k + ": {type: Rotational.Inertia, J: 0.2}\n";
    connect("c." + c.rotational[i], i == 0 ? "r0.axis" : "wheel" + k + ".flange_a");
  }
  for (size_t i = 0; i < c.translational.size(); ++i) {
    const std::string k = std::to_string(i);
    components += "  sledge" + k + ": {type: Translational.Mass, m: 0.2}\n";
    connect("c." + c.translational[i], i == 0 ? "p0.axis" : "sledge" + k + ".flange_a");
  }
  // Resistors from every pin to ground and to the next pin; a way for the heat of every port.
  if (!c.pins.empty()) components += "  ground: {type: Analog.Ground}\n";
  if (!c.heatPorts.empty()) components += "  air: {type: Thermal.FixedTemperature, T: 280}\n";
  for (size_t i = 0; i < c.pins.size(); ++i) {
    const std::string k = std::to_string(i);
    components += "  down" + k + ": {type: Analog.Resistor, R: " + std::to_string(2 + i) + "}\n";
    connect("c." + c.pins[i], "down" + k + ".p");
    connect("down" + k + ".n", "ground.p");
    if (i + 1 == c.pins.size()) break;
    components += "  next" + k + ": {type: Analog.Conductor, G: " + std::to_string(1 + i) + "}\n";
    connect("c." + c.pins[i], "next" + k + ".p");
    connect("next" + k + ".n", "c." + c.pins[i + 1]);
  }
  for (size_t i = 0; i < c.heatPorts.size(); ++i) {
    const std::string k = std::to_string(i);
    components += "  way" + k + ": {type: Thermal.ThermalConductor, G: 3}\n";
    connect("c." + c.heatPorts[i], "way" + k + ".port_a");
    connect("way" + k + ".port_b", "air.port");
  }
  return "components:\n" + components + "connections:\n" + connections;
}

/// Signal outputs of 'c' that a force may follow, as a sum.
inline std::string sumOfOutputs(const Model& model) {
  std::string sum;
  const VariableTable& table = model.assembly().variables;
  for (int i : table.all()) {
    const VariableTable::Variable& v = table[i];
    if (!v.info.output || !v.name.starts_with("c.") || v.info.level == Level::Force) continue;
    for (int k = 0; k < v.size; ++k) {
      const std::string name = table.nameOf({i, k});
      const std::string value = v.info.isBoolean ? "(if " + name + " then 1 else 2)" : name;
      sum += (sum.empty() ? "" : " + ") + ("0.0" + std::to_string(1 + k) + "*" + value);
    }
  }
  return sum;
}

/// The model of a class with its outputs driving a force, where they can.
inline Simulation load(const CatalogueEntry& entry, bool reversed) {
  const std::string text = modelOf(entry, reversed);
  Simulation s = Simulation::fromText(catalogue(), text);
  const std::string sum = sumOfOutputs(s.model());
  if (sum.empty()) return s;
  const size_t at = text.find("connections:\n");
  return Simulation::fromText(
      catalogue(), text.substr(0, at) + "  push: {type: WorldForce, force: [\"" + sum +
                       "\", 0.3, 0.2]}\n" + text.substr(at) + "  - [l0.frame_b, push.frame_b]\n");
}

}  // namespace cardan::classes
