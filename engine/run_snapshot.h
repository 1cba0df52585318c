/// RunSnapshot: a run as it stands at an instant.
#pragma once

#include <string>

namespace cardan {

/// Everything that the rest of a run depends on, as the bytes of a StateArchive.
struct RunSnapshot {
  std::string numbers;
};

}  // namespace cardan
