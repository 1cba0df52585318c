#include <doctest/doctest.h>

#include <string>

#include "tests/apps/process.h"

using test::contains;
using test::Folder;
using test::Process;

TEST_CASE("cardan studio: other machines only with --i-know, and only what is there") {
  const Folder folder;
  const Process open = test::runCardan(folder, "studio . --no-open --host 0.0.0.0");
  CHECK(open.code == 2);
  CHECK(contains(open.err, "lets other machines ask"));
  CHECK(contains(open.err, "--i-know"));
  const Process missing = test::runCardan(folder, "studio none.yaml --no-open");
  CHECK(missing.code == 2);
  CHECK(contains(missing.err, "there is no 'none.yaml'"));
  CHECK(test::runCardan(folder, "studio /dev/null --no-open").code == 2);
}

TEST_CASE("cardan watch: runs again after a change, and tells what is another than before") {
  const Folder folder;
  folder.write("m.yaml",
               "model: M\nvariables: {x: {start: 1, fixed: true}}\n"
               "equations: [\"der(x) = -x\"]\nsimulation: {stop: 1, interval: 0.1}\n");
  const Process p = test::shell(folder, R"(
$cardan watch m.yaml -- cardan simulate m.yaml -o r.csv -q >said 2>&1 &
pid=$!
await() { for i in $(seq 200); do grep -q "$1" said && return; sleep 0.05; done; }
until [[ -e r.meta.json ]] && grep -q completed r.meta.json; do sleep 0.05; done
sleep 0.3
sed -i 's/-x"/-2*x"/' m.yaml
await 'before'
sed -i 's/equations/equation/' m.yaml
await "unknown section 'equation'"
sed -i 's/equation:/equations:/; s/stop: 1/stop: 2/' m.yaml
await 'end: 2 s, was 1 s'
kill $pid
wait $pid
echo $?
cat said
)");
  CHECK(contains(p.out, "143\n"));
  CHECK(contains(p.out, "--- m.yaml has changed"));
  // exp(-t) - exp(-2 t) is largest where exp(-t) is 1/2: of the rows at 0.7 s.
  CHECK(contains(p.out, "x: by 0.25 at 0.7 s"));
  CHECK(contains(p.out, "unknown section 'equation'"));
  CHECK(contains(p.out, "rows: 21, were 11"));
}
