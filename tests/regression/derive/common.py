"""What the derivations share: numbers of a model, references, rotations, integration."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices

from pathlib import Path

import numpy as np
import yaml
from scipy.integrate import solve_ivp

HERE = Path(__file__).resolve().parent
EYE = np.eye(3)


class Case:
    """A model's numbers and output times; its equations are the derivation's own."""

    def __init__(self, name):
        self.name = name
        data = yaml.safe_load((HERE.parent / "models" / (name + ".yaml")).read_text())
        self.components = data["components"]
        self.world = data.get("world", {})
        s = data["simulation"]
        interval = float(s["interval"])
        self.t = np.round(np.arange(round(float(s["stop"]) / interval) + 1) * interval, 12)

    def __getitem__(self, component):
        return self.components[component]

    @property
    def g(self):
        """Acceleration of uniform gravity."""
        if self.world.get("gravityType") == "NoGravity":
            return np.zeros(3)
        n = np.array(self.world.get("n", [0, -1, 0]), float)
        return float(self.world.get("g", 9.80665)) * n / np.linalg.norm(n)

    def write(self, columns):
        """The reference; a column with several components becomes name[1], name[2], ..."""
        names, values = ["time"], [self.t]
        for name, value in columns.items():
            value = np.asarray(value, float)
            if value.ndim == 0:
                value = np.full(len(self.t), value)
            if value.ndim == 1:
                names.append(name)
                values.append(value)
            else:
                flat = value.reshape(len(self.t), -1)
                for i in range(flat.shape[1]):
                    index = np.array(np.unravel_index(i, value.shape[1:])) + 1
                    names.append(f"{name}[{','.join(map(str, index))}]")
                    values.append(flat[:, i])
        lines = [",".join(f'"{n}"' for n in names)]
        for row in zip(*values):
            if not np.all(np.isfinite(row)):
                raise ValueError(f"{self.name}: a value is not finite")
            lines.append(",".join(f"{x if abs(x) > 1e-13 else 0:.10g}" for x in row))
        folder = Path(os.environ.get("REFERENCE", HERE.parent / "reference"))
        folder.mkdir(exist_ok=True)
        (folder / (self.name + ".csv")).write_text("\n".join(lines) + "\n")


def integrate(f, y0, t, **options):
    """States at the times t, one row each."""
    r = solve_ivp(f, (t[0], t[-1]), np.asarray(y0, float), "DOP853", t, rtol=1e-12, atol=1e-13,
                  **options)
    if not r.success:
        raise RuntimeError(r.message)
    return r.y.T


def piecewise(modes, mode, y, t):
    """A system of modes. modes[m] = (f(t, y), [(event(t, y), direction, jump(t, y) -> (m, y))]).

    Between its switches every mode is integrated on its own. Returns states at the times t, the
    modes there and the switching times."""
    rows, which, switches = np.empty((len(t), len(y))), [None] * len(t), []
    now, y = t[0], np.array(y, float)
    while True:
        f, exits = modes[mode]
        events = []
        for g, direction, _ in exits:
            def event(time, state, g=g):
                return g(time, state)
            event.terminal, event.direction = True, direction
            events.append(event)
        r = solve_ivp(f, (now, t[-1] + 1e-9), y, "DOP853", rtol=1e-12, atol=1e-14, events=events,
                      dense_output=True, max_step=2e-3)
        end = r.t[-1]
        for i in np.nonzero((t >= now - 1e-12) & (t <= end))[0]:
            rows[i] = r.sol(max(t[i], now)) if end > now else y
            which[i] = mode
        if r.status == 0:
            return rows, which, switches
        k = next(i for i, e in enumerate(r.t_events) if len(e))
        now, y = end, r.y[:, -1]
        mode, y = exits[k][2](now, y)
        switches.append(now)
        if len(switches) > 200:
            raise RuntimeError("switches without end")


def skew(v):
    return np.array([[0 * v[0], -v[2], v[1]], [v[2], 0 * v[0], -v[0]], [-v[1], v[0], 0 * v[0]]])


def unit(v):
    v = np.array(v, float)
    return v / np.linalg.norm(v)


def turn(n, phi):
    """Rodrigues' rotation about n by phi: columns are the turned axes (v_0 = A v_body)."""
    k = skew(unit(n))
    return EYE + np.sin(phi) * k + (1 - np.cos(phi)) * k @ k


def turns(sequence, angles):
    """Turns about body-fixed axes, one after the other."""
    a = EYE
    for s, phi in zip(sequence, angles):
        a = a @ turn(EYE[s - 1], phi)
    return a


def angle_about(n, a):
    """Continuous angle of rotations about n, from sine and cosine."""
    n = unit(n)
    u = unit(np.cross(n, [0.3, -0.5, 0.8]))
    v = np.cross(n, u)
    w = np.asarray(a) @ u
    return np.unwrap(np.arctan2(w @ v, w @ u))


def angle_between(n, u, v):
    """Continuous angle about n from u to v, each a direction or a row of them for each time."""
    n = unit(n)
    u, v = (x - np.asarray(x @ n)[..., None] * n for x in (np.asarray(u), np.asarray(v)))
    return np.unwrap(np.arctan2(np.cross(u, v) @ n, np.sum(u * v, -1)))


def inertia(c):
    """Mass, centre of mass and inertia tensor of a Body's parameters."""
    I = np.diag([float(c.get("I_11", 1e-3)), float(c.get("I_22", 1e-3)), float(c.get("I_33", 1e-3))])
    for i, j in ((1, 0), (2, 0), (2, 1)):
        I[i, j] = I[j, i] = float(c.get(f"I_{i + 1}{j + 1}", 0))
    return float(c.get("m", 1)), np.array(c.get("r_CM", [0, 0, 0]), float), I
