// Runs: the model run again after each change, its answers shown in order; the run before stays as a ghost, and
// pinned ones stay.
'use strict';

class Runs {
  // `source()`: what is to be run: {file, text, set}.
  constructor(viewer, source) {
    this.viewer = viewer;
    this.source = source;
    this.asked = this.shown = 0;  // numbers of runs
    this.running = null;
    this.waiting = false;
    this.fresh = true;
    this.ghost = null;
    this.wantsGhost = true;
    this.pins = [];
    this.family = [];
    this.lastChange = -Infinity;
    this.onanswer = this.onstatus = () => {};
    this.plots = [];
  }
  // Another file: what was shown is no ghost of it.
  begin() {
    this.fresh = true;
    this.ghost = null;
    this.pins = [];
    this.family = [];
    this.ask();
  }
  // `soon`: the answer that is on its way may be shown first; else it is given up.
  ask(soon = false) {
    if (soon && this.running) { this.waiting = true; return; }
    if (this.running) this.running.abort();
    this.waiting = false;
    this.run();
  }
  async run() {
    const number = ++this.asked, control = this.running = new AbortController(), begun = performance.now();
    this.onstatus('busy');
    this.viewer.isBusy = true;
    try {
      const question = Object.assign({page: server.page, number, plots: this.plots}, this.source());
      for await (const packet of server.packets('/api/run', question, control.signal)) {
        if (number < this.asked) break;
        this.take(number, packet, question, begun);
      }
    } catch (error) {
      if (error.name !== 'AbortError' && number === this.asked) this.onanswer({error: error.message, diagnostics: []});
    }
    if (this.running !== control) return;
    this.running = null;
    this.viewer.isBusy = false;
    if (this.waiting) this.ask();
  }
  take(number, {last, answer, bytes}, question, begun) {
    const {viewer} = this;
    if (number < this.shown || answer.error === 'cancelled') return;
    this.shown = number;
    const data = answer.picture ? new RunData(answer.picture, bytes) : null;
    if (!last) {
      if (!viewer.data || this.fresh) return;
      data.last = Math.max(data.last, viewer.data.last);
      viewer.panels.take(data);
      return;
    }
    if (data) {
      this.changeGhost(begun);
      viewer.take(data, this.fresh);
      this.fresh = false;
      data.question = question;
      data.statistics = answer.statistics;
    }
    this.onanswer(answer, performance.now() - begun);
  }
  // Of changes that follow each other closely, the run before all of them.
  changeGhost(now) {
    const {viewer} = this;
    if (viewer.data && !this.fresh && now - this.lastChange > 1500) this.ghost = viewer.data;
    this.lastChange = this.fresh ? -Infinity : performance.now();
    this.showGhosts();
  }
  // What is shown now will be the ghost of what comes.
  hold() {
    this.ghost = this.viewer.data;
    this.lastChange = performance.now();
  }
  // What is shown pale: the run before, pinned ones, and a family, which has curves alone.
  showGhosts() {
    const list = this.pins.map((p, k) => ({data: p.data, dash: [[6, 4], [2, 3], [8, 3, 2, 3]][k % 3]}));
    if (this.wantsGhost && this.ghost) list.push({data: this.ghost});
    list.push(...this.family.map(data => ({data, inScene: false})));
    const before = this.viewer.panels.ghosts;
    if (before.length === list.length && before.every((g, k) => g.data === list[k].data)) return;
    this.viewer.setGhosts(list);
  }
  pin() {
    const {data} = this.viewer;
    if (!data || this.pins.some(p => p.data === data)) return;
    this.pins.push({data, name: 'pin ' + (this.pins.length + 1)});
    this.showGhosts();
  }
  // The curves of a result, with their tubes, to compare with.
  pinResult(name, {times, curves}) {
    const numbers = list => list && Float64Array.from(list, x => x ?? NaN);
    const of = c => ({name: c.name, times: numbers(times), values: numbers(c.values), low: numbers(c.low), high: numbers(c.high)});
    this.pins.push({name, data: {model: {items: []}, question: null, times: numbers(times), curves: curves.map(of)}});
    this.showGhosts();
  }
  unpin(pin) {
    this.pins = this.pins.filter(p => p !== pin);
    this.showGhosts();
  }
  // One run by itself, which is not shown.
  async once(question) {
    for await (const {last, answer, bytes} of server.packets('/api/run', Object.assign({page: server.page + ' once', plots: this.plots}, question))) {
      if (last) return answer.picture ? Object.assign(new RunData(answer.picture, bytes), {question}) : null;
    }
    return null;
  }
}
