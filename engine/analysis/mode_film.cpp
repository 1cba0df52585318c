#include "engine/analysis/mode_film.h"

#include "engine/results/rows.h"
#include "engine/structure/unknowns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cardan {
namespace {

constexpr double kLargest = 0.15;  // swing of a coordinate, in its typical size
constexpr double kPause = 0.5;     // [s]  between modes
constexpr int kPictures = static_cast<int>(kFilmedCycle * kFilmRate);

/// A watch that is told the film's time.
class FilmTime final : public RowWatch {
 public:
  explicit FilmTime(RowWatch& watch) : watch_(watch) {}
  const std::vector<int>& variables() const override { return watch_.variables(); }
  Level level() const override { return watch_.level(); }
  void look(double, const View<double>& x, std::span<const double> values) override {
    watch_.look(time, x, values);
  }
  double time = 0;

 private:
  RowWatch& watch_;
};

std::string nameOf(size_t number, const EigenMode& m) {
  std::string name = fmt::format("mode {}: ", number);
  const bool stays = std::isinf(m.timeConstant());
  if (!m.isPair()) {
    return name + fmt::format("{} in {:.4g} s", m.eigenvalue.real() > 0 ? "grows" : "decays",
                              m.timeConstant());
  }
  name += fmt::format("{:.5g} Hz", m.frequency());
  if (!stays) name += fmt::format(", damping {:.3g}", m.dampingRatio());
  return name;
}

}  // namespace

double filmLength(size_t modes) {
  return static_cast<double>(modes) * (kFilmedCycle + kPause) - kPause;
}

Eigen::VectorXcd filmedSwing(const PointEquations& equations, const LinearModel& linear,
                             const EigenMode& mode) {
  const int nq = equations.unknowns().nq;
  Eigen::VectorXcd swing = linear.unknowns.topLeftCorner(nq, linear.A.rows()) * mode.shape;
  double most = 0;
  for (int i = 0; i < nq; ++i) most = std::max(most, std::abs(swing[i]) / equations.nominal(i));
  if (most > 0) swing *= kLargest / most;
  return swing;
}

std::vector<FilmedMode> filmModes(Simulation& simulation, const MotionPoint& point,
                                  const LinearModel& linear, const ModalAnalysis& analysis,
                                  size_t most, RowWatch& watch) {
  FilmTime film(watch);
  Diagnostics diagnostics;
  PointRows rows(simulation, {}, &film, diagnostics);
  diagnostics.throwIfErrors();
  const PointEquations equations(simulation);
  MotionPoint start = point;
  const RegularAngles angles(simulation, start);  // as the modes have them
  std::vector<FilmedMode> filmed;
  for (size_t k = 0; k < std::min(most, analysis.modes.size()); ++k) {
    const EigenMode& mode = analysis.modes[k];
    const Eigen::VectorXcd swing = filmedSwing(equations, linear, mode);
    const double from = static_cast<double>(k) * (kFilmedCycle + kPause);
    filmed.push_back({nameOf(k + 1, mode), from, from + kFilmedCycle});
    for (int i = 0; i <= kPictures; ++i) {
      film.time = i < kPictures ? from + i / kFilmRate : from + kFilmedCycle;
      const auto turn = std::polar(1.0, 2 * std::numbers::pi * i / kPictures);
      MotionPoint shown = start;
      for (Eigen::Index q = 0; q < swing.size(); ++q) shown.y[q] += (swing[q] * turn).real();
      rows.at(shown);
    }
  }
  return filmed;
}

}  // namespace cardan
