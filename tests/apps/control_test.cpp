// cardan lqr, and the curves of cardan linearize: what they write runs, holds, and says what is wrong.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/analysis/eigenvalues.h"
#include "engine/results/result_table.h"
#include "tests/apps/process.h"

using test::contains;
using test::Folder;
using test::Process;

namespace {

constexpr const char* kCartPole = R"yaml(
model: CartPole
inputs: {u: 0}
components:
  track: {type: Prismatic, useAxisFlange: true, s: {fixed: true}, v: {fixed: true}}
  motor: {type: Translational.Force, f: u}
  cart: {type: Body, m: 1}
  pivot: {type: Revolute, phi: {fixed: true}, w: {fixed: true}}
  pole: {type: BodyBox, r: [0, 0.5, 0], width: 0.03, density: 1000}
connections:
  - [world.frame_b, track.frame_a]
  - [motor.flange, track.axis]
  - [track.frame_b, cart.frame_a]
  - [cart.frame_a, pivot.frame_a]
  - [pivot.frame_b, pole.frame_a]
simulation: {stop: 15}
outputs: [track.s, pivot.phi, u]
)yaml";

constexpr const char* kDrone = R"yaml(
model: Drone
inputs: {lift: 14.715, tau: {size: 3}}
world: {g: 9.81, n: [0, 0, -1]}
components:
  body: {type: Body, m: 1.5, r_CM: [0, 0, 0], I_11: 0.02, I_22: 0.02, I_33: 0.03, r_0: {fixed: true},
         v_0: {fixed: true}, angles_fixed: true, w_0_fixed: true}
  push: {type: ForceAndTorque, force: [0, 0, lift], torque: tau, resolveInFrame: frame_b}
connections: [[world.frame_b, push.frame_a], [push.frame_b, body.frame_a]]
simulation: {stop: 25}
outputs: [body.r_0, body.w_a, lift, tau]
)yaml";

/// 12/((s^2 + 0.1 s + 4) (s + 3)).
constexpr const char* kPlant = R"yaml(
model: Plant
inputs: {u: 0}
variables: {x: {start: 0, fixed: true}, v: {start: 0, fixed: true}, z: {start: 0, fixed: true}, push: "z + u/2"}
equations: ["der(x) = v", "der(v) = -4*x - 0.1*v + 4*z", "der(z) = -3*z + 3*u"]
simulation: {stop: 10}
outputs: [x]
)yaml";

Process run(const Folder& folder, const std::string& arguments) {
  folder.write("cart_pole.yaml", kCartPole);
  folder.write("drone.yaml", kDrone);
  folder.write("plant.yaml", kPlant);
  Process p = test::runCardan(folder, arguments);
  CAPTURE(arguments);
  CAPTURE(p.err);
  return p;
}

}  // namespace

TEST_CASE("cardan lqr: the model that it writes balances its pole, also with samples") {
  for (const char* how : {"", " --sample 0.02"}) {
    CAPTURE(how);
    const Folder folder;
    const std::string lqr = "lqr cart_pole.yaml --at-equilibrium -u u -Q '**=1' -R u=0.5 -q";
    const Process p = run(folder, lqr + how + " -o held.yaml");
    REQUIRE(p.code == 0);
    CHECK(contains(p.out, "gains to u"));
    REQUIRE(test::runCardan(folder, "simulate held.yaml --set pivot.phi.start=0.3 -o r.csv").code ==
            0);
    const cardan::ResultTable rows = cardan::ResultTable::read(folder / "r.csv");
    CHECK(std::abs(rows.find("pivot.phi")->back()) < 1e-3);
    CHECK(std::abs(rows.find("track.s")->back()) < 1e-2);
    REQUIRE(run(folder, lqr + how + " -o gains.json").code == 0);
    const auto gains = nlohmann::json::parse(folder.read("gains.json"));
    // Weight 1 of the cart's place, 0.5 of its force: without samples its gain is -sqrt(1/0.5).
    const double ofPlace = gains["K"][0][0];
    CHECK(ofPlace == doctest::Approx(-std::sqrt(2.0)).epsilon(*how == 0 ? 1e-9 : 0.2));
    CHECK(gains["states"][0]["name"] == "track.s");
    CHECK(gains["poles"].size() == 4);
    CHECK(gains.contains("sample") == (*how != 0));
  }
}

TEST_CASE("cardan lqr: with an observer the pole is balanced by what is measured alone") {
  const Folder folder;
  // Names that the observer has for its own states, outputs and itself are taken.
  folder.write("taken.yaml", std::string(kCartPole) +
                                 "variables: {x: track.s, y: pivot.phi, observer: 2, observed: 1}\n"
                                 "submodels: {Observer: {parameters: {A: 1}}}\n");
  const std::string lqr =
      "lqr taken.yaml --at-equilibrium -u u -y x -y y -Q '**=1' -R u=0.5 --process-noise '**=1' "
      "--measurement-noise '**=1e-4' ";
  REQUIRE(run(folder, lqr + "-o held.yaml -q").code == 0);
  REQUIRE(test::runCardan(folder,
                          "simulate held.yaml --set pivot.phi.start=0.15 -o r.csv --stop-time 30")
              .code == 0);
  const cardan::ResultTable rows = cardan::ResultTable::read(folder / "r.csv");
  CHECK(rows.find("pivot.phi")->front() == 0.15);
  CHECK(std::abs(rows.find("pivot.phi")->back()) < 1e-3);
  CHECK(std::abs(rows.find("track.s")->back()) < 1e-2);
  // Separation: modes of the whole are those of the controller and those of the observer.
  REQUIRE(run(folder, lqr + "-o gains.json -q").code == 0);
  REQUIRE(test::runCardan(folder, "linearize held.yaml --at-equilibrium -o whole.json -q").code ==
          0);
  const auto gains = nlohmann::json::parse(folder.read("gains.json"));
  const auto whole = nlohmann::json::parse(folder.read("whole.json"));
  REQUIRE(whole["states"].size() == 8);
  REQUIRE(gains["observerPoles"].size() == 4);
  CHECK(gains["L"].size() == 4);
  Eigen::MatrixXd A(8, 8);
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) A(i, j) = whole["A"][i][j];
  }
  const Eigen::VectorXcd found = cardan::eigenpairs(A).values;
  for (const char* part : {"poles", "observerPoles"}) {
    for (const auto& z : gains[part]) {
      const std::complex<double> pole(z[0], z[1]);
      CAPTURE(pole.real());
      CHECK((found.array() - pole).abs().minCoeff() < 1e-6 * found.cwiseAbs().maxCoeff());
    }
  }
}

TEST_CASE("cardan lqr: a digital controller with an observer is its recursion, sample by sample") {
  const Folder folder;
  const double h = 0.05;
  // The second output shows the input as it is behind the sample.
  const std::string lqr =
      "lqr plant.yaml -u u -y x -y push -Q '**=1' -R u=0.2 --process-noise '**=1' "
      "--measurement-noise '**=0.01' --sample 0.05 -q ";
  REQUIRE(run(folder, lqr + "-o held.yaml").code == 0);
  REQUIRE(run(folder, lqr + "-o gains.json").code == 0);
  REQUIRE(
      run(folder, "linearize plant.yaml -u u -y x -y push --sample 0.05 -o plant.json -q").code ==
      0);
  REQUIRE(test::runCardan(folder,
                          "simulate held.yaml --set x.start=1 --tolerance 1e-11 "
                          "--output-interval 0.05 --stop-time 1 -o r.csv")
              .code == 0);
  const auto gains = nlohmann::json::parse(folder.read("gains.json"));
  const auto plant = nlohmann::json::parse(folder.read("plant.json"));
  const auto matrix = [](const nlohmann::json& rows) {
    Eigen::MatrixXd m(std::ssize(rows), std::ssize(rows[0]));
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
      for (Eigen::Index j = 0; j < m.cols(); ++j) m(i, j) = rows[i][j];
    }
    return m;
  };
  const Eigen::MatrixXd A = matrix(plant["A"]), B = matrix(plant["B"]), C = matrix(plant["C"]),
                        D = matrix(plant["D"]), K = matrix(gains["K"]), L = matrix(gains["L"]);
  const cardan::ResultTable rows = cardan::ResultTable::read(folder / "r.csv");
  const std::vector<double>& found = *rows.find("x");
  const std::vector<double>& time = rows.time;
  Eigen::VectorXd x = Eigen::Vector3d(1, 0, 0), seen = Eigen::Vector3d::Zero();
  size_t row = 0;
  for (int k = 0; k * h < 1 - 1e-9; ++k) {
    while (row + 1 < time.size() && time[row] < k * h - 1e-9) ++row;
    CAPTURE(k);
    CHECK(found[row] == doctest::Approx(x[0]).epsilon(1e-7));
    const Eigen::VectorXd u = -K * seen, y = C * x + D * u;
    seen = A * seen + B * u + L * (y - C * seen - D * u);
    x = A * x + B * u;
  }
  for (const char* part : {"poles", "observerPoles"}) {
    for (const auto& z : gains[part]) CHECK(std::abs(std::complex<double>(z[0], z[1])) < 1);
  }
}

TEST_CASE("cardan lqr --leave: a bicycle goes on at its speed, and is held upright by its bar") {
  const Folder folder;
  folder.write("bike.yaml", "extends: " CARDAN_SOURCE_DIR
                            "/models/vehicles/bicycle.yaml\n"
                            R"(
inputs: {tau: 0}
set: {push: 0, v: 3.5}
components:
  steering: {useAxisFlange: true}
  hands: {type: Rotational.Torque, tau: tau}
connections: [[hands.flange, steering.axis]]
outputs: [lean, steer]
)");
  const std::string lqr = "lqr bike.yaml -u tau -Q 'free.phi[1]=100' -Q steering.phi=1 ";
  const Process all = run(folder, lqr);
  CHECK(all.code == 1);
  CHECK(contains(all.err, "the free movement of 'free.r_rel_a[1]' is not reached by the inputs"));
  const std::string goesOn = "--leave 'free.r_rel_a*;free.v_rel_a*;rearHub.*;frontHub.*;";
  const Process lean = run(folder, lqr + goesOn + "steering.phi'");
  CHECK(lean.code == 1);
  CHECK(contains(lean.err, "'steering.phi' cannot be left alone: '"));
  const Process none = run(folder, lqr + "--leave fork.*");
  CHECK(none.code == 2);
  CHECK(contains(none.err, "--leave: no state 'fork.*'"));
  REQUIRE(run(folder, lqr + goesOn + "free.phi[3]' -o held.yaml -q").code == 0);
  const auto leanAtTheEnd = [&](const std::string& model) {
    REQUIRE(test::runCardan(folder, "simulate " + model + " --set push=20 -o r.csv -q").code == 0);
    return std::abs(cardan::ResultTable::read(folder / "r.csv").find("lean")->back());
  };
  CHECK(leanAtTheEnd("held.yaml") < 1e-3);
  CHECK(leanAtTheEnd("bike.yaml") > 1e-2);  // without hands the weave grows
}

TEST_CASE("cardan lqr: what was set on the command line is set in the model that it writes") {
  const Folder folder;
  REQUIRE(run(folder,
              "lqr cart_pole.yaml --at-equilibrium -u u -Q '**=1' --set cart.m=5 --set cart.m=2 "
              "-o held.yaml -q")
              .code == 0);
  CHECK(contains(folder.read("held.yaml"), "set:\n  cart.m: 2\n"));
  CHECK(
      test::runCardan(folder, "simulate held.yaml --set pivot.phi.start=0.2 --stop-time 1").code ==
      0);
}

TEST_CASE(
    "cardan lqr: a body that flies is held by its small rotation, from far away and with either "
    "sign") {
  const Folder folder;
  REQUIRE(run(folder,
              "lqr drone.yaml -u lift -u 'tau[1]' -u 'tau[2]' -u 'tau[3]' -Q '**=1' -R 'tau*=10' "
              "-o held.yaml -q")
              .code == 0);
  REQUIRE(test::runCardan(folder,
                          "simulate held.yaml --set 'body.angles_start=[0.4, -0.3, 0.2]' "
                          "--set 'body.r_0.start=[0.5, 0.3, -0.2]' -o r.csv")
              .code == 0);
  const cardan::ResultTable rows = cardan::ResultTable::read(folder / "r.csv");
  for (int i = 1; i <= 3; ++i) {
    CHECK(std::abs(rows.find(fmt::format("body.r_0[{}]", i))->back()) < 1e-6);
    CHECK(std::abs(rows.find(fmt::format("body.w_a[{}]", i))->back()) < 1e-6);
  }
  CHECK(rows.find("lift")->back() == doctest::Approx(14.715).epsilon(1e-6));
}

TEST_CASE("cardan lqr: what cannot be held or is asked wrongly is told") {
  const Folder folder;
  const struct {
    const char* arguments;
    int code;
    const char* message;
  } cases[] = {
      {"drone.yaml -u lift -u 'tau[1]' -u 'tau[2]' -Q '**=1'", 1,
       "the free movement of 'body.w_a[3]' is not reached by the inputs"},
      {"cart_pole.yaml -u u -Q pivot.phi=1", 1, "the free movement of 'track.s' has no weight"},
      {"cart_pole.yaml --kalman -y pivot.phi -Q '**=1'", 1,
       "the free movement of 'track.s' is not seen in the outputs"},
      {"cart_pole.yaml -u u -Q '**=1' --set pivot.phi.start=0.1", 1,
       "the model moves at this point (instant of a motion): --at-equilibrium"},
      {"cart_pole.yaml -Q '**=1'", 2, "name the inputs that hold the model with -u"},
      {"cart_pole.yaml -u u", 2, "-Q: no state has a weight"},
      {"cart_pole.yaml -u u -Q pivot.fi=1", 2,
       "-Q: no state 'pivot.fi'; did you mean 'pivot.phi'?"},
      {"cart_pole.yaml -u u -Q pivot.phi=-1", 2, "must be NAME=NUMBER"},
      {"cart_pole.yaml -u u -Q pivot.phi", 2, "must be NAME=NUMBER"},
      {"cart_pole.yaml -u u -Q '**=1' -R u=0", 2, "-R: weights must be positive"},
      {"cart_pole.yaml -u u -Q '**=1' -o k.mat", 2, "neither in .yaml nor in .json"},
      {"cart_pole.yaml -u u -Q '**=1' -o cart_pole.yaml", 2, "cart_pole.yaml"},
      {"- -u u -Q '**=1' -o k.yaml", 2, "and standard input is none"},
      {"arm.urdf -u u -Q '**=1' -o k.yaml", 2, "'cardan import' writes one of 'arm.urdf'"},
      {"cart_pole.yaml --kalman -y track.s -Q '**=1' -o k.yaml", 2, "--kalman finds gains alone"},
      {"cart_pole.yaml -u u -Q '**=1' --process-noise '**=1'", 2,
       "--process-noise: name the outputs that are measured with -y"},
      {"cart_pole.yaml -u u -y track.s -Q '**=1' --measurement-noise '**=1'", 2,
       "--measurement-noise: say what drives the states with --process-noise"},
      {"cart_pole.yaml --kalman -u u -y track.s -Q '**=1' --process-noise '**=1'", 2,
       "--process-noise is of a controller with an observer: no --kalman"},
      {"cart_pole.yaml -u u -y pivot.phi -Q '**=1' --process-noise '**=1'", 1,
       "the free movement of 'track.s' is not seen in the outputs"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.arguments);
    const Process p = run(folder, std::string("lqr ") + c.arguments);
    CAPTURE(p.err);
    CHECK(p.code == c.code);
    CHECK(contains(p.err, c.message));
  }
}

TEST_CASE("cardan: where nothing is free to move, every analysis of the motion says so") {
  const Folder folder;
  folder.write("truss.yaml", R"yaml(
model: Truss
components:
  j: {type: Revolute}
  b: {type: BodyShape, r: [1, 0, 0], r_CM: [0.5, 0, 0], m: 1}
  f: {type: Fixed, r: [1, 1, 0]}
  rod: {type: SphericalSpherical, rodLength: 1}
inputs: {u: 0}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [f.frame_b, rod.frame_a]
  - [rod.frame_b, b.frame_b]
)yaml");
  folder.write("driven.yaml", R"yaml(
model: Driven
components:
  j: {type: Revolute, useAxisFlange: true}
  d: {type: Rotational.Position, exact: true, phi_ref: "sin(time)"}
  b: {type: Body, m: 1, r_CM: [1, 0, 0]}
inputs: {u: 0}
connections:
  - [world.frame_b, j.frame_a]
  - [j.frame_b, b.frame_a]
  - [d.flange, j.axis]
)yaml");
  folder.write("moved.yaml", R"yaml(
model: Moved
components:
  j: {type: Translational.Move, u: ["0.3*sin(6*time)", "1.8*cos(6*time)", "-10.8*sin(6*time)"]}
  b: {type: Translational.Mass, m: 1}
inputs: {u: 0}
connections: [[j.flange, b.flange_a]]
)yaml");
  folder.write("roots.yaml",
               "model: Roots\ninputs: {u: 0}\nvariables: {x: {start: 1}}\n"
               "equations: [\"x + x^3 = time\"]\n");
  folder.write("none.yaml", "model: None\ninputs: {u: 0}\nvariables: {y: 2*time}\n");
  for (const char* name : {"truss", "driven", "moved", "roots", "none"}) {
    const std::string of = std::string(" ") + name + ".yaml ";
    for (const std::string& command :
         {"linearize" + of, "modes" + of, "equilibrium" + of, "linearize --at-equilibrium" + of,
          "lqr -u u -Q '**=1'" + of}) {
      CAPTURE(command);
      const Process p = test::runCardan(folder, command);
      CHECK(p.code == 1);
      CAPTURE(p.err);
      CHECK(contains(p.err, "nothing is free to move in this model: it has no states"));
    }
  }
  folder.write("m.csv", "time,j.phi,j.flange.s\n0,0,0\n0.5,0.2,0.2\n1,0.1,0.1\n");
  for (const auto& [name, column] : {std::pair{"truss", "j.phi"}, std::pair{"driven", "j.phi"},
                                     std::pair{"moved", "j.flange.s"}}) {
    const Process p =
        test::runCardan(folder, std::string("inverse --motion m.csv ") + name + ".yaml");
    CHECK(p.code == 1);
    CHECK(p.err == std::string(name) +
                       ".yaml: error: nothing is free to move: constraints and drives of the model "
                       "determine '" +
                       column + "' and all else\n");
  }
}

TEST_CASE("cardan linearize: margins of a plant, in the terminal and as pictures") {
  const Folder folder;
  const std::string plant = "linearize plant.yaml -u u -y x ";
  // Routh: 3.1 * 4.3 = 12 (1 + k), at sqrt(4.3) rad/s.
  const Process bode = run(folder, plant + "--bode");
  REQUIRE(bode.code == 0);
  CHECK(contains(bode.out, "x by u: 1 at rest; bandwidth 2.845 rad/s"));
  CHECK(contains(bode.out, "gain margin 0.1108 (-19.1 dB) at 2.074 rad/s"));
  CHECK(contains(bode.out, "angular frequency [rad/s]"));
  CHECK_FALSE(contains(folder.read("script.sh") + bode.out, "linear.json"));
  const Process locus = run(folder, plant + "--root-locus 5 --picture locus.svg");
  CHECK(contains(locus.out, "stable without feedback, unstable beyond a gain of 0.110833"));
  CHECK(contains(folder.read("locus.svg"), "poles with u = -k x, k to 5"));
  const Process step = run(folder, plant + "--step --picture step.html -o both.json");
  CHECK(contains(step.out, "x by u: 1 in the end; 10 % to 90 % in "));
  CHECK(contains(folder.read("step.html"), "<!DOCTYPE html>"));
  CHECK(contains(folder.read("step.html"), "</svg>"));
  CHECK(nlohmann::json::parse(folder.read("both.json"))["A"].size() == 3);
  CHECK(run(folder, plant + "--nyquist --picture n.svg").code == 0);
  CHECK(contains(folder.read("n.svg"), "imaginary part"));
}

TEST_CASE("cardan linearize --sample: the matrices of held inputs, marked as such") {
  const Folder folder;
  REQUIRE(run(folder, "linearize plant.yaml -u u -y z --sample 0.5 -o s.json -q").code == 0);
  const auto s = nlohmann::json::parse(folder.read("s.json"));
  CHECK(s["sample"] == 0.5);
  size_t z = 0;
  while (s["states"][z]["name"] != "z") ++z;
  CHECK(double(s["A"][z][z]) == doctest::Approx(std::exp(-1.5)).epsilon(1e-14));
  CHECK(double(s["B"][z][0]) == doctest::Approx(1 - std::exp(-1.5)).epsilon(1e-14));
  REQUIRE(run(folder, "linearize plant.yaml -u u -y z --sample 0.5 -o s.csv -q").code == 0);
  CHECK(contains(folder.read("s.csv"), "\"next(z)\""));
}

TEST_CASE("cardan linearize: curves that contradict each other or cannot be are told") {
  const Folder folder;
  const std::pair<const char*, const char*> cases[] = {
      {"plant.yaml -u u -y x --bode --step", "one picture at a time"},
      {"plant.yaml -u u -y x --picture b.svg", "--picture: say of what"},
      {"plant.yaml -u u -y x --bode --picture b.pdf", "ends neither in .svg nor in .html"},
      {"plant.yaml -y x --bode", "curves need an input and an output"},
      {"plant.yaml -u u -y 'x;v' --root-locus 3", "--root-locus is of one input and one output"},
      {"plant.yaml -u u --sample -1 -o s.json", "--sample: '-1' is not a positive number"},
      {"plant.yaml -u u -y x --step --sample nan", "--sample: 'nan' is not a positive number"},
      {"plant.yaml -u u -y x --root-locus 0", "--root-locus must be a gain other than 0"},
      {"plant.yaml -u u --sample 1 --descriptor -o s.json", "--descriptor is of rates"},
      {"plant.yaml -u u -y x --bode --picture plant.yaml.svg -o plant.yaml.svg", "ends neither"},
  };
  for (const auto& [arguments, message] : cases) {
    CAPTURE(arguments);
    const Process p = run(folder, std::string("linearize ") + arguments);
    CAPTURE(p.err);
    CHECK(p.code == 2);
    CHECK(contains(p.err, message));
  }
}

TEST_CASE("cardan modes -u -y: which input reaches a mode, and which output shows it") {
  const Folder folder;
  const Process p = run(folder, "modes plant.yaml -u u -y x -y z");
  REQUIRE(p.code == 0);
  const size_t table = p.out.find("reached by an input, shown in an output");
  REQUIRE(table != std::string::npos);
  const std::string lines = p.out.substr(table);
  // s^2 + 0.1 s + 4: sqrt(4 - 0.05^2)/(2 pi), as the first table has it.
  CHECK(contains(lines, "the mode of 0.3182 Hz of"));
  CHECK(contains(lines, "the mode of 'z' that settles in 0.3333 s"));
  CHECK(contains(lines, "-"));  // z does not show the swinging of x
}
