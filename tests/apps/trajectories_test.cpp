// cardan sweep: trajectories as HDF5, read back by HDF5's own tools.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "tests/apps/process.h"
#include "tests/apps/swing.h"

using test::Folder;
using test::kSwing;
using test::Process;
using test::shell;

namespace {

const char* const kTrajectoriesStudy = R"yaml(
study: Swings
model_file: swing.yaml
vary: {L: "0.5:0.25:1.5"}
sample: {d: "uniform(0, 0.2)"}
runs: 8
keep: [final(revolute.phi)]
trajectories: ["revolute.phi", "revolute.w"]
trajectory_format: hdf5
)yaml";

/// False, and the test counts as skipped: there is no HDF5 in the program, or no h5dump.
bool canTry(const Folder& folder) {
  folder.write("swing.yaml", kSwing);
  folder.write("study.yaml", kTrajectoriesStudy);
  const Process p = shell(folder, R"sh(
command -v h5dump >/dev/null || { echo "no h5dump (Debian's hdf5-tools)"; exit 1; }
$cardan sweep study.yaml --dry-run >/dev/null 2>why.txt
! grep 'built without HDF5' why.txt
)sh");
  if (p.code == 0) return true;
  std::printf("TEST SKIPPED: %s\n", p.out.c_str());
  return false;
}

/// Numbers of h5dump's output of one data set, "(0,0): 0, 0.3, ...".
std::vector<double> numbersOf(const std::string& dump) {
  std::vector<double> numbers;
  std::istringstream lines(dump);
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find("): ");
    if (colon == std::string::npos) continue;
    std::istringstream fields(line.substr(colon + 3));
    for (std::string field; std::getline(fields, field, ',');)
      if (field.find_first_of("0123456789") != std::string::npos)
        numbers.push_back(std::strtod(field.c_str(), nullptr));
  }
  return numbers;
}
std::vector<double> numbersOfCsv(const std::string& csv) {
  std::vector<double> numbers;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');)
      numbers.push_back(std::strtod(field.c_str(), nullptr));
  }
  return numbers;
}

}  // namespace

TEST_CASE("sweep: trajectories in HDF5 are those of the CSV files, to the last bit") {
  const Folder folder;
  if (!canTry(folder)) return;
  const Process p = shell(folder, R"sh(
$cardan sweep study.yaml -q -j 2 -o h || exit 1
$cardan sweep study.yaml -q -j 1 -o one || exit 2
$cardan sweep study.yaml -q --trajectory-format csv -o c || exit 3
for k in 3 1 2; do $cardan sweep study.yaml -q --shard $k/3 -o s || exit 4; done
ls s/shards >left.txt
$cardan sweep --merge -q -o s || exit 5
cmp h/index.csv c/index.csv && cmp h/index.csv s/index.csv || exit 6
cmp h/trajectories/1-of-1.h5 one/trajectories/1-of-1.h5 || exit 7
ls s/trajectories >files.txt
for run in 1 17 40; do
  h5dump -m %.17g -d /runs/$run/values h/trajectories.h5 >h$run.txt || exit 8
  h5dump -m %.17g -d /runs/$run/values s/trajectories.h5 >s$run.txt || exit 9
done
h5ls -d s/trajectories.h5/runs/17/names >names.txt || exit 10
h5ls -d s/trajectories.h5/runs/17/units >>names.txt || exit 11
h5ls h/trajectories.h5/runs | wc -l >count.txt
)sh");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  for (const std::string run : {"1", "17", "40"}) {
    CAPTURE(run);
    const std::vector<double> csv = numbersOfCsv(folder.read("c/trajectories/" + run + ".csv"));
    REQUIRE(csv.size() >= 33);
    CHECK(numbersOf(folder.read("h" + run + ".txt")) == csv);
    CHECK(numbersOf(folder.read("s" + run + ".txt")) == csv);
  }
  CHECK(folder.read("names.txt").find("\"time\", \"revolute.phi\", \"revolute.w\"") !=
        std::string::npos);
  CHECK(folder.read("names.txt").find("\"s\", \"rad\", \"rad/s\"") != std::string::npos);
  CHECK(std::stoi(folder.read("count.txt")) == 40);
  CHECK(folder.read("files.txt") == "1-of-3.h5\n2-of-3.h5\n3-of-3.h5\n");
  CHECK(folder.read("left.txt") == "1-of-3.csv\n2-of-3.csv\n3-of-3.csv\n");  // records are gone
  CHECK_FALSE(folder.has("h/shards"));
}

TEST_CASE("sweep: HDF5 after kill -9 has every run once, and the study keeps to its format") {
  const Folder folder;
  if (!canTry(folder)) return;
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
done
# As if killed between a record and its line, and in the middle of a record.
sed -i '$d' killed/shards/1-of-1.csv
head -c 100 killed/shards/1-of-1.records >cut; cat cut >>killed/shards/1-of-1.records
$cardan sweep --merge -q -o killed; [ $? = 1 ] || exit 2
h5ls killed/trajectories.h5/runs | wc -l >part.txt
wc -l <killed/index.csv >>part.txt
$s || exit 3
cmp killed/index.csv whole/index.csv || exit 4
cmp killed/trajectories/1-of-1.h5 whole/trajectories/1-of-1.h5 || exit 5
$cardan sweep study.yaml -q -n 60 -o killed --resume --trajectory-format csv; [ $? = 2 ] || exit 6
$cardan sweep study.yaml -q -n 60 -o csv --trajectory-format csv || exit 7
$cardan sweep study.yaml -q -n 60 -o csv --resume; [ $? = 2 ] || exit 8
$cardan sweep swing.yaml --vary L=1,2 --keep 'max(revolute.phi)' --trajectory-format hdf5 -o n
[ $? = 2 ] || exit 9
)sh");
  CAPTURE(p.err);
  REQUIRE(p.code == 0);
  std::istringstream part(folder.read("part.txt"));
  int runs = 0, lines = 0;
  part >> runs >> lines;
  CHECK(runs > 100);
  CHECK(runs == lines - 1);
  CHECK(p.err.find("('trajectory_format' differs)") != std::string::npos);
  CHECK(p.err.find("--trajectory-format hdf5: error: a format belongs to trajectories, and there "
                   "are none") != std::string::npos);
}

TEST_CASE("cardan: no run waits for the libraries of HDF5, which are loaded for a study alone") {
  const Folder folder;
  if (!canTry(folder)) return;
  const Process p = shell(folder, R"sh(
command -v ldd >/dev/null || exit 0
ldd "$cardan" | grep -i hdf5 && exit 1
exit 0
)sh");
  CAPTURE(p.out);
  CHECK(p.code == 0);
}
