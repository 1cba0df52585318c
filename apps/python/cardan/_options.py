"""Options of runs, and what feeds their inputs."""

from __future__ import annotations

import typing as t
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _cardan
from ._analysis import Equilibrium
from ._result import Result
from ._values import Array, floats, input_of, names_of, number, times_of, whole

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

    def __contains__(self, name: object) -> bool:
        return name in self._run

    def __iter__(self) -> t.Iterator[str]:
        return iter(self._run)

    @property
    def time(self) -> float:
        return self._run.time


def run_options(
    loaded: Any,
    stop: Optional[float] = None,
    *,
    intervals: Optional[int] = None,
    integrator: Optional[str] = None,
    impact: Optional[str] = None,
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
    for what, word, choose in (("integrator", integrator, o.set_integrator), ("impact", impact, o.set_impact)):
        if word is None:
            continue
        if not isinstance(word, str):
            raise TypeError(f"{what} must be a name, found {word!r}")
        choose(word)
    o.outputs = names_of("outputs", outputs)
    if initial is not None:
        _start_at(o, initial, loaded)
    if intervals is not None:
        if o.interval is not None:
            raise ValueError("interval and intervals must not both be given")
        count = whole("intervals", intervals, 1)
        begin, end = loaded.settings(o)[:2]
        o.interval = (end - begin) / count
    return o


def _start_at(o: Any, initial: Initial, loaded: Any) -> None:
    if isinstance(initial, _cardan.State):
        o.resume(initial)
    elif isinstance(initial, Equilibrium):
        initial._require(loaded)
        o.start_at("equilibrium", initial.time, False, list(initial.values), list(initial.values.values()))
    elif isinstance(initial, Result):
        if len(initial) == 0:
            raise ValueError("initial: the Result has no rows")
        row = initial.values[-1].tolist()
        o.start_at("result", row[0], True, list(initial.names), row[1:])
    else:
        raise TypeError(f"initial must be a State, an Equilibrium or a Result, found {initial!r}")


def feed(
    o: Any, inputs: Optional[t.Mapping[str, Any]], known: t.Collection[str], hold: bool
) -> Tuple[Dict[str, Any], Dict[str, Controller]]:
    """Tables go into the options; what is left are constants and functions. Each input is given once."""
    names = list(known)
    fed: Dict[str, str] = {}  # elements, by what
    constants: Dict[str, Any] = {}
    controllers: Dict[str, Controller] = {}
    columns: Dict[str, Array] = {}
    times: Optional[Array] = None
    for name, value in (inputs or {}).items():
        if not isinstance(name, str):
            raise TypeError(f"inputs must be given by their names, found {name!r}")
        places, shape = input_of(name, names)
        for element in (names[i] for i in places):
            if element in fed:
                raise ValueError(f"the input {element!r} is given twice: as {fed[element]!r} and as {name!r}")
            fed[element] = name
        if callable(value):
            controllers[name] = value
        elif isinstance(value, tuple) and len(value) == 2 and np.ndim(value[0]) == 1:
            time, rows = times_of(f"the input {name!r}", value[0]), floats(value[1])
            if times is not None and not np.array_equal(times, time):
                raise ValueError("inputs that are fed by tables must be given at the same times")
            if rows.shape != time.shape + shape:
                wanted = time.shape + shape
                raise ValueError(f"input {name!r}: the values must have the shape {wanted}, found {rows.shape}")
            if not np.all(np.isfinite(rows)):
                raise ValueError(f"values of the input {name!r} must be finite")
            times = time
            columns.update(zip((names[i] for i in places), rows.reshape(len(time), -1).T))
        else:
            constants[name] = value
    if times is not None:
        o.feed(times, list(columns), list(columns.values()), hold)
    return constants, controllers
