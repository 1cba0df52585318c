"""Options of runs, and what feeds their inputs."""

from __future__ import annotations

import typing as t
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _cardan
from ._analysis import Equilibrium
from ._result import Result
from ._values import Array, floats, names_of, number, times_of

__all__ = ["Controller", "Initial", "Names", "Progress", "Reader", "feed", "run_options"]

Names = Union[str, t.Sequence[str]]
Controller = Callable[[float, "Reader"], Any]
Initial = Union[_cardan.State, Equilibrium, Result]
Progress = Optional[Callable[[float], Any]]

_NUMBERS = ("stop", "start", "interval", "tolerance", "max_step", "step")
_FLAGS = ("event_rows", "strict", "timing")


class Reader:
    """What a controller sees: s["pole.phi"] reads an output of the run where it stands, s.time [s]."""

    def __init__(self, run: _cardan.Stepper) -> None:
        self._run = run

    def __getitem__(self, name: str) -> Any:
        return self._run[name]

    @property
    def time(self) -> float:
        return self._run.time


def run_options(
    loaded: Any,
    stop: Optional[float] = None,
    *,
    intervals: Optional[int] = None,
    integrator: Optional[str] = None,
    outputs: Optional[Names] = None,
    initial: Optional[Initial] = None,
    **others: Any,
) -> Any:
    o = _cardan.RunOptions()
    for name, value in {"stop": stop, **others}.items():
        if name not in _NUMBERS + _FLAGS:
            raise TypeError(f"there is no option {name!r}")
        if value is not None:
            setattr(o, name, bool(value) if name in _FLAGS else number(name, value))
    if integrator is not None:
        o.set_integrator(integrator)
    o.outputs = names_of("outputs", outputs)
    if initial is not None:
        _start_at(o, initial)
    if intervals is not None:
        if o.interval is not None:
            raise ValueError("interval and intervals must not both be given")
        if int(intervals) < 1:
            raise ValueError(f"intervals must be at least 1, found {intervals}")
        begin, end = loaded.settings(o)[:2]
        o.interval = (end - begin) / int(intervals)
    return o


def _start_at(o: Any, initial: Initial) -> None:
    if isinstance(initial, _cardan.State):
        o.resume(initial)
    elif isinstance(initial, Equilibrium):
        o.start_at("equilibrium", initial.time, False, list(initial.values), list(initial.values.values()))
    elif isinstance(initial, Result):
        row = initial.values[-1].tolist()
        o.start_at("result", row[0], True, list(initial.names), row[1:])
    else:
        raise TypeError(f"initial must be a State, an Equilibrium or a Result, found {initial!r}")


def feed(
    o: Any, inputs: Optional[t.Mapping[str, Any]], known: t.Collection[str], hold: bool
) -> Tuple[Dict[str, Any], Dict[str, Controller]]:
    """Tables go into the options; what is left are constants and functions."""
    constants: Dict[str, Any] = {}
    controllers: Dict[str, Controller] = {}
    columns: Dict[str, Array] = {}
    times: Optional[Array] = None
    for name, value in (inputs or {}).items():
        if callable(value):
            controllers[name] = value
        elif isinstance(value, tuple) and len(value) == 2 and np.ndim(value[0]) == 1:
            time, rows = times_of(f"the input {name!r}", value[0]), floats(value[1])
            if times is not None and not np.array_equal(times, time):
                raise ValueError("inputs that are fed by tables must be given at the same times")
            if rows.shape[:1] != time.shape or rows.ndim > 2:
                raise ValueError(f"input {name!r}: as many values as times, found {rows.shape}")
            times = time
            columns.update(
                {name: rows} if rows.ndim == 1 else {f"{name}[{i}]": c for i, c in enumerate(rows.T, 1)}
            )
        else:
            constants[name] = value
    for name, column in columns.items():
        if name not in known:
            raise KeyError(f"{name!r} is no input that has a number in the model: {list(known)}")
        if not np.all(np.isfinite(column)):
            raise ValueError(f"values of the input {name!r} must be finite")
    if times is not None:
        o.feed(times, list(columns), list(columns.values()), hold)
    return constants, controllers
