"""Options of runs, and what feeds their inputs."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _cardan
from ._analysis import Equilibrium
from ._result import Result
from ._values import names_of, number

__all__ = ["Initial", "Inputs", "Names", "Reader", "feed", "run_options"]

Names = Union[str, t.Sequence[str]]
Controller = Callable[[float, "Reader"], Any]
Initial = Union[_cardan.State, Equilibrium, Result]


class Reader:
    """What a controller sees: s["pole.phi"] reads an output of the run where it stands, s.time [s]."""

    def __init__(self, run: _cardan.Stepper) -> None:
        self._run = run

    def __getitem__(self, name: str) -> Any:
        return self._run[name]

    @property
    def time(self) -> float:
        return self._run.time


@dataclass(frozen=True)
class Inputs:
    """Inputs by what feeds them."""

    constants: Dict[str, Any]
    controllers: Dict[str, Controller]


def run_options(
    loaded: _cardan.LoadedModel,
    stop: Optional[float] = None,
    start: Optional[float] = None,
    interval: Optional[float] = None,
    intervals: Optional[int] = None,
    tolerance: Optional[float] = None,
    max_step: Optional[float] = None,
    integrator: Optional[str] = None,
    step: Optional[float] = None,
    outputs: Optional[Names] = None,
    initial: Optional[Initial] = None,
    event_rows: bool = True,
    strict: bool = False,
    timing: bool = False,
) -> _cardan.RunOptions:
    o = _cardan.RunOptions()
    for name in ("stop", "start", "interval", "tolerance", "max_step", "step"):
        value = locals()[name]
        if value is not None:
            setattr(o, name, number(name, value))
    if integrator is not None:
        o.set_integrator(integrator)
    o.outputs = names_of("outputs", outputs)
    o.event_rows, o.strict, o.timing = bool(event_rows), bool(strict), bool(timing)
    if initial is not None:
        _start_at(o, initial)
    if intervals is not None:
        if interval is not None:
            raise ValueError("interval and intervals must not both be given")
        if int(intervals) < 1:
            raise ValueError(f"intervals must be at least 1, found {intervals}")
        begin, end = loaded.settings(o)[:2]
        o.interval = (end - begin) / int(intervals)
    return o


def _start_at(o: _cardan.RunOptions, initial: Initial) -> None:
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
    o: _cardan.RunOptions, inputs: Optional[t.Mapping[str, Any]], known: t.Sequence[str], hold: bool
) -> Inputs:
    """Tables go into the options; what is left are constants and functions."""
    constants: Dict[str, Any] = {}
    controllers: Dict[str, Controller] = {}
    names: List[str] = []
    columns: List[npt.NDArray[np.float64]] = []
    times: Optional[npt.NDArray[np.float64]] = None
    for name, value in (inputs or {}).items():
        if callable(value):
            controllers[name] = value
        elif isinstance(value, tuple) and len(value) == 2 and np.ndim(value[0]) == 1:
            time, rows = (np.asarray(v, dtype=float) for v in value)
            if times is not None and not np.array_equal(times, time):
                raise ValueError("inputs that are fed by tables must be given at the same times")
            times = time
            if rows.shape[:1] != time.shape or rows.ndim > 2:
                raise ValueError(f"input {name!r}: as many values as times, found {rows.shape}")
            elements = [name] if rows.ndim == 1 else [f"{name}[{i + 1}]" for i in range(rows.shape[1])]
            for element in elements:
                if element not in known:
                    raise KeyError(f"{element!r} is no input that has a number in the model: {list(known)}")
            names += elements
            columns += [rows] if rows.ndim == 1 else list(rows.T)
        else:
            constants[name] = value
    if times is not None:
        if len(times) == 0 or not np.all(np.isfinite(times)) or np.any(np.diff(times) < 0):
            raise ValueError("times of inputs must be finite and must not fall")
        if not all(np.all(np.isfinite(c)) for c in columns):
            raise ValueError("values of inputs must be finite")
        o.feed(times, names, columns, hold)
    return Inputs(constants, controllers)
