"""Everything that can go wrong says what, where, and keeps the rows so far."""

import os
import pickle
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import cardan

# Its right side has no value from x = 1 on, at t = 1.
FAILS = """
model: Fails
variables: {x: {start: 0, fixed: true}, y: {start: 0, fixed: true}}
equations: ["der(x) = 1", "der(y) = sqrt(1 - x)"]
simulation: {stop: 2, interval: 0.1}
"""
# Runs for as long as anyone would wait.
LONG = """
model: Long
variables: {x: {start: 1, fixed: true}, v: {start: 0, fixed: true}}
equations: ["der(x) = v", "der(v) = -x"]
simulation: {stop: 1e6, interval: 1}
"""


def test_model_error_says_where_and_what_to_try(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text("model: Wrong\ncomponents:\n  b: {type: Body, r_cM: 1}\n  c: {type: Bodyy}\n")
    with pytest.raises(cardan.ModelError) as caught:
        cardan.load(path)
    e = caught.value
    assert (e.file, e.line, e.column) == (str(path), 3, 19)
    assert e.message == "Body 'b': unknown key 'r_cM'" and e.hint.startswith("did you mean 'r_CM'?")
    assert [d.line for d in e.diagnostics if d.severity == "error"] == [3, 4]
    assert str(e).startswith(f"{path}:3:19: error: Body 'b': unknown key 'r_cM'; did you mean 'r_CM'?")
    again = pickle.loads(pickle.dumps(e))
    assert str(again) == str(e) and again.diagnostics == e.diagnostics


@pytest.mark.parametrize("source", ["no/such/file.yaml", "no/such.mo", "no/such.urdf", "model: [\n", {"components": 1},
                                    {"components": {"a": {"type": "Nothing"}}}])
def test_what_is_no_model_is_a_model_error(source):
    with pytest.raises(cardan.ModelError):
        cardan.load(source)


@pytest.mark.parametrize("source", [3, None, b"model.yaml"])
def test_what_is_no_source_is_a_type_error(source):
    with pytest.raises(TypeError):
        cardan.load(source)


@pytest.mark.parametrize("name, value, error", [
    ("LL", 1, cardan.ModelError), ("rod.widht", 1, cardan.ModelError), ("rod.width", -1, cardan.ModelError),
    ("rod.r", [1, 2], cardan.ModelError), ("L", "no such name", cardan.ModelError), ("L=1", 2, cardan.ModelError),
    ("L", float("nan"), ValueError), ("rod.r", [0, np.inf, 0], ValueError), ("L", None, TypeError), ("L", object(), TypeError)])
def test_wrong_value_leaves_the_model_as_it_was(pendulum, name, value, error):
    before = pendulum.simulate(0.1).values
    with pytest.raises(error):
        pendulum[name] = value
    assert pendulum["L"] == 0.5 and np.array_equal(pendulum.simulate(0.1).values, before)


def test_number_that_is_none_is_named(pendulum):
    for values, name in (({"L": float("nan")}, "'L'"), ({"rod.r": [0, np.inf, 0]}, r"'rod.r\[2\]'"),
                         ({"rod.r": np.array([0, 0, np.nan])}, r"'rod.r\[3\]'")):
        with pytest.raises(ValueError, match=name + " must be finite"):
            pendulum.set(values)
    with pytest.raises(ValueError, match="'components.b.m' must be finite"):
        cardan.load({"components": {"b": {"type": "Body", "m": float("inf")}}})


def test_names_that_are_not_there_are_key_errors(pendulum):
    with pytest.raises(KeyError, match="did you mean 'joint.phi'"):
        pendulum.simulate(0.1)["joint.ph"]
    with pytest.raises(KeyError, match="rod.width"):
        pendulum["rod.widht"]
    for outside in ("rod.r[0]", "rod.r[4]", "rod.r[1,1]", "rod.r[x]"):
        with pytest.raises(KeyError):
            pendulum[outside]
    s = pendulum.start()
    with pytest.raises(KeyError, match="not among the outputs"):
        s["rod.r_0"]
    with pytest.raises(KeyError, match="no input"):
        s["joint.phi"] = 1
    with pytest.raises(KeyError, match="no input"):
        pendulum.simulate(inputs={"u": 1})
    with pytest.raises(KeyError, match="no input"):
        pendulum.simulate(inputs={"u": ([0.0, 1.0], [0.0, 1.0])})


@pytest.mark.parametrize("options, error", [
    ({"stop": -1}, cardan.ModelError), ({"stop": float("nan")}, cardan.ModelError),
    ({"tolerance": 0}, cardan.ModelError), ({"interval": -1}, cardan.ModelError),
    ({"outputs": ["nothing"]}, cardan.ModelError), ({"integrator": "stepping"}, cardan.ModelError),
    ({"integrator": "euler"}, ValueError), ({"integrator": 3}, TypeError),
    ({"impact": "euler"}, ValueError), ({"impact": 3}, TypeError), ({"intervals": 0}, ValueError),
    ({"intervals": 2.7}, ValueError), ({"stop": "1"}, TypeError), ({"sample": -1}, ValueError),
    ({"inputs": {3: 1}}, TypeError),
    ({"intervals": 5, "interval": 1}, ValueError), ({"stop": "soon"}, TypeError), ({"outputs": [3]}, TypeError),
    ({"initial": 3}, TypeError), ({"sample": 0, "inputs": {"u": lambda t, s: 0}}, ValueError),
    ({"inputs": {"u": float("inf")}}, ValueError), ({"inputs": {"u": lambda t, s: "x"}}, TypeError),
    ({"inputs": {"u": lambda t, s: None}}, TypeError), ({"inputs": {"u": lambda t, s: [1, 2]}}, ValueError),
    ({"inputs": {"u": ([0, 1, 0.5], [0, 1, 2])}}, ValueError), ({"inputs": {"u": ([0, 1], [0, 1, 2])}}, ValueError),
    ({"inputs": {"u": [1, 2]}}, ValueError)])
def test_wrong_options_are_refused(cart_pole, options, error):
    with pytest.raises(error):
        cart_pole.simulate(**options)


def test_run_error_has_the_rows_so_far():
    with pytest.raises(cardan.RunError, match="sqrt") as caught:
        cardan.load(FAILS).simulate()
    e = caught.value
    assert e.time == pytest.approx(1, abs=1e-3) and e.result.ended == "failed"
    assert np.allclose(e.result["x"], e.result.time) and e.result.time[-1] >= 0.9
    assert e.result.message == str(e)
    again = pickle.loads(pickle.dumps(e))
    assert str(again) == str(e) and len(again.result) == len(e.result)


def test_failed_run_by_hand_stands_at_the_last_good_step():
    s = cardan.load(FAILS).start()
    with pytest.raises(cardan.RunError):
        s.advance(2)
    assert 0.9 < s.time <= 1.001 and s["x"] == pytest.approx(s.time)


def test_points_that_are_not_there_are_run_errors(pendulum):
    with pytest.raises(cardan.RunError):
        cardan.load({"variables": {"x": {"start": 0, "fixed": True}}, "equations": ["der(x) = 1"],
                     "simulation": {"stop": 1}}).equilibrium()
    with pytest.raises(cardan.RunError, match="before"):
        pendulum.linearize(at=-1)
    with pytest.raises(cardan.ModelError):
        pendulum.linearize(inputs=["nothing"])
    with pytest.raises(cardan.ModelError):
        pendulum.linearize(outputs=["nothing"])
    with pytest.raises(cardan.ModelError):
        pendulum.sensitivities(["nothing"])
    with pytest.raises(cardan.ModelError):
        pendulum.animate(0.1, follow="nothing")
    for near in (pendulum.linearize, pendulum.modes, pendulum.equilibrium):
        for wrong in ("soon", "0.5"):
            with pytest.raises(TypeError, match="at must be a number"):
                near(at=wrong)
    with pytest.raises(ValueError, match="frames must be a whole number"):
        pendulum.animate(0.1, frames=-3)
    with pytest.raises(cardan.ModelError, match="no variable 'nothing'"):
        pendulum.animate(0.1, curves="nothing")


def test_file_that_cannot_be_written_is_an_os_error(pendulum, tmp_path):
    r = pendulum.simulate(0.1)
    with pytest.raises(OSError):
        r.save(tmp_path / "no/such/folder.csv")
    film = pendulum.animate(0.1)
    with pytest.raises(OSError):
        film.save(tmp_path / "no/such/folder.glb")
    with pytest.raises(cardan.ModelError):
        film.save(tmp_path / "film.mp4")


def interrupted(run):
    """What a run that Ctrl-C stops after a moment raises."""
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as caught:
        run()
    return caught.value


def test_ctrl_c_keeps_the_rows():
    e = interrupted(lambda: cardan.load(LONG).simulate())
    assert len(e.result) > 10 and e.result.ended == "interrupted" and e.result.time[-1] < 1e6


def test_ctrl_c_in_a_controller_keeps_the_rows():
    m = cardan.load({"inputs": {"u": 0}, "variables": {"x": {"start": 0, "fixed": True}}, "equations": ["der(x) = u"],
                     "simulation": {"stop": 1e6, "interval": 1}})
    e = interrupted(lambda: m.simulate(inputs={"u": lambda t, s: 1.0}))
    assert len(e.result) > 10 and e.result.ended == "interrupted"


def test_run_by_hand_goes_on_after_ctrl_c():
    s = cardan.load(LONG).start()
    interrupted(lambda: s.advance(1e6))
    reached = s.time
    assert 0 < reached < 1e6
    s.advance(reached + 1)
    assert s.time == reached + 1


def test_ctrl_c_ends_a_study():
    begun = time.monotonic()
    interrupted(lambda: cardan.load(LONG).sweep([{}, {}, {}, {}], threads=2))
    assert time.monotonic() - begun < 60  # the runs alone would take minutes


def test_what_a_function_raises_ends_the_run_with_it():
    def bad(t):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        cardan.load(LONG).simulate(progress=bad)
    assert caught.value.result.ended == "failed"
    m = cardan.load({"inputs": {"u": 0}, "variables": {"x": {"start": 0, "fixed": True}}, "equations": ["der(x) = u"]})
    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        m.simulate(1, inputs={"u": lambda t, s: bad(t) if t > 0.5 else 1.0})
    assert caught.value.result.final("x") == pytest.approx(0.5, abs=0.01)


def test_sweep_has_failures_among_the_others(pendulum):
    study = pendulum.sweep({"rod.width": [0.04, -1, 0.05]}, stop=0.1, threads=2)
    assert [type(run.error) for run in study] == [type(None), cardan.ModelError, type(None)]
    assert [run.parameters["rod.width"] for run in study.failed] == [-1]
    assert list(study["rod.width"]) == [0.04, -1, 0.05]
    for wrong in ({"L": 0.5}, {"L": np.float64(0.5)}, {"L": np.int64(1)}, {"L": "12"}):
        with pytest.raises(TypeError, match="'L' must be a list"):
            pendulum.sweep(wrong)
    study = pendulum.sweep({"L": [0.1, float("nan"), None, 0.2]}, stop=0.1)
    assert [type(run.error) for run in study] == [type(None), ValueError, TypeError, type(None)]
    assert "'L' must be finite" in str(study[1].error) and study[3].result.ended == "completed"
    with pytest.raises(TypeError, match="stop"):  # the study's own, and none of its runs'
        pendulum.sweep({"L": [0.1]}, stop="soon")


def test_warnings_are_warnings_of_the_line_that_asked(models, pendulum):
    def told(f):
        with warnings.catch_warnings(record=True) as all_:
            warnings.simplefilter("always")
            f()
        assert all_ and all(w.filename == __file__ for w in all_)
        return {w.category for w in all_}

    robot = models / "robots/picker.urdf"
    assert told(lambda: cardan.load_robot(robot, ground=-1.0)) == {cardan.ModelWarning}
    assert told(pendulum.linearize) == {cardan.ModelWarning}
    fourbar = cardan.load(models / "loops/fourbar.yaml")
    row = fourbar.simulate(0.1, outputs=["*_joint.phi", "*_joint.w"])
    row.values[-1, 1:4] += [0.01, -0.02, 0.03]  # where the loop does not close
    assert told(lambda: fourbar.simulate(0.2, initial=row)) == {cardan.RunWarning}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pendulum.simulate(0.2)
        with pytest.raises(cardan.ModelWarning):
            pendulum.linearize()
