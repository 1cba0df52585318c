"""Random drops of a box on corners and of shapes: counts of stops by message, hangs, energy rises, penetrations.
What a run may take is time of a processor, so that others on the machine do not count.
usage: drops.py CARDAN [-n RUNS] [-k REGEX OF KINDS] [--seed S] [--keep DIR] [-j JOBS] [--args "--integrator stepping --step 1e-3"]"""
import argparse, collections, concurrent.futures, csv, os, random, re, statistics, subprocess, tempfile

KINDS = [(b, s) for b in ('plane2', 'plane4', 'space4', 'space8') for s in ('rigid0', 'rigid', 'rigidStick', 'elasticStick')] + \
    [(b, s) for b in ('shape', 'stack', 'pile', 'pile20', 'boxes20') for s in ('stick', 'smooth')]


def model(body, surface, r):
    """One box of 2 kg, half edges 0.2, 0.1, 0.1 m, in a random pose above the ground."""
    e, mu = r.uniform(0, 1), 0 if surface == 'rigid0' else r.choice([0.3, r.uniform(0, 1.5)])
    law = f'restitution: {e:.4f}, mu: {mu:.4f}'
    law += ', rigid: true' if surface.startswith('rigid') else f', k: {10**r.uniform(4, 6):.6g}, v_restitution: 1'
    if surface.startswith('elastic'):
        law = law.replace(f'{e:.4f}', f'{max(e, 0.05):.4f}')
    law += ', stick: true' if surface.endswith('Stick') else ''
    plane = body.startswith('plane')
    z = [0] if plane else [-0.1, 0.1]
    y = [-0.1] if body in ('plane2', 'space4') else [-0.1, 0.1]
    corners = [[x, b, c] for x in (-0.2, 0.2) for b in y for c in z]
    turn = 0.6 if body in ('plane2', 'space4') else 3
    v, w = r.uniform(-1, 1), r.uniform(-2, 2)
    text = 'model: Drop\nworld: {g: 9.81, n: [0, -1, 0]}\nparameters: {c: %s}\ncomponents:\n' % corners
    if plane:
        text += (f'  p: {{type: Planar, n: [0, 0, 1], s_x: {{fixed: true}}, v_x: {{start: {v:.5f}, fixed: true}}, s_y: {{start: 0.4, fixed: true}}, '
                 f'v_y: {{fixed: true}}, phi: {{start: {r.uniform(-turn, turn):.5f}, fixed: true}}, w: {{start: {w:.5f}, fixed: true}}}}\n'
                 '  b: {type: Body, m: 2, r_CM: [0, 0, 0], I_33: 0.0333}\n')
    else:
        a = [round(r.uniform(-turn, turn), 4) for _ in range(3)]
        text += (f'  b: {{type: Body, m: 2, r_CM: [0, 0, 0], I_11: 0.0133, I_22: 0.0333, I_33: 0.0333, r_0: {{start: [0, 0.4, 0], fixed: true}}, '
                 f'v_0: {{start: [{v:.4f}, 0, 0.1], fixed: true}}, angles_fixed: true, angles_start: {a}, w_0_fixed: true, w_0_start: [0, 0, {w:.4f}]}}\n')
    n = len(corners)
    text += (f'  o: {{type: FixedTranslation, count: {n}, r: "c[i]"}}\n  h: {{type: Contact.SpherePlane, count: {n}, radius: 0.01, {law}}}\n'
             'connections:\n' + ('  - [world.frame_b, p.frame_a]\n  - [p.frame_b, b.frame_a]\n' if plane else '') +
             f'  - {{for: "i in 1:{n}", connect: [[b.frame_a, "o[i].frame_a"], ["o[i].frame_b", "h[i].frame_b"], [world.frame_b, "h[i].frame_a"]]}}\n'
             'simulation: {stop: 1.5, interval: 0.01}\noutputs: [totalEnergy, "h[*].depth", "h[*].f_n"]\n')
    return text, surface.startswith('rigid')


def solid(r, kind):
    """A shape's parameters and the principal moments of 1 kg of it, by those of its bounding box."""
    a, b, c = (round(r.uniform(0.04, 0.15), 4) for _ in range(3))
    text, size = {
        'box': (f'shape: box, size: [{a}, {b}, {c}]', (a, b, c)),
        'sphere': (f'shape: sphere, radius: {a / 2}', (a, a, a)),
        'capsule': (f'shape: capsule, radius: {a / 2}, length: {c}', (a, a, a + c)),
        'cylinder': (f'shape: cylinder, radius: {a / 2}, length: {c}', (a, a, c)),
        'cone': (f'shape: cone, radius: {a / 2}, length: {c}', (a, a, c)),
        'ellipsoid': (f'shape: ellipsoid, radii: [{a / 2}, {b / 2}, {c / 2}]', (a, b, c)),
        'hull': ('shape: hull, points: %s' % [[round(r.gauss(0, 0.05), 4) for _ in range(3)] for _ in range(12)], (0.1, 0.1, 0.1)),
    }[kind]
    return text, [(size[(k + 1) % 3]**2 + size[(k + 2) % 3]**2) / 12 for k in range(3)], max(size)


def shapes(body, friction, r):
    """Solids of 1 kg that fall on a plane: one of any kind, five boxes nearly on each other, six or twenty of any kind in a heap."""
    kinds = ['box', 'sphere', 'capsule', 'cylinder', 'cone', 'hull'] + (['ellipsoid'] if body == 'shape' else [])
    text = 'model: Drop\nworld: {g: 9.81, n: [0, 0, -1]}\ncomponents:\n  floor: {type: Contact.Shape, shape: plane}\n'
    height, connections = 0.0, '  - [world.frame_b, floor.frame_a]\n'
    for k in range({'shape': 1, 'stack': 5, 'pile': 6, 'pile20': 20, 'boxes20': 20}[body]):
        what, I, size = solid(r, 'box' if body in ('stack', 'boxes20') else r.choice(kinds))
        if body == 'stack':
            what, I, size = 'shape: box, size: [0.1, 0.1, 0.1]', [1 / 600] * 3, 0.1
        place = [round(r.uniform(-0.02, 0.02), 4), round(r.uniform(-0.02, 0.02), 4), height + size / 2 + 0.01] if body == 'stack' else \
            [round(r.uniform(-0.05, 0.05), 4), round(r.uniform(-0.05, 0.05), 4), height + size]
        height += size + 0.011 if body == 'stack' else 2 * size
        angles = [0, 0, round(r.uniform(-0.3, 0.3), 4)] if body == 'stack' else [round(r.uniform(-3, 3), 4) for _ in range(3)]
        w = [0, 0, 0] if body == 'stack' else [round(r.uniform(-3, 3), 4) for _ in range(3)]
        text += (f'  b{k}: {{type: Body, m: 1, r_CM: [0, 0, 0], I_11: {I[0]:.6g}, I_22: {I[1]:.6g}, I_33: {I[2]:.6g}, r_0: {{start: {place}, fixed: true}}, '
                 f'v_0: {{fixed: true}}, angles_fixed: true, angles_start: {angles}, w_0_fixed: true, w_0_start: {w}}}\n  s{k}: {{type: Contact.Shape, {what}}}\n')
        connections += f'  - [b{k}.frame_a, s{k}.frame_a]\n'
    mu = r.choice([0, 0.3, r.uniform(0, 1.5)])
    return text + (f'connections:\n{connections}contacts: {{defaults: {{restitution: {r.uniform(0.05, 1):.4f}, mu: {mu:.4f}, friction: {friction}}}}}\n'
                   'simulation: {stop: 1.5, interval: 0.01}\noutputs: [totalEnergy, "contact.**.gap"]\n'), False


def drop(job):
    cardan, kind, i, seed, keep, limit, args = job
    make = shapes if kind[0] in ('shape', 'stack', 'pile', 'pile20', 'boxes20') else model
    text, rigid = make(*kind, random.Random(f'{seed}/{kind}/{i}'))
    with tempfile.TemporaryDirectory() as tmp:
        tmp = keep or tmp
        name = os.path.join(tmp, '%s_%s_%d' % (*kind, i))
        open(name + '.yaml', 'w').write(text)
        with open(name + '.err', 'w+') as err:
            p = subprocess.Popen(['sh', '-c', f'ulimit -t {limit:.0f}; exec "$@"', 'sh', cardan, 'simulate', name + '.yaml', '-o', name + '.csv'] + args,
                                 stdout=subprocess.DEVNULL, stderr=err)
            _, status, used = os.wait4(p.pid, 0)
            p.returncode = os.waitstatus_to_exitcode(status)
            err.seek(0)
            said = err.read()
        if p.returncode < 0:
            return kind, i, 'hang', 0, 0, 0
        if p.returncode:
            why = ' '.join(said[max(0, said.find('error:')):].split())
            return kind, i, re.sub(r"[\d.e+-]+|'[^']*'", '', re.sub(r'\(.*?\)', '', why.split(';')[0].replace(name + '.yaml', '')))[:70], 0, 0, 0
        rows = list(csv.DictReader(open(name + '.csv')))
        E = [float(x['totalEnergy']) for x in rows]
        low, rise = E[0], 0
        for x in E:
            rise, low = max(rise, x - low), min(low, x)
        depth = max(float(v) for x in rows for k, v in x.items() if k.endswith('depth')) if rigid else 0
        return kind, i, 'ok', rise, depth, (used.ru_utime + used.ru_stime) / float(rows[-1]['time'])


def main():
    a = argparse.ArgumentParser()
    a.add_argument('cardan'), a.add_argument('-n', type=int, default=20), a.add_argument('-k', default='.'), a.add_argument('--seed', default='1')
    a.add_argument('--keep'), a.add_argument('-j', type=int, default=2), a.add_argument('--limit', type=float, default=15, help='seconds of a processor'), a.add_argument('--args', default='')
    a = a.parse_args()
    args = a.args.split()
    if '--step' in args and '--output-interval' not in args:  # rows within a step are on a straight line, where energy is not that of the motion
        args += ['--output-interval', args[args.index('--step') + 1]]
    if a.keep:
        os.makedirs(a.keep, exist_ok=True)
    jobs = [(a.cardan, k, i, a.seed, a.keep, a.limit, args) for k in KINDS if re.search(a.k, '_'.join(k)) for i in range(a.n)]
    said, rises, depths, costs, which = collections.defaultdict(collections.Counter), collections.Counter(), collections.Counter(), collections.defaultdict(list), collections.defaultdict(list)
    with concurrent.futures.ThreadPoolExecutor(a.j) as pool:
        for kind, i, why, rise, depth, cost in pool.map(drop, jobs):
            said[kind][why] += 1
            rises[kind], depths[kind] = max(rises[kind], rise), max(depths[kind], depth)
            if why == 'ok':
                costs[kind].append(cost)
            else:
                which[kind, why].append(i)
    for kind in said:
        cost = costs[kind] or [0]
        print('%-7s %-13s ok %3d/%d  energy +%.1e J  depth %.1e m  %.2f (most %.2f) CPU s a second' % (*kind, said[kind]['ok'], a.n, rises[kind], depths[kind], statistics.median(cost), max(cost)))
        for why, n in said[kind].most_common():
            if why != 'ok':
                print('    %3d %s %s' % (n, why, which[kind, why][:8]))


main()
