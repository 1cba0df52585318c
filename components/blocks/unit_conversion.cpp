#include "components/blocks/unit_conversion.h"

namespace cardan::blocks {

void UnitConversion::describe(Variables& v) const {
  VariableInfo info = output("y", "input in another unit", Level::Time, {u_});
  info.unit = c_.to;
  v.scalar(info, [this](const auto& x) { return c_.gain * (x.input(u_) + c_.before) + c_.behind; });
}

}  // namespace cardan::blocks
