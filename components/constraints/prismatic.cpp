#include "components/constraints/prismatic.h"

namespace cardan::constraints {

void Prismatic::read(ParameterReader& r) {
  readLocks(r);
  readSphere(r);
}

}  // namespace cardan::constraints
