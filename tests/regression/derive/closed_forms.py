"""Motions with a closed form, and motions that are given, whose forces follow by d'Alembert."""

import numpy as np
from scipy.special import ellipj

from common import EYE, Case, turn

g = 9.80665


def pendulum():
    """Let go at rest: sin(theta/2) = k cd(w t), with the angle from the lower dead point."""
    c = Case("pendulum")
    b = c["b"]
    m, L, J = b["m"], b["r_CM"][0], b["I_33"]
    J += m * L**2
    theta0, w0 = 1.1 + np.pi / 2, np.sqrt(m * g * L / J)
    k = np.sin(theta0 / 2)
    sn, cn, dn, _ = ellipj(w0 * c.t, k**2)
    theta = 2 * np.arcsin(k * cn / dn)
    # der(cd) = -(1 - k^2) sd/dn
    rate = 2 * k * -(1 - k**2) * w0 * sn / dn**2 / np.cos(theta / 2)
    phi, alpha = theta - np.pi / 2, -m * g * L / J * np.sin(theta)
    c.write({"j.phi": phi, "j.w": rate,
             "s.force[1]": m * (g * np.sin(phi) - L * rate**2),
             "s.force[2]": m * (g * np.cos(phi) + L * alpha)})


def heavy_top():
    """Steady precession: m g L = C w3 W - A W^2 cos(lean), w3 along the top's axis."""
    c = Case("heavy_top")
    lean, W, m, L, A, C = 0.5, 2, 0.6, 0.25, 0.05, 0.008
    w3 = (m * g * L + A * W**2 * np.cos(lean)) / (C * W)
    spin = w3 - W * np.cos(lean)
    R = np.array([turn(EYE[2], W * t) @ turn(EYE[1], lean) @ turn(EYE[2], spin * t) for t in c.t])
    c.write({"b.frame_a.R.T[3,1]": R[:, 0, 2], "b.frame_a.R.T[3,2]": R[:, 1, 2],
             "b.frame_a.R.T[3,3]": R[:, 2, 2], "b.frame_a.R.T[1,1]": R[:, 0, 0],
             "b.w_a[3]": w3})


def bead_on_rod():
    c = Case("bead_on_rod")
    w, m, s0, v0 = c["motor"]["w_fixed"], c["b"]["m"], 0.2, 0.1
    s = s0 * np.cosh(w * c.t) + v0 / w * np.sinh(w * c.t)
    v = s0 * w * np.sinh(w * c.t) + v0 * np.cosh(w * c.t)
    c.write({"j.phi": 0.3 + w * c.t, "rod.s": s, "rod.v": v, "tau.tau": 2 * m * w * s * v})


def slider_crank_driven():
    """Lagrange's equation of the crank's angle alone: tau = M phi'' + M'/2 phi'^2 + U'."""
    c = Case("slider_crank_driven")
    crank, rod, m3 = c["crank"], c["rod"], c["piston"]["m"]
    a, l, e = crank["r"][0], rod["r"][0], c["base"]["r"][1]
    m1, c1, J1 = crank["m"], crank["r_CM"][0], crank["I_33"]
    m2, b, J2 = rod["m"], rod["r_CM"][0], rod["I_33"]
    t = c.t
    phi, w = 0.4 + 3 * t + 0.5 * np.sin(2 * t), 3 + np.cos(2 * t)
    alpha = -2 * np.sin(2 * t)

    def tilt(f):
        psi = np.arcsin((e - a * np.sin(f)) / l)
        return psi, -a * np.cos(f) / (l * np.cos(psi))

    def inertia(f):
        psi, p = tilt(f)
        x, y = -a * np.sin(f) - b * np.sin(psi) * p, a * np.cos(f) + b * np.cos(psi) * p
        s = -a * np.sin(f) - l * np.sin(psi) * p
        return J1 + m1 * c1**2 + J2 * p**2 + m2 * (x**2 + y**2) + m3 * s**2

    def height(f):
        return g * (m1 * c1 * np.sin(f) + m2 * (a * np.sin(f) + b * np.sin(tilt(f)[0])))
    h = 1e-30
    tau = inertia(phi) * alpha + np.imag(inertia(phi + 1j * h)) / h * w**2 / 2 \
        + np.imag(height(phi + 1j * h)) / h
    psi, p = tilt(phi)
    c.write({"guide.s": a * np.cos(phi) + l * np.cos(psi),
             "guide.v": (-a * np.sin(phi) - l * np.sin(psi) * p) * w,
             "j2.phi": psi - phi, "motor.flange.tau": -tau})


def driven_arm():
    """Two links in a plane; the movement keeps all axes in step and within their limits."""
    c = Case("driven_arm")
    p, l1, l2 = c["path"], c["l1"], c["l2"]
    dq = np.array(p["q_end"]) - p["q_begin"]
    v = (np.array(p["qd_max"]) / abs(dq)).min()
    a = (np.array(p["qdd_max"]) / abs(dq)).min()
    t1, t2 = v / a, 1 / v
    assert t1 < t2  # there is a phase of constant speed
    x = np.clip(c.t - p["startTime"], 0, t1 + t2)
    s = np.where(x < t1, a * x**2 / 2, np.where(x < t2, v * x - v * t1 / 2,
                                                1 - a * (t1 + t2 - x) ** 2 / 2))
    sd = np.where(x < t1, a * x, np.where(x < t2, v, a * (t1 + t2 - x)))
    sdd = np.where((x > 0) & (x < t1), a, np.where((x > t2) & (x < t1 + t2), -a, 0))
    q1, q2 = (q0 + d * s for q0, d in zip(p["q_begin"], dq))
    w1, w2 = dq[0] * sd, dq[1] * sd
    a1, a2 = dq[0] * sdd, dq[1] * sdd
    r, c1, c2, m1, m2 = l1["r"][0], l1["r_CM"][0], l2["r_CM"][0], l1["m"], l2["m"]
    k = m2 * r * c2
    M11 = l1["I_33"] + l2["I_33"] + m1 * c1**2 + m2 * (r**2 + c2**2) + 2 * k * np.cos(q2)
    M22 = l2["I_33"] + m2 * c2**2
    M12 = M22 + k * np.cos(q2)
    g2 = m2 * g * c2 * np.cos(q1 + q2)
    tau1 = M11 * a1 + M12 * a2 - k * np.sin(q2) * (2 * w1 * w2 + w2**2) \
        + (m1 * c1 + m2 * r) * g * np.cos(q1) + g2
    tau2 = M12 * a1 + M22 * a2 + k * np.sin(q2) * w1**2 + g2
    c.write({"j1.phi": q1, "j2.phi": q2, "j1.w": w1, "j1.tau": tau1, "j2.tau": tau2})


def hooke_joint():
    """tan(output) = tan(input)/cos(bend); the motor accelerates the output shaft."""
    c = Case("hooke_joint")
    w, J, bend = c["motor"]["w_fixed"], c["shaft2"]["I_11"], np.radians(c["base"]["angle"])
    phi = 0.3 + w * c.t
    D = np.cos(bend) ** 2 * np.cos(phi) ** 2 + np.sin(phi) ** 2
    out = np.unwrap(np.arctan2(np.sin(phi), np.cos(bend) * np.cos(phi)))
    rate = w * np.cos(bend) / D
    acceleration = -(w**2) * np.cos(bend) * np.sin(2 * phi) * np.sin(bend) ** 2 / D**2
    c.write({"r1.phi": phi, "r2.phi": out, "r2.w": rate, "r1.tau": J * acceleration * rate / w})


def wgs84():
    """Somigliana's formula and the free-air correction of second order, constants of WGS84."""
    c = Case("wgs84")
    h, s2 = 20000 * c.t, np.sin(np.radians(50)) ** 2
    a, f, m = 6378137.0, 1 / 298.257223563, 0.00344978650684
    surface = 9.7803253359 * (1 + 0.00193185265241 * s2) / np.sqrt(1 - (2 * f - f * f) * s2)
    g0 = surface * (1 - 2 / a * (1 + f + m - 2 * f * s2) * h + 3 * h**2 / a**2)
    c.write({"b.g_0[2]": -g0, "j.f": c["b"]["m"] * g0})


def gas_force():
    """The pressure's polynomials over the stroke, as the documentation of the model gives them."""
    c = Case("gas_force")
    L, d = c["g"]["L"], c["g"]["d"]
    angle = 2 * np.pi * c.t + 0.3
    s, v = 0.06 * (1 - 0.95 * np.cos(angle)), np.sin(angle)
    x = 1 - s / L
    compress = np.polyval([177.4132, -287.2189, 151.8252, -24.9973, 2.4], x)
    fired = np.polyval([-3929704, 14748765, -20747000, 12964477, -3036495], x)
    expand = np.polyval([145.930, -131.707, 17.3438, 17.9272, 2.4], x)
    assert x.max() < 0.986061
    press = 1e5 * np.where(v < 0, compress, np.where(x > 0.933, fired, expand))
    c.write({"g.press": press, "g.V": 0.01 + 1 - x, "m.flange.f": press * np.pi * d**2 / 4})


def main():
    pendulum()
    heavy_top()
    bead_on_rod()
    slider_crank_driven()
    driven_arm()
    hooke_joint()
    wgs84()
    gas_force()


if __name__ == "__main__":
    main()
