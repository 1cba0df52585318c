/// What describing a variable has in common for all of them.
#include "components/variables.h"

namespace cardan {

VariableInfo::VariableInfo() = default;
VariableInfo::VariableInfo(std::string_view n, std::string_view u, std::string_view about, Level l,
                           bool isOutput, const std::vector<SignalId>& directly, bool zeroOrOne)
    : name(n),
      unit(u),
      description(about),
      level(l),
      output(isOutput),
      reads(directly),
      isBoolean(zeroOrOne) {}
VariableInfo::VariableInfo(const VariableInfo&) = default;
VariableInfo::VariableInfo(VariableInfo&&) noexcept = default;
VariableInfo& VariableInfo::operator=(const VariableInfo&) = default;
VariableInfo& VariableInfo::operator=(VariableInfo&&) noexcept = default;
VariableInfo::~VariableInfo() = default;

void Variables::constant(std::string_view name, std::string_view unit, std::string_view description,
                         double value) {
  scalar({name, unit, description, Level::Constant},
         [value](const auto& x) { return 0.0 * x.time() + value; });
}

void Variables::put(const VariableInfo& info, int size, VariableFunction* f) {
  std::vector<int> dimensions;
  if (size > 0) dimensions.push_back(size);
  putArray(info, dimensions, f);
}
void Variables::putArray(const VariableInfo& info, const std::vector<int>& dimensions,
                         VariableFunction* f) {
  std::unique_ptr<VariableFunction> function(f);
  add(info, dimensions, std::move(function));
}
void Variables::putInitial(const InitialInfo& info, int size, VariableFunction* f) {
  std::unique_ptr<VariableFunction> function(f);
  addInitial(info, size, std::move(function));
}
void Variables::putMechanics(const std::vector<SignalId>& reads, VariableFunction* f) {
  addMechanics(reads, std::unique_ptr<VariableFunction>(f));
}
void Variables::putMemory(MemoryId m, VariableFunction* next) {
  setMemory(m, std::unique_ptr<VariableFunction>(next));
}

}  // namespace cardan
