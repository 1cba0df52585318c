/// Source: what one file of MJCF says of how the elements in it are read: settings, classes and assets.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/robots/mjcf/defaults.h"
#include "engine/robots/mjcf/geoms.h"

namespace cardan::robots::mjcf {

/// Which parts of the physics a file switches off.
struct Switches {
  bool springs = true, dampers = true, weights = true, equalities = true, limits = true,
       friction = true, contacts = true, drives = true, controlRanges = true, timeBounds = true,
       sleeps = false;
};

struct Source {
  /// `folder`: that of the file, from the robot's on.
  Source(const XmlElement& file, const std::string& folder, ImportReport& report,
         Diagnostics& diagnostics);

  const XmlElement* root;  ///< <mujoco>
  std::string folder;
  Defaults defaults;
  Conventions conventions;
  Assets assets;
  std::vector<const XmlElement*> models;  ///< <model>s that it attaches parts of

  // Of a file that others attach these count as little as they do in MuJoCo.
  Vector3d gravity{0, 0, -9.81};  ///< [m/s2]
  Fluid fluid;
  Switches switches;
  std::set<int> idleGroups;                               ///< of actuators
  double timeStep = 0.002;                                ///< [s]  of the simulator
  double totalMass = 0, boundMass = 0, boundInertia = 0;  ///< [kg], [kg], [kg.m2]
  bool balancesInertia = false;

  /// [s]  Of the time constants of constraints.
  double leastTime() const { return switches.timeBounds ? 2 * timeStep : 0; }

 private:
  void readCompiler(const XmlElement& e, Diagnostics& diagnostics);
  void readOption(const XmlElement& e, ImportReport& report, Diagnostics& diagnostics);
  void readFlags(const XmlElement& e, Diagnostics& diagnostics);
  void readAssets(const XmlElement& e, ImportReport& report, Diagnostics& diagnostics);
};

}  // namespace cardan::robots::mjcf
