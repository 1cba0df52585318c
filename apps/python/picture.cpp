#include "apps/python/picture.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "apps/python/outcome.h"

namespace cardan::python {

namespace py = pybind11;

Picture::Picture(const std::shared_ptr<LoadedModel>& model, std::string follow,
                 std::vector<std::string> trace, int most)
    : model_(model),
      simulation_(model->simulation()),
      picture_(simulation_, {std::move(follow), std::move(trace), most}) {}

py::tuple Picture::run(RunOptions options, const py::object& progress) {
  CollectedRows rows;
  Attention attention(progress);
  options.progress = [&](double time) { return attention(time); };
  return runUnlocked(
      rows, attention, [&] { picture_.run(rows, options); }, [&] { return simulation_.report(); });
}

std::vector<std::string> Picture::write(const std::string& path, std::optional<double> time,
                                        const std::string& view, int width, int height,
                                        const std::vector<std::string>& open) {
  constexpr int kLeast = 16, kMost = 4000;  // [pixels]
  if (std::ranges::find(stillViews(), view) == stillViews().end())
    throw std::invalid_argument("view must be x, y, z, iso or home, found '" + view + "'");
  if (std::min(width, height) < kLeast || std::max(width, height) > kMost)
    throw std::invalid_argument("size must be of 16 to 4000 pixels");
  picture_.write(path, {time, view, width, height}, open);
  std::vector<std::string> warnings;
  for (const Diagnostic& d : picture_.warnings().all()) warnings.push_back(d.format());
  return warnings;
}

}  // namespace cardan::python
