"""Parameters that make runs best."""

from __future__ import annotations

from typing import Any, Dict, List

import numpy as np
import numpy.typing as npt

from ._values import Array

__all__ = ["Optimum"]


class Optimum:
    """What Model.optimize() has found, with the names of scipy.optimize.OptimizeResult."""

    names: List[str]  # of the parameters
    units: List[str]
    x: Array  # what is not known is NaN: all of it where no run has come to its end
    fun: float  # the goal
    jac: Array  # its derivatives by the parameters; empty where nobody asked
    success: bool
    message: str
    nit: int
    nfev: int  # runs
    njev: int  # runs with derivatives
    constraints: Array  # values of their left sides
    violated: npt.NDArray[np.bool_]  # whether each of them is
    multipliers: Array  # what the goal gains per unit that a bound gives way
    active_mask: npt.NDArray[np.int64]  # -1, 1: at the lower, upper bound
    differences: List[str]  # derivatives that are no sensitivities, and why
    warnings: List[str]

    def __init__(self, found: Dict[str, Any]) -> None:
        self.__dict__.update(found)

    @property
    def parameters(self) -> Dict[str, float]:
        """Values by name, as Model.copy() takes them."""
        return dict(zip(self.names, self.x.tolist()))

    def __repr__(self) -> str:
        marked = " (constraints are violated)" if self.violated.any() else ""
        return f"{self.fun:.6g} at " + ", ".join(f"{n} = {v:.6g}" for n, v in zip(self.names, self.x)) + marked
