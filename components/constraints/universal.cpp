#include "components/constraints/universal.h"

namespace cardan::constraints {
namespace {

/// Largest cosine between axes that count as perpendicular: a few digits above rounding.
constexpr double kPerpendicular = 1e-10;

}  // namespace

void Universal::read(ParameterReader& r) {
  readLocks(r);
  r.vector("n_a", n_a_, "1", "axis 1, resolved in frame_a");
  r.vector("n_b", n_b_, "1", "axis 2, resolved in frame_b");
  readSphere(r);
  const bool a = r.require(n_a_.norm() > 0, "n_a", "must not be the zero vector");
  const bool b = r.require(n_b_.norm() > 0, "n_b", "must not be the zero vector");
  if (!a || !b) return;
  r.require(std::abs(dot(n_a_.normalized(), n_b_.normalized())) < kPerpendicular, "n_b",
            "must be perpendicular to n_a");
}

void Universal::parametersChanged() {
  e_a_ = n_a_.normalized();
  e_b_ = n_b_.normalized();
}

void Universal::describe(Variables& v) const {
  Constraint::describe(v);
  v.vector(
      {"w_rel", "rad/s", "angular velocity of frame_b relative to frame_a, resolved in frame_a",
       Level::Velocity},
      [this](const auto& x) { return frames::angularVelocity1(frames_.relativeRotation(x)); });
}

}  // namespace cardan::constraints
