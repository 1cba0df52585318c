/// Python exceptions of what the engine throws: cardan.ModelError, cardan.RunError, OSError.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <string>

namespace cardan::python {

/// The exception, not raised.
pybind11::object exceptionOf(const std::exception_ptr& error);

/// What the engine throws through a function of the module becomes these from now on.
void translateErrors();

/// A text of the engine; what is no UTF-8 in a file's name does no harm.
pybind11::str textOf(const std::string& text);

/// Raises cardan.RunError.
[[noreturn]] void throwRunError(const std::string& message);

}  // namespace cardan::python
