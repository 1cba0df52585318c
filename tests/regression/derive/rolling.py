"""Rolling without slip, in maximal coordinates (bodies.py): the body's velocity at the contact point,
that of its rim nearest to the ground, is zero. World z points up."""

import numpy as np

from bodies import System
from common import EYE, Case, angle_about, turn, turns
from joints import O, shape

Z = EYE[2]


def rim(s, i, radius):
    """From the centre of wheel i, whose axis is its y, to its lowest point, in the world."""
    e = s.A(i)[:, 1]
    down = -Z + (Z @ e) * e
    return radius * down / np.sqrt(down @ down)


def rolls(S, i, radius, directions=EYE):
    def rows(s):
        r = rim(s, i, radius)
        k = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
        return directions @ (s.velocity(i, O) - k @ s.spin(i))
    S.rate(rows)


def spin_of(angles, rates):
    """Angular velocity (in the world) of turns about z, y, x."""
    return sum(turns([3, 2, 1][:i], angles[:i]) @ EYE[[2, 1, 0][i]] * rates[i] for i in range(3))


def wheel(name):
    c = Case(name)
    p = c["wheel"]
    angles, rates = p["angles"]["start"], p["der_angles"]["start"]
    A = turns([3, 2, 1], angles)
    S = System(c)
    if name == "rolling_wheel":
        parameters = (p["m"], O, np.diag([p["I_long"], p["I_axis"], p["I_long"]]))
        w_name = "wheel.frame_a.R.w"
    else:
        parameters, w_name = c["b"], "b.w_a"
    height = p["radius"] * np.sqrt(1 - A[2, 1] ** 2)
    b = S.body(parameters, [p["x"]["start"], p["y"].get("start", 0), height], A)
    rolls(S, b, p["radius"])
    S.start(lambda s: s.spin(b), spin_of(angles, rates))
    if name == "rolling_wheel_body":
        def push(s):
            s.push(b, O, s.A(b) @ [1, 2 * np.cos(3 * s.t), 0.5])
            s.twist(b, s.A(b) @ [0.2, 0.3 * s.t, -0.1])
        S.load(push)
    r = S.run()
    at, A = r.at(b), r.A(b)
    c.write({"wheel.x": at[:, 0], "wheel.y": at[:, 1], "wheel.frame_a.r_0[3]": at[:, 2],
             w_name: r.w(b), "wheel.frame_a.R.T[2,1]": A[:, 0, 1]})


def wheel_set(name):
    """Both wheels hold the axle in its track: one of the two lateral conditions is redundant."""
    c = Case(name)
    p = c["set"]
    if name == "rolling_wheel_set":
        I = np.diag([p["I_wheelLong"], p["I_wheelAxis"], p["I_wheelLong"]])
        R, masses = p["R_wheel"], [(p["m_wheel"], O, I)] * 2
    else:
        R, masses = p["radius"], [c["w1"], c["w2"]]
    half, phi = p["track"] / 2, p["phi"]["start"]
    S = System(c, redundant=True)
    at = np.array([p["x"]["start"], p["y"]["start"], R])
    b = S.body(c["b"], at, turn(Z, phi))
    wheels = []
    for i, side in ((1, 1), (2, -1)):
        theta = p[f"theta{i}"]["start"]
        arm = np.array([0, side * half, 0])
        w = S.body(masses[i - 1], at + turn(Z, phi) @ arm, turn(Z, phi) @ turn(EYE[1], theta))
        S.revolute(b, arm, w, O, EYE[1])
        rolls(S, w, R)
        S.start(lambda s, w=w: s.A(b)[:, 1] @ (s.spin(w) - s.spin(b)), p[f"der_theta{i}"]["start"])
        wheels.append(w)
    S.planar(-1, at, b, O, Z)

    def drive(s):
        second = 0.4 * np.cos(3 * s.t)
        if "d2" in c.components:
            second = -c["d2"]["d"] * s.A(b)[:, 1] @ (s.spin(wheels[1]) - s.spin(b)) @ s.v
        for w, tau in zip(wheels, (0.6 * np.sin(4 * s.t), second)):
            s.twist(w, s.A(b)[:, 1] * tau)
            s.twist(b, -s.A(b)[:, 1] * tau)
    S.load(drive)
    r = S.run()
    y = EYE[1]
    theta = [angle_about(y, r.relative(b, w)) for w in wheels]
    rate = r.each(lambda s: s.A(b)[:, 1] @ (s.A(wheels[0]) @ s.w(wheels[0]) - s.A(b) @ s.w(b)))
    c.write({"set.x": r.at(b)[:, 0], "set.y": r.at(b)[:, 1], "set.phi": angle_about(Z, r.A(b)),
             "set.theta1": theta[0], "set.theta2": theta[1], "set.der_theta1": rate})


def vertical():
    c = Case("rolling_vertical")
    S = System(c, redundant=True)
    at, A = np.array([0, 0.1, 0.2]), turn(Z, 0.3)
    b = S.body(c["b"], at, A)
    tip = shape(c["b"])
    w = S.body(c["wheel"], at + A @ tip, A)
    S.planar(-1, at, b, O, Z)
    S.revolute(b, tip, w, O, EYE[1])
    rolls(S, w, c["roll"]["radius"])
    S.start(lambda s: Z @ s.spin(b), 1)
    S.start(lambda s: s.A(b)[:, 1] @ (s.spin(w) - s.spin(b)), 3)

    def drive(s):
        tau = 1.5 * np.cos(2 * s.t) * s.A(b)[:, 1]
        s.twist(w, tau)
        s.twist(b, -tau)
    S.load(drive)
    r = S.run()
    rate = r.each(lambda s: s.A(b)[:, 1] @ (s.A(w) @ s.w(w) - s.A(b) @ s.w(b)))
    c.write({"j.s_x": r.at(b)[:, 0], "j.s_y": r.at(b)[:, 1], "j.phi": angle_about(Z, r.A(b)),
             "axle.phi": angle_about(EYE[1], r.relative(b, w)), "axle.w": rate})


def main():
    wheel("rolling_wheel")
    wheel("rolling_wheel_body")
    wheel_set("rolling_wheel_set")
    wheel_set("rolling_wheel_set_joint")
    vertical()


if __name__ == "__main__":
    main()
