/// Values: what the attributes of MJCF elements say, by the rules of the file's compiler.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/mjcf/robot.h"
#include "engine/urdf/attributes.h"

namespace cardan::mjcf {

/// What <compiler> says of the values in a file.
struct Conventions {
  double angle = 0.017453292519943295;   ///< [rad]  one unit of the file's angles
  std::string eulerSequence = "xyz";     ///< small: about turning axes, capital: about fixed ones
  bool autoLimits = true;                ///< a range is a limit unless `limited` says otherwise
  std::optional<bool> inertiaFromGeoms;  ///< nothing: where a body has no <inertial>
  std::string meshFolder;
};

/// The numbers of an attribute, from `least` to `most` of them; nothing, and an error, otherwise;
/// nothing where there is no such attribute.
std::optional<std::vector<double>> numbers(const XmlElement& e, const char* name, size_t least,
                                           size_t most, const std::string& owner,
                                           Diagnostics& diagnostics);
/// Three of them, or `byDefault`.
Vector3d vector(const XmlElement& e, const char* name, const Vector3d& byDefault,
                const std::string& owner, Diagnostics& diagnostics);
double number(const XmlElement& e, const char* name, double byDefault, const std::string& owner,
              Diagnostics& diagnostics);

/// `pos` and one of quat, axisangle, xyaxes, zaxis, euler.
Pose poseOf(const XmlElement& e, const Conventions& conventions, const std::string& owner,
            Diagnostics& diagnostics);

/// The shortest rotation that takes the z axis to `z` [any length but zero].
Matrix3d turnZTo(const Vector3d& z);

}  // namespace cardan::mjcf
