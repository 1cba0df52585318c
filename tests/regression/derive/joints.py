"""Trees of joints, in maximal coordinates (bodies.py): every joint is a set of constraint equations.

The free body has the closed form of torque-free rotation (Jacobi's elliptic functions) for its
angular velocity and a parabola for its centre of mass; its orientation is Poisson's equation.
"""

import numpy as np
from scipy.special import ellipj, ellipkinc

from bodies import System
from common import EYE, Case, angle_about, angle_between, inertia, integrate, skew, turn, turns, unit

O = np.zeros(3)


def shape(c):
    return np.array(c["r"], float)


def revolute():
    c = Case("revolute")
    base, j = c["base"], c["j"]
    A0 = turn(base["n"], np.radians(base["angle"]))
    n, phi = np.array(j["n"], float), 0.7
    S = System(c)
    b = S.body(c["b"], base["r"], A0 @ turn(n, phi))
    S.revolute(-1, base["r"], b, O, A0 @ n)
    S.start(lambda s: (A0 @ unit(n)) @ s.spin(b), j["w"]["start"])
    k = c["spring"]

    def drive(s):
        s.twist(b, A0 @ unit(n) * torque(s))

    def torque(s):
        e = A0.T @ s.A(b)
        return -k["c"] * (angle(e, n) - k["phi_rel0"]) - k["d"] * (unit(n) @ s.w(b))
    S.load(drive)
    r = S.run()
    w = r.w(b) @ unit(n)
    load = r.frame_load(b)
    c.write({"j.phi": angle_about(n, A0.T @ r.A(b)), "j.w": w,
             "j.tau": r.each(torque), "b.frame_a.f": load[:, :3], "b.frame_a.t": load[:, 3:]})


def angle(a, n):
    """Angle of a rotation about n, between -pi and pi."""
    n = unit(n)
    k = np.array([a[2, 1] - a[1, 2], a[0, 2] - a[2, 0], a[1, 0] - a[0, 1]]) / 2
    return np.arctan2(k @ n, (np.trace(a) - 1) / 2)


def prismatic():
    c = Case("prismatic")
    n, e, k, tip = c["j"]["n"], unit(c["guide"]["n"]), c["spring"], shape(c["arm"])
    A = turn(n, 0.4)
    S = System(c)
    arm = S.body(c["arm"], O, A)
    b = S.body(c["b"], A @ (tip + 0.3 * e), A)
    S.revolute(-1, O, arm, O, n)
    S.prismatic(arm, tip, b, O, e)
    S.start_relative(-1, O, arm, O, O, 3 * unit(n))
    S.start_relative(arm, tip, b, O, -0.5 * e, O)

    def travel(s):
        return (s.at(b, O) - s.at(arm, tip)) @ s.A(arm) @ e

    def speed(s):
        v = (s.velocity(b, O) - s.velocity(arm, tip)) @ s.v
        return (s.A(arm).T @ v - np.cross(s.w(arm), s.A(arm).T @ (s.at(b, O) - s.at(arm, tip)))) @ e

    def force(s):
        return -k["c"] * (travel(s) - k["s_rel0"]) - k["d"] * speed(s)

    def push(s):
        """On the arm at the same point: one line of action."""
        s.push(b, O, force(s) * s.A(arm) @ e)
        s.push(arm, tip + travel(s) * e, -force(s) * s.A(arm) @ e)
    S.load(push)
    r = S.run()
    load = r.frame_load(b)
    c.write({"j.phi": angle_about(n, r.A(arm)), "j.w": r.w(arm) @ unit(n),
             "guide.s": r.each(travel), "guide.v": r.each(speed), "guide.f": r.each(force),
             "b.frame_a.f": load[:, :3], "b.frame_a.t": load[:, 3:]})


def cylindrical():
    c = Case("cylindrical")
    n, k, anchor, tip = unit(c["j"]["n"]), c["spring"], shape(c["anchor"]), shape(c["b"])
    S = System(c)
    b = S.body(c["b"], 0.1 * n, turn(n, -0.5))
    S.cylindrical(-1, O, b, O, n)
    S.start_relative(-1, O, b, O, 0.2 * n, 1.5 * n)
    S.line_force(-1, anchor, b, tip, lambda L, v: k["c"] * (L - k["s_unstretched"]))
    r = S.run()
    L = np.linalg.norm(r.at(b, tip) - anchor, axis=1)
    c.write({"j.s": r.at(b) @ n, "j.v": r.velocity(b) @ n, "j.phi": angle_about(n, r.A(b)),
             "j.w": r.w(b) @ n, "spring.f": k["c"] * (L - k["s_unstretched"]),
             "spring.length": L})


def universal_angles(n_a, n_b, R):
    """Angles of R = turn(n_a, phi_a) turn(n_b, phi_b)."""
    return (angle_between(n_a, np.broadcast_to(n_b, R.shape[:-1]), R @ n_b),
            -angle_between(n_b, np.broadcast_to(n_a, R.shape[:-1]), np.swapaxes(R, -1, -2) @ n_a))


def universal():
    c = Case("universal")
    n_a, n_b = unit(c["j"]["n_a"]), unit(c["j"]["n_b"])
    S = System(c)
    b = S.body(c["b"], O, turn(n_a, 0.3) @ turn(n_b, -0.4))
    S.universal(-1, O, b, O, n_a, n_b)
    S.start_relative(-1, O, b, O, O, n_a * 1 + turn(n_a, 0.3) @ n_b * 2)
    r = S.run()
    phi_a, phi_b = universal_angles(n_a, n_b, r.A(b))
    # w = n_a w_a + A n_b w_b, solved for the rates.
    rates = r.each(lambda s: np.linalg.lstsq(np.stack([n_a, s.A(b) @ n_b], 1), s.A(b) @ s.w(b),
                                             rcond=None)[0])
    load = r.frame_load(b)
    c.write({"j.phi_a": phi_a, "j.phi_b": phi_b, "j.w_a": rates[:, 0], "j.w_b": rates[:, 1],
             "b.frame_a.f": load[:, :3], "b.frame_a.t": load[:, 3:]})


def plane_axes(j):
    n = unit(j["n"])
    e_x = unit(np.array(j["n_x"], float) - (np.array(j["n_x"], float) @ n) * n)
    return n, e_x, np.cross(n, e_x)


def planar():
    c = Case("planar")
    n, e_x, e_y = plane_axes(c["j"])
    tip = shape(c["b"])
    S = System(c)
    b = S.body(c["b"], 0.2 * e_x - 0.1 * e_y, turn(n, 0.5))
    S.planar(-1, O, b, O, n)
    S.start_relative(-1, O, b, O, 0.6 * e_x + 1.2 * e_y, -1 * n)
    S.load(lambda s: s.push(b, tip, np.array([12 * np.cos(3 * s.t), 5 - 8 * np.sin(2 * s.t), 4])))
    r = S.run()
    c.write({"j.s_x": r.at(b) @ e_x, "j.s_y": r.at(b) @ e_y, "j.phi": angle_about(n, r.A(b)),
             "j.v_x": r.velocity(b) @ e_x, "j.v_y": r.velocity(b) @ e_y, "j.w": r.w(b) @ n,
             "b.frame_b.r_0": r.at(b, tip)})


def spherical(name):
    c = Case(name)
    base, j = c["base"], c["j"]
    A0 = turns(base["sequence"], np.radians(base["angles"]))
    A1 = A0 @ turns(j["sequence_start"], j["angles_start"])
    S = System(c)
    b = S.body(c["b"], base["r"], A1)
    S.point(-1, base["r"], b, O)
    S.start(lambda s: s.spin(b), A0 @ j["w_rel_a_start"])
    r = S.run()
    A = r.A(b)
    c.write({"j.frame_b.R.T[1,1]": A[:, 0, 0], "j.frame_b.R.T[2,3]": A[:, 2, 1],
             "j.frame_b.R.T[3,1]": A[:, 0, 2], "b.w_a": r.w(b),
             "b.frame_a.f": r.frame_load(b)[:, :3]})


def free_motion():
    c = Case("free_motion")
    n, j, k = unit(c["j"]["n"]), c["float"], c["spring"]
    tip, end = shape(c["arm"]), shape(c["b"])
    A = turn(n, 0.3)
    S = System(c)
    arm = S.body(c["arm"], O, A)
    b = S.body(c["b"], A @ (tip + j["r_rel_a"]["start"]),
               A @ turns(j["sequence_start"], j["angles_start"]))
    S.revolute(-1, O, arm, O, n)
    S.start_relative(-1, O, arm, O, O, 2 * n)
    S.start_relative(arm, tip, b, O, np.array(j["v_rel_a"]["start"]), np.array(j["w_rel_a_start"]))
    law = lambda L, v: k["c"] * (L - k["s_unstretched"]) + k["d"] * v
    S.line_force(arm, tip, b, end, law)
    r = S.run()

    def motion(s):
        At, d = s.A(arm).T, s.at(b, O) - s.at(arm, tip)
        v = At @ (s.velocity(b, O) - s.velocity(arm, tip)) @ s.v - np.cross(s.w(arm), At @ d)
        w = s.w(b) - s.A(b).T @ s.A(arm) @ s.w(arm)
        e = s.at(b, end) - s.at(arm, tip)
        L = np.sqrt(e @ e)
        Ld = e @ (s.velocity(b, end) - s.velocity(arm, tip)) @ s.v / L
        return np.concatenate([At @ d, v, w, [law(L, Ld)]])
    m = r.each(motion)
    c.write({"j.phi": angle_about(n, r.A(arm)), "float.r_rel_a": m[:, :3],
             "float.v_rel_a": m[:, 3:6], "float.w_rel_b": m[:, 6:9], "spring.f": m[:, 9]})


def free_motion_scalar():
    c = Case("free_motion_scalar")
    base, j = c["base"], c["float"]
    e_x = unit(base["n_x"])
    e_z = unit(np.cross(e_x, base["n_y"]))
    A0 = np.stack([e_x, np.cross(e_z, e_x), e_z], 1)
    seq = j["sequence_start"]
    start = lambda name: np.array([j[f"{name}_{i}"]["start"] for i in (1, 2, 3)], float)
    angles, rates = start("angle"), start("angle_d")
    # Each rate turns about its axis as the turns before it have left it.
    w = sum(turns(seq[:i], angles[:i]) @ EYE[seq[i] - 1] * rates[i] for i in range(3))
    A = A0 @ turns(seq, angles)
    S = System(c)
    r0 = np.array(base["r"]) + A0 @ start("r_rel_a")
    b = S.body(c["b"], r0, A)
    S.start(lambda s: np.vstack([s.velocity(b, O), s.spin(b)]),
            np.concatenate([A0 @ start("v_rel_a"), A0 @ w]))
    r = S.run()
    R = r.A(b)
    c.write({"b.r_0": r.at(b), "b.v_0": r.velocity(b), "b.w_a": r.w(b),
             "b.frame_a.R.T[1,2]": R[:, 1, 0], "b.frame_a.R.T[3,3]": R[:, 2, 2]})


def free_body(name):
    c = Case(name)
    m, com, I = inertia(c["b"])
    I = np.diag(I)
    A0 = turns([1, 2, 3], c["b"]["angles_start"])
    w0_world = np.array(c["b"]["w_0_start"], float)
    w0 = A0.T @ w0_world
    w = euler_top(I, w0, c.t)
    rows = integrate(lambda t, y: (y.reshape(3, 3) @ skew(euler_top(I, w0, np.array([t]))[0])).ravel(),
                     A0.ravel(), c.t).reshape(-1, 3, 3)
    r0, v0 = (np.array(c["b"][k]["start"], float) for k in ("r_0", "v_0"))
    centre = r0 + A0 @ com + np.outer(c.t, v0 + np.cross(w0_world, A0 @ com)) \
        + 0.5 * np.outer(c.t**2, c.g)
    z = -np.cross(w, I * w) / I
    c.write({"b.r_0": centre - rows @ com, "b.w_a": w, "b.frame_a.R.T[1,1]": rows[:, 0, 0],
             "b.frame_a.R.T[2,1]": rows[:, 0, 1], "b.frame_a.R.T[3,2]": rows[:, 1, 2], "b.z_a": z})


def euler_top(I, w0, t):
    """Angular velocity of a body without torque, I[0] < I[1] < I[2]; Landau and Lifshitz, vol. 1,
    section 37: elliptic functions, for both senses of the inequality M^2 <> 2 E I2."""
    E, M = (I * w0**2).sum(), ((I * w0) ** 2).sum()
    order = [0, 1, 2] if M > E * I[1] else [2, 1, 0]
    I1, I2, I3 = I[order]
    a1 = np.sqrt((E * I3 - M) / (I1 * (I3 - I1)))
    a2 = np.sqrt((E * I3 - M) / (I2 * (I3 - I2)))
    a3 = np.sqrt((M - E * I1) / (I3 * (I3 - I1)))
    tau = np.sqrt((I3 - I2) * (M - E * I1) / (I1 * I2 * I3))
    k2 = (I2 - I1) * (E * I3 - M) / ((I3 - I2) * (M - E * I1))
    u = w0[order]
    s = np.sign(u[2])
    phase = np.arctan2(u[1] / a2 * s, u[0] / a1)
    x = tau * t + ellipkinc(phase, k2)
    sn, cn, dn, _ = ellipj(x, k2)
    out = np.empty((len(t), 3))
    out[:, order[0]], out[:, order[1]], out[:, order[2]] = a1 * cn, s * a2 * sn, s * a3 * dn
    return out


def reversed_joints():
    c = Case("reversed_joints")
    n1, n2 = unit(c["j1"]["n"]), unit(c["j2"]["n"])
    n_a, n_b = unit(c["j3"]["n_a"]), unit(c["j3"]["n_b"])
    p1, p2, k = shape(c["b1"]), shape(c["b2"]), c["tie"]
    A1 = turn(n1, 0.4).T
    A2 = A1 @ turn(n2, 0.2).T
    A3 = A2 @ (turn(n_a, 0.3) @ turn(n_b, -0.2)).T
    S = System(c)
    b1 = S.body(c["b1"], O, A1)
    r2 = A1 @ p1 - A2 @ n2 * 0.1
    b2 = S.body(c["b2"], r2, A2)
    b3 = S.body(c["b3"], r2 + A2 @ p2, A3)
    S.revolute(b1, O, -1, O, n1)
    S.cylindrical(b2, O, b1, p1, n2)
    S.universal(b3, O, b2, p2, n_a, n_b)
    S.start_relative(b1, O, -1, O, O, 1 * n1)
    S.start_relative(b2, O, b1, p1, 0.3 * n2, -2 * n2)
    S.start_relative(b3, O, b2, p2, O, 0.5 * n_a + turn(n_a, 0.3) @ n_b * 1)
    law = lambda L, v: k["c"] * (L - k["s_unstretched"]) + k["d"] * v
    S.line_force(b3, O, b1, O, law)
    r = S.run()
    phi_a, phi_b = universal_angles(n_a, n_b, r.relative(b3, b2))

    def pull(s):
        """Force of the tie on b3, in b3's frame."""
        d = s.at(b1, O) - s.at(b3, O)
        L = np.sqrt(d @ d)
        v = d @ (s.velocity(b1, O) - s.velocity(b3, O)) @ s.v / L
        return np.concatenate([s.A(b3).T @ d / L * law(L, v), [law(L, v)]])
    tie = r.each(pull)
    load = r.frame_load(b3)
    c.write({"j1.phi": angle_about(n1, np.swapaxes(r.A(b1), 1, 2)),
             "j2.s": r.along(b2, O, n2, b1, p1), "j2.phi": angle_about(n2, r.relative(b2, b1)),
             "j3.phi_a": phi_a, "j3.phi_b": phi_b, "tie.f": tie[:, 3],
             "b3.frame_a.f": load[:, :3], "b3.frame_a.t": load[:, 3:]})


def reversed_free_joints():
    c = Case("reversed_free_joints")
    n, e_x, e_y = plane_axes(c["j1"])
    p1, p2, m = shape(c["b1"]), shape(c["b2"]), c["end"]["m"]
    A1 = turn(n, 0.3).T
    A2 = A1 @ turns([1, 2, 3], c["j2"]["angles_start"]).T
    r1 = -A1 @ (0.1 * e_x + 0.2 * e_y)
    S = System(c)
    b1 = S.body(c["b1"], r1, A1)
    r2 = r1 + A1 @ p1
    b2 = S.body(c["b2"], r2, A2)
    end = S.point_mass(m, r2 + A2 @ p2)
    S.planar(b1, O, -1, O, n)
    S.point(b2, O, b1, p1)
    S.point(b2, p2, end, O)
    S.start_relative(b1, O, -1, O, 1 * e_x - 0.5 * e_y, 1 * n)
    S.start_relative(b2, O, b1, p1, O, np.array(c["j2"]["w_rel_a_start"]))
    r = S.run()
    # From frame_a on b1 to frame_b on the ground, in frame_a.
    c.write({"j1.s_x": r.along(b1, O, e_x, -1, O), "j1.s_y": r.along(b1, O, e_y, -1, O),
             "j1.phi": angle_about(n, np.swapaxes(r.A(b1), 1, 2)),
             "b1.body.w_a": r.w(b1), "b2.body.w_a": r.w(b2), "end.r_0": r.at(end),
             "end.frame_a.f": r.each(lambda s: m * s.A(b2).T @ (s.a[end, :3] - c.g))})


def main():
    revolute()
    prismatic()
    cylindrical()
    universal()
    planar()
    spherical("spherical_quaternion")
    spherical("spherical_angles")
    free_motion()
    free_motion_scalar()
    for name in ("free_body_quaternions", "free_body_matrix", "free_body_angles"):
        free_body(name)
    reversed_joints()
    reversed_free_joints()


if __name__ == "__main__":
    main()
