"""Writes the reference of bushing.yaml: one rigid body on a mount, by Newton's and Euler's equations about a
point that is not its centre of mass, the orientation a matrix, integrated by Runge and Kutta's method of
order 4 with steps of 1e-4 s (halving them changes no digit written)."""
import numpy as np

m, r_c = 5.0, np.array([0.02, 0, 0.05])
inertia = np.diag([0.04, 0.05, 0.03]) + m * (r_c @ r_c * np.eye(3) - np.outer(r_c, r_c))
c, d = np.array([2000.0, 3000, 8000]), np.array([10.0, 15, 20])
c_rot, d_rot = np.array([40.0, 50, 30]), np.array([0.2, 0.3, 0.1])
rest, g = np.array([0, 0, 0.02]), np.array([0, 0, -9.81])


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rotation_vector(R):
    angle = np.arccos(min(1.0, max(-1.0, (np.trace(R) - 1) / 2)))
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    return axis if angle < 1e-9 else axis * angle / np.sin(angle)


def jacobian(theta):
    """w = J der(theta), w in the body (the right Jacobian of the rotations)."""
    a, x = np.linalg.norm(theta), cross(theta)
    if a < 1e-9:
        return np.eye(3) - x / 2
    return np.eye(3) - (1 - np.cos(a)) / a**2 * x + (a - np.sin(a)) / a**3 * x @ x


def loads(r, v, R, w):
    theta = rotation_vector(R)
    f = c * (r - rest) + d * v
    t = np.linalg.solve(jacobian(theta).T, c_rot * theta) + d_rot * w
    return theta, f, t, d @ (v * v) + d_rot @ (w * w)


def rates(y):
    r, v, R, w = y
    _, f, t, _ = loads(r, v, R, w)
    A = np.block([[m * np.eye(3), -m * cross(r_c)], [m * cross(r_c), inertia]])
    b = np.concatenate([R.T @ (m * g - f) - m * np.cross(w, np.cross(w, r_c)),
                        m * np.cross(r_c, R.T @ g) - t - np.cross(w, inertia @ w)])
    a = np.linalg.solve(A, b)
    return v, R @ a[:3], R @ cross(w), a[3:]


def step(y, h):
    add = lambda k, s: tuple(a + s * b for a, b in zip(y, k))
    k1 = rates(y)
    k2 = rates(add(k1, h / 2))
    k3 = rates(add(k2, h / 2))
    k4 = rates(add(k3, h))
    return tuple(a + h / 6 * (p + 2 * q + 2 * s + u) for a, p, q, s, u in zip(y, k1, k2, k3, k4))


names = ["mount.r_rel", "mount.theta", "mount.f", "mount.t"]
y = (np.array([0.01, 0.005, 0]), np.zeros(3), np.eye(3), np.array([0.5, -0.3, 0.8]))
with open("../reference/bushing.csv", "w") as out:
    head = ["time"] + [f"{n}[{i}]" for n in names for i in (1, 2, 3)] + ["mount.lossPower"]
    out.write(",".join(f'"{h}"' for h in head) + "\n")
    for row in range(51):
        r, v, R, w = y
        theta, f, t, loss = loads(r, v, R, w)
        values = [row * 0.02, *r, *theta, *f, *t, loss]
        out.write(",".join(f"{x:.10g}" for x in values) + "\n")
        for _ in range(200):
            y = step(y, 1e-4)
