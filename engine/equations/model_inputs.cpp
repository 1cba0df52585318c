#include "engine/equations/model_inputs.h"

#include <algorithm>

#include "engine/equations/assembly.h"

namespace cardan {

std::vector<ModelInput> modelInputs(const Assembly& a) {
  std::vector<ModelInput> result;
  if (!a.signals) return result;
  for (const GivenInput& g : a.signals->given())
    result.push_back({g.name, count(result) * kNumbersPerInput});
  const std::vector<int>& offsets = a.signals->offsets();
  for (const SignalSource& s : a.signals->sources()) {
    if (s.number < 0) continue;
    // The last input that begins at its slot or before.
    const auto behind = std::ranges::upper_bound(offsets, s.slot);
    const size_t i = behind - offsets.begin() - 1;
    const FlatModel::Input& input = a.flatModel.inputs[i];
    const std::string index =
        input.size > 1 ? "[" + std::to_string(s.slot - offsets[i] + 1) + "]" : "";
    result.push_back({input.name + index, s.number});
  }
  return result;
}

}  // namespace cardan
