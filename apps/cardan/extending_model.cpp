#include "apps/cardan/extending_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/cardan/console.h"
#include "apps/cardan/model_options.h"

namespace cardan {

void checkExtensible(const std::string& path, const std::string& what) {
  if (isImported(path))
    refuse(what + " extends a model file: 'cardan import' writes one of '" + path + "'");
  if (path == "-") refuse(what + " extends a model file, and standard input is none");
}

std::string extendingModel(const std::string& model, const std::string& file,
                           const Overrides& overrides, bool sets,
                           const std::function<bool(const std::string& name)>& isLeftOut) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(file == "-" ? fs::path("x") : fs::path(file)).parent_path();
  const std::string base = fs::absolute(model).lexically_relative(folder).generic_string();
  std::string text = "extends: " + nlohmann::json(base).dump() + "\n", values;
  for (auto o = overrides.begin(); o != overrides.end(); ++o) {
    const std::string name = o->substr(0, o->find('='));
    const bool again = std::any_of(o + 1, overrides.end(), [&](const std::string& later) {
      return later.substr(0, later.find('=')) == name;
    });
    if (again || (isLeftOut && isLeftOut(name))) continue;
    values += fmt::format("  {}: {}\n", name, o->substr(name.size() + 1));
  }
  return sets || !values.empty() ? text + "set:\n" + values : text;
}

}  // namespace cardan
