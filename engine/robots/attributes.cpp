#include "engine/robots/attributes.h"

#include <charconv>
#include <cmath>

namespace cardan::robots {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::optional<double> numberIn(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  if (word.starts_with('+')) return std::nullopt;
  double x = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
  if (end != word.data() + word.size()) return std::nullopt;
  // Too small to be told from zero, or too large to be told from infinity.
  if (error == std::errc::result_out_of_range &&
      word.find_first_of("eE") != std::string_view::npos &&
      word.find("-", word.find_first_of("eE")) != std::string_view::npos)
    return 0.0;
  if (error != std::errc() || !std::isfinite(x)) return std::nullopt;
  return x;
}

const char* countWord(size_t n) {
  static constexpr const char* kWords[] = {"no number", "a finite number", "two finite numbers",
                                           "three finite numbers", "four finite numbers"};
  return n < std::size(kWords) ? kWords[n] : "finite numbers";
}

/// Why a value that is no number may stand there.
std::string hintOf(std::string_view value) {
  if (value.find("${") == std::string_view::npos && value.find("$(") == std::string_view::npos)
    return "";
  return "; expand the file first: xacro FILE > robot.urdf";
}

}  // namespace

std::optional<std::vector<double>> numbersIn(std::string_view text) {
  std::vector<double> all;
  for (size_t i = text.find_first_not_of(kBlank); i != std::string_view::npos;
       i = text.find_first_not_of(kBlank, i)) {
    const size_t end = std::min(text.find_first_of(kBlank, i), text.size());
    const std::optional<double> x = numberIn(text.substr(i, end - i));
    if (!x) return std::nullopt;
    all.push_back(*x);
    i = end;
  }
  return all;
}

std::string shown(std::string_view value) {
  constexpr size_t most = 60;
  if (value.size() <= most) return "'" + std::string(value) + "'";
  size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0U) == 0x80U) --end;
  return "'" + std::string(value.substr(0, end)) + "...'";
}

std::string Attributes::what(std::string_view name) const {
  return owner_ + ": '" + std::string(name) + "' of <" + element_.name + ">";
}

SourceMark Attributes::at(std::string_view name) const {
  const XmlAttribute* a = element_.attribute(name);
  return a ? element_.mark(*a) : element_.mark();
}

std::string Attributes::required(std::string_view name) const {
  const XmlAttribute* a = element_.attribute(name);
  if (!a || a->value.empty()) {
    diagnostics_.error(at(name), what(name) + " must be given" + (a ? ", found nothing" : ""));
    return "";
  }
  return a->value;
}

double Attributes::number(std::string_view name, double byDefault) const {
  return numbers(name, {byDefault})[0];
}

double Attributes::requiredNumber(std::string_view name) const {
  if (!has(name)) diagnostics_.error(element_.mark(), what(name) + " must be given");
  return number(name, 0);
}

std::vector<double> Attributes::numbers(std::string_view name,
                                        std::vector<double> byDefault) const {
  const XmlAttribute* a = element_.attribute(name);
  if (!a) return byDefault;
  const auto found = numbersIn(a->value);
  if (found && found->size() == byDefault.size()) return *found;
  diagnostics_.error(at(name), what(name) + " must be " + countWord(byDefault.size()) + ", found " +
                                   shown(a->value) + hintOf(a->value));
  return byDefault;
}

}  // namespace cardan::robots
