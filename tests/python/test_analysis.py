"""What is asked of a model, against closed forms."""

import json
import subprocess

import numpy as np
import pytest

import cardan


def test_check_tells_the_structure(models):
    c = cardan.load(models / "loops/fourbar.yaml").check()
    assert c.degrees_of_freedom == 1 and len(c.cuts) == 1 and "3 of 5" in c.loops[0]
    assert {b.type for b in c.tree} >= {"Revolute"} and "degrees of freedom: 1" in str(c)
    tree = cardan.load(models / "elementary/double_pendulum.yaml").check().tree
    assert [(b.name, b.freedoms) for b in tree if b.freedoms] == [("revolute1", 1), ("revolute2", 1)]


def test_variables_are_what_results_can_hold(pendulum):
    v = pendulum.variables
    assert v["joint.phi"].unit == "rad" and v["rod.frame_a.R.T"].shape == (3, 3)
    assert set(pendulum.simulate(0.1, outputs=["**"]).units) >= {n for n, x in v.items() if x.shape == ()} - {"time"}


def test_modes_of_a_pendulum(pendulum):
    m = pendulum.copy(d=0)
    L, w, g = 0.5, 0.04, 9.80665
    J = L * L / 3 + w * w / 12  # of a box about its end, for a mass of 1
    modes = m.modes(at=m.equilibrium())
    assert modes[0].frequency == pytest.approx(np.sqrt(g * L / 2 / J) / (2 * np.pi), rel=1e-9)
    assert modes[0].damping_ratio == pytest.approx(0, abs=1e-12) and modes.unstable == 0
    assert list(modes[0].participation) == ["joint.phi"] and modes.states == ["joint.phi", "joint.w"]
    top = m.copy({"joint.phi.start": np.pi / 2}).modes()
    assert max(x.eigenvalue.real for x in top) == pytest.approx(np.sqrt(g * L / 2 / J), rel=1e-6)
    assert "joint.phi" in str(modes)


def test_point_of_an_equilibrium_is_its_own(pendulum):
    top = pendulum.copy({"joint.phi.start": np.pi / 2, "d": 0}).equilibrium()  # the model rests below
    assert top["joint.phi"] == np.pi / 2 and "joint.phi" in top and list(top) == list(top.values)
    linear = pendulum.linearize(at=top)
    assert list(linear.x0) == [top["joint.phi"], 0] and linear.kind == "equilibrium"
    assert pendulum.modes(at=top).unstable == 1 and pendulum.modes(at=pendulum.equilibrium()).unstable == 0


def test_equilibrium_of_another_model_is_refused(pendulum, cart_pole):
    rest = cart_pole.equilibrium()
    for use in (lambda: pendulum.linearize(at=rest), lambda: pendulum.modes(at=rest),
                lambda: pendulum.simulate(1, initial=rest)):
        with pytest.raises(ValueError, match="of another model: 'CartPole', this is 'Pendulum'"):
            use()


def test_linear_model_is_that_of_the_program(cart_pole, program, tmp_path):
    from conftest import page_models

    path = tmp_path / "cart_pole.yaml"
    path.write_text(page_models()["cart_pole.yaml"])
    out = subprocess.run([program, "linearize", path, "-u", "u", "-y", "pole.r_0", "-q", "-o", "-"], check=True,
                         capture_output=True).stdout
    theirs = json.loads(out)
    ours = cart_pole.linearize(inputs=["u"], outputs=["pole.r_0"])
    for name in "ABCD":
        assert np.array_equal(np.array(theirs[name], dtype=float).reshape(getattr(ours, name).shape),
                              getattr(ours, name))
    assert ours.inputs == ["u"] and ours.outputs == ["pole.r_0[1]", "pole.r_0[2]", "pole.r_0[3]"]
    assert ours.kind == "equilibrium" and ours.units["track.s"] == "m" and list(ours.u0) == [0]


def test_linear_model_feeds_scipy(pendulum):
    scipy = pytest.importorskip("scipy.signal")
    linear = pendulum.linearize(at=pendulum.equilibrium(), outputs=["joint.phi"])
    assert np.allclose(sorted(scipy.StateSpace(linear.A, np.zeros((2, 1)), linear.C, 0).poles.imag),
                       sorted(np.linalg.eigvals(linear.A).imag))
    A, B, C, D = linear
    assert A.shape == (2, 2) and B.shape == (2, 0) and C.shape == (1, 2) and D.shape == (1, 0)


def own_equations(A, B):
    """A model whose states are x' = A x + B u."""
    n, m = B.shape
    terms = [" + ".join([f"({A[i, j]!r})*x{j + 1}" for j in range(n)] + [f"({B[i, j]!r})*u{j + 1}" for j in range(m)])
             for i in range(n)]
    return cardan.load({
        "inputs": {f"u{j + 1}": 0 for j in range(m)},
        "variables": {f"x{i + 1}": {"start": 0, "fixed": True} for i in range(n)},
        "equations": [f"der(x{i + 1}) = {t}" for i, t in enumerate(terms)],
    })


def test_lqr_gains_are_those_of_scipy():
    linalg = pytest.importorskip("scipy.linalg")
    random = np.random.default_rng(5)
    for k in range(50):
        n, m = 1 + k % 8, 1 + k % 3
        A, B = random.normal(size=(n, n)).tolist(), random.normal(size=(n, m)).tolist()
        half = random.normal(size=(n, n))
        Q, R = half.T @ half, np.diag(random.uniform(0.1, 2, m))
        linear = own_equations(np.array(A), np.array(B)).linearize(inputs=[f"u{j + 1}" for j in range(m)])
        A, B, _, _ = linear
        K, S, E = linear.lqr(Q, R)
        expected = linalg.solve_continuous_are(A, B, Q, R)
        assert np.allclose(S, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
        assert np.allclose(K, np.linalg.solve(R, B.T @ expected), rtol=1e-9, atol=1e-9 * np.abs(K).max())
        assert E.real.max() < 0

        h = 0.1
        F = np.block([[A, B], [np.zeros((m, n + m))]])
        W = linalg.block_diag(Q, R)
        both = linalg.expm(h * np.block([[-F.T, W], [np.zeros_like(F), F]]))
        P, M = both[n + m:, n + m:], both[n + m:, n + m:].T @ both[:n + m, n + m:]
        Ah, Bh, Qh, Nh, Rh = P[:n, :n], P[:n, n:], M[:n, :n], M[:n, n:], M[n:, n:]
        expected = linalg.solve_discrete_are(Ah, Bh, (Qh + Qh.T) / 2, (Rh + Rh.T) / 2, s=Nh)
        K, S, E = linear.lqr(Q, R, sample=h)
        gains = np.linalg.solve(Rh + Bh.T @ expected @ Bh, Bh.T @ expected @ Ah + Nh.T)
        assert np.allclose(S, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
        assert np.allclose(K, gains, rtol=1e-9, atol=1e-8 * np.abs(gains).max())
        assert np.abs(E).max() < 1


def test_lqr_of_a_cart_pole_and_what_cannot_be(cart_pole):
    linalg = pytest.importorskip("scipy.linalg")
    upright = cart_pole.linearize(at=cart_pole.equilibrium(), inputs=["u"])
    K, S, E = upright.lqr(np.eye(4), 1)
    assert np.allclose(S, linalg.solve_continuous_are(upright.A, upright.B, np.eye(4), np.eye(1)), rtol=1e-9)
    with pytest.raises(cardan.RunError, match="'track.s' has no weight"):
        upright.lqr(np.diag([0, 1, 0, 0]), 1)
    with pytest.raises(ValueError, match="weights of another size"):
        upright.lqr(np.eye(3), 1)
    with pytest.raises(ValueError, match="must be positive"):
        upright.lqr(np.eye(4), -1)
    with pytest.raises(ValueError, match="must be symmetric"):
        upright.lqr(np.triu(np.ones((4, 4))), 1)
    for sample in (-1, np.nan, np.inf):
        with pytest.raises(ValueError, match="a sample must be"):
            upright.lqr(np.eye(4), 1, sample)
    with pytest.raises(cardan.RunError, match="too long"):
        upright.lqr(np.eye(4), 1, 10)


def test_kalman_gains_are_those_of_scipy(cart_pole):
    linalg = pytest.importorskip("scipy.linalg")
    upright = cart_pole.linearize(at=cart_pole.equilibrium(), inputs=["u"], outputs=["track.s", "pivot.phi"])
    Q, R = np.diag([1.0, 2, 3, 4]), np.diag([1e-2, 1e-3])
    L, P, E = upright.kalman(Q, R)
    expected = linalg.solve_continuous_are(upright.A.T, upright.C.T, Q, R)
    assert np.allclose(P, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    assert np.allclose(L, expected @ upright.C.T @ np.linalg.inv(R), rtol=1e-8)
    assert np.allclose(np.sort(E.real), np.sort(np.linalg.eigvals(upright.A - L @ upright.C).real))
    # Readings every 20 ms: of a fine sum of what drives the states between them.
    h, n = 0.02, 4
    F = linalg.expm(h * upright.A)
    points = np.polynomial.legendre.leggauss(20)
    drives = sum(w * h / 2 * E @ Q @ E.T for t, w in zip(*points) for E in [linalg.expm(h / 2 * (1 + t) * upright.A)])
    L, P, E = upright.kalman(Q, R, sample=h)
    expected = linalg.solve_discrete_are(F.T, upright.C.T, drives, R / h)
    assert np.allclose(P, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    read = upright.C @ expected @ upright.C.T + R / h
    assert np.allclose(L, F @ expected @ upright.C.T @ np.linalg.inv(read), rtol=1e-8)
    assert len(E) == n and np.abs(E).max() < 1
    with pytest.raises(cardan.RunError, match="'track.s' is not seen"):
        cart_pole.linearize(at=cart_pole.equilibrium(), inputs=["u"], outputs=["pivot.phi"]).kalman(np.eye(4), 1)


def test_linear_model_at_a_time(pendulum):
    m = pendulum.copy(d=0)
    linear = m.linearize(at=0.3)
    phi = m.simulate(0.3).final("joint.phi")
    assert linear.time == 0.3 and linear.x0[0] == pytest.approx(phi, abs=1e-6)


def test_equilibrium_holds_what_is_not_free(models):
    m = cardan.load(models / "elementary/double_pendulum.yaml", {"push.force": [0, 0, 0]})
    rest = m.equilibrium()
    assert rest["revolute1.phi"] == pytest.approx(-np.pi / 2) and rest.stable and rest.held == {}
    half = m.equilibrium(free="revolute2.phi")
    assert half["revolute1.phi"] == pytest.approx(np.pi / 6)
    assert half["revolute1.phi"] + half["revolute2.phi"] == pytest.approx(-np.pi / 2)
    assert list(half.held) == ["drive(revolute1.phi)"]


def test_forces_of_a_motion_are_those_that_make_it(cart_pole):
    t = np.linspace(0, 1, 101)
    r = cart_pole.simulate(1, inputs={"u": (t, np.sin(5 * t))}, outputs=["*.s", "*.v", "*.phi", "*.w", "*.a", "u"])
    forces = cart_pole.copy(u=0).inverse(r)
    assert np.allclose(forces["drive(track.s)"], r["u"], atol=1e-5)
    assert np.allclose(forces["drive(pivot.phi)"], 0, atol=1e-5)
    phi = 0.2 * np.sin(3 * t)
    again = cart_pole.inverse({"time": t, "track.s": 0 * t, "pivot.phi": phi}, outputs=["pole.r_0"])
    assert again.names[:2] == ("drive(track.s)", "drive(pivot.phi)") and again["pole.r_0"].shape == (101, 3)
    with pytest.raises(ValueError):
        cart_pole.inverse({"time": t, "track.s": [0.0], "pivot.phi": phi})
    with pytest.raises(KeyError):
        cart_pole.inverse({"track.s": t})
    for times in ([], [2, 1], [0, float("nan")]):
        with pytest.raises(ValueError):
            cart_pole.inverse({"time": times, "track.s": times, "pivot.phi": times})


def test_sensitivities_are_derivatives(pendulum):
    s = pendulum.sensitivities(["L", "joint.phi.start"], 1, outputs=["joint.phi"], interval=0.1)
    h = 1e-4
    for name, value in (("L", 0.5), ("joint.phi.start", 1.0)):
        up, down = (pendulum.copy({name: value + x}).simulate(1, interval=0.1, tolerance=1e-11)["joint.phi"]
                    for x in (h, -h))
        assert np.allclose(s.derivative("joint.phi", name), (up - down) / (2 * h), atol=1e-5)
    assert s.jacobian("joint.phi").shape == (11, 2) and s.parameters == ("L", "joint.phi.start")


def test_pictures(pendulum, tmp_path):
    film = pendulum.animate(0.2, trace="rod.frame_b", curves=["joint.phi"])
    film.save(tmp_path / "x.glb")
    assert (tmp_path / "x.glb").read_bytes()[:4] == b"glTF"
    film.save(tmp_path / "x.png", time=0.1, view="iso", size=(64, 48))
    assert (tmp_path / "x.png").read_bytes()[1:4] == b"PNG"
    shown = film._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "joint.phi" in shown
    assert film.result.time[-1] == pytest.approx(0.2)
    for wrong in ({"view": "up"}, {"size": (1, 1)}):
        with pytest.raises(ValueError):
            film.save(tmp_path / "y.png", **wrong)


def test_other_kinds_of_files(models):
    chain = cardan.load_modelica(models / "modelica/chain.mo", parameters={"L": 0.4})
    assert chain["L"] == 0.4
    robot = cardan.load_robot(models / "robots/picker.urdf", {"shoulder.phi.start": 0.3}, ground=-1.0, friction=True)
    assert "ground.n" in robot.parameters or any(n.startswith("ground.") for n in robot.parameters)
    assert robot.simulate(0.1, outputs=["shoulder.phi"])["shoulder.phi"][0] == 0.3
    with pytest.raises(ValueError):
        cardan.load_robot("robot.xml", floating=True)
    with pytest.raises(ValueError):
        cardan.load_robot("robot.urdf", contacts=False, ground=0)
