"""Values of parameters and options, as they are handed on."""

from __future__ import annotations

import copy
import difflib
import json
import math
import re
import typing as t
from typing import Any, Dict, List, Tuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "Array", "ELEMENT", "elements_of", "floats", "input_of", "kept", "names_of", "number", "output_of", "overrides_of",
    "times_of", "whole", "yaml_of",
]

Array = npt.NDArray[np.float64]
ELEMENT = re.compile(r"(.*)\[(\d+(?:,\d+)*)\]")


def _plain(value: Any) -> Any:
    """What json does not know: arrays and numbers of NumPy."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a value must be a number, a Boolean, a text or a list, found {value!r}")


def _not_finite(name: str, value: Any) -> str:
    """The name of the first number in a value that is none; "": there is none."""
    value = value.tolist() if hasattr(value, "tolist") else value
    parts: t.Iterable[Tuple[str, Any]] = ()
    if isinstance(value, t.Mapping):
        parts = ((f"{name}.{k}" if name else str(k), v) for k, v in value.items())
    elif isinstance(value, (list, tuple)):
        parts = ((f"{name}[{i}]", v) for i, v in enumerate(value, 1))
    elif isinstance(value, float) and not math.isfinite(value):
        return name
    return next(filter(None, (_not_finite(n, v) for n, v in parts)), "")


def _json(name: str, value: Any, **how: Any) -> str:
    try:
        return json.dumps(value, default=_plain, allow_nan=False, ensure_ascii=False, **how)
    except ValueError:
        place = _not_finite(name, value)
        if not place:
            raise
    raise ValueError(f"{place!r} must be finite")


def kept(value: Any) -> Any:
    """A value that nobody else can change."""
    return value.tolist() if hasattr(value, "tolist") else copy.deepcopy(value)


def overrides_of(values: t.Mapping[str, Any]) -> List[str]:
    """As `--set` has them. A text stands as it is, so that it can be an expression ("2*L", "30 deg")."""

    def text(name: str, value: Any) -> str:
        if value is None:
            return str(_plain(value))
        return value if isinstance(value, str) else _json(name, value)

    return [f"{name}={text(name, value)}" for name, value in values.items()]


def yaml_of(model: t.Mapping[str, Any]) -> str:
    """A model file in the shape of a dict as its text."""
    return _json("", dict(model), indent=1)


def number(name: str, value: Any) -> float:
    """A number that was given for an option."""
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{name} must be a number, found {value!r}")


def whole(name: str, value: Any, least: int) -> int:
    """A whole number that was given for an option."""
    if not (number(name, value).is_integer() and least <= value < 2**63):
        raise ValueError(f"{name} must be a whole number of at least {least}, found {value!r}")
    return int(value)


def floats(value: Any) -> Array:
    """Numbers of an array; what is masked is not a number."""
    if isinstance(value, np.ma.MaskedArray):
        return np.where(value.mask, np.nan, np.asarray(value.data, dtype=float))
    return np.asarray(value, dtype=float)


def times_of(what: str, value: Any) -> Array:
    """Times [s] of rows: some, finite, none before the one above it."""
    times = floats(value)
    if times.ndim != 1 or len(times) == 0 or not np.all(np.isfinite(times)) or np.any(np.diff(times) < 0):
        raise ValueError(f"times of {what} must be a list of finite numbers that do not fall")
    return times


def names_of(name: str, value: Any) -> List[str]:
    """A list of names; one name stands for a list of one."""
    names = [value] if isinstance(value, str) else [] if value is None else list(value)
    for n in names:
        if not isinstance(n, str):
            raise TypeError(f"{name} must be names, found {n!r}")
    return names


def elements_of(name: str, names: t.Sequence[str]) -> Tuple[List[int], Tuple[int, ...]]:
    """Places in `names` of a name, whose shape is (), or of the elements of an array of this name; none where there
    is neither."""
    if name in names:
        return [names.index(name)], ()
    found: Dict[Tuple[int, ...], int] = {}
    for place, full in enumerate(names):
        element = ELEMENT.fullmatch(full) if full.startswith(name) else None
        if element and element[1] == name:
            found[tuple(int(i) for i in element[2].split(","))] = place
    places = [found[i] for i in sorted(found)]
    shape = max(found, default=())
    return places, shape if len(places) == math.prod(shape) else (len(places),)


def _place_of(name: str, names: t.Sequence[str], rule: str) -> Tuple[List[int], Tuple[int, ...]]:
    found = elements_of(name, names)
    if not found[0]:
        close = difflib.get_close_matches(name, names, 1)
        raise KeyError(f"{name!r} {rule}" + (f"; did you mean {close[0]!r}?" if close else ""))
    return found


def output_of(name: str, names: t.Sequence[str]) -> Tuple[List[int], Tuple[int, ...]]:
    """Places and shape of an output that a run has."""
    return _place_of(name, names, "is not among the outputs: what is to be there is given as outputs=[...]")


def input_of(name: str, names: t.Sequence[str]) -> Tuple[List[int], Tuple[int, ...]]:
    """Places and shape of an input."""
    return _place_of(name, names, "is no input that has a number in the model")
