/// Relation: u > 0 as an event, for parts whose law jumps there; Kink: where it bends.
#pragma once

#include <algorithm>
#include <cmath>
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
  bool isSet(const Modes& m) const { return m.get(holds_) != 0; }
  /// Where nobody looks for the instant (View::ahead) it holds as soon as u is near zero, too: the law
  /// has to tell by itself. Whether u was above zero indeed:
  template <class S>
  bool isClear(const View<S>& x) const {
    return x.mode(holds_) == 1;
  }
  /// `moved`: by how much u may have changed until the next look, as it moves now; it may be struck, too.
  void follow(Modes& m, double u, double scale, double moved) const {
    const double near = kNear * scale + 2 * moved;
    m.set(holds_, u > 0 ? 1 : u > -near ? 2 : 0);
  }
  /// `scale`: typical size of u.
  void guard(const View<double>& x, Guards& g, double u, double scale = 1) const {
    g.crossing(holds(x) ? u + kHair * scale : u - kHair * scale);
  }
  /// Sets the mode to u > 0; true if it changed.
  bool update(Modes& m, double u, double scale = 1) const { return set(m, wouldHold(m, u, scale)); }
  bool wouldChange(const Modes& m, double u, double scale = 1) const {
    return isSet(m) != wouldHold(m, u, scale);
  }
  bool set(Modes& m, bool holds) const {
    if ((m.get(holds_) != 0) == holds) return false;
    m.set(holds_, holds ? 1 : 0);
    return true;
  }

  static constexpr double kHair = 1e-10;
  static constexpr double kNear = 0.02;  ///< [1]  of the scale

 private:
  bool wouldHold(const Modes& m, double u, double scale) const {
    const double half = 0.5 * kHair * scale;
    return isSet(m) ? u > -half && u != 0 : u > half;
  }

  ModeId holds_;
};

/// Truth of u > 0 where a law is continuous but bends, frozen during a step: within a hair of zero
/// it stays as it is, so that noise is no event.
class Kink {
 public:
  void declare(Structure& s, const std::string& name) { beyond_ = s.mode(name, 0); }

  template <class S>
  bool beyond(const View<S>& x) const {
    return x.mode(beyond_) != 0;
  }
  /// `scale`: typical size of what was subtracted to get u.
  void guard(const View<double>& x, Guards& g, double u, double scale) const {
    g.crossing(beyond(x) ? u + hair(scale) : u - hair(scale));
  }
  /// True if the mode changed.
  bool update(Modes& m, double u, double scale) const {
    const bool was = m.get(beyond_) != 0;
    // Half of the hair: at the event the decision is clear.
    const bool is = was ? u > -0.5 * hair(scale) : u > 0.5 * hair(scale);
    if (is != was) m.set(beyond_, is ? 1 : 0);
    return is != was;
  }

 private:
  static double hair(double scale) {
    return Relation::kHair * (1 + std::min(std::abs(scale), 1e100));
  }

  ModeId beyond_;
};

}  // namespace cardan::one_dimensional
