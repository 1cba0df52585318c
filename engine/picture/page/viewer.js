// Viewer: a run with its clock, buttons, keys, scene and curves. Another run may take its place, and finds the
// view, the time and what is hidden as they were.
const byId = id => document.getElementById(id);

class Viewer {
  constructor() {
    this.state = {t: 0, playing: false, speed: 1, forces: false, view: 'home', since: null, dirty: false};
    this.isBusy = false;  // a run is being made, and takes what the machine can do
    this.spatial = !document.body.classList.contains('flat');
    this.data = null;
    this.begin = this.end = this.paused = this.hasteUntil = this.lastScene = 0;
    // Of whoever uses it.
    this.onpick = this.onparameter = this.ontheme = this.ondraw = () => {};
    this.three = this.list = this.orbit = null;
    if (this.spatial) this.openStage();
    this.panels = new CurvePanels(t => { this.seek(t); });
    for (const s of Viewer.speeds) {
      const o = document.createElement('option');
      o.value = s;
      o.textContent = s < 1 ? '1/' + Math.round(1 / s) : s + '\u00d7';
      byId('speed').append(o);
    }
    this.connectButtons();
    document.addEventListener('keydown', e => this.key(e));
    window.addEventListener('resize', () => { this.panels.forget(); this.touch(); });
    this.theme(window.matchMedia && matchMedia('(prefers-color-scheme: dark)').matches);
    requestAnimationFrame(now => this.loop(now));
  }
  openStage() {
    try {
      this.three = new Stage(byId('stage'), name => { this.state.view = name; this.touch(); });
    } catch (error) {
      byId('message').textContent = 'The 3D view needs WebGL, which this browser does not offer or has turned off; the curves work without it.';
      byId('message').hidden = false;
      window.webglMissing = true;
      return;
    }
    this.orbit = this.three.orbit;
    this.list = new ComponentList(this.three, this);
  }
  get model() { return this.data.model; }
  placeOf(t) { return this.data.placeOf(t); }

  // Shows a run. `fresh`: it has nothing to do with the one before, if there was one.
  take(data, fresh = !this.data) {
    const {state, three, orbit} = this, {model} = data, followed = three && three.followed >= 0 ? three.model.frames[three.followed].name : '';
    this.data = data;
    byId('title').textContent = model.title;
    byId('description').textContent = model.description;
    byId('description').title = model.description;
    if (three) {
      const stays = three.take(data);
      three.followed = fresh ? model.followed : three.model.frames.findIndex(f => f.name === followed);
      if (stays) this.list.refresh();
      else {
        three.setDark(document.body.classList.contains('dark'));
        this.list.take();
      }
      three.model.showForces(this.state.forces);
      byId('force-keys').hidden = !three.model.forces.length;
    }
    this.takeTimes(fresh);
    this.takeCurves(fresh && (data.curves.some(c => c.shown) || !this.spatial));
    if (orbit) {
      three.resize();
      orbit.near = three.aroundFollowed();
      if (fresh) orbit.view('home');
      else if (state.view) orbit.view(state.view);
    }
    this.hasteUntil = fresh ? 0 : performance.now() + 400;
    // Curves are seen a frame before the scene, which may take longer; not twice in a row.
    state.dirty = state.dirty === 'curves' ? true : 'curves';
  }
  takeCurves(open) {
    const {curves} = this.data;
    byId('curves').classList.toggle('none', !curves.length);
    this.panels.take(this.data);
    if (open && curves.length && byId('curves').hidden) this.toggle('curves', 'curves-button');
    byId('curves-button').hidden = !curves.length;
    this.touch();
  }
  // Other runs, pale: {data, dash}.
  setGhosts(list) {
    this.panels.ghosts = list;
    this.panels.forget();
    if (this.three) this.three.setGhosts(list.filter(g => g.data.model.items.length && g.inScene !== false).map(g => g.data));
    this.touch();
  }

  // Time ----------------------------------------------------------------------------------------
  takeTimes(fresh) {
    const {state} = this, {first, last, model} = this.data, chapters = this.chapters;
    this.duration = chapters.length ? chapters[0].to - chapters[0].from : last - first;
    this.decimals = this.duration > 0 ? Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(this.duration)))) : 3;
    if (fresh) state.speed = this.fittingSpeed();
    byId('speed').value = state.speed;
    this.begin = byId('scrub').min = first;
    this.end = byId('scrub').max = last;
    const ticks = document.createElementNS('http://www.w3.org/2000/svg', 'path'), across = t => this.duration > 0 ? 1000 * (t - first) / this.duration : 0;
    ticks.setAttribute('d', model.events.map(t => 'M' + across(t) + ' 0V10').join(''));
    ticks.setAttribute('stroke', '#d1495b');
    ticks.setAttribute('stroke-width', '2');
    byId('events').replaceChildren(ticks);
    byId('chapter').textContent = '';
    chapters.forEach((c, k) => {
      const o = document.createElement('option');
      o.value = k;
      o.textContent = c.name;
      byId('chapter').append(o);
    });
    byId('chapters').hidden = byId('chapter-keys').hidden = !chapters.length;
    document.querySelector('footer').hidden = !this.spatial && !(this.duration > 0);
    if (fresh) this.seek(first);
    this.choose(fresh ? 0 : Math.max(0, this.chapterOf(state.t)));
    if (!fresh) this.seek(state.t);
  }
  // Chapters are shown one at a time, over and over.
  get chapters() { return this.data.model.chapters || []; }
  choose(k) {
    const c = this.chapters[k];
    if (!c) return;
    this.begin = byId('scrub').min = c.from;
    this.end = byId('scrub').max = c.to;
    byId('chapter').value = k;
    this.state.since = null;
    this.seek(this.begin);
  }
  chapterOf(t) { return this.chapters.findIndex(c => t >= c.from && t <= c.to); }
  // Of all the one at which a run takes 2 to 30 s.
  fittingSpeed() {
    const {duration} = this;
    return Viewer.speeds.reduce((best, s) => {
      const far = x => Math.abs(Math.log(Math.max(duration, 1e-9) / x / (duration / x < 2 ? 2 : duration / x > 30 ? 30 : duration / x)));
      return far(s) < far(best) - 1e-9 || (far(s) < far(best) + 1e-9 && Math.abs(Math.log(s)) < Math.abs(Math.log(best))) ? s : best;
    }, 1);
  }
  touch() { this.state.dirty = this.state.dirty || true; }
  seek(t) {
    this.state.t = Math.min(this.end, Math.max(this.begin, t));
    this.touch();
  }
  play(on) {
    const {state} = this;
    state.playing = on;
    if (on && state.t >= this.end) this.seek(this.begin);
    byId('play').textContent = on ? '\u275a\u275a' : '\u25b6';
    byId('play').setAttribute('aria-label', on ? 'pause' : 'play');
    state.since = null;
    this.touch();
  }
  step(n) {
    this.play(false);
    const {times} = this.data, {t} = this.state;
    const {row, share} = this.placeOf(t);
    let to = row + n;
    if (n < 0 && share > 0) ++to;
    to = Math.max(0, Math.min(times.length - 1, to));
    // Two rows of one time are one place.
    while (n > 0 && to < times.length - 1 && times[to] <= t) ++to;
    while (n < 0 && to > 0 && times[to] >= t) --to;
    this.seek(times[to]);
  }
  faster(n) {
    const i = Viewer.speeds.indexOf(this.state.speed) + n;
    if (Viewer.speeds[i]) this.state.speed = Viewer.speeds[i];
    byId('speed').value = this.state.speed;
  }

  // Light or dark, panels, keys -------------------------------------------------------------------
  pick(item) { this.list.pick(item); }
  follow(frame) {
    this.three.follow(frame, this.state.t);
    if (this.state.view) this.orbit.view(this.state.view);
    this.touch();
  }
  theme(dark) {
    document.body.classList.toggle('dark', dark);
    byId('theme').textContent = dark ? 'light' : 'dark';
    if (this.three) this.three.setDark(dark);
    this.panels.recolor();
    this.ontheme(dark);
    this.touch();
  }
  toggleForces() {
    this.state.forces = !this.state.forces;
    this.three.model.showForces(this.state.forces);
    this.touch();
  }
  toggle(panel, button) {
    byId(panel).hidden = !byId(panel).hidden;
    byId(button).classList.toggle('on', !byId(panel).hidden);
    this.panels.forget();
    this.touch();
  }
  toggleCurves() {
    const {panels} = this;
    if (!panels.curves.length) return;
    this.toggle('curves', 'curves-button');
    if (!byId('curves').hidden && !panels.curves.some(c => c.shown)) panels.show(panels.curves[0]);
  }
  connectButtons() {
    const {three, orbit} = this, canvas = byId('stage');
    byId('play').onclick = () => this.play(!this.state.playing);
    byId('back').onclick = () => this.step(-1);
    byId('on').onclick = () => this.step(1);
    byId('scrub').oninput = () => { this.play(false); this.seek(+byId('scrub').value); };
    byId('speed').onchange = () => { this.state.speed = +byId('speed').value; };
    byId('chapter').onchange = () => { this.choose(+byId('chapter').value); this.play(true); };
    byId('theme').onclick = () => this.theme(!document.body.classList.contains('dark'));
    byId('list-button').onclick = () => this.toggle('list', 'list-button');
    byId('curves-button').onclick = () => this.toggleCurves();
    byId('help-button').onclick = () => this.toggle('help', 'help-button');
    if (!three) return;
    for (const b of document.querySelectorAll('[data-view]')) b.onclick = () => orbit.view(b.dataset.view);
    canvas.addEventListener('click', e => {
      if (!orbit.moved && this.data) this.list.pick(three.itemAt(e.clientX, e.clientY), true);
      canvas.focus();
    });
    canvas.addEventListener('dblclick', () => orbit.view('home'));
  }
  key(e) {
    if (!this.data || e.ctrlKey || e.metaKey || e.altKey || e.target.closest('select, textarea, input:not([type=range]):not([type=checkbox]), dialog')) return;
    const {state} = this, views = {1: 'x', 2: 'y', 3: 'z', 4: 'iso', 0: 'home'};
    const actions = {
      ' ': () => this.play(!state.playing),
      ArrowLeft: () => this.step(e.shiftKey ? -10 : -1), ArrowRight: () => this.step(e.shiftKey ? 10 : 1),
      Home: () => { this.play(false); this.seek(this.begin); }, End: () => { this.play(false); this.seek(this.end); },
      m: () => this.choose(+byId('chapter').value + 1), M: () => this.choose(+byId('chapter').value - 1),
      '+': () => this.faster(1), '-': () => this.faster(-1), '=': () => this.faster(1),
      d: () => byId('theme').onclick(), p: () => this.toggleCurves(), '?': () => byId('help-button').onclick(),
    };
    if (this.three) {
      const {list} = this;
      Object.assign(actions, {c: () => byId('list-button').onclick(), f: () => list.followPicked(), t: () => list.tracePicked(), r: () => list.measurePicked(), v: () => this.toggleForces(),
        h: () => list.hidePicked(), H: () => list.showAll(), Escape: () => list.pick(null)});
      if (views[e.key]) actions[e.key] = () => this.orbit.view(views[e.key]);
    }
    const f = actions[e.key];
    if (!f) return;
    e.preventDefault();
    f();
  }

  // The loop ----------------------------------------------------------------------------------
  // `all`: the scene, too.
  draw(all = true) {
    const {state, three} = this, {t} = state;
    byId('scrub').value = t;
    byId('clock').textContent = this.chapters.length ? Math.round(360 * (t - this.begin) / (this.end - this.begin)) + '\u00b0' : 't = ' + t.toFixed(this.decimals) + ' s';
    this.panels.draw(t);
    if (three && all) {
      for (const b of document.querySelectorAll('[data-view]')) b.classList.toggle('on', b.dataset.view === state.view);
      const now = performance.now(), inHaste = this.isBusy || this.hasteUntil > now;
      if (inHaste) this.hasteUntil = Math.max(this.hasteUntil, now);  // drawn again once there is time
      three.draw(t, inHaste);
      this.list.showPosition(t);
    }
    this.ondraw(all);
  }
  advance(now) {
    const {state} = this;
    if (state.since === null || state.since.speed !== state.speed) state.since = {now, t: state.t, speed: state.speed, shown: now};
    const {since} = state, t = since.t + (now - since.now) / 1000 * state.speed, real = (now - since.now) / 1000;
    if (!this.chapters.length && real > 0.2 && now - since.shown > 200) {
      byId('real').textContent = formatNumber(+((t - since.t) / real).toPrecision(3)) + '\u00d7 real time';
      since.shown = now;
    }
    this.seek(t >= this.end ? this.begin : t);
    if (t >= this.end) state.since = null;
  }
  waitsWithScene(now) {
    return !!this.three && this.three.isSlow && (this.isBusy || now < this.hasteUntil) && now - this.lastScene < 200;
  }
  loop(now) {
    const {state} = this;
    if (this.data) {
      if (this.three && this.three.resize()) {
        if (state.view) this.orbit.view(state.view);
        this.touch();
      }
      if (state.playing) this.advance(now);
      if (state.dirty === true && this.waitsWithScene(now)) {
        // Without a graphics card the scene would keep everything else waiting.
      } else if (state.dirty) {
        const all = state.dirty === true;
        if (all) this.lastScene = now;
        state.dirty = !all;
        this.draw(all);
        this.paused = now;
      } else if (this.hasteUntil && this.hasteUntil < now && !this.isBusy) {
        this.hasteUntil = 0;
        this.touch();
      } else if (!state.playing && this.paused && now - this.paused > 300) {
        this.paused = 0;
        if (this.onpause) this.onpause();
      }
    }
    requestAnimationFrame(later => this.loop(later));
  }
}
Viewer.speeds = [1 / 64, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 64, 256, 1024, 4096];
