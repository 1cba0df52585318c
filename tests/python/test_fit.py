"""Parameters from measurements; the truth is known."""

import numpy as np
import pytest

import cardan


@pytest.fixture
def measured(pendulum):
    r = pendulum.copy({"L": 0.62, "joint.phi.start": 0.8}).simulate(2, interval=0.02, outputs=["joint.phi"],
                                                                    event_rows=False)
    noise = 0.01 * np.random.default_rng(4).normal(size=len(r.time))
    return {"time": r.time, "joint.phi": r["joint.phi"] + noise}


def test_fit_finds_what_was_simulated(pendulum, measured):
    f = pendulum.fit({"L": (0.3, 0.9), "joint.phi.start": None}, measured)
    assert f.success and f.message and not f.differences and not f.untold
    assert f.names == ["L", "joint.phi.start"] and f.units[1] == "rad"
    assert np.all(np.abs(f.x - [0.62, 0.8]) < 4 * f.errors) and np.all(f.errors < 0.01)
    assert np.all(f.intervals[:, 0] < f.x) and np.all(f.x < f.intervals[:, 1])
    assert f.jac.shape == (len(measured["time"]), 2) and f.cost == pytest.approx(np.sum(f.fun**2) / 2)
    assert f.correlation[0, 0] == 1 and "L = 0.62" in repr(f)
    (s,) = f.signals
    assert s.sigma == pytest.approx(0.01, rel=0.2) and np.allclose(s.measured, measured["joint.phi"])
    again = pendulum.copy(f.parameters).simulate(2, interval=0.02, outputs=["joint.phi"], event_rows=False)
    assert np.allclose(again["joint.phi"], s.fit, atol=1e-6)


def test_fit_is_that_of_scipy(pendulum, measured):
    optimize = pytest.importorskip("scipy.optimize")

    def residuals(x):
        r = pendulum.copy({"L": x[0], "joint.phi.start": x[1]}).simulate(
            2, interval=0.02, outputs=["joint.phi"], tolerance=1e-11, event_rows=False)
        return (r["joint.phi"] - measured["joint.phi"]) / 0.01

    for loss in ("linear", "soft_l1", "huber", "cauchy"):
        ours = pendulum.fit(["L", "joint.phi.start"], measured, sigma={"joint.phi": 0.01}, loss=loss, tolerance=1e-10)
        theirs = optimize.least_squares(residuals, [0.5, 1], loss=loss, x_scale="jac", jac="3-point",
                                        xtol=1e-12, ftol=1e-12, gtol=1e-12)
        assert np.allclose(ours.x, theirs.x, rtol=1e-6), loss
        assert ours.cost == pytest.approx(theirs.cost, rel=1e-8)


def test_fit_of_files_gaps_and_bounds(pendulum, measured, tmp_path):
    phi = measured["joint.phi"].copy()
    phi[10:20] = np.nan
    with pytest.warns(cardan.RunWarning, match="10 of 101 values"):
        f = pendulum.fit({"L": (0.3, 0.6), "joint.phi.start": None}, {"time": measured["time"], "joint.phi": phi})
    assert f.active_mask.tolist() == [1, 0] and f.x[0] == 0.6
    path = tmp_path / "run.csv"
    path.write_text("time [ms],joint.phi [deg]\n" + "".join(
        f"{1000 * t!r},{np.degrees(p)!r}\n" for t, p in zip(measured["time"].tolist(), measured["joint.phi"].tolist())))
    both = pendulum.fit(["L", "joint.phi.start"], [path, measured])
    assert len(both.signals) == 2 and both.x[0] == pytest.approx(0.62, rel=1e-2)


def test_fit_leaves_out_what_is_masked(pendulum, measured):
    phi = np.ma.masked_array(measured["joint.phi"], mask=False)
    phi[10:20] = 1e6
    phi[10:20] = np.ma.masked
    with pytest.warns(cardan.RunWarning, match="10 of 101 values"):
        f = pendulum.fit(["L", "joint.phi.start"], {"time": measured["time"], "joint.phi": phi})
    assert f.x[0] == pytest.approx(0.62, rel=1e-2)


def test_fit_has_the_options_of_runs(pendulum, measured):
    with pytest.warns(cardan.RunWarning, match="50 of 101"):
        f = pendulum.fit(["L", "joint.phi.start"], measured, stop=1)
    assert f.signals[0].time[-1] == 1 and np.all(np.abs(f.x - [0.62, 0.8]) < 4 * f.errors)
    higher = pendulum.copy({"joint.phi.start": 0.8}).simulate(0, outputs=["joint.*"])
    assert abs(pendulum.fit(["L"], measured, initial=higher).x[0] - 0.62) < 0.01


def test_what_is_wrong_with_a_fit(pendulum, measured):
    with pytest.raises(cardan.ModelError, match="no parameter"):
        pendulum.fit(["nothing"], measured)
    with pytest.raises(cardan.ModelError, match="none of its columns"):
        pendulum.fit(["L"], {"time": [0, 1], "x": [0, 1]})
    for wrong in ({"loss": "cubic"}, {"starts": 0}, {"confidence": 1}, {"sigma": {"joint.phi": 0}}):
        with pytest.raises(ValueError):
            pendulum.fit(["L"], measured, **wrong)
    with pytest.raises(ValueError, match="'joint.w' is none of the signals"):
        pendulum.fit(["L"], measured, signals="joint.phi", sigma={"joint.w": 1})
    with pytest.raises(TypeError):
        pendulum.fit({"L": 3}, measured)
    with pytest.raises(ValueError):
        pendulum.fit(["L"], {"time": [0, 1], "joint.phi": [0]})

    for wrong in ({"seed": -1}, {"seed": 1.5}, {"starts": 2.5}):
        with pytest.raises(ValueError, match="whole number"):
            pendulum.fit(["L"], measured, **wrong)
    state = pendulum.start(1).save()
    for run in (lambda: pendulum.fit(["L"], measured, initial=state), lambda: pendulum.sensitivities(["L"], 1, initial=state),
                lambda: pendulum.optimize(["L"], "max(joint.w)", initial=state)):
        with pytest.raises(TypeError, match="an Equilibrium or a Result"):
            run()

    def stop(cost):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        pendulum.fit(["L"], measured, progress=stop)
