"""Many runs of one model, on threads."""

from __future__ import annotations

import itertools
import os
import typing as t
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np

from ._errors import ModelError, RunError
from ._result import Result
from ._values import whole

__all__ = ["Sweep", "SweptRun", "Variations", "points_of", "sweep"]

M = t.TypeVar("M")
Variations = Union[t.Mapping[str, t.Sequence[Any]], t.Sequence[t.Mapping[str, Any]]]


@dataclass(frozen=True)
class SweptRun:
    """One run: its parameters; what is kept of it, or the error that it ended with: a ModelError, a RunError, of a
    value that is none a TypeError or ValueError."""

    parameters: Dict[str, Any]
    result: Any
    error: Optional[Exception]


class Sweep(Tuple[SweptRun, ...]):
    """The runs of Model.sweep(), in the order of their parameters."""

    @property
    def results(self) -> List[Any]:
        """What is kept of each run; None where one has failed before its first row."""
        return [run.result for run in self]

    @property
    def failed(self) -> List[SweptRun]:
        """Those that have ended with an error."""
        return [run for run in self if run.error is not None]

    def __getitem__(self, key: Any) -> Any:
        """A run by its number; an array of the values of a parameter by its name."""
        if isinstance(key, str):
            return np.array([run.parameters[key] for run in self])
        return super().__getitem__(key)


def points_of(variations: Variations) -> List[Dict[str, Any]]:
    """All combinations of a dict of lists, the last name fastest; a list of dicts as it is."""
    if not isinstance(variations, t.Mapping):
        return [dict(p) for p in variations]
    names = list(variations)
    for name in names:
        if isinstance(variations[name], str) or not hasattr(variations[name], "__iter__"):
            raise TypeError(f"sweep: the values of {name!r} must be a list, found {variations[name]!r}")
    return [dict(zip(names, values)) for values in itertools.product(*variations.values())]


def sweep(
    points: t.Sequence[Dict[str, Any]],
    changed: Callable[[Dict[str, Any]], M],
    simulate: Callable[[M], Result],
    stop: Callable[[], Any],
    threads: Optional[int],
    keep: Optional[Callable[[Result], Any]],
    progress: Optional[Callable[[int, int], Any]],
) -> Sweep:
    """`changed`: the model of a point, `simulate`: its run, in any thread; `stop`: ends those that are under way."""

    def run(point: Dict[str, Any]) -> SweptRun:
        try:
            model = changed(point)
        except (ModelError, TypeError, ValueError) as e:
            return SweptRun(point, None, e)
        try:
            result = simulate(model)
            return SweptRun(point, keep(result) if keep else result, None)
        except ModelError as e:
            return SweptRun(point, None, e)
        except RunError as e:
            return SweptRun(point, None if keep else e.result, e)

    pool = ThreadPoolExecutor(os.cpu_count() or 1 if threads is None else whole("threads", threads, 1))
    try:
        runs = []
        for done, swept in enumerate(pool.map(run, points), 1):
            runs.append(swept)
            if progress is not None:
                progress(done, len(points))
        return Sweep(runs)
    except BaseException:
        stop()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
