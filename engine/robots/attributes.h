/// Attributes: the values of an element's attributes, with located errors.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/robots/xml_document.h"

namespace cardan::robots {

/// The attributes of one element. `owner` is whose element it is, for messages: "link 'arm'".
class Attributes {
 public:
  Attributes(const XmlElement& element, std::string owner, Diagnostics& diagnostics)
      : element_(element), owner_(std::move(owner)), diagnostics_(diagnostics) {}

  /// "" and an error where it is missing or empty.
  std::string required(std::string_view name) const;
  /// `byDefault` where it is missing; an error where it is no finite number.
  double number(std::string_view name, double byDefault) const;
  double requiredNumber(std::string_view name) const;
  /// As many finite numbers as `byDefault` has, with spaces between them.
  std::vector<double> numbers(std::string_view name, std::vector<double> byDefault) const;
  /// Where the value stands; the element, where it is missing.
  SourceMark at(std::string_view name) const;
  bool has(std::string_view name) const { return element_.attribute(name) != nullptr; }

 private:
  std::string what(std::string_view name) const;

  const XmlElement& element_;
  std::string owner_;
  Diagnostics& diagnostics_;
};

/// The numbers in a text, spaces between them; nothing where something else is among them, or one is
/// not finite.
std::optional<std::vector<double>> numbersIn(std::string_view text);

/// A value for messages: in quotes, long ones cut.
std::string shown(std::string_view value);

}  // namespace cardan::robots
