#include "engine/dynamics/open_places.h"

namespace cardan {

OpenPlaces::OpenPlaces(const std::vector<int>& parents) : of(parents.size()) {
  std::vector<int> free;
  const auto take = [&] {
    if (free.empty()) return count++;
    const int place = free.back();
    free.pop_back();
    return place;
  };
  for (size_t i = of.size(); i-- > 0;) {
    if (of[i].leaf) of[i].place = take();
    if (parents[i] != 0) {
      Place& parent = of[parents[i] - 1];
      of[i].first = parent.leaf;
      if (parent.leaf) parent.place = take();
      parent.leaf = false;
    }
    free.push_back(of[i].place);
  }
}

}  // namespace cardan
