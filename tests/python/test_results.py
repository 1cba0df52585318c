"""A run from Python is the run of the program; its arrays are its rows."""

import pickle
import subprocess

import numpy as np
import pytest

import cardan

MODELS = ["elementary/double_pendulum.yaml", "loops/fourbar.yaml", "robots/arm6.yaml", "contact/ball_on_stairs.yaml",
          "modelica/chain.mo", "robots/picker.urdf", "machines/verge.yaml"]


def program_run(program, model, path, *options):
    subprocess.run([program, "simulate", model, "-o", path, "-q", *options], check=True, stderr=subprocess.DEVNULL)
    return path.read_bytes()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", MODELS)
def test_arrays_are_the_bytes_of_the_program(model, models, program, tmp_path):
    theirs = program_run(program, models / model, tmp_path / "theirs.csv")
    r = cardan.load(models / model).simulate()
    r.save(tmp_path / "ours.csv")
    assert (tmp_path / "ours.csv").read_bytes() == theirs
    lines = theirs.decode().splitlines()
    assert lines[0] == ",".join(f'"{n}"' for n in ("time", *r.names))
    # The shortest decimals that read back as the same doubles: so bit for bit.
    read = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
    assert np.array_equal(read, r.values + 0.0)


def test_options_are_those_of_the_program(models, program, tmp_path):
    options = "--stop-time 1.5 --output-interval 0.1 --tolerance 1e-6 --integrator automatic --set L=0.7".split()
    theirs = program_run(program, models / MODELS[0], tmp_path / "t.csv", *options, "--output-variable", "boxBody?.r_0")
    m = cardan.load(models / MODELS[0], L=0.7)
    r = m.simulate(1.5, interval=0.1, tolerance=1e-6, integrator="automatic", outputs="boxBody?.r_0")
    r.save(tmp_path / "o.csv")
    assert (tmp_path / "o.csv").read_bytes() == theirs
    assert np.array_equal(m.simulate(1.5, intervals=15, tolerance=1e-6, integrator="automatic",
                                     outputs=["boxBody?.r_0"]).values, r.values)


def test_columns_are_views(models):
    m = cardan.load(models / MODELS[0])
    r = m.simulate(0.1, outputs=["revolute1.phi", "boxBody1.frame_b.r_0", "boxBody1.frame_b.R.T"])
    for name, shape in {"revolute1.phi": (), "boxBody1.frame_b.r_0": (3,), "boxBody1.frame_b.R.T": (3, 3)}.items():
        assert r[name].shape == (len(r), *shape)
        assert np.shares_memory(r[name], r.values)
    assert np.shares_memory(r.time, r.values)
    T, phi = r["boxBody1.frame_b.R.T"], r["revolute1.phi"]
    assert np.allclose(T[:, 0, 0], np.cos(phi)) and np.allclose(T[:, 0, 1], np.sin(phi))
    assert r.units["revolute1.phi"] == "rad" and "boxBody1.frame_b.r_0" in r and "nothing" not in r


def test_arrays_outlive_what_they_are_from(pendulum):
    phi = pendulum.simulate(0.5)["joint.phi"]
    del pendulum
    assert phi[0] == 1.0 and phi.sum() == np.array(phi).sum()


def test_results_can_be_pickled(pendulum):
    r = pendulum.simulate(0.5)
    r["joint.phi"]
    again = pickle.loads(pickle.dumps(r))
    assert np.array_equal(again.values, r.values) and np.array_equal(again["joint.phi"], r["joint.phi"])
    assert again.stats == r.stats and repr(again) == repr(r)


def test_result_as_a_dataframe(pendulum):
    pandas = pytest.importorskip("pandas")
    r = pendulum.simulate(0.5)
    frame = r.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "time" and list(frame) == list(r.names)
    assert np.array_equal(frame["joint.w"], r["joint.w"]) and frame.attrs["units"]["joint.w"] == "rad/s"


def test_result_is_drawn(pendulum):
    pytest.importorskip("matplotlib").use("Agg")
    r = pendulum.simulate(0.5, outputs=["joint.phi", "rod.r_0"])
    axes = r.plot("joint.phi", "rod.r_0")
    drawn = axes.get_lines()
    assert len(drawn) == 4 and drawn[0].get_label() == "joint.phi [rad]"
    assert np.array_equal(drawn[0].get_ydata(), r["joint.phi"])
    assert r.plot(ax=axes) is axes


def ball(stop=4.0):
    """Falls, bounces, and ends its run at the third bounce."""
    return cardan.load({
        "model": "Ball", "parameters": {"e": 0.8},
        "variables": {"h": {"start": 1, "fixed": True}, "v": {"start": 0, "fixed": True},
                      "bounces": {"start": 0}},
        "equations": ["der(h) = v", "der(v) = -9.81"],
        "when": [{"condition": "h < 0", "reinit": {"v": "-e*pre(v)"}, "set": {"bounces": "pre(bounces) + 1"}},
                 {"condition": "bounces > 2.5", "terminate": "it has bounced enough"}],
        "simulation": {"stop": stop}, "outputs": ["h", "v", "bounces"]})


def test_events_and_end_are_told():
    r = ball().simulate()
    first = np.sqrt(2 / 9.81)
    expected = first * np.array([1, 1 + 2 * 0.8, 1 + 2 * 0.8 + 2 * 0.8**2])
    jumps = np.flatnonzero((np.diff(r.time) == 0) & (np.diff(r["v"]) > 0))
    assert np.allclose(r.time[jumps], expected, atol=1e-6)  # 100 tolerances
    assert set(r.time[jumps]) <= {e.time for e in r.events}
    assert r.ended == "terminated" and r.message == "it has bounced enough"
    assert r.time[-1] == pytest.approx(expected[-1], abs=1e-6)
    assert np.allclose(r["v"][jumps + 1], -0.8 * r["v"][jumps])


def test_model_is_a_file_a_text_or_a_dict(models, tmp_path):
    text = (models / MODELS[0]).read_text()
    yaml = pytest.importorskip("yaml")
    ways = [models / MODELS[0], str(models / MODELS[0]), text, yaml.safe_load(text)]
    values = [cardan.load(w, {"boxBody1.width": 0.1}, L=0.6).simulate(0.2).values for w in ways]
    assert all(np.array_equal(v, values[0]) for v in values)


def test_parameters_are_read_and_set(pendulum):
    assert pendulum["L"] == 0.5 and pendulum["rod.width"] == 0.04 and pendulum.parameters["friction.d"] == 0.02
    assert list(pendulum["rod.r"]) == [0.5, 0, 0] and pendulum["rod.r[1]"] == 0.5
    pendulum["L"] = 2
    assert pendulum["L"] == 2 and list(pendulum["rod.r"]) == [2, 0, 0]
    pendulum["joint.phi.start"] = "30 deg"
    assert pendulum.simulate(0.1)["joint.phi"][0] == pytest.approx(np.pi / 6)
    pendulum.set({"rod.r": np.array([0, 1, 0]), "rod.width": np.float64(0.1)}, d=0)
    assert list(pendulum["rod.r"]) == [0, 1, 0] and pendulum["d"] == 0
    other = pendulum.copy(d=1)
    assert other["d"] == 1 and pendulum["d"] == 0
    assert pickle.loads(pickle.dumps(other))["d"] == 1
    with pytest.raises(TypeError):
        pendulum.parameters["L"] = 3


def test_parameters_are_changed_by_nothing_but_the_model(pendulum):
    for mine in (np.array([1.0, 0, 0]), [1.0, 0, 0]):
        pendulum["rod.r"] = mine
        mine[0] = 7
        pendulum["d"] = 0.1
        assert list(pendulum["rod.r"]) == [1, 0, 0]
    for array in (pendulum["rod.r"], pendulum.parameters["rod.r"], pendulum.copy()["rod.r"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    assert "L" in pendulum and "rod.r[1]" in pendulum and "nothing" not in pendulum and 3 not in pendulum
    assert list(pendulum) == list(pendulum.parameters)


def test_inputs_are_parameters_whole_and_by_element():
    m = cardan.load({"inputs": {"u": {"start": [1, 2, 3]}, "v": 0.5}, "outputs": ["u", "v"]})
    assert list(m["u"]) == [1, 2, 3] and m["u[2]"] == 2 and m["v"] == 0.5
    m["u[2]"] = 9
    assert list(m["u"]) == [1, 9, 3] and list(m.simulate(0)["u"][0]) == [1, 9, 3]
    m["u"] = [4, 5, 6]
    m["v"] = "2*3"
    assert m["u[2]"] == 5 and m["v"] == 6
    times = [0, 1]
    for wrong in (np.zeros((2, 2)), np.zeros(2), np.zeros((2, 3, 1)), np.zeros((3, 3))):
        with pytest.raises(ValueError, match="must have the shape"):
            m.simulate(1, inputs={"u": (times, wrong)})
    for other in (1.0, lambda t, s: 0.0, (times, np.zeros(2))):
        for inputs in ({"u[2]": other, "u": [1, 2, 3]}, {"u": (times, np.zeros((2, 3))), "u[2]": other}):
            with pytest.raises(ValueError, match=r"'u\[2\]' is given twice"):
                m.simulate(1, inputs=inputs)
    r = m.simulate(1, inputs={"u": (times, [[1, 2, 3], [2, 4, 6]]), "v": 7}, interval=0.5)
    assert np.allclose(r["u"][1], [1.5, 3, 4.5]) and r.final("v") == 7


def test_later_values_win_over_earlier_ones(pendulum):
    pendulum["rod.r"] = [1, 0, 0]
    pendulum["rod.r[2]"] = 5
    assert list(pendulum["rod.r"]) == [1, 5, 0]
    assert pendulum["rod.r[2]"] == 5
    pendulum["rod.r"] = [2, 0, 0]
    assert list(pendulum["rod.r"]) == [2, 0, 0] and pendulum["rod.r[2]"] == 0


def test_inputs_by_number_table_and_function_agree(cart_pole):
    outputs = ["track.s", "u"]
    by_number = cart_pole.simulate(1, inputs={"u": 2.0}, outputs=outputs)
    by_value = cart_pole.copy(u=2).simulate(1, outputs=outputs)
    assert np.array_equal(by_number.values, by_value.values)
    times = np.array([round(0.1 * k, 1) for k in range(11)])
    wave = np.cos(7 * times)
    held = cart_pole.simulate(1, inputs={"u": (times, wave)}, hold=True, outputs=outputs)
    called = []

    def law(t, s):
        called.append((t, s.time, s["track.s"]))
        return wave[len(called) - 1]

    stepped = cart_pole.simulate(1, inputs={"u": law}, sample=0.1, outputs=outputs)
    assert [t for t, _, _ in called] == list(times[:-1]) == [t for _, t, _ in called]
    # Both are within the tolerance of the integration; jumps are two rows of one time in both.
    assert np.allclose(stepped.final("track.s"), held.final("track.s"), atol=1e-6)
    jumps = stepped.time[1:][np.diff(stepped.time) == 0]
    assert list(jumps)[1:] == list(times[1:-1])
    at = np.flatnonzero(stepped.time == 0.5)
    assert list(stepped["u"][at]) == [wave[4], wave[5]]


def test_rows_of_a_sampled_run_show_jumps_between_rows(cart_pole):
    r = cart_pole.simulate(1, interval=0.25, inputs={"u": lambda t, s: t}, sample=0.1, outputs=["u"])
    at = np.flatnonzero(r.time == 0.3)
    assert list(r["u"][at]) == [0.2, 0.3]
    plain = cart_pole.simulate(1, interval=0.25, inputs={"u": lambda t, s: t}, sample=0.1, outputs=["u"],
                               event_rows=False)
    assert list(plain.time) == [0, 0.25, 0.5, 0.75, 1]


def test_rows_of_the_grid_alone_have_the_values_after_a_sample(cart_pole):
    times = np.arange(6) / 100
    plain = cart_pole.simulate(0.05, inputs={"u": lambda t, s: 1 + t}, sample=0.01, event_rows=False)
    held = cart_pole.simulate(0.05, inputs={"u": (times[:-1], 1 + times[:-1])}, hold=True, event_rows=False)
    assert np.array_equal(plain.time, held.time) and np.allclose(plain["u"], held["u"], rtol=1e-15)
    coarse = cart_pole.simulate(0.05, inputs={"u": lambda t, s: 1 + t}, sample=0.02, event_rows=False)
    assert np.allclose(coarse["u"], 1 + np.array([0, 0, 0.02, 0.02, 0.04, 0.04]))


def test_value_that_stays_is_no_event(cart_pole):
    r = cart_pole.simulate(1, interval=0.25, inputs={"u": lambda t, s: float(t > 0.45)}, sample=0.1)
    assert list(r.time) == [0, 0.25, 0.5, 0.5, 0.75, 1] and list(r["u"]) == [0, 0, 0, 1, 1, 1]


def test_run_goes_on_from_result_and_equilibrium(pendulum):
    whole = pendulum.simulate(2)
    half = pendulum.simulate(1)
    rest = pendulum.simulate(2, initial=half)
    assert rest.time[0] == 1
    assert rest.final("joint.phi") == pytest.approx(whole.final("joint.phi"), abs=1e-6)  # 100 tolerances
    still = pendulum.simulate(1, initial=pendulum.equilibrium())
    assert np.allclose(still["joint.phi"], -np.pi / 2, atol=1e-9)


def test_progress_is_told_and_may_end_the_run(pendulum):
    times = []
    pendulum.simulate(5, interval=1e-3, progress=times.append)
    assert times and times == sorted(times)
    r = pendulum.simulate(1e4, progress=lambda t: False)
    assert r.ended == "interrupted" and r.time[-1] < 1e4


def test_progress_may_end_a_controlled_run(cart_pole):
    r = cart_pole.simulate(5, inputs={"u": lambda t, s: 1.0}, sample=1e-6, progress=lambda t: t < 0.01)
    assert r.ended == "interrupted" and r.time[-1] < 5
