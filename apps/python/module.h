/// The parts of the module cardan._cardan, each with what Python calls it.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "apps/python/loaded_model.h"

namespace cardan::python {

using ModelClass = pybind11::class_<LoadedModel, std::shared_ptr<LoadedModel>>;

void addStepper(pybind11::module_& m);
void addAnalysis(ModelClass& model, pybind11::module_& m);
void addFit(ModelClass& model, pybind11::module_& m);
void addOptimum(ModelClass& model, pybind11::module_& m);
void addPicture(pybind11::module_& m);

}  // namespace cardan::python
