/// What is asked of a model beside its runs: structure, a point of it, the forces of a motion.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/python/loaded_model.h"
#include "apps/python/outcome.h"

namespace cardan::python {

/// Which point of a model is looked at.
struct Where {
  std::optional<double> at;  ///< [s]  of the run; none: its start
  bool rests = false;        ///< at the equilibrium that is found from there
  std::vector<std::string> free, steady;
};

/// The tree, freedoms, unknowns and start of a model.
pybind11::dict check(LoadedModel& model);
/// Values of parameters and inputs by full name; units, descriptions and shapes of variables.
pybind11::dict parameters(LoadedModel& model);
pybind11::dict inputs(LoadedModel& model);
pybind11::dict variables(LoadedModel& model);

// All of these throw RunError where there is no such point.
pybind11::dict equilibrium(const LoadedModel& model, const Where& where);
pybind11::dict linearize(const LoadedModel& model, const Where& where,
                         const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs);
pybind11::dict modes(const LoadedModel& model, const Where& where);

/// Rows of forces for a motion: columns over time. An outcome, and behind it a note.
pybind11::tuple inverse(const LoadedModel& model, const std::vector<double>& time,
                        const std::map<std::string, std::vector<double>>& motion,
                        const std::vector<std::string>& actuators,
                        const std::vector<std::string>& outputs);

/// A run with derivatives of its results. An outcome.
pybind11::tuple sensitivities(const LoadedModel& model, const std::vector<std::string>& parameters,
                              RunOptions options, const pybind11::object& progress);

}  // namespace cardan::python
