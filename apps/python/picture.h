/// Picture: a run that can be looked at, from Python.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/python/loaded_model.h"
#include "engine/picture/pictures.h"

namespace cardan::python {

class Picture {
 public:
  Picture(const std::shared_ptr<LoadedModel>& model, std::string follow,
          std::vector<std::string> trace, int most);

  /// The outcome of the run.
  pybind11::tuple run(RunOptions options, const pybind11::object& progress);
  /// A .html, .glb or .png file; what it warns of.
  std::vector<std::string> write(const std::string& path, std::optional<double> time,
                                 const std::string& view, int width, int height,
                                 const std::vector<std::string>& open);

 private:
  std::shared_ptr<LoadedModel> model_;
  Simulation simulation_;
  RunPicture picture_;
};

}  // namespace cardan::python
