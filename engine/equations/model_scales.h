/// ModelScales: what is long and what is fast in a model, so that no threshold depends on units.
#pragma once

namespace cardan {

class Equations;
template <class S>
struct Workspace;

/// Taken from the model at its start. Every absolute threshold and every typical size that nobody
/// gave is a pure number times these.
struct ModelScales {
  double length = 1;  ///< [m]  extent of all frames, the world's among them
  double time = 1;    ///< [s]  of the fastest coordinate, never more than a second
};

/// Length scale, units of the constraint rows and typical positions, at the motion in `w`.
void scaleLengths(Equations& equations, const Workspace<double>& w);

/// Time scale and typical velocities, at the start in `w`. `duration` [s] of the run, 0: unknown;
/// what moves slowly is looked at for long.
void scaleTimes(Equations& equations, const Workspace<double>& w, double duration);

}  // namespace cardan
