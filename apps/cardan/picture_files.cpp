#include "apps/cardan/picture_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "apps/cardan/console.h"
#include "engine/picture/picture_file.h"
#include "engine/results/run_settings.h"

namespace cardan {
namespace {

constexpr int kLeastPixels = 16, kMostPixels = 4000;

/// False unless it is WIDTHxHEIGHT.
bool readSize(const std::string& text, StillOptions& still) {
  const char* end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, still.width);
  if (width.ec != std::errc() || width.ptr == end || *width.ptr != 'x') return false;
  const auto height = std::from_chars(width.ptr + 1, end, still.height);
  const auto [least, most] = std::minmax(still.width, still.height);
  return height.ec == std::errc() && height.ptr == end && least >= kLeastPixels &&
         most <= kMostPixels;
}

}  // namespace

void PictureChoice::check() {
  Diagnostics diagnostics;
  if (const std::string why = whyNoPicture(output); !why.empty()) diagnostics.error({}, why);
  if (isStill() && !size.empty() && !readSize(size, still)) {
    diagnostics.error({},
                      fmt::format("--size is WIDTHxHEIGHT with numbers from {} to {}, found '{}'",
                                  kLeastPixels, kMostPixels, size));
  }
  diagnostics.throwIfErrors();
}

std::shared_ptr<PictureRecorder> PictureChoice::recorder(const Simulation& simulation,
                                                         const RunSettings& settings,
                                                         bool isReplay) const {
  PictureOptions options;
  options.frames = traces;
  if (!follow.empty()) options.frames.push_back(follow);
  options.start = settings.start;
  options.stop = settings.stop;
  options.contactForces = !isReplay && output.ends_with(".html");
  if (fps > 0) options.most = static_cast<int>(std::ceil((options.stop - options.start) * fps)) + 1;
  Diagnostics diagnostics;
  auto recorder = std::make_shared<PictureRecorder>(simulation, std::move(options), diagnostics);
  diagnostics.throwIfErrors();
  return recorder;
}

void PictureChoice::write(PictureRecorder& recorder, bool quiet) const {
  recorder.finish();
  Diagnostics diagnostics;
  Scene scene = makeScene(recorder, {follow, traces}, diagnostics);
  scene.chapters = chapters;
  if (!quiet && !diagnostics.all().empty()) printMessages(diagnostics.format());
  writePicture(scene, output, still, plots);
}

}  // namespace cardan
