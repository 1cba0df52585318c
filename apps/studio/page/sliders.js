// Sliders: numbers of the text, or parameters of components, that are moved without the text being changed;
// "write" puts them into it.
'use strict';

const kNumber = /(?<![\w.])(?:(?<![\w.)\]"'\s]\s*)[-+])?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])/g;

class Sliders {
  constructor(editor) {
    this.editor = editor;
    this.list = [];  // {name, mark | set, value, low, high, row, range, number, badge}
    this.holder = byId('sliders');
    this.onbegin = this.onmove = this.onend = this.onwhatif = () => {};
    this.key = '';
    editor.cm.on('dblclick', (cm, e) => {
      const at = cm.coordsChar({left: e.clientX, top: e.clientY}, 'window');
      if (this.addAt(at)) e.preventDefault();
    });
  }
  // The number of the text at a place: {from, to, text}.
  numberAt(at) {
    const line = this.editor.cm.getLine(at.line);
    if (this.editor.cm.getTokenTypeAt({line: at.line, ch: at.ch + 1}) === 'comment') return null;
    for (const m of line.matchAll(kNumber)) {
      if (m.index <= at.ch && at.ch <= m.index + m[0].length) return {from: {line: at.line, ch: m.index}, to: {line: at.line, ch: m.index + m[0].length}, text: m[0]};
    }
    return null;
  }
  addAt(at) {
    const found = this.numberAt(at), {cm} = this.editor;
    if (!found || cm.getOption('readOnly')) return null;
    const there = this.list.find(s => s.mark && (r => r && r.from.line === found.from.line && r.from.ch === found.from.ch)(s.mark.find()));
    if (there) { there.range.focus(); return there; }
    const place = yamlPlace(cm.getRange({line: 0, ch: 0}, found.from));
    const name = place.path.filter(p => p !== 'components' && p !== 'parameters').join('.').replace(/\.\*/g, '[]') || 'line ' + (at.line + 1);
    return this.add({name, mark: this.markNumber(found), value: +found.text});
  }
  // It grows and shrinks with what is typed into the number.
  markNumber({from, to}) {
    return this.editor.cm.markText(from, to, {className: 'mark-slider', inclusiveLeft: true, inclusiveRight: true, clearWhenEmpty: false});
  }
  // A parameter that may not stand in the text at all.
  addParameter(name, value) {
    const there = this.list.find(s => s.set === name);
    return there || this.add({name, set: name, value});
  }
  add(slider) {
    const v = slider.value;
    if (slider.low === undefined) Object.assign(slider, v === 0 ? {low: -1, high: 1} : {low: Math.min(0, 2 * v), high: Math.max(0, 2 * v)});
    slider.own = v;  // as the text has it
    slider.range = element('input', {type: 'range', onpointerdown: () => this.onbegin(), oninput: () => this.move(slider, +slider.range.value), onchange: () => this.onend()});
    slider.range.setAttribute('aria-label', slider.name);
    slider.number = element('input', {type: 'number', step: 'any', onchange: () => { this.move(slider, +slider.number.value); this.onend(); }});
    slider.row = element('div', {className: 'slider'}, element('label', {title: slider.name}, slider.name), slider.range, slider.number,
      element('button', {title: 'what if: curves over the whole range', onclick: () => this.onwhatif(slider)}, '\u223f'),
      element('button', {title: 'put this number into the text', onclick: () => this.write(slider)}, 'write'),
      element('button', {title: 'back to the number of the text', onclick: () => this.remove(slider)}, '\u2715'));
    this.list.push(slider);
    this.holder.append(slider.row);
    this.holder.hidden = false;
    this.showValue(slider);
    this.keep();
    return slider;
  }
  showValue(s) {
    s.low = Math.min(s.low, s.value);
    s.high = Math.max(s.high, s.value);
    Object.assign(s.range, {min: s.low, max: s.high, step: (s.high - s.low) / 1000, value: s.value});
    s.number.value = Sliders.format(s.value);
    const range = s.mark && s.mark.find(), text = '\u2192' + Sliders.format(s.value);
    if (s.badge && s.badge.find() && range && s.value !== s.own) { s.badge.replacedWith.textContent = text; return; }
    if (s.badge) s.badge.clear();
    s.badge = range && s.value !== s.own ? this.editor.cm.setBookmark(range.to, {widget: element('span', {className: 'slider-value'}, text)}) : null;
  }
  static format(x) { return String(+x.toPrecision(6)); }
  move(s, value) {
    if (!isFinite(value)) return;
    s.value = value;
    this.showValue(s);
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keep(), 300);
    this.onmove(s);
  }
  remove(s) {
    if (s.badge) s.badge.clear();
    if (s.mark) s.mark.clear();
    s.row.remove();
    this.list = this.list.filter(o => o !== s);
    this.holder.hidden = !this.list.length;
    this.keep();
    this.onend();
  }
  // Into the text, as a change that can be undone.
  write(s) {
    const {cm} = this.editor, text = Sliders.format(s.value);
    if (s.mark) {
      const range = s.mark.find();
      if (!range) return;
      s.own = s.value;
      cm.replaceRange(text, range.from, range.to, '+slider');
      this.showValue(s);
    } else if (this.writeParameter(s.set, text)) this.remove(s);
    this.onend();
  }
  writeParameter(name, text) {
    const {cm} = this.editor, dot = name.lastIndexOf('.'), component = name.slice(0, dot), key = name.slice(dot + 1);
    const place = dot > 0 ? componentPlace(cm.getValue(), component) : null;
    if (!place) return false;
    const line = cm.getLine(place.line), end = line.lastIndexOf('}');
    const there = new RegExp('([{,]\\s*' + key + '\\s*:\\s*)([^,}]*)').exec(line);
    if (there && end > 0) {
      const from = there.index + there[1].length;
      cm.replaceRange(text, {line: place.line, ch: from}, {line: place.line, ch: from + there[2].length}, '+slider');
    } else if (end > 0) cm.replaceRange(', ' + key + ': ' + text, {line: place.line, ch: end}, undefined, '+slider');
    else cm.replaceRange('\n' + ' '.repeat(place.ch + 2) + key + ': ' + text, {line: place.line, ch: line.length}, undefined, '+slider');
    return true;
  }

  // What is to be run: the text with the numbers as they stand, and parameters besides.
  runText(values = new Map()) {
    const {cm} = this.editor, cuts = [];
    let text = cm.getValue();
    for (const s of this.list) {
      const range = s.mark && s.mark.find(), value = values.has(s) ? values.get(s) : s.value;
      if (range && value !== s.own) cuts.push({from: cm.indexFromPos(range.from), to: cm.indexFromPos(range.to), text: Sliders.format(value)});
    }
    for (const c of cuts.sort((a, b) => b.from - a.from)) text = text.slice(0, c.from) + c.text + text.slice(c.to);
    return text;
  }
  set(values = new Map()) {
    return this.list.filter(s => s.set).map(s => s.set + '=' + Sliders.format(values.has(s) ? values.get(s) : s.value));
  }
  // After a change of the text: sliders follow their numbers, and go with them.
  follow() {
    const {cm} = this.editor;
    for (const s of this.list.filter(o => o.mark)) {
      const range = s.mark.find();
      let text = range ? cm.getRange(range.from, range.to) : '';
      if (range && !isFinite(+text)) {  // something was typed beside it
        const number = this.numberAt(range.from);
        s.mark.clear();
        if (number) { s.mark = this.markNumber(number); text = number.text; }
        else text = '';
      }
      if (text.trim() === '') { this.remove(s); continue; }
      if (+text !== s.own) {
        s.own = s.value = +text;
        this.showValue(s);
      }
    }
  }

  // Of a file, as they were left.
  open(key) {
    for (const s of this.list) s.row.remove();
    this.list = [];
    this.holder.hidden = true;
    this.key = '';
    let kept = [];
    try { kept = JSON.parse(localStorage.getItem('sliders of ' + key)) || []; } catch (e) { /* none */ }
    for (const k of kept) {
      const at = k.set ? null : this.editor.cm.getLine(k.line) !== undefined && this.numberAt({line: k.line, ch: k.ch});
      const s = k.set ? this.addParameter(k.set, k.value) : at && at.from.ch === k.ch && +at.text === k.own ? this.addAt(at.from) : null;
      if (!s) continue;
      Object.assign(s, {low: k.low, high: k.high, value: k.value});
      this.showValue(s);
    }
    this.key = key;
  }
  keep() {
    if (!this.key) return;
    const list = this.list.map(s => Object.assign({set: s.set, value: s.value, own: s.own, low: s.low, high: s.high}, s.mark && s.mark.find() ? s.mark.find().from : {}));
    try { localStorage.setItem('sliders of ' + this.key, JSON.stringify(list)); } catch (e) { /* they are then forgotten */ }
  }
}
