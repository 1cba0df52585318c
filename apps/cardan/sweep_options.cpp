#include "apps/cardan/sweep_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>

#include "apps/cardan/model_options.h"
#include "apps/cardan/run_options.h"
#include "engine/results/model_task.h"
#include "engine/study/axis_values.h"

namespace cardan {
namespace {

/// An option with its value as the place of what it says, as far as a line can take it.
SourceMark placeOf(const char* option, const std::string& value) {
  constexpr size_t kLongest = 60;
  const bool tooLong = value.size() > kLongest;
  return {fmt::format("{} {}{}", option, value.substr(0, kLongest), tooLong ? "..." : ""), 0, 0};
}

/// NAME=VALUE as a scalar, or as a list where it is written as one.
struct NamedText {
  std::string name;
  YamlNode value;
};
std::optional<NamedText> splitNamed(const char* option, const std::string& text,
                                    const std::string& rule, Diagnostics& diagnostics) {
  const SourceMark at = placeOf(option, text);
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    diagnostics.error(at, fmt::format("must be {}, found '{}'", rule, text));
    return std::nullopt;
  }
  NamedText named{text.substr(0, equals), {}};
  const std::string value = text.substr(equals + 1);
  if (value.starts_with('[')) {
    Diagnostics ignored;
    if (auto node = parseYaml(value, at.file, ignored)) {
      named.value = std::move(*node);
      named.value.line = named.value.column = 0;
      return named;
    }
  }
  named.value.kind = YamlNode::Kind::scalar;
  named.value.text = value;
  named.value.file = std::make_shared<const std::string>(at.file);
  return named;
}

/// "NAME=EXPRESSION", or an expression alone.
std::pair<std::string, std::string> splitKept(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || text.substr(equals, 2) == "==")
    return {"", text};
  const std::string name = text.substr(0, equals);
  const bool isWord = std::ranges::all_of(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
  if (!isWord) return {"", text};
  return {name, text.substr(equals + 1)};
}

/// In quotes where the shell would take it apart.
std::string shellWord(const std::string& text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./=:,+").find(c) != std::string_view::npos;
  });
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

void SweepOptions::add(CLI::App& command) {
  app = &command;
  model.addStudy(command,
                 "study, model file (YAML; - is standard input),\n"
                 "Modelica file (.mo) or robot (.urdf, .xml)");
  addRepeatable(command, "--vary", vary, "NAME=VALUES",
                "values of a parameter: L=0.3:0.05:1.2 (from, step, to), d=logspace(-3,0,7),\n"
                "d=linspace(0,1,11), m=1,2,5, n=[[1,0,0],[0,1,0]]; several make a grid");
  addOption(command, "--list", list, "FILE",
            "CSV file whose header names parameters; a row is a point");
  addRepeatable(command, "--sample", sample, "NAME=DISTRIBUTION",
                "parameter at random: m=normal(1,0.05), uniform(a,b), lognormal(mean,sd),\n"
                "triangular(a,most,b)");
  addOption(command, "-n,--runs", runs, "N", "samples, at each point of grid and list",
            wholeNumberWithin(1, kMostRuns));
  addOption(command, "--seed", seed, "N", "of the samples (default: 1)",
            wholeNumberWithin(0, 9007199254740992.0));
  addOption(command, "--method", method, "NAME",
            "how samples are spread: random (default), latin (hypercube), sobol",
            CLI::IsMember(samplingMethodWords()).description(""));
  addRepeatable(command, "--keep", keep, "[NAME=]EXPRESSION",
                "value to keep of each run: final(x), min(x), max(x), mean(x), rms(x),\n"
                "at(x, time), first(condition), and what can be computed of them");
  addPatterns(command, "--trajectories", trajectories,
              "results to write of each run, in DIR/trajectories (repeatable, or separated by ;)");
  addOption(command, "--trajectory-format", format, "NAME",
            "csv (default): a file for each run, or hdf5: one for each shard",
            CLI::IsMember({"csv", "hdf5"}).description(""));
  model.addFormats(command);
  addRunOptions(command, run);
  addOption(command, "-o,--output", output, "DIR", "folder of the results (default: NAME.sweep)");
  jobs = std::max(1L, static_cast<long>(std::thread::hardware_concurrency()));
  addOption(command, "-j,--jobs", jobs, "N", "runs at a time (default: one for each processor)",
            CLI::Range(1, 1000).description(""));
  addOption(command, "--time-limit", timeLimit, "S", "for each run; beyond it it has failed",
            positiveNumber());
  addOption(command, "--shard", shard, "K/N",
            "make this part of the runs only: K/N, or auto (Slurm, OpenMPI,\n"
            "PMI; auto/N for arrays of PBS)");
  command.add_flag("--resume", resume, "go on where the folder's study was stopped");
  command.add_flag("--merge", merge, "join the shards in the folder; runs nothing");
  command.add_flag("--slurm", slurm,
                   "print a batch script for Slurm; runs three of the runs to\n"
                   "see how long they take");
  command.add_flag("--dry-run", dryRun, "print the parameters of all runs (CSV); runs nothing");
  command.add_flag("--strict", strict, "exit code 1 if any run fails (else: if all do)");
  command.add_flag("-q,--quiet", quiet, "print errors only");
}

Study SweepOptions::study(Diagnostics& diagnostics) const {
  Study s = model.task<Study>(Study::isStudy, diagnostics);
  for (const std::string& text : vary) {
    const auto named = splitNamed("--vary", text, "NAME=VALUES", diagnostics);
    if (named) s.vary(named->name, placeOf("--vary", text), named->value, diagnostics);
  }
  if (!list.empty()) s.readList(list, placeOf("--list", list), diagnostics);
  for (const std::string& text : sample) {
    const auto named = splitNamed("--sample", text, "NAME=DISTRIBUTION", diagnostics);
    const SourceMark at = placeOf("--sample", text);
    if (named) s.sample(named->name, at, yamlText(named->value), at, diagnostics);
  }
  if (!method.empty()) s.method = *samplingMethodOf(method);
  if (!method.empty()) s.methodAt = placeOf("--method", method);
  if (runs) s.runs = static_cast<long>(*runs);
  if (runs) s.runsAt = placeOf("-n", fmt::format("{}", *s.runs));
  if (seed) s.seed = static_cast<std::uint64_t>(*seed);
  for (const std::string& text : keep) {
    const auto [name, expression] = splitKept(text);
    s.kept.add(name, expression, placeOf("--keep", text), diagnostics);
  }
  for (const std::string& text : trajectories)
    s.trajectories.push_back({text, placeOf("--trajectories", text)});
  if (!format.empty()) s.format = *trajectoryFormatOf(format);
  if (!format.empty()) s.formatAt = placeOf("--trajectory-format", format);
  putInto(run, s.settings);
  if (diagnostics.errorCount() == 0) s.check(diagnostics);
  return s;
}

std::string SweepOptions::forShell() const {
  const std::set<std::string> others{"help",  "output", "jobs",    "shard",  "resume",
                                     "merge", "slurm",  "dry-run", "strict", "quiet"};
  std::string text = shellWord(model.path);
  for (const CLI::Option* option : app->get_options()) {
    if (option->get_positional() || option->empty() || others.contains(option->get_lnames()[0]))
      continue;
    const bool isShort = !option->get_snames().empty();
    const std::string name =
        isShort ? " -" + option->get_snames()[0] : " --" + option->get_lnames()[0];
    const bool isFlag = option->get_items_expected_max() == 0;
    if (isFlag) text += name;
    for (const std::string& value : option->results()) {
      if (!isFlag) text += name + " " + shellWord(value);
    }
  }
  return text;
}

}  // namespace cardan
