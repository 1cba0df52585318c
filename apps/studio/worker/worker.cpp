#include "apps/studio/worker/worker.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/cardan/model_schema.h"
#include "apps/cosimulation/socket_bytes.h"
#include "apps/studio/packet.h"
#include "apps/studio/worker/shown_run.h"
#include "apps/studio/worker/shown_study.h"
#include "engine/results/output_file.h"
#include "engine/results/tube.h"
#include "engine/text/diagnostics.h"

namespace cardan::studio {
namespace {

using Json = nlohmann::ordered_json;

constexpr rlim_t kMostMemory = 6ULL << 30;  // [bytes]  of a model that asks for ever more

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What editors need to know of the file; of any model where it cannot be read, and nothing of a study.
Json schemaOf(const Json& request) {
  const std::string text = request.at("text"), file = request.at("file");
  if (studyTree(text, file)) return Json::object();
  try {
    return modelSchemaOfText(text, file);
  } catch (const ModelError&) {
    return modelSchema();
  }
}

/// Columns of a result, each with the tube in which `compare` would judge another one.
Json referenceOf(const Json& request) {
  const std::string name = request.at("file"), text = request.at("text");
  const ResultTable table = ResultTable::parse(text, name);
  const TubeOptions options;
  const Comparison self = compareResults(table, table, table.names(), options);
  Json curves = Json::array();
  for (const SignalComparison& s : self.signals) {
    Json& curve = curves.emplace_back(Json{{"name", s.name}, {"values", *table.find(s.name)}});
    const TubeBand band = tubeAround(table, s, self, options);
    if (!band.time.empty()) curve.update({{"low", band.low}, {"high", band.high}});
  }
  return {{"times", table.time}, {"curves", std::move(curves)}};
}

Packet answer(const Json& request, int socket) {
  const std::string what = request.at("do");
  if (what == "run") return ShownRun(request, socket).answer();
  if (what == "schema") return {.json = dumped(schemaOf(request))};
  if (what == "reference") return {.json = dumped(referenceOf(request))};
  if (what == "save") {
    saveTextFile(request.at("file"), request.at("text"));
    return {.json = "{}"};
  }
  throw std::invalid_argument("nobody can do '" + what + "'");
}

Packet answerOrWhyNot(const std::string& request, int socket) {
  try {
    return answer(Json::parse(request), socket);
  } catch (const std::bad_alloc&) {
    return {.json = dumped({{"error", "not enough memory"}})};
  } catch (const std::exception& e) {
    return {.json = dumped({{"error", e.what()}})};
  }
}

}  // namespace

int serveRequests(int socket) {
#if !defined(__SANITIZE_ADDRESS__)
  const rlimit memory{kMostMemory, kMostMemory};
  ::setrlimit(RLIMIT_DATA, &memory);
#endif
  const rlimit noCore{0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  std::string buffer;
  do {
    while (const auto request = takePacket(buffer)) {
      if (request->kind == Packet::cancel) continue;  // of an answer that has been given
      if (!sendAll(socket, answerOrWhyNot(request->json, socket).format())) return 0;
    }
  } while (readSome(socket, buffer));
  return 0;
}

}  // namespace cardan::studio
