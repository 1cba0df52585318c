#include "engine/equations/model_inputs.h"

namespace cardan {

std::vector<ModelInput> modelInputs(const Assembly& a) {
  std::vector<ModelInput> result;
  if (!a.signals) return result;
  for (const SignalSource& s : a.signals->sources()) {
    if (s.number < 0) continue;
    for (size_t i = 0; i < a.flatModel.inputs.size(); ++i) {
      const FlatModel::Input& input = a.flatModel.inputs[i];
      const int element = s.slot - a.signals->offsets()[i];
      if (element < 0 || element >= input.size) continue;
      const std::string index = input.size > 1 ? "[" + std::to_string(element + 1) + "]" : "";
      result.push_back({input.name + index, s.number, static_cast<int>(i)});
    }
  }
  return result;
}

}  // namespace cardan
