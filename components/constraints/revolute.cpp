#include "components/constraints/revolute.h"

namespace cardan::constraints {

void Revolute::read(ParameterReader& r) {
  readLocks(r);
  r.vector("n", n_, "1", "axis of rotation, resolved in frame_a and frame_b");
  readSphere(r);
  r.require(n_.norm() > 0, "n", "must not be the zero vector");
}

void Revolute::describe(Variables& v) const {
  Constraint::describe(v);
  describe::vector(v, "e", "1", "unit axis of rotation", [this] { return axis_.e; });
}

}  // namespace cardan::constraints
