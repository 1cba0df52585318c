/// Target: the text of a Modelica file, imported. Whatever it says, the reader comes back with a
/// model or with located messages.
#include <algorithm>
#include <cstring>

#include "components/catalogue.h"
#include "engine/modelica/import.h"
#include "engine/modelica/tokens.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/target_support.h"

using namespace cardan;

namespace {

constexpr std::string_view kWords[] = {
    "model",   "end",    "extends",   "redeclare", "replaceable", "each",     "final",
    "inner",   "outer",  "parameter", "constant",  "equation",    "connect",  "for",
    "in",      "loop",   "if",        "then",      "else",        "input",    "output",
    "flow",    "time",   "der",       "algorithm", "(",           ")",        "{",
    "}",       "[",      "]",         ";",         ",",           "=",        ":=",
    ".",       ":",      "+",         "-",         "*",           "/",        "^",
    "1",       "0",      "-1",        "1e9",       "2.5",         "1e308",    "\"\"",
    "true",    "Real",   "Integer",   "M",         "A",           "x",        "n",
    "size",    "fill",   "sum",       "1000000",   "99999999999", "function", "while",
    "package", "import", "within"};

/// A text a few tokens away: tokens removed, repeated, exchanged, put in.
std::string mutatedModelica(std::string_view text, fuzz::Random& random) {
  Diagnostics ignored;
  std::vector<std::string> tokens;
  for (const modelica::Token& t : modelica::tokensOf(text, "", ignored))
    tokens.emplace_back(t.source);
  if (tokens.size() < 2) return "";
  const auto any = [&](size_t n) { return static_cast<size_t>(random() % n); };
  for (size_t changes = 1 + any(4); changes > 0 && !tokens.empty(); --changes) {
    const size_t i = any(tokens.size()), k = any(tokens.size());
    const auto at = tokens.begin() + static_cast<std::ptrdiff_t>(i);
    switch (any(6)) {
      case 0:
        tokens.erase(at);
        break;
      case 1:
        tokens.insert(at, tokens[k]);
        break;
      case 2:
        std::swap(tokens[i], tokens[k]);
        break;
      case 3: {
        const size_t n = std::min(1 + any(12), tokens.size() - i);
        const std::vector<std::string> part(at, at + static_cast<std::ptrdiff_t>(n));
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(k), part.begin(), part.end());
        break;
      }
      default:
        tokens[i] = kWords[any(std::size(kWords))];
    }
  }
  std::string result;
  for (const std::string& t : tokens) result += t + (t == ";" ? "\n" : " ");
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  modelica::ImportOptions options;
  options.readsModelicaPath = false;
  Diagnostics diagnostics;
  const auto model =
      modelica::importText(catalogue(), fuzz::textOf(data, size), "m.mo", options, diagnostics);
  fuzz::expectClean(diagnostics.format());
  fuzz::expect(model.has_value() == (diagnostics.errorCount() == 0), "a model, or an error");
  if (model) {
    fuzz::expect(!model->text().empty(), "a model has a text");
    model->tree();
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutateInPlace(data, size, most, seed, mutatedModelica);
}
