#include "engine/modelica/catalogue_inputs.h"

#include <algorithm>

#include "components/world_settings.h"
#include "engine/model_file/parameter_walk.h"

namespace cardan::modelica {
namespace {

using GivenValue = std::function<std::optional<Value>(const std::string&)>;

class InputCollector final : public ParameterWalk {
 public:
  InputCollector(const WorldSettings& world, const GivenValue& given)
      : ParameterWalk(world), given_(given) {}

  const CatalogueInputs& inputs() const { return inputs_; }

  bool isGiven(std::string_view name) const override { return given_(full(name)).has_value(); }

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override {
    const std::string name = full(info.name);
    inputs_.keys.insert(name.substr(0, name.find('.')));
    if (const auto* start = std::get_if<StartTarget>(&target)) inputs_.starts[name] = start->size;
    const std::optional<Value> given = given_(name);
    const bool isForText = std::holds_alternative<std::string*>(target) ||
                           std::holds_alternative<std::vector<std::string>*>(target);
    if (given && given->kind == Value::Kind::text && !isForText) inputs_.texts.push_back(name);
    if (std::holds_alternative<InputTarget>(target)) {
      // What RealExpression and its like are given is their output.
      if (name != "y") inputs_.names.push_back(name);
      return;
    }
    if (given) std::visit([&](auto& x) { take(*given, x); }, target);
    if (auto v = std::visit([](const auto& x) { return valueOf(x); }, target))
      inputs_.values[name] = *std::move(v);
  }

 private:
  static void take(const Value& v, bool* x) {
    if (v.kind == Value::Kind::boolean) *x = v.number != 0;
  }
  static void take(const Value& v, int* x) {
    if (v.isNumber() && v.number >= 0 && v.number < 10'000) *x = static_cast<int>(v.number);
  }
  static void take(const Value& v, double* x) {
    if (v.isNumber()) *x = v.number;
  }
  static void take(const Value& v, std::string* x) {
    if (v.kind == Value::Kind::text) *x = v.text;
  }
  static void take(const Value& v, Vector3d* x) {
    if (v.sizes() != std::vector<int>{3}) return;
    for (int i = 0; i < 3; ++i) take(v.items[i], &(*x)[i]);
  }
  static void take(const Value& v, EnumerationTarget& x) {
    const auto name = std::ranges::find(x.names, v.text);
    if (v.kind == Value::Kind::enumeration && name != x.names.end()) {
      x.current = name - x.names.begin();
      x.set(x.current);
    }
  }
  template <class T>
  static void take(const Value&, T&) {}

  static std::optional<Value> valueOf(bool* x) { return Value::boolean(*x); }
  static std::optional<Value> valueOf(int* x) { return Value::real(*x); }
  static std::optional<Value> valueOf(double* x) { return Value::real(*x); }
  static std::optional<Value> valueOf(std::string* x) { return Value::string(*x); }
  static std::optional<Value> valueOf(Vector3d* x) {
    return Value::array({Value::real(x->x()), Value::real(x->y()), Value::real(x->z())});
  }
  static std::optional<Value> valueOf(const EnumerationTarget& x) {
    return Value::literal(std::string(x.names.at(x.current)));
  }
  template <class T>
  static std::optional<Value> valueOf(const T&) {
    return std::nullopt;
  }

  const GivenValue& given_;
  CatalogueInputs inputs_;
};

}  // namespace

CatalogueInputs signalInputsOf(const CatalogueEntry& entry, const GivenValue& given) {
  WorldSettings world;
  world.prepare();
  InputCollector collector(world, given);
  entry.make()->read(collector);
  return collector.inputs();
}

}  // namespace cardan::modelica
