/// OptimumBook: every run that an optimum is looked for with: a line in a file, and known where it is asked
/// for again.
#pragma once

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "apps/cardan/console.h"
#include "apps/cardan/process_pool.h"
#include "engine/optimum/optimum_runs.h"
#include "engine/results/output_file.h"
#include "engine/study/csv_text.h"

namespace cardan {

/// A run has its number by when it is first asked for, whoever makes it and whenever it ends: so a search
/// that begins anew with a book that knows its runs goes the way that it went, and on from there.
class OptimumBook {
 public:
  /// `stop`: asked now and then, true ends the runs. `folder`: "": none, or where optimum.json (`task`: what is looked for) and index.csv are. Throws
  /// ModelError where it holds another task; or this one, and it is not to be resumed.
  OptimumBook(const OptimumRuns& runs, long jobs, std::function<bool()> stop, std::string folder,
              const std::string& task, bool resume)
      : runs_(runs), jobs_(jobs), stop_(std::move(stop)), folder_(std::move(folder)) {
    if (folder_.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) throw FileError("cannot make the folder '" + folder_ + "': " + error.message(), 0);
    const std::string path = folder_ + "/optimum.json";
    std::ifstream file(path, std::ios::binary);
    std::ostringstream there;
    there << file.rdbuf();
    if (file && there.str() != task)
      refuse("the folder '" + folder_ + "' holds another task; choose another folder");
    if (std::filesystem::exists(indexPath()) && !resume)
      refuse("the folder '" + folder_ +
             "' holds runs of this task already; --resume goes on with them");
    if (!file) writeTextFile(path, task);
    index_ = std::make_unique<OutputFile>(indexPath(), "lines of runs to ");
    readIndex();
  }

  /// Outcomes of all of them; those that are not known are made side by side, unless they are stopped.
  std::vector<OptimumOutcome> operator()(const std::vector<OptimumRun>& runs) {
    std::vector<std::pair<long, OptimumRun>> missing;
    for (const OptimumRun& run : runs) {
      const std::string key = keyOf(run);
      const bool isNew = numbers_.try_emplace(key, std::ssize(numbers_) + 1).second;
      if (isNew && !outcomes_.contains(key)) missing.emplace_back(numbers_[key], run);
    }
    const ProcessPool pool{jobs_, 0, true};
    const auto work = [&](long piece) {
      const auto& [number, run] = missing[piece];
      return lineOf(number, run, runs_(run));
    };
    const auto done = [&](long piece, const std::string& output, const std::string& failure) {
      const auto& [number, run] = missing[piece];
      const std::string line =
          failure.empty() ? output : lineOf(number, run, {"crashed", failure, 0, {}, {}});
      take(line);
      const std::string text = line + "\n";
      if (index_ && index_->append(text) < text.size()) throw index_->error(errno);
    };
    if (!missing.empty()) pool.run(ProcessPool::upTo(std::ssize(missing)), work, done, stop_);
    std::vector<OptimumOutcome> all;
    for (const OptimumRun& run : runs) {
      const auto known = outcomes_.find(keyOf(run));
      all.push_back(known == outcomes_.end() ? OptimumOutcome{} : known->second);
    }
    return all;
  }
  /// Brings the lines into the order of their numbers.
  void finish() {
    if (!index_) return;
    index_->close();
    index_.reset();
    std::string text = header() + "\n";
    for (const auto& [number, line] : lines_) text += line + "\n";
    writeTextFile(indexPath(), text);
  }

  long runs() const { return std::ssize(outcomes_); }
  long failed() const {
    return std::ranges::count_if(outcomes_, [](const auto& o) { return o.second.hasFailed(); });
  }
  /// Why the last one has failed.
  const std::string& failure() const { return failure_; }

 private:
  static std::string numberText(const std::optional<double>& x) {
    return x ? fmt::format("{}", *x == 0 ? 0.0 : *x) : "";
  }

  static std::optional<double> numberOf(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return std::strtod(text.c_str(), nullptr);
  }

  std::string indexPath() const { return folder_ + "/index.csv"; }
  std::string header() const {
    const OptimumTask& task = runs_.task();
    std::string line = R"("run")";
    for (const BoundedParameter& p : task.parameters) line += "," + csvText(p.name);
    line += R"(,"kind","status","reason","steps")";
    for (const KeptValue& v : task.kept.values()) line += "," + csvText(v.name);
    for (const KeptValue& v : task.kept.values()) {
      for (const BoundedParameter& p : task.parameters)
        line += "," + csvText("d(" + v.name + ")/d(" + p.name + ")");
    }
    return line;
  }
  std::string keyOf(const OptimumRun& run) const {
    return fmt::format("{},{}", fmt::join(run.x, ","), word(run.kind));
  }
  std::string lineOf(long number, const OptimumRun& run, const OptimumOutcome& o) const {
    std::string line = fmt::format("{},{},{},{},{}", number, keyOf(run), o.status,
                                   o.reason.empty() ? "" : csvText(o.reason), o.steps);
    const size_t kept = runs_.task().kept.values().size();
    for (size_t v = 0; v < kept; ++v)
      line += "," + (v < o.kept.size() ? numberText(o.kept[v]) : "");
    for (size_t i = 0; i < kept * run.x.size(); ++i)
      line += "," + (i < o.slopes.size() ? numberText(o.slopes[i]) : "");
    return line;
  }
  /// Notes the outcome in a line; false: it is none.
  bool take(const std::string& line) {
    const size_t n = runs_.task().parameters.size(), kept = runs_.task().kept.values().size();
    const auto fields = splitCsvLine(line);
    if (!fields || fields->size() != 5 + n + kept + kept * n) return false;
    const auto field = [&](size_t i) -> const std::string& { return (*fields)[i]; };
    OptimumOutcome o{field(n + 2), field(n + 3), std::atoi(field(n + 4).c_str()), {}, {}};
    for (size_t v = 0; v < kept; ++v) o.kept.push_back(numberOf(field(n + 5 + v)));
    for (size_t i = 0; field(n + 1) == word(OptimumRun::Kind::derivatives) && i < kept * n; ++i)
      o.slopes.push_back(numberOf(field(n + 5 + kept + i)));
    if (o.hasFailed()) failure_ = o.reason;
    const std::vector<std::string> key(fields->begin() + 1,
                                       fields->begin() + static_cast<long>(n) + 2);
    outcomes_[fmt::format("{}", fmt::join(key, ","))] = std::move(o);
    lines_[std::atol(field(0).c_str())] = line;
    return true;
  }
  /// What is whole of it stays.
  void readIndex() {
    std::ifstream file(indexPath(), std::ios::binary);
    std::string line;
    size_t whole = 0;
    for (bool first = true; std::getline(file, line) && !file.eof(); first = false) {
      if (first ? line != header() : !take(line)) break;
      whole += line.size() + 1;
    }
    index_->keep(whole);
    const std::string first = header() + "\n";
    if (whole == 0 && index_->append(first) < first.size()) throw index_->error(errno);
  }

  const OptimumRuns& runs_;
  long jobs_;
  std::function<bool()> stop_;
  std::string folder_, failure_;
  std::unique_ptr<OutputFile> index_;
  std::map<std::string, OptimumOutcome> outcomes_;  ///< by keyOf()
  std::map<std::string, long> numbers_;             ///< of those that were asked for
  std::map<long, std::string> lines_;               ///< by number
};

}  // namespace cardan
