// Curves: panels of curves over time, one a unit, with a common cursor.
const palette = ['#0067c5', '#d1495b', '#2a9d5c', '#e08e0b', '#7b4fc9', '#00a0b0', '#8a5a2b', '#c43fa0', '#5a6b7b', '#9aa800'];

// The same on dark ground.
const paletteOnDark = ['#58a6ff', '#ff7b86', '#4cc38a', '#f0a63a', '#a98be8', '#3cc6d4', '#c79565', '#e878c8', '#9aaabb', '#c3d23c'];

class CurvePanels {
  constructor(seek) {
    this.seek = seek;
    this.panels = [];
    this.holder = document.getElementById('panels');
    this.curves = [];
    this.ghosts = [];  // other runs, whose curves of the same names are drawn pale
    this.first = this.last = 0;
  }
  // Curves of a run. Those that are shown stay so, in their colours; `open`: of new ones, those that the run
  // asks for are shown.
  take(data, open = true) {
    const before = new Map(this.curves.map(c => [c.name, c]));
    const same = before.size === data.curves.length && data.curves.every((c, k) => this.curves[k].name === c.name);
    this.first = data.first;
    this.last = data.last;
    this.curves = data.curves;
    for (const c of this.curves) {
      const old = before.get(c.name);
      c.slot = old ? old.slot : -1;
      c.shown = old ? old.shown : open && !!c.shown;
      if (same) this.attach(c, old.chip);
    }
    if (!same) this.makeChips();
    this.build();
  }
  attach(c, chip) {
    c.chip = chip;
    chip.onclick = () => {
      c.shown = !c.shown;
      this.build();
    };
  }
  makeChips() {
    const chips = document.getElementById('chips');
    chips.textContent = '';
    this.curves.forEach(c => {
      const b = document.createElement('button');
      b.textContent = c.name;
      b.title = (c.description || c.name) + (c.unit && c.unit !== '1' ? ' [' + c.unit + ']' : '');
      this.attach(c, b);
      chips.append(b);
    });
  }
  build() {
    const groups = new Map();
    const canvases = this.panels.map(p => p.canvas);
    for (const c of this.curves) {
      c.chip.classList.toggle('shown', !!c.shown);
      // Of the colours that are free the first one.
      if (!c.shown) c.slot = -1;
      else for (let k = 0; c.slot < 0; ++k) if (!this.curves.some(o => o.slot === k)) c.slot = k;
      c.chip.style.borderColor = c.shown ? this.colorOf(c) : '';
      if (!c.shown) continue;
      const key = c.panel !== undefined ? 'panel ' + c.panel : c.unit;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(c);
    }
    this.panels = [...groups.values()].map(list => {
      const canvas = canvases.shift() || document.createElement('canvas');
      if (!canvas.parentNode) this.holder.append(canvas);
      const panel = {canvas, list, image: null};
      let down = false;
      const go = e => this.seek(this.timeAt(panel, e.offsetX));
      canvas.onpointerdown = e => { down = true; canvas.setPointerCapture(e.pointerId); go(e); };
      canvas.onpointermove = e => { if (down) go(e); };
      canvas.onpointerup = canvas.onpointercancel = () => { down = false; };
      return panel;
    });
    for (const canvas of canvases) canvas.remove();
    this.draw(this.time === undefined ? this.first : this.time);
  }
  colorOf(c) {
    const colors = document.body.classList.contains('dark') ? paletteOnDark : palette;
    return colors[c.slot % colors.length];
  }
  recolor() {
    for (const c of this.curves) c.chip.style.borderColor = c.shown ? this.colorOf(c) : '';
    this.forget();
  }
  show(c) {
    c.shown = true;
    this.build();
  }
  timeAt(panel, x) {
    const {left, width} = panel;
    return this.first + (this.last - this.first) * Math.min(1, Math.max(0, (x - left) / width));
  }
  static ticks(low, high, most) {
    const raw = (high - low) / most, p = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 5, 10].map(f => f * p).find(s => s >= raw * 0.999);
    const list = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) list.push(+(k * step).toPrecision(12));
    return list;
  }
  static textOf(curve, value) {
    return curve.name + ' = ' + value + (curve.unit && curve.unit !== '1' ? ' ' + curve.unit : '');
  }
  // Where names and values stand above a panel: in as many lines as they take.
  placeNames(panel, g, left, right) {
    g.font = '11px system-ui, sans-serif';
    let x = left, line = 0;
    panel.names = panel.list.map(curve => {
      const width = g.measureText(CurvePanels.textOf(curve, '-0.000000e-00')).width + 10;
      if (x > left && x + width > right) { x = left; ++line; }
      const at = {x, y: 3 + 14 * line};
      x += width;
      return at;
    });
    return line;
  }
  // What other runs have of the names in a panel.
  paleOf(panel) {
    const list = [];
    for (const ghost of this.ghosts) {
      for (const shown of panel.list) {
        const c = ghost.data.curves.find(o => o.name === shown.name);
        if (c) list.push({name: c.name, times: c.times, values: c.values, low: c.low, high: c.high, slot: shown.slot, dash: ghost.dash, isPale: true});
      }
    }
    return list;
  }
  // All but the cursor, which moves.
  paint(panel) {
    const c = panel.canvas, ratio = devicePixelRatio || 1, W = c.clientWidth;
    c.style.height = '';
    const more = 14 * this.placeNames(panel, c.getContext('2d'), 58, W - 10);
    if (more > 0) c.style.height = c.clientHeight + more + 'px';
    const H = c.clientHeight;
    c.width = W * ratio;
    c.height = H * ratio;
    panel.image = document.createElement('canvas');
    panel.image.width = c.width;
    panel.image.height = c.height;
    const g = panel.image.getContext('2d'), style = getComputedStyle(document.body);
    const ink = style.getPropertyValue('--soft'), grid = style.getPropertyValue('--grid');
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, W, H);
    g.font = '11px system-ui, sans-serif';
    const {first, last} = this, pale = this.paleOf(panel);
    let low = Infinity, high = -Infinity;
    for (const {values} of panel.list.concat(pale)) for (const v of values) if (isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
    if (!(low <= high)) low = high = 0;
    if (high - low < 1e-9 * Math.max(1e-30, Math.abs(high))) { const d = Math.abs(high) * 0.1 || 1; low -= d; high += d; }
    const margin = (high - low) * 0.06;
    low -= margin;
    high += margin;
    const left = 58, top = 18 + more, width = Math.max(W - left - 10, 10), height = Math.max(H - top - 18, 10);
    Object.assign(panel, {left, top, width, height});
    const x = t => left + width * (last > first ? (t - first) / (last - first) : 0), y = v => top + height * (high - v) / (high - low);
    g.strokeStyle = grid;
    g.fillStyle = ink;
    g.lineWidth = 1;
    g.beginPath();
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    for (const v of CurvePanels.ticks(low, high, Math.max(2, height / 28))) {
      g.moveTo(left, y(v));
      g.lineTo(left + width, y(v));
      g.fillText(formatNumber(v), left - 5, y(v));
    }
    g.textAlign = 'center';
    g.textBaseline = 'top';
    if (last > first) for (const t of CurvePanels.ticks(first, last, Math.max(2, width / 90))) {
      g.moveTo(x(t), top);
      g.lineTo(x(t), top + height);
      g.fillText(formatNumber(t), x(t), top + height + 4);
    }
    g.stroke();
    this.stroke(g, pale.concat(panel.list), x, y);
  }
  stroke(g, list, x, y) {
    g.lineWidth = 1.6;
    g.lineJoin = 'round';
    for (const c of list) {
      g.globalAlpha = c.isPale ? 0.35 : 1;
      g.strokeStyle = this.colorOf(c);
      g.setLineDash(c.dash || []);
      if (c.low) this.fillBand(g, c, x, y);
      g.beginPath();
      let pen = false;
      const ts = c.times;
      for (let i = 0; i < ts.length; ++i) {
        const v = c.values[i];
        if (!isFinite(v)) { pen = false; continue; }
        if (pen) g.lineTo(x(ts[i]), y(v)); else g.moveTo(x(ts[i]), y(v));
        pen = true;
      }
      g.stroke();
    }
    g.setLineDash([]);
  }
  fillBand(g, {times, low, high}, x, y) {
    g.beginPath();
    times.forEach((t, i) => g.lineTo(x(t), y(high[i])));
    for (let i = times.length - 1; i >= 0; --i) g.lineTo(x(times[i]), y(low[i]));
    g.fillStyle = g.strokeStyle;
    g.fill();
  }
  draw(t) {
    this.time = t;
    if (!this.holder.clientWidth) return;  // nobody sees them
    const style = getComputedStyle(document.body), {first, last} = this;
    for (const panel of this.panels) {
      const c = panel.canvas, ratio = devicePixelRatio || 1;
      if (!panel.image || c.width !== Math.floor(c.clientWidth * ratio)) this.paint(panel);
      else if (panel.drawn === t) continue;
      panel.drawn = t;
      const g = c.getContext('2d');
      g.setTransform(1, 0, 0, 1, 0, 0);
      g.clearRect(0, 0, c.width, c.height);
      g.drawImage(panel.image, 0, 0);
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      g.font = '11px system-ui, sans-serif';
      const x = panel.left + panel.width * (last > first ? (t - first) / (last - first) : 0);
      g.strokeStyle = style.getPropertyValue('--accent');
      g.lineWidth = 1;
      g.beginPath();
      g.moveTo(x, panel.top);
      g.lineTo(x, panel.top + panel.height);
      g.stroke();
      g.textAlign = 'left';
      g.textBaseline = 'top';
      for (const [k, curve] of panel.list.entries()) {
        g.fillStyle = this.colorOf(curve);
        g.fillText(CurvePanels.textOf(curve, formatNumber(valueOf(curve, t))), panel.names[k].x, panel.names[k].y);
      }
    }
  }
  forget() {
    for (const p of this.panels) p.image = null;
    if (this.time !== undefined) this.draw(this.time);
  }
}
