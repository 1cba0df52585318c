// Panels: what else the program knows of a model, and files that it writes of it.
'use strict';

const kPanels = [['check', 'check report'], ['equilibrium', 'equilibrium'], ['modes', 'modes at the start'], ['modes at rest', 'modes at rest'],
  ['moving modes', 'modes, moving'], ['linearize', 'linear model'], ['bode', 'Bode'], ['why', 'what limits steps'], ['compare', 'compare with pins'], ['licences', 'licences']];
const kExports = ['.csv', '.html', '.glb', '.png', '.svg', '.mo', '.fmu'];

class Panels {
  constructor(viewer, runs, source) {
    Object.assign(this, {viewer, runs, source});
    const fill = (id, title, list) => byId(id).append(element('option', {value: ''}, title), ...list.map(([value, text]) => element('option', {value}, text)));
    fill('panel', 'panels\u2026', kPanels);
    fill('export', 'export\u2026', kExports.map(e => [e, e]));
    for (const [id, f] of [['panel', v => this.open(v)], ['export', v => this.export(v)]]) byId(id).onchange = () => {
      const {value} = byId(id);
      byId(id).value = '';
      f(value).catch(error => this.show(value, element('pre', {}, error.message)));
    };
    byId('answer-close').onclick = () => this.close();
  }
  show(title, ...content) {
    byId('answer-title').textContent = title;
    byId('answer-body').replaceChildren(...content);
    byId('answer').hidden = false;
    this.viewer.panels.forget();
  }
  close() {
    byId('answer').hidden = true;
    this.viewer.panels.forget();
  }
  async command(command, args = []) {
    const response = await server.request('/api/command', Object.assign({command, arguments: args}, this.source()));
    return (response.headers.get('Content-Type') || '').startsWith('application/json') ? {answer: await response.json()} : {file: await response.blob()};
  }
  static text({answer}) { return element('pre', {}, (answer.output + '\n' + answer.messages).trim()); }

  async open(name) {
    const title = kPanels.find(p => p[0] === name)[1];
    if (name === 'compare') return this.compare();
    if (name === 'licences') return this.licences();
    let args = [];
    if (name === 'bode' && !(args = await this.askChannels())) return;
    this.show(title, element('pre', {}, '\u2026'));
    const got = await this.command(name, args);
    if (got.answer) this.show(title, Panels.text(got));
    else if (name === 'moving modes') this.showModes(await got.file.text());
    else {
      const image = element('img', {src: URL.createObjectURL(got.file), alt: title});
      image.onload = () => URL.revokeObjectURL(image.src);
      this.show(title + ': ' + args.join(' to '), image);
    }
  }
  // Input and output of a frequency response.
  async askChannels() {
    const u = element('input', {type: 'text', placeholder: 'motor.tau'}), y = element('input', {type: 'text', placeholder: 'joint.phi'});
    for (const e of [u, y]) e.value = localStorage.getItem('channel ' + e.placeholder) || '';
    const answer = await ask('Frequency response', [element('label', {}, 'from the input', u), element('label', {}, 'to', y)], [['cancel', null], ['show', () => [u.value.trim(), y.value.trim()]]]);
    if (answer) [u, y].forEach((e, k) => localStorage.setItem('channel ' + e.placeholder, answer[k]));
    return answer;
  }
  // The modes take the place of the run until the next one.
  showModes(page) {
    this.close();
    const part = id => new RegExp('<script id="' + id + '"[^>]*>([^]*?)</script>').exec(page)[1];
    this.viewer.take(RunData.decoded(part('data'), part('blob')), true);
    this.runs.fresh = true;
    this.viewer.play(true);
  }

  // Pinned runs beside the one that is shown: what differs in the text, and in the curves.
  compare() {
    const {data} = this.viewer, {pins} = this.runs;
    if (!pins.length) { this.show('compare', 'Nothing is pinned yet: "pin" keeps a run to compare with.'); return; }
    const content = pins.flatMap(p => [
      element('h3', {}, p.name, element('button', {onclick: () => { this.runs.unpin(p); this.compare(); }}, 'unpin')),
      Panels.results(data, p.data),
      Panels.parameters(data, p.data)].filter(e => e));
    this.show('compare', ...content);
  }
  static parameters(a, b) {
    if (!b.question) return null;  // a result
    const list = (a.question.set || []).filter(s => !(b.question.set || []).includes(s));
    if (a.question.text === b.question.text && !list.length) return element('p', {}, 'The models are the same.');
    return element('div', {}, ...list.map(s => element('div', {}, s)), a.question.text === undefined ? null : differenceElement(b.question.text, a.question.text));
  }
  static results(a, b) {
    const row = (tag, ...cells) => element('tr', {}, ...cells.map(c => element(tag, {}, c)));
    const rows = a.curves.filter(c => c.shown).map(c => {
      const o = b.curves.find(x => x.name === c.name);
      if (!o) return row('td', c.name, 'only here', '', '', '', '');
      const last = x => x.values[x.values.length - 1];
      let most = 0, at = 0, leaves;
      c.times.forEach((t, i) => {
        const v = c.values[i], d = Math.abs(v - valueOf(o, t)), side = values => valueOf({times: o.times, values}, t);
        if (d > most) { most = d; at = t; }
        if (leaves === undefined && o.low && !(v >= side(o.low) && v <= side(o.high))) leaves = t;
      });
      const tube = !o.low ? '' : leaves === undefined ? 'inside' : 'outside from ' + formatNumber(leaves) + ' s on';
      return row('td', c.name + (c.unit ? ' [' + c.unit + ']' : ''), formatNumber(last(o)), formatNumber(last(c)), formatNumber(most), formatNumber(at), tube);
    });
    return element('table', {}, row('th', 'curve', 'end, pinned', 'end, now', 'largest difference', 'at [s]', 'tube'), ...rows);
  }
  // Curves over the whole range of a slider, and where the worst is.
  async whatIf(slider, sliders) {
    const many = 9, {low, high} = slider, names = this.viewer.data ? this.viewer.data.curves.filter(c => c.shown).map(c => c.name) : [], rows = [];
    this.runs.family = [];
    for (let k = 0; k < many; ++k) {
      const value = low + (high - low) * k / (many - 1), values = new Map([[slider, value]]);
      const data = await this.runs.once(Object.assign({}, this.source(), {text: sliders.runText(values), set: sliders.set(values)}));
      if (data) this.runs.family.push(data);
      rows.push([value, data]);
      this.runs.showGhosts();
    }
    const cell = (tag, text, bold) => element(tag, {}, bold ? element('b', {}, text) : text);
    const table = element('table', {}, element('tr', {}, cell('th', slider.name), ...names.map(n => cell('th', 'largest |' + n + '|'))));
    const largest = (d, n) => d ? d.curves.find(c => c.name === n)?.values.reduce((m, v) => Math.max(m, Math.abs(v)), 0) ?? NaN : NaN;
    const worst = names.map(n => Math.max(...rows.map(([, d]) => largest(d, n)).filter(isFinite)));
    for (const [value, d] of rows) table.append(element('tr', {}, cell('td', Sliders.format(value)), ...names.map((n, k) => cell('td', d ? formatNumber(largest(d, n)) : 'no run', largest(d, n) === worst[k]))));
    this.show('what if: ' + slider.name, table, element('button', {onclick: () => { this.runs.family = []; this.runs.showGhosts(); this.close(); }}, 'away with these curves'));
  }
  async licences() {
    const texts = await Promise.all(['three.txt', 'codemirror.txt'].map(async f => (await fetch('/' + f)).text()));
    this.show('licences', ...texts.map((t, k) => element('pre', {}, ['three.js', 'CodeMirror'][k] + '\n\n' + t + '\n\n')));
  }

  async export(kind) {
    const stem = this.source().file.split('/').pop().replace(/\.\w+$/, ''), {viewer} = this;
    if (kind === '.png') {
      viewer.draw();  // what was drawn may be gone again
      byId('stage').toBlob(blob => Panels.download(blob, stem + kind));
      return;
    }
    const shown = viewer.data ? viewer.data.curves.filter(c => c.shown).map(c => c.name).join(';') : '';
    const got = await this.command('export ' + kind, kind === '.svg' ? [shown] : []);
    if (got.answer) this.show('export ' + kind, Panels.text(got));
    else Panels.download(got.file, stem + kind);
  }
  static download(blob, name) {
    const link = element('a', {href: URL.createObjectURL(blob), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}
