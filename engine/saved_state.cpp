#include "engine/saved_state.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "engine/equations/equations.h"
#include "engine/equations/model.h"
#include "engine/integration/input_feed.h"
#include "engine/integration/state_archive.h"
#include "engine/results/parameter_text.h"
#include "engine/results/run_settings.h"
#include "engine/version.h"

namespace cardan {
namespace {

constexpr std::string_view kMark = "Cardan state 1\n";

/// Fowler, Noll, Vo: FNV-1a with 64 bits.
class Sum {
 public:
  void operator()(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    add(0);
  }
  template <class T>
  void numbers(const std::vector<T>& values) {
    for (const T& x : values) {
      const char* bytes = reinterpret_cast<const char*>(&x);
      (*this)(std::string_view(bytes, sizeof x));
    }
  }
  std::string text() const { return fmt::format("{:016x}", sum_); }

 private:
  void add(std::uint64_t byte) { sum_ = (sum_ ^ byte) * 0x100000001b3u; }
  std::uint64_t sum_ = 0xcbf29ce484222325u;
};

std::string thisBuild() { return fmt::format("{} {} {}", version, revision, kLanes); }

/// Over parts, parameters, connections, expressions and unknowns.
std::string structureOf(const Model& model) {
  Sum sum;
  const Assembly& a = model.assembly();
  for (const Instance& i : a.flatModel.instances) {
    sum(i.name);
    sum(i.type);
  }
  for (const ConnectionDescription& c : model.description().connections) {
    sum(c.a);
    sum(c.b);
  }
  std::string parameters;
  ParameterText(model).append(parameters);
  sum(parameters);
  model.forEachExpression([&](const ExpressionVariable& e) { sum(e.text()); });
  for (const SourceEquation& e : model.description().initialEquations) sum(e.text);
  sum.numbers(a.signals->numbers());
  for (const Layout::Unknown& u : a.layout.unknowns) {
    sum(u.name);
    sum(fmt::format("{}", u.start));
  }
  return sum.text();
}

std::string settingsOf(const Model& model, const RunOptions& options) {
  Diagnostics diagnostics;
  const RunSettings s = RunSettings::of(model.description().simulation, options, diagnostics);
  diagnostics.throwIfErrors();
  std::string text = fmt::format("tolerance {}, integrator {}", s.tolerance, word(s.integrator));
  if (s.impact != ImpactLaw::moreau) text += fmt::format(", impact {}", word(s.impact));
  if (s.step) text += fmt::format(", step {} s", *s.step);
  if (s.maximumStep) text += fmt::format(", maximum step {} s", *s.maximumStep);
  text += fmt::format(", interval {} s", s.interval);
  if (options.inputs) {
    Sum sum;
    sum.numbers(options.inputs->time);
    for (const std::string& name : options.inputs->names) sum(name);
    for (const std::vector<double>& column : options.inputs->values) sum.numbers(column);
    text += fmt::format(", inputs {} {}", sum.text(), options.inputs->held ? "held" : "straight");
  }
  return text;
}

[[noreturn]] void refuseState(const std::string& file, const std::string& text) {
  Diagnostics diagnostics;
  diagnostics.error({file, 0, 0}, text);
  diagnostics.throwIfErrors();
  throw std::logic_error(text);
}

}  // namespace

SavedState SavedState::of(const Model& model, const RunSnapshot& run, double time,
                          const RunOptions& options) {
  SavedState s;
  s.build = thisBuild();
  s.model = model.description().name;
  s.structure = structureOf(model);
  s.settings = settingsOf(model, options);
  s.startTime = options.startTime.value_or(model.description().simulation.start);
  s.time = time;
  s.run = run;
  return s;
}

bool SavedState::isOne(const std::string& text) { return text.starts_with(kMark); }

// After the mark: all members, and the sum over them.
std::string SavedState::write() const {
  StateArchive archive;
  SavedState copy = *this;
  for (std::string* s : {&copy.build, &copy.model, &copy.structure, &copy.settings}) archive(*s);
  archive(copy.startTime);
  archive(copy.time);
  archive(copy.run.numbers);
  Sum sum;
  sum(archive.bytes());
  return std::string(kMark) + sum.text() + archive.bytes();
}

SavedState SavedState::read(const std::string& text, const std::string& file) {
  if (!isOne(text)) refuseState(file, "a saved state was expected, as --save-state writes it");
  const std::size_t head = kMark.size() + Sum().text().size();
  const std::string body = text.size() > head ? text.substr(head) : "";
  Sum sum;
  sum(body);
  if (text.compare(kMark.size(), sum.text().size(), sum.text()) != 0)
    refuseState(file, "the saved state was changed or cut short");
  SavedState s;
  s.file = file;
  StateArchive archive(body);
  for (std::string* member : {&s.build, &s.model, &s.structure, &s.settings}) archive(*member);
  archive(s.startTime);
  archive(s.time);
  archive(s.run.numbers);
  return s;
}

void SavedState::requireFor(const Model& of, const RunOptions& options) const {
  if (build != thisBuild()) {
    refuseState(file,
                fmt::format("the state was saved by another build of the program ({}; this is "
                            "{}), whose numbers are others",
                            build, thisBuild()));
  }
  if (model != of.description().name) {
    refuseState(file, fmt::format("the state is of model '{}', this is '{}'", model,
                                  of.description().name));
  }
  if (structure != structureOf(of)) {
    refuseState(file, fmt::format("model '{}' has changed since the state was saved: its parts, "
                                  "parameters or equations differ",
                                  model));
  }
  if (settings != settingsOf(of, options)) {
    refuseState(file, fmt::format("the state is of a run with {}, this one has {}", settings,
                                  settingsOf(of, options)));
  }
  if (const double stop = options.stopTime.value_or(of.description().simulation.stop);
      !(time <= stop)) {
    refuseState(file, fmt::format("the state is of {} s, this run ends at {} s", time, stop));
  }
}

}  // namespace cardan
