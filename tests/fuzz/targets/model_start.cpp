/// Target: a small model, assembled, started and run for a moment. It runs, or it is refused with a
/// message.
#include <cmath>

#include "components/catalogue.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_file.h"
#include "engine/simulation.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"

using namespace cardan;

namespace {

constexpr size_t kLongestText = 20'000;
constexpr size_t kMostComponents = 60;
constexpr int kMostRows = 200;
constexpr int kMostQuestions = 20;  ///< of the run, whether to go on: 5 ms and a step between them

struct Enough {};

/// Takes a few rows, all finite.
class FewRows final : public RowSink {
 public:
  void begin(const std::vector<Column>& columns) override { columns_ = columns; }
  void row(double time, std::span<const double> values) override {
    fuzz::expect(std::isfinite(time), "the time of a row is finite");
    for (size_t i = 0; i < values.size(); ++i) {
      fuzz::expect(std::isfinite(values[i]), "a row is finite", columns_[i].name);
    }
    if (++rows_ >= kMostRows) throw Enough{};
  }

 private:
  std::vector<Column> columns_;
  int rows_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::textOf(data, size);
  if (text.size() > kLongestText || fuzz::readsDevices(text)) return -1;
  Diagnostics diagnostics;
  const ModelSource model = parseModel(text, "m.yaml", {}, diagnostics);
  if (model.components.size() > kMostComponents) return -1;
  try {
    Simulation simulation = Simulation::fromText(catalogue(), std::string(text), "m.yaml");
    fuzz::expect(diagnostics.errorCount() == 0, "what the reader refuses does not run",
                 diagnostics.format());
    fuzz::expectClean(simulation.warnings().format());
    FewRows rows;
    RunOptions options;
    int questions = 0;
    options.progress = [&questions](double) { return ++questions < kMostQuestions; };
    simulation.run(rows, options);
  } catch (const ModelError& e) {
    fuzz::expect(e.diagnostics().errorCount() > 0, "a refusal names an error");
    fuzz::expectClean(e.what());
  } catch (const SolverError& e) {
    fuzz::expectClean(e.what());
  } catch (const Enough&) {
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed, fuzz::mutatedModel);
}
