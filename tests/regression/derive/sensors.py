"""Sensors and shapes: what two bodies' motion in maximal coordinates (bodies.py) looks like from
other frames. Components in a turning frame are differentiated by  der(A' x) = A' der(x) - w x A' x."""

import numpy as np

from bodies import System
from common import Case, angle_about, turn, turns, unit
from joints import O, shape


def two_bodies(name):
    c = Case(name)
    S = System(c)
    numbers = []
    for k in "pq":
        p = c[k]
        i = S.body(p, p["r_0"]["start"], turns([1, 2, 3], p["angles_start"]))
        S.start(lambda s, i=i: np.vstack([s.velocity(i, O), s.spin(i)]),
                np.concatenate([p["v_0"]["start"], p["w_0_start"]]))
        numbers.append(i)
    k = c["tie"]
    p, q = numbers
    S.line_force(p, shape(c["p"]), q, shape(c["q"]), lambda L, v: k["c"] * (L - k["s_unstretched"]))
    return c, S, p, q


class Frame:
    """Motion of a body's point, all in the world: r, v, a, w, z and the axes A."""

    def __init__(self, s, i, p):
        d = np.asarray(p) - s.system.com[i]
        self.A, w, z = s.A(i), s.w(i), s.a[i, 3:]
        self.r, self.v = s.at(i, p), s.velocity(i, p) @ s.v
        self.a = s.a[i, :3] + self.A @ (np.cross(z, d) + np.cross(w, np.cross(w, d)))
        self.w, self.z = self.A @ w, self.A @ z


def angles123(R):
    return [np.arctan2(-R[1, 2], R[2, 2]), np.arcsin(R[0, 2]), np.arctan2(-R[0, 1], R[0, 0])]


def angles312(R):
    return [np.arctan2(-R[0, 1], R[1, 1]), np.arcsin(R[2, 1]), np.arctan2(-R[2, 0], R[2, 2])]


def write(c, r, f):
    rows = r.each(lambda s: np.array(list(f(s).values()), dtype=object))
    names = list(f(r.states[0]))
    c.write({n: np.array(rows[:, i].tolist(), float) for i, n in enumerate(names)})


def absolute():
    c, S, p, q = two_bodies("sensors_absolute")
    tip = shape(c["p"])

    def f(s):
        a, b = Frame(s, p, tip), Frame(s, q, O)
        own, other = a.A.T, b.A.T
        return {"s1.r": own @ a.r, "s1.v": own @ a.v, "s1.a": own @ a.a, "s1.angles": angles312(a.A),
                "s1.w": own @ a.w, "s1.z": own @ a.z, "s2.r": other @ a.r, "s2.v": other @ a.v,
                "s2.a": other @ a.a, "s2.w": other @ a.w, "s2.z": other @ a.z, "s3.r": other @ a.r,
                "s4.v": a.v, "s5.angles": angles123(a.A), "s6.w": a.w,
                "s7.r_out": own @ b.A @ [1, s.t, -2]}
    write(c, S.run(), f)


def relative():
    c, S, p, q = two_bodies("sensors_relative")
    tip = shape(c["p"])

    def seen(a, b, x):
        """Position, velocity, acceleration and turning of b against a, in the axes of x."""
        T = x.A.T
        w, z = T @ x.w, T @ x.z
        r = T @ (b.r - a.r)
        v = T @ (b.v - a.v) - np.cross(w, r)
        # der(T d) twice, with der(T) = -w x T.
        acc = T @ (b.a - a.a) - np.cross(w, T @ (b.v - a.v)) - np.cross(z, r) - np.cross(w, v)
        w_rel = T @ (b.w - a.w)
        return r, v, acc, w_rel, T @ (b.z - a.z) - np.cross(w, w_rel)

    def f(s):
        a, b = Frame(s, p, tip), Frame(s, q, O)
        R = a.A.T @ b.A
        one, two = seen(a, b, a), seen(a, b, b)
        return {"s1.r_rel": one[0], "s1.v_rel": one[1], "s1.a_rel": one[2], "s1.angles": angles123(R),
                "s1.w_rel": one[3], "s1.z_rel": one[4], "s2.r_rel": two[0], "s2.v_rel": b.A @ two[1],
                "s2.a_rel": b.A @ two[2], "s2.w_rel": two[3], "s2.z_rel": b.A @ two[4],
                "s3.r_rel": b.r - a.r, "s4.v_rel": R.T @ one[1], "s5.angles": angles123(R),
                "s6.w_rel": two[3], "s7.r_out": R.T @ [1, s.t, -2],
                "s8.distance": np.linalg.norm(b.r - a.r)}
    write(c, S.run(), f)


def cut():
    """The load's acceleration on a turning arm gives all that passes through the cut."""
    c = Case("sensors_cut")
    n, arm = unit(c["j1"]["n"]), shape(c["arm"])
    S = System(c)
    A = turn(n, 0.3)
    i = S.body(c["arm"], O, A)
    b = S.body(c["b"], A @ arm, A)
    S.revolute(-1, O, i, O, n)
    S.point(i, arm, b, O)
    S.same_turn(i, b)
    S.start(lambda s: n @ s.spin(i), 3)

    def f(s):
        m, I, com = S.m[b], S.I[b], S.com[b]
        force = s.A(b).T @ (m * (s.a[b, :3] - c.g))
        w = s.w(b)
        torque = I @ s.a[b, 3:] + np.cross(w, I @ w) + np.cross(com, force)
        v = s.A(b).T @ (s.velocity(b, O) @ s.v)
        return {"s1.force": s.A(b) @ force, "s1.torque": s.A(b) @ torque, "s2.force": -force,
                "s3.torque": torque, "s4.power": force @ v + torque @ w}
    write(c, S.run(), f)


def shapes():
    """Mass and inertia of the box and the cylinder by their formulas, less those of their holes.
    As the library has it, lengthDirection places the centre of mass, the axes of inertia follow r."""
    def centre(p):
        return np.array(p["r_shape"]) + unit(p["lengthDirection"]) * p["length"] / 2

    def box(p):
        x = unit(p["r"])
        z = unit(np.cross(x, p["widthDirection"]))
        L, w, h = p["length"], p["width"], p["height"]

        def part(w, h):
            m = p["density"] * L * w * h
            return m, m / 12 * np.array([w**2 + h**2, L**2 + h**2, L**2 + w**2])
        m, I = part(w, h)
        m_i, I_i = part(p["innerWidth"], p["innerHeight"])
        A = np.stack([x, np.cross(z, x), z], 1)
        return m - m_i, centre(p), A @ np.diag(I - I_i) @ A.T

    def cylinder(p):
        x, L = unit(p["r"]), p["length"]

        def part(d):
            m = p["density"] * L * np.pi * d**2 / 4
            return m, m * d**2 / 8, m * (L**2 / 12 + d**2 / 16)
        m, along, across = np.subtract(part(p["diameter"]), part(p["innerDiameter"]))
        return m, centre(p), across * np.eye(3) + (along - across) * np.outer(x, x)
    c = Case("shapes")
    n, tip = unit(c["j1"]["n"]), shape(c["box"])
    S = System(c)
    i, j = S.body(box(c["box"])), S.body(cylinder(c["rod"]), tip)
    S.revolute(-1, O, i, O, n)
    S.point(i, tip, j, O)
    S.start_relative(-1, O, i, O, O, 2 * n)
    S.start_relative(i, tip, j, O, O, np.array(c["j2"]["w_rel_a_start"]))
    r = S.run()
    c.write({"j1.phi": angle_about(n, r.A(i)), "rod.frame_b.r_0": r.at(j, shape(c["rod"])),
             "rod.frame_a.R.w": r.w(j), "rod.frame_a.f": r.frame_load(j)[:, :3]})


def main():
    absolute()
    relative()
    cut()
    shapes()


if __name__ == "__main__":
    main()
