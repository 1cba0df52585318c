/// Names of elements: `r[2]`, `A[2,1]`.
#pragma once

#include <string>
#include <vector>

namespace cardan {

/// `A[2,1]` -> 2, 1, and `A` is left; nothing where there are no indices, numbers from 1 on.
std::vector<int> takeIndices(std::string& name);

}  // namespace cardan
