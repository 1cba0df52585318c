#include "components/laws/joint_axis.h"

#include <fmt/format.h>

namespace cardan {

std::string axisName(const Vector3d& e) {
  for (int i = 0; i < 3; ++i) {
    if (std::abs(e[i]) > 1 - 1e-12) return std::string(1, "xyz"[i]);
  }
  auto rounded = [](double x) { return std::abs(x) < 5e-4 ? 0.0 : x; };
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", rounded(e[0]), rounded(e[1]), rounded(e[2]));
}

}  // namespace cardan
