#include "apps/studio/server/routes.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/studio/server/commands.h"
#include "apps/studio/studio_files.h"

namespace cardan::studio {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr auto kLongestWait = std::chrono::seconds(10);  // of a page that waits for changes

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json fileJson(const std::string& text) {
  return {{"text", text}, {"stamp", Folder::stampOf(text)}};
}

}  // namespace

Routes::Routes(const StudioSettings& settings)
    : settings_(settings),
      folder_(settings.folder),
      watch_(folder_.root()),
      workers_(settings.program, folder_.root().string(), settings.timeLimit) {}

void Routes::addTo(HttpService& service) {
  for (const PageFile& f : pageFiles()) service.addFile(f.target, f.type, f.content);
  service.addHandler("/api/state", [this](const std::string&) { return state(); });
  service.addHandler("/api/file", [this](const std::string& body) { return file(body); });
  service.addHandler("/api/save", [this](const std::string& body) { return save(body); });
  service.addHandler("/api/example", [this](const std::string& body) { return example(body); });
  service.addHandler("/api/changes", [this](const std::string& body) { return changes(body); });
  service.addHandler("/api/run", [this](const std::string& body) { return run(body); });
  service.addHandler("/api/schema", [this](const std::string& body) { return schema(body); });
  service.addHandler("/api/reference", [this](const std::string& body) { return reference(body); });
  service.addHandler("/api/command", [this](const std::string& body) { return command(body); });
}

Reply Routes::state() {
  Json examples = Json::array();
  if (!settings_.examples.empty()) {
    for (const std::string& name : Folder(settings_.examples).names()) {
      if (name.ends_with(".yaml") && name.find("reference/") == std::string::npos &&
          !name.starts_with("studies/"))
        examples.push_back(name);
    }
  }
  return {.body = dumped({{"folder", folder_.root().string()},
                          {"model", settings_.model},
                          {"files", folder_.names()},
                          {"examples", std::move(examples)},
                          {"change", watch_.changesSince(0, {}).number}})};
}

Reply Routes::file(const std::string& body) {
  return {.body = dumped(fileJson(folder_.read(Json::parse(body).at("file"))))};
}

Reply Routes::example(const std::string& body) {
  return {.body = dumped(fileJson(Folder(settings_.examples).read(Json::parse(body).at("file"))))};
}

std::string Routes::askWorker(const std::string& request) {
  std::string answer;
  const std::string why = workers_.ask(request, Cancellation(), [&](const Packet& p) {
    answer = p.json;
    return true;
  });
  if (!why.empty()) throw std::runtime_error(why);
  return answer;
}

/// What stands in the file may have changed since the page has read it: then nothing is written.
Reply Routes::save(const std::string& body) {
  const Json request = Json::parse(body);
  const std::string name = request.at("file"), text = request.at("text"),
                    stamp = request.at("stamp");
  const std::scoped_lock lock(saving_);
  const fs::path path = folder_.file(name);
  if (const auto there = folder_.readIfThere(name);
      there && *there != text && Folder::stampOf(*there) != stamp)
    return {.status = 409, .body = dumped(fileJson(*there))};
  const std::string answer =
      askWorker(dumped({{"do", "save"}, {"file", path.string()}, {"text", text}}));
  if (const Json failed = Json::parse(answer); failed.contains("error"))
    return {.status = 500, .body = answer};
  return {.body = dumped({{"stamp", Folder::stampOf(text)}})};
}

Reply Routes::changes(const std::string& body) {
  const Watch::Changes changes = watch_.changesSince(Json::parse(body).at("since"), kLongestWait);
  return {.body = dumped({{"change", changes.number}, {"names", changes.names}})};
}

Reply Routes::schema(const std::string& body) {
  Json request = Json::parse(body);
  folder_.file(request.at("file"));
  request["do"] = "schema";
  return {.body = askWorker(dumped(request))};
}

Reply Routes::reference(const std::string& body) {
  const std::string name = Json::parse(body).at("file");
  return {.body = askWorker(
              dumped({{"do", "reference"}, {"file", name}, {"text", folder_.read(name)}}))};
}

/// The packets of a worker, as they come. A newer run of the same page ends the one before; they are
/// numbered, as requests may overtake each other.
Reply Routes::run(const std::string& body) {
  Json request = Json::parse(body);
  folder_.file(request.at("file"));
  request["do"] = "run";
  const std::string page = request.at("page");
  const auto cancellation = std::make_shared<Cancellation>();
  {
    const std::scoped_lock lock(mutex_);
    Run& last = running_[page];
    const long number = request.value("number", last.number);
    const bool isLate = number < last.number;
    if (isLate) cancellation->wish();
    if (last.cancellation && !isLate) last.cancellation->wish();
    if (!isLate) last = {number, cancellation};
  }
  return {.type = "application/octet-stream",
          .stream = [this, page, cancellation, text = dumped(request)](const Reply::Write& write) {
            const std::string why = workers_.ask(
                text, *cancellation, [&](const Packet& p) { return write(p.format()); });
            if (!why.empty()) write(Packet{Packet::end, dumped({{"error", why}}), ""}.format());
            const std::scoped_lock lock(mutex_);
            if (const auto last = running_.find(page);
                last != running_.end() && last->second.cancellation == cancellation)
              running_.erase(last);
          }};
}

/// A command of the program on the text of the page.
Reply Routes::command(const std::string& body) {
  const Json request = Json::parse(body);
  const std::string name = request.at("file");
  const fs::path path = folder_.file(name);
  const ModelText model{
      path,
      request.contains("text") ? std::optional<std::string>(request.at("text")) : std::nullopt,
      request.value("set", std::vector<std::string>{})};
  const StudioCommand what{request.at("command"),
                           request.value("arguments", std::vector<std::string>{})};
  const StudioOutput output = runStudioCommand(settings_.program, what, model, settings_.timeLimit);
  if (!output.file)
    return {.body = dumped(
                {{"code", output.code}, {"output", output.text}, {"messages", output.messages}})};
  return {.type = output.type, .body = *output.file};
}

}  // namespace cardan::studio
