#include "engine/expression/orientation_functions.h"

#include <cassert>
#include <sstream>

#include "engine/expression/embedded_frames.h"
#include "engine/text/joined.h"
#include "engine/text/mapped.h"

namespace cardan {
namespace {

using OrientationKind = OrientationFunction::Kind;

Expression read(std::string_view text) {
  Diagnostics diagnostics;
  std::optional<Expression> e = parseExpression(text, {}, diagnostics);
  assert(e && "the table of functions holds expressions");
  return *e;
}

/// Takes the part before `separator` off `text`.
std::string_view next(std::string_view& text, std::string_view separator) {
  const size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? "" : text.substr(end + separator.size());
  return part;
}

/// "sequence 3 = {1, 2, 3}"
OrientationFunction::Parameter parameter(std::string_view text) {
  OrientationFunction::Parameter p;
  text = trimmed(text);
  p.name = next(text, " ");
  const std::string_view kind = next(text, " = ");
  if (kind == "orientation") {
    p.kind = OrientationKind::orientation;
  } else if (kind == "3x3") {
    p.kind = OrientationKind::matrix;
  } else if (kind != "1") {
    p.kind = OrientationKind::vector;
    p.size = kind[0] - '0';
  }
  if (!text.empty()) p.otherwise.push_back(read(text));
  return p;
}

/// The functions of frames.txt.
std::vector<OrientationFunction> readAll() {
  std::vector<OrientationFunction> all;
  std::istringstream file{std::string(embeddedFrames("frames.txt"))};
  for (std::string line; std::getline(file, line);) {
    std::string_view rest = line;
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == ' ') {
      rest = trimmed(rest);
      const bool isNamed = rest.find(" := ") != std::string_view::npos;
      const std::string name(isNamed ? next(rest, " := ") : "");
      all.back().steps.push_back({name, read(rest)});
      continue;
    }
    OrientationFunction& f = all.emplace_back();
    f.name = next(rest, "(");
    rest.remove_suffix(1);
    if (!rest.empty()) f.parameters = mapped(splitOutsideBrackets(rest, ','), parameter);
  }
  return all;
}

const std::vector<OrientationFunction>& functions() {
  static const std::vector<OrientationFunction> all = readAll();
  return all;
}

}  // namespace

const OrientationFunction* findOrientationFunction(std::string_view name) {
  for (const std::string_view package : {"Modelica.Mechanics.MultiBody.", "Frames."}) {
    if (name.starts_with(package)) name.remove_prefix(package.size());
  }
  for (const OrientationFunction& f : functions()) {
    if (f.name == name) return &f;
  }
  return nullptr;
}

std::vector<std::string> orientationFunctionNames() {
  return mapped(functions(), [](const OrientationFunction& f) { return "Frames." + f.name; });
}

}  // namespace cardan
