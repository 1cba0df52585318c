"""Rotors and gears on moving housings, in maximal coordinates (bodies.py).

A rotor is a body of its own without mass, with inertia about its axis alone. Rotor1D counts only what
its turning relative to the housing adds: its inertia about the axis belongs to the housing's tensor,
so that it is taken out there. A gear is a condition on the two relative speeds.
"""

import numpy as np

from bodies import System
from common import Case, angle_about, inertia, unit
from joints import O
from loops import Arm, vec


def relative_speed(s, housing, rotor, n):
    return s.A(housing) @ n @ (s.spin(rotor) - s.spin(housing))


def housing_and_rotors(c, rotors):
    """A body on a ball joint and its rotors, all parallel to the world at the start."""
    S = System(c)
    m, com, I = inertia(c["b"])
    axes = [unit(c[k]["n"]) for k in rotors]
    for k, n in zip(rotors, axes):
        I = I - c[k]["J"] * np.outer(n, n)
    b = S.body((m, com, I))
    S.point(-1, O, b, O)
    S.start(lambda s: s.spin(b), vec(c["j"]["w_rel_a_start"]))
    numbers = []
    for k, n in zip(rotors, axes):
        i = S.body((0.0, O, c[k]["J"] * np.outer(n, n)))
        S.revolute(b, O, i, O, n)
        numbers.append(i)
    return S, b, numbers, axes


def rotor():
    c = Case("rotor")
    S, b, (i,), (n,) = housing_and_rotors(c, ["rotor"])
    S.start(lambda s: relative_speed(s, b, i, n), c["rotor"]["w"]["start"])
    k = c["spring"]
    # The angle runs over many turns: it is integrated.
    S.extra, S.extra_rate = np.zeros(1), lambda t, s: [relative_speed(s, b, i, n) @ s.v]

    def spring(s):
        tau = -k["c"] * (s.extra[0] - c["mount"]["phi0"] - k["phi_rel0"]) \
            - k["d"] * relative_speed(s, b, i, n) @ s.v
        s.twist(i, s.A(b) @ n * tau)
        s.twist(b, -s.A(b) @ n * tau)
    S.load(spring)
    r = S.run()
    c.write({"b.w_a": r.w(b), "rotor.phi": r.each(lambda s: s.extra[0]),
             "rotor.w": r.each(lambda s: relative_speed(s, b, i, n) @ s.v),
             "b.frame_a.R.T[3,1]": r.A(b)[:, 0, 2], "b.frame_a.R.T[1,2]": r.A(b)[:, 1, 0]})


def bevel_gear():
    c = Case("bevel_gear")
    S, b, (i, j), (n_i, n_j) = housing_and_rotors(c, ["rotor_a", "rotor_b"])
    S.start(lambda s: relative_speed(s, b, i, n_i), c["rotor_a"]["w"]["start"])
    ratio = c["gear"]["ratio"]
    S.rate(lambda s: relative_speed(s, b, i, n_i) - ratio * relative_speed(s, b, j, n_j))

    def motor(s):
        tau = 0.8 * np.cos(6 * s.t) * s.A(b) @ n_i
        s.twist(i, tau)
        s.twist(b, -tau)
    S.load(motor)
    r = S.run()
    c.write({"b.w_a": r.w(b), "rotor_a.phi": angle_about(n_i, r.relative(b, i)),
             "rotor_a.w": r.each(lambda s: relative_speed(s, b, i, n_i) @ s.v),
             "rotor_b.phi": angle_about(n_j, r.relative(b, j)),
             "b.frame_a.R.T[1,2]": r.A(b)[:, 1, 0]})


def gear_constraint():
    a = Arm("gear_constraint")
    c, S, g = a.c, a.S, a.c["gear"]
    n_a, n_b = unit(g["n_a"]), unit(g["n_b"])
    i = S.body(c["shaft_a"], a.tip + g["r_a"])
    j = S.body(c["shaft_b"], a.tip + g["r_b"])
    S.revolute(a.arm, a.tip + g["r_a"], i, O, n_a)
    S.revolute(a.arm, a.tip + g["r_b"], j, O, n_b)
    S.rate(lambda s: relative_speed(s, a.arm, i, n_a)
           - g["ratio"] * relative_speed(s, a.arm, j, n_b))
    S.start(lambda s: relative_speed(s, a.arm, i, n_a), g["actuatedRevolute_a"]["w"]["start"])
    r = S.run()
    c.write({**a.columns(r), "gear.actuatedRevolute_a.phi": angle_about(n_a, r.relative(a.arm, i)),
             "gear.actuatedRevolute_b.phi": angle_about(n_b, r.relative(a.arm, j)),
             "shaft_b.frame_a.f": r.frame_load(j)[:, :3]})


def main():
    rotor()
    bevel_gear()
    gear_constraint()


if __name__ == "__main__":
    main()
