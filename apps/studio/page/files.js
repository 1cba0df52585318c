// Files: the tree, the file that is open, saving, and files that others change at the same time. What is not
// saved is kept in the browser.
'use strict';

class Files {
  constructor(editor, keeper) {
    this.editor = editor;
    this.keeper = keeper;
    this.names = [];
    this.examples = [];
    this.name = '';      // of the open file
    this.disk = '';      // what stands in it, as far as is known
    this.stamp = '';     // of that; '': it is not there
    this.asking = false;
    this.later = '';      // stamp of a file that will be asked about when mine is saved
    this.docs = new Map();  // of files that were open: their history of changes
    this.onopen = this.onothers = this.onchange = () => {};
  }
  get readOnly() { return !/\.ya?ml$/.test(this.name); }
  get unsaved() { return !!this.name && !this.readOnly && (this.editor.text !== this.disk || !this.stamp); }

  // Notices stand above the text until they are answered or the next one comes.
  notice(text, ...choices) {
    const close = () => { byId('notice').hidden = true; };
    const buttons = choices.concat([['close', () => {}]]).map(([label, f]) => element('button', {onclick: () => { close(); f(); }}, label));
    byId('notice').replaceChildren(text, ...buttons);
    byId('notice').hidden = false;
  }
  showState() {
    byId('file-name').textContent = this.name;
    byId('file-name').title = this.name;
    byId('unsaved').hidden = !this.unsaved;
    byId('save').disabled = !this.unsaved;
    document.title = (this.unsaved ? '\u25cf ' : '') + (this.name ? this.name + ' \u2013 ' : '') + 'Cardan studio';
    this.showTree();
  }
  showTree() {
    const kept = new Set(this.keeper.files()), folders = new Map([['', byId('tree')]]);
    const closed = new Set([...byId('tree').querySelectorAll('.folder.closed')].map(e => e.title));
    byId('tree').replaceChildren();
    const folderOf = path => {
      if (folders.has(path)) return folders.get(path);
      const parent = folderOf(path.split('/').slice(0, -1).join('/'));
      const head = element('div', {className: 'folder' + (closed.has(path) ? ' closed' : ''), title: path, onclick: () => head.classList.toggle('closed')}, path.split('/').pop());
      const inside = element('div', {className: 'inside'});
      parent.append(head, inside);
      folders.set(path, inside);
      return inside;
    };
    const known = new Set(this.names.concat(this.name ? [this.name] : []));
    for (const name of [...known].sort()) {
      const parts = name.split('/'), changed = name === this.name ? this.unsaved : kept.has(name);
      folderOf(parts.slice(0, -1).join('/')).append(element('button', {title: name, onclick: () => this.open(name),
        className: (name === this.name ? 'open' : '') + (changed ? ' changed' : '')}, parts.pop()));
    }
  }

  async open(name) {
    if (name === this.name) return;
    if (/\.csv$/.test(name)) return this.onreference(name);
    let there = {text: '', stamp: ''};
    try {
      if (this.names.includes(name) || !this.keeper.find(name)) there = await server.ask('/api/file', {file: name});
    } catch (error) {
      if (!this.keeper.find(name)) { this.notice(error.message); return; }
    }
    if (this.name) this.docs.set(this.name, this.editor.cm.getDoc());
    Object.assign(this, {name, disk: there.text, stamp: there.stamp});
    byId('notice').hidden = true;
    this.openText(there);
    localStorage.setItem('open in ' + this.keeper.begin, name);
    this.showState();
    this.onopen();
  }
  openText(there) {
    const kept = this.readOnly ? null : this.keeper.find(this.name), doc = this.docs.get(this.name);
    if (doc && (!kept || kept.text === doc.getValue())) {
      this.editor.cm.swapDoc(doc);
      this.editor.marks = [];
      this.editor.lines = [];
      this.editor.cm.setOption('readOnly', this.readOnly);
      if (!kept && doc.getValue() !== there.text) this.editor.replaceText(there.text);
      return;
    }
    if (!kept || kept.text === there.text) {
      this.keeper.forget(this.name);
      this.editor.open(there.text, this.readOnly);
      return;
    }
    this.editor.open(there.text, false);
    this.editor.replaceText(kept.text);
    if (kept.stamp === there.stamp || !there.stamp) {
      this.notice('What was typed before is here again; it is not saved.', ['back to the file', () => { this.editor.replaceText(this.disk); this.changed(); this.onchange(); }]);
    } else this.askWhich(there);
  }
  // After each change of the text.
  changed() {
    if (this.unsaved) {
      if (!this.keeper.keep(this.name, this.editor.text, this.stamp)) this.notice('The browser has no room to keep the text: save it.');
    } else this.keeper.forget(this.name);
    this.showState();
  }

  async save() {
    if (!this.unsaved) return;
    const {name} = this, text = this.editor.text;
    try {
      const {stamp} = await server.ask('/api/save', {file: name, text, stamp: this.stamp});
      if (name !== this.name) return;
      Object.assign(this, {disk: text, stamp});
      if (!this.names.includes(name)) this.names.push(name);
      byId('notice').hidden = true;
      this.changed();
    } catch (error) {
      if (error.status === 409) await this.askWhich(error.answer);
      else this.notice('Not saved: ' + error.message + '. The text is kept in this browser.', ['again', () => this.save()]);
    }
  }
  // The file is another one than that from which the text began.
  async askWhich(there) {
    if (this.asking) return;
    this.asking = true;
    const {name} = this, content = [element('p', {}, name + ' was changed outside while it was changed here. What is here (+) and what is in the file (\u2212):'), differenceElement(there.text, this.editor.text)];
    const choice = await ask('Which one?', content, [['go on with mine, decide later', null], ['take the file', 'theirs'], ['save mine over it', 'mine']]);
    this.asking = false;
    if (name !== this.name) return;
    if (choice) Object.assign(this, {disk: there.text, stamp: there.stamp});
    if (choice === 'theirs') this.editor.replaceText(there.text);
    this.changed();
    if (choice === 'mine') await this.save();
    if (choice === 'theirs') this.onchange();
    this.later = choice ? '' : there.stamp;
    if (!choice) this.notice(name + ' was changed outside; saving will ask again.');
  }

  // Others change files, too.
  async listen(since) {
    for (let number = since; ; ) {
      // A page that nobody sees leaves the few connections of the browser to others.
      if (document.hidden) await new Promise(r => document.addEventListener('visibilitychange', r, {once: true}));
      try {
        const {change, names} = await server.ask('/api/changes', {since: number});
        if (change < number) names.push('', this.name);  // the program was started anew
        number = change;
        if (names.length) await this.others(names);
      } catch (error) {
        if (error.status === 401) return;
        await new Promise(r => setTimeout(r, 1000));
      }
    }
  }
  async others(names) {
    const {files} = await server.ask('/api/state');
    this.names = files;
    if (names.includes(this.name)) await this.otherText();
    else if (this.name && names.some(n => n)) this.onothers();
    this.showTree();
  }
  async otherText() {
    const {name} = this;
    let there;
    try {
      there = await server.ask('/api/file', {file: name});
    } catch (error) {
      if (error.status !== 400) throw error;
      this.stamp = '';
      this.changed();
      this.notice(name + ' is no longer there; saving writes it again.');
      return;
    }
    if (name !== this.name || there.stamp === this.stamp || there.stamp === this.later) return;
    const {text} = this.editor;
    if (text !== this.disk && text !== there.text) return this.askWhich(there);
    Object.assign(this, {disk: there.text, stamp: there.stamp});
    if (text !== there.text) {
      this.editor.replaceText(there.text);
      this.notice(name + ' was changed outside, and read again.');
      this.onchange();
    }
    this.changed();
  }

  async create() {
    const name = element('input', {type: 'text', value: 'model.yaml'});
    const from = element('select', {}, element('option', {value: ''}, 'nothing'), ...this.examples.map(e => element('option', {value: e}, e)));
    const answer = await ask('A new file', [element('label', {}, 'name', name), element('label', {}, 'from', from)], [['cancel', null], ['make', () => ({name: name.value, from: from.value})]]);
    if (!answer) return;
    const file = /\.ya?ml$/.test(answer.name) ? answer.name : answer.name + '.yaml';
    if (this.names.includes(file)) { this.notice(file + ' is there already.'); return; }
    const text = answer.from ? (await server.ask('/api/example', {file: answer.from})).text : 'model: New\ncomponents:\n';
    this.keeper.keep(file, text, '');
    await this.open(file);
    byId('notice').hidden = true;
  }
}
