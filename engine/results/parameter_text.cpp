#include "engine/results/parameter_text.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/equations/model.h"

namespace cardan {
namespace {

void appendNumber(double x, std::string& text) {
  constexpr double kPlain = 1e6;  // whole numbers up to here are written by hand, and fast
  const bool plain = std::abs(x) < kPlain && x == std::trunc(x) && !(x == 0 && std::signbit(x));
  text += plain ? std::to_string(static_cast<int>(x)) + ".0" : nlohmann::json(x).dump();
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A number, Boolean, text, list, or list of rows; what is inside a list stands on lines of its
/// own.
void appendValue(const ExpressionValue& v, std::string& text) {
  if (v.isString()) {
    text += quoted(v.string());
    return;
  }
  const auto element = [&](int i) {
    const double x = v.elements()[i];
    if (v.type() == ValueType::boolean) {
      text += x != 0 ? "true" : "false";
    } else {
      appendNumber(x, text);
    }
  };
  const auto list = [&](int count, const std::string& blanks, const auto& each) {
    if (count == 0) {
      text += "[]";
      return;
    }
    for (int i = 0; i < count; ++i) {
      text += (i == 0 ? "[\n  " : ",\n  ") + blanks;
      each(i);
    }
    text += "\n" + blanks + "]";
  };
  if (v.shape().isScalar()) {
    element(0);
  } else if (v.shape().isVector()) {
    list(v.size(), "    ", element);
  } else {
    list(v.rows(), "    ", [&](int row) {
      list(v.columns(), "      ", [&](int column) { element(row * v.columns() + column); });
    });
  }
}

}  // namespace

ParameterText::ParameterText(const Model& model) : model_(model) {
  for (const auto& [name, value] : model.foundParameters()) {
    found_.push_back(name);
    valueOfFound_[name] = value;
  }
}

void ParameterText::append(std::string& text) {
  text += '{';
  appendOwn(text);
  model_.parameters().forEachComponent(
      [&](const ComponentDescription& c, const std::vector<const Published*>& values) {
        appendComponent(c.name, values, text);
      });
  for (const std::string& name : found_) {
    const auto value = valueOfFound_.find(name);
    if (value == valueOfFound_.end()) continue;
    begin(text);
    text += quoted(name) + ": ";
    appendNumber(value->second, text);
    valueOfFound_.erase(value);
  }
  text += first_ ? "}" : "\n  }";
}

void ParameterText::begin(std::string& text) {
  text += first_ ? "\n    " : ",\n    ";
  first_ = false;
}

void ParameterText::appendOwn(std::string& text) {
  for (const auto& [name, value] : model_.ownParameters()) {
    begin(text);
    text += quoted(name) + ": ";
    if (const auto found = valueOfFound_.find(name); found != valueOfFound_.end()) {
      appendNumber(found->second, text);
      valueOfFound_.erase(found);
    } else {
      appendValue(value, text);
    }
  }
}

/// A key that was read twice stands where it was first, with its last value.
void ParameterText::appendComponent(const std::string& name,
                                    const std::vector<const Published*>& values,
                                    std::string& text) {
  component_.clear();
  for (const Published* p : values) {
    component_.push_back(&memberOf(*p));
    last_[component_.back()->key] = component_.back();
  }
  std::string opening = quoted(name + ".");
  opening.pop_back();
  for (size_t i = 0; i < values.size(); ++i) {
    const Member*& last = last_[component_[i]->key];
    if (!last) continue;
    begin(text);
    text += opening;
    const auto found = valueOfFound_.empty() ? valueOfFound_.end()
                                             : valueOfFound_.find(name + "." + values[i]->key);
    if (found == valueOfFound_.end()) {
      text += last->after;
    } else {
      text += quoted(values[i]->key).substr(1) + ": ";
      appendNumber(found->second, text);
      valueOfFound_.erase(found);
    }
    last = nullptr;
  }
}

const ParameterText::Member& ParameterText::memberOf(const Published& value) {
  const auto [place, isNew] = members_.try_emplace(&value);
  Member& member = place->second;
  if (!isNew) return member;
  member.key = numberOfKey_.try_emplace(value.key, numberOfKey_.size()).first->second;
  last_.resize(numberOfKey_.size(), nullptr);
  member.after = quoted(value.key).substr(1) + ": ";
  appendValue(value.value, member.after);
  return member;
}

}  // namespace cardan
