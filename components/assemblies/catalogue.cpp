#include "components/assemblies/gear_constraint.h"
#include "components/assemblies/joint_rrp.h"
#include "components/assemblies/joint_rrr.h"
#include "components/assemblies/joint_ups.h"
#include "components/assemblies/rod_assembly.h"
#include "components/assemblies/spherical_spherical.h"
#include "components/assemblies/universal_spherical.h"
#include "components/catalogue_folders.h"

namespace cardan::folders {

Catalogue assemblies() {
  return package(
      "joints",
      {
          entry<SphericalSpherical>("SphericalSpherical",
                                    "rod of fixed length between two points, with mass if wanted"),
          entry<UniversalSpherical>("UniversalSpherical",
                                    "rod between a universal and a spherical joint"),
          entry<JointUPS>("JointUPS", "universal, prismatic and spherical joint in a row"),
          entry<JointUSR>("JointUSR", "universal joint, rod, spherical joint, rod, revolute joint"),
          entry<JointUSP>("JointUSP",
                          "universal joint, rod, spherical joint, rod, prismatic joint"),
          entry<JointSSR>("JointSSR", "rod between two spherical joints, rod, revolute joint"),
          entry<JointSSP>("JointSSP", "rod between two spherical joints, rod, prismatic joint"),
          entry<JointRRR>("JointRRR",
                          "three parallel revolute joints with rods between them, planar"),
          entry<JointRRP>("JointRRP",
                          "two parallel revolute joints, a prismatic joint, rods, planar"),
          entry<GearConstraint>("GearConstraint",
                                "ideal gear between two shafts in a common bearing"),
      });
}

}  // namespace cardan::folders
