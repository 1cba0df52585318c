"""What Python costs beside the integration, and what threads give: prints a few figures.

    PYTHONPATH=build/release/python python3 apps/bench/python_package.py
"""

import pathlib
import threading
import time

import cardan

MODEL = pathlib.Path(__file__).resolve().parents[2] / "models/elementary/double_pendulum.yaml"


def best(f, times=7):
    """[s]  the shortest of some calls."""
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        f()
        spent.append(time.perf_counter() - begun)
    return min(spent)


def stepping():
    """[s]  of advance() and two reads, and what of it is the integration's: the run's own clock."""
    count = 20000
    m = cardan.load(MODEL)

    def run():
        with m.start(2, outputs=["revolute1.phi", "revolute2.phi"]) as s:
            begun = time.perf_counter()
            for k in range(1, count + 1):
                s.advance(k * 1e-4)
                s["revolute1.phi"]
                s["revolute2.phi"]
            return time.perf_counter() - begun, s._report()["stats"]["integrationSeconds"]

    whole, inside = min((run() for _ in range(7)), key=lambda x: x[0] - x[1])
    return whole / count, (whole - inside) / count


def threads(number, seconds=1.5):
    """Runs a second of as many threads, each with a model of its own."""
    done = [0] * number
    models = [cardan.load(MODEL) for _ in range(number)]
    end = time.perf_counter() + seconds

    def work(k):
        while time.perf_counter() < end:
            models[k].simulate(3)
            done[k] += 1

    all_ = [threading.Thread(target=work, args=(k,)) for k in range(number)]
    for t in all_:
        t.start()
    for t in all_:
        t.join()
    return sum(done) / seconds


def main():
    m = cardan.load(MODEL)
    m.simulate(0.01)
    print(f"load                         {1e3 * best(lambda: cardan.load(MODEL)):8.3f} ms")
    print(f"set a parameter              {1e3 * best(lambda: m.set(L=0.5)):8.3f} ms")
    print(f"run of 0.01 s                {1e3 * best(lambda: m.simulate(0.01)):8.3f} ms")
    print(f"run of 3 s                   {1e3 * best(lambda: m.simulate(3)):8.3f} ms")
    whole, over = stepping()
    print(f"advance and two reads        {1e6 * whole:8.2f} us, {1e6 * over:.2f} of them beside the integration")
    one, two = threads(1), threads(2)
    print(f"runs a second, 1 | 2 threads {one:8.0f} | {two:.0f}: {two / one:.2f} times the rate")


if __name__ == "__main__":
    main()
