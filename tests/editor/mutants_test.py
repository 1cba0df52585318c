"""Models in yaml-language-server, with the schema that `cardan schema` writes: those that ship are
clean, and of sixty with a mistake each at least 95 % are flagged on its line."""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from queue import Empty, Queue

PROGRAM, ROOT, SERVER = sys.argv[1:4]
WANTED, LEAST = 60, 0.95


class Server:
    """Speaks the language server protocol over the standard streams of a process."""

    def __init__(self):
        self.process = subprocess.Popen([SERVER, "--stdio"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.published = Queue()
        self.answers = Queue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.send({"id": 1, "method": "initialize", "params": {
            "processId": os.getpid(), "rootUri": None,
            "capabilities": {"workspace": {"configuration": True},
                             "textDocument": {"publishDiagnostics": {}}}}})
        self.answers.get(timeout=60)
        self.send({"method": "initialized", "params": {}})

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def listen(self):
        out = self.process.stdout
        while True:
            length = 0
            while (line := out.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if length == 0:
                return
            message = json.loads(out.read(length))
            method = message.get("method")
            if method == "textDocument/publishDiagnostics":
                self.published.put(message["params"])
            elif method == "workspace/configuration":
                settings = {"yaml": {"validate": True, "schemaStore": {"enable": False}}}
                self.send({"id": message["id"], "result": [
                    settings.get(item.get("section")) for item in message["params"]["items"]]})
            elif method and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif "id" in message:
                self.answers.put(message)

    def diagnose(self, path, text):
        """(line from 0, message) of what is underlined in a file."""
        uri = "file://" + path
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": uri, "languageId": "yaml", "version": 1, "text": text}}})
        end = time.time() + 60
        while time.time() < end:
            try:
                told = self.published.get(timeout=60)
            except Empty:
                break
            if told["uri"] == uri:
                self.send({"method": "textDocument/didClose",
                           "params": {"textDocument": {"uri": uri}}})
                return [(d["range"]["start"]["line"], d["message"]) for d in told["diagnostics"]]
        sys.exit(f"yaml-language-server says nothing about {path}")


def section_lines(lines, name):
    """Numbers of the lines below `name:`, and its own where something stands behind it."""
    inside = False
    for k, line in enumerate(lines):
        if re.match(r"[A-Za-z_]", line):
            inside = line.startswith(name + ":")
            if inside and line.split(":", 1)[1].strip():
                yield k
        elif inside and line.strip() and not line.lstrip().startswith("#"):
            yield k


def in_section(section, pattern, replacement):
    """Mistakes by a pattern: the `number`-th line of the section in which it is found."""
    def apply(lines, number):
        places = [k for k in section_lines(lines, section) if re.search(pattern, lines[k])]
        if not places:
            return None
        k = places[number % len(places)]
        lines[k] = re.sub(pattern, replacement, lines[k], count=1)
        return k
    return apply


def misspelled_section(lines, number):
    places = [k for k, line in enumerate(lines) if re.match(r"[a-z_]+:", line)]
    k = places[number % len(places)]
    lines[k] = re.sub(r"^([a-z_]+):", r"\1x:", lines[k])
    return k


VECTOR = r"(\b\w+): \[([^][,]+), ([^][,]+), ([^][,]+)\]"
KINDS = [
    ("a section misspelled", misspelled_section),
    ("a type misspelled", in_section("components", r"type: ([\w.]+)", r"type: \1x")),
    ("a type left out", in_section("components", r"\{type: [\w.]+,? ?", "{")),
    ("a parameter misspelled", in_section("components", r", (\w+): ", r", \1x: ")),
    ("a vector too short", in_section("components", VECTOR, r"\1: [\2, \3]")),
    ("a vector too long", in_section("components", VECTOR, r"\1: [\2, \3, \4, 0]")),
    ("a vector replaced by a number", in_section("components", VECTOR, r"\1: 1")),
    ("a start value without its map", in_section(
        "components", r"(\b\w+): \{(start|fixed): [^{}]*\}", r"\1: 0.1")),
    ("a key of a start value misspelled", in_section(
        "components", r"(\b\w+: \{)(start|fixed): ", r"\1\2x: ")),
    ("'fixed' of a start value 'yes'", in_section("components", r"fixed: true", "fixed: yes")),
    ("a negative mass or size", in_section(
        "components", r"\b(m|width|diameter|d|radius|J): [0-9.e-]+", r"\1: -1")),
    ("nothing for a value", in_section("components", r", (\w+): [\w.]+([,}])", r", \1: \2")),
    ("a connection with one end", in_section(
        "connections", r"- \[([\w.]+), [\w.]+\]", r"- [\1]")),
    ("a connector misspelled", in_section(
        "connections", r"- \[(\w+\.(?:frame|flange)_[ab]),", r"- [\1x,")),
    ("a connector left out", in_section(
        "connections", r"- \[([\w.]+), (\w+)\.\w+\]", r"- [\1, \2]")),
    ("an unknown key of the simulation", in_section("simulation", r"\{", "{steps: 100, ")),
    ("a tolerance of 2", in_section("simulation", r"tolerance: [0-9.e-]+", "tolerance: 2")),
    ("an unknown integrator", in_section("simulation", r"\{", "{integrator: euler, ")),
    ("an unknown key of the world", in_section("world", r"\{", "{gravity: 9.81, ")),
    ("an unknown kind of gravity", in_section("world", r"\{", "{gravityType: Uniform, ")),
]


def models():
    for folder, folders, files in os.walk(os.path.join(ROOT, "models")):
        folders[:] = sorted(f for f in folders if f not in ("reference", "studies", "gallery"))
        for f in sorted(files):
            if f.endswith(".yaml"):
                yield os.path.join(folder, f)


class Schemas:
    """The general schema, and those of files that define types of their own."""

    def __init__(self, folder):
        self.folder, self.made = folder, {}

    def of(self, path, text):
        own = re.search(r"^(submodels|include|extends):", text, re.M) is not None
        key = path if own else ""
        if key not in self.made:
            schema = os.path.join(self.folder, f"schema{len(self.made)}.json")
            subprocess.run([PROGRAM, "schema", *([path] if own else []), "-o", schema], check=True)
            self.made[key] = schema
        return self.made[key]


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        schemas, server = Schemas(folder), Server()

        def diagnose(path, lines, name):
            text = "\n".join(lines)
            head = f"# yaml-language-server: $schema={schemas.of(path, text)}\n"
            said = server.diagnose(os.path.join(folder, name), head + text)
            return [(line - 1, message) for line, message in said]

        originals = {}
        for number, path in enumerate(models()):
            with open(path, encoding="utf-8") as f:
                originals[path] = f.read().split("\n")
            said = diagnose(path, originals[path], f"model{number}.yaml")
            if said:
                failures += 1
                print("FAIL", os.path.relpath(path, ROOT), "is clean, found", said[:3])
        print(f"{len(originals)} models that ship")

        paths, found, made = list(originals), 0, 0
        for k in range(10000):
            if made == WANTED:
                break
            path, (kind, apply) = paths[k % len(paths)], KINDS[made % len(KINDS)]
            lines = list(originals[path])
            line = apply(lines, k // 3)
            if line is None or lines == originals[path]:
                continue
            made += 1
            said = diagnose(path, lines, f"mutant{made}.yaml")
            if any(at == line for at, _ in said):
                found += 1
            else:
                print(f"missed: {kind} in {os.path.relpath(path, ROOT)}:{line + 1}: "
                      f"{lines[line].strip()}; found {said[:2]}")
        print(f"{found} of {made} mistakes flagged on their line ({100 * found / made:.1f} %)")
        failures += made != WANTED or found < LEAST * made
        server.process.kill()
    print(f"{failures} failure(s)")
    return 1 if failures else 0


sys.exit(main())
