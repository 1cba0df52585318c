// The page: clock and buttons, the view, what is picked, and the link to where one is.
(() => {
  const $ = id => document.getElementById(id);
  const spatial = !document.body.classList.contains('flat');
  const state = {t: first, playing: false, speed: 1, view: 'home', follow: model.followed, picked: null, dirty: true};

  $('title').textContent = model.title;
  $('description').textContent = model.description;
  $('description').title = model.description;

  // The scene, where there is one and the browser can show it.
  let three = null;
  const canvas = $('stage');
  if (spatial) {
    try {
      const renderer = new THREE.WebGLRenderer({canvas, antialias: true, alpha: true});
      renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
      renderer.shadowMap.enabled = true;
      renderer.shadowMap.type = THREE.PCFSoftShadowMap;
      three = {renderer, scene: new THREE.Scene(), model: new ModelScene()};
    } catch (error) {
      $('message').textContent = 'The 3D view needs WebGL, which this browser does not offer or has turned off; the curves work without it.';
      $('message').hidden = false;
      window.webglMissing = true;
    }
  }
  let orbit = null;
  if (three) {
    three.scene.add(three.model.root);
    orbit = new OrbitCamera(canvas, name => { state.view = name; touch(); });
    const up = orbit.up, {right, front} = orbit.across();
    three.scene.add(new THREE.HemisphereLight(0xffffff, 0xa8aeb6, 0.64));
    three.scene.children[1].position.copy(up);
    const sun = new THREE.DirectionalLight(0xffffff, 0.4), fill = new THREE.DirectionalLight(0xffffff, 0.14);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.bias = -0.0015;
    sun.shadow.radius = 2.5;
    three.sun = sun;
    fill.position.copy(front).addScaledVector(right, -1);
    three.scene.add(sun, sun.target, fill);
    addFloor(up, right, front);
    for (const f of model.traced) three.model.toggleTrace(f, palette[three.model.traces.size % palette.length]);
  }

  // The sun stands above what a view shows, so that shadows are as fine as that is large.
  function placeSun(shift) {
    const {low, high} = orbit.near || orbit, size = Math.max(low.distanceTo(high) * (orbit.near ? 1.5 : 1), 1e-9);
    const {right, front} = orbit.across(), sun = three.sun, c = sun.shadow.camera, reach = size * 0.75;
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
  function addFloor(up, right, front) {
    const corners = [], p = new THREE.Vector3();
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
    three.grid = grid;
    three.scene.add(floor, grid);
  }

  // Time ----------------------------------------------------------------------------------------
  const panels = new CurvePanels(t => { seek(t); });
  const speeds = [1 / 64, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 64, 256, 1024, 4096];
  // Chapters are shown one at a time, over and over.
  const chapters = model.chapters || [];
  let begin = first, end = last;
  function choose(k) {
    if (!chapters[k]) return;
    begin = chapters[k].from;
    end = chapters[k].to;
    $('chapter').value = k;
    $('scrub').min = begin;
    $('scrub').max = end;
    state.since = null;
    seek(begin);
  }
  const chapterOf = t => chapters.findIndex(c => t >= c.from && t <= c.to);
  chapters.forEach((c, k) => {
    const o = document.createElement('option');
    o.value = k;
    o.textContent = c.name;
    $('chapter').append(o);
  });
  $('chapters').hidden = $('chapter-keys').hidden = !chapters.length;
  $('chapter').onchange = () => { choose(+$('chapter').value); play(true); };
  const duration = chapters.length ? chapters[0].to - chapters[0].from : last - first;
  state.speed = speeds.reduce((best, s) => {
    const far = x => Math.abs(Math.log(Math.max(duration, 1e-9) / x / (duration / x < 2 ? 2 : duration / x > 30 ? 30 : duration / x)));
    return far(s) < far(best) - 1e-9 || (far(s) < far(best) + 1e-9 && Math.abs(Math.log(s)) < Math.abs(Math.log(best))) ? s : best;
  }, 1);
  for (const s of speeds) {
    const o = document.createElement('option');
    o.value = s;
    o.textContent = s < 1 ? '1/' + Math.round(1 / s) : s + '\u00d7';
    $('speed').append(o);
  }
  const showSpeed = () => { $('speed').value = state.speed; };
  $('speed').onchange = () => { state.speed = +$('speed').value; };
  const decimals = duration > 0 ? Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(duration)))) : 3;
  $('scrub').min = first;
  $('scrub').max = last;
  for (const t of model.events) {
    const tick = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    const x = duration > 0 ? 1000 * (t - first) / duration : 0;
    tick.setAttribute('d', 'M' + x + ' 0V10');
    tick.setAttribute('stroke', '#d1495b');
    tick.setAttribute('stroke-width', '2');
    $('events').append(tick);
  }

  function touch() { state.dirty = true; }
  function seek(t) {
    state.t = Math.min(end, Math.max(begin, t));
    touch();
  }
  function play(on) {
    state.playing = on;
    if (on && state.t >= end) seek(begin);
    $('play').innerHTML = on ? '&#10074;&#10074;' : '&#9654;';
    $('play').setAttribute('aria-label', on ? 'pause' : 'play');
    state.since = null;
    touch();
  }
  function step(n) {
    play(false);
    let {row, share} = placeOf(state.t);
    let to = row + n;
    if (n < 0 && share > 0) ++to;
    to = Math.max(0, Math.min(times.length - 1, to));
    // Two rows of one time are one place.
    while (n > 0 && to < times.length - 1 && times[to] <= state.t) ++to;
    while (n < 0 && to > 0 && times[to] >= state.t) --to;
    seek(times[to]);
  }
  function faster(n) {
    const i = speeds.indexOf(state.speed) + n;
    if (speeds[i]) state.speed = speeds[i];
    showSpeed();
  }

  // Components --------------------------------------------------------------------------------
  const rowsOf = [];
  function buildList() {
    const list = $('list');
    const byComponent = model.components.map(() => []);
    three.model.items.forEach(i => byComponent[i.data.component].push(i));
    model.components.forEach((c, k) => {
      const label = document.createElement('label'), box = document.createElement('input'), name = document.createElement('span'), swatch = document.createElement('span');
      box.type = 'checkbox';
      box.checked = true;
      box.onchange = () => {
        byComponent[k].forEach(i => three.model.setHidden(i, !box.checked));
        touch();
      };
      swatch.className = 'swatch';
      const v = byComponent[k][0].color.values;
      swatch.style.background = 'rgb(' + [v[0], v[1], v[2]].map(Math.round).join(',') + ')';
      name.className = 'name';
      name.textContent = c.name;
      name.title = c.type;
      name.onclick = e => { e.preventDefault(); pick(byComponent[k][0]); };
      label.append(box, swatch, name);
      list.append(label);
      rowsOf.push({box, name, items: byComponent[k]});
    });
  }
  // What is black would not be seen in the dark.
  function glow(i, color) {
    const v = i.color.values, black = !i.ofPoints && v[0] + v[1] + v[2] < 60 && document.body.classList.contains('dark');
    if (i.object.material.emissive) i.object.material.emissive.setHex(color || (black ? 0x777777 : 0));
  }
  function pick(item) {
    if (state.picked) for (const i of rowsOf[state.picked.data.component].items) glow(i, 0);
    rowsOf.forEach(r => r.name.classList.remove('picked'));
    state.picked = item;
    $('info').hidden = !item;
    touch();
    if (!item) return;
    const c = model.components[item.data.component], row = rowsOf[item.data.component];
    row.name.classList.add('picked');
    for (const i of row.items) glow(i, 0x1d3c5c);
    const frame = item.data.frame < 0 ? 'world' : model.frames[item.data.frame].name;
    const info = $('info');
    info.textContent = '';
    const add = (tag, text, to) => {
      const e = document.createElement(tag);
      if (text !== undefined) e.textContent = text;
      (to || info).append(e);
      return e;
    };
    add('h2', c.name + ' : ' + c.type);
    add('div', 'shape ' + item.data.name + ', at ' + frame);
    add('div').id = 'position';
    const buttons = add('div');
    buttons.className = 'row';
    const button = (text, f) => { const b = add('button', text, buttons); b.onclick = f; return b; };
    button('hide', hidePicked);
    if (item.data.frame >= 0) {
      button('follow', followPicked).classList.toggle('on', state.follow === item.data.frame);
      button('trace', tracePicked).classList.toggle('on', three.model.traces.has(item.data.frame));
    }
    const fade = add('div');
    fade.className = 'row';
    add('span', 'transparency', fade);
    const slider = add('input', undefined, fade);
    slider.type = 'range';
    slider.min = 0;
    slider.max = 0.95;
    slider.step = 0.05;
    slider.value = 1 - item.faded;
    slider.setAttribute('aria-label', 'transparency');
    slider.oninput = () => { row.items.forEach(i => three.model.fade(i, 1 - slider.value)); touch(); };
    const table = add('table');
    for (const [name, value] of c.parameters) {
      const tr = add('tr', undefined, table);
      add('td', name, tr);
      add('td', value, tr);
    }
  }
  function hidePicked() {
    if (!state.picked) return;
    const row = rowsOf[state.picked.data.component];
    row.box.checked = false;
    row.box.onchange();
    pick(null);
  }
  function showAll() {
    for (const r of rowsOf) { r.box.checked = true; r.box.onchange(); }
  }
  function followPicked() {
    if (!state.picked || state.picked.data.frame < 0) return;
    follow(state.follow === state.picked.data.frame ? -1 : state.picked.data.frame);
    pick(state.picked);
  }
  // The view goes with the frame from here on.
  function follow(frame) {
    const before = shiftOf(state.follow), after = shiftOf(frame);
    orbit.target.add(before).sub(after);
    state.follow = frame;
    orbit.near = aroundFollowed();
    if (state.view) orbit.view(state.view);
    touch();
  }
  // The box around all that moves, as seen from the followed frame, which is where it is at the begin.
  function aroundFollowed() {
    if (state.follow < 0) return null;
    const home = three.model.frames[state.follow].r, box = new THREE.Box3(), p = new THREE.Vector3();
    const start = new THREE.Vector3().fromArray(home.at(0, 0, []));
    const far = i => {
      const s = i.object.scale, g = i.object.geometry;
      if (!g.boundingSphere) g.computeBoundingSphere();
      return i.object.position.length() + (g.boundingSphere.center.length() + g.boundingSphere.radius) * Math.max(s.x, s.y, s.z);
    };
    for (const f of three.model.frames) {
      if (!f.r.varies && f.r !== home) continue;
      const reach = Math.max(0, ...three.model.items.filter(i => i.data.frame >= 0 && three.model.frames[i.data.frame] === f && !i.mesh.lines).map(far));
      const rows = Math.min(times.length, 50);
      for (let k = 0; k < rows; ++k) {
        const row = rows > 1 ? Math.round(k * (times.length - 1) / (rows - 1)) : 0;
        p.fromArray(f.r.at(row, 0, [])).sub(new THREE.Vector3().fromArray(home.at(row, 0, []))).add(start);
        box.expandByPoint(p.clone().addScalar(reach)).expandByPoint(p.addScalar(-reach));
      }
    }
    return box.isEmpty() || !(box.min.distanceTo(box.max) > 0) ? null : {low: box.min, high: box.max};
  }
  function shiftOf(frame) {
    if (frame < 0) return new THREE.Vector3();
    const {row, share} = placeOf(state.t), r = three.model.frames[frame].r;
    const now = new THREE.Vector3().fromArray(r.at(row, share, [])), start = new THREE.Vector3().fromArray(r.at(0, 0, []));
    return now.sub(start);
  }
  function tracePicked() {
    if (!state.picked || state.picked.data.frame < 0) return;
    three.model.toggleTrace(state.picked.data.frame, palette[three.model.traces.size % palette.length]);
    pick(state.picked);
  }
  function pickAt(x, y) {
    const box = canvas.getBoundingClientRect(), ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((x - box.left) / box.width * 2 - 1, 1 - (y - box.top) / box.height * 2), orbit.camera);
    const hits = ray.intersectObjects(three.model.items.filter(i => i.object.visible).map(i => i.object));
    pick(hits.length ? three.model.items[hits[0].object.userData.item] : null);
  }

  // Light or dark, panels, keys -------------------------------------------------------------------
  function theme(dark) {
    document.body.classList.toggle('dark', dark);
    $('theme').textContent = dark ? 'light' : 'dark';
    if (three) {
      three.grid.material.color.set(dark ? 0x55606c : 0xaab4bf);
      three.grid.material.opacity = 0.5;
      for (const i of three.model.items) glow(i, 0);
    }
    panels.recolor();
    touch();
  }
  const toggle = (panel, button) => {
    $(panel).hidden = !$(panel).hidden;
    $(button).classList.toggle('on', !$(panel).hidden);
    panels.forget();
    touch();
  };
  $('play').onclick = () => play(!state.playing);
  $('back').onclick = () => step(-1);
  $('on').onclick = () => step(1);
  $('scrub').oninput = () => { play(false); seek(+$('scrub').value); };
  $('theme').onclick = () => theme(!document.body.classList.contains('dark'));
  $('list-button').onclick = () => toggle('list', 'list-button');
  $('curves-button').onclick = () => {
    if (!curves.length) return;
    toggle('curves', 'curves-button');
    if (!$('curves').hidden && !curves.some(c => c.shown)) panels.show(curves[0]);
  };
  $('help-button').onclick = () => toggle('help', 'help-button');
  for (const b of document.querySelectorAll('[data-view]')) b.onclick = () => { if (orbit) orbit.view(b.dataset.view); };
  if (three) {
    canvas.addEventListener('click', e => { if (!orbit.moved) pickAt(e.clientX, e.clientY); canvas.focus(); });
    canvas.addEventListener('dblclick', () => orbit.view('home'));
  }
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || (e.target.tagName === 'SELECT')) return;
    const views = {1: 'x', 2: 'y', 3: 'z', 4: 'iso', 0: 'home'};
    const actions = {
      ' ': () => play(!state.playing),
      ArrowLeft: () => step(e.shiftKey ? -10 : -1), ArrowRight: () => step(e.shiftKey ? 10 : 1),
      Home: () => { play(false); seek(begin); }, End: () => { play(false); seek(end); },
      m: () => choose(+$('chapter').value + 1), M: () => choose(+$('chapter').value - 1),
      '+': () => faster(1), '-': () => faster(-1), '=': () => faster(1),
      d: () => $('theme').onclick(), p: () => $('curves-button').onclick(), '?': () => $('help-button').onclick(),
    };
    if (three) {
      Object.assign(actions, {c: () => $('list-button').onclick(), f: followPicked, t: tracePicked, h: hidePicked, H: showAll, Escape: () => pick(null)});
      if (views[e.key]) actions[e.key] = () => orbit.view(views[e.key]);
    }
    const f = actions[e.key];
    if (!f) return;
    e.preventDefault();
    f();
  });

  // The link: #t=1.25&view=iso
  function readLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    if (link.has('theme')) theme(link.get('theme') === 'dark');
    if (link.has('view') && orbit && ['x', 'y', 'z', 'iso', 'home'].includes(link.get('view'))) orbit.view(link.get('view'));
    if (link.has('t') && isFinite(+link.get('t'))) { play(false); choose(chapterOf(+link.get('t'))); seek(+link.get('t')); }
    if (link.has('play')) play(link.get('play') !== '0');
    const speed = +link.get('speed');
    if (speeds.includes(speed)) { state.speed = speed; showSpeed(); }
    const frame = model.frames.findIndex(f => f.name === link.get('follow'));
    if (three && frame >= 0) follow(frame);
    if (link.has('curves') && $('curves').hidden === (link.get('curves') !== '0')) $('curves-button').onclick();
    if (link.has('list') && three && $('list').hidden) $('list-button').onclick();
  }
  function writeLink() {
    const link = 't=' + +state.t.toFixed(decimals + 3) + (state.view ? '&view=' + state.view : '');
    if (location.hash.slice(1) !== link) {
      try { history.replaceState(null, '', '#' + link); } catch (e) { /* not from every place */ }
    }
  }

  // The loop ----------------------------------------------------------------------------------
  let width = 0, height = 0;
  function draw() {
    const {row, share} = placeOf(state.t);
    $('scrub').value = state.t;
    $('clock').textContent = chapters.length ? Math.round(360 * (state.t - begin) / (end - begin)) + '\u00b0' : 't = ' + state.t.toFixed(decimals) + ' s';
    panels.draw(state.t);
    if (!three) return;
    three.model.show(row, share);
    for (const b of document.querySelectorAll('[data-view]')) b.classList.toggle('on', b.dataset.view === state.view);
    const shift = shiftOf(state.follow);
    orbit.place(shift, width, height);
    placeSun(shift);
    if (state.picked && $('position')) {
      const p = state.picked.data.frame < 0 ? [0, 0, 0] : three.model.frames[state.picked.data.frame].r.at(row, share, []);
      $('position').textContent = 'frame at (' + p.map(formatNumber).join(', ') + ') m';
    }
    three.renderer.render(three.scene, orbit.camera);
  }
  function resize() {
    if (three && (canvas.clientWidth !== width || canvas.clientHeight !== height)) {
      width = canvas.clientWidth;
      height = canvas.clientHeight;
      three.renderer.setSize(width, height, false);
      const named = state.view;
      orbit.camera.aspect = width / Math.max(height, 1);
      if (named) orbit.view(named);
      touch();
    }
  }
  let paused = 0;
  function loop(now) {
    resize();
    if (state.playing) {
      if (state.since === null) state.since = {now, t: state.t, speed: state.speed, shown: now};
      if (state.since.speed !== state.speed) state.since = {now, t: state.t, speed: state.speed, shown: now};
      const t = state.since.t + (now - state.since.now) / 1000 * state.speed;
      const real = (now - state.since.now) / 1000;
      if (!chapters.length && real > 0.2 && now - state.since.shown > 200) {
        $('real').textContent = formatNumber(+((t - state.since.t) / real).toPrecision(3)) + '\u00d7 real time';
        state.since.shown = now;
      }
      seek(t >= end ? begin : t);
      if (t >= end) state.since = null;
    }
    if (state.dirty) {
      state.dirty = false;
      draw();
      paused = now;
    } else if (!state.playing && paused && now - paused > 300) {
      paused = 0;
      writeLink();
    }
    requestAnimationFrame(loop);
  }
  window.addEventListener('resize', () => { panels.forget(); touch(); });
  window.addEventListener('hashchange', readLink);

  if (three) buildList();
  showSpeed();
  theme(window.matchMedia && matchMedia('(prefers-color-scheme: dark)').matches);
  if (curves.some(c => c.shown) || !spatial) toggle('curves', 'curves-button');
  if (!curves.length) $('curves-button').hidden = true;
  const bar = !spatial && !(duration > 0);
  if (bar) document.querySelector('footer').hidden = true;
  choose(0);
  if (orbit) {
    resize();
    orbit.near = aroundFollowed();
    orbit.view('home');
  }
  readLink();
  // For tests.
  window.cardan = {state, seek, play, step, pick, three, orbit, model, placeOf, panels, choose};
  requestAnimationFrame(loop);
})();
