// Picture: a run that can be looked at, from Python.
#include "engine/picture/pictures.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/python/module.h"
#include "apps/python/outcome.h"
#include "engine/model_file/model_source.h"

namespace cardan::python {
namespace {

namespace py = pybind11;

class Picture {
 public:
  Picture(const LoadedModel& model, std::string follow, std::vector<std::string> trace, int most)
      : simulation_(model.simulation()),
        picture_(simulation_, {std::move(follow), std::move(trace), most}) {}

  /// `open`: names and patterns of curves besides the file's own.
  py::tuple run(RunOptions options, const std::vector<std::string>& open,
                const py::object& progress) {
    if (options.outputs.empty() && !open.empty()) {
      for (const OutputPattern& p : simulation_.source().outputs)
        options.outputs.push_back(p.pattern);
    }
    options.outputs.insert(options.outputs.end(), open.begin(), open.end());
    return recorded(
        options, progress, nullptr,
        [&](RowSink& rows, const RunOptions& o) { picture_.run(rows, o); },
        [&] { return simulation_.report(); });
  }

  /// A .html, .glb or .png file; what it warns of.
  std::vector<std::string> write(const std::string& path, std::optional<double> time,
                                 const std::string& view, int width, int height,
                                 const std::vector<std::string>& open) {
    constexpr int kLeast = 16, kMost = 4000;  // [pixels]
    if (std::ranges::find(stillViews(), view) == stillViews().end())
      throw py::value_error("view must be x, y, z, iso or home, found '" + view + "'");
    if (std::min(width, height) < kLeast || std::max(width, height) > kMost)
      throw py::value_error("size must be of 16 to 4000 pixels");
    picture_.write(path, {time, view, width, height}, open);
    std::vector<std::string> warnings;
    for (const Diagnostic& d : picture_.warnings().all()) warnings.push_back(d.format());
    return warnings;
  }

 private:
  Simulation simulation_;
  RunPicture picture_;
};

}  // namespace

void addPicture(py::module_& m) {
  py::class_<Picture>(m, "Picture")
      .def(py::init<const LoadedModel&, std::string, std::vector<std::string>, int>())
      .def("run", &Picture::run)
      .def("write", &Picture::write);
}

}  // namespace cardan::python
