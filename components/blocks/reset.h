/// Reset: the state of an integrator takes another value where a truth value rises.
#pragma once

#include "components/component.h"

namespace cardan::blocks {

/// Where `reset` rises, the state becomes `set`, or its start value, as they are at that event.
///
/// Mode   whether `reset` was true; -1 before the start of the run
class Reset {
 public:
  void read(ParameterReader& r) {
    r.boolean("use_reset", use_reset_, "there is an input reset");
    r.boolean("use_set", use_set_, "there is an input set; needs use_reset");
    const bool fine = r.require(use_reset_ || !use_set_, "use_set", "needs use_reset: true");
    if (use_reset_) r.input("reset", 1, "", "the output is set where this rises");
    if (use_set_) r.input("set", 1, "1", "what the output is set to");
    use_set_ = use_set_ && fine;
  }
  void declare(Structure& s) {
    if (use_reset_) {
      reset_ = s.input("reset", 1);
      before_ = s.mode("reset", -1);
    }
    if (use_set_) set_ = s.input("set", 1);
  }
  /// To be called by transition(); `y`: the state.
  bool transition(const View<double>& x, Modes& m, UnknownId y, double y_start) const {
    // What `set` is where nothing else changes any more counts.
    if (!use_reset_ || !m.isQuiet()) return false;
    const int before = m.get(before_), now = x.input(reset_) > 0.5 ? 1 : 0;
    if (before == now) return false;
    m.set(before_, now);
    if (before == 0 && now == 1) m.reinit(y, use_set_ ? x.input(set_) : y_start);
    return before >= 0;  // what it is at the start is no rise
  }

 private:
  bool use_reset_ = false, use_set_ = false;
  SignalId reset_, set_;
  ModeId before_;
};

}  // namespace cardan::blocks
