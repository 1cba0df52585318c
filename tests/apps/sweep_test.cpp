// cardan sweep: studies as their user meets them, stopped, killed, divided and joined.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/apps/process.h"
#include "tests/apps/swing.h"

using test::contains;
using test::Folder;
using test::kSwing;
using test::Process;
using test::runCardan;
using test::shell;

namespace {

const char* const kSweepStudy = R"yaml(
study: Swings
model_file: swing.yaml
vary: {L: "0.5:0.25:1.5"}
sample: {d: "uniform(0, 0.2)", body.m: "normal(1, 0.1)"}
method: latin
runs: 8
seed: 7
keep: {last: final(revolute.phi), load: max(abs(body.frame_a.f)), down: first(revolute.phi < -0.2)}
)yaml";

void write(const Folder& folder) {
  folder.write("swing.yaml", kSwing);
  folder.write("study.yaml", kSweepStudy);
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("sweep: the index is the same for any number of workers and shards, however told") {
  const Folder folder;
  write(folder);
  const Process p = shell(folder, R"sh(
s="$cardan sweep study.yaml -q"
$s -j 1 -o one || exit 1
$s -j 2 -o two || exit 2
for k in 3 1 4 2; do $s --shard $k/4 -j 1 -o four || exit 3; done
for k in 5 6 7; do
  SLURM_ARRAY_TASK_ID=$k SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=7 \
    SLURM_PROCID=0 SLURM_NTASKS=4 $s --shard auto -o slurm || exit 4
done
for k in 0 1 2; do
  OMPI_COMM_WORLD_RANK=$k OMPI_COMM_WORLD_SIZE=3 SLURM_PROCID=0 $s --shard auto -o mpi || exit 5
done
for task in 1 2; do for rank in 0 1 2; do
  SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=2 SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS=3 \
    $s --shard auto -o both || exit 6
done; done
for k in 1 2; do PBS_ARRAY_INDEX=$k $s --shard auto/2 -o pbs || exit 7; done
for d in four slurm mpi both pbs; do $cardan sweep --merge -q -o $d || exit 8; done
)sh");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  const std::string index = folder.read("one/index.csv");
  const std::vector<std::string> lines = linesOf(index);
  REQUIRE(lines.size() == 41);
  CHECK(lines[0] == R"("run","L","d","body.m","status","reason","steps","last","load","down")");
  CHECK(lines[1].starts_with("1,0.5,0."));
  CHECK(lines[40].starts_with("40,1.5,0."));
  for (const char* other : {"two", "four", "slurm", "mpi", "both", "pbs"}) {
    CAPTURE(other);
    CHECK(folder.read(std::string(other) + "/index.csv") == index);
    CHECK(linesOf(folder.read(std::string(other) + "/timing.csv")).size() == 41);
    CHECK_FALSE(folder.has(std::string(other) + "/shards"));
  }
}

TEST_CASE("sweep: a run gives what simulate gives") {
  const Folder folder;
  write(folder);
  const Process p = shell(folder, R"sh(
$cardan sweep swing.yaml -q --vary L=0.5,0.8 --keep 'final(revolute.phi)' \
  --keep 'top=max(revolute.phi)' --trajectories revolute.phi -o s || exit 1
$cardan simulate swing.yaml -q --set L=0.8 --output-variable revolute.phi -o r.csv
)sh");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  CHECK(folder.read("s/trajectories/2.csv") == folder.read("r.csv"));
  CHECK_FALSE(folder.has("s/trajectories/3.csv"));
  // A trajectory has a sidecar as a result has: parameters, units, names for plots.
  const auto sidecar = nlohmann::json::parse(folder.read("s/trajectories/2.meta.json"));
  CHECK(sidecar["status"]["kind"] == "completed");
  CHECK(sidecar["columns"] == nlohmann::json::parse(folder.read("r.meta.json"))["columns"]);
  CHECK(sidecar["parameters"] == nlohmann::json::parse(folder.read("r.meta.json"))["parameters"]);
  REQUIRE(runCardan(folder, "plot s/trajectories/2.csv -o 2.svg").code == 0);
  CHECK(contains(folder.read("2.svg"), "revolute.phi [rad]"));
  CHECK(contains(folder.read("2.svg"), "2 (Swing)"));
  const std::vector<std::string> lines = linesOf(folder.read("s/index.csv")),
                                 rows = linesOf(folder.read("r.csv"));
  CHECK(lines[0] == R"csv("run","L","status","reason","steps","final(revolute.phi)","top")csv");
  const std::string phi = rows.back().substr(2);  // behind "1,"
  CHECK(contains(lines[2], "," + phi + ",0.3"));  // released at rest: the top is the start
}

TEST_CASE("sweep: killed and resumed, no run is made twice and none is lost") {
  const Folder folder;
  write(folder);
  const Process p = shell(folder, R"sh(
$cardan sweep study.yaml -q -n 60 -o whole || exit 1
s="$cardan sweep study.yaml -q -n 60 -j 2 -o killed --resume"
for n in 20 150; do
  $s & p=$!
  for i in $(seq 2000); do
    [ -e killed/shards/1-of-1.csv ] && [ $(wc -l <killed/shards/1-of-1.csv) -gt $n ] && break
    sleep 0.01
  done
  kill -KILL $p; wait $p 2>/dev/null
  cp killed/shards/1-of-1.csv lines$n.csv
done
printf '0.01,host,299,1.5' >>killed/shards/1-of-1.csv  # a line cut short
$s || exit 2
$s >again.txt 2>&1 || exit 3
$cardan sweep study.yaml -n 60 -o killed --resume
)sh");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  CHECK(folder.read("killed/index.csv") == folder.read("whole/index.csv"));
  const std::string first = folder.read("lines20.csv"), second = folder.read("lines150.csv");
  CHECK(linesOf(first).size() > 20);
  CHECK(linesOf(second).size() > linesOf(first).size());
  const size_t kept = first.rfind('\n') + 1;
  CHECK(second.substr(0, kept) == first.substr(0, kept));  // nothing again, nothing lost
  CHECK(contains(p.err, "300 runs: 300 completed; all in killed/index.csv"));
}

TEST_CASE("sweep: Ctrl-C keeps what has ended, in order, and says how to go on") {
  const Folder folder;
  write(folder);
  const Process p = shell(folder, R"sh(
$cardan sweep study.yaml -n 4000 -j 2 -o s & p=$!
for i in $(seq 2000); do
  [ -e s/shards/1-of-1.csv ] && [ $(wc -l <s/shards/1-of-1.csv) -gt 10 ] && break
  sleep 0.01
done
kill -TERM $p; wait $p
)sh");
  CHECK(p.code == 143);
  CHECK(contains(p.err, "stopped before all runs were made; --resume makes the others"));
  const std::vector<std::string> index = linesOf(folder.read("s/index.csv"));
  CHECK(index.size() > 10);
  CHECK(index.size() < 20001);
  CHECK(index.size() == linesOf(folder.read("s/shards/1-of-1.csv")).size());
  long before = 0;
  for (size_t i = 1; i < index.size(); ++i) {
    const long run = std::stol(index[i]);
    CHECK(run > before);
    before = run;
  }
}

TEST_CASE("sweep: a run that fails is a line with its reason, and a crash costs one run") {
  const Folder folder;
  write(folder);
  const Process bad = runCardan(folder,
                                "sweep swing.yaml --vary body.m=1,-1 --vary L=1,2 "
                                "--keep 'final(revolute.phi)' -o bad");
  CHECK(bad.code == 0);
  const std::vector<std::string> lines = linesOf(folder.read("bad/index.csv"));
  REQUIRE(lines.size() == 5);
  CHECK(lines[1].starts_with("1,1,1,completed,,"));
  CHECK(lines[3] == R"(3,-1,1,failed,"Body 'body': 'm' must be at least 0, found -1",,)");
  CHECK(contains(bad.err, "Swing: 4 runs: 2 completed, 2 failed; 4 made in"));
  CHECK(runCardan(folder,
                  "sweep swing.yaml --vary body.m=1,-1 --keep 'final(revolute.phi)' -q "
                  "--strict -o strict")
            .code == 1);
  CHECK(runCardan(folder,
                  "sweep swing.yaml --vary body.m=-2,-1 --keep 'final(revolute.phi)' -q "
                  "-o all")
            .code == 1);

  // The second run takes long enough to be found and killed.
  const Process crash = shell(folder, R"sh(
$cardan sweep swing.yaml --vary world.g=9.81,1e12,5 --keep 'final(revolute.phi)' -j 1 -o crash & p=$!
for i in $(seq 2000); do
  [ -e crash/shards/1-of-1.csv ] && [ $(wc -l <crash/shards/1-of-1.csv) -gt 1 ] && break
  sleep 0.01
done
kill -ABRT $(ps -o pid= --ppid $p); wait $p
)sh");
  CAPTURE(crash.err);
  CHECK(crash.code == 0);
  const std::vector<std::string> left = linesOf(folder.read("crash/index.csv"));
  REQUIRE(left.size() == 4);
  CHECK(left[1].starts_with("1,9.81,completed,,"));
  CHECK(left[2] == R"csv(2,1e12,crashed,"crashed with signal 6 (Aborted)",,)csv");
  CHECK(left[3].starts_with("3,5,completed,,"));
  CHECK(contains(crash.err,
                 "warning: run 2 crashed with signal 6 (Aborted); alone: "
                 "cardan simulate swing.yaml --set 'world.g=1e12'"));
}

TEST_CASE("sweep: a run beyond the time limit has failed, the others go on") {
  const Folder folder;
  write(folder);
  const Process p =
      runCardan(folder,
                "sweep swing.yaml --vary world.g=9.81,1e12,5 --keep 'final(revolute.phi)' "
                "-q -j 1 --time-limit 3 -o s");
  CHECK(p.code == 0);
  const std::vector<std::string> lines = linesOf(folder.read("s/index.csv"));
  REQUIRE(lines.size() == 4);
  CHECK(lines[2] == R"csv(2,1e12,failed,"stopped after 3 s (--time-limit)",,)csv");
  CHECK(lines[3].starts_with("3,5,completed"));
}

TEST_CASE("sweep: wrong studies are located errors, all in one go, and nothing is written") {
  const Folder folder;
  write(folder);
  folder.write("wrong.yaml",
               "study: W\nmodel_file: swing.yaml\nvary:\n  LL: 1:3\n  body.mm: [1, 2]\n"
               "keep:\n  a: max(revolute.fi)\n  b: final(revolute.phi)/M\n");
  const Process p = runCardan(folder, "sweep wrong.yaml -o w");
  CHECK(p.code == 2);
  CHECK(p.err ==
        "wrong.yaml:7:10: error: unknown name 'revolute.fi'; did you mean 'revolute.a'?\n");
  folder.write("wrong.yaml",
               "study: W\nmodel_file: swing.yaml\nvary:\n  LL: 1:3\n  body.mm: [1, 2]\n"
               "keep:\n  b: final(revolute.phi)/M\n");
  const Process names = runCardan(folder, "sweep wrong.yaml -o w");
  CHECK(names.code == 2);
  CHECK(contains(names.err, "wrong.yaml:4:3: error: unknown parameter 'LL'; did you mean 'L'?\n"));
  CHECK(contains(names.err,
                 "wrong.yaml:5:3: error: Body 'body': unknown key 'mm'; did you mean 'm'?"));
  CHECK(contains(names.err, "wrong.yaml:7:26: error: 'M' is no parameter of the model"));
  CHECK_FALSE(folder.has("w"));

  const auto error = [&](const std::string& arguments) {
    const Process q = runCardan(folder, "sweep " + arguments + " -o w");
    CHECK(q.code == 2);
    return q.err;
  };
  CHECK(error("swing.yaml --vary L=1:2") ==
        "error: a study must keep something of its runs: --keep 'max(abs(revolute1.w))' or "
        "--trajectories 'revolute*.phi'\n");
  CHECK(error("swing.yaml --vary L --keep 'final(revolute.phi)'") ==
        "--vary L: error: must be NAME=VALUES, found 'L'\n");
  CHECK(error("study.yaml --shard 5/4") ==
        "error: --shard: a shard must be K/N with 1 <= K <= N, or auto, found '5/4'\n");
  for (const std::string number : {"2.5", "0", "-1", "nan", "x", "1e99"}) {
    CHECK(contains(error("study.yaml -n " + number),
                   "'" + number + "' is not a whole number from 1 to 100000000"));
  }
  CHECK(contains(error("study.yaml --seed 0.5"), "'0.5' is not a whole number"));
  // An index has every name once.
  for (const std::string name : {"L", "run", "status", "reason", "steps"})
    CHECK(error("swing.yaml --vary L=1,2 --keep '" + name + "=final(revolute.phi)'") ==
          "--keep " + name +
              "=final(revolute.phi): error: a kept value must have a column of its "
              "own, and there is '" +
              name + "' already; NAME=EXPRESSION gives it another name\n");
  CHECK(error("swing.yaml --set L=1 --vary L=1,2 --keep 'final(revolute.phi)'") ==
        "--vary L=1,2: error: parameter 'L' varies: it must not be set in all runs, found 'L=1'\n");
  CHECK(error("missing.yaml").starts_with("missing.yaml: error: cannot read"));
  CHECK(contains(error("study.yaml --trajectories 'x*'"),
                 "--trajectories x*: error: no variable 'x*'"));
  CHECK_FALSE(folder.has("w"));
}

TEST_CASE("sweep: a folder keeps to its study") {
  const Folder folder;
  write(folder);
  REQUIRE(runCardan(folder, "sweep study.yaml -q -o s").code == 0);
  const std::string index = folder.read("s/index.csv");
  const Process again = runCardan(folder, "sweep study.yaml -q -o s");
  CHECK(again.code == 2);
  CHECK(again.err ==
        "error: the folder 's' holds runs of this study already; --resume goes on with them\n");
  const Process other = runCardan(folder, "sweep study.yaml -q -o s --resume --seed 8");
  CHECK(other.code == 2);
  CHECK(other.err ==
        "error: the folder 's' holds another study ('seed' differs); choose another folder\n");
  folder.write("swing.yaml", std::string(kSwing) + "description: changed\n");
  CHECK(contains(runCardan(folder, "sweep study.yaml -q -o s --resume").err,
                 "('fingerprint' differs)"));
  CHECK(folder.read("s/index.csv") == index);
  CHECK(contains(runCardan(folder, "sweep --merge -o nowhere").err, "holds no study"));
}

TEST_CASE(
    "sweep: elements of vectors and matrices; those that are not there are told before any run") {
  const Folder folder;
  folder.write("m.yaml",
               "parameters: {A: [[1, 2], [3, 4]], v: [1, 2]}\n"
               "variables: {y: {start: 0, fixed: true}}\n"
               "equations: [\"der(y) = A[2,1] + v[2]\"]\noutputs: [y]\n");
  const auto sweep = [&](const std::string& vary) {
    return runCardan(folder, "sweep m.yaml --vary " + vary + " --keep 'final(y)' -q -o s");
  };
  const Process wrong = sweep("'A[3,1]=5,6' --vary 'v[3]=1,2' --vary 'A[2,2]=1'");
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err,
                 "--vary A[3,1]=5,6: error: 'A' has 2 elements, found index 3\n"
                 "--vary v[3]=1,2: error: 'v' has 2 elements, found index 3\n"));
  CHECK_FALSE(folder.has("s"));
  REQUIRE(sweep("'A[2,1]=5,6' --vary 'v[2]=1'").code == 0);
  const std::vector<std::string> lines = linesOf(folder.read("s/index.csv"));
  REQUIRE(lines.size() == 3);
  CHECK(lines[1].starts_with("1,5,1,completed"));
  CHECK(lines[2].starts_with("2,6,1,completed"));
}

TEST_CASE("sweep: a list, the plan, and the batch script") {
  const Folder folder;
  write(folder);
  folder.write("points.csv", "L,body.m\r\n0.5,1\r\n0.7,2\r\n");
  const Process p = runCardan(folder,
                              "sweep swing.yaml --list points.csv --vary d=0,1 --keep "
                              "'final(revolute.phi)' --dry-run");
  CHECK(p.code == 0);
  CHECK(p.out == "\"run\",\"L\",\"body.m\",\"d\"\n1,0.5,1,0\n2,0.5,1,1\n3,0.7,2,0\n4,0.7,2,1\n");
  const Process slurm = runCardan(folder,
                                  "sweep study.yaml --set 'world.g=9.8' --keep 'x=max(revolute.w)' "
                                  "-o 's' --slurm");
  CHECK(slurm.code == 0);
  CHECK(contains(slurm.out, "#SBATCH --array=1-1\n"));
  CHECK(contains(slurm.out,
                 " sweep study.yaml --set world.g=9.8 --keep 'x=max(revolute.w)' -o s --shard auto "
                 "-j 1 --resume --quiet\n"));
  CHECK_FALSE(folder.has("s"));
  // The script is one: run as a task of an array it makes the runs.
  folder.write("job.sh", slurm.out);
  const Process job = shell(folder,
                            "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=1 bash job.sh && "
                            "$cardan sweep --merge -q -o s && wc -l <s/index.csv\n");
  CHECK(job.code == 0);
  CHECK(contains(job.out, "41"));
}

TEST_CASE("sweep: of a robot (.urdf) and of a Modelica class (.mo), run by run as simulate") {
  const Folder folder;
  folder.write("pendulum.urdf", R"xml(<robot name="pendulum">
  <link name="base"/>
  <link name="bob">
    <inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="hinge" type="continuous">
    <parent link="base"/><child link="bob"/><axis xyz="0 1 0"/>
    <dynamics damping="0.05"/>
  </joint>
</robot>
)xml");
  folder.write("Tank.mo",
               "model Tank\n  parameter Real a = 0.5;\n  Real x(start = 1, fixed = true);\n"
               "equation\n  der(x) = -a*x;\n  annotation(experiment(StopTime = 2));\nend Tank;\n");
  const Process p = shell(folder, R"sh(
$cardan sweep pendulum.urdf -q --vary hinge.phi.start=0.1,0.3 --keep 'final(hinge.phi)' \
  --trajectories hinge.phi --stop-time 1 --output-interval 0.1 -o u || exit 1
$cardan simulate pendulum.urdf -q --set hinge.phi.start=0.3 --output-variable hinge.phi \
  --stop-time 1 --output-interval 0.1 -o u.csv || exit 2
$cardan sweep Tank.mo -q --vary a=0.25:0.25:1 --keep 'final(x)' --trajectories x -o m || exit 3
$cardan simulate Tank.mo -q --set a=0.75 --output-variable x -o m.csv || exit 4
$cardan sweep Tank.mo --class Tank -q --vary a=0.25:0.25:1 --keep 'final(x)' --trajectories x \
  --shard 2/2 -o c && $cardan sweep Tank.mo --class Tank -q --vary a=0.25:0.25:1 --keep 'final(x)' \
  --trajectories x --shard 1/2 -o c && $cardan sweep --merge -q -o c || exit 5
cmp m/index.csv c/index.csv
)sh");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  CHECK(folder.read("u/trajectories/2.csv") == folder.read("u.csv"));
  CHECK(folder.read("m/trajectories/3.csv") == folder.read("m.csv"));
  CHECK(linesOf(folder.read("u/index.csv")).size() == 3);
  CHECK(linesOf(folder.read("m/index.csv")).size() == 5);
}
