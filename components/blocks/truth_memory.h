/// What truth values were before: the memories of edges, samplers, flip-flops and timers.
#pragma once

#include "components/component.h"

namespace cardan::blocks {

/// The truth of a signal as it was before the event in hand (MSL's pre): it follows when nothing else
/// changes any more.
///
/// Mode   1: it was true
struct Before {
  ModeId mode;
  void declare(Structure& s, bool start) { mode = s.mode("before", start ? 1 : 0); }
  template <class S>
  bool was(const View<S>& x) const {
    return x.mode(mode) != 0;
  }
  bool follow(Modes& m, bool now) const {
    if (!m.isQuiet() || (m.get(mode) != 0) == now) return false;
    m.set(mode, now ? 1 : 0);
    return true;
  }
};

/// What a block does where a truth value changes; the value at the start of the run is no change.
///
/// Mode   the value; -1 before the start
class ChangeOfTruth {
 public:
  void declare(Structure& s) { value_ = s.mode("u", -1); }
  /// 1: it becomes true, -1: false, 0: it stays.
  int change(Modes& m, bool now) const {
    const int before = m.get(value_);
    if (before < 0) {
      if (m.isQuiet()) m.set(value_, now ? 1 : 0);
      return 0;
    }
    if ((before != 0) == now) return 0;
    m.set(value_, now ? 1 : 0);
    return now ? 1 : -1;
  }

 private:
  ModeId value_;
};

}  // namespace cardan::blocks
