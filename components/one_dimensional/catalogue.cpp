#include "components/catalogue_folders.h"

namespace cardan {
namespace one_dimensional {

// Each stands at the end of the source that its classes are in.
Catalogue rotationalRigid(), rotationalCompliant(), elastoBacklash(), rotationalFriction(),
    rotationalStates(), elastoBacklash2(), lossyGear(), rotationalGears(), rotationalStart(),
    rotationalSensors(), rotationalMotion(), rotationalForces(), rotationalSpeedForces();
Catalogue translationalRigid(), idealLever(), translationalRod(), translationalCompliant(),
    elastoGap(), translationalFriction(), massWithStop(), translationalStates(), vehicles(),
    translationalGears(), translationalStart(), translationalSensors(), translationalMotion(),
    translationalForces(), translationalSpeedForces();

Catalogue allRotational() {
  return joined(rotationalRigid(), rotationalCompliant(), elastoBacklash(), rotationalFriction(),
                rotationalStates(), elastoBacklash2(), lossyGear(), rotationalGears(),
                rotationalStart(), rotationalSensors(), rotationalMotion(), rotationalForces(),
                rotationalSpeedForces());
}

Catalogue allTranslational() {
  return joined(translationalRigid(), idealLever(), translationalRod(), translationalCompliant(),
                elastoGap(), translationalFriction(), massWithStop(), translationalStates(),
                vehicles(), translationalGears(), translationalStart(), translationalSensors(),
                translationalMotion(), translationalForces(), translationalSpeedForces());
}

}  // namespace one_dimensional

Catalogue folders::rotational() { return package("rotational", one_dimensional::allRotational()); }

Catalogue folders::translational() {
  return package("translational", one_dimensional::allTranslational());
}

}  // namespace cardan
