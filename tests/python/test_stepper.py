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
    for wrong in ([1, 2], 3, [1, 2, float("nan")], "abc", None, [1, [2, 3]], [1, 2, None], {1: 2}, object()):
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


@pytest.mark.parametrize("integrator", ["ida", "explicit"])
@pytest.mark.parametrize("given", [{}, {"u": 3.0}])
def test_state_goes_on_as_a_result(cart_pole, integrator, given):
    m = cart_pole.copy({"pivot.phi.start": 0.2})
    s = m.start(1, integrator=integrator, inputs=given)
    s.advance(0.333)
    state = s.save()
    r = m.simulate(1, initial=state, integrator=integrator)
    assert np.allclose(r.time, np.arange(34, 101) / 100, rtol=0, atol=1e-15)
    assert np.array_equal(r.values, m.simulate(1, initial=state, integrator=integrator, inputs=given).values)
    s.advance(1)
    assert r.ended == "completed" and r.final("pivot.phi") == s["pivot.phi"] and r.final("u") == given.get("u", 0)
    again = m.start(1, integrator=integrator, initial=state)
    again.advance(1)
    assert again["pivot.phi"] == s["pivot.phi"]


def test_inputs_of_a_run_that_goes_on_jump_at_its_state(cart_pole):
    s = cart_pole.start(1)
    s.advance(0.5)
    state = s.save()
    s["u"] = 3
    s.advance(1)
    by_number = cart_pole.simulate(1, initial=state, inputs={"u": 3.0})
    by_function = cart_pole.simulate(1, initial=state, inputs={"u": lambda t, s: 3.0})
    for r in (by_number, by_function):
        assert list(r.time[:3]) == [0.5, 0.5, 0.51] and list(r["u"][:3]) == [0, 3, 3]
        assert r.final("track.s") == pytest.approx(s["track.s"], rel=1e-6)
    assert by_number.final("track.s") == s["track.s"]
    at_hand = cart_pole.start(1, initial=state, inputs={"u": 3.0})
    at_hand.advance(1)
    assert at_hand["u"] == 3 and at_hand["track.s"] == s["track.s"]
    still = cart_pole.simulate(1, initial=state, inputs={"u": lambda t, s: 0.0})  # no jump
    assert still.time[0] == 0.51 and not still.events


def test_state_of_a_run_that_began_elsewhere(pendulum):
    s = pendulum.start(2, initial=pendulum.simulate(1))
    s.advance(1.5)
    r = pendulum.simulate(2, initial=s.save())
    s.advance(2)
    assert r.time[0] == 1.51 and r.final("joint.phi") == s["joint.phi"]
    assert pendulum.simulate(2, initial=pendulum.simulate(1), intervals=10).time[1] == pytest.approx(1.1)


def test_names_are_those_of_results():
    m = cardan.load({
        "inputs": {"u": {"start": [1, 2, 3]}, "v": 0.5},
        "components": {"mass": {"type": "Translational.Mass", "count": 3, "m": 1, "s": {"fixed": True}, "v": {"fixed": True}},
                       "push": {"type": "Translational.Force", "count": 3, "f": 7}, "b": {"type": "Body", "m": 1},
                       "free": {"type": "FreeMotion"}},
        "connections": [["push[1:3].flange", "mass[1:3].flange_a"], ["world.frame_b", "free.frame_a"],
                        ["free.frame_b", "b.frame_a"]]})
    outputs = ["mass[*].s", "u[3]", "u[1]", "u[2]", "b.frame_a.R.T"]
    s, r = m.start(1, outputs=outputs), m.simulate(0, outputs=outputs)
    assert set(s) == set(r)
    for name in ("u", "u[2]", "mass[2].s", "b.frame_a.R.T"):
        assert name in s and np.shape(s[name]) == r.final(name).shape and np.array_equal(s[name], r.final(name))
    for no_variable in ("mass", "mass[1]", "b", "u[4]", "b.frame_a.R"):
        assert no_variable not in s and no_variable not in r
        with pytest.raises(KeyError, match="not among the outputs"):
            s[no_variable]
    with pytest.raises(KeyError, match="no input"):
        s["push"] = [1, 2, 3]
    s["u"] = (4, 5, 6)
    assert 3 not in s and list(s["u"]) == [4, 5, 6] and list(cardan.Reader(s)) == s.names and "u" in cardan.Reader(s)


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int64(2), np.array(2.0), [2], np.array([[2.0]])])
def test_one_number_may_come_as_any(cart_pole, value):
    s = cart_pole.start(1)
    s["u"] = value
    assert s["u"] == 2 and cart_pole.simulate(0.02, inputs={"u": value}).final("u") == 2
    assert cart_pole.simulate(0.02, inputs={"u": lambda t, s: value}).final("u") == 2


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
    for wrong in (0.1, 2, float("nan")):
        with pytest.raises(ValueError, match="to its stop time, 1 s"):
            s.advance(wrong)
    for wrong in ("x", None):
        with pytest.raises(TypeError, match="must be real number"):
            s.advance(wrong)
    assert s.time == 0.5
    state = s.save()
    for shorter in (lambda: cart_pole.simulate(0.2, interval=0.01, initial=state), lambda: cart_pole.start(0.2).restore(state)):
        with pytest.raises(cardan.ModelError, match="the state is of 0.5 s, this run ends at 0.2 s"):
            shorter()
    with pytest.raises(ValueError, match="leave out start"):
        cart_pole.simulate(1, start=0.2, initial=state)
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
