/// Mechanisms whose parameters are known, to be found again from simulated measurements.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cardan::identification {

/// A parameter: where the search starts, and what it is in truth.
struct Sought {
  std::string name;
  double start, truth;
  std::optional<size_t> experiment{};  ///< the only one that has it
};

struct NoisySignal {
  std::string variable;
  double sigma;  ///< of the noise, which is normal
};

struct IdentificationCase {
  std::string name;
  std::string model;  ///< its text
  std::vector<Sought> sought;
  std::vector<NoisySignal> signals;
  double stop, interval;   ///< [s]  of what is measured
  size_t experiments = 1;  ///< runs, with noise of their own
  std::string fed{};       ///< an input of the model that a measured torque feeds
};

const std::vector<IdentificationCase>& identificationCases();

}  // namespace cardan::identification
