/// givenSettings: the settings of a run that were stated, as files of many runs keep them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "engine/results/run_options.h"

namespace cardan {

inline nlohmann::ordered_json givenSettings(const RunOptions& s) {
  auto settings = nlohmann::ordered_json::object();
  const auto set = [&](const char* key, const std::optional<double>& x) {
    if (x) settings[key] = *x;
  };
  set("startTime", s.startTime);
  set("stopTime", s.stopTime);
  set("outputInterval", s.outputInterval);
  set("tolerance", s.tolerance);
  set("maximumStep", s.maximumStep);
  set("step", s.step);
  if (s.integrator) settings["integrator"] = word(*s.integrator);
  return settings;
}

}  // namespace cardan
