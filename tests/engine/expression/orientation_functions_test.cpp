/// Frames' functions in expressions against the functions of frames/.
#include "engine/expression/orientation_functions.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engine/expression/constant_evaluation.h"
#include "frames/frames.h"

using namespace cardan;

namespace {

constexpr double kAlgebra = 1e-14;  // a few rounded operations on numbers of order one

/// Value of a constant expression, or the error.
std::optional<ExpressionValue> evaluated(const std::string& text, std::string* error = nullptr) {
  Diagnostics diagnostics;
  const auto e = parseExpression(text, {"", 0, 0}, diagnostics);
  std::optional<ExpressionValue> value;
  if (e) {
    value = evaluateConstant(
        *e, [](const std::string&) { return std::nullopt; }, diagnostics);
  }
  if (error) *error = diagnostics.all().empty() ? "" : diagnostics.all().front().text;
  return value;
}
void check(const std::string& text, const std::vector<double>& wanted) {
  CAPTURE(text);
  std::string error;
  const auto value = evaluated(text, &error);
  CAPTURE(error);
  REQUIRE(value);
  REQUIRE(value->elements().size() == wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    CHECK(std::abs(value->elements()[i] - wanted[i]) < kAlgebra * 10);
  }
}
template <class V>
std::vector<double> list(const V& v) {
  std::vector<double> all;
  for (Eigen::Index i = 0; i < v.rows(); ++i) {
    for (Eigen::Index j = 0; j < v.cols(); ++j) all.push_back(v(i, j));
  }
  return all;
}

const std::string kR = "Frames.axesRotations({3,1,2}, {0.3,-1.1,2.2}, {0.5,0.7,-0.2})";
const std::string kR2 = "Frames.planarRotation({0.6,0,0.8}, 0.9, 1.5)";

}  // namespace

TEST_CASE("Frames in expressions: each function equals that of frames") {
  using namespace frames;
  const auto R =
      axesRotations(Sequence{3, 1, 2}, Vector3d(0.3, -1.1, 2.2), Vector3d(0.5, 0.7, -0.2));
  const auto R2 = planarRotation(Vector3d(0.6, 0, 0.8), 0.9, 1.5);
  const Vector3d v(1, -2, 3);
  const std::string text = "{1,-2,3}";
  auto both = [&](const std::string& call, const Orientation<double>& wanted) {
    check("Frames.to_T(" + call + ")", list(to_T(wanted)));
    check("Frames.angularVelocity2(" + call + ")", list(angularVelocity2(wanted)));
  };
  both(kR, R);
  both(kR2, R2);
  both("Modelica.Mechanics.MultiBody.Frames.nullRotation()", nullRotation<double>());
  both("Frames.inverseRotation(" + kR + ")", inverseRotation(R));
  both("Frames.relativeRotation(" + kR + ", " + kR2 + ")", relativeRotation(R, R2));
  both("Frames.absoluteRotation(" + kR + ", " + kR2 + ")", absoluteRotation(R, R2));
  both("Frames.axisRotation(2, 0.4, 0.1)", axisRotation(2, 0.4, 0.1));
  for (const auto& [x, y] : std::vector<std::pair<Vector3d, Vector3d>>{
           {{1, 1, 0}, {0, 0, 2}}, {{0, 0, 3}, {0, 0, 1}}, {{0, 0, 0}, {1, 1, 1}}}) {
    auto braces = [](const Vector3d& a) {
      return "{" + std::to_string(a[0]) + "," + std::to_string(a[1]) + "," + std::to_string(a[2]) +
             "}";
    };
    both("Frames.from_nxy(" + braces(x) + ", " + braces(y) + ")", from_nxy(x, y));
    both("Frames.from_nxz(" + braces(x) + ", " + braces(y) + ")", from_nxz(x, y));
  }
  check("Frames.resolve1(" + kR + ", " + text + ")", list(resolve1(R, v)));
  check("Frames.resolve2(" + kR + ", " + text + ")", list(resolve2(R, v)));
  check("Frames.resolveRelative(" + text + ", " + kR + ", " + kR2 + ")",
        list(resolveRelative(v, R, R2)));
  check("Frames.angularVelocity1(" + kR + ")", list(angularVelocity1(R)));
  check("Frames.orientationConstraint(" + kR2 + ")", std::vector<double>(6, 0.0));
  check("Frames.Orientation.equalityConstraint(" + kR + ", " + kR + ")", {0, 0, 0});
  const Vector3d angles = axesRotationsAngles(R, {1, 2, 3}, 0.0);
  check("Frames.axesRotationsAngles(" + kR + ")", list(angles));
  const Eigen::Vector4d Q = to_Q(R);
  check("Frames.to_Q(" + kR + ")", list(Q));
  check("Frames.Quaternions.to_T(Frames.to_Q(" + kR2 + "))", list(to_T(R2)));
  check("Frames.Quaternions.resolve2(Frames.to_Q(" + kR + "), " + text + ")", list(resolve2(R, v)));
  check("Frames.Quaternions.relativeRotation(Frames.to_Q(" + kR2 + "), Frames.to_Q(" + kR2 + "))",
        {0, 0, 0, 1});
  check("Frames.TransformationMatrices.resolve1(Frames.to_T(" + kR + "), " + text + ")",
        list(resolve1(R, v)));
}

TEST_CASE("Frames in expressions: wrong calls say what is wrong") {
  const std::pair<std::string, std::string> table[] = {
      {"Frames.resolve2(" + kR2 + ", 3)",
       "'v1' of 'Frames.resolve2' must be a vector of 3, found 3"},
      {"Frames.resolve2({1,2,3}, {1,2,3})",
       "'R' of 'Frames.resolve2' must be an orientation, found vector of 3"},
      {"Frames.resolve2(" + kR2 + ")", "'Frames.resolve2' needs an argument 'v1'"},
      {"Frames.nullRotation(1)", "'Frames.nullRotation' takes at most 0 arguments, found 1"},
      {"Frames.axisRotation(4, 0, 0)", "an axis is 1, 2 or 3, found 4"},
      {"Frames.resolv2(1)",
       "function 'Frames.resolv2' is not supported in expressions; did you mean "
       "'Frames.resolve2'?"},
      {"2*Frames.nullRotation()", "'*' needs numbers, found orientation"},
  };
  for (const auto& [text, expected] : table) {
    std::string error;
    CHECK(!evaluated(text, &error));
    CHECK(error == expected);
  }
}
