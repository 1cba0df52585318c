#include "engine/model_file/parameter_documentation.h"

#include <algorithm>

#include "engine/expression/value.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

template <class Range, class Print>
std::string list(const Range& range, Print print) {
  return "[" + joined(range, ", ", print) + "]";
}

std::string matrixText(const Eigen::MatrixXd& m) {
  std::string text;
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    text += (i > 0 ? ", " : "") + list(Eigen::VectorXd(m.row(i)), formatNumber);
  }
  return "[" + text + "]";
}

const char* word(StateSelect s) {
  static constexpr const char* words[] = {"never", "avoid", "default", "prefer", "always"};
  return words[static_cast<int>(s)];
}

/// Fills in what the kind of target tells.
struct Describe {
  DocumentedParameter& p;

  void set(std::string type, std::string value) const {
    p.type = std::move(type);
    p.defaultValue = std::move(value);
  }

  void operator()(const double* x) const { set("number", formatNumber(*x)); }
  void operator()(const int* x) const { set("integer", std::to_string(*x)); }
  void operator()(const bool* x) const { set("boolean", *x ? "true" : "false"); }
  void operator()(const std::string* x) const { set("text", quotedText(*x)); }
  void operator()(const Vector3d* x) const { set("vector of 3", list(*x, formatNumber)); }
  void operator()(const Matrix3d* x) const { set("matrix 3 x 3", matrixText(*x)); }
  void operator()(const std::array<int, 3>* x) const { set("3 integers", integers(*x)); }
  void operator()(const std::vector<int>* x) const { set("integers", integers(*x)); }
  void operator()(const std::vector<std::string>* x) const {
    set("list of texts", list(*x, [](const std::string& s) { return quotedText(s); }));
  }
  void operator()(const EnumerationTarget& x) const {
    p.choices.assign(x.names.begin(), x.names.end());
    set("enumeration", p.choices.at(x.current));
  }
  void operator()(const StartTarget& x) const {
    std::string text = "{start: ";
    const Eigen::Map<const Eigen::VectorXd> start(x.start, x.size);
    text += x.size == 1 ? formatNumber(*x.start) : list(start, formatNumber);
    const bool same =
        std::all_of(x.fixed, x.fixed + x.size, [&](bool f) { return f == x.fixed[0]; });
    const auto boolean = [](bool b) { return std::string(b ? "true" : "false"); };
    text += ", fixed: " + (same ? boolean(x.fixed[0])
                                : list(std::vector<bool>(x.fixed, x.fixed + x.size), boolean));
    if (x.stateSelect && *x.stateSelect != StateSelect::defaultSelect) {
      text += std::string(", stateSelect: ") + word(*x.stateSelect);
    }
    set(x.size == 1 ? "start value" : "start values of " + std::to_string(x.size), text + "}");
  }
  void operator()(const InputTarget& x) const {
    const std::string value = !x.optional           ? ""
                              : x.value.size() == 1 ? formatNumber(x.value[0])
                                                    : list(x.value, formatNumber);
    set(x.size == 1 ? "input" : "input of " + std::to_string(x.size), value);
  }
  void operator()(const TableTarget& x) const {
    const Eigen::MatrixXd& m = *x.matrix;
    if (x.isVector) {
      set("vector", list(Eigen::VectorXd(m.reshaped()), formatNumber));
    } else {
      set("matrix", matrixText(m));
    }
  }

  template <class Integers>
  static std::string integers(const Integers& x) {
    return list(x, [](int i) { return std::to_string(i); });
  }
};

}  // namespace

void ParameterDocumentation::visit(const ParameterInfo& info, ParameterTarget target) {
  DocumentedParameter p;
  p.name = full(info.name);
  p.unit = info.unit;
  p.description = info.description;
  if (info.minimum > -1e300)
    p.range = (info.minimumExcluded ? "> " : ">= ") + formatNumber(info.minimum);
  std::visit(Describe{p}, target);
  parameters_.push_back(std::move(p));
}

}  // namespace cardan
