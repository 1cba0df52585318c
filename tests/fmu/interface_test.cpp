// What an importer may do with an FMU and what it is told: values, phases, errors, states, threads.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <thread>
#include <vector>

#include "engine/results/result_table.h"
#include "tests/fmu/exported.h"
#include "tests/fmu/models.h"

using namespace test;

#if __has_include("fmi3FunctionTypes.h")
namespace {

const Slave::Setup kTwoSeconds{0, 2, 1e-9};

/// The last row of `cardan simulate` with these options.
double simulated(const Folder& folder, const std::string& options, const std::string& name) {
  folder.write("m.yaml", kCartPole);
  const Process p = runCardan(folder, "simulate m.yaml -o r.csv -q --no-event-rows " + options);
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const auto rows = cardan::ResultTable::read(folder / "r.csv");
  REQUIRE(rows.find(name));
  return rows.find(name)->back();
}

/// Steps of `length` to `end`; the worst status.
int run(Slave& slave, double from, double end, double length) {
  int worst = kFmuOk;
  for (int i = 0; from + i * length < end - length / 2; ++i)
    worst = std::max(worst, slave.step(from + i * length, length));
  return worst;
}

std::vector<double> all(Slave& slave, const Fmu& fmu) {
  std::vector<double> values;
  REQUIRE(slave.get(fmu.outputs(), values) == kFmuOk);
  return values;
}

/// [bytes] of this process in memory.
long residentSize() {
  long pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace

TEST_CASE("FMU: the model description is valid by the standard's schema") {
  if (!canExport()) return;
  const std::string schemas = std::string(CARDAN_SOURCE_DIR) + "/../shared/fmi/fmi";
  for (const int version : {2, 3}) {
    for (const char* model : {kCartPole, kRectifier, "loops/engine_v6.yaml", "robots/arm6.yaml",
                              "vehicles/bicycle.yaml", "elementary/submodel.yaml"}) {
      CAPTURE(model);
      const Folder folder;
      const auto fmu = exported(folder, model, version, "--local '**'");
      CHECK(fmu->offersExchange);
      const std::string n = std::to_string(version);
      const Process p =
          shell(folder, "command -v xmllint >/dev/null || exit 77\nxmllint --noout --schema '" +
                            schemas + n + "/fmi" + n + "ModelDescription.xsd' '" + fmu->folder +
                            "/modelDescription.xml'");
      CAPTURE(p.err);
      if (p.code == 77) {
        MESSAGE("TEST SKIPPED: no xmllint (libxml2-utils)");
        return;
      }
      CHECK(p.code == 0);
    }
  }
}

TEST_CASE("FMU: the library shows the standard's functions alone, and needs what lies beside it") {
  if (!canExport()) return;
  const Folder folder;
  const auto fmu = exported(folder, kCartPole, 3);
  CHECK(shell(folder,
              "nm -D --defined-only '" + fmu->library + "' | awk '{print $3}' | grep -v '^fmi[23]'")
            .out == "");
  CHECK(shell(folder, "nm -D --defined-only '" + fmu->library + "' | grep -c ' T fmi'").out ==
        "119\n");
  const std::string folderOf = fmu->library.substr(0, fmu->library.rfind('/'));
  const Process p =
      shell(folder, "ldd '" + fmu->library + "' | grep -v '" + folderOf +
                        "' | grep -vE 'linux-vdso|ld-linux|lib(c|m|stdc\\+\\+|gcc_s)\\.so'");
  CHECK(p.out == "");
}

TEST_CASE("FMU: parameters, start values and inputs do what --set does") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    CAPTURE(version);
    const Folder folder;
    const auto fmu = exported(folder, kCartPole, version);
    CHECK(fmu->variables.at("push").causality == "input");
    CHECK(fmu->variables.at("brake.force[1]").variability == "tunable");
    CHECK(fmu->variables.at("length").unit == "m");
    CHECK(fmu->variables.at("length").start == "0.6");
    CHECK(fmu->variables.at("half").causality == "calculatedParameter");
    CHECK(fmu->variables.at("links").variability == "constant");
    CHECK(fmu->variables.at("rail.s").initial == "exact");
    CHECK(fmu->variables.at("rail.s").start == "0.1");
    CHECK(fmu->variables.at("hinge.w").initial == "approx");
    CHECK(fmu->variables.at("rail.a").initial == "calculated");

    Slave slave(*fmu);
    CHECK(slave["length"] == 0.6);
    CHECK(slave["rail.s"] == 0.1);
    CHECK(slave.set("length", 0.8) == kFmuOk);
    CHECK(slave.set("hinge.w", 0.3) == kFmuOk);
    CHECK(slave.enter(kTwoSeconds) == kFmuOk);
    CHECK(slave["half"] == 0.4);
    CHECK(slave["hinge.w"] == 0.3);
    CHECK(slave.set("rail.s", 0.2) == kFmuOk);
    CHECK(slave.set("push", 2) == kFmuOk);
    CHECK(slave["rail.s"] == 0.2);
    CHECK(slave.exit() == kFmuOk);
    bool fallen = true, heavy = false;
    CHECK(slave.getBoolean("fallen", fallen) == kFmuOk);
    CHECK(!fallen);
    CHECK(slave.getBoolean("heavy", heavy) == kFmuOk);
    CHECK(heavy);
    std::string label;
    CHECK(slave.getString("label", label) == kFmuOk);
    CHECK(label == "pole");
    CHECK(run(slave, 0, 2, 0.01) == kFmuOk);
    const double wanted = simulated(
        folder, "--set length=0.8 --set hinge.w.start=0.3 --set rail.s.start=0.2 --set push=2",
        "rail.s");
    CHECK(slave["rail.s"] == doctest::Approx(wanted).epsilon(1e-7));
    CHECK(slave.getBoolean("fallen", fallen) == kFmuOk);
    CHECK(fallen);
    CHECK(slave["time"] == 2);
  }
}

TEST_CASE("FMU: what was set last holds from there on, as a held table of inputs does") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    const Folder folder;
    const auto fmu = exported(folder, kCartPole, version);
    Slave slave(*fmu);
    CHECK(slave.initialise(kTwoSeconds) == kFmuOk);
    std::string table = "time,push,brake.force[1]\n0,1,0.5\n";
    for (int i = 0; i < 20; ++i) {
      const double push = std::sin(i), brake = 0.1 * i;
      CHECK(slave.set("push", push) == kFmuOk);
      CHECK(slave.set("brake.force[1]", brake) == kFmuOk);
      CHECK(slave["push"] == push);
      table +=
          std::to_string(0.1 * i) + "," + std::to_string(push) + "," + std::to_string(brake) + "\n";
      CHECK(slave.step(0.1 * i, 0.1) == kFmuOk);
    }
    folder.write("u.csv", table);
    const double wanted = simulated(folder, "--input u.csv --hold-input", "hinge.phi");
    CHECK(slave["hinge.phi"] == doctest::Approx(wanted).epsilon(1e-5));  // six digits in the table
  }
}

TEST_CASE("FMU: directional derivatives are those by differences of inputs") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    const Folder folder;
    const auto fmu = exported(folder, kCartPole, version);
    Slave slave(*fmu);
    CHECK(slave.initialise(kTwoSeconds) == kFmuOk);
    CHECK(run(slave, 0, 1, 0.1) == kFmuOk);
    const auto after = all(slave, *fmu);
    double d = 0, none = 1;
    CHECK(slave.derivative("rail.a", "push", d) == kFmuOk);
    CHECK(slave.derivative("rail.s", "push", none) == kFmuOk);
    CHECK(none == doctest::Approx(0).epsilon(1e-9));
    CHECK(all(slave, *fmu) == after);
    const double here = slave["rail.a"];
    CHECK(slave.set("push", 2) == kFmuOk);
    CHECK(slave["rail.a"] - here == doctest::Approx(d).epsilon(1e-6));  // linear in the force
    CHECK(slave.derivative("rail.a", "length", d) == kFmuError);
  }
}

TEST_CASE("FMU: what is wrong is an error with a message, and nothing else changes") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    CAPTURE(version);
    const Folder folder;
    const auto fmu = exported(folder, kCartPole, version);
    {
      Slave other(*fmu, "{another}");
      CHECK(!other.instance());
      CHECK(contains(other.log(), "'{another}' is not that of this FMU"));
    }
    Slave slave(*fmu);
    const auto tells = [&](int status, const std::string& text) {
      CHECK(status == kFmuError);
      CAPTURE(slave.log());
      CHECK(contains(slave.log(), text));
      slave.forget();
    };
    double x = 0;
    tells(slave.setReference(9999, 1), "no variable has the value reference 9999");
    tells(slave.getReference(9999, x), "no variable has the value reference 9999");
    tells(slave.set("length", NAN), "'length' must be a finite number");
    tells(slave.set("push", INFINITY), "'push' must be a finite number");
    tells(slave.set("links", 3), "'links' is part of the model's structure and cannot be set");
    tells(slave.set("half", 3), "'half' is determined by other parameters");
    tells(slave.set("rail.a", 3), "'rail.a' is a result");
    tells(slave.exit(), "must not be called before the initialisation");
    tells(slave.step(0, 0.1), "a step must not be called before the initialisation");
    tells(slave.terminate(), "must not be called before the initialisation");
    std::vector<double> values;
    tells(slave.get({"rail.a"}, values), "reading 'rail.a' must not be called before");
    bool boolean = false;
    tells(slave.getBoolean("length", boolean),
          "'length' is a real number and was read as a Boolean");
    std::string text;
    tells(slave.getString("length", text), "was read as a string");
    tells(slave.enter({5, 2, 0}), "the stop time must be a finite number behind the start time");
    CHECK(slave.initialise(kTwoSeconds) == kFmuOk);
    tells(slave.set("length", 1), "setting 'length' must not be called between steps");
    tells(slave.set("rail.s", 1), "setting 'rail.s' must not be called between steps");
    tells(slave.step(0.5, 0.1), "a step must begin where the last one ended, at 0 s, found 0.5 s");
    tells(slave.step(0, -0.1), "0 s");
    tells(slave.step(0, NAN), "0 s");
    tells(slave.step(0, 3), "a step must not go beyond the stop time, 2 s");
    CHECK(run(slave, 0, 2, 0.1) == kFmuOk);
    CHECK(slave["rail.s"] == doctest::Approx(simulated(folder, "", "rail.s")).epsilon(1e-7));
    CHECK(slave.terminate() == kFmuOk);
    tells(slave.step(2, 0.1), "after the end");
    CHECK(slave.reset() == kFmuOk);
    CHECK(slave["length"] == 0.6);
    CHECK(slave.initialise(kTwoSeconds) == kFmuOk);
  }
}

TEST_CASE("FMU: a start that is not found is an error that names the place, and a reset mends it") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    const Folder folder;
    const auto fmu = exported(folder, "loops/fourbar.yaml", version);
    std::string bar;
    for (const auto& [name, v] : fmu->variables) {
      if (v.causality == "parameter" && name.ends_with(".r[1]") &&
          std::abs(std::stod(v.start)) > 0.1)
        bar = name;
    }
    CAPTURE(bar);
    Slave slave(*fmu);
    REQUIRE(bar != "");
    CHECK(slave.set(bar, 100) == kFmuOk);
    CHECK(slave.initialise({}) == kFmuError);
    CAPTURE(slave.log());
    CHECK(contains(slave.log(), "fourbar.yaml"));
    CHECK(slave.step(0, 0.1) == kFmuError);
    CHECK(slave.reset() == kFmuOk);
    CHECK(slave.initialise({}) == kFmuOk);
  }
}

TEST_CASE("FMU: a run that cannot go on is an error, what was reached stays") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    const Folder folder;
    const auto fmu =
        exported(folder,
                 "variables: {x: {start: 1, fixed: true}}\nequations: ['der(x) = x^2']\n"
                 "simulation: {stop: 0.5, interval: 0.1}\noutputs: [x]\n",
                 version);
    Slave slave(*fmu);
    CHECK(slave.initialise({0, 2, 0}) == kFmuOk);
    CHECK(slave.step(0, 0.5) == kFmuOk);
    CHECK(slave["x"] == doctest::Approx(2).epsilon(1e-6));  // 1/(1 - t)
    void *before = nullptr, *failed = nullptr;
    CHECK(slave.getState(before) == kFmuOk);
    CHECK(slave.step(0.5, 1) == kFmuError);
    CHECK(slave.log() != "");
    CHECK(slave.reached > 0.5);
    CHECK(std::isfinite(slave["x"]));
    CHECK(slave.step(1, 0.1) == kFmuError);
    CHECK(slave.getState(failed) == kFmuOk);
    CHECK(slave.setState(before) == kFmuOk);
    CHECK(slave.step(0.5, 0.25) == kFmuOk);
    CHECK(slave["x"] == doctest::Approx(4).epsilon(1e-6));
    CHECK(slave.setState(failed) == kFmuOk);
    CHECK(slave.step(1, 0.1) == kFmuError);
    CHECK(slave.reset() == kFmuOk);
    CHECK(slave.initialise({0, 2, 0}) == kFmuOk);
  }
}

TEST_CASE("FMU: a model that ends the simulation says so") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    const Folder folder;
    const auto fmu = exported(folder,
                              "variables: {x: {start: 0, fixed: true}}\nequations: ['der(x) = 1']\n"
                              "when: [{condition: 'x > 0.55', terminate: far enough}]\n"
                              "simulation: {stop: 1, interval: 0.1}\noutputs: [x]\n",
                              version);
    Slave slave(*fmu);
    CHECK(slave.initialise({0, 1, 0}) == kFmuOk);
    CHECK(run(slave, 0, 0.5, 0.1) == kFmuOk);
    CHECK(slave.step(0.5, 0.1) == (version == 2 ? kFmuDiscard : kFmuOk));
    CHECK(slave.terminated);
    CHECK(slave.reached == doctest::Approx(0.55).epsilon(1e-6));
    CHECK(contains(slave.log(), "far enough"));
    CHECK(slave.terminate() == kFmuOk);
  }
}

TEST_CASE("FMU: where logging is on every event is told, once") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    const Folder folder;
    const auto fmu = exported(folder, kStickSlip, version);
    Slave slave(*fmu, "", true), silent(*fmu);
    for (Slave* s : {&slave, &silent}) {
      CHECK(s->initialise({0, fmu->stop, 0}) == kFmuOk);
      CHECK(run(*s, 0, fmu->stop, fmu->interval) == kFmuOk);
    }
    int told = 0;
    for (size_t at = 0; (at = slave.log().find("logEvents: event at ", at)) != std::string::npos;
         ++at)
      ++told;
    CHECK(silent.log() == "");
    folder.write("m.yaml", kStickSlip);
    CHECK(runCardan(folder, "simulate m.yaml -o r.csv -q --events e.csv").code == 0);
    const auto events = cardan::ResultTable::parse(
        shell(folder, "cut -d, -f1 e.csv | sort -u | grep -v time | sed 's/$/,0/;1itime,x'").out,
        "events");
    CHECK(told > 10);
    CHECK(told == static_cast<int>(events.time.size()));
  }
}

TEST_CASE("FMU: without a stop time a run goes on beyond the default one") {
  if (!canExport()) return;
  const Folder folder;
  const auto fmu = exported(folder, kCartPole, 3);
  Slave slave(*fmu);
  CHECK(slave.initialise({}) == kFmuOk);
  CHECK(run(slave, 0, 10, 0.5) == kFmuOk);
}

TEST_CASE("FMU: a state that is given back, here or in another process, goes on bit for bit") {
  if (!canExport()) return;
  for (const int version : {2, 3}) {
    for (const char* model :
         {kCartPole, kStickSlip, "loops/governor.yaml", "elementary/double_pendulum.yaml"}) {
      CAPTURE(model);
      const Folder folder;
      const auto fmu = exported(folder, model, version);
      const double h = fmu->interval;
      Slave slave(*fmu);
      CHECK(slave.initialise({}) == kFmuOk);
      CHECK(run(slave, 0, 10 * h, h) == kFmuOk);
      void* state = nullptr;
      std::string bytes;
      CHECK(slave.getState(state) == kFmuOk);
      CHECK(slave.serialise(state, bytes) == kFmuOk);
      CHECK(run(slave, 10 * h, 30 * h, h) == kFmuOk);
      const std::vector<double> end = all(slave, *fmu);
      CHECK(slave.setState(state) == kFmuOk);
      CHECK(run(slave, 10 * h, 30 * h, h) == kFmuOk);
      CHECK(all(slave, *fmu) == end);
      Slave second(*fmu);  // which has not begun
      void* read = nullptr;
      CHECK(second.deserialise(bytes, read) == kFmuOk);
      CHECK(second.setState(read) == kFmuOk);
      CHECK(run(second, 10 * h, 30 * h, h) == kFmuOk);
      CHECK(all(second, *fmu) == end);
      CHECK(second.setState(state) == kFmuError);  // that of another instance
      CHECK(slave.freeState(state) == kFmuOk);
      CHECK(!state);
      for (const size_t cut : {size_t(0), size_t(30), bytes.size() - 1}) {
        void* none = nullptr;
        CHECK(second.deserialise(bytes.substr(0, cut), none) == kFmuError);
      }
      std::string other = bytes;
      other[bytes.size() / 2] ^= 1;
      void* none = nullptr;
      CHECK(second.deserialise(other, none) == kFmuError);
    }
  }
}

TEST_CASE("FMU: two models, two instances each, in one process and in threads are as one alone") {
  if (!canExport()) return;
  const Folder folder;
  const auto a = exported(folder, kCartPole, 2), b = exported(folder, "loops/fourbar.yaml", 3);
  const auto end = [](const Fmu& fmu) {
    Slave slave(fmu);
    slave.initialise({0, fmu.stop, 0});
    run(slave, 0, 50 * fmu.interval, fmu.interval);
    std::vector<double> values;
    slave.get(fmu.outputs(), values);
    return values;
  };
  const std::vector<double> ofA = end(*a), ofB = end(*b);
  Slave a1(*a), b1(*b), a2(*a), b2(*b);
  for (Slave* s : {&a1, &b1, &a2, &b2})
    CHECK(s->initialise({0, (s == &a1 || s == &a2 ? *a : *b).stop, 0}) == kFmuOk);
  for (int i = 0; i < 50; ++i) {
    for (Slave* s : {&a1, &b1, &a2, &b2}) {
      const double h = (s == &a1 || s == &a2 ? *a : *b).interval;
      CHECK(s->step(i * h, h) == kFmuOk);
    }
  }
  CHECK(all(a1, *a) == ofA);
  CHECK(all(a2, *a) == ofA);
  CHECK(all(b1, *b) == ofB);
  CHECK(all(b2, *b) == ofB);
  std::vector<std::vector<double>> ends(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&, i] { ends[i] = end(i % 2 ? *b : *a); });
  for (std::thread& t : threads) t.join();
  CHECK(ends == std::vector<std::vector<double>>{ofA, ofB, ofA, ofB});
}

TEST_CASE("FMU: instances that come and go leave nothing behind") {
  if (!canExport()) return;
  const Folder folder;
  const auto fmu = exported(folder, kCartPole, 3);
  const auto once = [&](bool runs) {
    Slave slave(*fmu);
    if (!runs) return;
    slave.initialise({});
    void* state = nullptr;
    slave.getState(state);
    slave.step(0, 0.01);
  };
#ifdef __SANITIZE_ADDRESS__
  MESSAGE("TEST SKIPPED: AddressSanitizer keeps what is freed, and finds itself what is not");
  return;
#endif
  for (int i = 0; i < 30; ++i) once(true);
  const long before = residentSize();
  for (int i = 0; i < 1000; ++i) once(i % 5 == 0);
  // One state that stays, of some kilobytes, would be more.
  CHECK(residentSize() - before < 1'000'000);
}

TEST_CASE("FMU: files that a model reads go along, and are read from there") {
  if (!canExport()) return;
  const Folder folder;
  folder.write("tables/u.csv", "0,0\n1,2\n2,0\n");
  folder.write("m/model.yaml", R"(
components:
  table: {type: Blocks.CombiTimeTable, tableOnFile: true, fileName: ../tables/u.csv, tableName: u}
  turned: {type: FixedRotation, n: [0, 0, 1], angle: 30}
connections: [[world.frame_b, turned.frame_a]]
simulation: {stop: 2, interval: 0.5}
outputs: ["table.y[1]", "turned.frame_b.R.T[1,2]"]
)");
  const Process p = runCardan(folder, "export m/model.yaml -o m.fmu --no-page -q");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const Fmu fmu(folder / "m.fmu");
  std::filesystem::remove_all(folder / "tables");
  std::filesystem::remove_all(folder / "m");
  Slave slave(fmu);
  CHECK(slave.set("turned.angle", 90) == kFmuOk);  // in degrees, as Modelica's class has it
  CHECK(slave.initialise({}) == kFmuOk);
  CAPTURE(slave.log());
  CHECK(slave.step(0, 0.5) == kFmuOk);
  CHECK(slave["table.y[1]"] == doctest::Approx(1).epsilon(1e-12));
  CHECK(slave["turned.frame_b.R.T[1,2]"] == doctest::Approx(1).epsilon(1e-12));
  CHECK(fmu.variables.at("turned.angle").unit == "deg");
}

TEST_CASE("FMU: its icon is the model at its start") {
  if (!canExport()) return;
  const Folder folder;
  const std::string model = pathOf(folder, "elementary/pendulum.yaml", "");
  if (runCardan(folder, "animate '" + model + "' -o still.png --at 0 --size 256x256 -q").code !=
      0) {
    MESSAGE("TEST SKIPPED: this build writes no .png files");
    return;
  }
  for (const auto& [version, icon] :
       {std::pair("2", "model.png"), {"3", "terminalsAndIcons/icon.png"}}) {
    REQUIRE(runCardan(folder, "export '" + model + "' -q -o m.fmu --fmi " + version).code == 0);
    REQUIRE(shell(folder, std::string("unzip -p m.fmu ") + icon + " > icon.png").code == 0);
    CHECK(folder.read("icon.png") == folder.read("still.png"));
  }
  REQUIRE(runCardan(folder, "export '" + model + "' -q -o m.fmu --no-page").code == 0);
  CHECK(!contains(shell(folder, "unzip -Z1 m.fmu").out, ".png"));
}

TEST_CASE("FMU: a model that no FMU can carry, or options that are none, are exit code 2") {
  if (!canExport()) return;
  const Folder folder;
  folder.write("sub/part.yaml", "model: Part\ncomponents: {b: {type: Fixed}}\n");
  folder.write("m.yaml", "extends: '" + (folder / "sub/part.yaml") + "'\n");
  Process p = runCardan(folder, "export m.yaml -o m.fmu --no-page");
  CHECK(p.code == 2);
  CHECK(contains(p.err, "by a path that no FMU can carry"));
  CHECK(!folder.has("m.fmu"));
  folder.write("n.yaml", "extends: sub/part.yaml\n");
  p = runCardan(folder, "export n.yaml -o n.fmu --no-page --parameter 'x.*'");
  CHECK(contains(p.err, "--parameter 'x.*' names no number of a component"));
  CHECK(p.code == 2);
  folder.write("b.yaml", "components: {b: {type: Body, m: 2, r_CM: [0, 0, 0]}}\n");
  p = runCardan(folder, "export b.yaml -o b.fmu --no-page --parameter 'b.I_?1'");
  CHECK(p.code == 0);
  p = runCardan(folder, "export n.yaml -o n.fmu --no-page --local y");
  CHECK(p.code == 2);
  p = runCardan(folder, "export n.yaml --fmi 2");
  CHECK(p.code == 2);
  CHECK(contains(p.err, "are for FMUs"));
  p = runCardan(folder, "export n.yaml -o n.fmu");
  CHECK(p.code == 0);
  CHECK(contains(p.out + p.err, "n.fmu: FMI 3.0"));
  p = runCardan(folder, "export n.yaml -o again.fmu -q");
  CHECK(folder.read("n.fmu") == folder.read("again.fmu"));
  CHECK(shell(folder, "unzip -l n.fmu").out.find("resources/model/sub/part.yaml") !=
        std::string::npos);
  p = shell(folder, "$cardan export - -o s.fmu < n.yaml");
  CHECK(p.code == 2);
}
#endif
