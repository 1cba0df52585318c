/// TimeSource: an output that is a function of time, in phases that begin at known times.
#pragma once

#include <limits>

#include "components/component.h"
#include "components/instants.h"

namespace cardan::blocks {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// A signal output, for Variables.
inline VariableInfo output(const std::string& name, const std::string& about, Level level,
                           std::vector<SignalId> reads = {}, bool isBoolean = false) {
  return {name, "1", about, level, true, reads, isBoolean};
}

/// Mode: the number of phases that have begun; every beginning is a time event. Derived says when
/// they begin:
///
///   double begin(int phase) const;   // [s]  phase >= 1, not falling; kNever: there is none
template <class Derived>
class TimeSource : public ComponentOf<Derived> {
 public:
  void declare(Structure& s) override { phase_ = s.mode("phase", 0); }
  void guards(const View<double>& x, Guards& g) const override {
    if (phase(x) == kMostPhases) g.fail("its periods are too short to be counted up to this time");
    const double next = self().begin(phase(x) + 1);
    if (next < kNever) g.timeEvent(next);
  }
  bool transition(const View<double>& x, Modes& m) const override {
    const int before = m.get(phase_);
    int now = before, stride = 1;
    const auto goOn = [&] {
      if (stride > kMostPhases - now || !hasCome(self().begin(now + stride), x.time()))
        return false;
      now += stride;
      return true;
    };
    while (goOn()) stride *= 2;
    while (stride /= 2) goOn();
    if (now == before) return false;
    m.set(phase_, now);
    return true;
  }

 protected:
  template <class S>
  int phase(const View<S>& x) const {
    return x.mode(phase_);
  }

 private:
  static constexpr int kMostPhases = 1 << 30;  // and no sum of strides is more
  const Derived& self() const { return static_cast<const Derived&>(*this); }
  ModeId phase_;
};

}  // namespace cardan::blocks
