/// Coverage: how often the intervals of a fit hold the truth, over draws of noise.
#pragma once

#include <string>
#include <vector>

#include "tests/identification/identification_case.h"

namespace cardan::identification {

/// Counts over draws, which add up.
struct Coverage {
  long draws = 0, lost = 0;  ///< lost: the search came to no end
  std::vector<long> inside,
      far;             ///< per parameter: truth in the interval; beyond 3 standard errors
  double seconds = 0;  ///< of processor time

  void add(const Coverage& other);
  std::string text() const;  ///< one line of numbers
  static Coverage of(const std::string& text);
};

/// The fits of a case for the draws `first` .. `first + count - 1`. Noise goes by the draw alone.
Coverage coverage(const IdentificationCase& one, long first, long count);

/// The share of intervals of 95 % that hold the truth must be from 92 to 98 %, at most 1 % may be beyond
/// three standard errors, and every search must end.
bool isGood(const Coverage& c);

}  // namespace cardan::identification
