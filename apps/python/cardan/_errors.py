"""What can go wrong: exceptions and warnings."""

from __future__ import annotations

import sys
import typing as t
import warnings
from dataclasses import dataclass
from typing import Optional, Tuple, Type

from ._result import Result

__all__ = ["Diagnostic", "ModelError", "ModelWarning", "RunError", "RunWarning", "tell"]


@dataclass(frozen=True)
class Diagnostic:
    """One message: where, what, and what to try. Lines and columns count from 1; 0: not known."""

    severity: str
    message: str
    hint: str
    file: str
    line: int
    column: int


class ModelError(Exception):
    """The model, a file or an option is wrong. str() has all messages, a line each, as the program
    prints them; `diagnostics` has them one by one; `file`, `line`, `column`, `message` and `hint` are
    those of the first error."""

    def __init__(self, text: str, diagnostics: t.Sequence[Tuple[str, str, str, int, int]] = ()) -> None:
        super().__init__(text, diagnostics)
        self.diagnostics = [_diagnostic(*d) for d in diagnostics]
        errors = [d for d in self.diagnostics if d.severity == "error"]
        first = errors[0] if errors else Diagnostic("error", text, "", "", 0, 0)
        self.message, self.hint = first.message, first.hint
        self.file, self.line, self.column = first.file, first.line, first.column

    def __str__(self) -> str:
        return str(self.args[0])


def _diagnostic(severity: str, text: str, file: str, line: int, column: int) -> Diagnostic:
    message, hint = text, ""
    at = text.find("; did you mean '")
    if at >= 0:
        message, hint = text[:at], text[at + 2 :]
    return Diagnostic(severity, message, hint, file, line, column)


class RunError(Exception):
    """The run, or the search for a point, cannot go on. `result` has the rows so far (None: there are
    none), `time` [s] is that of the last good step."""

    result: Optional[Result]

    def __init__(self, text: str, time: Optional[float] = None) -> None:
        super().__init__(text, time)
        self.time = time
        self.result = None

    def __str__(self) -> str:
        return str(self.args[0])


class ModelWarning(UserWarning):
    """A model is legal, but may not be what was meant."""


class RunWarning(UserWarning):
    """A run has done something that one would want to know of."""


def tell(texts: t.Iterable[str], kind: Type[Warning] = ModelWarning) -> None:
    """Warns at the line outside this package from which it was called."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    for text in texts:
        warnings.warn(text, kind, stacklevel=level)
