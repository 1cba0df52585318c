// Wrong models: every message as the user reads it.
#include <doctest/doctest.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "tests/folder.h"
#include "tests/models/model_run.h"

using namespace cardan;

namespace {

/// A pendulum and what is wrong: further components from line 4 on, further connections and
/// sections, sections above it.
std::string pendulum(const std::string& components = "", const std::string& connections = "",
                     const std::string& top = "") {
  return top +
         "components:\n"
         "  j1: {type: Revolute}\n"
         "  b1: {type: Body, m: 1}\n" +
         components +
         "connections:\n"
         "  - [world.frame_b, j1.frame_a]\n"
         "  - [j1.frame_b, b1.frame_a]\n" +
         connections;
}

/// What loading, initialising and running say; any exception but ModelError fails the test.
std::string messageOfWrongModels(const std::string& text) {
  return test::messageOfRun<ModelError>(text);
}
std::string messageOfFile(const std::filesystem::path& path) {
  try {
    Simulation s(catalogue(), path.string());
  } catch (const ModelError& e) {
    return e.what();
  }
  return "no error";
}

struct WrongModel {
  std::string subject, text, message;
};

std::vector<WrongModel> wrongModels() {
  return {
      {"unknown section", pendulum("", "conections: []\n"),
       "model.yaml:7:1: error: unknown section 'conections'; did you mean 'connections'? known are "
       "assert, components, connections, contacts, description, equations, extends, include, "
       "initial_equations, "
       "inputs, model, outputs, parameters, set, simulation, submodels, variables, when, world"},
      {"unknown start key",
       pendulum("  j2: {type: Revolute, phi: {strat: 1}}\n"
                "  b2: {type: Body}\n",
                "  - [b1.frame_a, j2.frame_a]\n"
                "  - [j2.frame_b, b2.frame_a]\n"),
       "model.yaml:4:30: error: Revolute 'j2': unknown key 'phi.strat'; did you mean 'start'? "
       "known keys: displayUnit, fixed, max, min, nominal, start, stateSelect"},
      {"duplicate key",
       pendulum("  b2: {type: Body, m: 2, m: 3}\n", "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:26: error: key 'm' is given twice\n"
       "model.yaml:4:20: note: first given here"},
      {"component twice", pendulum("  b1: {type: Body}\n"),
       "model.yaml:4:3: error: component name 'b1' is used twice\n"
       "model.yaml:3:3: note: first used here"},
      {"unknown type", pendulum("  b2: {type: Bodyy}\n"),
       "model.yaml:4:14: error: component 'b2': unknown type 'Bodyy'; did you mean 'Body'?"},
      {"no type", pendulum("  b2: {m: 1}\n"),
       "model.yaml:4:3: error: component 'b2' must have a 'type'"},
      {"component is no map", pendulum("  b2: 3\n"),
       "model.yaml:4:7: error: component 'b2' must be a map with its 'type', found '3'"},
      {"wrong shape",
       pendulum("  b2: {type: Body, r_CM: [1, 2]}\n", "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:26: error: Body 'b2': 'r_CM' must be a vector of 3 numbers, found a list of "
       "2"},
      {"scalar for a vector",
       pendulum("  b2: {type: Body, r_CM: 1}\n", "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:26: error: Body 'b2': 'r_CM' must be a vector of 3 numbers, found 1"},
      {"vector for a scalar",
       pendulum("  b2: {type: Body, m: [1, 2, 3]}\n", "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:23: error: Body 'b2': 'm' must be a number, found a list of 3"},
      {"negative mass", pendulum("  b2: {type: Body, m: -2}\n", "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:23: error: Body 'b2': 'm' must be at least 0, found -2"},
      {"zero axis",
       "components:\n"
       "  j1: {type: Revolute, n: [0, 0, 0]}\n"
       "  b1: {type: Body}\n"
       "connections:\n"
       "  - [world.frame_b, j1.frame_a]\n"
       "  - [j1.frame_b, b1.frame_a]\n",
       "model.yaml:2:27: error: Revolute 'j1': 'n' must not be the zero vector"},
      {"zero rotation axis",
       "components:\n"
       "  f: {type: FixedRotation, n: [0, 0, 0]}\n"
       "  b1: {type: Body}\n"
       "connections:\n"
       "  - [world.frame_b, f.frame_a]\n"
       "  - [f.frame_b, b1.frame_a]\n",
       "model.yaml:2:31: error: FixedRotation 'f': 'n' must not be the zero vector"},
      {"sequence with equal neighbours",
       pendulum("  s: {type: AbsoluteAngles, sequence: [1, 1, 2]}\n",
                "  - [b1.frame_a, s.frame_a]\n"),
       "model.yaml:4:39: error: AbsoluteAngles 's': 'sequence' must not have equal neighbours"},
      {"wrong connector", pendulum("", "  - [b1.frame_b, j1.frame_b]\n"),
       "model.yaml:7:6: error: Body 'b1': no connector 'frame_b'; did you mean 'frame_a'? it has "
       "frame_a"},
      {"flange with frame",
       pendulum("  in: {type: Rotational.Inertia, J: 1}\n", "  - [b1.frame_a, in.flange_a]\n"),
       "model.yaml:8:18: error: cannot connect 'b1.frame_a', a frame, with 'in.flange_a', a "
       "rotational flange"},
      {"rotational with translational",
       pendulum("  in: {type: Rotational.Inertia, J: 1}\n"
                "  mass: {type: Translational.Mass, m: 1}\n",
                "  - [in.flange_a, mass.flange_a]\n"),
       "model.yaml:9:19: error: cannot connect 'in.flange_a', a rotational flange, with "
       "'mass.flange_a', a translational flange"},
      {"connection of one item", pendulum("", "  - [b1.frame_a]\n"),
       "model.yaml:7:5: error: a connection must be a list of two connectors, as [a.frame_b, "
       "b.frame_a], found a list of 1"},
      {"connection is no list", pendulum("", "  - b1.frame_a\n"),
       "model.yaml:7:5: error: a connection must be a list of two connectors, as [a.frame_b, "
       "b.frame_a], found 'b1.frame_a'"},
      {"frame to itself", pendulum("", "  - [b1.frame_a, b1.frame_a]\n"),
       "model.yaml:7:18: error: 'b1.frame_a' is connected to itself"},
      {"open joint frame", pendulum("  j2: {type: Revolute}\n", "  - [b1.frame_a, j2.frame_a]\n"),
       "model.yaml:4:3: error: Revolute 'j2': 'j2.frame_b' is connected to nothing, so that it "
       "moves no mass"},
      {"massless joint",
       pendulum("  j2: {type: Revolute}\n"
                "  rod: {type: FixedTranslation, r: [1, 0, 0]}\n",
                "  - [b1.frame_a, j2.frame_a]\n"
                "  - [j2.frame_b, rod.frame_a]\n"),
       "model.yaml:4:3: error: Revolute 'j2': moves no mass: nothing with inertia hangs on it "
       "along its free direction"},
      {"include missing", pendulum("", "", "include: [nowhere.yaml]\n"),
       "model.yaml:1:11: error: cannot read the included file 'nowhere.yaml'"},
      {"parameter cycle", pendulum("", "", "parameters: {a: 2*b, b: a+1}\n"),
       "model.yaml:1:14: error: parameters must not depend on themselves: a -> b -> a"},
      {"expr unknown name", pendulum("", "", "parameters: {a: \"2*lenght\"}\n"),
       "model.yaml:1:20: error: unknown name 'lenght'"},
      {"expr unknown function", pendulum("", "", "parameters: {a: \"sinn(2)\"}\n"),
       "model.yaml:1:18: error: unknown function 'sinn'; did you mean 'sin'?"},
      {"expr syntax", pendulum("", "", "parameters: {a: \"2*(3+\"}\n"),
       "model.yaml:1:23: error: expected an operand after '+', found end of expression"},
      {"expr division by zero", pendulum("", "", "parameters: {a: \"1/0\"}\n"),
       "model.yaml:1:19: error: division by zero in '1/0'"},
      {"expr wrong type",
       pendulum("  b2: {type: Body, m: \"1 < 2\"}\n", "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:23: error: Body 'b2': 'm' must be a number, found true"},
      {"expr wrong args", pendulum("", "", "parameters: {a: \"atan2(1)\"}\n"),
       "model.yaml:1:23: error: 'atan2' takes 2 arguments, found 1"},
      {"sqrt neg", pendulum("", "", "parameters: {a: \"sqrt(-1)\"}\n"),
       "model.yaml:1:18: error: square root of -1 in 'sqrt(-1)'"},
      {"1e999", pendulum("  b2: {type: Body, m: 1e999}\n", "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:23: error: number '1e999' is out of range"},
      {"deg in degree",
       "components:\n"
       "  f: {type: FixedRotation, angle: \"30*deg\"}\n"
       "  b1: {type: Body}\n"
       "connections:\n"
       "  - [world.frame_b, f.frame_a]\n"
       "  - [f.frame_b, b1.frame_a]\n",
       "model.yaml:2:35: error: FixedRotation 'f': 'angle' is in degrees: write 30, not "
       "\"30*deg\""},
      {"missing input", pendulum("  f: {type: WorldForce}\n", "  - [b1.frame_a, f.frame_b]\n"),
       "model.yaml:4:3: error: WorldForce 'f': input 'force' is not bound: give it a number or an "
       "expression, or connect an output"},
      {"driven twice",
       pendulum("  k: {type: Blocks.Constant, k: 1}\n"
                "  g: {type: Blocks.Gain, k: 1, u: 3}\n",
                "  - [k.y, g.u]\n"),
       "model.yaml:9:6: error: Blocks.Gain 'g': input 'u' is driven twice"},
      {"driven twice conn",
       pendulum("  k: {type: Blocks.Constant, k: 1}\n"
                "  g: {type: Blocks.Gain, k: 1}\n",
                "  - [k.y, g.u]\n"
                "  - [k.y, g.u]\n"),
       "model.yaml:10:6: error: Blocks.Gain 'g': input 'u' is driven twice"},
      {"no output",
       pendulum("  k: {type: Blocks.Constant, k: 1}\n"
                "  g: {type: Blocks.Gain, k: 1}\n",
                "  - [k.k, g.u]\n"),
       "model.yaml:9:6: error: 'k.k' is no output, so it cannot drive 'g.u'; did you mean 'k.y'?"},
      {"sensor output not enabled",
       pendulum("  s: {type: AbsoluteSensor, get_r: true}\n",
                "  - [b1.frame_a, s.frame_a]\n"
                "outputs: [s.v]\n"),
       "model.yaml:9:11: error: no variable 's.v'; did you mean 's.r'?"},
      {"frame_b for AbsoluteSensor",
       pendulum("  s: {type: AbsoluteSensor, get_v: true, resolveInFrame: frame_b}\n",
                "  - [b1.frame_a, s.frame_a]\n"),
       "model.yaml:4:58: error: AbsoluteSensor 's': 'resolveInFrame' must be one of world, "
       "frame_a, frame_resolve, found 'frame_b'; did you mean 'frame_a'?"},
      {"wrong enumeration",
       pendulum("  s: {type: AbsoluteSensor, get_v: true, resolveInFrame: wrold}\n",
                "  - [b1.frame_a, s.frame_a]\n"),
       "model.yaml:4:58: error: AbsoluteSensor 's': 'resolveInFrame' must be one of world, "
       "frame_a, frame_resolve, found 'wrold'; did you mean 'world'?"},
      {"contradictory fixed",
       "components:\n"
       "  j1: {type: Revolute, phi: {start: 0.1, fixed: true}}\n"
       "  b1: {type: Body, m: 1, r_0: {start: [1, 0, 0], fixed: true}}\n"
       "connections:\n"
       "  - [world.frame_b, j1.frame_a]\n"
       "  - [j1.frame_b, b1.frame_a]\n",
       "model.yaml:3:3: error: Body 'b1': 'r_0[1]' is fixed at 1 but the other fixed values lead "
       "to 0"},
      {"unknown output", pendulum("", "outputs: [j1.psi]\n"),
       "model.yaml:7:11: error: no variable 'j1.psi'; did you mean 'j1.phi'?"},
      {"negative interval", pendulum("", "simulation: {stop: 1, interval: -0.1}\n"),
       "model.yaml:7:33: error: simulation: 'interval' must be greater than 0, found -0.1"},
      {"stop before start", pendulum("", "simulation: {start: 2, stop: 1}\n"),
       "model.yaml:7:30: error: simulation: 'stop' must be greater than 'start' (2), found 1"},
      {"zero tolerance", pendulum("", "simulation: {tolerance: 0}\n"),
       "model.yaml:7:25: error: simulation: 'tolerance' must be greater than 0 and less than 1, "
       "found 0"},
      {"unknown simulation key", pendulum("", "simulation: {stopp: 1}\n"),
       "model.yaml:7:14: error: unknown key of simulation: 'stopp'; did you mean 'stop'? known are "
       "impact, integrator, interval, start, step, stop, tolerance"},
      {"bare start",
       pendulum("  j2: {type: Revolute, phi: 0.1}\n"
                "  b2: {type: Body}\n",
                "  - [b1.frame_a, j2.frame_a]\n"
                "  - [j2.frame_b, b2.frame_a]\n"),
       "model.yaml:4:29: error: Revolute 'j2': 'phi' must be a map, as {start: 0.1, fixed: true}, "
       "found '0.1'"},
      {"start too long",
       pendulum("  j2: {type: Revolute, phi: {start: [1, 2]}}\n"
                "  b2: {type: Body}\n",
                "  - [b1.frame_a, j2.frame_a]\n"
                "  - [j2.frame_b, b2.frame_a]\n"),
       "model.yaml:4:37: error: Revolute 'j2': 'phi.start' must be a number, found a list of 2"},
      {"unbound frame_resolve",
       pendulum("  f: {type: WorldForce, resolveInFrame: frame_resolve, force: [1, 0, 0]}\n",
                "  - [b1.frame_a, f.frame_b]\n"),
       "model.yaml:4:3: error: WorldForce 'f': nothing places 'f.frame_resolve': connect it to the "
       "world, directly or through joints and parts, or attach a body"},
      {"table order",
       pendulum("  t: {type: Blocks.CombiTimeTable, table: [[0, 1], [2, 3], [1, 4]]}\n"),
       "model.yaml:4:43: error: Blocks.CombiTimeTable 't': 'table' must not fall in its first "
       "column"},
      {"number for boolean",
       pendulum("  j2: {type: Revolute, useAxisFlange: 3}\n"
                "  b2: {type: Body}\n",
                "  - [b1.frame_a, j2.frame_a]\n"
                "  - [j2.frame_b, b2.frame_a]\n"),
       "model.yaml:4:39: error: Revolute 'j2': 'useAxisFlange' must be true or false, found 3"},
      {"float integer",
       pendulum("  b2: {type: Body, sequence_start: [1.5, 2, 3]}\n",
                "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:37: error: Body 'b2': 'sequence_start' must be whole numbers, found 1.5"},
      {"component named world",
       "components:\n"
       "  world: {type: Fixed}\n",
       "model.yaml:2:3: error: component name 'world' is the World's; its parameters stand under "
       "'world:'"},
      {"world n zero", pendulum("", "", "world: {n: [0, 0, 0]}\n"),
       "model.yaml:1:12: error: World 'world': 'n' must not be the zero vector"},
      {"variable unknown", pendulum("", "variables: {x: \"j1.phii\"}\n"),
       "model.yaml:7:17: error: unknown name 'j1.phii'; did you mean 'j1.phi'?"},
      {"tab",
       "components:\n"
       "\tj1: {type: Revolute}\n",
       "model.yaml:2:1: error: lines must be indented with spaces, found a tab"},
      {"unclosed", "components: {j1: {type: Revolute\n",
       "model.yaml:2:1: error: a map opened with '{' must have ',' between its entries and end "
       "with '}'"},
      {"nesting 1000", "parameters: {a: " + std::string(1000, '[') + std::string(1000, ']') + "}\n",
       "model.yaml:1:117: error: lists and maps must not be nested deeper than 100"},
      {"anchor", "parameters: {a: &x 1, b: *y}\n",
       "model.yaml:1:26: error: an alias must repeat a value that has an anchor"},
      {"submodel self",
       "submodels: {S: {components: {s: {type: S}}}}\n"
       "components:\n"
       "  s: {type: S}\n",
       "model.yaml:1:40: error: a submodel must not contain itself: S -> S"},
      {"loop not closable",
       "components:\n"
       "  j1: {type: Revolute}\n"
       "  j2: {type: Revolute}\n"
       "  f1: {type: FixedTranslation, r: [1, 0, 0]}\n"
       "  f2: {type: FixedTranslation, r: [5, 0, 0]}\n"
       "  b1: {type: Body}\n"
       "connections:\n"
       "  - [world.frame_b, j1.frame_a]\n"
       "  - [j1.frame_b, f1.frame_a]\n"
       "  - [world.frame_b, f2.frame_a]\n"
       "  - [f2.frame_b, j2.frame_a]\n"
       "  - [j2.frame_b, f1.frame_b]\n"
       "  - [f1.frame_b, b1.frame_a]\n",
       "model.yaml:3:3: error: Revolute 'j2': its loop cannot be closed: a gap of 4 m remains "
       "between its frames; joints of the loop: 'j2', 'j1'"},
      {"case of a key",
       pendulum("  b2: {type: Body, r_Cm: [1, 0, 0]}\n", "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:20: error: Body 'b2': unknown key 'r_Cm'; did you mean 'r_CM'? known keys: "
       "I_11, I_21, I_22, I_31, I_32, I_33, a_0, angles_fixed, angles_start, animation, "
       "cylinderColor, cylinderDiameter, enforceStates, m, orientationStates, r_0, r_CM, "
       "sequence_angleStates, sequence_start, specularCoefficient, sphereColor, sphereDiameter, "
       "useQuaternions, v_0, w_0_fixed, w_0_start, z_0_fixed, z_0_start"},
      {"overflow", pendulum("", "", "parameters: {a: \"1e300*1e300\"}\n"),
       "model.yaml:1:23: error: overflow in '1e+300*1e+300'"},
      {"negative inertia",
       pendulum("  b2: {type: Body, I_11: -1}\n", "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:26: error: Body 'b2': 'I_11' must be at least 0, found -1"},
      {"no inertia tensor",
       pendulum("  b2: {type: Body, I_11: 1, I_22: 1, I_33: 1, I_21: 5}\n",
                "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:26: error: Body 'b2': 'I_11' to I_32 must be a positive semidefinite inertia "
       "tensor, its smallest eigenvalue is -4 kg.m2"},
      {"negative stiffness",
       pendulum("  k: {type: Spring, c: -1}\n",
                "  - [world.frame_b, k.frame_a]\n"
                "  - [b1.frame_a, k.frame_b]\n"),
       "model.yaml:4:24: error: Spring 'k': 'c' must be at least 0, found -1"},
      {"wrong size of an input is not unbound, too",
       pendulum("  f: {type: WorldForce, force: [1, 2]}\n", "  - [b1.frame_a, f.frame_b]\n"),
       "model.yaml:4:32: error: WorldForce 'f': 'force' must be a list of 3 numbers or "
       "expressions, "
       "or one expression, found a list of 2"},
      {"number for a Boolean input", pendulum("  s: {type: Blocks.Switch, u1: 1, u2: 3, u3: 2}\n"),
       "model.yaml:4:39: error: Blocks.Switch 's': 'u2' must be true, false or a Boolean "
       "expression, found 3"},
      {"not a number", pendulum("  b2: {type: Body, m: .nan}\n", "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:23: error: a number must be finite, found '.nan'"},
      {"infinite", pendulum("", "", "parameters: {a: -.inf}\n"),
       "model.yaml:1:18: error: a number must be finite, found '.inf'"},
      {"unknown type of a connected component",
       "components:\n"
       "  j1: {type: Revolut}\n"
       "  b1: {type: Body, m: 1}\n"
       "connections:\n"
       "  - [world.frame_b, j1.frame_a]\n"
       "  - [j1.frame_b, b1.frame_c]\n",
       "model.yaml:2:14: error: component 'j1': unknown type 'Revolut'; did you mean 'Revolute'?"},
      {"type of an everyday name",
       "components:\n"
       "  j1: {type: Hinge}\n",
       "model.yaml:2:14: error: component 'j1': unknown type 'Hinge'; did you mean 'Revolute'?"},
      {"type that nothing speaks of",
       "components:\n"
       "  j1: {type: Flubber}\n",
       "model.yaml:2:14: error: component 'j1': unknown type 'Flubber'; 'cardan components' lists "
       "all"},
      {"key that is a word of a description",
       pendulum("  b2: {type: BodyCylinder, r: [1, 0, 0], mass: 3}\n",
                "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:42: error: BodyCylinder 'b2': unknown key 'mass'; did you mean 'density' "
       "(density "
       "of the material, from which the mass follows)? known keys: a_0, angles_fixed, "
       "angles_start, animation, collide, color, density, diameter, enforceStates, innerDiameter, "
       "length, lengthDirection, material, orientationStates, r, r_0, r_shape, "
       "sequence_angleStates, sequence_start, "
       "specularCoefficient, useQuaternions, v_0, w_0_fixed, w_0_start, z_0_fixed, z_0_start"},
      {"name of a colour",
       pendulum("  b2: {type: BodyBox, r: [1, 0, 0], color: red}\n",
                "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:44: error: BodyBox 'b2': 'color' must be red, green and blue, each from 0 to "
       "255, "
       "found 'red'; did you mean '[255, 0, 0]'?"},
      {"word for a unit",
       pendulum("  b2: {type: BodyBox, r: [1, 0, 0], width: 5 centimeters}\n",
                "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:46: error: BodyBox 'b2': 'width' must be a number with its unit: unknown unit "
       "'centimeters'; did you mean 'cm'?"},
      {"tolerance without digits to meet it", pendulum("", "simulation: {tolerance: 1e-20}\n"),
       "model.yaml:7:25: error: simulation: 'tolerance' must not be below 2.2e-16, the precision "
       "of a "
       "double, found 1e-20"},
      {"connector without what follows from it",
       "components:\n"
       "  j1: {type: Revolute}\n"
       "  b1: {type: Body, m: 1}\n"
       "connections:\n"
       "  - [world.frame_b, j1.frame_a]\n"
       "  - [j1.frame_b, b1.frame_c]\n",
       "model.yaml:6:18: error: Body 'b1': no connector 'frame_c'; did you mean 'frame_a'? it has "
       "frame_a"},
      {"component of a connection without what follows from it",
       "components:\n"
       "  j1: {type: Revolute}\n"
       "  b1: {type: Body, m: 1}\n"
       "connections:\n"
       "  - [world.frame_b, j1.frame_a]\n"
       "  - [j1.frame_b, b2.frame_a]\n",
       "model.yaml:6:18: error: unknown component 'b2'; did you mean 'b1'?"},
      {"text of several lines",
       "variables: {x: 1}\n"
       "equations:\n"
       "  - |\n"
       "    2 +\n"
       "      time = x\n",
       "model.yaml:3:5: error: the model's equations must be as many as its unknowns, found 1 for "
       "0 "
       "unknowns: '2 + time = x' contains none of them"},
      {"key that is a description",
       pendulum("  p: {type: PointMass, mass: 1}\n", "  - [b1.frame_a, p.frame_a]\n"),
       "model.yaml:4:24: error: PointMass 'p': unknown key 'mass'; did you mean 'm'? known keys: "
       "a_0, animation, m, r_0, specularCoefficient, sphereColor, sphereDiameter, stateSelect, "
       "v_0"},
      {"ragged table",
       pendulum("  t: {type: Blocks.CombiTimeTable, table: [[0, 1], [2, 3, 4], [3, 4]]}\n"),
       "model.yaml:4:43: error: 't.table' must be a list of numbers or of rows of the same length, "
       "found values that differ in kind or size"},
      {"signals that leave themselves open",
       pendulum("  g: {type: Blocks.Gain, k: 1}\n"
                "  h: {type: Blocks.Gain, k: 1}\n",
                "  - [g.y, h.u]\n"
                "  - [h.y, g.u]\n"),
       "model.yaml:10:6: error: an algebraic loop of signals must determine its values; any value "
       "solves the one through 'g.u': break the loop, or change a gain in it"},
      {"expression without a value at the start",
       "components:\n"
       "  j1: {type: Revolute}\n"
       "  f1: {type: FixedTranslation, r: [1, 0, 0]}\n"
       "  b1: {type: Body, m: 1}\n"
       "  w1: {type: WorldForce, force: [0, 1/time, 0]}\n"
       "connections:\n"
       "  - [world.frame_b, j1.frame_a]\n"
       "  - [j1.frame_b, f1.frame_a]\n"
       "  - [f1.frame_b, b1.frame_a]\n"
       "  - [w1.frame_b, b1.frame_a]\n",
       "model.yaml:5:38: error: an expression must be finite at the start, found division by zero "
       "in '1/time' for 'w1.force' at time = 0 s"},
      {"rigid loop",
       pendulum("  f1: {type: FixedTranslation, r: [1, 0, 0]}\n"
                "  f2: {type: FixedTranslation, r: [2, 0, 0]}\n",
                "  - [b1.frame_a, f1.frame_a]\n"
                "  - [b1.frame_a, f2.frame_a]\n"
                "  - [f1.frame_b, f2.frame_b]\n"),
       "model.yaml:5:3: error: FixedTranslation 'f2': its loop cannot be closed: a gap of 1 m "
       "remains between its frames; the loop has no joint that could move"},
      {"world forgotten",
       "components:\n"
       "  rev: {type: Revolute}\n"
       "  body: {type: Body}\n"
       "connections:\n"
       "  - [rev.frame_b, body.frame_a]\n",
       "model.yaml:2:3: error: Revolute 'rev': 'rev.frame_a' is connected to nothing, so that it "
       "moves no mass, and 'body' floats"},
      {"lone damper", pendulum("  d: {type: Rotational.Damper, d: 1}\n"),
       "model.yaml:4:3: error: Rotational.Damper 'd': 'd.flange_a' and 'd.flange_b' are connected "
       "to nothing, so that nothing determines its motion"},
      {"lone sensor", pendulum("  s: {type: Rotational.AccSensor}\n"),
       "model.yaml:4:3: error: nothing with inertia determines the motion of 's.flange.phi'"},
      {"parameter of a variable", pendulum("  b2: {type: PointMass, m: 1+j1.w}\n"),
       "model.yaml:4:30: error: unknown name 'j1.w'; did you mean 'j1.n'?"},
      {"parameter of a variable with a start",
       "components:\n"
       "  j1: {type: Revolute, w: {fixed: true}}\n"
       "  b1: {type: Body, m: j1.w}\n"
       "connections:\n"
       "  - [world.frame_b, j1.frame_a]\n"
       "  - [j1.frame_b, b1.frame_a]\n",
       "model.yaml:3:23: error: 'j1.w' has no value before the run: a parameter cannot depend on a "
       "variable"},
      {"parameter of a variable of the model",
       pendulum("", "variables: {v: time}\n", "parameters: {p: 2*v}\n"),
       "model.yaml:1:19: error: 'v' has no value before the run: a parameter cannot depend on a "
       "variable"},
      {"output to output",
       pendulum("  s: {type: Blocks.Sine, amplitude: 2, f: 1}\n"
                "  g: {type: Blocks.Gain, k: 3, u: 1}\n",
                "  - [s.y, g.y]\n"),
       "model.yaml:9:11: error: cannot connect 's.y', an output, with 'g.y', an output: a "
       "connection leads from an output to an input; did you mean 'g.u'?"},
      {"output to frame",
       pendulum("  s: {type: Blocks.Sine, amplitude: 2, f: 1}\n", "  - [s.y, b1.frame_a]\n"),
       "model.yaml:8:11: error: cannot connect 's.y', an output, with 'b1.frame_a', a frame"},
      {"world for its frame", pendulum("", "  - [world, b1.frame_a]\n"),
       "model.yaml:7:6: error: a connection must name a connector, as 'world.frame_b', found the "
       "World"},
      {"another frame of the world", pendulum("", "  - [world.frame_a, b1.frame_a]\n"),
       "model.yaml:7:6: error: World 'world': no connector 'frame_a'; did you mean 'frame_b'? it "
       "has frame_b"},
      {"path of a type", pendulum("  g: {type: Modelica.Blocks.Math.Gain, u: 1}\n"),
       "model.yaml:4:13: error: component 'g': unknown type 'Modelica.Blocks.Math.Gain'; did you "
       "mean 'Blocks.Gain'?"},
      {"submodel misspelt",
       pendulum("  a: {type: Grippr}\n", "",
                "submodels: {Gripper: {components: {b: {type: Fixed}}}}\n"),
       "model.yaml:5:13: error: component 'a': unknown type 'Grippr'; did you mean 'Gripper'?"},
      {"submodel with a name of the catalogue",
       pendulum("", "", "submodels: {Damper: {components: {b: {type: Fixed}}}}\n"),
       "model.yaml:1:13: error: submodel name 'Damper' is taken: it is a type of the catalogue; "
       "give "
       "the submodel another one"},
      {"unit behind a number",
       pendulum("  b2: {type: Body, m: 2*1 kg}\n", "  - [b1.frame_a, b2.frame_a]\n"),
       "model.yaml:4:27: error: expected an operator, found 'kg'; a unit stands behind a number "
       "that is the whole value and a blank, as in '30 deg'"},
      {"a forgotten sign", pendulum("", "", "parameters: {a: 2 pi}\n"),
       "model.yaml:1:19: error: expected an operator, found 'pi'; write '2*pi'"},
      {"capital Boolean",
       pendulum("  j2: {type: Revolute, useAxisFlange: True}\n"
                "  b2: {type: Body}\n",
                "  - [b1.frame_a, j2.frame_a]\n"
                "  - [j2.frame_b, b2.frame_a]\n"),
       "model.yaml:4:39: error: Revolute 'j2': 'useAxisFlange' must be true or false, found "
       "'True'; did you mean 'true'?"},
      {"merge key",
       "components:\n"
       "  b: &B {type: Body, m: 1}\n"
       "  b2: {<<: B, m: 3}\n",
       "model.yaml:3:12: error: '<<' must have a map or a list of maps behind it, as '<<: *link', "
       "found 'B'"},
      {"fewer equations than unknowns",
       pendulum("", "equations: [\"x + y = 1\"]\n", "variables: {x: {}, y: {}}\n"),
       "model.yaml:1:20: error: the model's equations must be as many as its unknowns, found 1 for "
       "2 unknowns: no equation is left for 'y'"},
      {"variable with a component's name", pendulum("", "variables: {j1.phi: 7*time}\n"),
       "model.yaml:7:13: error: name 'j1.phi' is taken: component 'j1' has a variable of this "
       "name; give the model's variable another one\n"
       "model.yaml:2:3: note: 'j1' stands here"},
      {"parameter with a component's name", pendulum("", "", "parameters: {b1.m: 7}\n"),
       "model.yaml:1:14: error: name 'b1.m' is taken: component 'b1' has a parameter of this name; "
       "give the model's parameter another one\n"
       "model.yaml:4:3: note: 'b1' stands here"},
      {"types, connections and outputs in one go",
       pendulum("  b2: {type: Bodyy}\n"
                "  b3: {type: Revolut, phi: {start: 1}}\n",
                "  - [b2.frame_a, b3.frame_a]\n"
                "  - [b1.frame_a, j1.frame_c]\n"
                "variables: {good: 2*b2.x, bad: 2*j1.psi}\n"
                "outputs: [j1.psi, b2.x, good]\n"),
       "model.yaml:4:14: error: component 'b2': unknown type 'Bodyy'; did you mean 'Body'?\n"
       "model.yaml:5:14: error: component 'b3': unknown type 'Revolut'; did you mean 'Revolute'?\n"
       "model.yaml:10:18: error: Revolute 'j1': no connector 'frame_c'; did you mean 'frame_a'? it "
       "has frame_a, frame_b\n"
       "model.yaml:11:34: error: unknown name 'j1.psi'; did you mean 'j1.phi'?\n"
       "model.yaml:12:11: error: no variable 'j1.psi'; did you mean 'j1.phi'?"},
      {"force beyond all numbers",
       pendulum("  t: {type: Rotational.ConstantTorque, tau_constant: 1e300}\n"
                "  i: {type: Rotational.Inertia, J: 1}\n",
                "  - [t.flange, i.flange_a]\n"),
       "model.yaml:4:54: error: Rotational.ConstantTorque 't': 'tau_constant' must be less than "
       "1e+150 in size, found 1e+300"},
      {"a run without room for steps", pendulum("", "simulation: {stop: 1e-300}\n"),
       "model.yaml:7:20: error: simulation: 'stop' must be farther from 'start' (0): numbers "
       "cannot "
       "resolve steps within 1e-300 s there, found 1e-300"},
      {"several at once",
       pendulum("  b2: {type: Body, m: -1}\n"
                "  b3: {type: Body, r_CM: 1}\n",
                "  - [b1.frame_a, b2.frame_a]\n"
                "  - [b1.frame_a, b3.frame_b]\n"),
       "model.yaml:4:23: error: Body 'b2': 'm' must be at least 0, found -1\n"
       "model.yaml:5:26: error: Body 'b3': 'r_CM' must be a vector of 3 numbers, found 1\n"
       "model.yaml:10:18: error: Body 'b3': no connector 'frame_b'; did you mean 'frame_a'? it "
       "has frame_a"},
  };
}

}  // namespace

TEST_CASE("wrong models: each is refused with the exact message") {
  const std::vector<WrongModel> models = wrongModels();
  CHECK(models.size() >= 40);
  for (const WrongModel& m : models) {
    CAPTURE(m.subject);
    CHECK(messageOfWrongModels(m.text) == m.message);
  }
}

/// The text once the first proposal of the message is followed: what it calls wrong, at its place or
/// behind it, becomes what it says was meant; "" where the message proposes nothing that stands there.
std::string asProposed(const std::string& text, const std::string& message) {
  const std::string proposal = "; did you mean '";
  const size_t at = message.find(proposal);
  if (at == std::string::npos) return "";
  const size_t from = at + proposal.size();
  const std::string meant = message.substr(from, message.find('\'', from) - from);
  const size_t close = message.rfind('\'', at), open = message.rfind('\'', close - 1);
  std::string wrong = message.substr(open + 1, close - open - 1);
  int line = 0, column = 0;
  if (std::sscanf(message.c_str(), "model.yaml:%d:%d:", &line, &column) != 2) return "";
  size_t place = 0;
  for (int l = 1; l < line; ++l) place = text.find('\n', place) + 1;
  // "phi.strat" stands as strat in the map of phi.
  for (; !wrong.empty(); wrong.erase(0, std::min(wrong.find('.'), wrong.size() - 1) + 1)) {
    const size_t found = text.find(wrong, place + column - 1);
    if (found >= text.find('\n', place)) continue;
    return std::string(text).replace(found, wrong.size(), meant);
  }
  return "";
}

TEST_CASE("wrong models: who does what a message proposes gets rid of it") {
  int proposals = 0;
  for (const WrongModel& m : wrongModels()) {
    std::istringstream lines(m.message);
    for (std::string line; std::getline(lines, line);) {
      const std::string changed = asProposed(m.text, line);
      if (changed.empty()) continue;
      CAPTURE(m.subject);
      CAPTURE(changed);
      ++proposals;
      const std::string rule = line.substr(line.find("error: "));
      CHECK(messageOfWrongModels(changed).find(rule) == std::string::npos);
    }
  }
  CHECK(proposals > 20);
}

TEST_CASE("wrong files: text that is no model is refused") {
  CHECK(messageOfWrongModels("") == "model.yaml: error: the file must not be empty");
  CHECK(messageOfWrongModels(std::string("\x00\x01\x02", 3) + "\xff\xfe") ==
        "model.yaml:1:1: error: the file must be text, found the control character 0x00");
  CHECK(messageOfWrongModels("- a\n- b\n") ==
        "model.yaml:1:1: error: a model file must be a map of sections, found a list of 2");
  for (char bracket : {'[', '{'}) {
    const std::string deep(10 * 1024 * 1024, bracket);
    CHECK(messageOfWrongModels(deep) ==
          "model.yaml:1:101: error: lists and maps must not be nested deeper than 100");
  }
}

TEST_CASE("wrong files: a missing one and a folder are named") {
  CHECK(messageOfFile("nowhere.yaml") ==
        "nowhere.yaml: error: cannot read the file: No such file or directory");
  CHECK(messageOfFile(CARDAN_SOURCE_DIR "/models") == CARDAN_SOURCE_DIR
        "/models: error: cannot read the file: Is a directory");
}

TEST_CASE("wrong files: includes that go round in a circle are shown as one") {
  const test::Folder folder;
  const std::string a = folder.write("a.yaml", "include: [b.yaml]\n" + pendulum());
  folder.write("b.yaml", "include: [a.yaml]\n");
  CHECK(folder.shortened(messageOfFile(a)) ==
        "b.yaml:1:11: error: a file must not include itself: a.yaml -> b.yaml -> a.yaml");
}

TEST_CASE(
    "wrong models: many misspelt outputs are all named, the first ones with the nearest name") {
  std::string outputs, message;
  for (int i = 0; i < 300; ++i) {
    outputs += (i > 0 ? ",\n  " : "") + std::string("j1.ph") + "x";
    message += (i > 0 ? "\nmodel.yaml:" : "model.yaml:") + std::to_string(7 + i) +
               (i > 0 ? ":3" : ":11") + ": error: no variable 'j1.phx'" +
               (i < 20 ? "; did you mean 'j1.phi'?" : "");
  }
  CHECK(messageOfWrongModels(pendulum("", "outputs: [" + outputs + "]\n")) == message);
}

TEST_CASE("warnings: what can run but is hardly meant is named") {
  const auto warningsOf = [](const std::string& text) {
    return Simulation::fromText(catalogue(), text).warnings().format();
  };
  CHECK(warningsOf(pendulum()) == "");
  CHECK(warningsOf(pendulum("  i: {type: Rotational.Inertia, J: 1}\n"
                            "  d: {type: Rotational.Damper, d: 1}\n",
                            "  - [i.flange_a, d.flange_a]\n")) ==
        "model.yaml:5:3: warning: Rotational.Damper 'd': 'd.flange_b' is connected to nothing");
  CHECK(warningsOf(pendulum("  b2: {type: Body, I_11: 1, I_22: 0.01, I_33: 0.01}\n",
                            "  - [b1.frame_a, b2.frame_a]\n")) ==
        "model.yaml:4:26: warning: Body 'b2': no body has such an inertia tensor: its principal "
        "moments are 0.01, 0.01 and 1, the last above the sum of the others");
  CHECK(warningsOf("components:\n"
                   "  j1: {type: Revolute, phi: {start: 30}}\n"
                   "  b1: {type: Body}\n"
                   "connections:\n"
                   "  - [world.frame_b, j1.frame_a]\n"
                   "  - [j1.frame_b, b1.frame_a]\n") ==
        "model.yaml:2:37: warning: Revolute 'j1': 'phi.start' is in rad: 30 are 1719 degrees; did "
        "you mean \"30*deg\"?");
  CHECK(warningsOf(pendulum("", "simulation: {stop: 20, interval: 1e-6}\n")) ==
        "model.yaml:7:34: warning: simulation: 'interval' asks for 2e+07 rows");
}
