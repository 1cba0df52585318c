"""Drives in one dimension, circuits and heat: Lagrange's and Kirchhoff's equations by hand, in
independent coordinates."""

import numpy as np

from common import Case, integrate, piecewise


def until(time, f, g, y0, t):
    """f before `time`, g after."""
    modes = {"f": (f, [(lambda t, y: t - time, 1, lambda t, y: ("g", y))]), "g": (g, [])}
    return piecewise(modes, "f", y0, t)[0]


def rotational_chain():
    """q = i1, i2, h; the gear turns i3 by h + (i2 - h)/ratio."""
    c = Case("rotational_chain")
    k, r = c["c1"], c["g"]["ratio"]
    i3 = np.array([0, 1 / r, 1 - 1 / r])
    M = np.diag([c["i1"]["J"], c["i2"]["J"], c["h"]["J"]]) + c["i3"]["J"] * np.outer(i3, i3)

    def acceleration(t, y):
        q, w = y[:3], y[3:]
        spring = k["c"] * (q[1] - q[0] - k["phi_rel0"]) + k["d"] * (w[1] - w[0])
        f = np.array([2 * np.cos(3 * t) + spring, -spring,
                      c["hold"]["c"] * (c["end"]["phi0"] - q[2])]) - c["d"]["d"] * (i3 @ w) * i3
        return np.linalg.solve(M, f)
    y = integrate(lambda t, y: np.concatenate([y[3:], acceleration(t, y)]),
                  [0.2, 0.1, 0, 1, -2, 0.3], c.t)
    a = np.array([acceleration(t, x) for t, x in zip(c.t, y)])
    w3 = y[:, 3:] @ i3
    c.write({"i1.phi": y[:, 0], "i2.phi": y[:, 1], "h.phi": y[:, 2], "i3.phi": y[:, :3] @ i3,
             "i3.w": w3, "s.tau": c["i3"]["J"] * a @ i3 + c["d"]["d"] * w3})


def planetary():
    """q = sun, carrier; the ring turns by ((1 + ratio) carrier - sun)/ratio."""
    c = Case("planetary")
    r, k, q, step = c["p"]["ratio"], c["k"], c["q"], c["t"]
    ring = np.array([-1 / r, (1 + r) / r])
    M = np.diag([c["s"]["J"], c["c"]["J"]]) + c["r"]["J"] * np.outer(ring, ring)

    def f(torque):
        def rate(t, y):
            x, w = y[:2], y[2:]
            drag = q["tau_nominal"] * w[1] * abs(w[1]) / q["w_nominal"] ** 2
            spring = k["c"] * (ring @ x) + k["d"] * (ring @ w)
            return np.concatenate([w, np.linalg.solve(M, np.array([torque, drag]) - spring * ring)])
        return rate
    low = step["offsetTorque"]
    y = until(step["startTime"], f(low), f(low + step["stepTorque"]), [0, 0, 8, 1], c.t)
    c.write({"s.phi": y[:, 0], "s.w": y[:, 2], "c.phi": y[:, 1], "c.w": y[:, 3],
             "r.phi": y[:, :2] @ ring, "r.w": y[:, 2:] @ ring})


def translational_chain():
    c = Case("translational_chain")
    k1, k2, p1, p2, drag = c["c1"], c["c2"], c["m1"], c["m2"], c["drag"]
    m2 = p2["m"] + c["i"]["J"] / c["wheel"]["radius"] ** 2
    first = p1["s"]["start"], p2["s"]["start"], p1["v"]["start"], p2["v"]["start"]
    stretch = lambda s1, s2: s2 - p2["L"] / 2 - (s1 + p1["L"] / 2 + c["rod"]["L"]) - k2["s_rel0"]

    def f(force):
        def rate(t, y):
            s1, s2, v1, v2 = y
            wall = k1["c"] * (s1 - p1["L"] / 2 - c["wall"]["s0"] - k1["s_rel0"]) + k1["d"] * v1
            mid = k2["c"] * stretch(s1, s2) + c["d2"]["d"] * (v2 - v1)
            return [v1, v2, (force - wall + mid) / p1["m"],
                    (-mid + drag["f_nominal"] * v2 / drag["v_nominal"]) / m2]
        return rate
    low = c["f"]["offsetForce"]
    y = until(c["f"]["startTime"], f(low), f(low + c["f"]["stepForce"]), first, c.t)
    c.write({"m1.s": y[:, 0], "m1.v": y[:, 2], "m2.s": y[:, 1], "m2.v": y[:, 3],
             "i.w": y[:, 3] / c["wheel"]["radius"], "c2.f": k2["c"] * stretch(y[:, 0], y[:, 1]),
             "rod.s": y[:, 0] + p1["L"] / 2 + c["rod"]["L"] / 2})


def prescribed_filters():
    """A position goes through a Bessel filter of second order, a speed through one of first order."""
    c = Case("prescribed_filters")
    wp, wv = 2 * np.pi * c["p"]["f_crit"], 2 * np.pi * c["v"]["f_crit"]
    turn = lambda t, y: ((0.5 * np.sin(4 * t) + 0.3 - y[0]) * wp - 1.3617 * y[1]) * wp / 0.6180
    push = lambda t, y: (np.cos(3 * t) - y[3]) * wv
    y = integrate(lambda t, y: [y[1], turn(t, y), y[3], push(t, y)], [0.3, 1, 0.4, 1], c.t)
    t = c.t
    a1 = np.array([turn(*x) for x in zip(t, y)])
    a2 = np.array([push(*x) for x in zip(t, y)])
    c.write({"i1.phi": y[:, 0], "i1.w": y[:, 1], "p.flange.tau": -c["i1"]["J"] * a1,
             "m.s": y[:, 2], "m.v": y[:, 3], "v.flange.f": -c["m"]["m"] * a2,
             "i2.phi": 0.2 + 0.5 * t - t**2 / 2 + t**3 / 3, "a.flange.tau": -c["i2"]["J"] * (2 * t - 1)})


def dc_motor():
    c = Case("dc_motor")
    u, n, k, b = c["u"], c["d"]["ratio"], c["e"]["k"], c["b"]
    m, l = b["m"], b["r_CM"][0]
    J = b["I_33"] + m * l**2 + n**2 * c["i"]["J"]

    def f(t, y):
        voltage = u["offset"] + u["V"] * np.sin(2 * np.pi * u["f"] * t + u["phase"])
        return [y[1], (n * k * y[2] - m * 9.80665 * l * np.cos(y[0])) / J,
                (voltage - c["R"]["R"] * y[2] - k * n * y[1]) / c["L"]["L"]]
    y = integrate(f, [-1, 0.5, 0.5], c.t)
    c.write({"j.phi": y[:, 0], "j.w": y[:, 1], "L.i": y[:, 2], "e.v": k * n * y[:, 1]})


def circuit():
    """y = current of the coil, voltages of both capacitors, position and speed of the mass."""
    c = Case("circuit")
    R, R1, L, C, C1 = c["R"]["R"], c["R1"]["R"], c["L"]["L"], c["C"]["C"], c["C1"]["C"]
    k, s, m = c["e"]["k"], c["k"], c["m"]["m"]
    node = lambda u, i: (u / R - i) / (1 / R + 1 / R1)

    def f(u):
        return lambda t, y: [(node(u, y[0]) - y[1] - k * y[4]) / L, y[0] / C, node(u, y[0]) / R1 / C1,
                             y[4], (k * y[0] - s["c"] * y[3] - s["d"] * y[4]) / m]
    low, high = c["u"]["offset"], c["u"]["offset"] + c["u"]["V"]
    y = until(c["u"]["startTime"], f(low), f(high), [0.2, -1, 0.5, 0.1, 0.3], c.t)
    u = np.where(c.t < c["u"]["startTime"], low, high)
    c.write({"L.i": y[:, 0], "C.v": y[:, 1], "m.s": y[:, 3], "C1.v": y[:, 2],
             "R1.i": node(u, y[:, 0]) / R1})


def heat():
    c = Case("heat")
    b, d, air = c["b"], c["d"]["d"], 293.15
    m, l = b["m"], b["r_CM"][0]
    J = b["I_33"] + m * l**2
    radiation = lambda T: c["r"]["Gr"] * 5.670374419e-8 * (T**4 - air**4)
    f = lambda t, y: [y[1], (-d * y[1] - m * 9.80665 * l * np.cos(y[0])) / J,
                      (d * y[1] ** 2 - (1 + 0.5 * np.sin(t)) * (y[2] - air) - radiation(y[2])) / c["h"]["C"]]
    y = integrate(f, [0.8, 3, 330], c.t)
    c.write({"j.phi": y[:, 0], "j.w": y[:, 1], "h.T": y[:, 2], "r.Q_flow": radiation(y[:, 2])})


def rotational_sensors():
    c = Case("rotational_sensors")
    J1, J2, k, l, shift = c["i1"]["J"], c["i2"]["J"], c["c"], c["l"], c["d"]["deltaPhi"]

    def f(t, y):
        p1, p2, w1, w2 = y
        spring = k["c"] * (p2 - p1 - shift) + k["d"] * (w2 - w1)
        pair = 0.5 * np.cos(4 * t)
        return [w1, w2, (spring - pair + l["tau_nominal"] * w1 / l["w_nominal"]) / J1,
                (pair - spring + c["t"]["tau_constant"]) / J2]
    y = integrate(f, [0.4, 0.1, -1, 2], c.t)
    a1, a2 = np.array([f(t, x)[2:] for t, x in zip(c.t, y)]).T
    p1, p2, w1, w2 = y.T
    tau = -(k["c"] * (p2 - p1 - shift) + k["d"] * (w2 - w1))
    c.write({"a1.phi": p1 + shift, "a2.w": w2, "a3.a": a2, "r1.phi_rel": p2 - p1 - shift,
             "r2.w_rel": w1 - w2, "r3.a_rel": a2 - a1, "m.tau": tau, "m.power": tau * w1, "m.w": w1,
             "p.power": tau * w1})


def translational_sensors():
    c = Case("translational_sensors")
    m1, m2, k, q = c["m1"], c["m2"], c["c"], c["q"]
    length = lambda s1, s2: s2 - m2["L"] / 2 - s1 - m1["L"] / 2

    def f(t, y):
        s1, s2, v1, v2 = y
        spring = k["c"] * (length(s1, s2) - k["s_rel0"]) + k["d"] * (v2 - v1)
        pair = 2 * np.sin(5 * t)
        drag = q["f_nominal"] * v2 * abs(v2) / q["v_nominal"] ** 2
        return [v1, v2, (spring - pair) / m1["m"], (pair - spring + drag) / m2["m"]]
    y = integrate(f, [c["init"]["s_start"] + m1["L"] / 2, 0.8, -0.5, 1], c.t)
    a1, a2 = np.array([f(t, x)[2:] for t, x in zip(c.t, y)]).T
    s1, s2, v1, v2 = y.T
    force = -(k["c"] * (length(s1, s2) - k["s_rel0"]) + k["d"] * (v2 - v1))
    c.write({"a1.s": s1 + m1["L"] / 2, "a2.v": v2, "a3.a": a2, "r1.s_rel": length(s1, s2),
             "r2.v_rel": v1 - v2, "r3.a_rel": a2 - a1, "m.f": force, "m.power": force * v1, "m.v": v1,
             "f.f": force, "p.power": force * v1})


def thermal_net():
    c = Case("thermal_net")
    R, wall, heat = c["k"]["R"], c["wall"]["Rc"], c["heat"]

    def f(t, y):
        flow = (y[0] - y[1]) / R
        gain = heat["Q_flow"] * (1 + heat["alpha"] * (y[0] - heat["T_ref"]))
        loss = (y[1] - 290 - 10 * np.sin(3 * t)) / wall
        return [(gain - flow) / c["a"]["C"], (flow - loss) / c["b"]["C"]]
    a, b = integrate(f, [350, 280], c.t).T
    c.write({"a.T": a, "b.T": b, "q.Q_flow": (a - b) / R, "dT.T_rel": a - b, "c.T": b - 273.15})


def alternating_sources():
    """Three circuits: der(v) = (i - G v)/C between corners, and a coil on a cosine."""
    c = Case("alternating_sources")
    ramp, pulse, u = c["i1"], c["i2"], c["v3"]
    i1 = lambda t: ramp["offset"] + ramp["I"] * np.clip((t - ramp["startTime"]) / ramp["duration"], 0, 1)
    v3 = lambda t: u["offset"] + u["V"] * np.cos(2 * np.pi * u["f"] * t + u["phase"])
    R, L, G, C = c["r3"]["R"], c["l3"]["L"], c["r1"]["G"], c["c1"]["C"]

    def f(t, y):
        return [(i1(t) - G * y[0]) / C, (v3(t) - R * y[1]) / L]
    corner = lambda time: (lambda t, y: t - time, 1)
    step = lambda to: (lambda t, y: (to, y))
    ends = ramp["startTime"], ramp["startTime"] + ramp["duration"]
    modes = {0: (f, [(*corner(ends[0]), step(1))]), 1: (f, [(*corner(ends[1]), step(2))]), 2: (f, [])}
    v1, i = piecewise(modes, 0, [0.4, 0.2], c.t)[0].T
    x = np.maximum(c.t - pulse["startTime"], 0)
    high, period = pulse["period"] * pulse["width"] / 100, pulse["period"]
    charge = pulse["offset"] * c.t + pulse["I"] * (x // period * high + np.minimum(x % period, high))
    c.write({"c1.v": v1, "c2.v": -0.3 + charge / c["c2"]["C"], "l3.i": i, "r3.v": R * i,
             "s3.power": v3(c.t) * i})


def main():
    rotational_chain()
    planetary()
    translational_chain()
    prescribed_filters()
    dc_motor()
    circuit()
    heat()
    rotational_sensors()
    translational_sensors()
    thermal_net()
    alternating_sources()


if __name__ == "__main__":
    main()
