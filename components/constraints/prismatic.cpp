#include "components/constraints/prismatic.h"

#include "components/make.h"

namespace cardan::constraints {

void Prismatic::read(ParameterReader& r) {
  readLocks(r);
  readSphere(r);
}

}  // namespace cardan::constraints

namespace cardan {

template std::unique_ptr<Component> make<constraints::Prismatic>();

}  // namespace cardan
