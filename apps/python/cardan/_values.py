"""Values of parameters as model files write them."""

from __future__ import annotations

import json
import math
import typing as t
from typing import Any, Dict, List

import numpy as np

__all__ = ["described", "names_of", "number", "overrides_of", "text_of", "yaml_of"]


def text_of(name: str, value: Any) -> str:
    """What stands behind `--set NAME=`: numbers, Booleans, lists and arrays of them; a text stands as it
    is, so that it can be an expression ("2*L", "30 deg") or a choice."""
    return value if isinstance(value, str) else _inner(name, value)


def _inner(name: str, value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"{name!r} must be finite, found {value}")
        return repr(float(value))
    if isinstance(value, t.Mapping):
        return "{" + ", ".join(f"{k}: {_inner(name, v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(_inner(name, v) for v in value) + "]"
    raise TypeError(f"{name!r} must be a number, a Boolean, a text or a list, found {value!r}")


def overrides_of(values: t.Mapping[str, Any]) -> List[str]:
    return [f"{name}={text_of(name, value)}" for name, value in values.items()]


def yaml_of(model: t.Mapping[str, Any]) -> str:
    """A model file in the shape of a dict as its text."""
    return json.dumps(_plain(model), indent=1, ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, t.Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


def number(name: str, value: Any) -> float:
    """A number that was given for an option."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, found {value!r}") from None


def names_of(name: str, value: Any) -> List[str]:
    """A list of names; one name stands for a list of one."""
    if value is None:
        return []
    names = [value] if isinstance(value, str) else list(value)
    for n in names:
        if not isinstance(n, str):
            raise TypeError(f"{name} must be names, found {n!r}")
    return names


def described(text: Dict[str, Any]) -> str:
    """"L=0.6, d=1" of a dict, for what is shown."""
    return ", ".join(f"{k}={v}" for k, v in text.items())
