"""Results of runs."""

from __future__ import annotations

import importlib
import os
import typing as t
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _cardan
from ._values import Array, output_of

__all__ = ["Event", "Result", "Sensitivities"]


@dataclass(frozen=True)
class Event:
    """An instant at which a run stopped to switch: time [s] and what has changed."""

    time: float
    changed: Tuple[str, ...]


class Result:
    """Rows over time. r["revolute1.phi"] is a column, r["body.r_0"] an array of (rows, 3), r["frame.R.T"]
    one of (rows, 3, 3): views of `values`, without a copy where their columns stand side by side. Two
    rows of one time are the values before and after an event.

    values  (rows, 1 + columns), time first      names, units, descriptions  of the columns
    events  instants at which something switched  stats      what the run has cost
    methods (time, method, why)                   warnings   what the run has told
    ended   "completed", "terminated" by the model, "interrupted" or "failed"; why is in `message`
    """

    def __init__(
        self,
        columns: t.Sequence[Tuple[str, str, str, bool]],
        values: Array,
        report: Dict[str, Any],
        error: Optional[BaseException] = None,
    ) -> None:
        self.values = values
        self.names: Tuple[str, ...] = tuple(c[0] for c in columns)
        self.units: Dict[str, str] = {c[0]: c[1] for c in columns}
        self.descriptions: Dict[str, str] = {c[0]: c[2] for c in columns}
        self.booleans: Tuple[str, ...] = tuple(c[0] for c in columns if c[3])
        self.events: List[Event] = [Event(when, tuple(what)) for when, what in report["events"]]
        self.methods: List[Tuple[float, str, str]] = report["methods"]
        self.warnings: List[str] = report["warnings"]
        self.stats: Dict[str, Union[int, float]] = report["stats"]
        self.ended = "completed"
        self.message: str = report["terminated"]
        if error is not None:
            interrupted = not isinstance(error, Exception)
            self.ended, self.message = "interrupted" if interrupted else "failed", str(error)
        elif self.message:
            self.ended = "terminated"
        elif report["interrupted"]:
            self.ended = "interrupted"
        self._places: Dict[str, Any] = {n: i for i, n in enumerate(self.names, 1)}

    @property
    def time(self) -> Array:
        """[s]"""
        return self.values[:, 0]

    def __getitem__(self, name: str) -> Array:
        place = self._places.get(name)
        if place is None:
            place = self._places[name] = self._place_of(name)
        if isinstance(place, int):
            return self.values[:, place]
        first, shape, others = place
        if others is None:
            block = self.values[:, first : first + int(np.prod(shape))]
        else:
            block = self.values[:, others]
        return block if len(shape) == 1 else block.reshape(len(block), *shape)

    def _place_of(self, name: str) -> Any:
        """Of an array: first column, shape, all columns where they do not stand side by side."""
        if name == "time":
            return 0
        elements, shape = output_of(name, self.names)
        places = [i + 1 for i in elements]
        adjoin = places == list(range(places[0], places[0] + len(places)))
        return places[0], shape, None if adjoin else places

    def __contains__(self, name: object) -> bool:
        try:
            self[str(name)]
        except KeyError:
            return False
        return True

    def __iter__(self) -> t.Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        """Rows."""
        return len(self.values)

    def keys(self) -> Tuple[str, ...]:
        """Names of the columns."""
        return self.names

    def final(self, name: str) -> Any:
        """The last value of a column, or of an array."""
        return self[name][-1]

    def __repr__(self) -> str:
        until = f" to {self.time[-1]:g} s" if len(self) else ""
        return f"<cardan.Result: {self.ended}, {len(self)} rows of {len(self.names)} columns{until}>"

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a CSV file, to the byte what `cardan simulate` writes."""
        columns = [(n, n in self.booleans) for n in self.names]
        _cardan.write_csv(os.fspath(path), columns, self.values)

    def to_dataframe(self) -> Any:
        """A pandas.DataFrame with time as its index; units in `attrs["units"]`. Needs pandas."""
        pandas: Any = importlib.import_module("pandas")
        index = pandas.Index(self.time, name="time")
        frame = pandas.DataFrame(self.values[:, 1:], index=index, columns=list(self.names), copy=False)
        frame.attrs["units"] = dict(self.units)
        return frame

    def plot(self, *names: str, ax: Any = None) -> Any:
        """Draws columns (all, if none is named) over time; the axes. Needs matplotlib."""
        plt: Any = importlib.import_module("matplotlib.pyplot")
        if ax is None:
            ax = plt.subplots()[1]
        for name in names or self.names:
            unit = self.units.get(name) or self.units.get(f"{name}[1]", "")
            ax.plot(self.time, self[name].reshape(len(self), -1), label=f"{name} [{unit}]" if unit else name)
        ax.set_xlabel("time [s]")
        ax.legend()
        return ax


class Sensitivities(Result):
    """A result, and behind it its derivatives by parameters: r["d(j1.phi)/d(L)"]."""

    parameters: Tuple[str, ...] = ()

    def derivative(self, name: str, parameter: str) -> Array:
        """d(name)/d(parameter) over time, per unit of the parameter."""
        return self[f"d({name})/d({parameter})"]

    def jacobian(self, *names: str) -> Array:
        """(rows * names, parameters): derivatives of columns one below the other, as least squares
        of their residuals one behind the other want them."""
        return np.concatenate(
            [np.stack([self.derivative(n, p) for p in self.parameters], axis=1) for n in names]
        )
