// The studio: puts text, sliders, runs, scene and curves together.
'use strict';

class Studio {
  constructor(state) {
    this.completion = new Completion();
    this.editor = new Editor(byId('editor'), this.completion);
    this.files = new Files(this.editor, new Keeper(state.folder));
    this.sliders = new Sliders(this.editor);
    this.viewer = new Viewer();
    this.runs = new Runs(this.viewer, () => this.source());
    this.panels = new Panels(this.viewer, this.runs, () => this.source());
    Object.assign(this.files, {names: state.files, examples: state.examples});
    this.connectText();
    this.connectViewer();
    this.connectButtons();
    connectSplitters(() => { this.editor.cm.refresh(); this.viewer.panels.forget(); });
  }
  source() {
    const {name, readOnly} = this.files;
    return readOnly ? {file: name} : {file: name, text: this.sliders.runText(), set: this.sliders.set()};
  }

  connectText() {
    const {editor, files, sliders, runs} = this;
    editor.onchange = () => {
      clearTimeout(this.schemaTimer);
      sliders.follow();
      files.changed();
      runs.ask();
    };
    // A cursor that rests: drawing the scene would keep a typing hand waiting.
    editor.ontouch = at => {
      clearTimeout(this.lighting);
      this.lighting = setTimeout(() => this.light(at.line), 250);
    };
    sliders.onbegin = () => runs.hold();
    sliders.onmove = () => runs.ask(true);
    sliders.onend = () => runs.ask(true);
    sliders.onwhatif = s => this.panels.whatIf(s, sliders).catch(e => files.notice(e.message));
    files.onopen = () => this.opened();
    files.onchange = () => {};
    files.onothers = () => runs.ask();
    files.onreference = async name => {
      const result = await server.ask('/api/reference', {file: name});
      if (result.error) return files.notice(result.error);
      runs.pinResult(name, result);
      this.panels.compare();
    };
    runs.onanswer = (answer, took) => this.answered(answer, took);
    runs.onstatus = () => byId('status').classList.add('busy');
  }
  // The component that stands at a line, in the scene.
  light(line) {
    const {editor, viewer} = this, name = componentAt(editor.text, line);
    if (name && viewer.list && viewer.data && editor.cm.hasFocus()) viewer.list.light(name);
  }
  connectViewer() {
    const {viewer, editor, sliders} = this;
    viewer.onpick = component => {
      const place = componentPlace(editor.text, component.name);
      if (place) editor.goTo(place.line, place.ch, place.end);
    };
    viewer.onparameter = (component, name, value) => {
      if (isFinite(parseFloat(value)) && !this.files.readOnly) sliders.addParameter(component.name + '.' + name, parseFloat(value)).range.focus();
    };
    const dark = localStorage.getItem('dark');
    if (dark !== null) viewer.theme(dark === 'true');
    viewer.ontheme = on => localStorage.setItem('dark', on);
  }
  connectButtons() {
    const {editor, files, runs} = this, {cm} = editor;
    const actions = {save: () => files.save(), undo: () => cm.undo(), redo: () => cm.redo(), pin: () => this.pin(), 'new-file': () => files.create().catch(e => files.notice(e.message)),
      'files-button': () => { byId('files-pane').hidden = !byId('files-pane').hidden; editor.cm.refresh(); },
      'ghost-button': () => { runs.wantsGhost = byId('ghost-button').classList.toggle('on'); runs.showGhosts(); }};
    for (const [id, f] of Object.entries(actions)) byId(id).onclick = f;
    document.addEventListener('keydown', e => {
      const key = (e.ctrlKey || e.metaKey ? 'Ctrl-' : '') + (e.altKey ? 'Alt-' : '') + e.key.toLowerCase();
      const f = {'Ctrl-s': actions.save, 'Alt-f': actions['files-button'], 'Alt-p': actions.pin, 'Ctrl-Enter': () => runs.ask()}[key];
      if (!f) return;
      e.preventDefault();
      f();
    });
    window.addEventListener('beforeunload', e => { if (files.unsaved && !localStorage.getItem(files.keeper.begin + files.name)) e.preventDefault(); });
    server.ongone = () => files.notice('The program does not answer. The text is kept in this browser, and shown again once the program is started anew.');
    server.onback = () => { byId('notice').hidden = true; runs.ask(); };
  }
  pin() {
    this.runs.pin();
    this.panels.compare();
  }

  opened() {
    const {files, sliders, runs} = this;
    sliders.open(files.keeper.begin + files.name);
    byId('translation').hidden = !files.readOnly;
    runs.begin();
    this.completion.schema = null;
    this.shape = '';
    this.readSchema();
    if (files.readOnly) this.translate();
  }
  async translate() {
    const pre = byId('translation').querySelector('pre');
    pre.textContent = '';
    const {answer} = await this.panels.command('translation');
    pre.textContent = answer.code === 0 ? answer.output : answer.messages;
  }
  // Of this file: its types, components and connectors. It is none of numbers, and that of a text which is
  // no YAML just now knows less than the one before.
  async readSchema() {
    const {files, completion} = this, {name} = files, {text} = this.editor, shape = text.replace(kNumber, '0');
    if (files.readOnly || shape === this.shape) return;
    this.shape = shape;
    const schema = await server.ask('/api/schema', {file: name, text}).catch(() => null);
    if (!schema) this.shape = '';  // asked again
    if (name === files.name && schema && (schema.allOf || !completion.schema)) completion.schema = schema;
  }

  // An answer of the program: messages, and what the run was.
  answered(answer, took) {
    const {files, editor} = this, list = answer.diagnostics || [], own = list.filter(d => !d.file || d.file === files.name);
    editor.show(files.readOnly ? [] : own);
    const errors = list.filter(d => d.severity === 'error').length, s = answer.statistics;
    const status = byId('status');
    status.classList.remove('busy');
    status.classList.toggle('wrong', errors > 0 || !!answer.error);
    status.textContent = answer.error ? 'no answer: ' + answer.error
      : errors ? errors + (errors > 1 ? ' errors' : ' error')
      : answer.defines ? 'defines ' + answer.defines.join(', ')
      : answer.study ? 'a study' + (answer.study.runs ? ' of ' + answer.study.runs + ' runs' : '') + ': cardan ' + answer.study.command
      : s ? s.rows + ' rows in ' + Math.round(1000 * s.seconds) + ' ms, here in ' + Math.round(took) + ' ms' : '';
    status.title = s ? s.steps + ' steps, ' + s.events + ' events, to ' + formatNumber(s.stopTime) + ' s' + (s.terminated ? '; ended: ' + s.terminated : '') : '';
    byId('messages').replaceChildren(...list.map(d => this.messageRow(d)));
    if (answer.study) byId('messages').prepend(this.studyRow(answer.study));
    // Names of the model change with it: asked again when nobody types.
    clearTimeout(this.schemaTimer);
    if (!answer.error) this.schemaTimer = setTimeout(() => this.readSchema(), 1000);
  }
  studyRow({command, runs}) {
    return element('div', {}, 'This is a study; in a terminal ', element('code', {}, 'cardan ' + command + ' ' + this.files.name),
      runs ? ' makes its ' + runs + ' runs' : ' does what it says', '. Here its model is shown without them.');
  }
  messageRow(d) {
    const {editor, files} = this, own = !d.file || d.file === files.name;
    const place = d.line ? (own ? '' : d.file + ' ') + 'line ' + d.line + ' ' : own ? '' : d.file + ' ';
    const row = element('div', {className: d.severity, onclick: () => { if (own && d.line) editor.goTo(d.line - 1, d.column - 1); }},
      element('b', {}, d.severity), ' ', element('small', {}, place), d.message, d.hint ? element('small', {}, ' ' + d.hint) : null,
      ...(d.notes || []).map(n => element('div', {}, element('small', {}, (n.line ? 'line ' + n.line + ': ' : '') + n.message))));
    if (own && !files.readOnly && Editor.proposal(d)) row.append(element('button', {onclick: e => { e.stopPropagation(); editor.applyHint(d); }}, 'use \u2018' + Editor.proposal(d) + '\u2019'));
    return row;
  }

  async begin(state) {
    const {files} = this, before = localStorage.getItem('open in ' + files.keeper.begin);
    const asked = new URLSearchParams(location.hash.slice(1)).get('file');
    const first = asked || state.model || (before && (files.names.includes(before) || files.keeper.find(before)) ? before : files.names.find(n => /\.ya?ml$/.test(n)));
    byId('files-pane').hidden = !!state.model && files.names.length < 2;
    files.showState();
    if (first) await files.open(first);
    else files.notice('No model here yet.', ['a new file', () => files.create()]);
    files.listen(state.change);
  }
}

(async () => {
  server.begin();
  try {
    const state = await server.ask('/api/state');
    window.studio = new Studio(state);
    window.cardan = window.studio.viewer;  // for tests
    await window.studio.begin(state);
  } catch (error) {
    console.error(error);
    document.body.replaceChildren(element('p', {id: 'refused'}, error.status === 401
      ? 'This address has no token, or an old one: open the one that \u2018cardan studio\u2019 prints. Texts that were not saved are kept in this browser.'
      : 'This does not work: ' + error.message));
  }
})();
