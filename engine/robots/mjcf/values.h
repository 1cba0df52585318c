/// Values: what the attributes of MJCF elements say, by the rules of the file's compiler.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/robots/attributes.h"
#include "engine/robots/robot.h"
#include "engine/robots/solids.h"

namespace cardan::robots::mjcf {

/// What <compiler> says of the values in a file.
struct Conventions {
  double angle = 0.017453292519943295;   ///< [rad]  one unit of the file's angles
  std::string eulerSequence = "xyz";     ///< small: about turning axes, capital: about fixed ones
  bool autoLimits = true;                ///< a range is a limit unless `limited` says otherwise
  std::optional<bool> inertiaFromGeoms;  ///< nothing: where a body has no <inertial>
  bool alignsFree = false;               ///< a free body's frame becomes that of its inertia
  bool fitsBoxes = false;                ///< a geom stands for a mesh by its box, not its inertia
  SolidKind meshKind = SolidKind::legacy;
  bool stripsPaths = false;  ///< of the names of files only what is behind the folders counts
  std::array<double, 2> groups{0, 5};  ///< of geoms whose masses count
  std::string meshFolder;              ///< from the folder of the robot's file on
  /// A file of a mesh, from there on; "": none.
  std::string pathOf(const std::string& file) const;
};

/// The text of an attribute; "": none.
std::string textOf(const XmlElement& e, const char* name);
/// The name of a mesh or the like: its own, or else its file's, without folder and ending.
std::string assetName(const XmlElement& e);

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

/// Which of some words an attribute is; nothing, and an error, where it is none of them; nothing where there is no
/// such attribute.
std::optional<size_t> choice(const XmlElement& e, const char* name,
                             std::span<const char* const> words, Diagnostics& diagnostics);
/// True, false; `byDefault`, also for "auto", which is no error.
bool flag(const XmlElement& e, const char* name, bool byDefault, Diagnostics& diagnostics);
/// Of w, x, y, z, of any length but zero.
Matrix3d fromQuaternion(const double* q);
/// Of three angles in the file's unit, about the axes of its sequence.
Matrix3d fromEuler(const Vector3d& angles, const Conventions& conventions);
/// The rotation of a quaternion; none where there is no such attribute.
Matrix3d quaternion(const XmlElement& e, const char* name, const std::string& owner,
                    Diagnostics& diagnostics);

/// `pos` and one of quat, axisangle, xyaxes, zaxis, euler.
Pose poseOf(const XmlElement& e, const Conventions& conventions, const std::string& owner,
            Diagnostics& diagnostics);

/// The shortest rotation that takes the z axis to `z` [any length but zero].
Matrix3d turnZTo(const Vector3d& z);

}  // namespace cardan::robots::mjcf
