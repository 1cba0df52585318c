#include "apps/fmu/fmu_description.h"

#include <array>
#include <sstream>
#include <stdexcept>

#include "engine/expression/value.h"
#include "engine/text/plain_number.h"

namespace cardan {
namespace {

constexpr const char* kMark = "cardan fmu 2";
constexpr std::array kKinds{"real", "integer", "boolean", "text"};
constexpr std::array kRoles{"independent", "constant",   "parameter",  "tunable",
                            "input",       "calculated", "exactStart", "approxStart",
                            "result",      "state",      "derivative", "indicator"};

template <class Enum, size_t n>
Enum enumOf(const std::array<const char*, n>& words, const std::string& word) {
  for (size_t i = 0; i < n; ++i) {
    if (word == words[i]) return static_cast<Enum>(i);
  }
  throw std::runtime_error("the FMU's resources/cardan.txt has the unknown word '" + word + "'");
}

std::vector<std::string> fieldsOf(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

double number(const std::string& text) {
  if (const auto x = fmuNumber(text)) return *x;
  throw std::runtime_error("the FMU's resources/cardan.txt has '" + text + "' for a number");
}

}  // namespace

std::optional<double> fmuNumber(const std::string& text) { return plainNumber<double>(text); }

std::string FmuDescription::write() const {
  std::string text = std::string(kMark) + "\n";
  const auto line = [&](const char* key, const std::string& value) {
    text += std::string(key) + "\t" + value + "\n";
  };
  line("name", name);
  line("token", token);
  line("file", file);
  for (const std::string& o : overrides) line("set", o);
  line("start", formatNumber(start));
  line("stop", formatNumber(stop));
  line("interval", formatNumber(interval));
  line("tolerance", formatNumber(tolerance));
  line("states", std::to_string(states));
  line("indicators", std::to_string(indicators));
  line("noExchange", noExchange);
  for (const FmuVariable& v : variables) {
    line("variable", std::string(kKinds[static_cast<size_t>(v.kind)]) + "\t" +
                         kRoles[static_cast<size_t>(v.role)] + "\t" + v.start + "\t" + v.target +
                         "\t" + std::to_string(v.ordinal) + "\t" + v.nominal + "\t" + v.name);
  }
  return text;
}

FmuDescription FmuDescription::read(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || line != kMark)
    throw std::runtime_error("the FMU's resources/cardan.txt is of another version, or of no FMU");
  FmuDescription d;
  while (std::getline(lines, line)) {
    const std::vector<std::string> f = fieldsOf(line);
    const std::string& key = f[0];
    if (f.size() != (key == "variable" ? 8 : 2))
      throw std::runtime_error("the FMU's resources/cardan.txt has a line that is none: " + line);
    if (key == "variable") {
      FmuVariable& v = d.variables.emplace_back();
      v.kind = enumOf<FmuKind>(kKinds, f[1]);
      v.role = enumOf<FmuRole>(kRoles, f[2]);
      v.start = f[3];
      v.target = f[4];
      v.ordinal = static_cast<int>(number(f[5]));
      v.nominal = f[6];
      v.name = f[7];
      continue;
    }
    if (key == "states") d.states = static_cast<size_t>(number(f[1]));
    if (key == "indicators") d.indicators = static_cast<size_t>(number(f[1]));
    if (key == "noExchange") d.noExchange = f[1];
    if (key == "name") d.name = f[1];
    if (key == "token") d.token = f[1];
    if (key == "file") d.file = f[1];
    if (key == "set") d.overrides.push_back(f[1]);
    if (key == "start") d.start = number(f[1]);
    if (key == "stop") d.stop = number(f[1]);
    if (key == "interval") d.interval = number(f[1]);
    if (key == "tolerance") d.tolerance = number(f[1]);
  }
  return d;
}

}  // namespace cardan
