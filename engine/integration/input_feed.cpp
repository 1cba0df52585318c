#include "engine/integration/input_feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "components/instants.h"
#include "engine/equations/assembly.h"
#include "engine/equations/equations.h"
#include "engine/text/diagnostics.h"
#include "engine/text/listing.h"

namespace cardan {
namespace {

constexpr double kSameValue = 1e-12;  // of the largest value: ends of two straight pieces
constexpr size_t kMostInputs = 20;    // in a message

/// Beyond rounding of numbers of that size.
bool differ(double a, double b, double size) {
  return std::abs(a - b) > kSameValue * std::max({std::abs(a), std::abs(b), size});
}

}  // namespace

InputFeed::InputFeed(std::shared_ptr<const InputTable> table, const Assembly& assembly,
                     Diagnostics& diagnostics)
    : table_(std::move(table)) {
  const std::vector<ModelInput> inputs = modelInputs(assembly);
  std::vector<std::string> known;
  for (const ModelInput& i : inputs) known.push_back(i.name);
  const SourceMark file{table_->file, 0, 0};
  for (size_t c = 0; c < table_->names.size(); ++c) {
    const auto found = std::ranges::find(known, table_->names[c]);
    if (found == known.end()) {
      unused_.push_back(table_->names[c]);
      continue;
    }
    channels_.push_back({c, inputs[found - known.begin()]});
    const auto wrong =
        std::ranges::find_if_not(table_->values[c], [](double x) { return std::isfinite(x); });
    if (wrong != table_->values[c].end()) {
      const size_t row = wrong - table_->values[c].begin();
      diagnostics.error(file, fmt::format("input '{}' must be a finite number, found {} at {} s",
                                          *found, *wrong, table_->time[row]));
    }
  }
  if (channels_.empty()) {
    std::string text = "none of its columns is an input of the model";
    if (known.empty()) {
      text += ", which has none";
    } else {
      for (const std::string& name : unused_) {
        const std::string hint = didYouMean(name, known);
        if (!hint.empty()) text += fmt::format("; '{}': {}", name, hint.substr(2));
      }
      text += "; its inputs are " + joinMost(known, kMostInputs);
    }
    diagnostics.error(file, std::move(text));
  }
  if (diagnostics.errorCount() == 0)
    findChanges(assembly.signals && assembly.signals->readsRates());
}

InputFeed::Piece InputFeed::piece(size_t column, size_t row) const {
  const std::vector<double>&t = table_->time, &x = table_->values[column];
  const bool isStraight = !table_->held && row + 1 < t.size() && !hasCome(t[row + 1], t[row]);
  return {x[row], isStraight ? (x[row + 1] - x[row]) / (t[row + 1] - t[row]) : 0, t[row]};
}

/// `ratesMatter`: a bend is an event like a jump.
void InputFeed::findChanges(bool ratesMatter) {
  const std::vector<double>& t = table_->time;
  for (size_t row = 0; row < t.size(); ++row) {
    const bool isLast = row + 1 == t.size() || !hasCome(t[row + 1], t[row]);
    if (!isLast) continue;
    // The piece before begins at the last row of the time before.
    size_t before = row;
    while (before > 0 && isSameInstant(t[before], t[row])) --before;
    const bool isFirst = isSameInstant(t[before], t[row]);
    bool jumps = false, bends = false;
    for (const Channel& c : channels_) {
      const Piece now = piece(c.column, row);
      const std::vector<double>& x = table_->values[c.column];
      const double slope = isFirst ? 0 : piece(c.column, before).slope;
      // A straight piece ends in the first row of its time.
      const double end = isFirst ? x[0] : x[table_->held ? before : before + 1];
      jumps = jumps || end != now.value;
      bends = bends || now.slope != slope;
    }
    if (jumps || bends) changes_.push_back(t[row]);
    if (jumps || (bends && ratesMatter)) events_.push_back(t[row]);
  }
}

double InputFeed::after(const std::vector<double>& times, double time) {
  const auto next = std::ranges::upper_bound(times, time + instantWidth(time));
  return next == times.end() ? std::numeric_limits<double>::infinity() : *next;
}

std::vector<std::string> InputFeed::moveTo(double time, Equations& equations) const {
  const std::vector<double>& t = table_->time;
  const auto behind = std::ranges::upper_bound(t, time + instantWidth(time));
  std::vector<std::string> jumped;
  for (const Channel& c : channels_) {
    const Piece now = behind == t.begin() ? Piece{table_->values[c.column][0], 0, t[0]}
                                          : piece(c.column, behind - t.begin() - 1);
    double* const numbers = equations.state.inputs.data() + c.input.number;
    const double here = now.value + now.slope * (time - now.since);
    const double size = std::max(std::abs(numbers[0]), std::abs(now.value));
    if (differ(inputAt(numbers, time), here, size)) jumped.push_back(c.input.name);
    numbers[0] = now.value;
    numbers[1] = now.slope;
    numbers[2] = now.since;
  }
  ++equations.state.changes;
  return jumped;
}

void InputFeed::release(Equations& equations) const {
  const std::vector<double>& file = equations.signals().numbers();
  for (const Channel& c : channels_)
    std::copy_n(file.begin() + c.input.number, kNumbersPerInput,
                equations.state.inputs.begin() + c.input.number);
  ++equations.state.changes;
}

}  // namespace cardan
