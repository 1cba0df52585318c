/// Outside: what a run drives by its component and no number of the model says, such as a program of others.
#pragma once

#include <string>

namespace cardan {

/// One per run; it ends with the run.
class Outside {
 public:
  virtual ~Outside() = default;
  /// Its state as bytes, and back. Throw std::runtime_error with a sentence that says what cannot be.
  virtual std::string save() = 0;
  virtual void restore(const std::string& state) = 0;
};

}  // namespace cardan
