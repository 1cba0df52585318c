#include "tests/random/model_text.h"

#include <fmt/format.h>

namespace cardan::random {

std::string number(double x) { return fmt::format("{}", x); }

std::string list(const Vector3d& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }

std::string ModelText::newName(const std::string& stem) {
  return fmt::format("{}{}", stem, ++counts_[stem]);
}

void ModelText::component(const std::string& name, const std::string& type,
                          const std::string& parameters) {
  components_.push_back(fmt::format("  {}: {{type: {}{}{}}}\n", name, type,
                                    parameters.empty() ? "" : ", ", parameters));
}

void ModelText::connect(const std::string& a, const std::string& b) {
  connections_.push_back(fmt::format("  - [{}, {}]\n", a, b));
}

void ModelText::variable(const std::string& name, const std::string& expression) {
  variables_.push_back(fmt::format("  {}: \"{}\"\n", name, expression));
}

std::string ModelText::text(const std::string& description, const std::string& world,
                            const std::string& simulation) const {
  std::string t = fmt::format("description: {}\nworld: {{{}}}\n", description, world);
  auto section = [&](const char* title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    t += title;
    for (const std::string& line : lines) t += line;
  };
  section("components:\n", components_);
  section("connections:\n", connections_);
  section("variables:\n", variables_);
  t += fmt::format("simulation: {{{}}}\noutputs: [", simulation);
  for (size_t i = 0; i < outputs_.size(); ++i)
    t += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", outputs_[i]);
  return t + "]\n";
}

}  // namespace cardan::random
