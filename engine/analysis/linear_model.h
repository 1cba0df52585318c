/// LinearModel: a model near a point as dx/dt = A x + B u, y = C x + D u, by names and units.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "engine/motion_point.h"

namespace cardan {

/// A state, an input or an output, and its value at the point.
struct LinearSignal {
  std::string name;
  std::string unit;
  double value = 0;
};

struct LinearModel {
  enum class Kind {
    equilibrium,  ///< nothing moves
    steady,       ///< velocities stay as they are, and A with them
    turning,      ///< velocities stay as they are, but A changes: periodic where coordinates turn
    motion        ///< an instant of a motion
  };

  std::string name;   ///< of the model
  double time = 0;    ///< [s]
  double sample = 0;  ///< [s]  A and B lead from one sample to the next, inputs held; 0: rates
  Kind kind = Kind::equilibrium;
  std::vector<LinearSignal> states, inputs, outputs;
  Eigen::MatrixXd A, B, C, D;
  /// Inertia of the velocities among the states, in their order; empty: none that is a matrix.
  Eigen::MatrixXd mass;
  /// By how much the forces along these velocities fall with each state; as long as `mass`.
  Eigen::MatrixXd stiffness;
  /// Typical sizes of the states.
  Eigen::VectorXd sizes;
  /// Per state: it is the rate of that state, exactly; -1: of none.
  std::vector<int> rateOf;
  /// Derivatives of all unknowns and their rates by states, then inputs (for shapes of modes).
  Eigen::MatrixXd unknowns, rates;
  std::vector<std::string> elsewhere;  ///< states that do not count from where the variables do
  std::vector<std::string> frozen;     ///< modes that stay as they are: "clutch.mode = 1"
  std::vector<std::string> bends;      ///< expressions that bend here: PointEquations::bends
  std::vector<std::string> warnings;   ///< what the numbers do not say

  /// E x' = A x + B u with all unknowns and multipliers, constraints differentiated to the level of
  /// velocities' rates: at equilibria and in steady motions its eigenvalues are those of the reduced
  /// A, zeros and infinite ones.
  struct Descriptor {
    std::vector<LinearSignal> unknowns;
    Eigen::MatrixXd E, A, B;
  };
  std::optional<Descriptor> descriptor;
};

/// "equilibrium", "steady motion", ...
std::string word(LinearModel::Kind kind);

struct LinearisationOptions {
  std::vector<std::string> inputs{};     ///< names; columns of B
  std::vector<OutputPattern> outputs{};  ///< rows of C; none: those of the file
  bool descriptor = false;
};

/// Linearises the model of a simulation as it stands (modes, redundant rows) at `point`. Wrong names
/// are thrown as ModelError, a point that leaves something open as AnalysisError.
LinearModel linearise(Simulation& simulation, const MotionPoint& point,
                      const LinearisationOptions& options = {});

/// Finds states that are the rate of another one, exactly: rateOf, and their rows of A as they are.
void pairRates(LinearModel& model);

}  // namespace cardan
