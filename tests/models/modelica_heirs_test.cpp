// What classes of Modelica files mean where others inherit, modify, redeclare or surround them, and what arrays
// without elements come to: each case is imported, run for 1 s and compared with what the specification says.
#include <doctest/doctest.h>

#include "tests/models/modelica_run.h"

using namespace cardan;

TEST_CASE(
    "Modelica files: of no elements a sum is 0, a product 1, the least number is the largest") {
  // Source  MLS 3.6, 10.3.4
  test::checkModelica({
      {R"(model M parameter Integer n = 0; Real x[n], v[2] = {time, 1};
function f input Real u[:]; output Real y; algorithm y := (if max(u) < -1e300 then 1 else 0) + (if min(u) > 1e300 then 10 else 0) + sum(u); end f;
Real a = if max(x) < -1e300 then 1 else 0, b = if min(v[2:1]) > 1e300 then 1 else 0, c = sum(x), d = product(v[2:1]);
Real e = if max(v[i] for i in 1:0) < -1e300 then 1 else 0, g = f(x), h = f(v[2:1]), k = f(fill(1, 0));
equation for i in 1:n loop x[i] = time; end for; end M;
)",
       {{"a", 1}, {"b", 1}, {"c", 0}, {"d", 1}, {"e", 1}, {"g", 11}, {"h", 11}, {"k", 11}}},
  });
}
