/// Target: the text of a model file, read and flattened. Whatever it says, the reader comes back
/// with a description and located messages.
#include "engine/model_file/model_file.h"

#include <cmath>

#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"

using namespace cardan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::textOf(data, size);
  if (fuzz::readsDevices(text)) return -1;
  Diagnostics diagnostics;
  const ModelSource model = parseModel(text, "m.yaml", {}, diagnostics);
  fuzz::expectClean(diagnostics.format());
  for (const ModelParameter& p : model.parameters) {
    if (p.value && p.value->isScalar()) {
      fuzz::expect(std::isfinite(p.value->real()), "a parameter is finite", p.name);
    }
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed, fuzz::mutatedModel);
}
