"""Builds the module with CMake, in build/wheel or in the tree that CARDAN_BUILD names."""

import glob
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(Cardan VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        build = pathlib.Path(os.environ.get("CARDAN_BUILD", ROOT / "build/wheel"))
        build = build if build.is_absolute() else ROOT / build
        options = [f"-DPython_EXECUTABLE={sys.executable}", *shlex.split(os.environ.get("CARDAN_CMAKE_ARGS", ""))]
        if not (build / "CMakeCache.txt").exists():
            options += ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCARDAN_TESTS=OFF", "-DCARDAN_QUICK=ON",
                        "-DCARDAN_UNITY=ON"]
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *options], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "cardan-python"], check=True)
        to = pathlib.Path(self.get_ext_fullpath(extension.name))
        to.parent.mkdir(parents=True, exist_ok=True)
        module, = glob.glob(str(build / "python/cardan/_cardan.*.so"))
        shutil.copy(module, to)


setup(version=VERSION, ext_modules=[Extension("cardan._cardan", [])], cmdclass={"build_ext": CMakeBuild})
