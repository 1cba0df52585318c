"""Cardan: multibody systems, simulated.

    import cardan

    m = cardan.load("double_pendulum.yaml", L=0.6)      # also .mo, .urdf, .xml, a text, a dict
    m["boxBody1.width"] = 0.1
    r = m.simulate(stop=3, tolerance=1e-8)
    r.time, r["revolute1.phi"], r["boxBody2.body.r_0"]  # NumPy arrays; units in r.units
    r.save("run.csv")

    s = m.start(stop=3, outputs=["revolute1.phi"])      # by hand
    s.advance(0.1)
    s["revolute1.phi"]

Quantities are in SI units, angles in radians. load() gives a Model; its methods simulate(), start(),
check(), equilibrium(), linearize(), modes(), inverse(), sensitivities(), fit(), optimize(), sweep() and
animate() say what they take. What is wrong with a model is a ModelError, a run that cannot go on a RunError with the rows so
far; warnings are ModelWarning and RunWarning.
"""

from ._analysis import Branch, Check, Equilibrium, Linear, Mode, Modes, Start
from ._animation import Animation
from ._cardan import State, Stepper
from ._cardan import version as __version__
from ._errors import Diagnostic, ModelError, ModelWarning, RunError, RunWarning
from ._fit import Fit, FittedSignal
from ._model import Model, Variable, load, load_modelica, load_robot
from ._optimum import Optimum
from ._options import Reader
from ._result import Event, Result, Sensitivities
from ._study import Sweep, SweptRun

__all__ = [
    "Animation", "Branch", "Check", "Diagnostic", "Equilibrium", "Event", "Fit", "FittedSignal", "Linear", "Mode",
    "Model", "ModelError", "ModelWarning", "Modes", "Optimum", "Reader", "Result", "RunError", "RunWarning",
    "Sensitivities", "Start", "State", "Stepper", "Sweep", "SweptRun", "Variable", "__version__", "load",
    "load_modelica", "load_robot",
]

for _name in __all__:  # what messages and help() call them
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
