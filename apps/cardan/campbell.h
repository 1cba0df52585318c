/// The Campbell diagram: frequencies of a model's modes over a parameter.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "apps/cardan/analysis_options.h"

namespace cardan {

struct CampbellOptions {
  std::string vary, output;
  std::vector<double> excitations;  ///< orders

  void add(CLI::App& command);
};

/// Draws the diagram (.svg) or writes its numbers (.csv, or to standard output); returns the exit
/// code. Pre: o.vary is not empty
int drawCampbell(const CampbellOptions& o, const AnalysisOptions& where);

}  // namespace cardan
