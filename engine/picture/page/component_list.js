// ComponentList: the components that have shapes, and what is known of the one that is picked.
const kPicked = 0x1d3c5c;  // a glow

class ComponentList {
  constructor(stage, viewer) {
    this.stage = stage;
    this.viewer = viewer;
    this.rows = [];
    this.picked = null;
  }
  // Of another run: what was picked is so again.
  take() {
    const {model} = this.stage, {components} = model.data.model;
    const before = this.picked && this.name, closed = byId('info').hidden;
    const list = document.getElementById('list');
    list.textContent = '';
    this.picked = null;
    this.rows = components.map((c, k) => this.makeRow(list, c, model.items.filter(i => i.data.component === k)));
    const again = before ? this.rows.find(r => r.name.textContent === before) : null;
    this.pick(again ? again.items[0] : null);
    if (closed) byId('info').hidden = true;
  }
  // Of another run with the same shapes.
  refresh() {
    const {model} = this.stage, picked = this.picked && this.rows[this.picked.data.component];
    this.rows.forEach((r, k) => {
      ComponentList.showColor(r);
      r.name.title = model.data.model.components[k].type;
      for (const i of r.items) this.stage.glow(i, r === picked ? kPicked : 0);
    });
    if (picked && !byId('info').hidden) this.describe(this.picked, picked);
  }
  static showColor({swatch, items}) {
    const v = items[0].color.values;
    swatch.style.background = 'rgb(' + [v[0], v[1], v[2]].map(Math.round).join(',') + ')';
  }
  makeRow(list, component, items) {
    const label = document.createElement('label'), box = document.createElement('input'), name = document.createElement('span'), swatch = document.createElement('span');
    box.type = 'checkbox';
    box.checked = !items.every(i => i.hidden);
    box.onchange = () => {
      items.forEach(i => this.stage.model.setHidden(i, !box.checked));
      this.viewer.touch();
    };
    swatch.className = 'swatch';
    ComponentList.showColor({swatch, items});
    name.className = 'name';
    name.textContent = component.name;
    name.title = component.type;
    name.onclick = e => { e.preventDefault(); this.pick(items[0], true); };
    label.append(box, swatch, name);
    list.append(label);
    return {box, name, swatch, items};
  }
  get component() { return this.stage.model.data.model.components[this.picked.data.component]; }
  get frame() { return this.picked ? this.picked.data.frame : -1; }

  // `byHand`: whoever listens is told.
  pick(item, byHand = false) {
    const {stage} = this;
    if (this.picked) for (const i of this.rows[this.picked.data.component].items) stage.glow(i, 0);
    this.rows.forEach(r => r.name.classList.remove('picked'));
    this.picked = item;
    document.getElementById('info').hidden = !item;
    this.viewer.touch();
    if (!item) return;
    this.name = this.component.name;
    const row = this.rows[item.data.component];
    row.name.classList.add('picked');
    for (const i of row.items) stage.glow(i, kPicked);
    this.describe(item, row);
    if (byHand) this.viewer.onpick(this.component, item);
  }
  // Lit up, without a panel in front of the scene.
  light(name) {
    const row = this.rows.find(r => r.name.textContent === name);
    if (!row || (this.picked && this.name === name)) return;
    this.pick(row.items[0]);
    byId('info').hidden = true;
  }
  describe(item, row) {
    const c = this.component, info = document.getElementById('info'), {viewer} = this;
    const frame = this.stage.model.nameOf(item.data.frame);
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
    button('hide', () => this.hidePicked());
    if (item.data.frame >= 0) {
      button('follow', () => this.followPicked()).classList.toggle('on', this.stage.followed === item.data.frame);
      button('trace', () => this.tracePicked()).classList.toggle('on', this.stage.model.traces.has(item.data.frame));
    }
    button(this.measuredFrom === undefined ? 'measure from here' : 'measure to here', () => this.measurePicked());
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
    slider.oninput = () => { row.items.forEach(i => this.stage.model.fade(i, 1 - slider.value)); viewer.touch(); };
    const table = add('table');
    for (const [name, value] of c.parameters) {
      const tr = add('tr', undefined, table);
      add('td', name, tr);
      add('td', value, tr);
      tr.ondblclick = () => viewer.onparameter(c, name, value);
    }
  }
  hidePicked() {
    if (!this.picked) return;
    const row = this.rows[this.picked.data.component];
    row.box.checked = false;
    row.box.onchange();
    this.pick(null);
  }
  showAll() {
    for (const r of this.rows) { r.box.checked = true; r.box.onchange(); }
  }
  followPicked() {
    if (this.frame < 0) return;
    this.viewer.follow(this.stage.followed === this.frame ? -1 : this.frame);
    this.pick(this.picked);
  }
  tracePicked() {
    if (this.frame < 0) return;
    this.stage.trace(this.frame);
    this.pick(this.picked);
  }
  // From what is picked first to what is picked next.
  measurePicked() {
    if (!this.picked) return;
    const from = this.measuredFrom, to = this.stage.model.nameOf(this.frame);
    this.measuredFrom = from === undefined ? to : undefined;
    if (from !== undefined && from !== to) {
      this.stage.measure(from, to);
      this.viewer.takeCurves(true);
    }
    this.pick(this.picked);
  }
  // Where the picked frame is.
  showPosition(t) {
    const place = document.getElementById('position');
    if (!this.picked || !place) return;
    const {row, share} = this.stage.model.data.placeOf(t);
    const p = this.stage.model.originOf(this.frame, row, share);
    place.textContent = 'frame at (' + p.map(formatNumber).join(', ') + ') m';
  }
}
