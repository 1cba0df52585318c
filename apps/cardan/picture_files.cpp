#include "apps/cardan/picture_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "apps/cardan/console.h"
#include "engine/picture/gltf.h"
#include "engine/picture/page.h"
#include "engine/results/output_file.h"
#include "engine/results/run_settings.h"
#include "engine/text/glob.h"

namespace cardan {
namespace {

constexpr size_t kMostOpenCurves = 6;
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
  if (!output.ends_with(".html") && !isGlb() && !isStill()) {
    diagnostics.error({}, "a picture is a .html, .glb or .png file, found '" + output + "'");
  } else if (isStill()) {
    if (!canWritePng()) diagnostics.error({}, "cannot write '" + output + "': " + whyNoPng());
    if (!size.empty() && !readSize(size, still)) {
      diagnostics.error({},
                        fmt::format("--size is WIDTHxHEIGHT with numbers from {} to {}, found '{}'",
                                    kLeastPixels, kMostPixels, size));
    }
  } else if (!isGlb() && !canDrawPages()) {
    diagnostics.error({}, "cannot write '" + output + "': " + whyNoPages());
  }
  diagnostics.throwIfErrors();
}

std::shared_ptr<PictureRecorder> PictureChoice::recorder(const Simulation& simulation,
                                                         const RunSettings& settings) const {
  PictureOptions options;
  options.frames = traces;
  if (!follow.empty()) options.frames.push_back(follow);
  options.start = settings.start;
  options.stop = settings.stop;
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
  if (isGlb()) {
    writeTextFile(output, formatGlb(scene));
    return;
  }
  if (isStill()) {
    writeTextFile(output, formatPng(drawStill(scene, still)));
    return;
  }
  std::vector<std::string> shown;
  for (const Scene::Curve& c : scene.curves) {
    for (const std::string& p : plots) {
      if (shown.size() < kMostOpenCurves &&
          (p == c.name || matchesGlob(c.name, p) || c.name.starts_with(p + "[")))
        shown.push_back(c.name);
    }
  }
  writeTextFile(output, formatPage(scene, shown));
}

}  // namespace cardan
