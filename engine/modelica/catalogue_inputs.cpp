#include "engine/modelica/catalogue_inputs.h"

#include "components/world_settings.h"

namespace cardan::modelica {
namespace {

using GivenValue = std::function<std::optional<Value>(const std::string&)>;

class InputCollector final : public ParameterReader {
 public:
  InputCollector(const WorldSettings& world, const GivenValue& given)
      : world_(world), given_(given) {}

  const CatalogueInputs& inputs() const { return inputs_; }

  bool require(bool holds, std::string_view, std::string_view) override { return holds; }
  bool isGiven(std::string_view name) const override {
    return given_(prefix_ + std::string(name)).has_value();
  }
  const WorldSettings& world() const override { return world_; }
  void begin(std::string_view part) override {
    outer_.push_back(prefix_);
    prefix_ += std::string(part) + ".";
  }
  void end() override {
    prefix_ = outer_.back();
    outer_.pop_back();
  }

 protected:
  void visit(const ParameterInfo& info, ParameterTarget target) override {
    const std::string name = prefix_ + std::string(info.name);
    inputs_.keys.insert(name.substr(0, name.find('.')));
    if (std::holds_alternative<InputTarget>(target)) {
      // What RealExpression and its like are given is their output.
      if (name != "y") inputs_.names.push_back(name);
      return;
    }
    bool** boolean = std::get_if<bool*>(&target);
    int** integer = std::get_if<int*>(&target);
    auto* choice = std::get_if<EnumerationTarget>(&target);
    if (!boolean && !integer && !choice) return;
    const std::optional<Value> v = given_(name);
    if (boolean && v && v->kind == Value::Kind::boolean) **boolean = v->number != 0;
    if (boolean) inputs_.booleans[name] = **boolean;
    if (!v) return;
    if (integer && v->isNumber() && v->number >= 0 && v->number < 10'000)
      **integer = static_cast<int>(v->number);
    for (size_t i = 0; choice && i < choice->names.size(); ++i) {
      if (v->kind == Value::Kind::enumeration && choice->names[i] == v->text) choice->set(i);
    }
  }

 private:
  const WorldSettings& world_;
  const GivenValue& given_;
  std::string prefix_;
  std::vector<std::string> outer_;
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
