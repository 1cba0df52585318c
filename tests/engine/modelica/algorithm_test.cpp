// Algorithm sections of models, and variables of enumerations: what they are in the end.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "components/catalogue.h"
#include "engine/simulation.h"
#include "tests/engine/modelica/imported_text.h"

using namespace cardan;
using test::importedText;

namespace {

struct LastValueCase {
  const char* what;
  const char* model;
  const char* signal;
  double expected;
};

/// x goes from 1 to 2 in a second.
const LastValueCase kLastValueCases[] = {
    {"statements follow one another", "Real y; algorithm y := 2*x; y := y + 1; y := y*y;", "y", 25},
    {"branches choose what they assign, and others keep it",
     "Real y; algorithm y := x; if time > 0.5 then y := y + 3; elseif time > 2 then y := 9; end "
     "if;",
     "y", 5},
    {"of nested branches each has its own",
     "Real y; Real z; algorithm y := 1; z := 2; if x > 1.5 then if x > 3 then y := 5; else z := 6;"
     "end if; else y := 7; end if;",
     "z", 6},
    {"what is read before it is assigned has its start value",
     "Real y(start = 4); algorithm y := y + x;", "y", 6},
    {"a negative number stays one in a power", "Real y; algorithm y := 1 - 4; y := y^2*x;", "y",
     18},
    {"loops assign the elements of a vector, and read them",
     "Real v[3]; Real s; algorithm for i in 1:3 loop v[i] := i*x; end for; s := 0;"
     "for i in 1:3 loop s := s + v[i]; end for;",
     "s", 12},
    {"an element is assigned of a list",
     "Real v[3]; algorithm v := {x, 2, 3}; v[2] := v[1] + v[3];", "v[2]", 5},
    {"while and break end where they are known to",
     "Integer n; Real y; algorithm n := 0; while n < 4 loop n := n + 1; end while; y := 0;"
     "for i in 1:9 loop if i > 3 then break; end if; y := y + i*x; end for;",
     "y", 12},
    {"a discrete variable goes on from what it was",
     "Integer n(start = 2, fixed = true); algorithm when sample(0, 0.3) then n := n + 1; n := 2*n;"
     "end when;",
     "n", 62},
    {"a when sees what was assigned before it",
     "Real y; Real at(start = 0); algorithm y := 3*x; when x > 1.5 then at := y + 1; end when;",
     "at", 5.5},
    {"a branch of when in an algorithm",
     "Integer n(start = 0, fixed = true); algorithm when x > 1.2 then n := 1; elsewhen x > 1.6 then"
     " if n == 1 then n := n + 10; else n := 99; end if; end when;",
     "n", 11},
    {"each of several when sets a variable in its time",
     "Real z(start = 0, fixed = true); Real d(start = 0, fixed = true); algorithm when x > 1.3 "
     "then "
     "d := 1; end when; when x > 1.6 then d := pre(d) + 2; end when; equation der(z) = d;",
     "z", 1.5},
    {"of several when that fire at once the last one counts, for what it sets",
     "Real d(start = 0); Real e(start = 0); algorithm when x > 1.5 then d := 7; e := 1; elsewhen "
     "x > 1.7 then d := 3; end when; when x > 1.5 then d := pre(d) + 2; end when; equation",
     "d", 3},
    {"of several when that fire at once each sets the rest",
     "Real d(start = 0); Real e(start = 0); algorithm when x > 1.5 then d := 7; e := 10; end when; "
     "when x > 1.5 then d := pre(d) + 2; end when; equation",
     "e", 10},
    {"a state is set anew",
     "Real z(start = 0, fixed = true); equation der(z) = 1; algorithm "
     "when z > 0.75 then reinit(z, 0); end when;",
     "z", 0.25},
    {"functions are called",
     "Real y; function f input Real u; output Real r; algorithm r := u^2; end f;"
     "algorithm y := f(x) + f(2);",
     "y", 8},
    {"functions are called for what they assert, on values that are known",
     "Real y; parameter Real k[3] = {1, 2, 4}; function rises input Real v[:]; algorithm for i in "
     "2:size(v, 1) loop assert(v[i] > v[i - 1], \"falls\"); end for; end rises;"
     "algorithm rises(k); y := x; initial algorithm rises(k);",
     "y", 2},
    {"a function of one's own may have the name of one of the library's",
     "Real y; function loadResource input Real u; output Real r; algorithm r := 3*u; end "
     "loadResource; equation y = loadResource(x);",
     "y", 6},
    {"names of signs, of digits and of what stands for signs are different ones",
     "Real '*' = x; Real '42' = 2*x; Real '_' = 3*x; Real y; equation y = '*' + 10*'42' + 100*'_';",
     "y", 642},
    {"the start finds parameters of parts, of each its own",
     "model A parameter Real L = 2; parameter Real c(start = L, fixed = false); Real z(start = 1, "
     "fixed = true); Modelica.Blocks.Math.Gain g(k = 3, u = z); initial equation c*c = 2*L; "
     "equation der(z) = -c*z; end A; model B A a(L = 8); A b; end B; A a; B b; Real y; equation "
     "y = a.c + 10*b.a.c + 100*b.b.c + 1000*(a.z - b.b.z);",
     "y", 242},
    {"a table has begun since ever",
     "Modelica.Blocks.Sources.CombiTimeTable t(table = [0, 1; 1, 3], startTime = "
     "-Modelica.Constants.inf, shiftTime = 0.5); equation",
     "t.y[1]", 2},
    {"operators of records have names of their own",
     "operator record C Real re; encapsulated operator '*' function multiply input Real u; output "
     "Real r; algorithm r := u; end multiply; end '*'; encapsulated operator '+' function add "
     "input "
     "Real u; output Real r; algorithm r := u; end add; end '+'; end C; Real y; equation y = x;",
     "y", 2},
    {"initial algorithms say where it starts",
     "Real z(start = 7); equation der(z) = 0; initial algorithm z := 1; z := z + 2;", "z", 3},
    {"a variable of an enumeration changes in when",
     "type S = enumeration(red, green, blue); S s(start = S.green, fixed = true); Real y;"
     "equation y = if s == S.red then 10 elseif s == S.green then 20 else 30;"
     "when x > 1.5 then s = S.blue; end when;",
     "y", 30},
    {"it begins with its first literal",
     "type S = enumeration(red, green); S s; Integer n; equation n = Integer(s);"
     "when x > 5 then s = S.green; end when;",
     "n", 1},
    {"an equation gives a variable of an enumeration",
     "type S = enumeration(red, green, blue); S s; parameter S p = S.blue; Boolean isP = s == p;"
     "Real y = if isP then 3 else 4; equation s = if x > 1.5 then S.blue else S.red;",
     "y", 3},
    {"literals are indices, and compared",
     "type S = enumeration(red, green, blue); S s(start = S.red, fixed = true);"
     "parameter Real k[S] = {5, 6, 7}; Real y; equation y = k[S.green] + (if s > S.red then 1 else "
     "0);"
     "when x > 1.5 then s = S(3); end when;",
     "y", 7},
    {"an enumeration remembers what it was",
     "type S = enumeration(off, on); S s(start = S.off, fixed = true); Integer n(start = 0);"
     "algorithm when sample(0.1, 0.2) then s := if pre(s) == S.off then S.on else S.off;"
     "if s == S.on then n := n + 1; end if; end when;",
     "n", 3},
};

}  // namespace

TEST_CASE("Modelica import: algorithms and enumerations of models have the values of Modelica") {
  for (const LastValueCase& one : kLastValueCases) {
    CAPTURE(one.what);
    const std::string text = std::string("model M Real x(start = 1, fixed = true); ") + one.model +
                             " equation der(x) = 1; annotation (experiment(StopTime = 1)); end M;";
    const std::string model = importedText(text);
    Trajectory rows;
    Simulation::fromText(catalogue(), model).run(rows, {.outputs = {one.signal}});
    CHECK(rows[one.signal].back() == doctest::Approx(one.expected).epsilon(1e-6));
  }
}

/// Of what stays a parameter and of what varies it is checked as the model's own.
TEST_CASE(
    "Modelica import: what functions assert that are called for it must hold during the run") {
  struct Case {
    const char* call;
    const char* part;  ///< of what the run says; "" where it ends well
  };
  for (const Case& one :
       {Case{"algorithm chk(p, 2);", ""}, Case{"equation twice(p);", ""},
        Case{"algorithm chk(p, 0.5);", "too small"}, Case{"algorithm twice(p); twice(x);", ""},
        Case{"equation twice(1.5 - x);", "too small"},
        Case{"algorithm twice(3 + x); twice(1.25 - time);", ""},
        Case{"equation stops(x);", "at the wall"}, Case{"equation stops(0.5*x);", ""}}) {
    CAPTURE(one.call);
    const std::string text =
        std::string(
            "model M parameter Real p = 1; Real x(start = 1, fixed = true);"
            "function chk input Real v; input Real most; algorithm assert(v > 0 and v <= most, "
            "\"too small\"); end chk;"
            "function twice input Real v; algorithm chk(v, 9); end twice;"
            "function stops input Real v; algorithm if v > 1.5 then "
            "Modelica.Utilities.Streams.error("
            "\"at the wall\"); end if; end stops; ") +
        one.call + " equation der(x) = 1; annotation (experiment(StopTime = 1)); end M;";
    const std::string model = importedText(text);
    Trajectory rows;
    std::string said;
    try {
      Simulation::fromText(catalogue(), model).run(rows);
    } catch (const std::exception& e) {
      said = e.what();
    }
    CAPTURE(said);
    CHECK(said.empty() == (*one.part == '\0'));
    CHECK(said.find(one.part) != std::string::npos);
  }
}
