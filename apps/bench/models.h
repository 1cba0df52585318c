/// The models of the bench, as model files made in memory.
#pragma once

#include <string>

namespace cardan::bench {

/// n uniform rods in the plane (1 m, 1 kg), one revolute joint z after the other, from horizontal.
std::string chain(int n);
/// n links (0.1 m, 0.1 kg) that hang from the world a little bent, revolute joints about y and z in
/// turn.
std::string hangingChain(int n);
/// A six-axis arm with a damper of 1 N.m.s/rad in every joint (stiff at the wrist), falling.
std::string robot6();
/// A body without forces, I = diag(1, 2, 3), spun about its middle axis.
std::string freeBody();

/// A planar crank-rocker of uniform rods (5 kg/m), released with the crank at 60 degrees: crank
/// 0.2 m, coupler 0.6 m, rocker 0.4 m, ground 0.7 m; the loop closed by `pin`.
enum class Pin { revolute, planar };
std::string fourBar(Pin pin);
/// n square four-bars in a row (IFToMM benchmark A02): n + 1 upright rods on the ground, joined at
/// their tops by n level ones, of 1 m and 1 kg each, the tops moving at 1 m/s. At the level
/// position, which they pass in full swing, all rods are in line and the chain could fold in 2^n
/// ways.
std::string rowOfFourBars(int n);

}  // namespace cardan::bench
