#include "apps/studio/worker/shown_run.h"

#include <poll.h>

#include "apps/cardan/check_report.h"
#include "apps/cardan/model_options.h"
#include "apps/cosimulation/socket_bytes.h"
#include "apps/cosimulation/types.h"
#include "apps/studio/worker/shown_study.h"
#include "engine/integration/solver_error.h"
#include "engine/model_file/model_source.h"
#include "engine/picture/page.h"
#include "engine/picture/picture_recorder.h"
#include "engine/picture/scene.h"
#include "engine/results/run_settings.h"

namespace cardan::studio {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostRowsOfPart = 500;
constexpr size_t kMostOpenCurves = 3;
constexpr auto kBetweenParts = std::chrono::milliseconds(100);

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Where nothing says what to show: the first curves of the first unit.
std::vector<std::string> openCurves(const Scene& scene) {
  std::vector<std::string> names;
  for (const Scene::Curve& c : scene.curves) {
    if (c.unit == scene.curves.front().unit && names.size() < kMostOpenCurves)
      names.push_back(c.name);
  }
  return names;
}

Json statistics(const RunReport& r) {
  return {{"rows", r.rows},
          {"steps", r.integrator.steps},
          {"events", r.events},
          {"stopTime", r.stopTime},
          {"terminated", r.terminated},
          {"seconds", r.initialisationSeconds + r.integrationSeconds + r.outputSeconds}};
}

}  // namespace

void GrowingCurves::begin(const std::vector<Column>& columns) { columns_ = columns; }

void GrowingCurves::row(double time, std::span<const double> values) {
  times_.push_back(time);
  values_.insert(values_.end(), values.begin(), values.end());
}

void GrowingCurves::sendIfDue() {
  if (Clock::now() < next_ || times_.size() < 2) return;
  Json model{{"times", Json::array()}, {"curves", Json::array()}};
  std::string bytes;
  const size_t stride = (times_.size() + kMostRowsOfPart - 1) / kMostRowsOfPart;
  for (size_t i = 0; i < times_.size(); i += stride) model["times"].push_back(times_[i]);
  for (size_t k = 0; k < columns_.size(); ++k) {
    std::vector<float> curve;
    for (size_t i = 0; i < times_.size(); i += stride)
      curve.push_back(values_[i * columns_.size() + k]);
    model["curves"].push_back({{"name", columns_[k].name},
                               {"unit", columns_[k].unit},
                               {"description", columns_[k].description},
                               {"values", {{"at", bytes.size()}, {"count", curve.size()}}}});
    bytes.append(reinterpret_cast<const char*>(curve.data()), curve.size() * sizeof(float));
  }
  sendAll(socket_, Packet{Packet::part, dumped({{"picture", model}}), bytes}.format());
  next_ = Clock::now() + kBetweenParts;
}

ShownRun::ShownRun(const Json& request, int socket)
    : socket_(socket),
      file_(request.at("file")),
      overrides_(request.value("set", Overrides{})),
      plots_(request.value("plots", std::vector<std::string>{})),
      growing_(socket) {
  if (request.contains("text")) text_ = request.at("text");
}

Simulation ShownRun::load() {
  if (const auto study = text_ ? ShownStudy::read(*text_, file_, messages_) : std::nullopt) {
    answer_["study"] = {{"command", study->command}, {"runs", study->runs}};
    options_ = study->settings;
    Overrides all = study->overrides;
    all.insert(all.end(), overrides_.begin(), overrides_.end());
    return Simulation::open(allTypes(), formats({}, {}), study->model, all);
  }
  if (text_) return Simulation::fromText(allTypes(), *text_, file_, overrides_);
  return Simulation::open(allTypes(), formats({}, {}), file_, overrides_);
}

bool ShownRun::isCancelled() const {
  pollfd file{socket_, POLLIN, 0};
  return ::poll(&file, 1, 0) > 0;  // a word from the server, or its end
}

std::string ShownRun::runToEnd(Simulation& simulation, RowSink& rows) {
  if (!plots_.empty()) {
    for (const OutputPattern& p : simulation.source().outputs)
      options_.outputs.push_back(p.pattern);
    options_.outputs.insert(options_.outputs.end(), plots_.begin(), plots_.end());
  }
  options_.progress = [this](double) {
    growing_.sendIfDue();
    return !isCancelled();
  };
  try {
    simulation.run(rows, options_);
  } catch (const SolverError& e) {
    return e.what();
  }
  return "";
}

void ShownRun::run(Simulation& simulation) {
  const ModelSource& model = simulation.source();
  answer_["name"] = model.name;
  if (model.isLibrary()) {
    answer_["defines"] = model.submodels;
    return;
  }
  const RunSettings settings = RunSettings::of(model.simulation, options_, messages_);
  messages_.throwIfErrors();
  PictureRecorder recorder(simulation, {.start = settings.start, .stop = settings.stop}, messages_);
  options_.watch = &recorder;
  TwoSinks rows(recorder, growing_);
  const std::string failure = runToEnd(simulation, rows);
  const RunReport& report = simulation.report();
  if (!failure.empty()) messages_.error({model.file, 0, 0}, failure);
  for (const std::string& w : report.warnings) messages_.warning({model.file, 0, 0}, w);
  answer_["statistics"] = statistics(report);
  answer_["interrupted"] = report.interrupted;
  recorder.finish();
  if (report.interrupted || recorder.rows() == 0) return;
  const Scene scene = makeScene(recorder, {}, messages_);
  PageData page =
      pageData(scene, scene.curves.empty() ? std::vector<std::string>{} : openCurves(scene));
  picture_ = std::move(page.json);
  bytes_ = std::move(page.bytes);
}

Packet ShownRun::answer() {
  answer_ = Json{{"name", ""}};
  try {
    Simulation simulation = load();
    messages_.add(simulation.warnings());
    run(simulation);
  } catch (const ModelError& e) {
    messages_.add(e.diagnostics());
  } catch (const SolverError& e) {
    messages_.error({file_, 0, 0}, e.what());
  }
  std::map<std::string, std::string> unsaved;
  if (text_) unsaved[file_] = *text_;
  answer_["diagnostics"] = diagnosticsJson(messages_, std::move(unsaved));
  std::string json = dumped(answer_);
  if (!picture_.empty()) json.replace(json.size() - 1, 1, ",\"picture\":" + picture_ + "}");
  return {Packet::end, std::move(json), std::move(bytes_)};
}

}  // namespace cardan::studio
