/// PadeDelay: a delay by a transfer function.
#pragma once

#include "components/blocks/linear_system.h"

namespace cardan::blocks {

/// Pade's approximation of a delay: orders m over n.
///
/// Source  MSL 4.0 Blocks.Nonlinear.PadeDelay
class PadeDelay final : public LinearSystem {
 public:
  void read(ParameterReader& r) override;

 private:
  void build() override;
  double delayTime_ = 1;  ///< [s]
  int m_ = 1;
};

}  // namespace cardan::blocks
