#include "engine/picture/pictures.h"

#include <optional>
#include <stdexcept>
#include <utility>

#include "engine/model_file/model_source.h"
#include "engine/picture/picture_file.h"
#include "engine/picture/picture_recorder.h"
#include "engine/picture/scene.h"
#include "engine/results/run_settings.h"

namespace cardan {

struct RunPicture::Parts {
  Simulation& simulation;
  RunPictureOptions options;
  std::unique_ptr<PictureRecorder> recorder{};  ///< of the last run
  std::optional<Scene> scene{};                 ///< what it has seen
  Diagnostics warnings{};
};

RunPicture::RunPicture(Simulation& simulation, RunPictureOptions options)
    : parts_(new Parts{simulation, std::move(options)}) {}

RunPicture::~RunPicture() = default;

const Diagnostics& RunPicture::warnings() const { return parts_->warnings; }

RunReport RunPicture::run(RowSink& rows, const RunOptions& options) {
  Diagnostics diagnostics;
  const RunSettings settings =
      RunSettings::of(parts_->simulation.source().simulation, options, diagnostics);
  PictureOptions shown{.frames = parts_->options.trace,
                       .start = settings.start,
                       .stop = settings.stop,
                       .most = parts_->options.most};
  if (!parts_->options.follow.empty()) shown.frames.push_back(parts_->options.follow);
  auto recorder =
      std::make_unique<PictureRecorder>(parts_->simulation, std::move(shown), diagnostics);
  diagnostics.throwIfErrors();
  parts_->recorder = std::move(recorder);
  parts_->scene.reset();
  parts_->warnings = {};
  TwoSinks both(rows, *parts_->recorder);
  RunOptions watched = options;
  watched.watch = parts_->recorder.get();
  return parts_->simulation.run(both, watched);
}

void RunPicture::write(const std::string& path, const StillOptions& still,
                       const std::vector<std::string>& open) {
  Diagnostics diagnostics;
  if (const std::string why = whyNoPicture(path); !why.empty()) diagnostics.error({}, why);
  diagnostics.throwIfErrors();
  Parts& p = *parts_;
  if (p.recorder) p.recorder->finish();
  if (!p.recorder || p.recorder->rows() == 0)
    throw std::logic_error("there is no run to make a picture of");
  if (!p.scene) p.scene = makeScene(*p.recorder, {p.options.follow, p.options.trace}, p.warnings);
  writePicture(*p.scene, path, still, open);
}

}  // namespace cardan
