"""Values of parameters and options, as they are handed on."""

from __future__ import annotations

import json
import typing as t
from typing import Any, List

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "floats", "names_of", "number", "overrides_of", "times_of", "yaml_of"]

Array = npt.NDArray[np.float64]


def _plain(value: Any) -> Any:
    """What json does not know: arrays and numbers of NumPy."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a value must be a number, a Boolean, a text or a list, found {value!r}")


def overrides_of(values: t.Mapping[str, Any]) -> List[str]:
    """As `--set` has them. A text stands as it is, so that it can be an expression ("2*L", "30 deg")."""

    def text(value: Any) -> str:
        if value is None:
            return str(_plain(value))
        plain = json.dumps(value, default=_plain, allow_nan=False, ensure_ascii=False)
        return value if isinstance(value, str) else plain

    return [f"{name}={text(value)}" for name, value in values.items()]


def yaml_of(model: t.Mapping[str, Any]) -> str:
    """A model file in the shape of a dict as its text."""
    return json.dumps(dict(model), default=_plain, indent=1, allow_nan=False, ensure_ascii=False)


def number(name: str, value: Any) -> float:
    """A number that was given for an option."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, found {value!r}") from None


def floats(value: Any) -> Array:
    """Numbers of an array; what is masked is not a number."""
    if isinstance(value, np.ma.MaskedArray):
        value = np.ma.filled(value.astype(float), np.nan)
    return np.asarray(value, dtype=float)


def times_of(what: str, value: Any) -> Array:
    """Times [s] of rows: some, finite, none before the one above it."""
    times = floats(value)
    if times.ndim != 1 or len(times) == 0 or not np.all(np.isfinite(times)) or np.any(np.diff(times) < 0):
        raise ValueError(f"times of {what} must be a list of finite numbers that do not fall")
    return times


def names_of(name: str, value: Any) -> List[str]:
    """A list of names; one name stands for a list of one."""
    names = [value] if isinstance(value, str) else list(value or ())
    for n in names:
        if not isinstance(n, str):
            raise TypeError(f"{name} must be names, found {n!r}")
    return names
