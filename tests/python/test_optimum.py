"""Parameters that make runs best."""

import numpy as np
import pytest

import cardan


def test_optimum_is_that_of_scipy(pendulum):
    optimize = pytest.importorskip("scipy.optimize")

    def fastest(L):
        r = pendulum.copy({"L": float(L)}).simulate(2, outputs=["joint.w"], tolerance=1e-10)
        return (np.max(r["joint.w"]) - 4) ** 2 + L

    found = pendulum.optimize({"L": (0.2, 3)}, "(max(joint.w) - 4)^2 + final(L)", stop=2, tolerance=1e-10)
    theirs = optimize.minimize_scalar(fastest, bounds=(found.x[0] - 0.1, found.x[0] + 0.1), method="bounded",
                                      options={"xatol": 1e-9})
    assert found.success and found.message and found.nfev > 0
    assert found.fun == pytest.approx(theirs.fun, rel=1e-5)
    assert found.x[0] == pytest.approx(theirs.x, rel=1e-2)  # rows are points of the maximum
    assert pendulum.copy(found.parameters)["L"] == pytest.approx(found.x[0])


def test_optimum_within_constraints(pendulum):
    found = pendulum.optimize({"L": (0.2, 3)}, maximize="final(L)", subject_to="final(L) < 0.7", stop=0.1)
    assert found.x[0] == pytest.approx(0.7) and found.constraints[0] == pytest.approx(0.7)
    assert found.multipliers[0] == pytest.approx(1)


def test_what_is_no_optimum_is_no_success(pendulum):
    down = pendulum.optimize(["L"], "final(-L)", stop=0.1)
    assert not down.success and "no optimum" in down.message
    between = pendulum.optimize(["L"], "final(-L)", subject_to="0.1 < final(L) < 0.7", stop=0.1)
    assert between.success and between.x[0] == pytest.approx(0.7) and not between.violated.any()
    apart = pendulum.optimize(["L"], "final(-L)", subject_to=["final(L) < 0.1", "final(L) > 0.7"], stop=0.1)
    assert not apart.success and apart.violated.any() and "violated" in repr(apart)
    assert list(apart.violated) == [apart.x[0] > 0.1, apart.x[0] < 0.7]


def test_optimum_errors(pendulum):
    with pytest.raises(TypeError, match="either minimize or maximize"):
        pendulum.optimize(["L"])
    with pytest.raises(cardan.ModelError, match="no parameter"):
        pendulum.optimize(["no"], "final(L)")
    with pytest.raises(cardan.ModelError, match="what of a run"):
        pendulum.optimize(["L"], "joint.w")
