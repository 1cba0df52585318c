"""The package is typed: mypy is strict with it, and stubtest finds in it what the types say."""

import os
import pathlib
import subprocess
import sys

import pytest

import cardan

PACKAGE = pathlib.Path(cardan.__file__).parent


def run(*arguments, cwd):
    pytest.importorskip("mypy")
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "MYPYPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_strict(tmp_path):
    run("mypy", "--strict", PACKAGE, cwd=tmp_path)


def test_mypy_strict_of_a_user(tmp_path):
    (tmp_path / "user.py").write_text(
        "import cardan\nm = cardan.load('a.yaml', L=0.6)\nr = m.simulate(3, outputs=['a.phi'])\n"
        "x: float = r['a.phi'].max()\nwith m.start(stop=1) as s:\n    s.advance(0.5)\n    s['u'] = 2.0\n"
        "rest = m.equilibrium()\nA, B, C, D = m.linearize(at=rest)\nreveal_type(m.modes()[0].frequency)\n")
    run("mypy", "--strict", "user.py", cwd=tmp_path)


def test_stubtest(tmp_path):
    run("mypy.stubtest", "cardan", cwd=tmp_path)


def test_help_teaches():
    for name in cardan.__all__:
        thing = getattr(cardan, name)
        assert name.startswith("__") or thing.__doc__, name
    for method in (m for m in vars(cardan.Model) if not m.startswith("_")):
        assert getattr(cardan.Model, method).__doc__, method
