#include "engine/expression/constant_evaluation.h"

#include "engine/expression/lowering.h"

namespace cardan {
namespace {

/// Constants only.
class LookupResolver final : public VariableResolver {
 public:
  LookupResolver(const NameLookup& lookup, const std::vector<std::string>& names)
      : lookup_(lookup), names_(names) {}

  std::optional<NameMeaning> resolve(const std::string& name, int derivativeOrder) override {
    if (derivativeOrder != 0 || !lookup_) return std::nullopt;
    if (auto value = lookup_(name)) return NameMeaning(std::move(*value));
    return std::nullopt;
  }
  std::vector<std::string> knownNames() const override { return names_; }

 private:
  const NameLookup& lookup_;
  const std::vector<std::string>& names_;
};

}  // namespace

std::optional<ExpressionValue> evaluateConstant(const Expression& expression,
                                                const NameLookup& lookup, Diagnostics& diagnostics,
                                                const std::vector<std::string>& knownNames) {
  LookupResolver resolver(lookup, knownNames);
  Program program;
  const int errors = diagnostics.errorCount();
  // Every operation on constants is folded, so that nothing is left to run.
  const auto value = Lowering(expression, resolver, program, diagnostics, true).lower();
  if (!value || diagnostics.errorCount() > errors) return std::nullopt;
  return value->constant();
}

std::optional<double> readConstant(const std::string& text, const SourceMark& at,
                                   Diagnostics& diagnostics) {
  const auto expression = parseExpression(text, at, diagnostics);
  if (!expression) return std::nullopt;
  const auto value = evaluateConstant(*expression, nullptr, diagnostics);
  if (!value) return std::nullopt;
  if (value->isScalar()) return value->real();
  diagnostics.error(at, "'" + text + "' must be a number, found " + value->describe());
  return std::nullopt;
}

}  // namespace cardan
