/// ExamplePicture: what an example of a type looks like: its shapes or, where it has none, its curves.
#pragma once

#include <string>

#include "engine/model_file/type_description.h"

namespace cardan {

struct ExamplePicture {
  std::string ending;   ///< ".png" or ".svg"; "" where there is nothing to see
  std::string content;  ///< of the file
};

/// Runs the model, whose component `component` is of the type ("x", or "world"). Pre: it runs.
ExamplePicture drawExample(const std::string& text, const std::string& component,
                           const TypeDescription& type);

}  // namespace cardan
