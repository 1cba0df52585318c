/// RegressionCase: a model and what its run has to agree with.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cardan {

/// What another tool has needed for the model, from corpus.csv.
struct PublishedCost {
  std::optional<long> steps, residuals;
};

struct RegressionCase {
  std::string name;       ///< as printed: the path below the given folder, without .yaml
  std::string model;      ///< path of the model file
  std::string reference;  ///< path of the CSV; where there is none, where --update writes it
  bool hasReference = false;
  std::vector<std::string> signals;   ///< of comparisonSignals.txt; empty: all of the reference
  std::set<std::string> quarantined;  ///< not compared
  std::optional<double> until;        ///< [s]  compared up to here
  std::optional<double> tolerance;    ///< [1]  the model's own, where the corpus says another one
  std::vector<std::string> besides;   ///< further files that were read: corpus.csv, signals
  PublishedCost published;
};

struct RegressionCases {
  std::vector<RegressionCase> cases;
  std::vector<std::string> problems;  ///< paths that hold no model, in words
};

/// A YAML file, by its name.
bool isModelName(const std::string& path);

/// The models that `paths` name: files, and folders with all below them (files that hold submodels
/// only are left out). References: NAME.csv in the folder `reference` beside the model; or, below
/// `references` if given, NAME.csv, the model's path in the same folders, or the published layout
/// with a folder for every part of the full name (A.B.C in A/B/C/C.csv, with an optional
/// comparisonSignals.txt beside it). NAME is that of the file, then that of the model.
/// A corpus.csv in the model's folder or the one above adds what its columns say: model,
/// compare_until, tolerance, quarantined_signals, dymola_steps, dymola_residual_evals.
/// A path that is no regular file (a pipe) is not read here: it may have no end.
RegressionCases findCases(const std::vector<std::string>& paths, const std::string& references);

}  // namespace cardan
