#include "components/catalogue_folders.h"
#include "components/constraints/prismatic.h"
#include "components/constraints/revolute.h"
#include "components/constraints/spherical.h"
#include "components/constraints/universal.h"

namespace cardan::folders {

Catalogue constraints() {
  return package("joints",
                 {
                     entry<constraints::Prismatic>(
                         "Constraints.Prismatic",
                         "parallel frames without coordinates, held in chosen directions"),
                     entry<constraints::Revolute>(
                         "Constraints.Revolute",
                         "rotation about one axis without coordinates, held in chosen directions"),
                     entry<constraints::Spherical>(
                         "Constraints.Spherical",
                         "free rotation without coordinates, held in chosen directions"),
                     entry<constraints::Universal>(
                         "Constraints.Universal",
                         "rotation about two axes without coordinates, held in chosen directions"),
                 });
}

}  // namespace cardan::folders
