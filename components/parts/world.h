/// World: gravity and the defaults of all other components; its frame_b is the inertial frame.
#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "components/animation.h"
#include "components/component.h"
#include "components/interfaces/one_frame.h"
#include "components/interfaces/picture.h"
#include "components/laws/rigid_offset.h"
#include "components/names.h"
#include "components/parts/normal_gravity_wgs84.h"
#include "components/world_settings.h"

namespace cardan {

/// Equations  r_0 = 0;  R = nullRotation
/// Source     MSL 4.0 World
///
/// It is read first, through a reader without world(): what others look up there is what settings()
/// holds after.
class World final : public ComponentOf<World> {
 public:
  void read(ParameterReader& r) override {
    WorldSettings& w = settings_;
    r.boolean("enableAnimation", w.enableAnimation, "components are shown");
    animation_.boolean(r, "animateWorld", true, "the axes of the world are shown");
    animation_.boolean(r, "animateGravity", true, "gravity is shown, as an arrow or a sphere");
    animation_.boolean(r, "animateGround", false, "the ground is shown, with uniform gravity");
    animation_.string(r, "label1", "x", "label of the horizontal axis of the icon, of no effect");
    animation_.string(r, "label2", "y", "label of the vertical axis of the icon, of no effect");
    r.enumeration("gravityType", w.gravityType,
                  {{"NoGravity", GravityType::NoGravity},
                   {"UniformGravity", GravityType::UniformGravity},
                   {"PointGravity", GravityType::PointGravity}},
                  "gravity field");
    r.real("g", w.g, "m/s2", "acceleration of uniform gravity");
    r.vector("n", w.n, "1", "direction of uniform gravity, resolved in world");
    r.real("mu", w.mu, "m3/s2", "field constant of point gravity, centred at the origin",
           kNotNegative);
    r.boolean("driveTrainMechanics3D", w.driveTrainMechanics3D,
              "Mounting1D, Rotor1D and BevelGear1D act on the multibody system");

    // Animation defaults follow nominalLength, which MSL lists after those that use it.
    r.real("nominalLength", w.nominalLength, "m", "typical length of the system", kPositive);
    const double L = w.nominalLength;
    animation_.length(r, "axisLength", L / 2,
                      "length of the world's axes; default: nominalLength/2");
    r.real("defaultFrameDiameterFraction", w.defaultFrameDiameterFraction, "1",
           "length by diameter of the axes of a frame", kPositive);
    r.real("defaultWidthFraction", w.defaultWidthFraction, "1", "length by width of a shape",
           kPositive);
    animation_.length(
        r, "axisDiameter", animation_.realValue("axisLength") / w.defaultFrameDiameterFraction,
        "diameter of the world's axes; default: axisLength/defaultFrameDiameterFraction");
    animation_.boolean(r, "axisShowLabels", true, "the world's axes have letters");
    animation_.color(r, "axisColor_x", {0, 0, 0}, "x axis");
    animation_.color(r, "axisColor_y", animation_.colorValue("axisColor_x"), "y axis",
                     "axisColor_x");
    animation_.color(r, "axisColor_z", animation_.colorValue("axisColor_x"), "z axis",
                     "axisColor_x");
    animation_.vector(r, "gravityArrowTail", Vector3d::Zero(), "m",
                      "where the arrow of uniform gravity begins, resolved in world");
    animation_.length(r, "gravityArrowLength", animation_.realValue("axisLength") / 2,
                      "length of the arrow of gravity; default: axisLength/2");
    animation_.length(
        r, "gravityArrowDiameter",
        animation_.realValue("gravityArrowLength") / w.defaultWidthFraction,
        "diameter of the arrow of gravity; default: gravityArrowLength/defaultWidthFraction");
    animation_.color(r, "gravityArrowColor", {0, 230, 0}, "arrow of gravity");
    animation_.length(r, "gravitySphereDiameter", 12742000,
                      "diameter of the sphere of point gravity");
    animation_.color(r, "gravitySphereColor", {0, 230, 0}, "sphere of point gravity");
    const bool alongX = std::abs(w.n[0]) >= 0.99 * w.n.norm();
    animation_.vector(r, "groundAxis_u", alongX ? Vector3d(0, 1, 0) : Vector3d(1, 0, 0), "1",
                      "direction of the ground's length u, across n; default: x axis, or y axis "
                      "where n is the x axis");
    animation_.length(r, "groundLength_u", 2, "length of the ground along groundAxis_u");
    animation_.length(r, "groundLength_v", animation_.realValue("groundLength_u"),
                      "length of the ground across groundAxis_u; default: groundLength_u");
    animation_.color(r, "groundColor", {200, 200, 200}, "ground");

    const auto length = [&r, L](const char* name, double& x, int part, const char* what) {
      r.real(name, x = L / part, "m",
             std::string(what) + "; default: nominalLength/" + std::to_string(part));
    };
    length("defaultAxisLength", w.defaultAxisLength, 5,
           "length of axes, of no effect as in MSL 4.0");
    length("defaultJointLength", w.defaultJointLength, 10, "length of joints");
    length("defaultJointWidth", w.defaultJointWidth, 20, "width and diameter of joints");
    length("defaultForceLength", w.defaultForceLength, 10, "length of the cylinders of dampers");
    length("defaultForceWidth", w.defaultForceWidth, 20, "diameter of springs and dampers");
    length("defaultBodyDiameter", w.defaultBodyDiameter, 9, "diameter of the spheres of bodies");
    length("defaultArrowDiameter", w.defaultArrowDiameter, 40, "diameter of arrows and lines");
    r.real("defaultSpecularCoefficient", w.defaultSpecularCoefficient, "1",
           "reflection of ambient light by shapes, 0 for none", kNotNegative);
    r.real("defaultN_to_m", w.defaultN_to_m, "N/m", "force by length of its arrow", kNotNegative);
    r.real("defaultNm_to_m", w.defaultNm_to_m, "N.m/m", "torque by length of its arrow",
           kNotNegative);

    readGravityField(r);
    r.require(w.n.norm() > 0, "n", "must not be the zero vector");
  }
  void declare(Structure& s) override {
    frame_.declare(s);
    s.joint(s.worldFrame(), frame_.frame_b, origin_, {}, {});
  }
  void picture(Shapes& s) const override {
    if (animation_.shown("animateWorld")) {
      picture::Axes axes;
      axes.place = frame_.frame_b;
      axes.length = animation_.realValue("axisLength");
      axes.diameter = animation_.realValue("axisDiameter");
      int i = 0;
      for (const char* name : {"axisColor_x", "axisColor_y", "axisColor_z"})
        axes.color[i++] = picture::rgb(animation_.colorValue(name));
      axes.letters = animation_.shown("axisShowLabels") ? "xyz" : "";
      axes.up = -settings_.n;
      picture::addAxes(s, axes);
    }
    const Vector3d n = settings_.n.normalized();
    if (animation_.shown("animateGravity") && !settings_.field) {
      const Vector3d color = picture::rgb(animation_.colorValue("gravityArrowColor"));
      if (settings_.gravityType == GravityType::UniformGravity) {
        s.add(ArrowShape{.name = "gravityArrow",
                         .place = frame_.frame_b,
                         .r_tail = animation_.vectorValue("gravityArrowTail"),
                         .r_head = Vector3d(n * animation_.realValue("gravityArrowLength")),
                         .diameter = animation_.realValue("gravityArrowDiameter"),
                         .color = color,
                         .specular = 0.0});
      } else if (settings_.gravityType == GravityType::PointGravity) {
        s.add(picture::sphere("gravitySphere", frame_.frame_b, Vector3d::Zero(),
                              animation_.realValue("gravitySphereDiameter"),
                              animation_.colorValue("gravitySphereColor"), 0));
      }
    }
    if (animation_.shown("animateGround") && settings_.gravityType == GravityType::UniformGravity) {
      const auto R = frames::from_nxy(n, animation_.vectorValue("groundAxis_u"));
      const auto half = [&](int axis, const char* length) -> Vector3d {
        const Vector3d e = frames::resolve1(R, Vector3d(Vector3d::Unit(axis)));
        return e * (animation_.realValue(length) / 2);
      };
      const Vector3d a = half(1, "groundLength_u"), b = half(2, "groundLength_v");
      std::vector<double> points;
      for (const Vector3d& corner :
           {Vector3d(-a + b), Vector3d(-a - b), Vector3d(a + b), Vector3d(a - b)}) {
        points.insert(points.end(), {corner[0], corner[1], corner[2]});
      }
      s.add(SurfaceShape{.name = "ground",
                         .place = frame_.frame_b,
                         .points = std::move(points),
                         .color = picture::rgb(animation_.colorValue("groundColor")),
                         .specular = 0.0});
    }
  }
  void parametersChanged() override { settings_.prepare(); }

  const WorldSettings* worldSettings() const override { return &settings_; }
  const WorldSettings& settings() const { return settings_; }
  /// Replaces the gravity field. read() calls it for `redeclare: {gravityAcceleration: {type: ...,
  /// ...}}` where the type is a field of ours; a program with a field of its own calls it after
  /// reading.
  void setField(std::shared_ptr<const GravityField> field) { settings_.field = std::move(field); }

 private:
  void readGravityField(ParameterReader& r) {
    // redeclare: {gravityAcceleration: {type: theoreticalNormalGravityWGS84, phi: 48}}
    r.begin("redeclare");
    r.begin("gravityAcceleration");
    std::string type;
    double phi = 0;
    r.string("type", type, "gravity field: theoreticalNormalGravityWGS84");
    r.real("phi", phi, "deg", "theoreticalNormalGravityWGS84: geodetic latitude");
    const std::string name(lastName(type));
    if (name == "theoreticalNormalGravityWGS84") {
      setField(std::make_shared<NormalGravityWGS84>(phi));
    } else {
      r.require(type.empty() || name == "standardGravityAcceleration", "type",
                "must be standardGravityAcceleration or theoreticalNormalGravityWGS84");
    }
    r.end();
    r.end();
  }

  WorldSettings settings_;
  Animation animation_;
  RigidOffset origin_;  ///< no offset: an edge, so that frame_b has loads of its own
  OneFrame_b frame_;
};

}  // namespace cardan
