// The width of a run: which one it is, and what is asked for in vain.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/apps/process.h"

using test::Folder;
using test::Process;
using test::runCardan;

namespace {

const char* const kFalling = R"(
components: {mass: {type: PointMass, m: 1, r_0: {fixed: true}, v_0: {fixed: true}}}
simulation: {stop: 0.1}
)";

}  // namespace

TEST_CASE("cardan --lanes: the width that is there is taken, and the sidecar names it") {
  const Folder folder;
  folder.write("m.yaml", kFalling);
  const auto lanesOfRun = [&] {
    return nlohmann::json::parse(folder.read("m.meta.json"))["tool"]["lanes"].get<int>();
  };
  CHECK(runCardan(folder, "simulate m.yaml").code == 0);
  const int widest = lanesOfRun();
  CHECK((widest == 2 || widest == 4 || widest == 8));
  CHECK(runCardan(folder, "--lanes " + std::to_string(widest) + " simulate m.yaml").code == 0);
  CHECK(lanesOfRun() == widest);
}

TEST_CASE("cardan --lanes: a width that is not there is exit code 2, and nothing runs") {
  const Folder folder;
  folder.write("m.yaml", kFalling);
  for (const char* wrong : {"3", "16", "wide"}) {
    const Process p = runCardan(folder, std::string("--lanes ") + wrong + " simulate m.yaml");
    CHECK(p.code == 2);
    CHECK(p.err.starts_with("error: --lanes must be one of those that this program has here: "));
    CHECK(p.err.find("found '" + std::string(wrong) + "'") != std::string::npos);
    CHECK_FALSE(folder.has("m.csv"));
  }
}
