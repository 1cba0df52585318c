/// ModeFilm: modes of a model, each as one cycle of a slow motion about the point.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "engine/analysis/linear_model.h"
#include "engine/analysis/modes.h"
#include "engine/results/row_watch.h"

namespace cardan {

/// A cycle of a mode on the film, from one time [s] to another.
struct FilmedMode {
  std::string name;  ///< "mode 2: 1.6 Hz, damping 0.03"
  double from, to;
};

/// Seconds that a mode takes on the film, and how many pictures of it there are in one.
constexpr double kFilmedCycle = 2, kFilmRate = 24;
/// [s] The film's length.
double filmLength(size_t modes);

/// How far the coordinates q go in a mode, complex: q(phase) = q0 + Re(swing e^(i phase)). The largest
/// of them is 0.15 of its typical size.
Eigen::VectorXcd filmedSwing(const PointEquations& equations, const LinearModel& linear,
                             const EigenMode& mode);

/// Shows `watch` the first `most` modes at kFilmRate, positions on their constraints, growth and decay
/// left out. All else stays as it is at the point; time is the film's.
std::vector<FilmedMode> filmModes(Simulation& simulation, const MotionPoint& point,
                                  const LinearModel& linear, const ModalAnalysis& analysis,
                                  size_t most, RowWatch& watch);

}  // namespace cardan
