#include "engine/structure/matrix_limit.h"

#include <fmt/format.h>

namespace cardan {

void refuseTooLarge(double rows, double columns, int unknowns, const FlatModel& model,
                    Diagnostics& diagnostics) {
  constexpr double kMostBytes = 8e9;
  const double bytes = rows * columns * sizeof(double);
  if (bytes <= kMostBytes) return;
  const SourceMark at{model.instances.empty() ? "" : model.instances.front().at.file, 0, 0};
  diagnostics.error(at, fmt::format("a model must not need a matrix of more than {:.0f} GB, this "
                                    "one has {} unknowns and needs one of {} x {} numbers, {:.0f} "
                                    "GB",
                                    kMostBytes / 1e9, unknowns, rows, columns, bytes / 1e9));
}

void throwIfTooLarge(double rows, double columns, int unknowns, const FlatModel& model) {
  Diagnostics diagnostics;
  refuseTooLarge(rows, columns, unknowns, model, diagnostics);
  diagnostics.throwIfErrors();
}

}  // namespace cardan
