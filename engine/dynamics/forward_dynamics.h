/// ForwardDynamics: the rates of all states at given states: the model as an explicit ODE.
#pragma once

#include <string>
#include <vector>

#include "engine/dynamics/completion.h"

namespace cardan {

/// States are the differential unknowns: coordinates, velocities, states of parts. All others
/// (algebraic unknowns, multipliers) follow from them, in the current modes.
class ForwardDynamics {
 public:
  explicit ForwardDynamics(const Equations& equations);

  /// Why the structure of the model makes it no explicit ODE, in the user's words; "": it is one.
  const std::string& obstacle() const { return obstacle_; }
  /// The same at a consistent start: some equations show only there that they tie states together.
  std::string obstacleAt(double t, std::vector<double> y);

  /// From t [s] and the states in y: der of all states into yp, what follows from them into y; old
  /// values of the latter are the guess where their equations are not linear. False: not computable,
  /// or the equations do not determine them.
  bool rates(double t, std::vector<double>& y, std::vector<double>& yp);

  /// Moves coordinates and velocities onto all their constraints (Q.Q = 1, too), to rounding, by the
  /// least change. False: they cannot be met from here.
  bool project(double t, std::vector<double>& y);

  /// How far the equations of the last rates() were from singular ones: near zero where constraints
  /// change their rank. 1 without constraints: a mass matrix is never singular, however light a part.
  double conditioning() const {
    return completion_.active().empty() ? 1 : completion_.conditioning();
  }
  /// Why an evaluation takes an iteration and is dear; "": it does not.
  const std::string& iterates() const { return iterates_; }
  /// Of the last rates().
  double operations() const { return completion_.operations(); }

 private:
  Completion completion_;
  std::string obstacle_, iterates_;
};

}  // namespace cardan
