#include "engine/model_file/parameter_binding.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "components/names.h"
#include "components/principal_moments.h"
#include "engine/model_file/sections.h"
#include "engine/model_file/table_file.h"
#include "engine/text/joined.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

/// The value of a target after reading, for other expressions and results; none of starts and
/// inputs.
struct Exported {
  using Value = std::optional<ExpressionValue>;

  Value operator()(const double* x) const { return ExpressionValue(*x); }
  Value operator()(const int* x) const { return ExpressionValue(*x); }
  Value operator()(const bool* x) const { return ExpressionValue(*x); }
  Value operator()(const std::string* x) const { return ExpressionValue(*x); }
  Value operator()(const Vector3d* x) const {
    return ExpressionValue(std::vector<double>(x->data(), x->data() + 3));
  }
  Value operator()(const Matrix3d* x) const { return matrix(*x); }
  Value operator()(const std::array<int, 3>* x) const {
    return ExpressionValue(std::vector<double>(x->begin(), x->end()));
  }
  Value operator()(const std::vector<int>* x) const {
    return ExpressionValue(std::vector<double>(x->begin(), x->end()));
  }
  Value operator()(const std::vector<std::string>*) const { return std::nullopt; }
  Value operator()(const EnumerationTarget&) const { return std::nullopt; }
  Value operator()(const StartTarget&) const { return std::nullopt; }
  Value operator()(const InputTarget&) const { return std::nullopt; }
  Value operator()(const TableTarget& x) const {
    const Eigen::MatrixXd& m = *x.matrix;
    if (x.isVector) return ExpressionValue(std::vector<double>(m.data(), m.data() + m.size()));
    return matrix(m);
  }

  static Value matrix(const Eigen::MatrixXd& m) {
    std::vector<double> elements;
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
      for (Eigen::Index j = 0; j < m.cols(); ++j) elements.push_back(m(i, j));
    }
    return ExpressionValue::matrix(m.rows(), m.cols(), elements);
  }
};

/// What was found, in the words of YAML.
std::string found(const ExpressionValue& value, const YamlNode& node) {
  if (node.isSequence()) {
    return value.shape().isMatrix() ? "a " + value.describe() : node.describe();
  }
  if (value.shape().isScalar() || value.isString()) return value.describe();
  return "a " + value.describe();
}

/// The word stands in the text, and not as a part of another one.
bool holdsWord(std::string_view text, std::string_view word) {
  const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const size_t after = at + word.size();
    if ((at == 0 || !isLetter(text[at - 1])) && (after == text.size() || !isLetter(text[after])))
      return true;
  }
  return false;
}

/// The numbers of a colour that is given by its name; null where it is none, or no name.
const char* colorMeant(const ParameterInfo& info, const YamlNode& node) {
  static const std::map<std::string, const char*, std::less<>> colors{
      {"black", "[0, 0, 0]"},      {"white", "[255, 255, 255]"}, {"gray", "[128, 128, 128]"},
      {"grey", "[128, 128, 128]"}, {"red", "[255, 0, 0]"},       {"green", "[0, 160, 0]"},
      {"blue", "[0, 0, 255]"},     {"yellow", "[255, 255, 0]"},  {"orange", "[255, 165, 0]"},
      {"brown", "[139, 69, 19]"},  {"cyan", "[0, 255, 255]"},    {"magenta", "[255, 0, 255]"},
      {"purple", "[128, 0, 128]"}, {"pink", "[255, 192, 203]"},  {"silver", "[192, 192, 192]"},
      {"gold", "[255, 215, 0]"}};
  if (!node.isScalar() || info.description.find("RGB") == std::string_view::npos) return nullptr;
  const auto color = colors.find(node.text);
  return color == colors.end() ? nullptr : color->second;
}

/// Numbers alone; most values are.
bool holdsNumbersAlone(const YamlNode& node) {
  if (node.isSequence()) return std::ranges::all_of(node.items, holdsNumbersAlone);
  return ParameterTable::plainNumber(node).has_value();
}

YamlNode withNumbers(YamlNode node, const ExpressionValue& value) {
  if (value.isScalar()) {
    node.kind = YamlNode::Kind::scalar;
    node.text = formatNumber(value.real());
    return node;
  }
  YamlNode list = node;
  list.kind = YamlNode::Kind::sequence;
  for (const double x : value.elements()) list.items.push_back(withNumbers(node, x));
  return list;
}

constexpr double kLargestQuantity = 1e150;  // in its SI unit

/// "true" of `True`, `yes`, ..., which other readers of YAML take for a Boolean; "" of other words.
std::string booleanMeant(const YamlNode& node) {
  static const std::map<std::string, std::string, std::less<>> words{
      {"true", "true"},   {"yes", "true"}, {"on", "true"},
      {"false", "false"}, {"no", "false"}, {"off", "false"}};
  std::string word = node.text;
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto found = words.find(word);
  return found == words.end() ? "" : found->second;
}

}  // namespace

ParameterBinding::ParameterBinding(const ComponentDescription& component, ParameterTable& table,
                                   const WorldSettings& world, Diagnostics& diagnostics)
    : component_(component), table_(table), world_(world), diagnostics_(diagnostics) {
  enter("", &component.arguments);
}

/// From here on keys are those of `map`, which may be asked for more than once.
void ParameterBinding::enter(std::string prefix, const YamlNode* map) {
  const size_t place = std::ranges::find(asked_, map, &Asked::map) - asked_.begin();
  levels_.push_back({prefix, map, place});
  if (map && place == asked_.size())
    asked_.push_back({map, std::move(prefix), {}, std::vector<bool>(map->entries.size())});
}

void ParameterBinding::ask(std::string_view key) {
  if (!levels_.back().map) return;
  Asked& asked = asked_[levels_.back().asked];
  asked.keys.emplace_back(key);
  for (size_t i = 0; i < asked.isKnown.size(); ++i) {
    if (asked.map->entries[i].key == key) asked.isKnown[i] = true;
  }
}

void ParameterBinding::error(const SourceMark& at, const std::string& text) {
  diagnostics_.error(at, component_.type + " '" + component_.name + "': " + text);
}

void ParameterBinding::errorMust(const ParameterInfo& info, const YamlNode& at,
                                 const std::string& rule, const std::string& what) {
  error(at.mark(), "'" + fullName(info.name) + "' must be " + rule + ", found " + what);
}

const YamlNode* ParameterBinding::given(std::string_view name) const {
  const YamlNode* map = levels_.back().map;
  return map ? map->find(name) : nullptr;
}

bool ParameterBinding::isGiven(std::string_view name) const { return given(name) != nullptr; }

bool ParameterBinding::require(bool holds, std::string_view name, std::string_view rule) {
  if (holds) return true;
  if (failed_.contains(fullName(name))) return false;  // its value was refused already
  const YamlNode* node = given(name);
  error(node ? node->mark() : component_.at, "'" + fullName(name) + "' " + std::string(rule));
  return false;
}

bool ParameterBinding::requireRow(bool holds, std::string_view name, int row,
                                  std::string_view rule) {
  const auto onFile = rowsOnFile_.find(fullName(name));
  if (holds || onFile == rowsOnFile_.end() || failed_.contains(fullName(name)))
    return require(holds, name, rule);
  error(onFile->second.at(row), "'" + fullName(name) + "' " + std::string(rule));
  return false;
}

void ParameterBinding::begin(std::string_view part) {
  const YamlNode* map = given(part);
  ask(part);
  if (map && !map->isMap()) {
    error(map->mark(), "'" + fullName(part) + "' must be a map of the part's parameters, found " +
                           map->describe());
    map = nullptr;
  }
  enter(fullName(part) + ".", map);
}

void ParameterBinding::end() { levels_.pop_back(); }

void ParameterBinding::finish() {
  warnOfInertia();
  for (const auto& [map, prefix, names, isKnown] : asked_) {
    for (size_t i = 0; i < isKnown.size(); ++i) {
      if (isKnown[i]) continue;
      const YamlNode::Entry& entry = map->entries[i];
      const Keys keys(names.begin(), names.end());
      std::string hint = didYouMean(entry.key, {keys.begin(), keys.end()});
      if (const auto known = described_.find(prefix + entry.key); known != described_.end()) {
        // "mass" is all that is said of m; a slip of the finger is likelier than one word of many.
        const bool isOneOfMany = known->second.ends_with(')');
        if (hint.empty() || !isOneOfMany) hint = "; did you mean " + known->second + "?";
      }
      std::string text = "unknown key '" + prefix + entry.key + "'" + hint;
      if (!keys.empty()) {
        text += hint.empty() ? "; known keys: " : " known keys: ";
        text += joined(keys, ", ");
      }
      error(entry.keyMark(), text);
    }
  }
}

/// No body has a principal moment of inertia above the sum of the other two.
void ParameterBinding::warnOfInertia() {
  const auto numberOf = [&](const char* name) {
    const auto v = std::ranges::find(values(), name, &ParameterTable::Published::key);
    return v != values().end() && (*v)->value.isScalar() ? (*v)->value.real() : std::nan("");
  };
  // Who writes one moment alone models a plane motion, which reads no other.
  if (!isGiven("I_11") || !isGiven("I_22") || !isGiven("I_33")) return;
  Matrix3d I;
  const double xx = numberOf("I_11"), yy = numberOf("I_22"), zz = numberOf("I_33");
  const double yx = numberOf("I_21"), zx = numberOf("I_31"), zy = numberOf("I_32");
  I << xx, yx, zx, yx, yy, zy, zx, zy, zz;
  if (!I.allFinite()) return;
  const Vector3d moments = principalMoments(I);
  constexpr double kRounding = 1e-6;  // values of a data sheet
  if (moments[0] < 0) return;         // an error of its own
  if (moments[2] <= (moments[0] + moments[1]) * (1 + kRounding)) return;
  const YamlNode* node = given("I_11") ? given("I_11") : &component_.arguments;
  diagnostics_.warning(node->mark(),
                       component_.type + " '" + component_.name +
                           "': no body has such an inertia tensor: its principal moments are " +
                           formatNumber(moments[0]) + ", " + formatNumber(moments[1]) + " and " +
                           formatNumber(moments[2]) + ", the last above the sum of the others");
}

void ParameterBinding::visit(const ParameterInfo& info, ParameterTarget target) {
  ask(info.name);
  if (const YamlNode* map = levels_.back().map) {
    // What may be meant by a key that is a word of the text, or all of it.
    const std::vector<bool>& isKnown = asked_[levels_.back().asked].isKnown;
    for (size_t i = 0; i < isKnown.size(); ++i) {
      const YamlNode::Entry& e = map->entries[i];
      if (isKnown[i] || !holdsWord(info.description, e.key)) continue;
      std::string& meant = described_[fullName(e.key)];
      if (info.description == e.key) {
        meant = "'" + std::string(info.name) + "'";
      } else if (meant.empty()) {
        meant = "'" + std::string(info.name) + "' (" + std::string(info.description) + ")";
      }
    }
  }
  const YamlNode* node = given(info.name);
  const int errors = diagnostics_.errorCount();
  auto* table = std::get_if<TableTarget>(&target);
  if (table && table->file) {
    readFile(info, *table);
  } else if (node && node->isNull()) {
    errorMust(info, *node, "given a value", "nothing");
  } else if (const char* color = node ? colorMeant(info, *node) : nullptr;
             color && !table_.lookup(node->text, component_.scope).isKnown()) {
    error(node->mark(), "'" + fullName(info.name) +
                            "' must be red, green and blue, each from 0 to 255, found " +
                            node->describe() + "; did you mean '" + color + "'?");
  } else if (node) {
    std::visit([&](auto& x) { read(info, *node, x); }, target);
  } else if (const auto* input = std::get_if<InputTarget>(&target)) {
    InputBinding binding{fullName(info.name), input->size, input->optional, false, {}, {},
                         component_.at};
    for (const double x : input->value) binding.elements.push_back({x, {}});
    inputs_.push_back(std::move(binding));
  }
  if (diagnostics_.errorCount() > errors) {
    failed_.insert(fullName(info.name));
    if (const auto* input = std::get_if<InputTarget>(&target)) {
      // Its value was refused, which is no reason to call it unbound.
      InputBinding binding{fullName(info.name), input->size, input->optional, true, {}, {},
                           component_.at};
      binding.elements.resize(input->size);
      inputs_.push_back(std::move(binding));
    }
  }
  std::optional<ExpressionValue> value = std::visit(Exported{}, target);
  if (const auto* choice = std::get_if<EnumerationTarget>(&target)) {
    value = std::string(choice->names.at(choice->current));
  }
  if (!value) return;
  table_.publish(component_, fullName(info.name), std::move(*value));
}

/// Signals of blocks carry any quantity, in SI units; other numbers without a unit carry none.
WantedUnit ParameterBinding::wanted(const ParameterInfo& info) const {
  const bool isSignal = info.unit == "1" && component_.type.starts_with("Blocks.");
  return isSignal || info.unit.empty() ? WantedUnit{} : wantedUnit(info.unit);
}

/// The value as numbers in the parameter's unit, where it states units or names a parameter of the
/// model that does.
std::optional<YamlNode> ParameterBinding::inOwnUnit(const ParameterInfo& info,
                                                    const YamlNode& node) {
  const auto report = [&](const SourceMark& at, const std::string& text) {
    error(at, "'" + fullName(info.name) + "' " + text);
  };
  if (holdsQuantity(node)) return withoutUnits(node, wanted(info), report);
  YamlNode result = node;
  for (YamlNode& item : result.items) {
    auto number = inOwnUnit(info, item);
    if (!number) return std::nullopt;
    item = std::move(*number);
  }
  const std::string stated = node.isScalar() ? table_.unitOf(node, component_.scope) : "";
  const WantedUnit own = stated.empty() ? WantedUnit{} : wanted(info);
  const WantedUnit si = siUnitOf(stated);
  if (!own.unit || !si.unit) return result;
  if (!agrees(si.unit->dimension, own.unit->dimension)) {
    report(node.mark(), "must be " + own.unit->dimension.describe(own.shown) + ", found " +
                            node.describe() + ", " + si.unit->dimension.describe());
    return std::nullopt;
  }
  if (own.unit->isSi()) return result;
  // From the unit in which it is said straight to that of the parameter: 30 deg are 30.
  if (const YamlNode* said = table_.quantityOf(node, component_.scope))
    return withoutUnits(*said, own, report);
  const auto value = table_.lookup(node.text, component_.scope);
  const bool isArray = value.isKnown() && value.value.isVector();
  if (!value.isKnown() || !(value.value.isScalar() || isArray)) return result;
  std::vector<double> numbers = value.value.elements();
  for (double& x : numbers) x = convert(x, *si.unit, *own.unit);
  return withNumbers(result, isArray ? ExpressionValue(numbers) : ExpressionValue(numbers[0]));
}

/// A parameter that the file gives as an angle with its unit, in an expression that does not convert
/// it; "" if there is none.
std::string ParameterBinding::radiansIn(const Expression& expression) const {
  if (mentions(expression, "pi") || mentions(expression, "Modelica.Constants.pi")) return "";
  for (const NameReference& r : namesIn(expression)) {
    YamlNode named;
    named.kind = YamlNode::Kind::scalar;
    named.text = r.name;
    const auto si = siUnitOf(table_.unitOf(named, component_.scope));
    if (si.unit && si.unit->dimension.exponents[Dimension::angle] == 1) return r.name;
  }
  return "";
}

std::optional<ExpressionValue> ParameterBinding::evaluate(const ParameterInfo& info,
                                                          const YamlNode& written) {
  std::optional<YamlNode> numbers;
  if (!holdsNumbersAlone(written)) {
    numbers = inOwnUnit(info, written);
    if (!numbers) return std::nullopt;
  }
  const YamlNode& node = numbers ? *numbers : written;
  if (info.unit == "deg") {
    // A number of radians in a parameter in degrees, written by habit.
    Diagnostics ignored;
    for (const YamlNode& item : itemsOf(node)) {
      if (!item.isScalar()) continue;
      const size_t skip = item.text.starts_with('=') ? 1 : 0;
      const auto parsed = parseExpression(item.text.substr(skip), item.markInText(skip), ignored);
      if (!parsed) continue;
      if (const std::string name = radiansIn(*parsed); !name.empty()) {
        error(item.mark(), "'" + fullName(info.name) + "' is in degrees, and '" + name +
                               "' in an expression is in rad: write '" + name +
                               "' alone, or its value in degrees as 180/pi*" + name);
        return std::nullopt;
      }
      if (!mentions(*parsed, "deg")) continue;
      std::string plain = item.text;
      if (const size_t at = plain.find("*deg"); at != std::string::npos && at + 4 == plain.size()) {
        plain.erase(at);
      } else {
        plain = "30";
      }
      error(item.mark(), "'" + fullName(info.name) + "' is in degrees: write " + plain +
                             ", not \"" + (plain == "30" ? "30*deg" : item.text) + "\"");
      return std::nullopt;
    }
  }
  const std::string name = fullName(info.name);
  const auto result =
      table_.evaluateGuarded(component_.name + "." + name, node, component_.scope, diagnostics_);
  if (!result.isKnown()) return std::nullopt;
  return result.value;
}

bool ParameterBinding::isInRange(const ParameterInfo& info, const YamlNode& node,
                                 const std::vector<double>& elements) {
  for (size_t i = 0; i < elements.size(); ++i) {
    const double x = elements[i];
    // Squares of quantities must be numbers; the largest number stands for "no limit".
    const bool tooLarge = !info.unit.empty() && info.unit != "1" &&
                          std::abs(x) > kLargestQuantity &&
                          std::abs(x) < std::numeric_limits<double>::max();
    const bool fine = std::isfinite(x) && !tooLarge &&
                      (info.minimumExcluded ? x > info.minimum : x >= info.minimum);
    if (fine) continue;
    const YamlNode& at = node.isSequence() && i < node.items.size() ? node.items[i] : node;
    const std::string rule = !std::isfinite(x) ? "finite"
                             : tooLarge ? "less than " + formatNumber(kLargestQuantity) + " in size"
                             : info.minimumExcluded ? "greater than " + formatNumber(info.minimum)
                                                    : "at least " + formatNumber(info.minimum);
    errorMust(info, at, rule, formatNumber(x));
    return false;
  }
  return true;
}

std::optional<double> ParameterBinding::readNumber(const ParameterInfo& info,
                                                   const YamlNode& node) {
  if (!node.isScalar()) return errorMust(info, node, "a number", node.describe()), std::nullopt;
  const auto value = evaluate(info, node);
  if (!value) return std::nullopt;
  if (!value->isScalar())
    return errorMust(info, node, "a number", found(*value, node)), std::nullopt;
  if (!isInRange(info, node, value->elements())) return std::nullopt;
  return value->real();
}

std::optional<bool> ParameterBinding::readBoolean(const ParameterInfo& info, const YamlNode& node) {
  const std::string rule = "true or false";
  if (!node.isScalar()) return errorMust(info, node, rule, node.describe()), std::nullopt;
  if (isBooleanWord(node)) return node.text == "true";
  if (const std::string meant = booleanMeant(node);
      !meant.empty() &&
      table_.lookup(node.text, component_.scope).state == ParameterTable::Result::State::unknown) {
    errorMust(info, node, rule, node.describe() + "; did you mean '" + meant + "'?");
    return std::nullopt;
  }
  const auto value = evaluate(info, node);
  if (value && value->isBoolean()) return value->boolean();
  if (value) errorMust(info, node, rule, found(*value, node));
  return std::nullopt;
}

std::optional<std::string> ParameterBinding::readString(const ParameterInfo& info,
                                                        const YamlNode& node) {
  if (!node.isScalar()) return errorMust(info, node, "a text", node.describe()), std::nullopt;
  if (!node.text.starts_with('=')) return node.text;
  const auto value = evaluate(info, node);
  if (value && value->isString()) return value->string();
  if (value) errorMust(info, node, "a text", found(*value, node));
  return std::nullopt;
}

std::optional<std::vector<double>> ParameterBinding::readVector(const ParameterInfo& info,
                                                                const YamlNode& node, int size) {
  const std::string rule =
      size > 0 ? "a vector of " + std::to_string(size) + " numbers" : "a vector of numbers";
  if (node.isMap() ||
      (node.isSequence() && (node.items.empty() || (size > 0 && std::ssize(node.items) != size))))
    return errorMust(info, node, rule, node.describe()), std::nullopt;
  const auto value = evaluate(info, node);
  if (!value) return std::nullopt;
  const bool single = size == 0 && value->isScalar();
  if (!single && (!value->isVector() || (size > 0 && value->rows() != size)))
    return errorMust(info, node, rule, found(*value, node)), std::nullopt;
  // Of zeros(0).
  if (value->elements().empty()) return errorMust(info, node, rule, "an empty one"), std::nullopt;
  if (!isInRange(info, node, value->elements())) return std::nullopt;
  return value->elements();
}

std::optional<std::vector<int>> ParameterBinding::readIntegers(const ParameterInfo& info,
                                                               const YamlNode& node, int size) {
  const auto numbers = readVector(info, node, size);
  if (!numbers) return std::nullopt;
  std::vector<int> integers;
  for (size_t i = 0; i < numbers->size(); ++i) {
    const ExpressionValue x((*numbers)[i]);
    if (!x.isInteger()) {
      const YamlNode& at = node.isSequence() ? node.items[i] : node;
      errorMust(info, at, "whole numbers", x.describe());
      return std::nullopt;
    }
    integers.push_back(x.integer());
  }
  return integers;
}

std::optional<int> ParameterBinding::readChoice(const ParameterInfo& info, const YamlNode& node,
                                                const std::vector<std::string_view>& names) {
  const std::vector<std::string> choices(names.begin(), names.end());
  const std::string rule = "one of " + joined(choices, ", ");
  const auto text = node.isScalar() ? readString(info, node) : std::nullopt;
  if (!text) {
    if (!node.isScalar()) errorMust(info, node, rule, node.describe());
    return std::nullopt;
  }
  const std::string name(lastName(*text));
  const auto choice = std::find(choices.begin(), choices.end(), name);
  if (choice != choices.end()) return choice - choices.begin();
  errorMust(info, node, rule, "'" + *text + "'" + didYouMean(name, choices));
  return std::nullopt;
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node, double* x) {
  if (node.isMap()) {
    readUnknown(info, node, x);
  } else if (const auto value = readNumber(info, node)) {
    *x = *value;
  }
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node, int* x) {
  const auto value = readNumber(info, node);
  if (!value) return;
  const ExpressionValue number(*value);
  if (number.isInteger()) {
    *x = number.integer();
  } else {
    errorMust(info, node, "a whole number", number.describe());
  }
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node, bool* x) {
  if (const auto value = readBoolean(info, node)) *x = *value;
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node, std::string* x) {
  if (auto value = readString(info, node)) *x = std::move(*value);
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node, Vector3d* x) {
  const auto value = readVector(info, node, 3);
  if (!value) return;
  *x = Eigen::Map<const Vector3d>(value->data());
  // Of a direction only the ratios count: its length must be a number that can be squared.
  constexpr double kSquarable = 1e100;
  const double largest = x->cwiseAbs().maxCoeff();
  if (info.unit == "1" && largest > 0 && (largest > kSquarable || largest < 1 / kSquarable))
    *x /= largest;
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node, Matrix3d* x) {
  const std::string rule = "a matrix of 3 rows with 3 numbers each";
  if (node.isMap() || (node.isSequence() && node.items.size() != 3)) {
    errorMust(info, node, rule, node.describe());
    return;
  }
  const auto value = evaluate(info, node);
  if (!value) return;
  if (!value->isMatrix() || value->rows() != 3 || value->columns() != 3) {
    errorMust(info, node, rule, found(*value, node));
  } else if (isInRange(info, node, value->elements())) {
    *x = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(value->elements().data());
  }
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node,
                            std::array<int, 3>* x) {
  if (const auto value = readIntegers(info, node, 3)) std::copy_n(value->begin(), 3, x->begin());
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node, std::vector<int>* x) {
  if (auto value = readIntegers(info, node, 0)) *x = std::move(*value);
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node,
                            std::vector<std::string>* x) {
  std::vector<std::string> texts;
  for (const YamlNode& item : itemsOf(node)) {
    auto text = readString(info, item);
    if (!text) return;
    texts.push_back(std::move(*text));
  }
  *x = std::move(texts);
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node, EnumerationTarget& x) {
  const auto choice = readChoice(info, node, x.names);
  if (!choice) return;
  x.set(*choice);
  x.current = *choice;
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node, TableTarget& x) {
  if (x.isVector) {
    if (const auto v = readVector(info, node, 0)) {
      *x.matrix = Eigen::Map<const Eigen::VectorXd>(v->data(), v->size());
    }
    return;
  }
  const std::string rule = "a matrix, a list of rows";
  if (node.isMap() || (node.isSequence() && node.items.empty())) {
    errorMust(info, node, rule, node.describe());
    return;
  }
  const auto value = evaluate(info, node);
  if (!value) return;
  if (!value->isMatrix()) {
    errorMust(info, node, rule, found(*value, node));
  } else if (value->elements().empty()) {
    errorMust(info, node, rule, "an empty one");
  } else if (isInRange(info, node, value->elements())) {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    *x.matrix =
        Eigen::Map<const RowMajor>(value->elements().data(), value->rows(), value->columns());
  }
}

std::string ParameterBinding::fileNamed(std::string_view name, const std::string& written) {
  const YamlNode* node = given(name);
  const std::filesystem::path folder =
      node ? std::filesystem::path(node->mark().file).parent_path() : std::filesystem::path();
  std::string path = (folder / written).lexically_normal().string();
  files_.push_back(path);
  return path;
}

/// Relative to the file that names it.
void ParameterBinding::readFile(const ParameterInfo& info, TableTarget& x) {
  const std::string name = fullName(info.name);
  if (const YamlNode* node = given(info.name))
    error(node->mark(), "'" + name + "' must not be given where it is read from a file");
  const YamlNode* named = given("fileName");
  failed_.insert(name);
  if (!named || failed_.contains(fullName("fileName"))) return;  // has been said
  if (x.file->fileName.find('\0') != std::string::npos || x.file->fileName.empty()) {
    error(named->mark(), "'" + fullName("fileName") + "' must be the path of a file");
    return;
  }
  const std::string path = fileNamed("fileName", x.file->fileName);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) || std::filesystem::is_directory(path, ignored)) {
    error(named->mark(), "cannot read the file of the table '" + path + "'");
    return;
  }
  Diagnostics inFile;
  std::optional<TableOfFile> read = readTableFile(path, *x.file, inFile);
  diagnostics_.add(inFile);
  if (!read) {
    diagnostics_.note(named->mark(), component_.type + " '" + component_.name + "' reads it here");
    return;
  }
  failed_.erase(name);
  *x.matrix = std::move(read->values);
  rowsOnFile_[name] = std::move(read->rows);
}

void ParameterBinding::readUnknown(const ParameterInfo& info, const YamlNode& node, double* x) {
  const std::set<std::string> keys{"fixed", "start"};
  for (const YamlNode::Entry& entry : node.entries) {
    if (keys.count(entry.key) > 0) continue;
    error(entry.keyMark(), "unknown key '" + fullName(info.name) + "." + entry.key + "'" +
                               didYouMean(entry.key, {"fixed", "start"}) +
                               (didYouMean(entry.key, {"fixed", "start"}).empty() ? ";" : "") +
                               " known keys: " + joined(keys, ", "));
    return;
  }
  const YamlNode* start = node.find("start");
  const YamlNode* fixed = node.find("fixed");
  const std::string name = std::string(info.name);
  const std::string startName = name + ".start";
  const std::string fixedName = name + ".fixed";
  ParameterInfo part = info;
  if (start) {
    part.name = startName;
    const auto value = readNumber(part, *start);
    if (!value) return;
    *x = *value;
  }
  part.name = fixedName;
  const std::optional<bool> isFixed = fixed ? readBoolean(part, *fixed) : std::optional<bool>(true);
  if (!isFixed || *isFixed) {
    if (isFixed && !start) errorMust(info, node, "a number or have a 'start'", "a map without one");
    return;
  }
  unknowns_.push_back({fullName(info.name), x, *x, node.mark()});
}

/// `start: 30` of an angle: whole numbers beyond a turn are degrees more often than radians.
void ParameterBinding::warnOfDegrees(const ParameterInfo& info, const YamlNode& node) {
  if (info.unit != "rad") return;
  for (const YamlNode& item : itemsOf(node)) {
    const auto x = ParameterTable::plainNumber(item);
    if (!x || std::abs(*x) <= 2 * std::numbers::pi || *x != std::trunc(*x)) continue;
    diagnostics_.warning(item.mark(),
                         component_.type + " '" + component_.name + "': '" + fullName(info.name) +
                             "' is in rad: " + formatNumber(*x) + " are " +
                             formatNumber(std::round(*x * 180 / std::numbers::pi)) +
                             " degrees; did you mean \"" + formatNumber(*x) + "*deg\"?");
  }
}

void ParameterBinding::readFixed(const ParameterInfo& info, const YamlNode& node, StartTarget& x) {
  if (!node.isSequence()) {
    if (const auto value = readBoolean(info, node)) std::fill_n(x.fixed, x.size, *value);
    return;
  }
  if (std::ssize(node.items) != x.size) {
    errorMust(info, node, "true, false or a list of " + std::to_string(x.size) + " of them",
              node.describe());
    return;
  }
  for (int i = 0; i < x.size; ++i) {
    if (const auto value = readBoolean(info, node.items[i])) x.fixed[i] = *value;
  }
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node, StartTarget& x) {
  const std::string name(info.name);
  if (!node.isMap()) {
    errorMust(info, node, "a map, as {start: 0.1, fixed: true}", node.describe());
    return;
  }
  static const std::set<std::string> keys{"displayUnit", "fixed", "max",        "min",
                                          "nominal",     "start", "stateSelect"};
  static const std::vector<std::string_view> selects{"never", "avoid", "default", "prefer",
                                                     "always"};
  for (const YamlNode::Entry& entry : node.entries) {
    const std::string keyName = name + "." + entry.key;
    ParameterInfo part{keyName, info.unit, info.description};
    if (keys.count(entry.key) == 0) {
      const std::string hint = didYouMean(entry.key, {keys.begin(), keys.end()});
      error(entry.keyMark(), "unknown key '" + fullName(keyName) + "'" + hint +
                                 (hint.empty() ? ";" : "") + " known keys: " + joined(keys, ", "));
    } else if (entry.value.isNull()) {
      errorMust(part, entry.value, "given a value", "nothing");
    } else if (entry.key == "fixed") {
      readFixed(part, entry.value, x);
    } else if (entry.key == "stateSelect") {
      const auto choice = readChoice(part, entry.value, selects);
      if (choice && x.stateSelect) *x.stateSelect = static_cast<StateSelect>(*choice);
    } else if (entry.key == "start") {
      part.minimum = info.minimum;
      part.minimumExcluded = info.minimumExcluded;
      if (x.size == 1) {
        const auto value = readNumber(part, entry.value);
        if (!value) continue;
        *x.start = *value;
      } else {
        const auto value = readVector(part, entry.value, x.size);
        if (!value) continue;
        std::copy(value->begin(), value->end(), x.start);
      }
      warnOfDegrees(part, entry.value);
      if (x.given) *x.given = true;
    }
    // The others say how Modelica tools show and scale the variable.
  }
}

std::optional<InputElement> ParameterBinding::readInputElement(const ParameterInfo& info,
                                                               const YamlNode& node) {
  if (!node.isScalar() || node.text.empty())
    return errorMust(info, node, "a number or an expression", node.describe()), std::nullopt;
  if (isBooleanWord(node)) return InputElement{node.text == "true" ? 1.0 : 0.0, {}};
  if (!info.unit.empty() && holdsQuantity(node)) {
    const auto number = inOwnUnit(info, node);
    return number ? readInputElement(info, *number) : std::nullopt;
  }
  if (const auto x = ParameterTable::plainNumber(node)) {
    if (info.unit.empty())
      return errorMust(info, node, "true, false or a Boolean expression", formatNumber(*x)),
             std::nullopt;
    if (!isInRange(info, node, {*x})) return std::nullopt;
    return InputElement{*x, {}};
  }
  const size_t skip = node.text.starts_with('=') ? 1 : 0;
  return InputElement{0.0, SourceExpression{onOneLine(node.text.substr(skip)),
                                            node.markInText(skip), component_.scope}};
}

void ParameterBinding::read(const ParameterInfo& info, const YamlNode& node, InputTarget& x) {
  InputBinding binding{fullName(info.name), x.size, x.optional, true, {}, {}, node.mark()};
  const std::string rule = x.size == 1 ? "a number or an expression"
                                       : "a list of " + std::to_string(x.size) +
                                             " numbers or expressions, or one expression";
  if (node.isScalar()) {
    auto element = readInputElement(info, node);
    if (!element) return;
    if (x.size > 1 && !element->expression) {
      errorMust(info, node, rule, node.describe());
      return;
    }
    if (element->expression) {
      binding.expression = std::move(element->expression);
    } else {
      binding.elements.push_back(std::move(*element));
    }
  } else if (node.isSequence() && std::ssize(node.items) == x.size) {
    for (const YamlNode& item : node.items) {
      auto element = readInputElement(info, item);
      if (!element) return;
      binding.elements.push_back(std::move(*element));
    }
  } else {
    errorMust(info, node, rule, node.describe());
    return;
  }
  inputs_.push_back(std::move(binding));
}

}  // namespace cardan
