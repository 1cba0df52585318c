"""Models that the tests share, and where things are."""

import os
import pathlib
import re

import pytest

import cardan

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "apps/python/README.md"


def page_models():
    """The model files of the page by their names."""
    blocks = re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE.read_text(), re.S)
    return {name: text for name, text in blocks}


@pytest.fixture
def pendulum():
    return cardan.load(page_models()["pendulum.yaml"])


@pytest.fixture
def cart_pole():
    return cardan.load(page_models()["cart_pole.yaml"])


@pytest.fixture
def models():
    return ROOT / "models"


@pytest.fixture
def program():
    """The program of the same build, else the test is skipped."""
    path = pathlib.Path(os.environ.get("CARDAN_BINARY", ROOT / "build/ci/bin/cardan"))
    if not path.exists():
        pytest.skip(f"no program at {path}")
    return path
