// Scene: the model's frames and shapes as objects of three.js, moved to a time.
class ModelScene {
  constructor(data) {
    this.data = data;
    const {model, times} = data, floats = x => data.floats(x);
    this.times = times;
    this.root = new THREE.Group();
    this.frames = [];
    for (const f of model.frames) {
      const group = new THREE.Group();
      this.root.add(group);
      this.frames.push(Object.assign({name: f.name, group}, this.tracksOf(f)));
    }
    this.meshes = model.meshes.map(m => ({
      positions: floats(m.positions), normals: m.normals && floats(m.normals), indices: data.indices(m.indices),
      colors: m.colors && data.octets(m.colors), targets: (m.targets || []).map(floats), lines: m.lines, closed: m.closed,
      shared: null}));
    this.items = model.items.map((item, index) => this.makeItem(item, index));
    // Seen through what they push at.
    this.forces = (model.contactForces || []).map(item => this.makeItem(item, -1));
    for (const i of this.forces) {
      i.object.castShadow = i.object.receiveShadow = i.object.material.depthTest = false;
      i.object.renderOrder = 1;
    }
    this.v = new Float64Array(64);
    this.traces = new Map();
    this.rulers = [];
    this.placeAll();
    this.showForces(false);
  }

  // Moves as another run does from now on; false where its shapes are others.
  adopt(data) {
    if (ModelScene.plan(data.model) !== ModelScene.plan(this.data.model) || !ModelScene.sameMeshes(this.data, data)) return false;
    const traced = [...this.traces].map(([frame, line]) => [frame, line.material.color]), rulers = this.rulers.map(r => [r.from, r.to, r.line.material.color]);
    for (const [frame] of traced) this.toggleTrace(frame);
    this.data = data;
    this.times = data.times;
    for (const r of this.rulers) r.remove();
    const items = [...data.model.items, ...data.model.contactForces || []];
    this.frames.forEach((f, k) => Object.assign(f, this.tracksOf(data.model.frames[k])));
    [...this.items, ...this.forces].forEach((i, k) => Object.assign(i, {data: items[k]}, this.tracksOfItem(items[k])));
    this.placeAll();
    for (const [frame, color] of traced) this.toggleTrace(frame, color);
    for (const [from, to, color] of rulers) new Ruler(this, from, to, color);
    return true;
  }
  // What decides which objects there are.
  static plan({frames, items, contactForces, components, meshes, traced}) {
    const ofItem = i => [i.component, i.name, i.frame, i.mesh, i.colorWidth, i.opacity, i.specular];
    return JSON.stringify([frames.map(f => [f.name, f.base]), items.map(ofItem), (contactForces || []).map(ofItem), components.map(c => c.name), traced,
      meshes.map(m => [m.lines, m.closed, (m.targets || []).length])]);
  }
  static sameMeshes(a, b) {
    const same = (x, y) => x.length === y.length && x.every((v, k) => v === y[k]);
    return a.model.meshes.every((m, k) => {
      const n = b.model.meshes[k], both = f => !m[f] === !n[f] && (!m[f] || same(a.floats(m[f]), b.floats(n[f])));
      return both('positions') && both('normals') && same(a.indices(m.indices), b.indices(n.indices)) && !m.colors === !n.colors &&
        (!m.colors || same(a.octets(m.colors), b.octets(n.colors))) && (m.targets || []).every((t, j) => same(a.floats(t), b.floats(n.targets[j])));
    });
  }
  tracksOf(f) {
    const {data} = this;
    return f.base === undefined ? {r: data.track(f.r, 3), q: data.track(f.q, 4)} : this.carried(f);
  }
  tracksOfItem(item) {
    const {data} = this;
    return {color: data.track(item.color, item.colorWidth), r: data.track(item.r, 3), q: data.track(item.q, 4), scale: data.track(item.scale, 3),
      weights: data.track(item.weights, (data.model.meshes[item.mesh].targets || []).length)};
  }
  placeAll() {
    for (const f of this.frames) this.placeFrame(f, 0, 0);
    for (const i of [...this.items, ...this.forces]) this.placeItem(i, 0, 0);
  }

  // The tracks of a frame that moves with another one as one piece.
  carried(f) {
    const base = this.frames[f.base], r = [], q = [], v = [];
    const position = new THREE.Vector3(), turn = new THREE.Quaternion(), own = new THREE.Quaternion().fromArray(f.q_rel);
    for (let row = 0; row < this.times.length; ++row) {
      turn.fromArray(base.q.at(row, 0, v));
      position.fromArray(f.r_rel).applyQuaternion(turn).add(new THREE.Vector3().fromArray(base.r.at(row, 0, v)));
      turn.multiply(own);
      r.push(position.x, position.y, position.z);
      q.push(turn.x, turn.y, turn.z, turn.w);
    }
    return {r: new Track(r, 3), q: new Track(q, 4)};
  }

  geometry(m, own) {
    if (m.shared && !own) return m.shared;
    const g = new THREE.BufferGeometry();
    const p = Float32Array.from(m.positions);
    g.setAttribute('position', new THREE.BufferAttribute(p, 3));
    if (m.normals) g.setAttribute('normal', new THREE.BufferAttribute(Float32Array.from(m.normals), 3));
    if (m.colors) g.setAttribute('color', new THREE.BufferAttribute(m.colors, 3, true));
    g.setIndex(new THREE.BufferAttribute(m.indices, 1));
    if (!own) m.shared = g;
    return g;
  }

  makeItem(item, index) {
    const m = this.meshes[item.mesh];
    const ofPoints = item.colorWidth > 3;
    const own = m.targets.length > 0 || ofPoints;
    const geometry = this.geometry(m, own);
    const opacity = item.opacity;
    const look = {transparent: opacity < 1, opacity, depthWrite: opacity === 1};
    if (m.colors || ofPoints) look.vertexColors = THREE.VertexColors;
    const s = item.specular * 0.35;
    const material = m.lines ? new THREE.LineBasicMaterial(look) : new THREE.MeshPhongMaterial(Object.assign(look,
        {specular: new THREE.Color(s, s, s), shininess: 45, side: m.closed ? THREE.FrontSide : THREE.DoubleSide}));
    const object = m.lines ? new THREE.LineSegments(geometry, material) : new THREE.Mesh(geometry, material);
    if (ofPoints) {
      const n = m.positions.length / 3;
      geometry.setAttribute('color', new THREE.BufferAttribute(new Uint8Array(3 * n), 3, true));
    }
    object.castShadow = !m.lines && opacity === 1;
    object.receiveShadow = !m.lines;
    object.frustumCulled = !own;
    object.userData.item = index;
    (item.frame < 0 ? this.root : this.frames[item.frame].group).add(object);
    return Object.assign({data: item, object, mesh: m, ofPoints, opacity, faded: 1, hidden: false}, this.tracksOfItem(item));
  }

  placeFrame(f, row, share) {
    f.group.position.fromArray(f.r.at(row, share, this.v));
    f.group.quaternion.fromArray(f.q.at(row, share, this.v, true));
  }

  placeItem(i, row, share) {
    const o = i.object, v = this.v;
    o.position.fromArray(i.r.at(row, share, v));
    o.quaternion.fromArray(i.q.at(row, share, v, true));
    o.scale.fromArray(i.scale.at(row, share, v));
    o.visible = !i.hidden && o.scale.x * o.scale.y * o.scale.z > 0;
    if (i.weights.width > 0) this.deform(i, row, share);
    if (i.ofPoints) {
      this.paint(i, row);
    } else {
      i.color.at(row, share, v);
      o.material.color.setRGB(v[0] / 255, v[1] / 255, v[2] / 255);
    }
  }

  deform(i, row, share) {
    const w = i.weights.at(row, share, []), m = i.mesh, a = i.object.geometry.attributes.position;
    const p = a.array;
    p.set(m.positions);
    for (let k = 0; k < w.length; ++k) {
      const t = m.targets[k];
      for (let j = 0; j < p.length; ++j) p[j] += w[k] * t[j];
    }
    a.needsUpdate = true;
    if (!m.closed && !m.lines) i.object.geometry.computeVertexNormals();
    i.object.geometry.computeBoundingSphere();
  }

  // Colours of single points, or of the lines of a grid: those of the row itself.
  paint(i, row) {
    const a = i.object.geometry.attributes.color, n = a.array.length / 3;
    const w = i.color.width, v = i.color.values, from = i.color.varies ? row * w : 0, each = 3 * n / w;
    for (let k = 0; k < n; ++k) {
      const c = from + 3 * Math.floor(k / each);
      for (let j = 0; j < 3; ++j) a.array[3 * k + j] = v[c + j];
    }
    a.needsUpdate = true;
    i.object.material.color.setRGB(1, 1, 1);
  }

  // To the time at a row and a share of the way to the next.
  show(row, share) {
    for (const f of this.frames) if (f.r.varies || f.q.varies) this.placeFrame(f, row, share);
    for (const i of this.shown) {
      if (i.r.varies || i.q.varies || i.scale.varies || i.weights.varies || i.color.varies) this.placeItem(i, row, share);
    }
    for (const [frame, line] of this.traces) this.drawTrace(frame, line, row, share);
    for (const r of this.rulers) r.measure(row, share);
  }
  // Of the world: -1.
  nameOf(frame) { return frame < 0 ? 'world' : this.frames[frame].name; }
  originOf(frame, row, share) { return frame < 0 ? [0, 0, 0] : this.frames[frame].r.at(row, share, []); }
  frameOf(name) { return this.frames.findIndex(f => f.name === name); }

  setHidden(i, hidden) {
    i.hidden = hidden;
    i.object.visible = !hidden && i.object.scale.x * i.object.scale.y * i.object.scale.z > 0;
  }
  showForces(on) {
    for (const i of this.forces) this.setHidden(i, !on);
    this.shown = on ? [...this.items, ...this.forces] : this.items;
  }
  fade(i, opacity) {
    i.faded = opacity;
    const m = i.object.material, o = i.opacity * opacity;
    m.opacity = o;
    m.transparent = o < 1;
    m.depthWrite = o === 1;
    m.needsUpdate = true;
    i.object.castShadow = o === 1 && !i.mesh.lines;
  }

  toggleTrace(frame, color) {
    const old = this.traces.get(frame);
    if (old) {
      this.root.remove(old);
      this.traces.delete(frame);
      old.geometry.dispose();
      old.material.dispose();
      return;
    }
    const r = this.frames[frame].r, n = this.times.length;
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * (n + 1)), 3));
    for (let i = 0; i < n; ++i) {
      r.at(i, 0, this.v);
      for (let k = 0; k < 3; ++k) g.attributes.position.array[3 * i + k] = this.v[k];
    }
    const line = new THREE.Line(g, new THREE.LineBasicMaterial({color}));
    line.frustumCulled = false;
    this.traces.set(frame, line);
    this.root.add(line);
  }
  // Up to where the frame is now.
  drawTrace(frame, line, row, share) {
    const a = line.geometry.attributes.position, r = this.frames[frame].r;
    if (line.userData.end !== undefined) {
      r.at(Math.min(line.userData.end, this.times.length - 1), 0, this.v);
      for (let k = 0; k < 3; ++k) a.array[3 * line.userData.end + k] = this.v[k];
    }
    r.at(row, share, this.v);
    for (let k = 0; k < 3; ++k) a.array[3 * (row + 1) + k] = this.v[k];
    line.userData.end = row + 1;
    a.needsUpdate = true;
    line.geometry.setDrawRange(0, row + 2);
  }

  // As a faint shadow of itself.
  turnPale() {
    for (const i of this.items) {
      this.fade(i, 0.16);
      i.object.receiveShadow = false;
    }
    for (const frame of [...this.traces.keys()]) this.toggleTrace(frame);
  }
  // Gives back what the graphics card keeps of it.
  dispose() {
    this.root.traverse(o => {
      if (o.geometry) o.geometry.dispose();
      if (o.material) o.material.dispose();
    });
  }
}
