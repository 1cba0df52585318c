/// Target: two files of results, read and compared; a line `---` stands between them.
#include "engine/results/result_table.h"

#include <cmath>

#include "engine/results/tube.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"

using namespace cardan;

namespace {

std::optional<ResultTable> read(std::string_view text, const char* name) {
  try {
    ResultTable table = ResultTable::parse(text, name);
    fuzz::expect(!table.time.empty(), "a table has rows");
    for (size_t i = 0; i < table.time.size(); ++i) {
      fuzz::expect(std::isfinite(table.time[i]) && (i == 0 || table.time[i] >= table.time[i - 1]),
                   "times are finite and never fall");
    }
    for (const std::string& column : table.names()) {
      const std::vector<double>* values = table.find(column);
      fuzz::expect(values && values->size() == table.time.size(), "columns are complete", column);
    }
    return table;
  } catch (const ResultFileError& e) {
    fuzz::expect(std::string_view(e.what()).starts_with(name), "an error names its file", e.what());
  }
  return std::nullopt;
}

bool isFinite(const ResultTable& table, const std::string& column) {
  for (const double x : *table.find(column)) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::textOf(data, size);
  const size_t cut = text.find("\n---\n");
  const auto a = read(text.substr(0, cut), "a.csv");
  if (a) {
    const Comparison same = compareResults(*a, *a, a->names());
    for (const SignalComparison& s : same.signals) {
      fuzz::expect(s.passes() == isFinite(*a, s.name), "a result equals itself", s.name);
    }
  }
  if (cut == std::string_view::npos) return 0;
  const auto b = read(text.substr(cut + 5), "b.csv");
  if (!a || !b) return 0;
  const Comparison different = compareResults(*a, *b, b->names());
  for (const SignalComparison& s : different.signals) {
    fuzz::expect(explain(s, different).empty() == s.passes(), "what differs is explained", s.name);
  }
  different.margin();
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed, fuzz::mutatedTable);
}
