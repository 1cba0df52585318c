"""Closed loops, joint assemblies and constraints, in maximal coordinates (bodies.py).

At the start all frames of a model are parallel: its loops close by the sums of its offsets, whatever
the axes are. An assembly is a set of bodies (rods) with the elementary constraints of its joints.
"""

import numpy as np
from scipy.optimize import fsolve

from bodies import System
from common import Case, angle_about, turn, unit
from joints import O, angle, shape, universal_angles

DEG = np.pi / 180


def vec(x):
    return np.array(x, float)


class Arm:
    """The driven arm that most models begin with."""

    def __init__(self, name, redundant=False, arm="arm"):
        self.c = c = Case(name)
        self.S = S = System(c, redundant)
        self.n = unit(c["j1"]["n"])
        self.arm = S.body(c[arm])
        S.revolute(-1, O, self.arm, O, self.n)
        S.start(lambda s: self.n @ s.spin(self.arm), c["j1"]["w"]["start"])
        self.tip = shape(c[arm])

    def columns(self, r):
        return {"j1.phi": angle_about(self.n, r.A(self.arm)), "j1.w": r.w(self.arm) @ self.n}


def torsion(S, i, j, n, k, zero=0.0):
    """Spring and damper about n between i and j; the angle of parallel frames counts as `zero`."""
    n = unit(n)

    def f(s):
        R = s.A(i).T @ s.A(j)
        w = (R @ s.w(j) - s.w(i)) @ n
        t = -k["c"] * (angle(R, n) + zero - k.get("phi_rel0", 0)) - k.get("d", 0) * w
        s.twist(j, s.A(i) @ n * t)
        s.twist(i, -s.A(i) @ n * t)
    S.load(f)


def axial(S, i, p, j, q, n, k, zero=0.0):
    """Spring and damper along n of i between points p of i and q of j; its length is the way plus
    `zero`. The force on i acts at the same line."""
    n = unit(n)

    def f(s):
        d = s.A(i).T @ (s.at(j, q) - s.at(i, p))
        v = s.A(i).T @ (s.velocity(j, q) - s.velocity(i, p)) @ s.v - np.cross(s.w(i), d)
        force = -k["c"] * (d @ n + zero - k["s_rel0"]) - k["d"] * v @ n
        s.push(j, q, s.A(i) @ n * force)
        s.push(i, vec(p) + d, -s.A(i) @ n * force)
    S.load(f)


def loop_rusp():
    a = Arm("loop_rusp")
    c, S = a.c, a.S
    n_a, n_b, e = unit(c["j2"]["n_a"]), unit(c["j2"]["n_b"]), unit(c["j4"]["n"])
    rod = S.body(c["rod"], a.tip)
    car = S.body(c["car"], c["foot"]["r"])
    S.universal(a.arm, a.tip, rod, O, n_a, n_b)
    S.prismatic(-1, c["foot"]["r"], car, O, e)
    S.point(rod, shape(c["rod"]), car, shape(c["car"]))
    r = S.run()
    phi_a, phi_b = universal_angles(n_a, n_b, r.relative(a.arm, rod))
    c.write({**a.columns(r), "j2.phi_a": phi_a, "j2.phi_b": phi_b,
             "j4.s": (r.at(car) - c["foot"]["r"]) @ e, "j4.v": r.velocity(car) @ e,
             "rod.body.w_a": r.w(rod)})


def loop_fourbar():
    a = Arm("loop_fourbar", True, "crank")
    c, S, n = a.c, a.S, a.n
    rod = S.body(c["rod"], a.tip)
    rocker = S.body(c["rocker"], c["foot"]["r"])
    S.revolute(a.arm, a.tip, rod, O, n)
    S.revolute(-1, c["foot"]["r"], rocker, O, n)
    S.revolute(rod, shape(c["rod"]), rocker, shape(c["rocker"]), n)
    r = S.run()
    c.write({**a.columns(r), "j2.phi": angle_about(n, r.relative(a.arm, rod)),
             "j4.phi": angle_about(n, r.A(rocker)),
             "rod.frame_b.r_0": r.at(rod, shape(c["rod"]))})


def loop_planar_constraint():
    a = Arm("loop_planar_constraint", True, "crank")
    c, S, n = a.c, a.S, a.n
    foot = vec(c["foot"]["r"])
    rod = S.body(c["rod"], a.tip)
    rocker = S.body(c["rocker"], foot)
    last = S.body(c["last"], foot + shape(c["rocker"]))
    S.revolute(a.arm, a.tip, rod, O, n)
    S.revolute(-1, foot, rocker, O, n)
    S.revolute(rocker, shape(c["rocker"]), last, O, n)
    S.revolute(rod, shape(c["rod"]), last, shape(c["last"]), n)
    S.start(lambda s: n @ s.spin(rocker), -1)
    torsion(S, -1, rocker, n, c["spring"])
    S.load(lambda s: s.twist(a.arm, n * 2 * np.sin(5 * s.t)))
    r = S.run()
    c.write({"j1.phi": angle_about(n, r.A(a.arm)), "j2.phi": angle_about(n, r.relative(a.arm, rod)),
             "j4.phi": angle_about(n, r.A(rocker)),
             "j5.phi": angle_about(n, r.relative(rocker, last)),
             "rod.frame_b.r_0": r.at(rod, shape(c["rod"]))})


def middle(S, m, i, p, j, q):
    """A point mass halfway between point p of i and q of j."""
    at = S.at_start()
    k = S.point_mass(m, (at.at(i, p) + at.at(j, q)) / 2)

    def f(s):
        d = s.at(k, O) - (s.at(i, p) + s.at(j, q)) / 2
        return d, s.velocity(k, O) - (s.velocity(i, p) + s.velocity(j, q)) / 2
    S.constraints.append(f)
    return k


def rods():
    a = Arm("rods")
    c, S = a.c, a.S
    foot, post, e, n5 = vec(c["foot"]["r"]), vec(c["post"]["r"]), unit(c["j4"]["n"]), unit(c["j5"]["n"])
    car = S.body(c["car"], foot)
    flap = S.body(c["flap"], post)
    pin, tip = shape(c["car"]), shape(c["tip"])
    S.prismatic(-1, foot, car, O, e)
    S.revolute(-1, post, flap, O, n5)
    S.distance(a.arm, a.tip, car, pin)
    middle(S, c["rod1"]["m"], a.arm, a.tip, car, pin)
    S.distance(car, pin, flap, tip)
    r = S.run()

    def pull(s):
        """Force in the second rod, positive where it is pressed: what the flap's turning asks for."""
        d = s.at(flap, tip) - s.at(car, pin)
        m, com, I = S.m[flap], S.com[flap], S.I[flap]
        moment = s.A(flap) @ (I @ s.a[flap, 3:] + np.cross(s.w(flap), I @ s.w(flap))) \
            + np.cross(s.A(flap) @ com, m * (s.a[flap, :3] - c.g))
        arm = np.cross(s.A(flap) @ tip, d / np.linalg.norm(d))
        return moment @ n5 / (arm @ n5)
    c.write({**a.columns(r), "j4.s": (r.at(car) - foot) @ e, "j5.phi": angle_about(n5, r.A(flap)),
             "rod2.f_rod": r.each(pull)})


def rod_universal_spherical():
    a = Arm("rod_universal_spherical")
    c, S = a.c, a.S
    foot, e, L = vec(c["foot"]["r"]), unit(c["j4"]["n"]), vec(c["rod"]["rRod_ia"])
    n1 = unit(c["rod"]["n1_a"])
    rod = S.body(c["rodBody"], a.tip)
    car = S.body(c["car"], foot)
    S.universal(a.arm, a.tip, rod, O, n1, np.cross(n1, L))
    S.prismatic(-1, foot, car, O, e)
    S.point(rod, L, car, shape(c["car"]))
    r = S.run()
    load = r.frame_load(rod)
    c.write({**a.columns(r), "j4.s": (r.at(car) - foot) @ e, "rodBody.w_a": r.w(rod),
             "rodBody.r_0": r.at(rod), "rodBody.frame_a.f": load[:, :3],
             "rodBody.frame_a.t": load[:, 3:]})


def joint_ups():
    a = Arm("joint_ups")
    c, S, leg = a.c, a.S, a.c["leg"]
    foot, n2 = vec(c["foot"]["r"]), unit(c["j2"]["n"])
    arm2 = S.body(c["arm2"], foot)
    end = foot + shape(c["arm2"])
    n1, axis = unit(leg["n1_a"]), unit(leg["nAxis_ia"])
    # The axis points from one frame to the other: turn it there about n1, then about n1 x axis.
    way = end - a.tip
    B = turned_universal(n1, axis, unit(way))
    upper = S.body(c["upper"], a.tip, B)
    lower = S.body(c["lower"], end, B)
    S.revolute(-1, foot, arm2, O, n2)
    S.start(lambda s: n2 @ s.spin(arm2), c["j2"]["w"]["start"])
    S.universal(a.arm, a.tip, upper, O, n1, np.cross(n1, axis))
    S.prismatic(upper, O, lower, O, axis)
    S.point(lower, O, arm2, shape(c["arm2"]))
    axial(S, upper, O, lower, O, axis, c["spring"], -leg["s_offset"])
    r = S.run()
    load = r.frame_load(lower)
    L = np.linalg.norm(r.at(lower) - r.at(upper), axis=1)

    c.write({"j1.phi": a.columns(r)["j1.phi"], "j2.phi": angle_about(n2, r.A(arm2)),
             "leg.axisLength": L, "leg.prismatic.s": L - leg["s_offset"], "upper.w_a": r.w(upper),
             "lower.frame_a.f": load[:, :3], "lower.frame_a.t": load[:, 3:]})


def turned_universal(n1, axis, way):
    """The rotation turn(n1, a) turn(n1 x axis, b) that takes `axis` to `way`, with a small a."""
    e2 = unit(np.cross(n1, axis))

    def miss(x):
        d = turn(n1, x[0]) @ turn(e2, x[1]) @ axis - way
        u = np.cross(way, [0.3, 0.5, -0.7])
        return [d @ u, d @ np.cross(way, u)]
    x = fsolve(miss, [0, 0], xtol=1e-15)
    return turn(n1, x[0]) @ turn(e2, x[1])


def assembly(kind):
    """USR, USP, SSR, SSP: a rod with one or two ball joints, then a rod on a hinge or slider."""
    a = Arm("joint_" + kind.lower())
    c, S, p = a.c, a.S, a.c["asm"]
    foot, n, k = vec(c["foot"]["r"]), unit(p["n_b"]), c["spring"]
    ball2 = vec(p["rRod2_ib"])
    L1 = vec([0.6, 0.1, -0.15])
    out = {}
    middle_point = a.tip + L1
    rod2 = S.body(c["rod2"], middle_point - ball2)
    if kind[2] == "R":
        assert np.allclose(middle_point - ball2, foot)
        S.revolute(-1, foot, rod2, O, n)
        torsion(S, -1, rod2, n, k, -p["phi_offset"] * DEG)
    else:
        s0 = (middle_point - ball2 - foot) @ n
        assert np.allclose(foot + s0 * n, middle_point - ball2)
        S.prismatic(-1, foot, rod2, O, n)
        axial(S, -1, foot, rod2, O, n, k, -p["s_offset"])
    if kind[0] == "U":
        n1 = unit(p["n1_a"])
        rod1 = S.body(c["rod1"], a.tip)
        S.universal(a.arm, a.tip, rod1, O, n1, np.cross(n1, L1))
        S.point(rod1, L1, rod2, ball2)
        r = S.run()
        out["rod1.w_a"], out["rod1.frame_a.t"] = r.w(rod1), r.frame_load(rod1)[:, 3:]
    else:
        knob = S.body(c["knob"], middle_point)
        S.distance(a.arm, a.tip, rod2, ball2)
        middle(S, p["rod1Mass"], a.arm, a.tip, rod2, ball2)
        S.point(rod2, ball2, knob, O)
        S.same_turn(rod2, knob)
        r = S.run()
        out["knob.r_0"], out["knob.frame_a.f"] = r.at(knob), r.frame_load(knob)[:, :3]
    if kind[2] == "R":
        out["asm.revolute.phi"] = angle_about(n, r.A(rod2)) - p["phi_offset"] * DEG
    else:
        out["asm.prismatic.s"] = (r.at(rod2) - foot) @ n - p["s_offset"]
    c.write({**a.columns(r), **out})


def planar_assembly(kind):
    a = Arm("joint_rr" + kind.lower(), True)
    c, S, p, n = a.c, a.S, a.c["asm"], a.n
    foot, k = vec(c["foot"]["r"]), c["spring"]
    L1, L2 = vec(p["rRod1_ia"]), vec(p["rRod2_ib"])
    elbow = a.tip + L1
    rod1, rod2 = S.body(c["rod1"], a.tip), S.body(c["rod2"], elbow - L2)
    knob = S.body(c["knob"], elbow)
    S.revolute(a.arm, a.tip, rod1, O, n)
    S.revolute(rod1, L1, rod2, L2, n)
    S.point(rod2, L2, knob, O)
    S.same_turn(rod2, knob)
    assert np.allclose(elbow - L2, foot)
    if kind == "R":
        S.revolute(-1, foot, rod2, O, n)
        torsion(S, -1, rod2, n, k)
    else:
        e = unit(p["n_b"])
        S.prismatic(-1, foot, rod2, O, e)
        axial(S, -1, foot, rod2, O, e, k, -p["s_offset"])
    r = S.run()
    if kind == "R":
        out = {"asm.jointUSR.revolute.phi": angle_about(n, r.A(rod2))}
    else:
        out = {"asm.jointUSP.prismatic.s": (r.at(rod2) - foot) @ e - p["s_offset"]}
    c.write({**a.columns(r), **out, "rod1.frame_a.r_0": r.at(rod1), "rod1.frame_a.R.w": r.w(rod1),
             "knob.frame_a.f": r.frame_load(knob)[:, :3]})


def constraint(kind):
    c = Case("constraint_" + kind)
    base, p, k = c["base"], c["hold"], c["spring"]
    A0, at = turn(base["n"], base["angle"] * DEG), vec(base["r"])
    anchor, end = vec(c["anchor"]["r"]), shape(c["b"])
    S = System(c)
    b = S.body(c["b"], at, A0)
    locked = [A0[:, i] for i, x in enumerate("xyz") if p.get(x + "_locked", True)]
    S.point(-1, at, b, O, np.array(locked))
    if kind == "revolute":
        S.parallel(-1, A0 @ unit(p["n"]), b)
    elif kind == "universal":
        S.dot(-1, A0 @ unit(p["n_a"]), b, unit(p["n_b"]))
    elif kind == "prismatic":
        S.same_turn(-1, b)
    # At rest: what the constraints leave free does not move at the start.
    S.start(lambda s: np.vstack([s.velocity(b, O), s.spin(b)]), np.zeros(6))
    law = lambda L, v: k["c"] * (L - k["s_unstretched"]) + k["d"] * v
    S.line_force(-1, anchor, b, end, law)
    r = S.run()
    d = r.at(b, end) - anchor
    L = np.linalg.norm(d, axis=1)
    v = np.sum(d * r.velocity(b, end), 1) / L
    c.write({"b.frame_a.r_0": r.at(b), "b.frame_a.R.w": r.w(b), "spring.f": law(L, v)})


def loop_cut_rigid():
    c = Case("loop_cut_rigid")
    S = System(c)
    e1, e2 = unit(c["j1"]["n"]), unit(c["j2"]["n"])
    n_a, n_b = unit(c["u1"]["n_a"]), unit(c["u1"]["n_b"])
    f1, f2 = vec(c["f1"]["r"]), vec(c["f2"]["r"])
    c1, c2 = S.body(c["c1"], f1), S.body(c["c2"], f2)
    rod = S.body(c["rod"], f1 + shape(c["c1"]))
    assert np.allclose(f1 + shape(c["c1"]) + shape(c["rod"]), f2 + shape(c["c2"]))
    S.prismatic(-1, f1, c1, O, e1)
    S.prismatic(-1, f2, c2, O, e2)
    S.universal(c1, shape(c["c1"]), rod, O, n_a, n_b)
    S.point(rod, shape(c["rod"]), c2, shape(c["c2"]))
    S.start(lambda s: e1 @ s.velocity(c1, O), 0.8)
    r = S.run()
    phi_a, phi_b = universal_angles(n_a, n_b, r.relative(c1, rod))
    c.write({"j1.s": (r.at(c1) - f1) @ e1, "j1.v": r.velocity(c1) @ e1, "j2.s": (r.at(c2) - f2) @ e2,
             "u1.phi_a": phi_a, "u1.phi_b": phi_b, "rod.body.w_a": r.w(rod)})


def main():
    loop_rusp()
    loop_fourbar()
    loop_planar_constraint()
    loop_cut_rigid()
    rods()
    rod_universal_spherical()
    joint_ups()
    for kind in ("USR", "USP", "SSR", "SSP"):
        assembly(kind)
    for kind in "RP":
        planar_assembly(kind)
    for kind in ("revolute", "spherical", "universal", "prismatic"):
        constraint(kind)


if __name__ == "__main__":
    main()
