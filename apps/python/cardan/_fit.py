"""Parameters from measurements."""

from __future__ import annotations

import os
import typing as t
from dataclasses import dataclass
from typing import Any, Dict, List, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _cardan
from ._result import Result
from ._values import Array, floats, number, times_of

__all__ = ["Fit", "FittedSignal", "Measured", "Parameters", "bounded", "task_of"]

Measured = Union[str, "os.PathLike[str]", Result, t.Mapping[str, Any]]
Parameters = Union[str, t.Sequence[str], t.Mapping[str, Any]]


@dataclass(frozen=True)
class FittedSignal:
    """A signal of a run of the data: measured, and the model before and after; half the width of the interval
    of the curve; standard deviation of a value, given or found."""

    run: str
    name: str
    unit: str
    sigma: float
    time: Array
    measured: Array
    before: Array
    fit: Array
    band: Array


class Fit:
    """What Model.fit() has found. Errors are infinite where the data do not tell."""

    names: List[str]  # of the parameters
    units: List[str]
    x: Array
    errors: Array  # standard errors
    intervals: Array  # (parameters, 2)
    active_mask: npt.NDArray[np.int64]  # -1, 1: at the lower, upper bound
    covariance: Array
    correlation: Array
    cost: float  # half the sum of squares (with a loss: of what it makes of them)
    fun: Array  # residuals by standard deviation
    jac: Array
    success: bool
    message: str
    nfev: int
    njev: int
    untold: List[str]  # what the data cannot tell
    bent: List[str]  # intervals that are rough, as the model is not linear within them
    differences: List[str]  # derivatives that are no sensitivities, and why
    warnings: List[str]

    def __init__(self, found: Dict[str, Any]) -> None:
        signals = found.pop("signals")
        self.__dict__.update(found)
        self.signals = [FittedSignal(*s[:4], *(np.asarray(a) for a in s[4:])) for s in signals]

    @property
    def parameters(self) -> Dict[str, float]:
        """Values by name, as Model.copy() takes them."""
        return dict(zip(self.names, self.x.tolist()))

    def __repr__(self) -> str:
        return ", ".join(f"{n} = {v:.6g} +- {e:.2g}" for n, v, e in zip(self.names, self.x, self.errors))


def _bounds_of(name: str, value: Any) -> Tuple[float, float]:
    if value is None:
        return -np.inf, np.inf
    if not isinstance(value, str) and np.shape(value) == (2,):
        low, high = (number(f"a bound of {name!r}", b) for b in value)
        return low, high
    raise TypeError(f"bounds of {name!r} must be (low, high) or None, found {value!r}")


def bounded(parameters: Parameters) -> List[Tuple[str, float, float]]:
    """Names and bounds."""
    names = [parameters] if isinstance(parameters, str) else list(parameters)
    bounds = parameters if isinstance(parameters, t.Mapping) else {}
    return [(name, *_bounds_of(name, bounds.get(name))) for name in names]


def task_of(
    parameters: Parameters,
    data: Union[Measured, t.Sequence[Measured]],
    signals: List[str],
    sigma: Dict[str, float],
    options: Any,
    hold: bool,
) -> Any:
    task = _cardan.FitTask()
    for name, low, high in bounded(parameters):
        task.parameter(name, low, high)
    for name in sigma:
        if signals and name not in signals:
            raise ValueError(f"sigma: {name!r} is none of the signals, {', '.join(signals)}")
    for name in signals or sigma:
        task.signal(name, number(f"sigma of {name!r}", sigma[name]) if name in sigma else None)
    runs = [data] if isinstance(data, (str, os.PathLike, Result, t.Mapping)) else list(data)
    for k, run in enumerate(runs, 1):
        if isinstance(run, (str, os.PathLike)):
            task.file(os.fspath(run), options, hold)
            continue
        time = times_of("data", run["time"])
        columns: Dict[str, Array] = {}
        for name in run.names if isinstance(run, Result) else run:
            if name == "time":
                continue
            values = floats(run[name])
            if values.shape[:1] != time.shape or values.ndim > 2:
                raise ValueError(f"data: {name!r} has the shape {values.shape} for {len(time)} times")
            columns.update(
                {name: values} if values.ndim == 1 else {f"{name}[{i}]": c for i, c in enumerate(values.T, 1)}
            )
        task.run(f"run {k}", time, list(columns), list(columns.values()), options, hold)
    return task
