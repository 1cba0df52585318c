// Editor: the text of a model in CodeMirror, the program's messages underlined in it, what is known of a word
// when the mouse rests on it, and files that are open.
'use strict';

class Editor {
  constructor(holder, completion) {
    this.completion = completion;
    this.marks = [];
    this.lines = [];
    this.tip = element('div', {id: 'tip', hidden: true});
    document.body.append(this.tip);
    this.onchange = this.ontouch = () => {};
    this.cm = CodeMirror(holder, {
      lineNumbers: true, mode: 'yaml', matchBrackets: true, autoCloseBrackets: true, styleActiveLine: true,
      indentUnit: 2, tabSize: 2, undoDepth: 2000,
      hintOptions: {hint: cm => this.completion.hint(cm), completeSingle: false},
      extraKeys: {'Ctrl-Space': 'autocomplete', Tab: cm => cm.somethingSelected() ? cm.indentSelection('add') : cm.replaceSelection('  ', 'end')},
    });
    this.cm.on('change', (cm, change) => {
      if (change.origin !== 'setValue') this.onchange(change);
    });
    this.cm.on('inputRead', (cm, change) => {
      if (/^[A-Za-z_]$/.test(change.text[0]) && !cm.state.completionActive && !cm.getTokenTypeAt(cm.getCursor())?.includes('comment')) cm.showHint();
    });
    this.cm.on('cursorActivity', () => this.ontouch(this.cm.getCursor()));
    this.connectTip();
  }
  get text() { return this.cm.getValue(); }

  // Another file, with its own history of changes; or a new text of the same file, as one change.
  open(text, readOnly) {
    this.cm.swapDoc(CodeMirror.Doc(text, readOnly ? null : 'yaml'));
    this.cm.setOption('readOnly', readOnly);
    this.marks = [];
    this.lines = [];
  }
  // Where two texts differ is replaced alone, so that cursor and marks stay.
  replaceText(text) {
    const old = this.text;
    let first = 0, end = 0;
    while (first < old.length && first < text.length && old[first] === text[first]) ++first;
    while (end < old.length - first && end < text.length - first && old[old.length - 1 - end] === text[text.length - 1 - end]) ++end;
    const at = i => this.cm.posFromIndex(i);
    this.cm.replaceRange(text.slice(first, text.length - end), at(first), at(old.length - end), 'outside');
  }
  goTo(line, ch, end) {
    this.cm.setSelection({line, ch}, {line, ch: end === undefined ? ch : end});
    this.cm.scrollIntoView({line, ch}, 80);
    this.cm.focus();
  }

  // Messages of this file: underlined, and their lines numbered in red.
  show(diagnostics) {
    this.cm.operation(() => {
      for (const m of this.marks) m.clear();
      for (const l of this.lines) this.cm.removeLineClass(l, 'gutter', 'line-error');
      this.marks = [];
      this.lines = [];
      for (const d of diagnostics) if (d.line) this.mark(d);
    });
  }
  mark(d) {
    const line = d.line - 1, text = this.cm.getLine(line);
    if (text === undefined) return;
    // Columns count characters, those of CodeMirror halves of the rare long ones.
    const index = column => [...text].slice(0, column - 1).join('').length;
    let from = index(d.column), to = d.endColumn ? index(d.endColumn) : from + 1;
    if (to > text.length) to = text.length;
    if (from >= to) from = Math.max(0, to - 1);
    const mark = this.cm.markText({line, ch: from}, {line, ch: Math.max(to, from + 1)}, {className: 'mark-' + d.severity});
    mark.diagnostic = d;
    this.marks.push(mark);
    if (d.severity === 'error') this.lines.push(this.cm.addLineClass(line, 'gutter', 'line-error'));
  }
  // "did you mean 'm'?" put into the text.
  applyHint(d) {
    const word = Editor.proposal(d);
    if (!word) return;
    const mark = this.marks.find(m => m.diagnostic === d), range = mark && mark.find();
    if (!range) return;
    const old = this.cm.getRange(range.from, range.to), wrong = Editor.wrongWord(d);
    const at = wrong ? old.indexOf(wrong) : -1;
    const line = this.cm.getLine(range.from.line), from = at >= 0 ? range.from.ch + at : line.indexOf(wrong, range.from.ch);
    if (wrong && from >= 0) this.cm.replaceRange(word, {line: range.from.line, ch: from}, {line: range.from.line, ch: from + wrong.length});
    else this.cm.replaceRange(word, range.from, range.to);
  }
  static proposal(d) { return (/did you mean '([^']+)'/.exec(d.hint || '') || [])[1]; }
  // The word that the message complains of: the last in quotes that is in none of its names of components.
  static wrongWord(d) {
    const words = [...d.message.matchAll(/'([^']+)'/g)].map(m => m[1]);
    return words[words.length - 1];
  }

  connectTip() {
    let timer = 0;
    const holder = this.cm.getWrapperElement();
    holder.addEventListener('mousemove', e => {
      clearTimeout(timer);
      timer = setTimeout(() => this.showTip(e.clientX, e.clientY), 250);
    });
    for (const type of ['mouseleave', 'mousedown', 'keydown', 'wheel']) holder.addEventListener(type, () => { clearTimeout(timer); this.tip.hidden = true; }, {passive: true});
  }
  showTip(x, y) {
    const at = this.cm.coordsChar({left: x, top: y}, 'window'), box = this.cm.charCoords(at, 'window');
    const messages = this.cm.findMarksAt(at).filter(m => m.diagnostic).map(m => m.diagnostic);
    let content = messages.map(d => element('div', {}, d.message, d.hint ? element('small', {}, ' ' + d.hint) : null));
    if (!messages.length) {
      if (Math.abs(box.left - x) > 40 || !this.completion.schema) { this.tip.hidden = true; return; }
      const word = this.cm.findWordAt(at), name = this.cm.getRange(word.anchor, word.head);
      const about = /^\w+$/.test(name) ? this.aboutWord(word, name) : '';
      content = about ? [element('code', {}, name), ' ' + about] : [];
    }
    this.tip.hidden = !content.length;
    this.tip.replaceChildren(...content);
    this.tip.style.left = Math.min(x, innerWidth - this.tip.offsetWidth - 8) + 'px';
    this.tip.style.top = (box.bottom + 4 + this.tip.offsetHeight < innerHeight ? box.bottom + 4 : box.top - this.tip.offsetHeight - 4) + 'px';
  }
  aboutWord(word, name) {
    const place = yamlPlace(this.cm.getRange({line: 0, ch: 0}, word.anchor));
    const key = /^["']?\s*:/.test(this.cm.getLine(word.head.line).slice(word.head.ch));
    if (key) return this.completion.about([...place.path, name], this.text);
    const known = this.completion.candidates(place, this.text).find(c => c.text === name);
    return known ? known.about : '';
  }
}
