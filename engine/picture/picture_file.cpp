#include "engine/picture/picture_file.h"

#include "engine/picture/gltf.h"
#include "engine/picture/page.h"
#include "engine/results/output_file.h"
#include "engine/text/glob.h"

namespace cardan {
namespace {

constexpr size_t kMostOpenCurves = 6;

std::vector<std::string> openCurves(const Scene& scene, const std::vector<std::string>& open) {
  std::vector<std::string> shown;
  for (const Scene::Curve& c : scene.curves) {
    for (const std::string& p : open) {
      if (shown.size() < kMostOpenCurves &&
          (p == c.name || matchesGlob(c.name, p) || c.name.starts_with(p + "[")))
        shown.push_back(c.name);
    }
  }
  return shown;
}

}  // namespace

std::string whyNoPicture(const std::string& path) {
  const bool isPage = path.ends_with(".html"), isStill = path.ends_with(".png");
  if (!isPage && !isStill && !path.ends_with(".glb"))
    return "a picture is a .html, .glb or .png file, found '" + path + "'";
  if (isStill && !canWritePng()) return "cannot write '" + path + "': " + whyNoPng();
  if (isPage && !canDrawPages()) return "cannot write '" + path + "': " + whyNoPages();
  return "";
}

void writePicture(const Scene& scene, const std::string& path, const StillOptions& still,
                  const std::vector<std::string>& open) {
  writeTextFile(path, path.ends_with(".glb")   ? formatGlb(scene)
                      : path.ends_with(".png") ? formatPng(drawStill(scene, still))
                                               : formatPage(scene, openCurves(scene, open)));
}

}  // namespace cardan
