/// OpenPlaces: where a sweep from the leaves to the world keeps what bodies carry.
#pragma once

#include <vector>

namespace cardan {

/// Few bodies are open at a time, and what is kept of them should stay in the cache.
struct OpenPlaces {
  struct Place {
    int place = 0;
    bool leaf = true;    ///< nothing hangs on it
    bool first = false;  ///< the first one to be taken into its parent
  };
  /// `parents`: of bodies 1, 2, ..., before which they stand; 0: the world.
  explicit OpenPlaces(const std::vector<int>& parents);

  std::vector<Place> of;  ///< of body i + 1
  int count = 0;
};

}  // namespace cardan
