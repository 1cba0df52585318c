#include "apps/python/errors.h"

#include <new>
#include <string>
#include <utility>

#include "engine/integration/solver_error.h"
#include "engine/inverse_run.h"
#include "engine/motion_point.h"
#include "engine/results/output_file.h"
#include "engine/results/result_table.h"
#include "engine/text/diagnostics.h"
#include "engine/text/message_order.h"

namespace cardan::python {
namespace {

namespace py = pybind11;

py::object ours(const char* name) { return py::module_::import("cardan._errors").attr(name); }

const char* word(Severity s) {
  return s == Severity::error ? "error" : s == Severity::warning ? "warning" : "note";
}

/// The messages in the order of reading: severity, text, file, line, column.
py::list listOf(const Diagnostics& diagnostics) {
  py::list all;
  for (const Diagnostic& d : inReadingOrder(diagnostics.all())) {
    all.append(py::make_tuple(word(d.severity), textOf(d.text), textOf(d.at.file), d.at.line,
                              d.at.column));
  }
  return all;
}

/// Nothing: it is none of the engine's.
py::object ofEngine(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const ModelError& e) {
    return ours("ModelError")(textOf(e.what()), listOf(e.diagnostics()));
  } catch (const ResultFileError& e) {
    return ours("ModelError")(textOf(e.what()));
  } catch (const SolverError& e) {
    return ours("RunError")(textOf(e.what()), e.details().time);
  } catch (const AnalysisError& e) {
    return ours("RunError")(textOf(e.what()));
  } catch (const InverseError& e) {
    return ours("RunError")(textOf(e.what()));
  } catch (const FileError& e) {
    const py::handle type = PyExc_OSError;
    return e.error() != 0 ? type(e.error(), textOf(e.what())) : type(textOf(e.what()));
  } catch (...) {
    return {};
  }
}

}  // namespace

py::str textOf(const std::string& text) {
  PyObject* const decoded =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

void throwRunError(const std::string& message) {
  PyErr_SetObject(ours("RunError").ptr(), textOf(message).ptr());
  throw py::error_already_set();
}

py::object exceptionOf(const std::exception_ptr& error) {
  if (py::object e = ofEngine(error)) return e;
  try {
    std::rethrow_exception(error);
  } catch (const py::error_already_set& e) {
    return e.value();
  } catch (const std::bad_alloc&) {
    return py::handle(PyExc_MemoryError)("not enough memory");
  } catch (const std::exception& e) {
    return py::handle(PyExc_RuntimeError)(textOf(e.what()));
  }
}

void translateErrors() {
  py::register_exception_translator([](std::exception_ptr error) {
    if (!error) return;
    if (const py::object e = ofEngine(error)) {
      PyErr_SetObject(py::type::handle_of(e).ptr(), e.ptr());
      return;
    }
    std::rethrow_exception(error);
  });
}

}  // namespace cardan::python
