/// Animation parameters of a component: read and checked like any other, kept for its picture
/// (Component::picture), no physics.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "components/parameter_reader.h"
#include "components/world_settings.h"

namespace cardan {

/// MSL's default colours.
inline constexpr std::array<int, 3> kBodyColor{0, 128, 255};
inline constexpr std::array<int, 3> kRodColor{155, 155, 155};
inline constexpr std::array<int, 3> kJointColor{255, 0, 0};
inline constexpr std::array<int, 3> kSensorColor{255, 255, 0};

/// Texts that visualizers have, too.
inline constexpr const char* kShapeTypeText =
    "box, sphere, cylinder, cone, pipe, beam, gearwheel, spring, or a file";
inline constexpr const char* kExtraText =
    "further size of a cone, pipe, gearwheel, spring, ...; 0: none";
inline constexpr const char* kSpecularText =
    "reflection of ambient light, 0 for none; default: world.defaultSpecularCoefficient";

/// Values by name; the maps own what the reader writes into, so an Animation must not move after
/// reading.
class Animation {
 public:
  void boolean(ParameterReader& r, const char* name, bool byDefault,
               std::string_view about = "is shown") {
    r.boolean(name, booleans_[name] = byDefault, about);
  }
  void length(ParameterReader& r, const char* name, double byDefault, std::string_view about) {
    r.real(name, reals_[name] = byDefault, "m", about);
  }
  void real(ParameterReader& r, const char* name, double byDefault, std::string_view about,
            const char* unit = "1") {
    r.real(name, reals_[name] = byDefault, unit, about);
  }
  void integer(ParameterReader& r, const char* name, int byDefault, std::string_view about) {
    r.integer(name, integers_[name] = byDefault, about);
  }
  void vector(ParameterReader& r, const char* name, const Vector3d& byDefault, const char* unit,
              std::string_view about) {
    r.vector(name, vectors_[name] = byDefault, unit, about);
  }
  /// The colour of `what`; `from` says what its default follows from.
  void color(ParameterReader& r, const char* name, std::array<int, 3> byDefault,
             const std::string& what, const std::string& from = "") {
    r.integers(
        name, colors_[name] = byDefault,
        "colour of the " + what + ", RGB 0..255" + (from.empty() ? "" : "; default: " + from),
        kNotNegative);
  }
  void string(ParameterReader& r, const char* name, const char* byDefault, std::string_view about) {
    r.string(name, strings_[name] = byDefault, about);
  }
  void specular(ParameterReader& r) {
    real(r, "specularCoefficient", r.world().defaultSpecularCoefficient, kSpecularText);
  }
  /// MSL's sphere of a joint or mass; the texts say what the defaults follow from.
  void sphere(ParameterReader& r, double diameter, const std::string& from,
              std::array<int, 3> colorByDefault, const std::string& colorFrom = "") {
    length(r, "sphereDiameter", diameter, "diameter of the sphere; default: " + from);
    color(r, "sphereColor", colorByDefault, "sphere", colorFrom);
  }
  /// MSL's cylinder along the axis of a joint.
  void cylinder(ParameterReader& r) {
    length(r, "cylinderLength", r.world().defaultJointLength,
           "length of the cylinder along the axis; default: world.defaultJointLength");
    length(r, "cylinderDiameter", r.world().defaultJointWidth,
           "diameter of the cylinder; default: world.defaultJointWidth");
    color(r, "cylinderColor", kJointColor, "cylinder");
  }
  /// MSL's box of a prismatic joint.
  void box(ParameterReader& r, std::array<int, 3> colorByDefault = kJointColor,
           const std::string& colorFrom = "") {
    vector(r, "boxWidthDirection", {0, 1, 0}, "1",
           "direction of the width of the box, which lies along the axis");
    length(r, "boxWidth", r.world().defaultJointWidth,
           "width of the box; default: world.defaultJointWidth");
    length(r, "boxHeight", realValue("boxWidth"), "height of the box; default: boxWidth");
    color(r, "boxColor", colorByDefault, "box", colorFrom);
  }
  /// The parameters of a shape along the parameter r (= r_ab), as most parts have them.
  void shape(ParameterReader& r, const Vector3d& r_ab, std::array<int, 3> colorByDefault) {
    string(r, "shapeType", "cylinder", kShapeTypeText);
    vector(r, "r_shape", Vector3d::Zero(), "m",
           "from where r begins to where the shape begins, resolved as r is");
    const Vector3d along = r_ab - vectorValue("r_shape");
    vector(r, "lengthDirection", along, "1",
           "direction of the shape's length, resolved as r is; default: r - r_shape");
    vector(r, "widthDirection", {0, 1, 0}, "1", "direction of the shape's width, resolved as r is");
    length(r, "length", along.norm(), "length of the shape; default: that of r - r_shape");
    length(r, "width", realValue("length") / r.world().defaultWidthFraction,
           "width of the shape; default: length/world.defaultWidthFraction");
    length(r, "height", realValue("width"), "height of the shape; default: width");
    real(r, "extra", 0, kExtraText);
    color(r, "color", colorByDefault, "shape");
  }
  /// Is the Boolean `name` there and true? A part that reads no parameters shows nothing.
  bool shown(const std::string& name = "animation") const {
    const auto b = booleans_.find(name);
    return b != booleans_.end() && b->second;
  }
  double realValue(const std::string& name) const { return reals_.at(name); }
  int integerValue(const std::string& name) const { return integers_.at(name); }
  const std::string& stringValue(const std::string& name) const { return strings_.at(name); }
  const Vector3d& vectorValue(const std::string& name) const { return vectors_.at(name); }
  const std::array<int, 3>& colorValue(const std::string& name) const { return colors_.at(name); }
  double specularValue() const {
    const auto s = reals_.find("specularCoefficient");
    return s == reals_.end() ? 0.7 : s->second;
  }

 private:
  std::map<std::string, bool> booleans_;
  std::map<std::string, double> reals_;
  std::map<std::string, int> integers_;
  std::map<std::string, Vector3d> vectors_;
  std::map<std::string, std::array<int, 3>> colors_;
  std::map<std::string, std::string> strings_;
};

}  // namespace cardan
