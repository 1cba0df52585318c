/// AnalysisError: a model that is understood, but has not what is asked for at this point.
#pragma once

#include <stdexcept>

namespace cardan {

class AnalysisError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cardan
