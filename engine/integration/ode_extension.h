/// OdeExtension: states that an explicit method steps beside those of a model, which know nothing of
/// them.
#pragma once

#include <vector>

namespace cardan {

class OdeExtension {
 public:
  virtual ~OdeExtension() = default;

  virtual int size() const = 0;
  /// [1]  Where that of the model's states is `ofModel`.
  virtual double relativeTolerance(double ofModel) const { return ofModel; }
  /// Typical size of state i: of its tolerance.
  virtual double nominal(int i) const = 0;
  /// The states, and their rates, that the next step begins with.
  virtual void begin(double* x, double* f) = 0;
  /// Rates at a point of the model: all of its unknowns y, with their rates yp. False: not computable.
  virtual bool rates(double t, const std::vector<double>& y, const std::vector<double>& yp,
                     const double* x, double* f) = 0;
  /// Moves x as the model's projection has moved its states `before`, among all its unknowns. False:
  /// not possible.
  virtual bool project(double t, const std::vector<double>& before, double* x) = 0;
};

}  // namespace cardan
