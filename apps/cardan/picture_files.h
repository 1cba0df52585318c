/// PictureFiles: the picture of a run, moving as a page or a .glb file, still as a .png file.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/cardan/later.h"
#include "engine/picture/picture_recorder.h"
#include "engine/picture/scene.h"
#include "engine/picture/still.h"
#include "engine/simulation.h"

namespace cardan {

struct RunSettings;

/// What the user wants to see.
struct PictureChoice {
  std::string output;                      ///< x.html, x.glb or x.png
  std::string follow;                      ///< frame connector, "" for none
  std::vector<std::string> traces;         ///< frame connectors
  std::vector<std::string> plots;          ///< names and globs of curves that are open
  std::vector<Scene::Chapter> chapters{};  ///< parts of the times that are shown alone
  double fps = 0;  ///< [1/s] of simulated time; 0: at most 1000 frames in all

  StillOptions still;  ///< of a .png file
  std::string size;    ///< [pixels]  of it, as WIDTHxHEIGHT; "": as in `still`

  bool isStill() const { return output.ends_with(".png"); }
  /// Reads `size`. Throws ModelError where no such file can be written.
  CARDAN_LATER void check();
  /// Takes the shapes and frames along a run with these settings, or along a result (`isReplay`), which
  /// does not say what touches.
  CARDAN_LATER std::shared_ptr<PictureRecorder> recorder(const Simulation& simulation,
                                                         const RunSettings& settings,
                                                         bool isReplay = false) const;
  /// Writes the file; warnings go to stderr unless `quiet`. Throws FileError.
  CARDAN_LATER void write(PictureRecorder& recorder, bool quiet) const;
};

}  // namespace cardan
