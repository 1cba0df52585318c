/// OpenLoads: what joints alone bear in a component's place.
#pragma once

#include "components/ids.h"

namespace cardan {

/// Modes that know it: loads of the component that is asked which move nothing, as joints hold its bodies, and
/// how much of its unknown u each of them has. None where its unknowns are open against those of others, too.
class OpenLoads {
 public:
  virtual ~OpenLoads() = default;
  virtual int openLoads() const = 0;
  virtual double openLoad(int load, UnknownId u) const = 0;
};

}  // namespace cardan
