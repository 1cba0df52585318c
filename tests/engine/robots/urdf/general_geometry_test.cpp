// URDF with general numbers: no angle of 90 degrees, no multiplier of 1, no offset of 0.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/engine/robots/started_robot.h"

using namespace cardan;

namespace {

constexpr double kGeneralGeometryRounding =
    1e-12;  // of a few operations on numbers of magnitude ten

struct GeneralRobot : test::StartedRobot {
  GeneralRobot(const std::string& inside, const Overrides& set,
               const std::vector<std::string>& outputs)
      : StartedRobot(test::importedRobot("<robot name='r'>\n" + inside + "\n</robot>", "r.urdf"),
                     set, outputs) {}
};

/// Turns vectors of a frame with these roll, pitch and yaw into the one that it is placed in.
Matrix3d turn(double roll, double pitch, double yaw) {
  return (Eigen::AngleAxisd(yaw, Vector3d::UnitZ()) * Eigen::AngleAxisd(pitch, Vector3d::UnitY()) *
          Eigen::AngleAxisd(roll, Vector3d::UnitX()))
      .toRotationMatrix();
}

Matrix3d matrixOf(GeneralRobot& s, const std::string& name) {
  Matrix3d m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = s[fmt::format("{}[{},{}]", name, i + 1, j + 1)];
  }
  return m;
}

std::string elementNamed(const std::string& name) { return "<link name='" + name + "'/>\n"; }

}  // namespace

TEST_CASE("URDF: the inertia is that of its own frame, turned by any three angles") {
  Matrix3d I;
  I << 1.1, 0.12, -0.23, 0.12, 1.7, 0.31, -0.23, 0.31, 1.4;
  const std::string tensor =
      "<inertia ixx='1.1' iyy='1.7' izz='1.4' ixy='0.12' ixz='-0.23' iyz='0.31'/>";
  const double angles[][3] = {
      {0.3, -0.5, 1.1}, {-1.2, 0.7, 0.4}, {0.9, 0, 0}, {0, 0.9, 0}, {0, 0, 0.9}};
  for (const auto& [r, p, y] : angles) {
    CAPTURE(r);
    CAPTURE(p);
    GeneralRobot s(fmt::format("<link name='a'><inertial><origin xyz='0.1 0.2 0.3' rpy='{} {} {}'/>"
                               "<mass value='2'/>{}</inertial></link>",
                               r, p, y, tensor),
                   {}, {"a.I"});
    const Matrix3d R = turn(r, p, y);
    CHECK((matrixOf(s, "a.I") - R * I * R.transpose()).norm() < kGeneralGeometryRounding);
  }
}

TEST_CASE("URDF: a tensor with a negative moment becomes the nearest one, whatever its axes are") {
  for (const Vector3d& moments : {Vector3d(-0.2, 1.1, 1.4), Vector3d(0.7, -0.3, 0.9),
                                  Vector3d(-0.1, -0.2, 1.3), Vector3d(1.2, 0.5, -0.4)}) {
    const Matrix3d V = turn(0.4, -0.9, 1.3);
    const Matrix3d I = V * moments.asDiagonal() * V.transpose();
    GeneralRobot s(
        fmt::format("<link name='a'><inertial><mass value='2'/><inertia ixx='{}' iyy='{}' izz='{}' "
                    "ixy='{}' ixz='{}' iyz='{}'/></inertial></link>",
                    I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)),
        {}, {"a.I"});
    const Matrix3d nearest = V * moments.cwiseMax(0).asDiagonal() * V.transpose();
    CHECK((matrixOf(s, "a.I") - nearest).norm() < kGeneralGeometryRounding);
  }
}

TEST_CASE("URDF: shapes of links that become one are where their links would have had them") {
  // A tip on an arm, once as a link of its own that is merged, once with its pose composed by hand.
  const auto shapes = [](const std::string& origin) {
    std::string text;
    for (const char* g : {"<box size='0.4 0.2 0.1'/>", "<cylinder radius='0.1' length='0.6'/>",
                          "<sphere radius='0.17'/>"})
      text += "<visual>" + origin + "<geometry>" + g + "</geometry></visual>";
    return text;
  };
  const std::string mass =
      "<inertial><mass value='1.3'/><inertia ixx='0.1' iyy='0.12' izz='0.13'/></inertial>";
  const std::string hinge =
      "<joint name='j' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 1 "
      "0'/>"
      "</joint>";
  const auto numbersOf = [](const std::string& inside, bool merged) {
    robots::ImportOptions options;
    options.mergeFixed = merged;
    const RobotImport robot =
        test::importedRobot("<robot name='r'>\n" + inside + "\n</robot>", "r.urdf", options);
    std::vector<double> numbers;
    const std::string text = robot.model.text();
    for (size_t at = text.find("r_shape"); at != std::string::npos; at = text.find("r_shape", at)) {
      const size_t end = text.find("color", at);
      const char* p = text.data() + at + 7;
      while (p < text.data() + end) {
        char* behind = nullptr;
        const double x = std::strtod(p, &behind);
        if (behind == p) {
          ++p;
        } else {
          numbers.push_back(x);
          p = behind;
        }
      }
      at = end;
    }
    return numbers;
  };
  const Matrix3d R1 = turn(0.6, 1.1, -0.4), R2 = turn(-0.3, 0.5, 0.8);
  const Vector3d r = Vector3d(-0.3, 0.7, 0.2) + R1 * Vector3d(0.1, -0.2, 0.4);
  const Matrix3d R = R1 * R2;
  const double pitch = std::asin(-R(2, 0));
  const std::string composed =
      fmt::format("<origin xyz='{} {} {}' rpy='{} {} {}'/>", r[0], r[1], r[2],
                  std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0)));
  const std::string two =
      "<link name='base'/><link name='arm'>" + mass + "</link><link name='tip'>" + mass +
      shapes("<origin xyz='0.1 -0.2 0.4' rpy='-0.3 0.5 0.8'/>") + "</link>" + hinge +
      "<joint name='g' type='fixed'><parent link='arm'/><child link='tip'/>"
      "<origin xyz='-0.3 0.7 0.2' rpy='0.6 1.1 -0.4'/></joint>";
  const std::string one =
      "<link name='base'/><link name='arm'>" + mass + shapes(composed) + "</link>" + hinge;
  const std::vector<double> a = numbersOf(two, true), b = numbersOf(one, false);
  REQUIRE(a.size() == 30);  // a place, two directions but of the sphere, three sizes
  REQUIRE(b.size() == a.size());
  for (size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a[i] - b[i]) < kGeneralGeometryRounding);
  // A box's corner is half of its sizes from the middle that the origin names.
  const Vector3d corner = r - R.col(0) * 0.2;
  for (int i = 0; i < 3; ++i) CHECK(std::abs(a[i] - corner[i]) < kGeneralGeometryRounding);
  CHECK(a[24] == doctest::Approx(r[0] - 0.17)
                     .epsilon(kGeneralGeometryRounding));  // a sphere begins at its side
  CHECK(a[27] == doctest::Approx(0.34).epsilon(kGeneralGeometryRounding));
}

TEST_CASE("URDF: origins of joints add up over fixed joints, in the frames of their parents") {
  // Base, a fixed joint, a hinge about a general axis, a fixed joint, a link with mass.
  const std::string mass =
      "<inertial><origin xyz='0.2 -0.1 0.3'/><mass value='1.3'/><inertia ixx='0.1' iyy='0.12' "
      "izz='0.13'/></inertial>";
  const double phi = 0.7;
  GeneralRobot s(elementNamed("base") + elementNamed("mid") + "<link name='arm'>" + mass +
                     "</link><link name='tip'>" + mass +
                     "</link>"
                     "<joint name='f' type='fixed'><parent link='base'/><child link='mid'/>"
                     "<origin xyz='1 2 3' rpy='0.3 -0.5 1.1'/></joint>"
                     "<joint name='j' type='continuous'><parent link='mid'/><child link='arm'/>"
                     "<origin xyz='0.4 -0.5 0.6' rpy='-0.8 0.2 0.5'/><axis xyz='1 2 -2'/></joint>"
                     "<joint name='g' type='fixed'><parent link='arm'/><child link='tip'/>"
                     "<origin xyz='-0.3 0.7 0.2' rpy='0.6 1.1 -0.4'/></joint>",
                 {fmt::format("j.phi.start={}", phi)}, {"tip.frame_a.r_0", "tip.frame_a.R.T"});
  const Matrix3d f = turn(0.3, -0.5, 1.1), j = turn(-0.8, 0.2, 0.5), g = turn(0.6, 1.1, -0.4);
  const Matrix3d hinge = Eigen::AngleAxisd(phi, Vector3d(1, 2, -2) / 3).toRotationMatrix();
  const Vector3d place =
      Vector3d(1, 2, 3) + f * Vector3d(0.4, -0.5, 0.6) + f * j * hinge * Vector3d(-0.3, 0.7, 0.2);
  for (int i = 0; i < 3; ++i)
    CHECK(s[fmt::format("tip.frame_a.r_0[{}]", i + 1)] ==
          doctest::Approx(place[i]).epsilon(kGeneralGeometryRounding));
  CHECK((matrixOf(s, "tip.frame_a.R.T") - (f * j * hinge * g).transpose()).norm() <
        kGeneralGeometryRounding);
}

TEST_CASE("URDF: what follows a follower is scaled and shifted by both") {
  const auto link = [](const std::string& name, double mass) {
    return fmt::format(
        "<link name='{}'><inertial><origin xyz='0.2 0 0'/><mass value='{}'/><inertia ixx='0.01' "
        "iyy='0.02' izz='0.02'/></inertial></link>",
        name, mass);
  };
  const auto joint = [](const std::string& name, const std::string& type, const std::string& child,
                        const std::string& more) {
    return fmt::format(
        "<joint name='{}' type='{}'><parent link='base'/><child link='{}'/><axis xyz='0 0 1'/>{}"
        "</joint>",
        name, type, child, more);
  };
  // Every kind behind every kind; gravity acts along the slides, and about vertical hinges not.
  for (const std::string second : {"prismatic", "revolute"}) {
    for (const std::string third : {"prismatic", "revolute"}) {
      CAPTURE(second);
      CAPTURE(third);
      const double k2 = -1.7, o2 = 0.11, k3 = 0.6, o3 = -0.23, s1 = 0.3, v1 = 0.5;
      GeneralRobot s(
          elementNamed("base") + link("one", 2) + link("two", 3) + link("three", 1.5) +
              joint("s1", "prismatic", "one", "") +
              joint("j2", second, "two",
                    fmt::format("<mimic joint='s1' multiplier='{}' offset='{}'/>", k2, o2)) +
              joint("j3", third, "three",
                    fmt::format("<mimic joint='j2' multiplier='{}' offset='{}'/>", k3, o3)),
          {fmt::format("s1.s.start={}", s1), fmt::format("s1.v.start={}", v1)},
          {"s1.a", second == "prismatic" ? "j2.s" : "j2.phi",
           third == "prismatic" ? "j3.s" : "j3.phi", third == "prismatic" ? "j3.v" : "j3.w"});
      const bool slides2 = second == "prismatic", slides3 = third == "prismatic";
      CHECK(s[slides2 ? "j2.s" : "j2.phi"] ==
            doctest::Approx(k2 * s1 + o2).epsilon(kGeneralGeometryRounding));
      CHECK(s[slides3 ? "j3.s" : "j3.phi"] ==
            doctest::Approx(k3 * (k2 * s1 + o2) + o3).epsilon(kGeneralGeometryRounding));
      CHECK(s[slides3 ? "j3.v" : "j3.w"] ==
            doctest::Approx(k3 * k2 * v1).epsilon(kGeneralGeometryRounding));
      const double inertia2 = slides2 ? 3 : 0.02 + 3 * 0.04,
                   inertia3 = slides3 ? 1.5 : 0.02 + 1.5 * 0.04;
      const double inertia = 2 + k2 * k2 * inertia2 + k2 * k2 * k3 * k3 * inertia3;
      const double weight = 2 + (slides2 ? k2 * 3 : 0) + (slides3 ? k2 * k3 * 1.5 : 0);
      CHECK(s["s1.a"] ==
            doctest::Approx(-9.81 * weight / inertia).epsilon(kGeneralGeometryRounding));
    }
  }
}
