"""Errors of the program against the references: judge.py PROGRAM [NAME ...]; of one NAME all columns."""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent


def read(path):
    rows = list(csv.reader(open(path)))
    return rows[0], np.array(rows[1:], float)


def judge(program, name):
    names, reference = read(ROOT / "reference" / (name + ".csv"))
    with tempfile.TemporaryDirectory() as folder:
        result = folder + "/r.csv"
        command = [program, "simulate", ROOT / "models" / (name + ".yaml"), "--quiet",
                   "--no-event-rows", "-o", result]
        for n in names[1:]:
            command += ["--output-variable", n]
        if subprocess.run(command).returncode:
            return [(np.inf, "does not run")]
        found, rows = read(result)
    if rows.shape[0] != reference.shape[0] or set(found) != set(names):
        return [(np.inf, f"{rows.shape[0]} rows for {reference.shape[0]}, {set(found) ^ set(names)}")]
    errors = []
    for i, n in enumerate(names):
        x, y = rows[:, found.index(n)], reference[:, i]
        scale = max(np.ptp(y), np.abs(y).max() / 10, 1e-3)
        k = np.abs(x - y).argmax()
        errors.append((abs(x[k] - y[k]) / scale, f"{n} at {y[k]:g} for {x[k]:g}, t = {reference[k, 0]:g}"))
    return sorted(errors, reverse=True)


names = sys.argv[2:] or sorted(p.stem for p in (ROOT / "models").glob("*.yaml"))
for name in names:
    errors = judge(sys.argv[1], name)
    print(f"{errors[0][0]:9.2e}  {name}: {errors[0][1]}")
    if len(sys.argv) == 3:
        print("\n".join(f"   {e:9.2e} {what}" for e, what in errors))
