/// Target: the file of a table: MSL's text, CSV, or matrices of MATLAB.
#include "engine/model_file/table_file.h"

#include <cmath>

#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"

using namespace cardan;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::textOf(data, size);
  for (const char* name : {"NoName", "a"}) {
    TableFile wanted;
    wanted.tableName = name;
    Diagnostics diagnostics;
    const auto table = parseTableFile(text, "t.txt", wanted, diagnostics);
    fuzz::expect(table.has_value() == (diagnostics.errorCount() == 0), "no table, an error",
                 diagnostics.format());
    fuzz::expectClean(diagnostics.format());
    if (!table) continue;
    fuzz::expect(table->values.allFinite() && table->values.size() > 0, "numbers are finite");
    fuzz::expect(std::ssize(table->rows) == table->values.rows(), "each row has its place");
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed, fuzz::mutatedTable);
}
