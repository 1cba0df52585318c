#include "engine/study/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "engine/model_file/sections.h"
#include "engine/results/model_task.h"
#include "engine/study/axis_values.h"
#include "engine/study/csv_text.h"
#include "engine/study/sobol.h"
#include "engine/text/joined.h"

namespace cardan {
namespace {

/// The sections of a study file.
class StudyReader {
 public:
  StudyReader(const YamlNode& root, const std::string& path, Diagnostics& diagnostics)
      : root_(root), path_(path), diagnostics_(diagnostics) {}

  Study read() {
    readTask(root_, path_, "key of a study:",
             {"vary", "list", "sample", "method", "runs", "seed", "keep", "trajectories",
              "trajectory_format"},
             study_, diagnostics_);
    readParameters();
    readSampling();
    readKept();
    return std::move(study_);
  }

 private:
  void readParameters() {
    const YamlNode* vary = root_.find("vary");
    if (isSectionMap(vary, "vary", "of parameters and their values", diagnostics_)) {
      for (const YamlNode::Entry& e : vary->entries)
        study_.vary(e.key, e.keyMark(), e.value, diagnostics_);
    }
    if (const YamlNode* list = root_.find("list")) {
      const auto file = readText(*list, "'list'", "the path of a CSV file", diagnostics_);
      if (file) study_.readList(besideFile(path_, *file), list->mark(), diagnostics_);
    }
    const YamlNode* sample = root_.find("sample");
    if (!isSectionMap(sample, "sample", "of parameters and their distributions", diagnostics_))
      return;
    for (const YamlNode::Entry& e : sample->entries) {
      const auto text = readText(e.value, "the sample of '" + e.key + "'",
                                 "a distribution as normal(1, 0.05)", diagnostics_);
      if (text) study_.sample(e.key, e.keyMark(), *text, e.value.markInText(0), diagnostics_);
    }
  }

  void readSampling() {
    if (const YamlNode* n = root_.find("method")) {
      study_.methodAt = n->mark();
      const auto method = n->isScalar() ? samplingMethodOf(n->text) : std::nullopt;
      if (method) {
        study_.method = *method;
      } else {
        const std::vector<std::string> words = samplingMethodWords();
        diagnostics_.error(
            n->mark(), fmt::format("'method' must be one of {}, found {}{}", fmt::join(words, ", "),
                                   n->describe(), n->isScalar() ? didYouMean(n->text, words) : ""));
      }
    }
    if (const YamlNode* n = root_.find("runs")) {
      study_.runsAt = n->mark();
      if (const auto x = wholeNumber(*n, "runs", 1, kMostRuns)) study_.runs = static_cast<long>(*x);
    }
    if (const YamlNode* n = root_.find("seed")) {
      constexpr double kMostSeed = 9007199254740992.0;  // 2^53
      if (const auto x = wholeNumber(*n, "seed", 0, kMostSeed))
        study_.seed = static_cast<std::uint64_t>(*x);
    }
  }

  std::optional<double> wholeNumber(const YamlNode& node, const std::string& key, double least,
                                    double most) {
    const auto x = readNumber(node, key, diagnostics_);
    if (!x) return std::nullopt;
    if (*x >= least && *x <= most && *x == std::floor(*x)) return x;
    diagnostics_.error(node.mark(), fmt::format("'{}' must be a whole number from {:g} to {:g}, "
                                                "found {}",
                                                key, least, most, node.describe()));
    return std::nullopt;
  }

  void readKept() {
    const auto add = [&](const std::string& name, const YamlNode& node) {
      const auto text =
          readText(node, "a kept value", "an expression as max(abs(revolute1.w))", diagnostics_);
      if (text) study_.kept.add(name, *text, node.markInText(0), diagnostics_);
    };
    if (const YamlNode* keep = root_.find("keep"); keep && keep->isMap()) {
      for (const YamlNode::Entry& e : keep->entries) add(e.key, e.value);
    } else if (keep && keep->isSequence()) {
      for (const YamlNode& item : keep->items) add("", item);
    } else if (keep && !keep->isNull()) {
      diagnostics_.error(keep->mark(), "'keep' must be a map 'name: expression' or a list of " +
                                           ("expressions, found " + keep->describe()));
    }
    readTrajectories();
  }

  void readTrajectories() {
    if (const YamlNode* n = root_.find("trajectory_format")) {
      study_.formatAt = n->mark();
      const auto format = n->isScalar() ? trajectoryFormatOf(n->text) : std::nullopt;
      if (format) {
        study_.format = *format;
      } else {
        diagnostics_.error(n->mark(),
                           "'trajectory_format' must be csv or hdf5, found " + n->describe());
      }
    }
    const YamlNode* outputs = root_.find("trajectories");
    if (!isSectionList(outputs, "trajectories", "of names or patterns", diagnostics_)) return;
    for (const YamlNode& item : outputs->items) {
      if (const auto text =
              readText(item, "an entry of 'trajectories'", "a name or a pattern", diagnostics_))
        study_.trajectories.push_back({*text, item.mark()});
    }
  }

  const YamlNode& root_;
  const std::string& path_;
  Diagnostics& diagnostics_;
  Study study_;
};

}  // namespace

std::optional<TrajectoryFormat> trajectoryFormatOf(std::string_view text) {
  if (text == "csv") return TrajectoryFormat::csv;
  if (text == "hdf5") return TrajectoryFormat::hdf5;
  return std::nullopt;
}

bool Study::isStudy(const YamlNode& root) {
  return root.isMap() && (root.find("study") || root.find("model_file"));
}

Study Study::read(const YamlNode& root, const std::string& path, Diagnostics& diagnostics) {
  return StudyReader(root, path, diagnostics).read();
}

void Study::vary(const std::string& parameter, const SourceMark& at, const YamlNode& values,
                 Diagnostics& diagnostics) {
  if (!isParameterName(parameter, at, diagnostics)) return;
  std::vector<std::string> texts = readAxisValues(values, diagnostics);
  if (!texts.empty()) axes.push_back({parameter, at, std::move(texts)});
}

void Study::sample(const std::string& parameter, const SourceMark& at,
                   const std::string& distribution, const SourceMark& distributionAt,
                   Diagnostics& diagnostics) {
  if (!isParameterName(parameter, at, diagnostics)) return;
  const auto d = Distribution::read(distribution, distributionAt, diagnostics);
  if (d) samples.push_back({parameter, at, distribution, *d});
}

void Study::readList(const std::string& path, const SourceMark& at, Diagnostics& diagnostics) {
  std::ifstream file(path);
  if (!file) {
    diagnostics.error(at, "cannot read the list '" + path + "'");
    return;
  }
  List result{path, {}, {}, {}};
  std::string text;
  for (int line = 1; std::getline(file, text); ++line) {
    const SourceMark here{path, line, 0};
    if (line == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    if (trimmed(text).empty()) continue;
    const auto fields = splitCsvLine(text);
    if (!fields) {
      diagnostics.error(here, "a quote is not closed");
      return;
    }
    if (result.parameters.empty()) {
      for (const std::string& parameter : *fields) {
        if (isParameterName(parameter, here, diagnostics)) result.at.push_back(here);
      }
      result.parameters = *fields;
    } else if (fields->size() != result.parameters.size()) {
      diagnostics.error(here, fmt::format("a row must have {} values as the header, found {}",
                                          result.parameters.size(), fields->size()));
    } else if (std::ranges::find(*fields, "") != fields->end()) {
      diagnostics.error(here, "a value is missing");
    } else {
      result.rows.push_back(*fields);
    }
  }
  if (result.rows.empty() && diagnostics.errorCount() == 0)
    diagnostics.error({path, 0, 0}, "a list must have a header of parameters and rows of values");
  list = std::move(result);
}

void Study::check(Diagnostics& diagnostics) const {
  std::map<std::string, SourceMark> places;
  const auto once = [&](const std::string& parameter, const SourceMark& at) {
    if (const std::string* set = overrideOf(parameter, overrides))
      diagnostics.error(at, "parameter '" + parameter +
                                "' varies: it must not be set in all runs, " + "found '" + *set +
                                "'");
    const auto [first, isNew] = places.try_emplace(parameter, at);
    if (isNew) return;
    diagnostics.error(at, "parameter '" + parameter + "' must not be given twice");
    diagnostics.note(first->second, "first given here");
  };
  for (size_t i = 0; list && i < list->at.size(); ++i) once(list->parameters[i], list->at[i]);
  for (const Axis& a : axes) once(a.parameter, a.at);
  for (const Sample& s : samples) once(s.parameter, s.at);
  if (!samples.empty() && !runs) {
    diagnostics.error(samples.front().at,
                      "samples must have a number of runs: 'runs: 1000' in the "
                      "study, or -n 1000");
  }
  if (samples.empty() && runs) {
    diagnostics.error(runsAt, "a number of runs belongs to samples, and there are none");
  }
  if (method == SamplingMethod::sobol && samples.size() > kMostSobolDimensions) {
    diagnostics.error(methodAt, fmt::format("Sobol's sequence has up to {} dimensions here, found "
                                            "{} samples; 'latin' has no limit",
                                            kMostSobolDimensions, samples.size()));
  }
  if (format == TrajectoryFormat::hdf5 && trajectories.empty()) {
    diagnostics.error(formatAt, "a format belongs to trajectories, and there are none");
  }
  if (kept.values().empty() && trajectories.empty() && diagnostics.errorCount() == 0) {
    diagnostics.error({},
                      "a study must keep something of its runs: --keep 'max(abs(revolute1.w))' "
                      "or --trajectories 'revolute*.phi'");
  }
}

}  // namespace cardan
