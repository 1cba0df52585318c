/// Margins: how far a loop that is closed over an output and an input (u = -y) is from instability.
#pragma once

#include <vector>

#include "engine/analysis/linear_model.h"

namespace cardan {

/// G towards w = 0, where it is real; an infinity of its sign: it has no bound. A mode at rest counts only
/// where this input reaches it and this output shows it.
double gainAtRest(const LinearModel& model, int output, int input);

/// A crossing and the distance to instability there.
struct Margin {
  double w = 0;     ///< [rad/s]
  double size = 0;  ///< of gain: the factor; of phase: [rad]
};
struct Margins {
  /// Where G is real and negative: at rest and at the end of frequencies (pi/h; infinity), too.
  std::vector<Margin> gain;
  std::vector<Margin> phase;  ///< where |G| = 1
  double rest = 0;            ///< gainAtRest()
  double bandwidth = 0;       ///< [rad/s]  where |G| first falls 3 dB below |rest|; 0: nowhere

  /// All of them, whatever the frequency, to rounding.
  static Margins of(const LinearModel& model, int output, int input);
};

}  // namespace cardan
