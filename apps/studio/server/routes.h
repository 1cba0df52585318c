/// Routes: what the page can ask for.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "apps/studio/server/folder.h"
#include "apps/studio/server/http_service.h"
#include "apps/studio/server/watch.h"
#include "apps/studio/server/workers.h"

namespace cardan::studio {

struct StudioSettings {
  std::string program;    ///< cardan
  std::string folder;     ///< that is shown
  std::string model;      ///< that is opened, in the folder; "": none
  std::string examples;   ///< folder of models that come along; "": none
  double timeLimit = 60;  ///< [s]
};

class Routes {
 public:
  explicit Routes(const StudioSettings& settings);
  void addTo(HttpService& service);

 private:
  Reply state();
  Reply file(const std::string& body);
  Reply save(const std::string& body);
  Reply example(const std::string& body);
  Reply changes(const std::string& body);
  Reply run(const std::string& body);
  Reply schema(const std::string& body);
  Reply reference(const std::string& body);
  Reply command(const std::string& body);
  /// The answer of a worker in one piece. Throws std::runtime_error.
  std::string askWorker(const std::string& request);

  StudioSettings settings_;
  Folder folder_;
  Watch watch_;
  Workers workers_;
  std::mutex mutex_, saving_;
  struct Run {
    long number = 0;
    std::shared_ptr<Cancellation> cancellation{};
  };
  std::map<std::string, Run> running_;  ///< the last one of each page
};

}  // namespace cardan::studio
