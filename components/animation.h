/// Animation parameters of a component: read and checked like any other, kept for its picture
/// (Component::picture), no physics.
#pragma once

#include <array>
#include <map>
#include <string>

#include "components/parameter_reader.h"
#include "components/world_settings.h"

namespace cardan {

/// MSL's default colours.
inline constexpr std::array<int, 3> kBodyColor{0, 128, 255};
inline constexpr std::array<int, 3> kRodColor{155, 155, 155};
inline constexpr std::array<int, 3> kJointColor{255, 0, 0};
inline constexpr std::array<int, 3> kSensorColor{255, 255, 0};

/// Values by name; the maps own what the reader writes into, so an Animation must not move after
/// reading.
class Animation {
 public:
  void boolean(ParameterReader& r, const char* name, bool byDefault) {
    r.boolean(name, booleans_[name] = byDefault, "animation");
  }
  void length(ParameterReader& r, const char* name, double byDefault) {
    r.real(name, reals_[name] = byDefault, "m", "animation");
  }
  void real(ParameterReader& r, const char* name, double byDefault) {
    r.real(name, reals_[name] = byDefault, "1", "animation");
  }
  void integer(ParameterReader& r, const char* name, int byDefault) {
    r.integer(name, integers_[name] = byDefault, "animation");
  }
  void vector(ParameterReader& r, const char* name, const Vector3d& byDefault,
              const char* unit = "m") {
    r.vector(name, vectors_[name] = byDefault, unit, "animation");
  }
  void color(ParameterReader& r, const char* name, std::array<int, 3> byDefault) {
    r.integers(name, colors_[name] = byDefault, "colour in animation, RGB 0..255", kNotNegative);
  }
  void string(ParameterReader& r, const char* name, const char* byDefault) {
    r.string(name, strings_[name] = byDefault, "animation");
  }
  void specular(ParameterReader& r) {
    real(r, "specularCoefficient", r.world().defaultSpecularCoefficient);
  }
  /// MSL's sphere of a joint or mass.
  void sphere(ParameterReader& r, double diameter, std::array<int, 3> colorByDefault) {
    length(r, "sphereDiameter", diameter);
    color(r, "sphereColor", colorByDefault);
  }
  /// MSL's cylinder along the axis of a joint.
  void cylinder(ParameterReader& r) {
    length(r, "cylinderLength", r.world().defaultJointLength);
    length(r, "cylinderDiameter", r.world().defaultJointWidth);
    color(r, "cylinderColor", kJointColor);
  }
  /// MSL's box of a prismatic joint.
  void box(ParameterReader& r, std::array<int, 3> colorByDefault = kJointColor) {
    vector(r, "boxWidthDirection", {0, 1, 0}, "1");
    length(r, "boxWidth", r.world().defaultJointWidth);
    length(r, "boxHeight", realValue("boxWidth"));
    color(r, "boxColor", colorByDefault);
  }
  /// The parameters of a shape from frame_a (or world) along r_ab, as most parts have them.
  void shape(ParameterReader& r, const Vector3d& r_ab, std::array<int, 3> colorByDefault) {
    string(r, "shapeType", "cylinder");
    vector(r, "r_shape", Vector3d::Zero());
    const Vector3d along = r_ab - vectorValue("r_shape");
    vector(r, "lengthDirection", along, "1");
    vector(r, "widthDirection", {0, 1, 0}, "1");
    length(r, "length", along.norm());
    length(r, "width", realValue("length") / r.world().defaultWidthFraction);
    length(r, "height", realValue("width"));
    real(r, "extra", 0);
    color(r, "color", colorByDefault);
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
