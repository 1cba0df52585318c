/// Unknowns: the elements of y by names, and where those of a kind begin.
#pragma once

#include <string>
#include <vector>

namespace cardan {

/// y = [q | v | x | lambda | mu]: coordinates of joints and one-dimensional parts, their velocities,
/// unknowns of components, multipliers.
struct Unknowns {
  int nq = 0, nv = 0, nx = 0, nlambda = 0, nmu = 0;
  bool still = false;  ///< nothing moves: the one unknown is a constant, so that there is something
                       ///< to integrate
  int size() const { return nq + nv + nx + nlambda + nmu; }
  int xOffset() const { return nq + nv; }
  int lambdaOffset() const { return nq + nv + nx; }
  int muOffset() const { return nq + nv + nx + nlambda; }

  struct Unknown {
    std::string name;  ///< full name
    std::string unit;
    double start = 0;
    double nominal = 1;
    bool differential = true;
  };
  std::vector<Unknown> unknowns;  ///< per element of y
};

}  // namespace cardan
