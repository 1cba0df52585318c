/// A signal in another unit.
#pragma once

#include <vector>

#include "components/blocks/time_source.h"
#include "components/catalogue_entry.h"

namespace cardan::blocks {

/// What a conversion does to its input, and the block that is named after it.
struct Conversion {
  const char* type;         ///< "Blocks.From_deg"
  const char* description;  ///< one line
  const char* from;         ///< unit of the input
  const char* to;           ///< unit of the output
  double gain;
  double before;  ///< is added to the input
  double behind;  ///< is added to the output
};

/// Equations  y = gain (u + before) + behind
/// Source     MSL 4.0 Blocks.Math.UnitConversions
class UnitConversion final : public ComponentOf<UnitConversion> {
 public:
  explicit UnitConversion(const Conversion& c) : c_(c) {}
  void read(ParameterReader& r) override { r.input("u", 1, c_.from, "input"); }
  void declare(Structure& s) override { u_ = s.input("u", 1); }
  void describe(Variables& v) const override;

 private:
  const Conversion& c_;
  SignalId u_;
};

/// One class for each unit and direction.
Catalogue unitConversions();

}  // namespace cardan::blocks
