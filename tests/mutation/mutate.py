#!/usr/bin/env python3
"""Lists which one-line mistakes in the sources of a folder no test notices; see README.md.

    tests/mutation/mutate.py FOLDER... [--build build/fast] [--tests frames,engine] [--every N]

Works on a copy in BUILD/mutation; the product's sources, objects and programs stay as they are.
"""

import argparse
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from schemata import Schemata

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LEAST_SECONDS = 20      # of processor time that a program with a mistake may take, and
MANY_TIMES = 20         # how often that of the same test cases without
MEMORY = 4 << 30
NEAREST = {"frames": ["frames", "components"], "components": ["components", "models"],
           "engine": ["engine", "models"]}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", help="folders or files, as engine/robots")
    parser.add_argument("--build", default="build/fast", help="a finished build, each source alone")
    parser.add_argument("--tests", help="folders of tests/, by default those nearest to the sources")
    parser.add_argument("--every", type=int, default=1, help="only one of so many mistakes")
    parser.add_argument("--cases", type=int, default=400,
                        help="at most so many test cases for a mistake, the quickest first")
    parser.add_argument("--no-headers", action="store_true",
                        help="leave headers alone: few sources have to be compiled")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--name", help="of the folder in BUILD/mutation; by default that of the sources")
    parser.add_argument("--only", type=int, help="make this mistake alone, and show what the tests say")
    return parser.parse_args()


class Build:
    """The finished build: how its sources are compiled, its programs linked."""

    def __init__(self, folder):
        self.folder = (ROOT / folder).resolve()
        self.commands = {}
        for c in json.loads((self.folder / "compile_commands.json").read_text()):
            self.commands[str(Path(c["directory"], c["file"]).resolve())] = c
        deps = subprocess.run(["ninja", "-t", "deps"], cwd=self.folder, capture_output=True, text=True)
        self.readers = {}       # header: objects that read it
        of = None
        for line in deps.stdout.splitlines():
            if line.startswith(" "):
                self.readers.setdefault(str((self.folder / line.strip()).resolve()), set()).add(of)
            elif ":" in line:
                of = line.split(":")[0]

    def object_of(self, source):
        c = self.commands[source]
        words = shlex.split(c["command"])
        return words[words.index("-o") + 1]

    def link(self, program):
        text = subprocess.run(["ninja", "-t", "commands", f"bin/test_{program}"], cwd=self.folder,
                              capture_output=True, text=True, check=True).stdout.splitlines()[-1]
        return text.split(" && ")[1]


class Mutation:
    def __init__(self, options):
        self.options = options
        self.build = Build(options.build)
        name = options.name or "+".join(f.replace("/", "-") for f in options.folders)
        self.work = self.build.folder / "mutation" / name
        self.copy = self.work / "sources"
        self.work.mkdir(parents=True, exist_ok=True)
        self.sources = self._sources()
        self.left_out = set()
        first = options.folders[0].split("/")[0]
        self.programs = (options.tests or ",".join(NEAREST.get(first, ["models"]))).split(",")
        self.mutants, self.lines = {}, {}

    def _sources(self):
        found = []
        for f in self.options.folders:
            path = ROOT / f
            files = [path] if path.is_file() else sorted(path.rglob("*.h")) + sorted(path.rglob("*.cpp"))
            kinds = (".cpp",) if self.options.no_headers else (".h", ".cpp")
            found += [p for p in files if p.name != "catalogue.cpp" and p.suffix in kinds]
        return found

    # --- sources

    def write(self, source):
        path = str(source.relative_to(ROOT))
        first = self.first[path]

        def chosen(operator, line, index):
            return zlib.crc32(f"{path}:{operator}:{index}".encode()) % self.options.every == 0

        s = Schemata(source.read_text(), first, chosen, frozenset(self.left_out))
        target = self.copy / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text() != s.text:
            target.write_text(s.text)
        where = {}
        for i, line in enumerate(s.text.split("\n"), 1):
            m = re.match(r"/\*M(\d+)\*/", line)
            if m:
                where[i] = [int(m.group(1))]
            else:
                ids = [int(n) for n in re.findall(r"mutation::on\((\d+)\)", line)]
                if ids:
                    where[i] = ids
        self.lines[path] = where
        return s.mutants

    def number_all(self):
        self.first, number = {}, 1
        for source in self.sources:
            path = str(source.relative_to(ROOT))
            self.first[path] = number
            for m in self.write(source):
                self.mutants[m.number] = (path, m)
                number = m.number + 1
        if number >= 1 << 17:
            sys.exit("more mistakes than there are numbers for: take a smaller folder, or --every")

    # --- objects

    def compile(self, command, source, target, check=False):
        words = shlex.split(command["command"])
        words[words.index("-o") + 1] = str(target)
        original = words[words.index("-c") + 1]
        words[words.index("-c") + 1] = str(source)
        k = next(i for i, w in enumerate(words) if w.startswith("-I"))
        words[k:k] = [f"-I{self.copy}"]
        k = words.index("-c")
        words[k:k] = ["-include", str(HERE / "switch.h"), "-w", "-fmax-errors=0"] + \
                     (["-fsyntax-only"] if check else [])
        if check:  # the cache has no use for it, and -o none
            k = words.index("-o")
            del words[k:k + 2]
        target.parent.mkdir(parents=True, exist_ok=True)
        return subprocess.run(words, cwd=command["directory"], capture_output=True, text=True)

    def faults(self, output):
        """Numbers of the mistakes that the compiler's words are about; those of errors, or, where there
        is none in our copy, of what led to them."""
        at = re.compile(re.escape(str(self.copy)) + r"/([^:\s]+):(\d+):(?:\d+:)? *(\w+)?", re.M)
        errors, others = set(), set()
        for m in at.finditer(output):
            path, line = m.group(1), int(m.group(2))
            where = self.lines.get(path, {})
            if line in where:
                ids = where[line]
            else:           # the nearest above: the line before that one names it, or a chain's end
                above = [k for k in where if k < line]
                ids = where[max(above)] if above and line - max(above) < 40 else []
            (errors if m.group(3) == "error" else others).update(ids)
        return (errors - self.left_out) or (others - self.left_out)

    def unit(self, source):
        """Compiles a source of the build that sees mutated text, leaving out mistakes until it does."""
        command = self.build.commands[source]
        relative = Path(source).relative_to(ROOT) if source.startswith(str(ROOT)) else None
        mutated = self.copy / relative if relative and (self.copy / relative).exists() else Path(source)
        target = self.work / "objects" / (re.sub(r"[^\w.]", "_", self.build.object_of(source)))
        for attempt in range(12):
            done = self.compile(command, mutated, target)
            if done.returncode == 0:
                return target
            faults = self.faults(done.stderr)
            if not faults and mutated != Path(source):
                path = str(relative)
                faults = {n for n, (p, _) in self.mutants.items() if p == path} - self.left_out
            if not faults:
                break
            self.left_out |= faults
            for path in {self.mutants[n][0] for n in faults}:
                self.write(ROOT / path)
        raise RuntimeError(f"{source} does not compile:\n{done.stderr[-3000:]}")

    def objects(self):
        headers = [str(s) for s in self.sources if s.suffix == ".h"]
        wanted = {str(s) for s in self.sources if s.suffix == ".cpp"}
        by_object = {self.build.object_of(s): s for s in self.build.commands}
        for h in headers:
            for o in self.build.readers.get(h, ()):
                s = by_object.get(o)
                if s is None or "/apps/" in s or "/tests/fuzz/" in s:
                    continue
                if "/tests/" in s and not any(f"/tests/{p}/" in s for p in self.programs):
                    continue
                wanted.add(s)
        wanted = sorted(s for s in wanted if s in self.build.commands)
        say(f"{len(self.mutants)} mistakes in {len(self.sources)} files; {len(wanted)} sources to compile")
        # Headers first: what they cannot have is found by their first reader.
        with ThreadPoolExecutor(self.options.jobs) as pool:
            before = -1
            while before != len(self.left_out):
                before = len(self.left_out)
                result = list(pool.map(self.unit, wanted))
        return {self.build.object_of(s): str(o) for s, o in zip(wanted, result)}

    def link(self, objects):
        driver = self.work / "objects" / "driver.o"
        main = str(ROOT / "tests" / "main.cpp")
        command = dict(self.build.commands[main])
        done = self.compile({**command, "command": command["command"].replace(
            "-c ", f"-I{ROOT} -c ", 1)}, HERE / "driver.cpp", driver)
        if done.returncode:
            sys.exit(done.stderr)
        programs = {}
        for p in self.programs:
            words = shlex.split(self.build.link(p))
            target = str(self.work / f"test_{p}")
            words[words.index("-o") + 1] = target
            main_object = self.build.object_of(main)
            words = [str(driver) if w == main_object else objects.get(w, w) for w in words]
            given = set(words)
            at = words.index(str(driver))
            words[at:at] = [o for k, o in objects.items() if o not in given and not k.startswith("tests/")]
            done = subprocess.run(words, cwd=self.build.folder, capture_output=True, text=True)
            if done.returncode:
                sys.exit(done.stderr[-5000:])
            programs[p] = target
        return programs

    # --- tests

    def survey(self, program):
        """Test cases that pass: name, seconds, mistakes reached; and those reached before any case."""
        file = self.work / f"{Path(program).name}.reached"
        subprocess.run([program], cwd=ROOT, env={**os.environ, "CARDAN_REACHED": str(file)},
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cases, early = [], set()
        for line in file.read_text(errors="replace").splitlines():
            parts = line.split("\t")
            if len(parts) != 4:
                continue
            name, seconds, passed, numbers = parts
            ids = {int(n) for n in numbers.split()}
            if name == "":
                early = ids
            elif passed == "1":
                cases.append((name, float(seconds), ids))
        return cases, early

    def noticed(self, number, cases):
        """What notices a mistake: a test case's program, or "" where none does."""
        for seconds, program, names in batches(cases):
            allowed = int(LEAST_SECONDS + MANY_TIMES * seconds)
            filters = ",".join(n.replace("\\", "?").replace(",", "\\,") for n in names)

            def limits():
                resource.setrlimit(resource.RLIMIT_CPU, (allowed, allowed))
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                os.nice(5)

            try:
                done = subprocess.run([program, "--test-case=" + filters, "--abort-after=1", "--no-colors"],
                                      cwd=ROOT, env={**os.environ, "CARDAN_MUTANT": str(number)},
                                      stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                      errors="replace", preexec_fn=limits, timeout=30 * allowed)
            except subprocess.TimeoutExpired:
                return "time"
            if done.returncode:
                m = re.search(r"TEST CASE: +(.*)", done.stdout)
                if self.options.only:
                    say(done.stdout[-3000:])
                if done.returncode < 0:
                    return {-24: "time", -9: "time"}.get(done.returncode, "crash")
                return m.group(1) if m else "failure"
        return ""

    def run(self):
        self.number_all()
        programs = self.link(self.objects())
        usable = [n for n in self.mutants if n not in self.left_out]
        say(f"{len(usable)} compile, {len(self.left_out)} do not")
        cases, early = [], set()
        for p, program in programs.items():
            found, first = self.survey(program)
            say(f"test_{p}: {len(found)} cases pass, {sum(c[1] for c in found):.0f} s")
            cases += [(seconds, program, name, ids) for name, seconds, ids in found]
            early |= first
        cases.sort(key=lambda c: c[0])

        def judge(n):
            mine = [c[:3] for c in cases if n in c[3] or n in early][:self.options.cases]
            return n, self.noticed(n, mine), bool(mine)

        numbers = [self.options.only] if self.options.only else usable
        results = {}
        with ThreadPoolExecutor(self.options.jobs) as pool, \
                open(self.work / "progress.txt", "w") as progress:
            for n, by, reached in pool.map(judge, numbers):
                results[n] = (by, reached)
                path, m = self.mutants[n]
                print(f"{n}\t{by or ('SURVIVED' if reached else 'NOT REACHED')}\t{path}:{m.line}\t"
                      f"{m.operator}\t{m.before}\t{m.after}", file=progress, flush=True)
        self.report(results)

    def report(self, results):
        table = {}
        survivors = []
        for n, (by, reached) in sorted(results.items()):
            path, m = self.mutants[n]
            row = table.setdefault(path, [0, 0, 0, 0])
            row[0] += 1
            row[1 if by else 2 if reached else 3] += 1
            if not by:
                survivors.append((path, m, reached))
        lines = ["| file | mistakes | noticed | survive | never reached |", "|---|---|---|---|---|"]
        for path, row in table.items():
            lines.append("| " + " | ".join([path] + [str(x) for x in row]) + " |")
        total = [sum(r[i] for r in table.values()) for i in range(4)]
        lines.append("| all | " + " | ".join(str(x) for x in total) + " |")
        text = "\n".join(lines) + "\n\n"
        for path, m, reached in survivors:
            text += (f"{path}:{m.line}: {m.operator}{'' if reached else ', never reached'} ({m.number})\n"
                     f"    - {m.before}\n    + {m.after}\n")
        (self.work / "survivors.txt").write_text(text)
        print(text)


def batches(cases):
    """The quick ones together, by program, then one by one."""
    quick = {}
    slow = []
    for seconds, program, name in cases:
        if seconds < 0.2:
            quick.setdefault(program, []).append((seconds, name))
        else:
            slow.append((seconds, program, [name]))
    result = []
    for program, list_ in quick.items():
        for k in range(0, len(list_), 40):
            part = list_[k:k + 40]
            result.append((sum(s for s, _ in part), program, [n for _, n in part]))
    return sorted(result, key=lambda b: b[0]) + slow


def say(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    Mutation(arguments()).run()
