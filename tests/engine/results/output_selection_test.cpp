// Which columns names, patterns and exclusions choose, and what they are called.
#include "engine/results/output_selection.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "components/catalogue.h"
#include "engine/equations/model.h"

using namespace cardan;

namespace {

const char* const kOutputSelectionModel = R"(
submodels:
  Arm:
    components:
      joint: {type: Universal}
      load:  {type: Body, m: 1, r_CM: [0, -1, 0]}
    connections: [[joint.frame_b, load.frame_a]]
    connectors: {mount: joint.frame_a, flange_b: joint.frame_b}
components:
  revolute: {type: Revolute, useAxisFlange: true}
  arm:      {type: Arm}
connections: [[world.frame_b, revolute.frame_a], [revolute.frame_b, arm.mount]]
variables: {reach: "arm.load.r_0[1]"}
)";

std::vector<std::string> columns(const std::vector<std::string>& patterns,
                                 std::string* errors = nullptr) {
  Diagnostics diagnostics;
  const Model model(catalogue(), std::string_view(kOutputSelectionModel), "m.yaml", {},
                    diagnostics);
  REQUIRE(diagnostics.errorCount() == 0);
  std::vector<OutputPattern> list;
  for (const std::string& p : patterns) list.push_back({p, {}});
  std::vector<std::string> names;
  for (const NamedElement& e : selectOutputs(model, list, diagnostics)) names.push_back(e.name);
  if (errors) {
    *errors = diagnostics.format();
  } else {
    CHECK(diagnostics.format() == "");
  }
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("outputs: * chooses within one name, ** across dots") {
  CHECK(columns({"rev*.phi"}) == Names{"revolute.phi"});
  CHECK(columns({"rev**.phi"}) ==
        Names{"revolute.phi", "revolute.axis.phi", "revolute.support.phi"});
  CHECK(columns({"revolute.?"}) ==
        Names{"revolute.a", "revolute.e[1]", "revolute.e[2]", "revolute.e[3]", "revolute.w"});
  CHECK(columns({"arm.load.r_0[*]"}) ==
        Names{"arm.load.r_0[1]", "arm.load.r_0[2]", "arm.load.r_0[3]"});
  CHECK(columns({"arm.load.r_?"}) == columns({"arm.load.r_0"}));
}

TEST_CASE("outputs: a column goes by the name it was asked by") {
  CHECK(columns({"arm.joint.phi_*"}) == Names{"arm.joint.phi_a", "arm.joint.phi_b"});
  CHECK(columns({"arm.*.phi_a"}) == Names{"arm.joint.phi_a"});
  CHECK(columns({"arm.joint.revolute_?.phi"}) ==
        Names{"arm.joint.revolute_a.phi", "arm.joint.revolute_b.phi"});
  CHECK(columns({"arm.mount.r_0"}) ==
        Names{"arm.mount.r_0[1]", "arm.mount.r_0[2]", "arm.mount.r_0[3]"});
  CHECK(columns({"arm.mount.r_*"}) == columns({"arm.mount.r_0"}));
  CHECK(columns({"arm.m*.r_0[2]"}) == Names{"arm.mount.r_0[2]"});
  // One that is asked for by two names is there twice, one by one name once.
  CHECK(columns({"arm.joint.phi_a", "arm.joint.revolute_a.phi", "arm.joint.phi_a"}) ==
        Names{"arm.joint.phi_a", "arm.joint.revolute_a.phi"});
}

TEST_CASE("outputs: ! takes away, wherever it stands and by whatever name") {
  CHECK(columns({"!**.axis.*", "rev**.phi"}) == Names{"revolute.phi", "revolute.support.phi"});
  CHECK(columns({"arm.joint.phi_*", "!arm.joint.revolute_a.phi"}) == Names{"arm.joint.phi_b"});
  CHECK(columns({"arm.load.r_0", "!arm.load.r_0[2]"}) ==
        Names{"arm.load.r_0[1]", "arm.load.r_0[3]"});
  // Alone: from what a result has by default.
  Names all = columns({});
  REQUIRE(all.back() == "reach");
  all.pop_back();
  CHECK(columns({"!reach"}) == all);
}

TEST_CASE("outputs: what names nothing is an error, with the pattern that would") {
  std::string errors;
  columns({"revolute.phy"}, &errors);
  CHECK(errors == "error: no variable 'revolute.phy'; did you mean 'revolute.phi'?");
  columns({"r*.tau[*]"}, &errors);
  CHECK(errors == "error: no variable 'r*.tau[*]'");
  columns({"*.flange_b.r_0"}, &errors);
  CHECK(errors == "");
  columns({"*.load.*.r_0"}, &errors);
  CHECK(errors == "");
  columns({"*.r_0"}, &errors);
  CHECK(errors ==
        "error: no variable '*.r_0'; '*' stays within one name, '**' goes on across its dots");
  columns({"!nothing*"}, &errors);
  CHECK(errors == "error: no variable 'nothing*'");
}
