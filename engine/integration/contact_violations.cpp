#include "engine/integration/contact_violations.h"

#include <algorithm>

#include "engine/integration/solver_error.h"

namespace cardan {

void ContactViolations::begin() {
  warnings_.clear();
  count_ = 0;
  equations_.state.contactViolation = 0;
}

void ContactViolations::add(const std::string& kind, const std::string& text, double t,
                            double size) {
  ++count_;
  warnings_.add(kind, text, t, size);
  double& most = equations_.state.contactViolation;
  most = std::max(most, size);
  if (isStrict_)
    throw SolverError({.cause = SolverError::Cause::ContactViolated, .time = t, .where = text});
}

}  // namespace cardan
