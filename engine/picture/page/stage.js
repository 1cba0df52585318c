// Stage: the scene of a run under lights on a floor, seen by a camera that may follow a frame; other runs as
// its ghosts.
class Stage {
  // Throws where the browser has no WebGL. `changed(view)`: the camera was moved.
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, alpha: true});
    this.renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.isSlow = Stage.isSoftware(this.renderer.getContext());
    this.scene = new THREE.Scene();
    this.orbit = new OrbitCamera(canvas, changed);
    this.model = null;
    this.ghosts = [];
    this.followed = -1;
    this.width = this.height = 0;
    this.floor = null;
    this.sky = new THREE.HemisphereLight(0xffffff, 0xa8aeb6, 0.64);
    this.sun = new THREE.DirectionalLight(0xffffff, 0.4);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0015;
    this.sun.shadow.radius = 2.5;
    this.fill = new THREE.DirectionalLight(0xffffff, 0.14);
    this.scene.add(this.sky, this.sun, this.sun.target, this.fill);
  }

  // No graphics card draws: shadows take most of the time.
  static isSoftware(gl) {
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    return !!info && /swiftshader|llvmpipe|softpipe|software/i.test(gl.getParameter(info.UNMASKED_RENDERER_WEBGL));
  }
  // Another run: what was hidden, faded or traced is so again. True where all objects stay, as its shapes are
  // those that are there.
  take(data) {
    const before = this.model, ofName = new Map();
    if (before && before.adopt(data)) {
      this.takePlace(data.model);
      return true;
    }
    this.model = new ModelScene(data);
    this.scene.add(this.model.root);
    for (const f of data.model.traced) this.trace(f);
    if (before) {
      const key = (m, i) => m.data.model.components[i.data.component].name + ' ' + i.data.name;
      for (const i of before.items) ofName.set(key(before, i), i);
      for (const i of this.model.items) {
        const o = ofName.get(key(this.model, i));
        if (o && o.hidden) this.model.setHidden(i, true);
        if (o && o.faded !== 1) this.model.fade(i, o.faded);
      }
      for (const f of before.traces.keys()) {
        const k = this.model.frameOf(before.nameOf(f));
        if (k >= 0 && !this.model.traces.has(k)) this.trace(k);
      }
      for (const r of before.rulers) this.measure(before.nameOf(r.from), before.nameOf(r.to));
      this.leave(before);
    }
    this.takePlace(data.model);
    return false;
  }
  // How large all is, and the floor and lights for it.
  takePlace(model) {
    const place = JSON.stringify([model.up, model.lowest, model.highest]);
    if (place === this.place) return;
    this.place = place;
    this.orbit.take(model);
    const {up} = this.orbit, {right, front} = this.orbit.across();
    this.sky.position.copy(up);
    this.fill.position.copy(front).addScaledVector(right, -1);
    if (this.floor) {
      this.scene.remove(this.floor.root);
      this.floor.dispose();
    }
    this.addFloor(up, right, front);
  }
  leave(model) {
    this.scene.remove(model.root);
    model.dispose();
  }
  // Runs that are shown pale besides.
  setGhosts(list) {
    for (const g of this.ghosts) this.leave(g);
    this.ghosts = list.map(data => {
      const g = new ModelScene(data);
      g.turnPale();
      this.scene.add(g.root);
      return g;
    });
  }
  trace(frame) {
    this.model.toggleTrace(frame, palette[this.model.traces.size % palette.length]);
  }

  // From one frame to another, by their names, or no more.
  measure(...names) {
    const {model} = this, [from, to] = names.map(n => model.frameOf(n));
    if (!names.every(n => n === 'world' || model.frameOf(n) >= 0)) return;
    const old = model.rulers.find(r => (r.from === from && r.to === to) || (r.from === to && r.to === from));
    if (old) old.remove();
    else new Ruler(model, from, to, palette[(3 + model.rulers.length) % palette.length]);
  }

  // The sun stands above what a view shows, so that shadows are as fine as that is large.
  placeSun(shift) {
    const {orbit, sun} = this, {low, high} = orbit.near || orbit, size = Math.max(low.distanceTo(high) * (orbit.near ? 1.5 : 1), 1e-9);
    const {right, front} = orbit.across(), c = sun.shadow.camera, reach = size * 0.75;
    sun.target.position.copy(low).add(high).multiplyScalar(0.5).add(shift);
    sun.position.copy(sun.target.position).addScaledVector(orbit.up, 1.5 * size).addScaledVector(right, 0.7 * size).addScaledVector(front, 0.5 * size);
    if (c.right === reach) return;
    c.left = c.bottom = -reach;
    c.right = c.top = reach;
    c.near = 0.01 * size;
    c.far = 4 * size;
    c.updateProjectionMatrix();
  }

  // A grid below everything, that takes the shadows.
  addFloor(up, right, front) {
    const {orbit} = this, corners = [], p = new THREE.Vector3();
    for (let c = 0; c < 8; ++c) {
      p.set(c & 1 ? orbit.low.x : orbit.high.x, c & 2 ? orbit.low.y : orbit.high.y, c & 4 ? orbit.low.z : orbit.high.z);
      corners.push({h: p.dot(up), u: p.dot(right), v: p.dot(front)});
    }
    const range = k => [Math.min(...corners.map(c => c[k])), Math.max(...corners.map(c => c[k]))];
    const [bottom] = range('h'), [u0, u1] = range('u'), [v0, v1] = range('v');
    const raw = orbit.size / 12, power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 5, 10].map(f => f * power).find(x => x >= raw);
    const margin = orbit.size * 0.25, at = (x, d) => (d < 0 ? Math.floor : Math.ceil)(x / step) * step;
    const a0 = at(u0 - margin, -1), a1 = at(u1 + margin, 1), b0 = at(v0 - margin, -1), b1 = at(v1 + margin, 1);
    const place = (u, v) => up.clone().multiplyScalar(bottom - 0.004 * orbit.size).addScaledVector(right, u).addScaledVector(front, v);
    const lines = [];
    for (let k = Math.round(a0 / step); k <= Math.round(a1 / step); ++k) lines.push(place(k * step, b0), place(k * step, b1));
    for (let k = Math.round(b0 / step); k <= Math.round(b1 / step); ++k) lines.push(place(a0, k * step), place(a1, k * step));
    const grid = new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(lines), new THREE.LineBasicMaterial({transparent: true, depthWrite: false}));
    const floor = new THREE.Mesh(new THREE.PlaneBufferGeometry(a1 - a0, b1 - b0), new THREE.ShadowMaterial({opacity: 0.2, depthWrite: false}));
    floor.position.copy(place((a0 + a1) / 2, (b0 + b1) / 2).addScaledVector(up, -0.001 * orbit.size));
    const m = new THREE.Matrix4().makeBasis(right, front.clone().negate(), up);
    floor.quaternion.setFromRotationMatrix(m);
    floor.receiveShadow = true;
    this.floor = {grid, root: new THREE.Group(), dispose() { for (const o of [grid, floor]) { o.geometry.dispose(); o.material.dispose(); } }};
    this.floor.root.add(floor, grid);
    this.scene.add(this.floor.root);
  }
  setDark(dark) {
    if (!this.floor) return;
    this.floor.grid.material.color.set(dark ? 0x55606c : 0xaab4bf);
    this.floor.grid.material.opacity = 0.5;
    for (const i of this.model.items) this.glow(i, 0);
  }
  // What is black would not be seen in the dark.
  glow(i, color) {
    const v = i.color.values, black = !i.ofPoints && v[0] + v[1] + v[2] < 60 && document.body.classList.contains('dark');
    if (i.object.material.emissive) i.object.material.emissive.setHex(color || (black ? 0x777777 : 0));
  }

  // The view goes with the frame from here on, at a time.
  follow(frame, t) {
    const before = this.shift(t);
    this.followed = frame;
    this.orbit.target.add(before).sub(this.shift(t));
    this.orbit.near = this.aroundFollowed();
  }
  // How far the followed frame has gone.
  shift(t) {
    if (this.followed < 0) return new THREE.Vector3();
    const {row, share} = this.model.data.placeOf(t), r = this.model.frames[this.followed].r;
    const now = new THREE.Vector3().fromArray(r.at(row, share, [])), start = new THREE.Vector3().fromArray(r.at(0, 0, []));
    return now.sub(start);
  }
  // The box around all that moves, as seen from the followed frame, which is where it is at the begin.
  aroundFollowed() {
    if (this.followed < 0) return null;
    const {frames, items, times} = this.model, home = frames[this.followed].r, box = new THREE.Box3(), p = new THREE.Vector3();
    const start = new THREE.Vector3().fromArray(home.at(0, 0, []));
    const far = i => {
      const s = i.object.scale, g = i.object.geometry;
      if (!g.boundingSphere) g.computeBoundingSphere();
      return i.object.position.length() + (g.boundingSphere.center.length() + g.boundingSphere.radius) * Math.max(s.x, s.y, s.z);
    };
    for (const f of frames) {
      if (!f.r.varies && f.r !== home) continue;
      const reach = Math.max(0, ...items.filter(i => i.data.frame >= 0 && frames[i.data.frame] === f && !i.mesh.lines).map(far));
      const rows = Math.min(times.length, 50);
      for (let k = 0; k < rows; ++k) {
        const row = rows > 1 ? Math.round(k * (times.length - 1) / (rows - 1)) : 0;
        p.fromArray(f.r.at(row, 0, [])).sub(new THREE.Vector3().fromArray(home.at(row, 0, []))).add(start);
        box.expandByPoint(p.clone().addScalar(reach)).expandByPoint(p.addScalar(-reach));
      }
    }
    return box.isEmpty() || !(box.min.distanceTo(box.max) > 0) ? null : {low: box.min, high: box.max};
  }
  // The item at a point of the window, or null.
  itemAt(x, y) {
    const box = this.canvas.getBoundingClientRect(), ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((x - box.left) / box.width * 2 - 1, 1 - (y - box.top) / box.height * 2), this.orbit.camera);
    const hits = ray.intersectObjects(this.model.items.filter(i => i.object.visible).map(i => i.object));
    return hits.length ? this.model.items[hits[0].object.userData.item] : null;
  }

  // True where the canvas has another size now.
  resize() {
    const {canvas} = this;
    if (canvas.clientWidth === this.width && canvas.clientHeight === this.height) return false;
    this.width = canvas.clientWidth;
    this.height = canvas.clientHeight;
    this.renderer.setSize(this.width, this.height, false);
    this.orbit.camera.aspect = this.width / Math.max(this.height, 1);
    return true;
  }
  // `inHaste`: the next picture is about to come.
  draw(t, inHaste) {
    this.sun.castShadow = !(inHaste && this.isSlow);
    for (const m of [this.model, ...this.ghosts]) {
      const {row, share} = m.data.placeOf(t);
      m.show(row, share);
    }
    const shift = this.shift(t);
    this.orbit.place(shift, this.width, this.height);
    this.placeSun(shift);
    this.renderer.render(this.scene, this.orbit.camera);
    this.keepShaders();
  }
  // Those that nothing uses just now will be wanted again: with shadows and without, by the next run. There are
  // a few, and making one takes as long as many pictures.
  keepShaders() {
    for (const program of this.renderer.info.programs) {
      if (program.isKept) continue;
      program.isKept = true;
      ++program.usedTimes;
    }
  }
}
