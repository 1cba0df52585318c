"""Forces between and on bodies, in maximal coordinates (bodies.py); masses on a line are bodies of
their own, held on it. The point without mass is a balance of forces, the satellite Kepler's equation.
"""

import numpy as np
from scipy.optimize import fsolve, newton

from common import EYE, Case, angle_about, turn, turns, unit
from joints import O, shape
from loops import Arm, vec


class Tied:
    """An arm and a body that flies, with something between arm's tip and the body's end."""

    def __init__(self, name):
        self.a = a = Arm(name)
        self.c, self.S, self.arm, self.tip = a.c, a.S, a.arm, a.tip
        p = self.c["fly"]
        self.end = shape(p)
        self.fly = self.S.body(p, p["r_0"]["start"], turns([1, 2, 3], p["angles_start"]))
        self.S.start(lambda s: np.vstack([s.velocity(self.fly, O), s.spin(self.fly)]),
                     np.concatenate([p["v_0"]["start"], p["w_0_start"]]))

    def line(self, s):
        """Length and rate of the line, from arm to body."""
        d = s.at(self.fly, self.end) - s.at(self.arm, self.tip)
        v = (s.velocity(self.fly, self.end) - s.velocity(self.arm, self.tip)) @ s.v
        L = np.sqrt(d @ d)
        return L, d @ v / L

    def force(self, law):
        self.S.line_force(self.arm, self.tip, self.fly, self.end, law)

    def write(self, more):
        r = self.S.run()
        out = {"j1.phi": angle_about(self.a.n, r.A(self.arm)), "fly.frame_a.r_0": r.at(self.fly),
               "fly.frame_a.R.w": r.w(self.fly)}
        for name, f in more.items():
            out[name] = r.each(f)
        self.c.write(out)

    def mass_on_line(self, m, place):
        """A mass on the line; place(L, e) = (at, rows): a fraction or a distance along it."""
        S = self.S
        s0 = S.at_start()
        p, q = s0.at(self.arm, self.tip), s0.at(self.fly, self.end)
        k = S.point_mass(m, place(p, q, 0 * p, 0 * p)[0])

        def f(s):
            p, q = s.at(self.arm, self.tip), s.at(self.fly, self.end)
            at, rows = place(p, q, s.velocity(self.arm, self.tip), s.velocity(self.fly, self.end))
            return s.at(k, O) - at, s.velocity(k, O) - rows
        S.constraints.append(f)

    def at_fraction(self, m, x):
        self.mass_on_line(m, lambda p, q, vp, vq: ((1 - x) * p + x * q, (1 - x) * vp + x * vq))

    def at_distance(self, m, La, from_a):
        def place(p, q, vp, vq):
            d = q - p
            L = np.sqrt(d @ d)
            e = d / L
            turning = (EYE - np.outer(e, e)) @ (vq - vp) / L
            return (p + La * e, vp + La * turning) if from_a else (q - La * e, vq - La * turning)
        self.mass_on_line(m, place)


def spring_law(k, free="s_unstretched"):
    return lambda L, v: k["c"] * (L - k[free]) + k.get("d", 0) * v


def ties():
    t = Tied("spring_with_mass")
    k = t.c["tie"]
    t.at_fraction(k["m"], k["lengthFraction"])
    t.force(spring_law(k))
    t.write({"tie.length": lambda s: t.line(s)[0]})

    t = Tied("damper_line")
    d = t.c["tie"]["d"]
    t.force(lambda L, v: d * v)
    t.write({"tie.f": lambda s: d * t.line(s)[1]})

    t = Tied("spring_damper_parallel")
    law = spring_law(t.c["tie"])
    t.force(law)
    t.write({"tie.f": lambda s: law(*t.line(s))})

    t = Tied("line_force_with_mass")
    t.at_fraction(t.c["tie"]["m"], t.c["tie"]["lengthFraction"])
    t.force(spring_law(t.c["in"], "s_rel0"))
    t.write({"tie.length": lambda s: t.line(s)[0]})

    t = Tied("line_force_with_two_masses")
    k = t.c["tie"]
    t.at_distance(k["m_a"], k["L_a"], True)
    t.at_distance(k["m_b"], k["L_b"], False)
    t.force(spring_law(t.c["in"], "s_rel0"))
    t.write({"tie.length": lambda s: t.line(s)[0]})


def series():
    t = Tied("spring_damper_series")
    k, S = t.c["tie"], t.S
    tension = lambda s: k["c"] * (t.line(s)[0] - k["s_unstretched"] - s.extra[0])
    S.extra = np.array([k["s_damper"]["start"]])
    S.extra_rate = lambda time, s: [tension(s) / k["d"]]

    def pull(s):
        d = s.at(t.fly, t.end) - s.at(t.arm, t.tip)
        f = tension(s) * d / np.sqrt(d @ d)
        s.push(t.arm, t.tip, f)
        s.push(t.fly, t.end, -f)
    S.load(pull)
    t.write({"tie.f": tension, "tie.s_damper": lambda s: s.extra[0]})


def between():
    t = Tied("force_and_torque")
    arm, fly, tip, end = t.arm, t.fly, t.tip, t.end
    A_far = turn([1, 2, 3], np.radians(70))

    def pair(s, at, force, torque):
        """Load on the body at its point `at`, and its opposite on the arm, in the same line."""
        s.push(fly, at, force)
        s.twist(fly, torque)
        where = t.S.com[arm] + s.A(arm).T @ (s.at(fly, at) - s.at(arm, t.S.com[arm]))
        s.push(arm, where, -force)
        s.twist(arm, -torque)

    def load(s):
        time, A, B = s.t, s.A(arm), s.A(fly)
        pair(s, end, A @ [3 * np.cos(4 * time), 1, -2 * time], A @ [0.1, 0.3 * np.sin(5 * time), -0.2])
        pair(s, O, B @ [1, 2 * np.sin(3 * time), -1], O)
        pair(s, O, O, A_far @ [0.2 * np.cos(time), -0.1, 0.15])
    t.S.load(load)
    t.write({"j1.w": lambda s: s.w(arm) @ t.a.n})

    t2 = Tied("world_force")

    def load(s):
        time, A, B = s.t, s.A(t2.arm), s.A(t2.fly)
        s.push(t2.arm, t2.tip, np.array([3 * np.cos(4 * time), 1, -2 * time]))
        s.twist(t2.fly, A @ [0.1, 0.3 * np.sin(5 * time), -0.2])
        s.push(t2.fly, t2.end, B @ [1, 2 * np.sin(3 * time), -1])
        s.twist(t2.fly, B @ [0.2 * np.cos(time), -0.1, 0.15])
    t2.S.load(load)
    t2.write({"j1.w": lambda s: s.w(t2.arm) @ t2.a.n})


def springs_at_a_point():
    c = Case("springs_at_a_point")
    ends = [lambda t: unit(c["slide"]["n"]) * 0.4 * np.sin(3 * t),
            lambda t: vec(c["f2"]["r"]), lambda t: vec(c["f3"]["r"])]
    springs = [c["s1"], c["s2"], c["s3"]]

    def tension(x, t):
        d = [e(t) - x for e in ends]
        L = [np.linalg.norm(v) for v in d]
        f = [k["c"] * (l - k["s_unstretched"]) for k, l in zip(springs, L)]
        return f, sum(fi * v / l for fi, v, l in zip(f, d, L))
    x, rows = np.array([0.5, 0.3, 0]), []
    for t in c.t:
        x = fsolve(lambda x: tension(x, t)[1], x, xtol=1e-12)
        rows.append(np.concatenate([tension(x, t)[0], x]))
    rows = np.array(rows)
    c.write({"s1.f": rows[:, 0], "s2.f": rows[:, 1], "s3.f": rows[:, 2],
             "s1.frame_b.r_0": rows[:, 3:]})


def point_gravity():
    c = Case("point_gravity")
    r0, v0, mu = vec(c["m"]["r_0"]["start"]), vec(c["m"]["v_0"]["start"]), 4.0
    h = np.cross(r0, v0)
    R = np.linalg.norm(r0)
    ecc = np.cross(v0, h) / mu - r0 / R
    e = np.linalg.norm(ecc)
    a = 1 / (2 / R - v0 @ v0 / mu)
    p, q = ecc / e, np.cross(h, ecc) / np.linalg.norm(h) / e
    n = np.sqrt(mu / a**3)
    E0 = np.arctan2(r0 @ v0 / np.sqrt(mu * a) / e, (1 - R / a) / e)
    r, v = [], []
    for t in c.t:
        M = E0 - e * np.sin(E0) + n * t
        E = newton(lambda x: x - e * np.sin(x) - M, M, lambda x: 1 - e * np.cos(x), tol=1e-15)
        b = a * np.sqrt(1 - e * e)
        rate = n / (1 - e * np.cos(E))
        r.append(a * (np.cos(E) - e) * p + b * np.sin(E) * q)
        v.append(rate * (-a * np.sin(E) * p + b * np.cos(E) * q))
    c.write({"m.r_0": r, "m.v_0": v})


def main():
    ties()
    series()
    between()
    springs_at_a_point()
    point_gravity()


if __name__ == "__main__":
    main()
