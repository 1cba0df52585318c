#include "components/constraints/spherical.h"

#include "components/make.h"

namespace cardan::constraints {

void Spherical::read(ParameterReader& r) {
  readLocks(r);
  readSphere(r);
}

}  // namespace cardan::constraints

namespace cardan {

template std::unique_ptr<Component> make<constraints::Spherical>();

}  // namespace cardan
