"""What is asked of a model near a point, and of its structure."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

import numpy as np
import numpy.typing as npt

from . import _cardan
from ._values import Array, floats

__all__ = ["Branch", "Check", "Equilibrium", "Linear", "Mode", "Modes", "Start"]


@dataclass(frozen=True)
class Branch:
    """A joint or rigid part of the tree, what carries it, and the bodies that it carries."""

    name: str
    type: str
    freedoms: int
    parent: str
    bodies: List[str]


@dataclass(frozen=True)
class Start:
    """A start value: fixed, or a guess; what was asked for and what came of it."""

    name: str
    unit: str
    fixed: bool
    wanted: float
    reached: float


class Check:
    """What Model.check() has found. str() is the account of the start."""

    degrees_of_freedom: int
    components: int
    unknowns: int
    states: List[str]
    cuts: List[str]  # joints at which loops are opened
    loops: List[str]
    redundant: List[str]  # constraints that say nothing new
    contacts: List[str]  # pairs of shapes that may touch
    warnings: List[str]
    text: str

    def __init__(self, found: Dict[str, Any]) -> None:
        self.__dict__.update(found)
        self.tree = [Branch(*b) for b in found["tree"]]
        self.start = [Start(*s) for s in found["start"]]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<cardan.Check: {self.degrees_of_freedom} degrees of freedom, {self.components} components>"


class Equilibrium:
    """Where a model rests, or moves steadily: e["revolute1.phi"]."""

    time: float  # [s]
    unstable: int  # directions that grow
    zeros: int  # those in which it is free to move
    moves: bool  # a steady motion
    turning: bool  # of whose stability nothing is known
    iterations: int

    def __init__(self, model: str, found: Dict[str, Any], free: t.Sequence[str], steady: t.Sequence[str]) -> None:
        self.model = model
        self.__dict__.update(found)
        self.values: Dict[str, float] = {n: x for n, _, x in found["values"]}
        self.held: Dict[str, float] = {n: x for n, _, x in found["held"]}  # what holds what is not free
        self.units: Dict[str, str] = {n: u for n, u, _ in found["values"] + found["held"]}
        self.free, self.steady = list(free), list(steady)

    @property
    def stable(self) -> bool:
        """No direction grows, as far as that is known."""
        return self.unstable == 0 and not self.turning

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    def __contains__(self, name: object) -> bool:
        return name in self.values

    def __iter__(self) -> t.Iterator[str]:
        return iter(self.values)

    def _require(self, loaded: Any) -> None:
        """Raises where it is of another model."""
        name, unknowns = loaded.about()[0], set(loaded.unknowns())
        if self.model != name or set(self.values) != unknowns:
            raise ValueError(f"the equilibrium is of another model: {self.model!r}, this is {name!r}")

    def __repr__(self) -> str:
        kind = "stable" if self.stable else f"unstable in {self.unstable} directions"
        return f"<cardan.Equilibrium at {self.time:g} s: {kind}>"


class Linear:
    """dx/dt = A x + B u, y = C x + D u near a point: differences from it. scipy.signal.StateSpace(*m)
    and control.ss(*m) take it as it is. x0, u0, y0 are the values at the point."""

    A: Array
    B: Array
    C: Array
    D: Array
    time: float  # [s]
    kind: str  # "equilibrium", "steady motion", ...
    frozen: List[str]  # modes that stay as they are
    bends: List[str]  # expressions that bend here

    def __init__(self, found: Dict[str, Any]) -> None:
        self.__dict__.update(found)
        signals = [found[k] for k in ("states", "inputs", "outputs")]
        self.states, self.inputs, self.outputs = ([s[0] for s in all] for all in signals)
        self.x0, self.u0, self.y0 = (np.array([s[2] for s in all], dtype=float) for all in signals)
        self.units: Dict[str, str] = {s[0]: s[1] for all in signals for s in all}

    def __iter__(self) -> t.Iterator[Array]:
        return iter((self.A, self.B, self.C, self.D))

    def lqr(
        self, Q: npt.ArrayLike, R: npt.ArrayLike, sample: float = 0
    ) -> Tuple[Array, Array, npt.NDArray[np.complex128]]:
        """K, S, E: u - u0 = -K (x - x0) has the least integral of x'Q x + u'R u, which is x'S x from x on, and
        E are the poles [1/s] of the loop. `sample` > 0: of inputs that are held so long [s], E then the
        factors of a sample. Raises RunError, which names the mode, where no feedback settles the model, or where
        samples are too long beside what grows; ValueError for weights that are not symmetric or negative."""
        weights = [np.atleast_2d(floats(w)) for w in (Q, R)]
        hidden: Dict[str, Any] = self.__dict__
        found = _cardan.lqr(self.states, self.A, self.B, hidden["_sizes"], hidden["_rate_of"], *weights, sample)
        gains, cost, poles = found
        return gains, cost, poles

    def kalman(
        self, Q: npt.ArrayLike, R: npt.ArrayLike, sample: float = 0
    ) -> Tuple[Array, Array, npt.NDArray[np.complex128]]:
        """L, P, E: the observer dz/dt = A z + B u + L (y - C z - D u) knows x best, Q being the intensity of the noise
        that drives the states, R that of the outputs; P is the covariance of x - z, and E are its poles [1/s].
        `sample` > 0: of outputs that are read every so many seconds, with the noise R/sample each, and A and B of
        inputs that are held as long: z[k+1] = A z[k] + B u[k] + L (y[k] - C z[k] - D u[k]), E the factors of a sample.
        Errors as of lqr."""
        noises = [np.atleast_2d(floats(w)) for w in (Q, R)]
        hidden: Dict[str, Any] = self.__dict__
        found = _cardan.kalman(self.states, self.A, self.C, hidden["_sizes"], hidden["_rate_of"], *noises, sample)
        gains, covariance, poles = found
        return gains, covariance, poles

    def __repr__(self) -> str:
        sizes = f"{len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"
        return f"<cardan.Linear at {self.time:g} s, {self.kind}: {sizes}>"


@dataclass(frozen=True)
class Mode:
    """One eigenvalue [1/s]; of a pair that with the positive imaginary part."""

    eigenvalue: complex
    frequency: float  # [Hz] 0: it does not oscillate
    damping_ratio: float
    time_constant: float  # [s]
    participation: Dict[str, float]  # shares of coordinates
    shape: npt.NDArray[np.complex128]  # of the states


class Modes(Tuple[Mode, ...]):
    """Modes by rising magnitude, without `zeros` eigenvalues of zero, which `free_movements` take part in."""

    time: float  # [s]
    kind: str
    states: List[str]
    zeros: int
    free_movements: List[str]
    unstable: int

    @staticmethod
    def _of(found: Dict[str, Any]) -> Modes:
        modes = Modes(Mode(*m) for m in found["modes"])
        modes.__dict__.update(found, states=[s[0] for s in found["states"]])
        return modes

    def __str__(self) -> str:
        lines = [f"{'eigenvalue [1/s]':>28} {'frequency [Hz]':>14} {'damping':>9}  coordinates"]
        for m in self:
            shares = ", ".join(f"{n} {100 * x:.0f} %" for n, x in m.participation.items() if x >= 0.01)
            lines.append(f"{m.eigenvalue:>28.6g} {m.frequency:>14.6g} {m.damping_ratio:>9.4g}  {shares}")
        return "\n".join(lines)
