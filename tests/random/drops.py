"""Random drops of a box on corners and of shapes: counts of stops by message, hangs, energy rises, penetrations.
What a run may take is time of a processor, so that others on the machine do not count.
usage: drops.py CARDAN [-n RUNS] [-k REGEX OF KINDS] [--seed S] [--keep DIR] [-j JOBS] [--args "--integrator stepping --step 1e-3"]"""
import argparse, collections, concurrent.futures, csv, os, random, re, statistics, subprocess, tempfile

KINDS = [(b, s) for b in ('plane2', 'plane4', 'space4', 'space8') for s in ('rigid0', 'rigid', 'rigidStick', 'elasticStick')] + \
    [(b, s) for b in ('shape', 'stack', 'pile', 'pile20', 'boxes20', 'crawler') for s in ('stick', 'smooth')] + \
    [('scaled', f) for f in ('plane', 'plate', 'hills', 'moving')] + \
    [(b, s) for b in ('leg', 'walker', 'chain', 'cart', 'fourbar', 'wall', 'guided') for s in ('rigid0', 'rigid', 'rigidStick', 'elastic', 'elasticStick')]


def ball_law(surface, r):
    """Parameters of a ball on a plane."""
    e, mu = r.uniform(0, 1), 0 if surface == 'rigid0' else r.choice([0.3, r.uniform(0, 1.5)])
    law = f'restitution: {e:.4f}, mu: {mu:.4f}'
    law += ', rigid: true' if surface.startswith('rigid') else f', k: {10**r.uniform(4, 6):.6g}, v_restitution: 1'
    if surface.startswith('elastic'):
        law = law.replace(f'{e:.4f}', f'{max(e, 0.05):.4f}')
    return law + (', stick: true' if surface.endswith('Stick') else '')


def model(body, surface, r):
    """One box of 2 kg, half edges 0.2, 0.1, 0.1 m, in a random pose above the ground."""
    law = ball_law(surface, r)
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


def solid(r, kind, unit=0.1):
    """A shape's parameters and the principal moments of 1 kg of it, by those of its bounding box."""
    a, b, c = (float('%.4g' % (unit * r.uniform(0.4, 1.5))) for _ in range(3))
    text, size = {
        'box': (f'shape: box, size: [{a}, {b}, {c}]', (a, b, c)),
        'sphere': (f'shape: sphere, radius: {a / 2}', (a, a, a)),
        'capsule': (f'shape: capsule, radius: {a / 2}, length: {c}', (a, a, a + c)),
        'cylinder': (f'shape: cylinder, radius: {a / 2}, length: {c}', (a, a, c)),
        'cone': (f'shape: cone, radius: {a / 2}, length: {c}', (a, a, c)),
        'ellipsoid': (f'shape: ellipsoid, radii: [{a / 2}, {b / 2}, {c / 2}]', (a, b, c)),
        'hull': ('shape: hull, points: %s' % [[float('%.4g' % (unit * r.gauss(0, 0.5))) for _ in range(3)] for _ in range(12)], (unit, unit, unit)),
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


def scaled(floor, r):
    """One to three solids of a millimetre to a hundred metres, some with another one at a joint, with a weight that makes 1 J of a fall by
    their size, in any axis' direction onto a plane, a plate, hills of heights, or a plane that swings."""
    L, up, way = 10**r.uniform(-3, 2), r.randrange(3), r.choice([1, -1])
    m, axis = 0.1 / L, lambda x: [x * way if k == up else 0 for k in range(3)]
    V = (9.81 * L)**0.5
    turn = [f'sequence: [2, 1, 3], angles: [{90 * way}, 0, 0]', f'angles: [{-90 * way}, 0, 0]', f'angles: [{0 if way > 0 else 180}, 0, 0]'][up]
    vector = lambda a: [float('%.4g' % r.uniform(-a, a)) for _ in range(3)]
    heights = [[float('%.4g' % (L * r.uniform(-0.2, 0.2))) for _ in range(20)] for _ in range(20)]
    ground = {'plate': f'box, size: [{20 * L}, {20 * L}, {L}], {turn}, r: {axis(-L / 2)}', 'hills': f'heights, heights: {heights}, spacing: {L}, {turn}'}.get(floor, f'plane, n: {axis(1)}')
    text = f'model: Drop\nworld: {{g: 9.81, n: {axis(-1)}}}\ncomponents:\n  floor: {{type: Contact.Shape, shape: {ground}}}\n'
    links = '  - [world.frame_b, floor.frame_a]\n'
    if floor == 'moving':
        text += (f'  drive: {{type: Prismatic, useAxisFlange: true, n: {r.choice([axis(1), axis(1)[1:] + axis(1)[:1]])}}}\n'
                 f'  mover: {{type: Translational.Position, exact: true, s_ref: "{0.3 * L}*sin({r.uniform(0.3, 2) * V / L}*time)"}}\n')
        links = '  - [world.frame_b, drive.frame_a]\n  - [drive.frame_b, floor.frame_a]\n  - [mover.flange, drive.axis]\n'
    height, count = L, r.choice([1, 1, 2, 3])
    kinds = ['box', 'sphere', 'capsule', 'cylinder', 'cone', 'hull']

    def add(i, more, unit, kind):
        nonlocal text, links
        what, I, size = solid(r, kind, unit)
        text += f'  b{i}: {{type: Body, m: {m}, r_CM: [0, 0, 0], I_11: {m * I[0]}, I_22: {m * I[1]}, I_33: {m * I[2]}{more(size)}}}\n  s{i}: {{type: Contact.Shape, {what}}}\n'
        links += f'  - [b{i}.frame_a, s{i}.frame_a]\n'
        return size
    for i in range(count):
        jointed = r.random() < 0.4

        def pose(size):
            nonlocal height
            height += 2 * size + 5 * L * jointed
            at = [a + b for a, b in zip(vector(0.3 * L), axis(height - size - 2.5 * L * jointed))]
            return (f', r_0: {{start: {at}, fixed: true}}, v_0: {{start: {vector(0.3 * V)}, fixed: true}}, angles_fixed: true, angles_start: {vector(3)}, '
                    f'w_0_fixed: true, w_0_start: {vector(V / L)}')
        alone = floor != 'plate' and count == 1 and not jointed
        size = add(i, pose, L, r.choice(kinds + ['ellipsoid'] * alone))
        if jointed:
            joint = r.choice(['Revolute, n: [0, 1, 0], phi: {start: 0.5, fixed: true}, w: {fixed: true}', 'Spherical, angles_fixed: true, w_rel_a_fixed: true', 'Prismatic, s: {fixed: true}, v: {fixed: true}'])
            other = add(f'{i}_', lambda size: '', 0.7 * L, r.choice(kinds))
            text += f'  o{i}: {{type: FixedTranslation, r: [{0.7 * size}, 0, 0]}}\n  j{i}: {{type: {joint}}}\n  q{i}: {{type: FixedTranslation, r: [{0.7 * other}, 0, 0]}}\n'
            links += f'  - [b{i}.frame_a, o{i}.frame_a]\n  - [o{i}.frame_b, j{i}.frame_a]\n  - [j{i}.frame_b, q{i}.frame_a]\n  - [q{i}.frame_b, b{i}_.frame_a]\n'
    mu, T = r.choice([0, 0.3, r.uniform(0, 1.5)]), 12 * L / V
    return text + (f'connections:\n{links}contacts: {{defaults: {{restitution: {r.uniform(0.05, 1):.4f}, mu: {mu:.4f}, friction: {r.choice(["stick", "smooth"])}}}}}\n'
                   f'simulation: {{stop: {T}, interval: {T / 100}, integrator: {r.choice(["ida", "explicit", "automatic"])}}}\noutputs: [totalEnergy, "contact.**.gap"]\n'), False


def sprung(name, n, bend, c, d, friction='', stop=''):
    """A hinge with a spring, a damper and what else acts about its axis; its parts and connections."""
    parts = f'  {name}: {{type: Revolute, n: {n}, useAxisFlange: true, phi: {{start: {bend:.4f}, fixed: true}}, w: {{fixed: true}}}}\n'
    links = ''
    for kind, what in (('spring', f'Rotational.SpringDamper, c: {c:.4g}, d: {d:.4g}, phi_rel0: {bend:.4f}'), ('friction', friction), ('stop', stop)):
        if what:
            support, axis = ('support', 'flange_a') if kind == 'friction' else ('flange_a', 'flange_b')
            parts += f'  {name}_{kind}: {{type: {what}}}\n'
            links += f'  - [{name}.support, {name}_{kind}.{support}]\n  - [{name}_{kind}.{axis}, {name}.axis]\n'
    return parts, links


def legged(body, surface, r):
    """A mechanism above the ground: one leg of a hip and a knee with a ball as its foot, guided or free; a walker on four of
    these, whose knees rub and have stops; a crawler with a capsule as its trunk and four legs of three capsules each."""
    legs, rows = {'leg': 1, 'walker': 4, 'crawler': 4}[body], {'leg': 2, 'walker': 2, 'crawler': 3}[body]
    round_ = body == 'crawler'
    law = '' if round_ else ball_law(surface, r)
    c, d, bend, drop = 10**r.uniform(1, 2.3), 10**r.uniform(-2, 0.5), r.uniform(-0.9, 0.9), r.uniform(0.05, 0.6)
    angles = [0, 0, 0] if body == 'leg' and r.random() < 0.4 else [round(r.uniform(-0.5, 0.5), 4) for _ in range(3)]
    pose = f'angles_fixed: true, angles_start: {angles}'
    v = [round(r.uniform(-1, 1), 4) for _ in range(3)]
    text, links = 'model: Drop\nworld: {g: 9.81, n: [0, -1, 0]}\ncomponents:\n', ''
    if round_:
        text += '  floor: {type: Contact.Shape, shape: plane, n: [0, 1, 0]}\n'
        links += '  - [world.frame_b, floor.frame_a]\n'
    height = 0.75 + drop
    if body == 'leg' and angles == [0, 0, 0]:
        text += f'  guide: {{type: Prismatic, n: [0, 1, 0], s: {{start: {height:.4f}, fixed: true}}, v: {{fixed: true}}}}\n  trunk: {{type: BodyBox, r: [0.1, 0, 0], width: 0.1, density: 3000}}\n'
        links += '  - [world.frame_b, guide.frame_a]\n  - [guide.frame_b, trunk.frame_a]\n'
    else:
        size = {'leg': 'BodyBox, r: [0.2, 0, 0], width: 0.1, density: 1000', 'walker': 'BodyBox, r: [0.5, 0, 0], width: 0.2, height: 0.1, density: 400',
                'crawler': 'BodyCylinder, r: [0.5, 0, 0], diameter: 0.14, density: 600'}[body]
        text += f'  trunk: {{type: {size}, r_0: {{start: [0, {height:.4f}, 0], fixed: true}}, v_0: {{start: {v}, fixed: true}}, {pose}, w_0_fixed: true}}\n'
    if round_:
        text += '  middle: {type: FixedTranslation, r: [0.25, 0, 0]}\n  hull: {type: Contact.Shape, shape: capsule, radius: 0.07, length: 0.36, angles: [0, 90, 0]}\n'
        links += '  - [trunk.frame_a, middle.frame_a]\n  - [middle.frame_b, hull.frame_a]\n'
    for k in range(legs):
        side, at = (0, 0.1) if legs == 1 else ((-1) ** k, 0.05 + 0.4 * (k // 2))
        text += f'  at{k}: {{type: FixedTranslation, r: [{at}, {0 if round_ else -0.05}, {0.1 * side}]}}\n'
        links += f'  - [trunk.frame_a, at{k}.frame_a]\n'
        before = f'at{k}.frame_b'
        for j in range(rows):
            axis = [1, 0, 0] if round_ and j == 0 else [0, 0, 1]
            rubs = body == 'walker' and j == 1
            parts, more = sprung(f'h{k}{j}', axis, bend * side * 0.4 if round_ and j == 0 else bend * (-2 if j == rows - 1 else 1), c, d,
                                 f'Rotational.BearingFriction, useSupport: true, tau_pos: [[0, {r.uniform(0, 0.5):.4f}]]' if rubs else '',
                                 f'Rotational.ElastoBacklash, c: {10 * c:.4g}, d: {d:.4g}, b: 0.6, phi_rel0: {-2 * bend:.4f}' if rubs else '')
            length = 0.1 if round_ and j == 0 else 0.25
            along = [0, 0, round(0.1 * side, 4)] if round_ and j == 0 else [0, -length, 0]
            text += parts + f'  l{k}{j}: {{type: BodyCylinder, r: {along}, diameter: 0.04, density: 1000}}\n'
            links += more + f'  - [{before}, h{k}{j}.frame_a]\n  - [h{k}{j}.frame_b, l{k}{j}.frame_a]\n'
            before = f'l{k}{j}.frame_b'
            if round_:
                text += (f'  m{k}{j}: {{type: FixedTranslation, r: {[x / 2 for x in along]}}}\n'
                         f'  s{k}{j}: {{type: Contact.Shape, shape: capsule, radius: 0.02, length: {length}, angles: [{90 if along[1] else 0}, 0, 0]}}\n')
                links += f'  - [l{k}{j}.frame_a, m{k}{j}.frame_a]\n  - [m{k}{j}.frame_b, s{k}{j}.frame_a]\n'
        if not round_:
            text += f'  foot{k}: {{type: Contact.SpherePlane, radius: 0.03, {law}}}\n'
            links += f'  - [{before}, foot{k}.frame_b]\n  - [world.frame_b, foot{k}.frame_a]\n'
    contacts = ''
    if round_:
        mu = r.choice([0, 0.3, r.uniform(0, 1.5)])
        contacts = (f'contacts:\n  defaults: {{restitution: {r.uniform(0.05, 1):.4f}, mu: {mu:.4f}, friction: {surface}}}\n  groups: {{robot: ["*hull", "s*"], ground: [floor]}}\n'
                    '  pairs: [[robot, ground]]\n')
    results = '"contact.**.gap"' if round_ else '"foot*.depth", "foot*.f_n"'
    return text + f'connections:\n{links}{contacts}simulation: {{stop: 1.5, interval: 0.01}}\noutputs: [totalEnergy, {results}]\n', surface.startswith('rigid')


def free(r, m, I, turn=3.0):
    """A body of that mass and moment of inertia above the ground, with its pose and speeds."""
    return ('  b: {type: Body, m: %g, r_CM: [0, 0, 0], I_11: %g, I_22: %g, I_33: %g, r_0: {start: [0, 0.9, 0], fixed: true}, v_0: {start: %s, fixed: true}, '
            'angles_fixed: true, angles_start: %s, w_0_fixed: true, w_0_start: %s}\n' % (m, I, I, I, *([round(r.uniform(-a, a), 4) for _ in range(3)] for a in (1, turn, 2))))


def linked(body, surface, r):
    """A chain of rods with balls on its joints; a cart on four rings with axles of their own; a four-bar linkage with balls on its joints;
    a pendulum of rods whose bearings rub, and that falls at a wall; an arm of one or two joints of any kind, bolted to the world."""
    law, v = ball_law(surface, r), r.uniform
    text, links = 'model: Drop\nworld: {g: 9.81, n: [0, -1, 0]}\ncomponents:\n', ''

    def add(name, what, *at):
        nonlocal text, links
        text += f'  {name}: {{type: {what}}}\n'
        links += ''.join(f'  - [{a}, {name}.{b}]\n' for a, b in at)

    def ball(name, frame, against='world.frame_b', n='[0, 1, 0]'):
        add(name, f'Contact.SpherePlane, radius: 0.02, n: {n}, {law}', (frame, 'frame_b'), (against, 'frame_a'))
    rod = lambda length: f'BodyCylinder, r: [{length}, 0, 0], diameter: 0.03, density: {v(500, 8000):.0f}'
    if body == 'chain':
        text += free(r, 0.5, 0.002)
        before, kind = 'b.frame_a', r.choice(['Spherical', 'Revolute'])
        ball('h', before)
        for i in range(r.randint(3, 6)):
            n = r.choice([[0, 0, 1], [1, 0, 0]])
            start = f'n: {n}, phi: {{start: {v(-1.5, 1.5):.4f}, fixed: true}}, w: {{start: {v(-2, 2):.4f}, fixed: true}}' if kind == 'Revolute' else \
                f'angles_fixed: true, angles_start: {[round(v(-1, 1), 4) for _ in range(3)]}, w_rel_a_fixed: true'
            add(f'j{i}', f'{kind}, {start}', (before, 'frame_a'))
            add(f'k{i}', rod(0.15), (f'j{i}.frame_b', 'frame_a'))
            before = f'k{i}.frame_b'
            ball(f'h{i}', before)
    elif body == 'cart':
        text += free(r, 5, 0.1, 0.6)
        for i, (x, z) in enumerate([(a, b) for a in (-0.3, 0.3) for b in (-0.2, 0.2)]):
            add(f'at{i}', f'FixedTranslation, r: [{x}, -0.1, {z}]', ('b.frame_a', 'frame_a'))
            add(f'j{i}', f'Revolute, n: [0, 0, 1], phi: {{fixed: true}}, w: {{start: {v(-20, 20):.4f}, fixed: true}}', (f'at{i}.frame_b', 'frame_a'))
            add(f'w{i}', 'Body, m: 0.5, r_CM: [0, 0, 0], I_11: 0.001, I_22: 0.001, I_33: 0.002', (f'j{i}.frame_b', 'frame_a'))
            add(f'h{i}', f'Contact.TorusPlane, radius: 0.1, tubeRadius: 0.02, axis: [0, 0, 1], n: [0, 1, 0], {law}', (f'j{i}.frame_b', 'frame_b'), ('world.frame_b', 'frame_a'))
    elif body == 'fourbar':
        text += free(r, 0.5, 0.002)
        a = v(0.5, 1.2)
        add('j1', f'Revolute, n: [0, 0, 1], phi: {{start: {a:.4f}, fixed: true}}, w: {{start: {v(-3, 3):.4f}, fixed: true}}', ('b.frame_a', 'frame_a'))
        add('k1', rod(0.3), ('j1.frame_b', 'frame_a'))
        add('j2', f'Revolute, n: [0, 0, 1], phi: {{start: {-a:.4f}}}', ('k1.frame_b', 'frame_a'))
        add('k2', rod(0.45), ('j2.frame_b', 'frame_a'))
        add('at', 'FixedTranslation, r: [0.4, 0, 0]', ('b.frame_a', 'frame_a'))
        add('j4', f'Revolute, n: [0, 0, 1], phi: {{start: {a:.4f}}}', ('at.frame_b', 'frame_a'))
        add('k3', rod(0.28), ('j4.frame_b', 'frame_a'))
        add('j3', 'RevolutePlanarLoopConstraint, n: [0, 0, 1]', ('k3.frame_b', 'frame_a'), ('k2.frame_b', 'frame_b'))
        for i, frame in enumerate(['b.frame_a', 'k1.frame_b', 'k2.frame_b', 'at.frame_b']):
            ball(f'h{i}', frame)
    elif body == 'guided':
        axis = lambda: [round(v(-1, 1), 3) for _ in range(3)]
        add('up', f'FixedTranslation, r: [0, {v(0.5, 0.6):.4f}, 0]', ('world.frame_b', 'frame_a'))
        before = 'up.frame_b'
        for i in range(r.randint(1, 2)):
            x, d = 'phi w s v'.split()[(k := r.choice((0, 2))):k + 2]
            add(f'j{i}', r.choice([f'Spherical, angles_fixed: true, angles_start: {axis()}, w_rel_a_fixed: true, w_rel_a_start: {axis()}',
                                   f'{"Revolute" if x == "phi" else "Prismatic"}, n: {axis()}, {x}: {{fixed: true}}, {d}: {{start: {v(-2, 2):.4f}, fixed: true}}']), (before, 'frame_a'))
            add(f'k{i}', f'BodyCylinder, r: {[round(v(-0.2, 0.2), 4), round(v(-0.25, 0.1), 4), 0.1]}, diameter: 0.03, density: {v(500, 8000):.0f}', (f'j{i}.frame_b', 'frame_a'))
            before = f'k{i}.frame_b'
            ball(f'h{i}', before)
    else:
        add('wall', f'FixedTranslation, r: [{v(0.1, 0.5):.3f}, 0, 0]', ('world.frame_b', 'frame_a'))
        before = 'world.frame_b'
        for i in range(r.randint(2, 3)):
            phi, w = v(1.6, 2.4) if i == 0 else v(-0.2, 0.2), v(-4, 1)
            add(f'j{i}', f'Revolute, n: [0, 0, 1], useAxisFlange: true, phi: {{start: {phi:.4f}, fixed: true}}, w: {{start: {w:.4f}, fixed: true}}', (before, 'frame_a'))
            if r.random() < 0.5:
                add(f'f{i}', f'Rotational.BearingFriction, useSupport: true, tau_pos: [[0, {v(0, 3):.4f}]]', (f'j{i}.support', 'support'), (f'j{i}.axis', 'flange_a'))
            add(f'k{i}', rod(0.4), (f'j{i}.frame_b', 'frame_a'))
            before = f'k{i}.frame_b'
            ball(f'h{i}', before, 'wall.frame_b', '[-1, 0, 0]')
    return text + f'connections:\n{links}simulation: {{stop: 1.5, interval: 0.01}}\noutputs: [totalEnergy, "h*.depth", "h*.f_n"]\n', surface.startswith('rigid')


def drop(job):
    cardan, kind, i, seed, keep, limit, args = job
    make = (lambda _, floor, random: scaled(floor, random)) if kind[0] == 'scaled' else linked if kind[0] in ('chain', 'cart', 'fourbar', 'wall', 'guided') else legged if kind[0] in ('leg', 'walker', 'crawler') else shapes if kind[0] in ('shape', 'stack', 'pile', 'pile20', 'boxes20') else model
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
            rise, low = max(rise, x - low) if kind[1] != 'moving' else 0, min(low, x)
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
