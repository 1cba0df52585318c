/// Relation: u > 0 as an event, for parts whose law jumps or bends there.
#pragma once

#include <string>

#include "components/component.h"

namespace cardan::one_dimensional {

/// Truth of u > 0, frozen during a step.
///
/// The crossing lies a hair beyond zero on the side to be reached: at the event the decision is
/// then clear, and a step that starts at zero still sees a crossing in either direction. Within
/// half a hair of zero nothing changes: rounding is no event.
class Relation {
 public:
  void declare(Structure& s, const std::string& name) { holds_ = s.mode(name, 0); }

  template <class S>
  bool holds(const View<S>& x) const {
    return x.mode(holds_) != 0;
  }
  /// `scale`: typical size of u.
  void guard(const View<double>& x, Guards& g, double u, double scale = 1) const {
    g.crossing(holds(x) ? u + kHair * scale : u - kHair * scale);
  }
  /// Sets the mode to u > 0; true if it changed.
  bool update(Modes& m, double u, double scale = 1) const {
    const double half = 0.5 * kHair * scale;
    return set(m, m.get(holds_) != 0 ? u > -half && u != 0 : u > half);
  }
  bool set(Modes& m, bool holds) const {
    if ((m.get(holds_) != 0) == holds) return false;
    m.set(holds_, holds ? 1 : 0);
    return true;
  }

 private:
  static constexpr double kHair = 1e-10;

  ModeId holds_;
};

}  // namespace cardan::one_dimensional
