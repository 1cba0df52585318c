/// RunPicture: a run that can be looked at: as a page for a browser, as a .glb file, as a still.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/picture/still.h"
#include "engine/simulation.h"

namespace cardan {

/// What the picture of a run shows.
struct RunPictureOptions {
  std::string follow{};              ///< frame connector that the view goes with, "" for none
  std::vector<std::string> trace{};  ///< frame connectors that leave a line
  int most = 1000;                   ///< frames of the picture, evenly spread; events not counted
};

/// The shapes of a model along a run of it.
///
///   RunPicture picture(simulation, {.follow = "chassis.frame_a"});
///   picture.run(rows, {.stopTime = 5});
///   picture.write("car.html");
///   picture.write("car.png", {.time = 2, .view = "iso"});
class RunPicture {
 public:
  /// The simulation outlives it.
  explicit RunPicture(Simulation& simulation, RunPictureOptions options = {});
  ~RunPicture();

  /// As Simulation::run(); what is written to `rows` are the curves of a page. Throws ModelError where
  /// a frame is none, too. A run that has failed can be looked at as far as it came.
  RunReport run(RowSink& rows, const RunOptions& options = {});

  /// Writes the picture of the last run: a .html, .glb or .png file. `still`: of the latter; `open`:
  /// names and globs of curves that are open in a page, six at most. Throws ModelError where there can
  /// be no such file, FileError where it cannot be written, std::logic_error without a run.
  void write(const std::string& path, const StillOptions& still = {},
             const std::vector<std::string>& open = {});
  /// Such as files of shapes that are not there. After write().
  const Diagnostics& warnings() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cardan
