/// ModelScales: what is long and what is fast in a model, so that no threshold depends on units.
#pragma once

namespace cardan {

/// Taken from the model at its start. Every absolute threshold and every typical size that nobody
/// gave is a pure number times these.
struct ModelScales {
  double length = 1;  ///< [m]  extent of all frames, the world's among them
  double time = 1;    ///< [s]  of the fastest coordinate, never more than a second
};

}  // namespace cardan
