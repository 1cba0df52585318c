/// ModeTracks: modes of a model that changes a little from point to point, each followed on its way.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "engine/analysis/modes.h"

namespace cardan {

/// Oscillating modes at the points of a row. A mode is the one of the point before whose eigenvalue,
/// gone on straight, is near and whose shape is like: through crossings it is followed by both.
class ModeTracks {
 public:
  struct Track {
    std::string name;  ///< of the coordinate with the largest share where it begins
    std::vector<std::complex<double>> values;  ///< [1/s] by points; not a number: it is not there

    /// [Hz]  By points.
    std::vector<double> frequencies() const;
    std::vector<double> dampingRatios() const;
  };

  /// The next point. `nominals`: typical sizes of the model's unknowns.
  void add(const LinearModel& linear, const ModalAnalysis& modes,
           const std::vector<double>& nominals);

  /// In the order of their first points, there by rising magnitude.
  const std::vector<Track>& tracks() const { return tracks_; }
  size_t points() const { return points_; }

 private:
  /// What the eigenvalue of a track would be at the next point.
  std::complex<double> expected(size_t track) const;

  std::vector<Track> tracks_;
  std::vector<Eigen::VectorXcd> shapes_;  ///< of each track where it was last, of length 1
  size_t points_ = 0;
};

}  // namespace cardan
