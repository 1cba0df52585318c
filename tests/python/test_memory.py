"""Many runs in one process leave nothing behind."""

import gc
import resource

import pytest

import cardan


def peak():
    """[bytes]  the most that the process has held."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_10000_simulations_do_not_grow(pendulum):
    def runs(count):
        for k in range(count):
            r = pendulum.copy(L=0.5 + 1e-5 * k) if k % 10 == 0 else pendulum
            r = r.simulate(0.1, interval=1e-3)
            s = pendulum.start(0.1)
            s.advance(0.01)
            s.restore(s.save())
            if k % 100 == 0:
                with pytest.raises(cardan.ModelError):
                    pendulum["L"] = "nothing"
                with pytest.raises(cardan.RunError):
                    pendulum.linearize(at=-1)
        return r

    runs(500)
    gc.collect()
    before = peak()
    runs(9500)
    # A run has 101 rows of three numbers: less than a tenth of that is left of each.
    assert peak() - before < 2e6
