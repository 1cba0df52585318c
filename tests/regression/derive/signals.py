"""Tables, wave forms and linear blocks: integrals piece by piece, transfer functions as the
differential equations they stand for."""

import numpy as np

from common import Case, integrate

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


def integrals(f, breaks, t):
    """First and second integral of f from t[0] on, by Gauss' rule between all breaks and times."""
    points = np.unique(np.concatenate([t, [b for b in breaks if t[0] < b < t[-1]]]))
    v, s, out = 0.0, 0.0, {points[0]: (0.0, 0.0)}
    for a, b in zip(points[:-1], points[1:]):
        x = (a + b) / 2 + (b - a) / 2 * NODES
        w = (b - a) / 2 * WEIGHTS
        values = np.array([f(time) for time in x])
        s += v * (b - a) + w @ (values * (b - x))
        v += w @ values
        out[b] = (v, s)
    return np.array([out[time] for time in t])


def tables():
    c = Case("tables")

    def linear(table, x):
        """Later points win where two have one time; beyond the ends the last line goes on."""
        k = np.clip(np.searchsorted(table[:, 0], x, "right") - 1, 0, len(table) - 2)
        (x0, y0), (x1, y1) = table[k], table[k + 1]
        return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    T1, T2, T3 = (np.array(c[n]["table"], float) for n in ("t1", "t2", "t3"))
    start = c["t1"]["startTime"]
    f1 = lambda t: c["t1"]["offset"] + (linear(T1, t - start) if t > start else 0)
    period = T2[-1, 0]

    def f2(t):
        k = np.searchsorted(T2[:, 0], t % period, "right") - 1
        return T2[k, 1] + 0.5 * T2[k, 2]
    scale, shift = c["t3"]["timeScale"], c["t3"]["shiftTime"]
    f3 = lambda t: linear(T3, np.clip((t - shift) / scale, T3[0, 0], T3[-1, 0]))
    out = {}
    for i, f, breaks in ((1, f1, start + T1[:, 0]),
                         (2, f2, [x + n * period for x in T2[:, 0] for n in range(4)]),
                         (3, f3, shift + scale * T3[:, 0])):
        p = c[f"m{i}"]
        v, s = integrals(f, breaks, c.t).T / p["m"]
        v0 = p["v"].get("start", 0)
        out[f"m{i}.s"], out[f"m{i}.v"] = s + v0 * c.t, v + v0
    c.write(out)


def sources():
    c = Case("sources")

    def phase(p, t):
        """Number of the period and time in it."""
        n = np.floor((t - p["startTime"]) / p["period"])
        return n, t - p["startTime"] - n * p["period"]

    def pulse(t, p=c["pulse"]):
        n, x = phase(p, t)
        high = 0 <= n < p["nperiod"] and x < p["period"] * p["width"] / 100
        return p["offset"] + p["amplitude"] * high

    def saw(t, p=c["saw"]):
        n, x = phase(p, t)
        return p["offset"] + (p["amplitude"] * x / p["period"] if n >= 0 else 0)

    def trap(t, p=c["trap"]):
        n, x = phase(p, t)
        r, w, f = p["rising"], p["width"], p["falling"]
        y = np.interp(x, [0, r, r + w, r + w + f], [0, 1, 1, 0])
        return p["offset"] + (p["amplitude"] * y if n >= 0 else 0)

    def ramp(t, p=c["ramp"]):
        return p["offset"] + p["height"] * np.clip((t - p["startTime"]) / p["duration"], 0, 1)

    def sine(t, p=c["sine"]):
        x = t - p["startTime"]
        wave = p["amplitude"] * np.sin(2 * np.pi * p["f"] * x + p["phase"])
        return p["offset"] + (wave if x >= 0 else 0)

    def decay(t, p=c["decay"]):
        x = t - p["startTime"]
        wave = p["amplitude"] * np.exp(-p["damping"] * x) * np.sin(2 * np.pi * p["f"] * x + p["phase"])
        return p["offset"] + (wave if x >= 0 else 0)

    def rise(t, p=c["rise"]):
        x, r = t - p["startTime"], p["riseTime"]
        up = lambda x: p["outMax"] * (1 - np.exp(-x / p["riseTimeConst"]))
        return p["offset"] + (0 if x < 0 else up(x) if x < r
                              else up(r) * np.exp(-(x - r) / p["fallTimeConst"]))

    def pick(t, p=c["bool"]):
        n, x = phase(p, t)
        return c["pick"]["u1"] if n >= 0 and x < p["period"] * p["width"] / 100 else -t
    out = {}
    for i, (f, name) in enumerate([(pulse, "pulse"), (saw, "saw"), (trap, "trap"), (ramp, "ramp"),
                                   (sine, "sine"), (decay, "decay"), (rise, "rise"), (pick, "bool")]):
        p, k = c[name], c[f"i{i + 1}"]
        start = p["startTime"]
        corners = [0]
        if "period" in p:
            inner = {"pulse": [0, 0.3 * p["period"]], "saw": [0], "bool": [0, 0.35 * p["period"]],
                     "trap": [0, 0.13, 0.32, 0.55]}[name]
            corners = [x + n * p["period"] for x in inner for n in range(7)]
        corners += [p.get("duration", 0), p.get("riseTime", 0)]
        v = integrals(f, start + np.array(corners), c.t)[:, 0]
        out[f"i{i + 1}.y"] = k.get("y_start", 0) + k.get("k", 1) * v
    c.write(out)


def linear_blocks():
    c = Case("linear_blocks")
    p = c["u"]
    u = lambda t: p["offset"] + p["amplitude"] * np.sin(2 * np.pi * p["f"] * t + p["phase"])
    A, B, C, D = (np.array(c["ss"][k], float) for k in "ABCD")
    so, fo, de, cd, pi, pid = (c[k] for k in ("so", "fo", "de", "cd", "pi", "pid"))
    w = 2 * np.pi * cd["f"] / np.sqrt(2 ** (1 / cd["n"]) - 1)
    T = pid["Td"] / pid["Nd"]

    def f(t, y):
        x, tf, z = u(t), y[0:3], y[3:5]
        low = y[9:12]
        return np.concatenate([
            [tf[1], tf[2], x - 3 * tf[0] - 5 * tf[1] - 2 * tf[2]],  # 1/(s^3 + 2 s^2 + 5 s + 3)
            A @ z + B[:, 0] * x,
            [(fo["k"] * x - y[5]) / fo["T"]],
            [y[7], so["w"] ** 2 * (so["k"] * x - y[6]) - 2 * so["D"] * so["w"] * y[7]],
            [(x - y[8]) / de["T"]],
            [w * (x - low[0]), w * (low[0] - low[1]), w * (low[1] - low[2])],
            [x / pi["T"], x / pid["Ti"], (x - y[14]) / T]])
    start = [0, 0, 0, *c["ss"]["x_start"], fo["y_start"], so["y_start"], so["yd_start"],
             de["x_start"], 0, 0, 0, pi["x_start"], 0, 0]
    y, x = integrate(f, start, c.t), u(c.t)
    c.write({"tf.y": y[:, 0] + 3 * y[:, 1] + 2 * y[:, 2], "ss.y[1]": y[:, 3:5] @ C[0] + D[0, 0] * x,
             "fo.y": y[:, 5], "so.y": y[:, 6], "de.y": de["k"] / de["T"] * (x - y[:, 8]),
             "cd.y": y[:, 11], "pi.y": pi["k"] * (x + y[:, 12]),
             "pid.y": pid["k"] * (x + y[:, 13] + pid["Td"] * (x - y[:, 14]) / T)})


def math_blocks():
    c = Case("math_blocks")
    t, p, q = c.t, c["u"], c["v"]
    w = 2 * np.pi * p["f"]
    u = p["amplitude"] * np.sin(w * t + p["phase"])
    v = q["amplitude"] * np.cos(2 * np.pi * q["f"] * t + q["phase"]) + q["offset"]
    x = t + c["c"]["offset"]
    out = {"asin": np.arcsin(u), "acos": np.arccos(u), "atan2": np.arctan2(u, v), "tan": np.tan(u),
           "tanh": np.tanh(v), "exp": np.exp(v), "log": np.log(x), "sqrt": np.sqrt(x), "div": v / x,
           "max": np.maximum(u, v), "min": np.minimum(u, v), "abs": abs(u),
           "lim": np.clip(u, -0.4, 0.3 + 0.2 * t), "add3": 2 * u - v + 0.5 * x,
           "mat": np.stack([u, v], 1) @ np.array(c["mat"]["K"]).T,
           "der": p["amplitude"] * w * np.cos(w * t + p["phase"])}
    c.write({name + ".y": y for name, y in out.items()})


def main():
    tables()
    sources()
    linear_blocks()
    math_blocks()


if __name__ == "__main__":
    main()
