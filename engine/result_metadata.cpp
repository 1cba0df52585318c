#include "engine/result_metadata.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "engine/model_file/model_source.h"
#include "engine/results/parameter_text.h"
#include "engine/simulation.h"
#include "engine/text/escaped.h"
#include "engine/version.h"
#include "frames/dual.h"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

Json columnsJson(const std::vector<Column>& columns) {
  Json list = Json::array();
  list.push_back({{"name", "time"}, {"unit", "s"}, {"description", "simulated time"}});
  for (const Column& c : columns) {
    Json column{{"name", c.name}, {"unit", c.unit}, {"description", c.description}};
    if (c.isBoolean) column["type"] = "Boolean";
    list.push_back(std::move(column));
  }
  return list;
}

Json eventsJson(const RunReport& r) {
  Json list = Json::array();
  for (const EventRecord& e : r.eventRecords) {
    if (list.size() == kMostEventsInMetadata) break;
    list.push_back({{"time", e.time}, {"changed", e.changed}});
  }
  return list;
}

Json statisticsJson(const RunReport& r) {
  const IntegratorStatistics& s = r.integrator;
  Json result{{"rows", r.rows},
              {"events", r.events},
              {"contactViolations", r.contactViolations},
              {"steps", s.steps},
              {"residuals", s.residuals},
              {"rates", s.rates},
              {"newtonMatrices", s.newtonMatrices},
              {"newtonIterations", s.newtonIterations},
              {"errorTestFailures", s.errorTestFailures},
              {"newtonFailures", s.newtonFailures},
              {"restarts", s.restarts},
              {"chartChanges", r.chartChanges},
              {"initialisationSeconds", r.initialisationSeconds},
              {"integrationSeconds", r.integrationSeconds},
              {"outputSeconds", r.outputSeconds}};
  if (s.residualSeconds + s.newtonMatrixSeconds + s.linearSolveSeconds > 0) {
    result["residualSeconds"] = s.residualSeconds;
    result["newtonMatrixSeconds"] = s.newtonMatrixSeconds;
    result["linearSolveSeconds"] = s.linearSolveSeconds;
  }
  if (s.ratesSeconds > 0) result["ratesSeconds"] = s.ratesSeconds;
  return result;
}

Json methodsJson(const RunReport& r) {
  Json list = Json::array();
  for (const MethodChange& m : r.methods) {
    Json method{{"time", m.time}, {"method", m.method}};
    if (!m.reason.empty()) method["reason"] = m.reason;
    list.push_back(std::move(method));
  }
  return list;
}

}  // namespace

const char* word(RunStatus::Kind kind) {
  switch (kind) {
    case RunStatus::Kind::running:
      return "running";
    case RunStatus::Kind::completed:
      return "completed";
    case RunStatus::Kind::terminated:
      return "terminated";
    case RunStatus::Kind::interrupted:
      return "interrupted";
    case RunStatus::Kind::failed:
      return "failed";
  }
  return "";
}

std::string formatMetadata(const Simulation& simulation, const ResultMetadata& data) {
  const ModelSource& description = simulation.source();
  const bool running = data.status.kind == RunStatus::Kind::running;
  Json status{{"kind", word(data.status.kind)}};
  if (running) {
    status["process"] = ::getpid();
  } else {
    status["timeReached"] = data.report.stopTime;
  }
  if (!data.status.message.empty()) status["message"] = data.status.message;
  Json all{{"tool",
            {{"name", "Cardan"}, {"version", version}, {"revision", revision}, {"lanes", kLanes}}},
           {"model",
            {{"name", description.name},
             {"description", description.description},
             {"file", description.file}}},
           {"result", data.resultFile},
           {"status", std::move(status)},
           {"simulation",
            {{"startTime", data.settings.start},
             {"stopTime", data.settings.stop},
             {"outputInterval", data.settings.interval},
             {"tolerance", data.settings.tolerance},
             {"integrator", word(data.settings.integrator)}}}};
  if (data.settings.impact != ImpactLaw::moreau)
    all["simulation"]["impact"] = word(data.settings.impact);
  if (data.settings.step) all["simulation"]["step"] = *data.settings.step;
  if (data.settings.maximumStep) all["simulation"]["maximumStep"] = *data.settings.maximumStep;
  if (!data.settings.inputFile.empty()) {
    all["simulation"]["inputFile"] = data.settings.inputFile;
    all["simulation"]["inputsHeld"] = data.settings.inputsHeld;
  }
  if (!running) {
    all["warnings"] = data.report.warnings;
    all["statistics"] = statisticsJson(data.report);
    all["methods"] = methodsJson(data.report);
    all["events"] = eventsJson(data.report);
  }
  all["columns"] = columnsJson(data.columns);
  // Names and texts come from a file: bytes that are no UTF-8 must not end the run.
  std::string text = all.dump(2, ' ', false, Json::error_handler_t::replace);
  text.resize(text.size() - 2);  // the end of the object
  text += ",\n  \"parameters\": ";
  ParameterText(simulation.model()).append(text);
  return text += "\n}\n";
}

std::string formatEvents(const RunReport& report) {
  std::string text = "\"time\",\"changed\"\n";
  for (const EventRecord& e : report.eventRecords) {
    const std::string time = fmt::format("{},", e.time == 0 ? 0.0 : e.time);
    for (const std::string& changed : e.changed) text += time + csvText(changed) + '\n';
    if (e.changed.empty()) text += time + "\"\"\n";
  }
  return text;
}

std::string metadataPath(const std::string& resultPath) {
  const std::string ending = ".csv";
  const bool csv = resultPath.size() > ending.size() && resultPath.ends_with(ending);
  return (csv ? resultPath.substr(0, resultPath.size() - ending.size()) : resultPath) +
         ".meta.json";
}

}  // namespace cardan
