// Modelica's grammar: what is read, and what is said of the first mistake of a file.
#include "engine/modelica/parser.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace cardan;
using namespace cardan::modelica;

namespace {

std::string mistakeIn(const std::string& text) {
  Diagnostics diagnostics;
  const bool read = parseModelica(text, "m.mo", diagnostics).has_value();
  CHECK(read == (diagnostics.errorCount() == 0));
  return diagnostics.all().empty() ? "" : diagnostics.all().front().format();
}

StoredDefinition parsed(const std::string& text) {
  Diagnostics diagnostics;
  auto result = parseModelica(text, "m.mo", diagnostics);
  REQUIRE_MESSAGE(result.has_value(), diagnostics.format());
  return std::move(*result);
}

}  // namespace

TEST_CASE("Modelica parser: elements keep their prefixes, sizes, modifications and comments") {
  const StoredDefinition file = parsed(R"(within A.B;
model M "a model"
  import SI = Modelica.Units.SI;
  import A.C.*;
  import A.{D, E};
  extends Base(redeclare replaceable Gear gear(c=c) constrainedby PartialGear);
  parameter SI.Mass m(min=0) = 2*k "mass", n[3] = {1, 2, 3};
  inner Modelica.Mechanics.MultiBody.World world(g = 9.81) annotation (Placement(x={1, 2}));
protected
  Real x[2, :](each start = 1) if m > 0;
equation
  for i in 1:2, j in 1:3 loop
    connect(a[i].b, c[i, j]);
  end for;
  if m > 1 then
    x = y;
  elseif m > 2 then
  else
    x[1] = -y;
  end if;
  when {initial(), x > 1} then reinit(x, 2); end when;
initial equation
  der(x) = 0;
  annotation (Icon(graphics={Line(points={{0, 0}})}), experiment(StopTime=2, Tolerance=1e-8));
end M;)");
  REQUIRE(file.within.has_value());
  CHECK(*file.within == std::vector<std::string>{"A", "B"});
  const ClassDefinition& m = *file.classes.at(0);
  CHECK(m.comment == "a model");
  REQUIRE(m.elements.size() == 8);
  CHECK(m.elements[0].name == "SI");
  CHECK(m.elements[1].importsAll);
  CHECK(m.elements[2].imported == std::vector<std::string>{"D", "E"});
  CHECK(m.elements[3].modification.arguments.at(0).redeclaration->constrainedBy->format() ==
        "PartialGear");
  CHECK(m.elements[4].comment == "mass");
  CHECK(m.elements[5].comment == "");
  CHECK(m.elements[5].sizes.size() == 1);
  CHECK(m.elements[6].isInner);
  CHECK(m.elements[7].isProtected);
  CHECK(m.elements[7].condition.has_value());
  CHECK(m.equations.size() == 3);
  CHECK(m.equations[0].indices.size() == 2);
  CHECK(m.equations[1].branches.size() == 3);
  CHECK(m.initialEquations.size() == 1);
  REQUIRE(m.experiment.size() == 2);
  CHECK(m.experiment[1].second.number == 1e-8);
}

TEST_CASE("Modelica parser: the first mistake is named with its place") {
  const auto is = [](const std::string& text, const std::string& message) {
    CAPTURE(text);
    CHECK(mistakeIn(text) == message);
  };
  is("model M\n  Real x\nend M;", "m.mo:3:1: error: expected ';' after the element, found 'end'");
  is("model M\nend N;", "m.mo:2:5: error: expected 'end M', found 'end N'");
  is("model M\n  Real x = (1 + ;\nend M;", "m.mo:2:17: error: expected an expression, found ';'");
  is("model M\nequation\n  x + y;\nend M;",
     "m.mo:3:8: error: expected '=' in the equation, found ';'");
  is("model M\n  Real x;",
     "m.mo:2:10: error: expected 'end' at the end of the class, found the end of the file");
  is("hello", "m.mo:1:1: error: expected a class, found 'hello'");
  is("model M\n  Real x = 1 $ 2;\nend M;", "m.mo:2:14: error: unexpected character '$'");
  is("model M /* open\nend M;", "m.mo:1:9: error: comment '/*' without '*/'");
  is("model M \"open\nend M;", "m.mo:1:9: error: string without '\"' at its end");
  is("model M\n  Real a, b c;\nend M;",
     "m.mo:2:13: error: expected ';' after the element, found 'c'");
  is("model M\nequation\n  connect(a);\nend M;",
     "m.mo:3:12: error: expected ',' between the connectors, found ')'");
  is("model M\nequation\n  for i in 1:3\n    x[i] = 1;\n  end for;\nend M;",
     "m.mo:4:5: error: expected 'loop' after the indices of 'for', found 'x'");
  is("model M\nequation\n  if a then\n    x = 1;\n  end for;\nend M;",
     "m.mo:5:7: error: expected 'if' after 'end', found 'for'");
  is("model M\n  Real x(start=);\nend M;", "m.mo:2:16: error: expected an expression, found ')'");
  is("model M\n  Real x[3;\nend M;",
     "m.mo:2:11: error: expected ']' after the subscripts, found ';'");
  is("model M\n  annotation (Icon(;\nend M;", "m.mo:2:14: error: annotation '(' without ')'");
  is("model M\n  class A end A;\n  class A end A;\nend M;",
     "m.mo:3:9: error: class 'A' is defined twice");
  is("model M\n  Real x = 1e999;\nend M;", "m.mo:2:12: error: number '1e999' is out of range");
  // Powers and relations make no chains; a sign stands in front of a sum, `not` of a relation.
  const auto value = [&](const std::string& e, const std::string& column,
                         const std::string& found) {
    const std::string expected =
        found == "^" || found == "<" ? "expected ';' after the element" : "expected an expression";
    is("model M\n  Real x = " + e + ";\nend M;",
       "m.mo:2:" + column + ": error: " + expected + ", found '" + found + "'");
  };
  value("a^b^c", "15", "^");
  value("-a^b^c", "16", "^");
  value("a < b < c", "18", "<");
  value("not a < b < c", "22", "<");
  value("2*-a", "14", "-");
  value("not not a", "16", "not");
  is("function f\nalgorithm\n  x = 1;\nend f;",
     "m.mo:3:5: error: expected ':=' in the statement, found '='");
  is("model M\n  Real x = " + std::string(1000, '(') + "1;\nend M;",
     "m.mo:2:111: error: nested deeper than 200 levels");
}

// Where the library's sources are is said by CARDAN_MSL, as /usr/share/modelica.
TEST_CASE("Modelica parser: every file of the Modelica Standard Library is read, and fast") {
  const char* folder = std::getenv("CARDAN_MSL");
  if (!folder || !std::filesystem::exists(folder)) {
    MESSAGE("TEST SKIPPED: CARDAN_MSL names no folder with the Modelica Standard Library");
    return;
  }
  int files = 0;
  double multiBody = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".mo") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const auto start = std::chrono::steady_clock::now();
    CHECK(mistakeIn(text) == "");
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (entry.path().string().find("/MultiBody/") != std::string::npos)
      multiBody += seconds.count();
    ++files;
  }
  CHECK(files > 1000);
  CHECK(multiBody < 0.2);
}
