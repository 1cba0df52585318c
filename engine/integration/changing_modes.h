/// ChangingModes: the modes of all components while an event lets them change.
#pragma once

#include <bit>
#include <utility>
#include <vector>

#include "components/component.h"

namespace cardan {

/// What a component sees and sets in transition(); `modes` must outlive it.
class ChangingModes final : public Modes {
 public:
  explicit ChangingModes(std::vector<int>& modes) : modes_(modes) {}
  /// No mode at all: 1 in the quiet pass, in which nothing else changes any more; 2 where unknowns of
  /// the component that is asked are open against those of others; 3 where bodies have struck. A
  /// second one: the mobility of rigid surfaces whose normal forces are open, as the bits of a float.
  int get(ModeId m) const override {
    if (m.valid()) return modes_[m.index];
    if (m.index < ModeId{}.index) return openMobility();
    return quiet_ ? 1 : struck_ ? 3 : undetermined_ ? 2 : 0;
  }
  void setStruck(bool struck) { struck_ = struck; }
  void setQuiet(bool quiet) { quiet_ = quiet; }
  void set(ModeId m, int mode) override { modes_[m.index] = mode; }
  double contradiction() const override { return contradiction_; }
  void contradictBy(double residue) { contradiction_ = residue; }
  void reinit(UnknownId u, double x) override { states_.emplace_back(u, x); }
  /// States that were set since the last call.
  std::vector<std::pair<UnknownId, double>> takeStates() { return std::exchange(states_, {}); }
  /// `mobility` [1/kg]: see Impacts::openMobilities.
  void undetermine(bool isOpen, double mobility = 0) {
    undetermined_ = isOpen;
    mobility_ = static_cast<float>(mobility);
    shared_ = false;
  }
  /// The component that was asked last has read a mobility: it is one of the surfaces that share.
  bool isSharedSeat() const { return shared_; }

 private:
  int openMobility() const {
    shared_ = shared_ || mobility_ > 0;
    return std::bit_cast<int>(mobility_);
  }

  std::vector<int>& modes_;
  std::vector<std::pair<UnknownId, double>> states_;
  bool quiet_ = false, undetermined_ = false, struck_ = false;
  double contradiction_ = 0;
  float mobility_ = 0;
  mutable bool shared_ = false;
};

}  // namespace cardan
