/// OdeSystem: the ordinary differential equation y' = f(t, y) as an explicit method sees it.
#pragma once

namespace cardan {

class OdeSystem {
 public:
  virtual ~OdeSystem() = default;

  /// Number of states n.
  virtual int size() const = 0;

  /// f(t, y); arrays of length n. False: not computable here, the step is tried again shorter.
  virtual bool rates(double t, const double* y, double* f) = 0;

  /// Moves the end of a step onto the invariants of the motion. False: not possible from here.
  virtual bool project(double /*t*/, double* /*y*/) { return true; }
};

}  // namespace cardan
