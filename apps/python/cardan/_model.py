"""Models: loaded, changed, run, asked."""

from __future__ import annotations

import difflib
import os
import typing as t
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _cardan
from ._analysis import Check, Equilibrium, Linear, Modes
from ._animation import Animation
from ._errors import RunWarning, tell
from ._fit import Fit, Measured, Parameters, bounded, task_of
from ._optimum import Optimum
from ._options import Controller, Initial, Names, Progress, Reader, feed, run_options
from ._result import Result, Sensitivities
from ._study import Sweep, Variations, points_of, sweep
from ._values import ELEMENT, elements_of, floats, kept, names_of, number, overrides_of, times_of, whole, yaml_of

__all__ = ["Model", "Variable", "load", "load_modelica", "load_robot"]

Source = Union[str, "os.PathLike[str]", t.Mapping[str, Any]]
At = Union[None, float, Equilibrium]


@dataclass(frozen=True)
class Variable:
    """What a result can hold: its unit, what it is, and its shape, () of a number."""

    unit: str
    description: str
    shape: Tuple[int, ...]


@dataclass(frozen=True)
class _Recipe:
    """Where a model is from, so that it can be loaded again in another process."""

    source: str
    is_text: bool
    modelica: t.Mapping[str, Any]
    robot: t.Mapping[str, Any]

    def open(self, overrides: List[str]) -> Any:
        if self.is_text:
            return _cardan.LoadedModel.parse(self.source, "model.yaml", overrides)
        modelica, robot = _cardan.ModelicaOptions(), _cardan.RobotOptions()
        for options, given in ((modelica, self.modelica), (robot, self.robot)):
            for name, value in given.items():
                if not hasattr(options, name):
                    raise TypeError(f"there is no option {name!r}")
                setattr(options, name, value)
        return _cardan.LoadedModel.open(self.source, overrides, modelica, robot)


class Model:
    """A model, ready to run. It is loaded by cardan.load().

    m["boxBody1.width"] is the value of a parameter, m["boxBody1.width"] = 0.1 another one. A model may be
    used by many threads at once: every run has what it changes for itself. `name`, `description` and `file`
    are what its file says, and where it was read.
    """

    name: str
    description: str
    file: str

    def __init__(self, recipe: _Recipe, values: t.Mapping[str, Any]) -> None:
        self._recipe = recipe
        self._values = {n: kept(v) for n, v in values.items()}
        self._loaded = recipe.open(overrides_of(self._values))
        self._parameters: Optional[t.Mapping[str, Any]] = None
        self.name, self.description, self.file = self._loaded.about()
        tell(self._loaded.warnings())

    # What it is.

    @property
    def parameters(self) -> t.Mapping[str, Any]:
        """Values of all parameters, of the model and of its components, by full name, in SI units and
        radians."""
        if self._parameters is None:
            self._parameters = MappingProxyType(self._loaded.parameters())
        return self._parameters

    @property
    def inputs(self) -> Dict[str, float]:
        """Inputs that have a number: what a run can be fed with, and a Stepper set."""
        return {name: value for name, (value, _) in self._loaded.inputs().items()}

    @property
    def variables(self) -> Dict[str, Variable]:
        """All that a result can hold, by name."""
        return {name: Variable(*v) for name, v in self._loaded.variables().items()}

    @property
    def settings(self) -> Dict[str, Any]:
        """Of a run without options: start, stop, interval [s], tolerance, integrator, impact."""
        names = ("start", "stop", "interval", "tolerance", "integrator", "impact")
        *values, _, impact = self._loaded.settings(_cardan.RunOptions())
        return dict(zip(names, [*values, impact]))

    def __repr__(self) -> str:
        return f"<cardan.Model {' '.join([self.name, *overrides_of(self._values)])}>"

    def __getitem__(self, name: str) -> Any:
        # What the model makes of it before what it was set to: that may be a text.
        if name in self.parameters:
            return self.parameters[name]
        element = ELEMENT.fullmatch(name)
        array = self.parameters.get(element[1]) if element else None
        place = tuple(int(i) - 1 for i in element[2].split(",")) if element else ()
        if isinstance(array, np.ndarray) and len(place) == array.ndim:
            if all(0 <= i < n for i, n in zip(place, array.shape)):
                return array[place]
        inputs = self.inputs
        places, shape = elements_of(name, list(inputs))
        if places:
            values = np.array(list(inputs.values()))[places].reshape(shape)
            return values if shape else float(values)
        if name in self._values:
            return kept(self._values[name])
        close = difflib.get_close_matches(name, list(self.parameters), 1)
        raise KeyError(f"no parameter {name!r}" + (f"; did you mean {close[0]!r}?" if close else ""))

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and self[name] is not None
        except KeyError:
            return False

    def __iter__(self) -> t.Iterator[str]:
        return iter(self.parameters)

    def __setitem__(self, name: str, value: Any) -> None:
        self.set({name: value})

    def set(self, values: Optional[t.Mapping[str, Any]] = None, /, **more: Any) -> None:
        """Sets several parameters together: numbers, Booleans, lists, texts ("30 deg", "2*L"). A ModelError
        leaves the model as it was."""
        given = {**(values or {}), **more}
        # An element that was set before gives way to the array that is set now.
        replaced = {n for n in self._values if n in given or ((e := ELEMENT.fullmatch(n)) and e[1] in given)}
        changed = {n: v for n, v in self._values.items() if n not in replaced}
        changed.update((n, kept(v)) for n, v in given.items())
        loaded = self._loaded.changed(overrides_of(changed))
        before = set(self._loaded.warnings())
        self._loaded, self._values, self._parameters = loaded, changed, None
        tell([w for w in loaded.warnings() if w not in before])

    def copy(self, values: Optional[t.Mapping[str, Any]] = None, /, **more: Any) -> Model:
        """A model of its own, with other values of some parameters."""
        other = object.__new__(Model)
        other.__dict__.update(self.__dict__)
        if values or more:
            other.set(values, **more)
        return other

    def __reduce__(self) -> Any:
        source = self._recipe.source if self._recipe.is_text else os.path.abspath(self._recipe.source)
        return Model, (replace(self._recipe, source=source), self._values)

    # What it does.

    def simulate(
        self,
        stop: Optional[float] = None,
        *,
        start: Optional[float] = None,
        interval: Optional[float] = None,
        intervals: Optional[int] = None,
        tolerance: Optional[float] = None,
        max_step: Optional[float] = None,
        integrator: Optional[str] = None,
        step: Optional[float] = None,
        impact: Optional[str] = None,
        outputs: Optional[Names] = None,
        inputs: Optional[t.Mapping[str, Any]] = None,
        sample: Optional[float] = None,
        hold: bool = False,
        initial: Optional[Initial] = None,
        event_rows: bool = True,
        strict: bool = False,
        timing: bool = False,
        progress: Progress = None,
    ) -> Result:
        """Runs the model; what is not given is as its file says.

        stop, start  [s]                        interval, intervals  [s] between rows; their number
        tolerance    relative, of an error      max_step  [s]
        integrator   "ida", "explicit", "automatic", "stepping" with its step [s]
        impact       law of impact of rigid surfaces: "moreau", "newton", "poisson"
        outputs      names and patterns ("j?.phi", "arm.**", "!*.f")
        inputs       {"motor.tau": a number, (times, values), or a function f(time, s)}. Values of tables are
                     straight between their times, with hold=True as they are until the next one. A function
                     is called every `sample` [s] (default: at every row of the output interval); its value,
                     a number or an array, holds until the next call. s["pole.phi"] reads an output.
        initial      a State, which the run goes on from, an Equilibrium, or a Result, whose last row it is
        event_rows   a row before and one after each event; False: rows of the grid alone, with the values after it
        strict       redundant constraints, and laws of contact that cannot be kept, are errors
        progress     called with the time [s] every few milliseconds; returning False ends the run

        Raises ModelError, RunError (its `result` has the rows so far). Ctrl-C ends the run with a
        KeyboardInterrupt that has them, too. Other threads go on meanwhile.
        """
        options = {k: v for k, v in locals().items() if k != "self"}
        result = self._simulate(**options)
        tell(result.warnings, RunWarning)
        return result

    def _simulate(
        self,
        *,
        flag: Any = None,
        inputs: Optional[t.Mapping[str, Any]] = None,
        sample: Optional[float] = None,
        hold: bool = False,
        progress: Progress = None,
        **options: Any,
    ) -> Result:
        o = run_options(self._loaded, **options)
        if sample is not None and not 0 < number("sample", sample) < np.inf:
            raise ValueError(f"sample must be positive, found {sample}")
        constants, controllers = feed(o, inputs, self.inputs if inputs else (), hold)
        if not (constants or controllers):
            return _finished(self._loaded.run(o, progress, flag))
        return _finished(_fed(self._loaded, o, constants, controllers, sample, progress, flag))

    def start(
        self,
        stop: Optional[float] = None,
        *,
        inputs: Optional[t.Mapping[str, Any]] = None,
        hold: bool = False,
        progress: Progress = None,
        **options: Any,
    ) -> _cardan.Stepper:
        """A run that is advanced by hand, at its start. Options are those of simulate(); `outputs` are what
        can be read, `inputs` numbers and tables."""
        o = run_options(self._loaded, stop, **options)
        constants, controllers = feed(o, inputs, self.inputs, hold)
        if controllers:
            raise TypeError("start: inputs are numbers and tables; a run by hand is its own controller")
        run = _cardan.Stepper(self._loaded, o, constants, False, progress, None)
        tell(run._report()["warnings"], RunWarning)
        return run

    def check(self) -> Check:
        """The structure of the model and its start: the tree, degrees of freedom, loops, start values."""
        found = Check(self._loaded.check())
        tell(found.warnings)
        return found

    def equilibrium(self, *, at: Optional[float] = None, free: Names = (), steady: Names = ()) -> Equilibrium:
        """Where the model rests, from its start or the time `at` [s] of its run on. `free`: patterns of
        coordinates that may move (default: all), `steady`: velocities that stay what they are. Raises
        RunError where there is none."""
        free, steady = names_of("free", free), names_of("steady", steady)
        where = _cardan.Where(None if at is None else number("at", at), True, free, steady, {})
        found = self._loaded.equilibrium(where)
        tell(found.pop("warnings"))
        return Equilibrium(self.name, found, free, steady)

    def linearize(self, *, at: At = None, inputs: Names = (), outputs: Names = ()) -> Linear:
        """The model near its start, near a time `at` [s] of its run, or at an Equilibrium, as matrices:
        exact derivatives. `inputs`: of its inputs; `outputs`: names and patterns, default: those of the
        file."""
        where = self._where(at)
        found = self._loaded.linearize(where, names_of("inputs", inputs), names_of("outputs", outputs))
        tell(found["warnings"])
        return Linear(found)

    def modes(self, *, at: At = None) -> Modes:
        """Eigenvalues, frequencies [Hz], damping and shapes near the same points."""
        found = self._loaded.modes(self._where(at))
        tell(found["warnings"])
        return Modes._of(found)

    def _where(self, at: At) -> Any:
        if isinstance(at, Equilibrium):
            at._require(self._loaded)
            return _cardan.Where(at.time, False, [], [], at.values)
        return _cardan.Where(None if at is None else number("at", at), False, [], [], {})

    def inverse(
        self, motion: Union[Result, t.Mapping[str, Any]], *, actuators: Names = (), outputs: Names = ()
    ) -> Result:
        """Forces [N], torques [N.m] that a motion needs: a row for each of its times, "drive(r1.phi)". `motion`:
        a Result, or columns by name with "time" among them; coordinates ("r1.phi"), velocities and
        accelerations where they are known. `actuators`: coordinates along which forces act."""
        names = motion.names if isinstance(motion, Result) else [n for n in motion if n != "time"]
        columns = {n: floats(motion[n]).tolist() for n in names}
        time = times_of("a motion", motion["time"])
        for n, values in columns.items():
            if len(values) != len(time):
                raise ValueError(f"motion: {n!r} has {len(values)} values for {len(time)} times")
        wanted = names_of("actuators", actuators), names_of("outputs", outputs)
        outcome, notes = self._loaded.inverse(time, columns, *wanted)
        tell(notes)
        return _finished(outcome)

    def sensitivities(
        self,
        parameters: Names,
        stop: Optional[float] = None,
        *,
        progress: Progress = None,
        **options: Any,
    ) -> Sensitivities:
        """Runs the model with derivatives of its results by parameters, which are integrated beside it and go
        through events: .derivative("j1.phi", "L"). Options are those of simulate(), without inputs."""
        _refuse_state(options)
        names = names_of("parameters", parameters)
        o = run_options(self._loaded, stop, **options)
        outcome = self._loaded.sensitivities(names, o, progress)
        result = _finished(outcome, Sensitivities)
        assert isinstance(result, Sensitivities)
        result.parameters = tuple(names)
        tell(result.warnings, RunWarning)
        return result

    def fit(
        self,
        parameters: Parameters,
        data: Union[Measured, t.Sequence[Measured]],
        *,
        signals: Names = (),
        sigma: Optional[t.Mapping[str, float]] = None,
        loss: str = "linear",
        loss_scale: float = 1,
        confidence: float = 0.95,
        starts: int = 1,
        seed: int = 1,
        hold: bool = False,
        progress: Progress = None,
        **options: Any,
    ) -> Fit:
        """Values of parameters, start values among them, for which the model comes closest to what was measured:
        names, or a dict of names and bounds (low, high); the search starts at the model's values. `data`: a
        run or a list of runs, each the path of a CSV file, a Result, or columns by name with "time"
        among them; what is NaN or masked is a gap, inputs of the model feed it. `signals`: of them, default:
        all. `sigma`: standard deviations by signal, else they are found. progress(cost) is called now and then. Options
        are those of simulate(). What is returned has the names of scipy.optimize.least_squares."""
        _refuse_state(options)
        o = run_options(self._loaded, **options)
        task = task_of(parameters, data, names_of("signals", signals), dict(sigma or {}), o, bool(hold))
        scale, share = number("loss_scale", loss_scale), number("confidence", confidence)
        task.search(loss, scale, share, whole("starts", starts, 1), whole("seed", seed, 0))
        found = Fit(self._loaded.fit(task, progress))
        tell(found.warnings, RunWarning)
        return found

    def optimize(
        self,
        parameters: Parameters,
        minimize: Optional[str] = None,
        *,
        maximize: Optional[str] = None,
        subject_to: Names = (),
        method: str = "local",
        starts: int = 1,
        seed: int = 1,
        runs: int = 0,
        progress: Progress = None,
        **options: Any,
    ) -> Optimum:
        """Values of parameters, start values among them, for which a kept value of the run is smallest or largest:
        names, or a dict of names and bounds (low, high); the search starts at the model's values. `minimize`,
        `maximize`: an expression as "rms(seat.a) + 0.1*max(travel)"; `subject_to`: constraints as "max(travel) < 0.1".
        `method`: "local", or one of NLopt's: "global", "direct", "isres", "crs", "cobyla", "bobyqa", of at most
        `runs`. progress(objective) is called now and then. Options are those of simulate()."""
        if (minimize is None) == (maximize is None):
            raise TypeError("optimize() must have either minimize or maximize")
        _refuse_state(options)
        o = run_options(self._loaded, **options)
        goal = maximize if minimize is None else minimize
        task = _cardan.OptimumTask(bounded(parameters), goal, minimize is None, names_of("subject_to", subject_to),
                                   method, whole("starts", starts, 1), whole("seed", seed, 0),
                                   whole("runs", runs, 0), o)
        found = Optimum(self._loaded.optimize(task, progress))
        tell(found.warnings, RunWarning)
        return found

    def sweep(
        self,
        variations: Variations,
        *,
        threads: Optional[int] = None,
        keep: Optional[Callable[[Result], Any]] = None,
        progress: Optional[Callable[[int, int], Any]] = None,
        **options: Any,
    ) -> Sweep:
        """Runs the model with all combinations of a dict of lists, or with each dict of a list, on `threads`
        (default: one a processor). keep(result) is what is kept of each run, default: all of it;
        progress(done, all) is called after each. Options are those of simulate(). A run that fails is one
        with an error among the others."""
        flag = _cardan.StopFlag()

        def simulate(model: Model) -> Result:
            return model._simulate(flag=flag, **options)

        return sweep(points_of(variations), self.copy, simulate, flag.set, threads, keep, progress)

    def animate(
        self,
        stop: Optional[float] = None,
        *,
        follow: str = "",
        trace: Names = (),
        curves: Names = (),
        frames: int = 1000,
        progress: Progress = None,
        **options: Any,
    ) -> Animation:
        """Runs the model and keeps what it looks like: shown by a notebook, or saved as .html, .glb, .png. The
        view goes with the frame `follow`, frames `trace` leave a line, `curves` are open beside it."""
        curves = names_of("curves", curves)
        picture = _cardan.Picture(self._loaded, follow, names_of("trace", trace), whole("frames", frames, 1))
        result = _finished(picture.run(run_options(self._loaded, stop, **options), curves, progress))
        tell(result.warnings, RunWarning)
        return Animation(picture, result, curves)


def _refuse_state(options: t.Mapping[str, Any]) -> None:
    if isinstance(options.get("initial"), _cardan.State):
        raise TypeError("initial must be an Equilibrium or a Result here: a State goes on as the run that it is of")


def _finished(outcome: Tuple[Any, Any, Any, Any], kind: type[Result] = Result) -> Result:
    """The result; where something has ended the run, that is raised with it."""
    columns, values, report, error = outcome
    result = kind(columns, values, report, error)
    if error is None:
        return result
    if columns:
        error.result = result
    raise error


def _fed(
    loaded: Any,
    o: Any,
    constants: Dict[str, Any],
    controllers: Dict[str, Controller],
    sample: Optional[float],
    progress: Progress,
    flag: Any,
) -> Any:
    """A run whose inputs are constants and functions, which are called before each step of `sample`."""
    end, grid = loaded.settings(o)[1::4]
    run = _cardan.Stepper(loaded, o, constants, True, progress, flag)
    if sample is not None:
        grid = _cardan.Grid(run.time, end, sample)
    reader, error, k, to = Reader(run), None, 1, end
    try:
        while run.time < end and not (run.terminated or run._interrupted):
            for name, f in controllers.items():
                run[name] = f(run.time, reader)
                while grid.time(k) <= run.time:
                    k += 1
                to = grid.time(k)
            run.advance(to)
    except BaseException as e:  # the rows so far go with it
        error = e
    return run._outcome(error)


def load(source: Source, parameters: Optional[t.Mapping[str, Any]] = None, /, **more: Any) -> Model:
    """Loads a model: a file (.yaml, .mo, .urdf, .xml), a text of YAML (anything with a line break), or a dict
    in the shape of a model file. Parameters can be given other values, by name:

    m = cardan.load("arm.yaml", L=0.6)
    m = cardan.load("arm.yaml", {"boxBody1.width": 0.1, "revolute1.phi.start": "30 deg"})

    Raises ModelError with all that is wrong.
    """
    return _load(source, {**(parameters or {}), **more})


def load_modelica(
    path: Union[str, "os.PathLike[str]"],
    class_name: str = "",
    parameters: Optional[t.Mapping[str, Any]] = None,
    *,
    libraries: t.Sequence[str] = (),
) -> Model:
    """Loads a class of a Modelica file (default: the last that can run alone); `libraries` are folders with
    packages that it uses, besides those of MODELICAPATH."""
    modelica = {"class_name": class_name, "libraries": [os.fspath(p) for p in libraries]}
    return _load(path, parameters or {}, modelica)


def load_robot(
    path: Union[str, "os.PathLike[str]"],
    parameters: Optional[t.Mapping[str, Any]] = None,
    *,
    limits: Optional[Tuple[float, float]] = None,
    contacts: bool = True,
    **options: Any,
) -> Model:
    """Loads a robot in URDF or MJCF. `limits`: stiffness [N.m/rad, N/m] and damping of stops; without `contacts`
    it touches nothing. Options as `cardan import` has them: floating, merge_fixed, friction, no_limits,
    self_collisions, allow_unknown, strict_inertia; ground: height [m] of a plane to stand on; packages: a dict
    of the folders of package://NAME/..."""
    if os.fspath(path).endswith(".xml") and {"floating", "merge_fixed", "self_collisions"} & set(options):
        raise ValueError("floating, merge_fixed and self_collisions are for URDF: MJCF says itself what is so")
    if not contacts and {"ground", "self_collisions"} & set(options):
        raise ValueError("ground and self_collisions need contacts")
    robot: Dict[str, Any] = {**options, "no_contacts": not contacts}
    if limits is not None:
        robot["limits"] = limits
    return _load(path, parameters or {}, {}, robot)


def _load(
    source: Source,
    values: t.Mapping[str, Any],
    modelica: t.Mapping[str, Any] = MappingProxyType({}),
    robot: t.Mapping[str, Any] = MappingProxyType({}),
) -> Model:
    if isinstance(source, t.Mapping):
        return Model(_Recipe(yaml_of(source), True, {}, {}), values)
    text = os.fspath(source)
    if not isinstance(text, str):
        raise TypeError(f"a model is a path, a text or a dict, found {source!r}")
    is_text = isinstance(source, str) and "\n" in source
    return Model(_Recipe(text, is_text, dict(modelica), dict(robot)), values)
