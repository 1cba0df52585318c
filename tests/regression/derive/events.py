"""Contact, friction, backlash, switches: each mode has its own smooth equations, the switching times
are found one after the other (common.piecewise)."""

import numpy as np

from common import Case, piecewise, turn, unit


def keep(mode):
    return lambda t, y: (mode, y)


def columns(rows, modes, t, f):
    """f(mode, t, y) for each row."""
    return np.array([f(m, time, y) for m, time, y in zip(modes, t, rows)])


def gap(p, mass, load, depth, into):
    """A mass with y = (position, speed) under a load and an elastic gap of a given depth and rate of
    penetration: the damper adds at most the spring's force and never pulls. Modes and forces."""
    spring = lambda y: p["c"] * max(depth(y), 0.0) ** p.get("n", 1)
    damper = lambda y: p["d"] * into(y)
    sign = np.sign(into(np.array([0.0, 1.0])))
    push = {"air": lambda y: 0.0, "steep": lambda y: 2 * spring(y),
            "both": lambda y: spring(y) + damper(y), "loose": lambda y: 0.0}
    more = lambda t, y: damper(y) - spring(y)
    pull = lambda t, y: damper(y) + spring(y)
    touch = lambda t, y: depth(y)

    def mode(name):
        return lambda t, y: [y[1], (load - sign * push[name](y)) / mass]
    exits = {"air": [(touch, 1, keep("steep"))], "steep": [(more, -1, keep("both"))],
             "both": [(more, 1, keep("steep")), (pull, -1, keep("loose"))],
             "loose": [(touch, -1, keep("air")), (pull, 1, keep("both"))]}
    return {k: (mode(k), v) for k, v in exits.items()}, push


def bouncing_mass():
    c = Case("bouncing_mass")
    p, half = c["gap"], c["m"]["L"] / 2
    modes, push = gap(p, c["m"]["m"], c["weight"]["f_constant"],
                      lambda y: p["s_rel0"] - (y[0] - half), lambda y: -y[1])
    y, which, _ = piecewise(modes, "air", [0.4, -0.5], c.t)
    c.write({"m.s": y[:, 0], "m.v": y[:, 1],
             "gap.f": columns(y, which, c.t, lambda m, t, y: -push[m](y))})


def sliding_stop():
    c = Case("sliding_stop")
    m = c["b"]["m"]
    e = turn([0, 0, 1], np.radians(c["base"]["angle"])) @ unit(c["j"]["n"])
    modes, push = gap(c["gap"], m, m * c.g @ e, lambda y: y[0] + c["gap"]["s_rel0"], lambda y: y[1])
    y, which, _ = piecewise(modes, "air", [0.1, 0], c.t)
    c.write({"j.s": y[:, 0], "j.v": y[:, 1],
             "gap.f": columns(y, which, c.t, lambda m, t, y: -push[m](y))})


def ball_on_floor():
    c = Case("ball_on_floor")
    m, g = c["b"]["m"], c.g[1]
    air = lambda t, y: np.concatenate([y[3:], [0, g, 0]])
    floor = lambda t, y: np.concatenate([y[3:], [-2 * y[3] / m, g + (800 * (0.1 - y[1]) - 3 * y[4]) / m, 0]])
    level = lambda t, y: y[1] - 0.1
    y, _, _ = piecewise({"air": (air, [(level, -1, keep("floor"))]),
                         "floor": (floor, [(level, 1, keep("air"))])},
                        "air", [0, 0.6, 0, 1, 0.4, -0.5], c.t)
    c.write({"b.r_0": y[:, :3], "b.v_0": y[:, 3:]})


def friction(inertia, applied, table, peak, base=lambda t: 0.0):
    """Modes of dry friction for y = (position, speed): table of the friction over the slip."""
    x, f = np.array(table, float).T
    slide = lambda u: np.interp(u, x, f)
    slip = lambda t, y: y[1] - base(t)
    load = {"stuck": applied, "forward": lambda t, y: slide(slip(t, y)),
            "backward": lambda t, y: -slide(-slip(t, y))}

    def stop(t, y):
        y = np.array([y[0], base(t)])
        a = applied(t, y)
        return ("forward" if a > peak * f[0] else "backward" if a < -peak * f[0] else "stuck"), y
    modes = {
        "stuck": (lambda t, y: [base(t), 0.0],
                  [(lambda t, y: applied(t, y) - peak * f[0], 1, keep("forward")),
                   (lambda t, y: applied(t, y) + peak * f[0], -1, keep("backward"))]),
        "forward": (lambda t, y: [y[1], (applied(t, y) - load["forward"](t, y)) / inertia],
                    [(slip, -1, stop)]),
        "backward": (lambda t, y: [y[1], (applied(t, y) - load["backward"](t, y)) / inertia],
                     [(slip, 1, stop)])}
    return modes, load


def bearing_friction():
    c = Case("bearing_friction")
    p = c["f"]
    modes, load = friction(c["i"]["J"], lambda t, y: 4 * np.sin(3 * t), p["tau_pos"], p["peak"])
    y, which, _ = piecewise(modes, "stuck", [0, 0], c.t)
    c.write({"i.phi": y[:, 0], "i.w": y[:, 1],
             "f.tau": columns(y, which, c.t, lambda m, t, y: load[m](t, y))})


def friction_pendulum():
    c = Case("friction_pendulum")
    b, p = c["b"], c["f"]
    m, l = b["m"], b["r_CM"][0]
    modes, load = friction(b["I_33"] + m * l**2, lambda t, y: m * l * c.g[1] * np.cos(y[0]),
                           p["tau_pos"], p["peak"])
    y, which, _ = piecewise(modes, "backward", [-0.2, 0], c.t)
    c.write({"j.phi": y[:, 0], "j.w": y[:, 1],
             "f.tau": columns(y, which, c.t, lambda m, t, y: load[m](t, y))})


def stick_slip():
    c = Case("stick_slip")
    p, k = c["f"], c["spring"]
    modes, load = friction(c["m"]["m"], lambda t, y: -k["c"] * (y[0] - k["s_rel0"]), p["f_pos"],
                           p["peak"], lambda t: c["belt"]["v_fixed"])
    y, which, times = piecewise(modes, "stuck", [0.3, 0.4], c.t)
    c.write({"m.s": y[:, 0], "m.v": y[:, 1],
             "f.f": columns(y, which, c.t, lambda m, t, y: load[m](t, y))})


def clutch():
    """y = phi1, w1, w2; the clutch's torque drives the first inertia, brakes the second."""
    c = Case("clutch")
    J1, J2, p = c["i1"]["J"], c["i2"]["J"], c["c"]
    x, mu = np.array(p["mu_pos"], float).T
    closed = p["cgeo"] * p["fn_max"] * 0.8
    load = lambda t: -0.5 if t < 1.513 else -20 * (t - 1.513) - 0.5
    held = lambda t: J1 / (J1 + J2) * load(t)
    largest = closed * mu[0] * p["peak"]
    torque = {"open": lambda t, y: 0.0, "slow": lambda t, y: -closed * np.interp(y[1] - y[2], x, mu),
              "fast": lambda t, y: closed * np.interp(y[2] - y[1], x, mu),
              "locked": lambda t, y: held(t)}

    def rate(mode):
        def f(t, y):
            tau = torque[mode](t, y)
            return [y[1], tau / J1, (load(t) - tau) / J2]
        return f
    slip = lambda t, y: y[2] - y[1]

    def lock(t, y):
        w = (J1 * y[1] + J2 * y[2]) / (J1 + J2)
        assert abs(held(t)) < largest
        return "locked", np.array([y[0], w, w])
    modes = {"open": (rate("open"), [(lambda t, y: t - 0.21, 1, keep("slow"))]),
             "slow": (rate("slow"), [(slip, 1, lock)]), "fast": (rate("fast"), [(slip, -1, lock)]),
             "locked": (rate("locked"), [(lambda t, y: held(t) + largest, -1, keep("slow"))])}
    y, which, _ = piecewise(modes, "open", [0, 12, -1], c.t)
    c.write({"i1.phi": y[:, 0], "i1.w": y[:, 1], "i2.w": y[:, 2],
             "c.tau": columns(y, which, c.t, lambda m, t, y: torque[m](t, y))})


def brake():
    """Constant accelerations: free, braked, held, free."""
    c = Case("brake")
    ratio, p = c["gear"]["ratio"], c["b"]
    J = c["drum"]["J"] + c["m"]["m"] / ratio**2
    load = c["weight"]["f_constant"] / ratio
    grip = p["mu_pos"][0][1] * p["cgeo"] * p["fn_max"] * 0.9
    a, b, t1, t3 = load / J, (load - grip) / J, 0.13, 1.02
    w1 = 6 + a * t1
    phi1 = 6 * t1 + a * t1**2 / 2
    t2 = t1 - w1 / b
    phi2 = phi1 - w1**2 / 2 / b
    t = c.t
    pick = [t < t1, t < t2, t < t3]
    phi = np.select(pick, [6 * t + a * t**2 / 2, phi1 + w1 * (t - t1) + b * (t - t1) ** 2 / 2, phi2],
                    phi2 + a * (t - t3) ** 2 / 2)
    w = np.select(pick, [6 + a * t, w1 + b * (t - t1), 0], a * (t - t3))
    c.write({"drum.phi": phi, "drum.w": w, "m.s": phi / ratio,
             "b.tau": np.select(pick, [0, grip, load], 0)})


def backlash():
    """y = phi1, w1, phi2, w2. In contact the spring pushes the teeth apart; the damper adds at most as
    much again and takes away no more than there is."""
    c = Case("backlash")
    J1, J2, p = c["i1"]["J"], c["i2"]["J"], c["b"]
    gap = lambda y: y[2] - y[0] - p["phi_rel0"]
    torque = {"free": lambda t, y: 0.0}
    exits = {"free": []}

    def rate(mode):
        def f(t, y):
            tau = torque[mode](t, y)
            return [y[1], (3 * np.sin(6 * t) + tau) / J1, y[3], -tau / J2]
        return f
    for name, side in (("up ", 1), ("down ", -1)):
        depth = lambda t, y, side=side: side * gap(y) - p["b"] / 2
        spring = lambda t, y, depth=depth: p["c"] * depth(t, y)
        damper = lambda t, y, side=side: side * p["d"] * (y[3] - y[1])
        excess = lambda t, y, s=spring, d=damper: d(t, y) - s(t, y)
        total = lambda t, y, s=spring, d=damper: d(t, y) + s(t, y)
        torque[name + "steep"] = lambda t, y, s=spring, side=side: side * 2 * s(t, y)
        torque[name + "both"] = lambda t, y, f=total, side=side: side * f(t, y)
        torque[name + "loose"] = lambda t, y: 0.0
        exits["free"] += [(depth, 1, keep(name + "steep"))]
        exits[name + "steep"] = [(excess, -1, keep(name + "both"))]
        exits[name + "both"] = [(excess, 1, keep(name + "steep")), (total, -1, keep(name + "loose"))]
        exits[name + "loose"] = [(depth, -1, keep("free")), (total, 1, keep(name + "both"))]
    y, which, _ = piecewise({k: (rate(k), v) for k, v in exits.items()}, "free", [0, 0, 0.03, 0],
                            c.t)
    c.write({"i1.phi": y[:, 0], "i1.w": y[:, 1], "i2.phi": y[:, 2], "i2.w": y[:, 3],
             "b.tau": columns(y, which, c.t, lambda m, t, y: torque[m](t, y))})


def limited_control():
    c = Case("limited_control")
    J, d, lim = c["i"]["J"], c["rate"], c["lim"]

    def torque(y, ref):
        dead = max(y[1] - d["uMax"], 0) + min(y[1] - d["uMin"], 0)
        return np.clip(40 * (ref - y[0]) - 5 * dead, lim["uMin"], lim["uMax"])
    refs = {"before": -0.3, "after": 0.7}
    mode = lambda r: (lambda t, y: [y[1], torque(y, refs[r]) / J])
    y, which, _ = piecewise({"before": (mode("before"), [(lambda t, y: t - 0.33, 1, keep("after"))]),
                             "after": (mode("after"), [])}, "before", [0.1, 0], c.t)
    c.write({"i.phi": y[:, 0], "i.w": y[:, 1],
             "lim.y": columns(y, which, c.t, lambda m, t, y: torque(y, refs[m]))})


def thermostat():
    """Exponentials between the two temperatures."""
    c = Case("thermostat")
    C, G, out, s = c["room"]["C"], c["wall"]["G"], c["out"]["T"], c["switch"]
    T, now, power, pieces = 290.0, 0.0, 600.0, []
    while now < c.t[-1]:
        limit, goal = (s["uHigh"] if power == 600 else s["uLow"]), out + power / G
        end = now - C / G * np.log((limit - goal) / (T - goal))
        pieces.append((now, T, goal, power))
        T, now, power = limit, end, (20.0 if power == 600 else 600.0)
    rows = []
    for t in c.t:
        begin, T, goal, power = [p for p in pieces if p[0] <= t][-1]
        rows.append([goal + (T - goal) * np.exp(-G / C * (t - begin)), power])
    rows = np.array(rows)
    c.write({"room.T": rows[:, 0], "power.y": rows[:, 1]})


def lim_pid():
    c = Case("lim_pid")
    m, k, p = c["m"]["m"], c["c"], c["pid"]
    goal = {"before": 0.5, "after": 0.2}

    def output(y, u):
        v = p["k"] * (p["wp"] * u - y[0] + y[2])
        return v, np.clip(v, p["yMin"], p["yMax"])

    def mode(name):
        def f(t, y):
            u = goal[name]
            v, f = output(y, u)
            return [y[1], (f - k["c"] * y[0] - k["d"] * y[1]) / m,
                    (u - y[0] + (f - v) / (p["k"] * p["Ni"])) / p["Ti"]]
        return f
    y, which, _ = piecewise({"before": (mode("before"), [(lambda t, y: t - 0.53, 1, keep("after"))]),
                             "after": (mode("after"), [])}, "before", [0.1, 0, 0], c.t)
    c.write({"m.s": y[:, 0], "m.v": y[:, 1],
             "pid.y": columns(y, which, c.t, lambda m, t, y: output(y, goal[m])[1]),
             "pid.I.y": y[:, 2]})


def main():
    bouncing_mass()
    sliding_stop()
    ball_on_floor()
    bearing_friction()
    friction_pendulum()
    stick_slip()
    clutch()
    brake()
    backlash()
    limited_control()
    thermostat()
    lim_pid()


if __name__ == "__main__":
    main()
