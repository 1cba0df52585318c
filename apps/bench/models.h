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

}  // namespace cardan::bench
