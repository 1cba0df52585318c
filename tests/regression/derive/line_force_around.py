#!/usr/bin/python3
"""line_force_around.csv: a slide of mass m on a spring's thread around a cylinder.

The thread runs from A around a cylinder of radius r about z to Q = (-0.7 - s, 0.2, 0.3) on the slide. Unrolled it
is straight: L^2 = P^2 + 0.3^2, P = the two tangents and the arc between them, by places where they touch. m s'' =
-c (L - L0) dL/ds, dL/ds by central differences; Runge-Kutta of order 4, steps of 0.1 ms.
"""
import csv, math, os
A, r, m, c, L0 = (0.2, -0.5), 0.2, 1.5, 40.0, 1.2

def touch(x, y, sign):
    rho = math.hypot(x, y)
    return math.sqrt(rho * rho - r * r), math.atan2(y, x) + sign * math.acos(r / rho)

def length(s):
    a, begin = touch(*A, 1)
    b, end = touch(-0.7 - s, 0.2, -1)
    return math.hypot(a + b + r * ((end - begin) % (2 * math.pi)), 0.3)

def rate(s):
    h = 1e-5
    return -c * (length(s) - L0) * (length(s + h) - length(s - h)) / (2 * h) / m

s, v, rows, dt = 0.0, 1.0, [], 1e-4
for i in range(10001):
    if i % 250 == 0: rows.append([f'{i * dt:.10g}', f'{s:.10g}', f'{v:.10g}', f'{length(s):.10g}'])
    k1 = (v, rate(s))
    k2 = (v + dt / 2 * k1[1], rate(s + dt / 2 * k1[0]))
    k3 = (v + dt / 2 * k2[1], rate(s + dt / 2 * k2[0]))
    k4 = (v + dt * k3[1], rate(s + dt * k3[0]))
    s, v = (x + dt / 6 * (p + 2 * q + 2 * w + z) for x, p, q, w, z in zip((s, v), k1, k2, k3, k4))
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'reference', 'line_force_around.csv')
with open(path, 'w', newline='') as f:
    f.write('"time","j.s","j.v","thread.length"\n')
    csv.writer(f, lineterminator='\n').writerows(rows)
