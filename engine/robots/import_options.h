/// ImportOptions: what a robot is to become.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace cardan::robots {

/// The stops that joints with limits get: springs and dampers that act beyond them.
struct Stops {
  double stiffness = 0;  ///< [N.m/rad], [N/m]  > 0
  double damping = 0;    ///< [N.m.s/rad], [N.s/m]  >= 0

  bool operator==(const Stops&) const = default;
};

struct ImportOptions {
  bool floating = false;         ///< the root link moves freely
  bool mergeFixed = false;       ///< links that fixed joints hold together are one body
  bool friction = false;         ///< <dynamics friction> becomes Coulomb friction
  bool strictInertia = false;    ///< an impossible inertia is an error
  std::optional<Stops> limits;   ///< <limit lower upper> become stops, those of MJCF such ones
  bool noLimits = false;         ///< in MJCF joints have no stops
  bool contacts = false;         ///< asks for what is so anyway
  bool noContacts = false;       ///< collision geometry is no part of the model
  bool selfCollisions = false;   ///< links of a robot in URDF touch each other
  std::optional<double> ground;  ///< [m]  height of a plane that the robot touches
  bool allowUnknown = false;     ///< an unknown element or attribute is a warning
  std::map<std::string, std::string> packages;  ///< folders of package://NAME/...
  std::string modelFolder;  ///< where the model file will be: files are named from there; "": here

  bool operator==(const ImportOptions&) const = default;
};

}  // namespace cardan::robots
