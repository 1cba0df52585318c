"""Rigid bodies in maximal coordinates, held together by constraint equations.

Newton's and Euler's equations of free bodies (centre of mass, rotation matrix, body-fixed angular
velocity) and Lagrange multipliers:  M a + J' lambda = f,  J a + der(J) v + der(c) = 0.
der(J) v is a complex-step derivative. Nothing is shared with a formulation in joint coordinates.
A body's points and directions are given in its frame_a; body -1 is the ground.
"""

import numpy as np

from common import EYE, inertia, integrate, skew, unit

H = 1e-30


class System:
    def __init__(self, case, redundant=False):
        self.case, self.g, self.redundant = case, case.g, redundant
        self.m, self.com, self.I, self.r, self.A = [], [], [], [], []
        self.constraints, self.loads, self.drives, self.conditions = [], [], [], []
        self.extra, self.extra_rate = np.zeros(0), lambda t, s: np.zeros(0)

    # Parts ------------------------------------------------------------------------------------

    def body(self, parameters, at=(0, 0, 0), A=EYE):
        """A body whose frame_a stands at `at`, turned by A; returns its number."""
        m, com, I = parameters if isinstance(parameters, tuple) else inertia(parameters)
        self.m.append(m)
        self.com.append(np.array(com, float))
        self.I.append(np.array(I, float))
        self.r.append(np.array(at, float) + A @ com)
        self.A.append(np.array(A, float))
        return len(self.m) - 1

    def point_mass(self, m, at):
        """A point: without inertia, its rotation is held."""
        i = self.body((m, np.zeros(3), EYE), at)
        self.start(lambda s: s.spin(i), np.zeros(3))
        return i

    # Constraints, each a function (state) -> value, rows of the Jacobian ------------------------

    def point(self, i, p, j, q, directions=EYE):
        """Point q of j stands at point p of i, in the directions (of the world)."""
        def f(s):
            d = s.at(j, q) - s.at(i, p)
            return directions @ d, directions @ (s.velocity(j, q) - s.velocity(i, p))
        self.constraints.append(f)

    def across(self, i, p, a, j, q):
        """The way from point p of i to point q of j has a constant part along a of i."""
        def f(s):
            d, u = s.at(j, q) - s.at(i, p), s.A(i) @ a
            rows = u @ (s.velocity(j, q) - s.velocity(i, p)) + (d @ s.turning(i, a))
            return [u @ d], [rows]
        self.constraints.append(f)

    def dot(self, i, a, j, b):
        """The angle between direction a of i and b of j is constant."""
        def f(s):
            u, v = s.A(i) @ a, s.A(j) @ b
            return [u @ v], [v @ s.turning(i, a) + u @ s.turning(j, b)]
        self.constraints.append(f)

    def distance(self, i, p, j, q):
        def f(s):
            d = s.at(j, q) - s.at(i, p)
            return [d @ d / 2], [d @ (s.velocity(j, q) - s.velocity(i, p))]
        self.constraints.append(f)

    def rate(self, rows, c=lambda t: 0 * t):
        """A condition on velocities alone: rows(state) v + c(t) = 0."""
        self.constraints.append(lambda s: ([0 * s.t], np.atleast_2d(rows(s))))
        self.drives.append((len(self.constraints) - 1, c))

    # Joints -----------------------------------------------------------------------------------

    def parallel(self, i, n, j, m=None):
        """Direction n of i and m of j stay as they are to each other: rotation about n only."""
        n = unit(n)
        u = unit(np.cross(n, [0.36, 0.48, -0.8]))
        for a in (u, np.cross(n, u)):
            self.dot(i, a, j, self._in(j, i, n) if m is None else m)

    def _in(self, j, i, a):
        """Direction a of i, resolved in j, as they stand at the start."""
        return self._A(j).T @ self._A(i) @ np.array(a, float)

    def _A(self, i):
        return EYE if i < 0 else self.A[i]

    def same_turn(self, i, j):
        """No rotation of j relative to i."""
        for a, b in ((0, 1), (1, 2), (2, 0)):
            self.dot(i, EYE[a], j, self._in(j, i, EYE[b]))

    def revolute(self, i, p, j, q, n):
        self.point(i, p, j, q)
        self.parallel(i, n, j)

    def prismatic(self, i, p, j, q, n):
        self.line(i, p, j, q, n)
        self.same_turn(i, j)

    def line(self, i, p, j, q, n):
        """Point q of j moves along n of i only."""
        n = unit(n)
        u = unit(np.cross(n, [0.36, 0.48, -0.8]))
        for a in (u, np.cross(n, u)):
            self.across(i, p, a, j, q)

    def cylindrical(self, i, p, j, q, n):
        self.line(i, p, j, q, n)
        self.parallel(i, n, j)

    def universal(self, i, p, j, q, n_a, n_b):
        self.point(i, p, j, q)
        self.dot(i, unit(n_a), j, unit(n_b))

    def planar(self, i, p, j, q, n):
        self.across(i, p, unit(n), j, q)
        self.parallel(i, n, j)

    # Loads: functions (state) -> nothing, that add to state.f, state.tau --------------------------

    def load(self, f):
        self.loads.append(f)

    def line_force(self, i, p, j, q, law):
        """law(length, rate) pulls the points together where positive."""
        def f(s):
            d = s.at(j, q) - s.at(i, p)
            v = (s.velocity(j, q) - s.velocity(i, p)) @ s.v
            L = np.sqrt(d @ d)
            force = law(L, d @ v / L) * d / L
            s.push(i, p, force)
            s.push(j, q, -force)
        self.load(f)

    # Solution -----------------------------------------------------------------------------------

    def start(self, rows, value):
        """A condition on the velocities at the start: rows(state) v = value."""
        self.conditions.append((rows, value))

    def start_relative(self, i, p, j, q, v, w):
        """Velocity of point q of j and angular velocity of j, seen from i and resolved there."""
        def f(s):
            d = skew(s.at(j, q) - s.at(i, p))
            rows = s.velocity(j, q) - s.velocity(i, p) + d @ s.spin(i)
            return s.A(i).T @ np.vstack([rows, s.spin(j) - s.spin(i)]).reshape(2, 3, -1)
        self.start(lambda s: f(s).reshape(6, -1), np.concatenate([v, w]))

    def _state(self, t, y, v=None):
        return State(self, t, y, v)

    def _jacobian(self, s):
        return np.vstack([np.atleast_2d(c(s)[1]) for c in self.constraints]) if self.constraints \
            else np.zeros((0, 6 * len(self.m)))

    def _drive(self, t, rows):
        c = np.zeros(sum(rows), complex if np.iscomplexobj(t) else float)
        begin = np.cumsum([0] + rows)
        for k, f in self.drives:
            c[begin[k]] = f(t)
        return c

    def _start_velocity(self, y):
        s = self._state(self.case.t[0], y)
        J = self._jacobian(s)
        rows = [np.atleast_2d(c(s)[1]).shape[0] for c in self.constraints]
        b = -self._drive(s.t, rows)
        for f, value in self.conditions:
            f = np.atleast_2d(f(s))
            J, b = np.vstack([J, f]), np.concatenate([b, np.atleast_1d(value)])
        v, _, rank, _ = np.linalg.lstsq(J, b, rcond=1e-10)
        if rank < len(v):
            raise ValueError(f"{self.case.name}: {len(v) - rank} velocities are free at the start")
        if np.abs(J @ v - b).max(initial=0) > 1e-12 * (1 + np.abs(b).max(initial=0)):
            raise ValueError(f"{self.case.name}: the velocities at the start contradict")
        return v

    def accelerations(self, t, y):
        """State with accelerations s.a and multipliers."""
        n = len(self.m)
        s = self._state(t, y)
        s.f, s.tau = np.outer(self.m, self.g), np.zeros((n, 3))
        for k in range(n):
            s.tau[k] -= np.cross(s.w(k), self.I[k] @ s.w(k))
        for f in self.loads:
            f(s)
        M = np.zeros((6 * n, 6 * n))
        for k in range(n):
            M[6 * k:6 * k + 3, 6 * k:6 * k + 3] = self.m[k] * EYE
            M[6 * k + 3:6 * k + 6, 6 * k + 3:6 * k + 6] = self.I[k]
        f = np.hstack([s.f, s.tau]).ravel()
        J = self._jacobian(s)
        rows = [np.atleast_2d(c(s)[1]).shape[0] for c in self.constraints]
        ahead = s.ahead()
        gamma = np.imag(self._jacobian(ahead) @ s.v + self._drive(ahead.t, rows)) / H
        c = len(J)
        K = np.block([[M, J.T], [J, np.zeros((c, c))]])
        b = np.concatenate([f, -gamma])
        x = np.linalg.lstsq(K, b, rcond=1e-11)[0] if self.redundant else np.linalg.solve(K, b)
        s.a, s.reaction = x[:6 * n].reshape(n, 6), (f * 0 - J.T @ x[6 * n:]).reshape(n, 6)
        return s

    def _rate(self, t, y):
        s = self.accelerations(t, y)
        n = len(self.m)
        out = np.empty_like(y)
        for k in range(n):
            out[12 * k:12 * k + 3] = s.v[6 * k:6 * k + 3]
            out[12 * k + 3:12 * k + 12] = (s.A(k) @ skew(s.w(k))).ravel()
        out[12 * n:18 * n] = s.a.ravel()
        out[18 * n:] = self.extra_rate(t, s)
        return out

    def at_start(self):
        """The positions at the start."""
        poses = [np.concatenate([r, A.ravel()]) for r, A in zip(self.r, self.A)]
        return self._state(0, np.concatenate(poses + [np.zeros(6 * len(poses)), self.extra]))

    def run(self):
        """States with accelerations at the model's times."""
        n, y = len(self.m), self.at_start().y
        y[12 * n:18 * n] = self._start_velocity(y)
        rows = integrate(self._rate, y, self.case.t)
        states = [self.accelerations(t, y) for t, y in zip(self.case.t, rows)]
        velocity = {k for k, _ in self.drives}
        first, last = states[0], states[-1]
        for k, c in enumerate(self.constraints):
            drift = np.abs(np.asarray(c(last)[0]) - np.asarray(c(first)[0])).max()
            if k not in velocity and drift > 1e-9:
                raise ValueError(f"{self.case.name}: constraint {k} drifts by {drift:g}")
        return Run(self, states)


class State:
    """Positions, velocities and what follows from them at one time."""

    def __init__(self, system, t, y, v=None):
        self.system, self.t, self.y = system, t, y
        n = len(system.m)
        self.v = y[12 * n:18 * n] if v is None else v
        self.extra = y[18 * n:]
        self.n = n

    def A(self, i):
        return EYE if i < 0 else self.y[12 * i + 3:12 * i + 12].reshape(3, 3)

    def w(self, i):
        """Angular velocity, resolved in the body."""
        return np.zeros(3) if i < 0 else self.v[6 * i + 3:6 * i + 6]

    def at(self, i, p):
        """Point p of body i, in the world."""
        p = np.asarray(p, float)
        return p if i < 0 else self.y[12 * i:12 * i + 3] + self.A(i) @ (p - self.system.com[i])

    def velocity(self, i, p):
        """Rows of the velocity of point p of body i, resolved in the world."""
        J = np.zeros((3, 6 * self.n), self.y.dtype)
        if i >= 0:
            J[:, 6 * i:6 * i + 3] = EYE
            J[:, 6 * i + 3:6 * i + 6] = -self.A(i) @ skew(np.asarray(p) - self.system.com[i])
        return J

    def turning(self, i, a):
        """Rows of the rate of change of direction a of body i, resolved in the world."""
        J = np.zeros((3, 6 * self.n), self.y.dtype)
        if i >= 0:
            J[:, 6 * i + 3:6 * i + 6] = -self.A(i) @ skew(np.asarray(a, float))
        return J

    def spin(self, i):
        """Rows of the angular velocity of body i, resolved in the world."""
        J = np.zeros((3, 6 * self.n), self.y.dtype)
        if i >= 0:
            J[:, 6 * i + 3:6 * i + 6] = self.A(i)
        return J

    def push(self, i, p, force):
        """A force (in the world) on point p of body i."""
        if i >= 0:
            self.f[i] += force
            self.tau[i] += np.cross(np.asarray(p) - self.system.com[i], self.A(i).T @ force)

    def twist(self, i, torque):
        """A torque (in the world) on body i."""
        if i >= 0:
            self.tau[i] += self.A(i).T @ torque

    def ahead(self):
        """The state an imaginary step later, with the velocities of now."""
        n, y = self.n, self.y.astype(complex)
        for k in range(n):
            y[12 * k:12 * k + 3] += 1j * H * self.v[6 * k:6 * k + 3]
            y[12 * k + 3:12 * k + 12] += 1j * H * (self.A(k) @ skew(self.w(k))).ravel()
        return State(self.system, self.t + 1j * H, y, self.v)


class Run:
    """What a reference shows of the states."""

    def __init__(self, system, states):
        self.system, self.states = system, states

    def each(self, f):
        return np.array([f(s) for s in self.states])

    def at(self, i, p=(0, 0, 0)):
        return self.each(lambda s: s.at(i, p))

    def A(self, i):
        return self.each(lambda s: s.A(i))

    def w(self, i):
        return self.each(lambda s: s.w(i))

    def relative(self, i, j):
        """Rotation of j as seen from i."""
        return self.each(lambda s: s.A(i).T @ s.A(j))

    def velocity(self, i, p=(0, 0, 0)):
        return self.each(lambda s: s.velocity(i, p) @ s.v)

    def acceleration(self, i, p=(0, 0, 0)):
        def f(s):
            d = np.asarray(p) - self.system.com[i]
            a, z, w = s.a[i, :3], s.a[i, 3:], s.w(i)
            return a + s.A(i) @ (np.cross(z, d) + np.cross(w, np.cross(w, d)))
        return self.each(f)

    def along(self, i, p, n, j, q):
        """Part of the way from p of i to q of j along n of i."""
        return self.each(lambda s: (s.at(j, q) - s.at(i, p)) @ s.A(i) @ unit(n))

    def frame_load(self, i, p=(0, 0, 0)):
        """Force and torque that move body i against gravity, at its point p, in the body's frame:
        f and t of the frame there, for a body that nothing else touches."""
        def f(s):
            m, I, g = self.system.m[i], self.system.I[i], self.system.g
            force = s.A(i).T @ (m * (s.a[i, :3] - g))
            torque = I @ s.a[i, 3:] + np.cross(s.w(i), I @ s.w(i))
            return np.concatenate([force, torque + np.cross(self.system.com[i] - p, force)])
        return self.each(f)
