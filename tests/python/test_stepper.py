"""Runs by hand: steps, states, misuse, threads."""

import gc
import pickle
import subprocess
import threading
import time

import numpy as np
import pytest

import cardan


def test_steps_are_the_run(cart_pole):
    m = cart_pole.copy({"pivot.phi.start": 0.1})
    r = m.simulate(1, interval=0.1, event_rows=False)
    s = m.start(1)
    assert s.names == list(r.names) and s.inputs == ["u"] and s.time == 0
    for k, t in enumerate(r.time):
        s.advance(t)
        # Steps end where it is advanced to, so both are within 100 tolerances.
        assert s["pivot.phi"] == pytest.approx(r["pivot.phi"][k], rel=1e-6, abs=1e-6)


def test_arrays_are_read_and_set():
    m = cardan.load({"components": {"push": {"type": "WorldForce", "force": [0, 0, 0]}, "b": {"type": "Body", "m": 2},
                                    "free": {"type": "FreeMotion"}}, "world": {"g": 0},
                     "connections": [["world.frame_b", "free.frame_a"], ["free.frame_b", "b.frame_a"],
                                     ["push.frame_b", "b.frame_a"]]})
    s = m.start(1, outputs=["b.a_0", "b.v_0"])
    s["push.force"] = [2, 4, -6]
    s.advance(1)
    assert np.allclose(s["b.a_0"], [1, 2, -3]) and np.allclose(s["b.v_0"], [1, 2, -3])
    s["push.force[1]"] = 0
    assert np.allclose(s["b.a_0"], [0, 2, -3])
    for wrong in ([1, 2], 3, [1, 2, float("nan")], "abc", None):
        with pytest.raises((ValueError, TypeError)):
            s["push.force"] = wrong
    assert np.allclose(s["b.a_0"], [0, 2, -3])


@pytest.mark.parametrize("integrator", ["ida", "explicit", "automatic"])
def test_restored_run_goes_on_bit_for_bit(cart_pole, integrator):
    def ahead(s):
        values = []
        for t in np.linspace(0.6, 2, 15):
            s["u"] = np.sin(t)
            s.advance(t)
            values.append([s[n] for n in s.names])
        return values

    s = cart_pole.start(2, integrator=integrator, inputs={"u": 1.0})
    s.advance(0.5)
    state = s.save()
    first = ahead(s)
    s.restore(state)
    assert s.time == 0.5 and ahead(s) == first
    other = cart_pole.start(2, integrator=integrator, inputs={"u": 1.0})
    other.restore(pickle.loads(pickle.dumps(state)))
    assert ahead(other) == first
    assert repr(state) == "<cardan.State of CartPole at 0.5 s>" and state.model == "CartPole"


def test_state_of_something_else_is_refused(cart_pole, pendulum):
    state = cart_pole.start(2).save()
    for other in (pendulum.start(2), cart_pole.copy({"cart.m": 2}).start(2), cart_pole.start(2, tolerance=1e-4)):
        with pytest.raises(cardan.ModelError):
            other.restore(state)
        other.advance(0.1)
    bytes_ = state.to_bytes()
    for wrong in (b"", b"nonsense", bytes_[:-9], bytes_[:50] + b"xx" + bytes_[52:]):
        with pytest.raises(cardan.ModelError):
            cardan.State.from_bytes(wrong)


def test_states_are_those_of_the_program(models, program, tmp_path):
    model, state = models / "elementary/double_pendulum.yaml", tmp_path / "m.state"
    subprocess.run([program, "simulate", model, "-q", "-o", tmp_path / "a.csv", "--save-state", state, "--save-at", "1"],
                   check=True)
    rest = cardan.load(model).simulate(initial=cardan.State.from_bytes(state.read_bytes()))
    subprocess.run([program, "simulate", model, "-q", "-o", tmp_path / "b.csv", "--start", state], check=True)
    rest.save(tmp_path / "ours.csv")
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_model_that_ends_the_run_is_told():
    m = cardan.load({"variables": {"x": {"start": 0, "fixed": True}}, "equations": ["der(x) = 1"],
                     "when": [{"condition": "x > 0.5", "terminate": "far enough"}], "simulation": {"stop": 1}})
    s = m.start()
    s.advance(1)
    assert s.time == pytest.approx(0.5) and s.terminated == "far enough"
    with pytest.raises(cardan.RunError, match="far enough"):
        s.advance(1)


def test_misuse_is_an_error_and_no_crash(cart_pole):
    s = cart_pole.start(1)
    s.advance(0.5)
    for wrong in (0.1, 2, float("nan"), "x", None):
        with pytest.raises((ValueError, TypeError)):
            s.advance(wrong)
    assert s.time == 0.5
    s.close()
    s.close()
    for use in (lambda: s.time, lambda: s["u"], lambda: s.advance(1), s.save, lambda: s.names):
        with pytest.raises(RuntimeError, match="closed"):
            use()
    with cart_pole.start(1) as inner:
        inner.advance(1)
    with pytest.raises(RuntimeError):
        inner.advance(1)


def test_objects_may_outlive_each_other(cart_pole):
    s, film = cart_pole.start(1), cart_pole.animate(0.05)
    state, result = s.save(), film.result
    del cart_pole
    gc.collect()
    s.advance(1)
    s.restore(state)
    del s
    gc.collect()
    assert result.time[-1] == 0.05 and len(film.page()) > 1000 and state.time == 0


def test_run_that_is_in_use_is_refused(cart_pole):
    told = []

    def inside(t):
        try:
            s.advance(1)
        except RuntimeError as e:
            told.append(str(e))

    s = cart_pole.start(1000, progress=inside)
    s.advance(500)
    assert told and "used elsewhere" in told[0]
    s.advance(501)

    refused = []
    cart_pole["pivot.phi.start"] = 0.1
    long = cart_pole.start(1e6)

    def meddle():
        while not done.is_set():
            try:
                long["track.s"]
            except RuntimeError as e:
                refused.append(str(e))

    done = threading.Event()
    thread = threading.Thread(target=meddle)
    thread.start()
    long.advance(300)
    done.set()
    thread.join()
    assert refused and set(refused) == {refused[0]} and "used elsewhere" in refused[0]


def test_other_threads_go_on_meanwhile(cart_pole):
    counted = [0]

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    done = threading.Event()
    thread = threading.Thread(target=count)
    thread.start()
    time.sleep(0.05)
    before = counted[0]
    cart_pole.copy({"pivot.phi.start": 0.1}).simulate(300, interval=1)
    during = counted[0] - before
    done.set()
    thread.join()
    assert during > 10


def test_threads_of_one_model_give_what_one_gives(cart_pole):
    alone = [cart_pole.copy({"pivot.phi.start": a}).simulate(1).values for a in (0.1, 0.2, 0.3, 0.4)]
    study = cart_pole.sweep({"pivot.phi.start": [0.1, 0.2, 0.3, 0.4] * 4}, threads=4, stop=1)
    for k, run in enumerate(study):
        assert run.error is None and np.array_equal(run.result.values, alone[k % 4])
    results = [None] * 8

    def run(k):  # the very same object in all threads
        results[k] = cart_pole.simulate(1, outputs=["**"] if k % 2 else None).final("pivot.phi")

    threads = [threading.Thread(target=run, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(set(results)) == 1
