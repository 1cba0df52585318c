#include "apps/cardan/sweep_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/cardan/console.h"
#include "apps/cardan/run_options.h"
#include "apps/cardan/trajectory_file.h"
#include "engine/study/csv_text.h"
#include "engine/version.h"

namespace cardan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kTimingHeader = R"("seconds","host")";  // in front of a shard's lines
constexpr size_t kPieceBytes = 1 << 16;

std::optional<std::string> contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A line of a shard: "seconds,host,run,...".
struct ShardLine {
  std::string text;
  size_t index = 0;  ///< where the index's line begins
  long run = -1;     ///< from 0
  std::streamoff begin = 0, end = 0;
};

/// Reads the whole lines of a shard behind its header.
template <class F>
std::streamoff forEachLine(const std::string& path, F f) {
  std::ifstream file(path, std::ios::binary);
  ShardLine line;
  std::streamoff at = 0;
  for (bool header = true; std::getline(file, line.text); header = false) {
    if (file.eof()) break;  // without its end: the process was killed
    line.begin = at;
    at += static_cast<std::streamoff>(line.text.size()) + 1;
    line.end = at;
    if (header) continue;
    const size_t host = line.text.find(',');
    const size_t run = host == line.text.npos ? host : line.text.find(',', host + 1);
    if (run == line.text.npos) continue;
    line.index = run + 1;
    line.run = std::strtol(line.text.c_str() + line.index, nullptr, 10) - 1;
    f(line);
  }
  return at;
}

std::string headerOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string header;
  std::getline(file, header);
  const std::string front = std::string(kTimingHeader) + ",";
  return header.starts_with(front) ? header.substr(front.size()) : "";
}

/// The status in a line of the index.
std::string statusOf(const std::string& line, size_t column) {
  const auto fields = splitCsvLine(line);
  return fields && column < fields->size() ? (*fields)[column] : "";
}

size_t statusColumn(const std::string& header) {
  // Behind the parameters, one of which may be called so, and before what is kept.
  const auto fields = splitCsvLine(header);
  if (!fields) return 0;
  for (size_t i = 1; i + 2 < fields->size(); ++i) {
    if ((*fields)[i] == "status" && (*fields)[i + 1] == "reason" && (*fields)[i + 2] == "steps")
      return i;
  }
  return 0;
}

/// A file written in pieces, which gets its name at the end.
class WholeFile {
 public:
  explicit WholeFile(std::string path) : path_(std::move(path)), file_(path_ + ".part") {
    file_.clear();
  }
  void add(std::string_view line) {
    text_ += line;
    text_ += '\n';
    if (text_.size() > kPieceBytes) flush();
  }
  void finish() {
    flush();
    file_.close();
    if (std::rename((path_ + ".part").c_str(), path_.c_str()) != 0) throw cannotWrite(path_, errno);
  }

 private:
  void flush() {
    if (file_.append(text_) < text_.size()) throw file_.error(errno);
    text_.clear();
  }
  std::string path_, text_;
  OutputFile file_;
};

std::string hostName() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  std::string host = name;
  std::erase_if(host, [](char c) { return c == ',' || c == '"' || c == '\n'; });
  return host;
}

/// What differs between two studies: the names of the members.
std::string differences(const Json& a, const Json& b) {
  std::string names;
  const auto add = [&](const std::string& key) {
    names += (names.empty() ? "'" : ", '") + key + "'";
  };
  for (const auto& [key, value] : a.items()) {
    if (!b.contains(key) || b[key] != value) add(key);
  }
  for (const auto& [key, value] : b.items()) {
    if (!a.contains(key)) add(key);
  }
  return names;
}

}  // namespace

void SweepCounts::count(const std::string& status) {
  (status == "completed" ? completed : status == "terminated" ? terminated : failed)++;
}

bool SweepFolder::isFinished() const {
  return fs::exists(indexPath()) && !fs::exists(shardsPath());
}

std::string SweepFolder::shardPath(const Shard& shard, const char* extension) const {
  return fmt::format("{}/{}-of-{}.{}", shardsPath(), shard.part, shard.parts, extension);
}

void SweepFolder::open(const std::string& studyJson, const Study& study, const Shard& shard,
                       bool resume) {
  inRecords_ = study.format == TrajectoryFormat::hdf5;
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw FileError("cannot make the folder '" + path_ + "': " + error.message(), 0);
  const std::string path = path_ + "/study.json";
  const bool known = fs::exists(path);
  if (known) {
    const Json there = Json::parse(contentOf(path).value_or(""), nullptr, false);
    const Json here = Json::parse(studyJson);
    const std::string other = there.is_object() && there.contains("study")
                                  ? differences(here["study"], there["study"])
                                  : "all of it";
    if (!other.empty()) {
      refuse(fmt::format("the folder '{}' holds another study ({} differ{}); choose another folder",
                         path_, other, other.find(',') == other.npos ? "s" : ""));
    }
  }
  if (!resume && (isFinished() || fs::exists(shardPath(shard, "csv")))) {
    refuse(
        fmt::format("the folder '{}' holds runs of this study already; --resume goes on with "
                    "them",
                    path_));
  }
  if (isFinished()) return;
  fs::create_directories(shardsPath(), error);
  if (!study.trajectories.empty()) fs::create_directories(path_ + "/trajectories", error);
  if (error) throw FileError("cannot make folders in '" + path_ + "': " + error.message(), 0);
  if (!known) writeTextFile(path, studyJson);
}

std::vector<std::string> SweepFolder::shardFiles() const {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator i(shardsPath(), error), end; !error && i != end; i.increment(error)) {
    if (i->path().extension() == ".csv") files.push_back(i->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<bool> SweepFolder::ended(long runs, const Shard& shard, SweepCounts& counts) const {
  std::vector<bool> ended(runs, false);
  for (const std::string& file : shardFiles()) {
    const size_t column = statusColumn(headerOf(file));
    forEachLine(file, [&](const ShardLine& line) {
      if (line.run < 0 || line.run >= runs || ended[line.run]) return;
      ended[line.run] = true;
      if (line.run % shard.parts == shard.part - 1)
        counts.count(statusOf(line.text.substr(line.index), column));
    });
  }
  return ended;
}

void SweepFolder::begin(const Shard& shard, const std::string& header) {
  host_ = hostName();
  const std::string path = shardPath(shard, "csv");
  if (inRecords_) records_ = std::make_unique<RecordFile>(shardPath(shard, "records"));
  lines_ = std::make_unique<OutputFile>(path, "lines of runs to ");
  const auto whole = forEachLine(path, [](const ShardLine&) {});
  lines_->keep(whole);
  if (whole > 0) return;
  const std::string first = fmt::format("{},{}\n", kTimingHeader, header);
  if (lines_->append(first) < first.size()) throw lines_->error(errno);
}

void SweepFolder::add(long number, const SweptRun& run) {
  if (records_) records_->take(recordPath(path_, number));
  const std::string line = fmt::format("{:.6g},{},{}\n", run.seconds, host_, run.line);
  if (lines_->append(line) < line.size()) throw lines_->error(errno);
}

void SweepFolder::forget() {
  lines_.reset();
  records_.reset();
}

void SweepFolder::end() {
  if (records_) records_->close();
  if (lines_) lines_->close();
  forget();
}

/// The HDF5 file of a shard, of the runs that have a line; `shard`: path of its lines.
void SweepFolder::collectTrajectories(const std::string& shard, long runs) const {
  const fs::path records = fs::path(shard).replace_extension("records");
  if (!fs::exists(records)) return;
  std::vector<bool> wanted(runs, false);
  forEachLine(shard, [&](const ShardLine& line) {
    if (line.run >= 0 && line.run < runs) wanted[line.run] = true;
  });
  writeTrajectories(records.string(), wanted,
                    path_ + "/trajectories/" + fs::path(shard).stem().string() + ".h5");
}

void SweepFolder::finishTrajectories(const Shard& shard) const {
  if (!inRecords_) return;
  collectTrajectories(shardPath(shard, "csv"), runsOfStudy());
  std::error_code ignored;
  fs::remove(shardPath(shard, "records"), ignored);
}

void SweepFolder::mergeTrajectories(long runs) const {
  for (const std::string& shard : shardFiles()) collectTrajectories(shard, runs);
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator i(path_ + "/trajectories", error), end; !error && i != end;
       i.increment(error)) {
    if (i->path().extension() == ".h5")
      files.push_back("trajectories/" + i->path().filename().string());
  }
  std::sort(files.begin(), files.end());
  if (!files.empty()) linkTrajectories(files, path_ + "/trajectories.h5");
}

long SweepFolder::runsOfStudy() const {
  const auto text = contentOf(path_ + "/study.json");
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object() || !json.contains("study") || !json["study"].contains("runs") ||
      !json["study"]["runs"].is_number_integer()) {
    refuse("the folder '" + path_ + "' holds no study: there is no study.json in it");
  }
  return json["study"]["runs"].get<long>();
}

SweepCounts SweepFolder::merge() const {
  SweepCounts counts;
  counts.runs = runsOfStudy();
  if (isFinished()) {
    std::ifstream file(indexPath(), std::ios::binary);
    std::string line;
    std::getline(file, line);
    const size_t column = statusColumn(line);
    while (std::getline(file, line)) counts.count(statusOf(line, column));
    return counts;
  }
  struct Place {
    std::uint32_t file = 0;
    std::uint32_t length = 0;  ///< 0: no line
    std::streamoff begin = 0;
  };
  std::vector<Place> places(counts.runs);
  const std::vector<std::string> files = shardFiles();
  std::string header;
  for (size_t f = 0; f < files.size(); ++f) {
    if (header.empty()) header = headerOf(files[f]);
    forEachLine(files[f], [&](const ShardLine& line) {
      if (line.run < 0 || line.run >= counts.runs) return;
      Place& place = places[line.run];
      if (place.length > 0) return;
      place = {static_cast<std::uint32_t>(f), static_cast<std::uint32_t>(line.text.size()),
               line.begin};
    });
  }
  if (header.empty()) refuse("the folder '" + path_ + "' holds no runs: there is nothing to merge");

  WholeFile index(indexPath()), timing(path_ + "/timing.csv");
  index.add(header);
  timing.add(std::string(R"("run",)") + kTimingHeader);
  const size_t column = statusColumn(header);
  std::vector<std::ifstream> open;
  for (const std::string& file : files) open.emplace_back(file, std::ios::binary);
  std::string line;
  for (size_t run = 0; run < places.size(); ++run) {
    const Place& place = places[run];
    if (place.length == 0) continue;
    std::ifstream& file = open[place.file];
    line.resize(place.length);
    file.seekg(place.begin);
    file.read(line.data(), static_cast<std::streamsize>(line.size()));
    const size_t rest = line.find(',', line.find(',') + 1);
    index.add(std::string_view(line).substr(rest + 1));
    timing.add(fmt::format("{},{}", run + 1, std::string_view(line).substr(0, rest)));
    counts.count(statusOf(line.substr(rest + 1), column));
  }
  timing.finish();
  mergeTrajectories(counts.runs);
  index.finish();
  if (counts.ended() == counts.runs) fs::remove_all(shardsPath());
  return counts;
}

std::string formatStudy(const Study& study, const Plan& plan, const SweepModel& model) {
  Json axes = Json::object(), samples = Json::object(), kept = Json::object();
  for (const Study::Axis& a : study.axes) axes[a.parameter] = a.values;
  for (const Study::Sample& s : study.samples) samples[s.parameter] = s.text;
  for (const KeptValue& v : study.kept.values()) kept[v.name] = v.text;
  Json trajectories = Json::array();
  for (const OutputPattern& p : study.trajectories) trajectories.push_back(p.pattern);
  Json what{{"model", model.name()},   {"fingerprint", fmt::format("{:016x}", model.fingerprint())},
            {"runs", plan.runs()},     {"set", study.overrides},
            {"vary", std::move(axes)}, {"sample", std::move(samples)}};
  if (study.list)
    what["list"] = {{"parameters", study.list->parameters}, {"rows", study.list->rows}};
  if (!study.samples.empty()) {
    what["method"] = word(study.method);
    what["samples"] = study.runs.value_or(1);
    what["seed"] = study.seed;
  }
  what["keep"] = std::move(kept);
  what["trajectories"] = std::move(trajectories);
  if (study.format == TrajectoryFormat::hdf5) what["trajectory_format"] = "hdf5";
  what["simulation"] = givenSettings(study.settings);
  const std::string name = study.name.empty() ? model.name() : study.name;
  const Json json{{"name", name},
                  {"file", study.modelFile},
                  {"tool", {{"name", "cardan"}, {"version", version}, {"revision", revision}}},
                  {"study", std::move(what)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cardan
