#include "components/constraints/spherical.h"

namespace cardan::constraints {

void Spherical::read(ParameterReader& r) {
  readLocks(r);
  readSphere(r);
}

}  // namespace cardan::constraints
