"""Pages in a headless chromium: nothing is said in the console, nothing is fetched, frames are where
the result says, and buttons, keys, links and clicks do what they say."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PROGRAM, ROOT, PLACES = sys.argv[1], sys.argv[2], sys.argv[3:]
SHOWN = os.path.join(ROOT, "models/elementary/double_pendulum.yaml")
failures = []


def check(holds, claim):
    if not holds:
        failures.append(claim)
        print("FAIL", claim, flush=True)


def browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
                     "--enable-unsafe-swiftshader", "--window-size=1000,700", "--hide-scrollbars",
                     "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def animate(model, output, *arguments):
    done = subprocess.run([PROGRAM, "animate", model, "-o", output, "-q", *arguments],
                          capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def open_page(driver, path, link=""):
    driver.get_log("browser")
    driver.get_log("performance")
    driver.get("about:blank")
    driver.get("file://" + path + link)
    drawn(driver)


def drawn(driver):
    """The page shows what was asked for last."""
    for _ in range(400):
        if driver.execute_script("return !!(window.cardan && !cardan.state.dirty)"):
            return
        time.sleep(0.05)


def quiet(driver, name):
    """No console message, and no request but the page itself."""
    said = [m["message"] for m in driver.get_log("browser")
            if "GPU stall due to ReadPixels" not in m["message"]]
    check(not said, f"{name}: nothing in the console, found {said[:2]}")
    asked = []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not url.startswith(("data:", "about:")) and not url.split("#")[0].endswith(".html"):
                asked.append(url)
    check(not asked, f"{name}: nothing is fetched, found {asked[:2]}")


def models():
    for place in PLACES:
        if os.path.isfile(place):
            yield place
            continue
        for folder, folders, files in os.walk(place):
            folders[:] = sorted(f for f in folders if f != "reference")
            for f in sorted(files):
                if f.endswith(".yaml"):
                    yield os.path.join(folder, f)


def pages(driver, folder):
    """Every model's page."""
    count = 0
    for model in models():
        name = os.path.relpath(model, ROOT)
        page = os.path.join(folder, "page.html")
        if os.path.exists(page):
            os.remove(page)
        good, said = animate(model, page)
        if "library file" in said or "implicit" in said:
            continue
        check(good, f"{name}: has a page, found {said.strip()[:200]}")
        if not os.path.exists(page):
            continue
        open_page(driver, page)
        quiet(driver, name)
        seen = driver.execute_script(
            "return cardan.three && cardan.three.renderer.info.render.triangles > 0 "
            "|| cardan.model.items.length === 0")
        check(seen, f"{name}: something is drawn")
        count += 1
        print("page", count, name, flush=True)


def truth(driver, folder):
    """Frames in the browser are where the result says, at five times."""
    page, result = os.path.join(folder, "truth.html"), os.path.join(folder, "truth.csv")
    animate(SHOWN, page)
    subprocess.run([PROGRAM, "simulate", SHOWN, "-o", result, "-q", "--output-variable",
                    "boxBody2.frame_a.r_0", "--output-variable", "boxBody1.frame_b.r_0"], check=True)
    with open(result, encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    open_page(driver, page)
    size = driver.execute_script("return cardan.orbit.size")
    for row in [rows[k * (len(rows) - 1) // 4] for k in range(5)]:
        driver.execute_script("cardan.seek(arguments[0])", float(row["time"]))
        drawn(driver)
        at = driver.execute_script(
            "const f = cardan.three.model.frames.find(f => f.name === 'revolute2.frame_a');"
            "const v = new THREE.Vector3(); f.group.updateWorldMatrix(true, false);"
            "v.setFromMatrixPosition(f.group.matrixWorld); return v.toArray();")
        for k in range(3):
            wanted = float(row[f"boxBody1.frame_b.r_0[{k + 1}]"])
            check(abs(at[k] - wanted) < 1e-6 * size,
                  f"frame at {row['time']} s: {at[k]} and not {wanted}")


def use(driver, folder):
    """Buttons, keys, links, clicks."""
    page = os.path.join(folder, "use.html")
    animate(SHOWN, page, "--plot", "revolute*.phi")
    script = driver.execute_script
    open_page(driver, page, "#t=1.25&view=iso")
    check(abs(script("return cardan.state.t") - 1.25) < 1e-9, "a link opens at its time")
    check(script("return cardan.state.view") == "iso", "a link opens in its view")
    first = driver.get_screenshot_as_png()
    open_page(driver, page, "#t=1.25&view=iso")
    check(first == driver.get_screenshot_as_png(), "two pictures of one state are the same bytes")

    body = driver.find_element(By.TAG_NAME, "body")
    body.send_keys(" ")
    time.sleep(0.7)
    check(script("return cardan.state.playing"), "space plays")
    body.send_keys(" ")
    now = script("return cardan.state.t")
    check(not script("return cardan.state.playing") and now > 1.3, "space pauses, later")
    body.send_keys(Keys.HOME)
    check(script("return cardan.state.t") == 0, "Home goes to the begin")
    body.send_keys(Keys.ARROW_RIGHT)
    check(abs(script("return cardan.state.t") - 0.005) < 1e-9, "right is one row on")
    body.send_keys(Keys.ARROW_LEFT)
    check(script("return cardan.state.t") == 0, "left is one row back")
    for key, view in (("1", "x"), ("2", "y"), ("3", "z"), ("4", "iso"), ("0", "home")):
        body.send_keys(key)
        check(script("return cardan.state.view") == view, f"{key} is view {view}")

    scrub = driver.find_element(By.ID, "scrub")
    ActionChains(driver).move_to_element(scrub).click().perform()
    middle = script("return cardan.state.t")
    check(abs(middle - 1.5) < 0.1, f"a click into the scrubber goes there, found {middle}")

    speed = driver.find_element(By.ID, "speed")
    script("arguments[0].value = 2; arguments[0].onchange()", speed)
    check(script("return cardan.state.speed") == 2, "speed is set")
    script("cardan.seek(0); cardan.play(true)")
    time.sleep(0.8)
    shown = driver.find_element(By.ID, "real").text
    check("real time" in shown, f"simulated by real time is shown, found '{shown}'")
    script("cardan.play(false)")

    panel = driver.find_element(By.CSS_SELECTOR, "#panels canvas")
    ActionChains(driver).move_to_element(panel).click().perform()
    t = script("return cardan.state.t")
    expected = script("const p = cardan.panels.panels[0];"
                      "return 3 * (p.canvas.clientWidth / 2 - p.left) / p.width")
    check(abs(t - expected) < 0.02, f"a click into a curve goes there, {t} and not {expected}")

    # Where a box is on the screen, it is picked.
    drawn(driver)
    place = script(
        "const i = cardan.three.model.items.find(i => cardan.model.components[i.data.component].name "
        "=== 'boxBody1'); const v = new THREE.Vector3(0.5, 0, 0); i.object.updateWorldMatrix(true);"
        "v.applyMatrix4(i.object.matrixWorld).project(cardan.orbit.camera);"
        "const b = document.getElementById('stage').getBoundingClientRect();"
        "return [(v.x + 1) / 2 * b.width - b.width / 2, (1 - v.y) / 2 * b.height - b.height / 2]")
    stage = driver.find_element(By.ID, "stage")
    ActionChains(driver).move_to_element_with_offset(stage, round(place[0]), round(place[1])).click().perform()
    info = driver.find_element(By.ID, "info")
    check(info.is_displayed() and "boxBody1 : BodyBox" in info.text and "density" in info.text,
          f"a click picks a shape, with its parameters; found '{info.text[:80]}'")
    body.send_keys("h")
    hidden = script("return cardan.three.model.items.filter(i => i.hidden).length")
    check(hidden == 1, "h hides what is picked")
    body.send_keys("d")
    check("dark" in script("return document.body.className"), "d is dark")
    quiet(driver, "use")

    flat = os.path.join(folder, "flat.html")
    result = os.path.join(folder, "truth.csv")
    subprocess.run([PROGRAM, "plot", result, "-o", flat], check=True)
    open_page(driver, flat)
    quiet(driver, "a page of curves")
    check(script("return cardan.panels.panels.length") >= 1, "a page of curves has panels")


def main():
    driver = browser()
    with tempfile.TemporaryDirectory() as folder:
        truth(driver, folder)
        use(driver, folder)
        pages(driver, folder)
    driver.quit()
    print(f"{len(failures)} failure(s)")
    return 1 if failures else 0


sys.exit(main())
