/// Held: numbers that change at events only, such as samples.
#pragma once

#include <string>
#include <vector>

#include "components/component.h"

namespace cardan {

/// Numbers that a transition sets and that are frozen during a step, like modes; they are kept, saved and
/// restored as modes: each in two, by the halves of its bits.
class Held {
 public:
  void declare(Structure& s, const std::string& name, const std::vector<double>& start) {
    for (const double number : start) modes_.push_back(s.number(name, number));
  }
  /// Of numbers that transition() finds from more than that, or that derivatives do not hang on.
  void declareApart(Structure& s, const std::string& name, const std::vector<double>& start) {
    for (const double number : start) modes_.push_back(s.number(name, number, false));
  }
  template <class S>
  double operator()(const View<S>& x, int i = 0) const {
    const NumberId& p = modes_[i];
    return HalvesOfNumber{x.mode(p.high), x.mode(p.low)}.number();
  }
  double get(const Modes& m, int i = 0) const {
    const NumberId& p = modes_[i];
    return HalvesOfNumber{m.get(p.high), m.get(p.low)}.number();
  }
  void hold(Modes& m, int i, double number) const {
    const NumberId& p = modes_[i];
    const HalvesOfNumber h = HalvesOfNumber::of(number);
    m.set(p.high, h.high);
    m.set(p.low, h.low);
  }

 private:
  std::vector<NumberId> modes_;
};

}  // namespace cardan
