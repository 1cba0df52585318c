// YAML places: where in a model file a cursor stands, as far as it has been written.
'use strict';

// {path: ['components', 'joint', 'phi'], inValue: behind "key:", word: what stands before the cursor}
// of the text before a cursor. An element of a list is '*'.
function yamlPlace(text) {
  const scan = new YamlScan();
  const lines = text.split('\n');
  lines.forEach((line, i) => scan.line(line, i === lines.length - 1));
  return scan.place();
}

class YamlScan {
  constructor() {
    this.blocks = [];  // keys and elements that the line stands in: {indent, key}
    this.flow = [];    // braces and brackets that are open: {map, key}
    this.word = '';
    this.inValue = false;
  }
  line(line, isLast) {
    if (this.flow.length) return this.scanFlow(line);
    let indent = line.search(/\S/), rest = line;
    if (indent < 0) indent = line.length;
    if (!isLast && (!line.trim() || line[indent] === '#')) return;
    this.word = '';
    this.inValue = false;
    while (this.blocks.length && this.last.indent >= indent && !(this.last.key !== '*' && this.last.indent === indent && line[indent] === '-')) this.blocks.pop();
    rest = line.slice(indent);
    for (let item; (item = /^-(\s+|$)/.exec(rest)); indent += item[0].length, rest = rest.slice(item[0].length)) this.blocks.push({indent, key: '*'});
    const key = /^("[^"]*"|'[^']*'|[^\s#{}[\],"':][^#{}[\],:]*?)\s*:(\s+|$)/.exec(rest);
    if (key) {
      this.blocks.push({indent, key: key[1].replace(/^["']|["']$/g, '')});
      this.inValue = true;
      rest = rest.slice(key[0].length);
    }
    this.scanFlow(rest);
  }
  get last() { return this.blocks[this.blocks.length - 1]; }
  // What stands on a line, in flow style or plain.
  scanFlow(text) {
    for (let i = 0; i < text.length; ++i) {
      const c = text[i], top = this.flow[this.flow.length - 1];
      if (c === '#' && (i === 0 || /\s/.test(text[i - 1]))) return;
      if ((c === '"' || c === "'") && !this.word.trim()) {
        const end = text.indexOf(c, i + 1);
        this.word = end < 0 ? text.slice(i) : text.slice(i, end + 1);
        if (end < 0) return;
        i = end;
      } else if (c === '{' || c === '[') {
        this.flow.push({map: c === '{', key: c === '{' ? null : '*'});
        this.word = '';
      } else if (top && (c === '}' || c === ']')) {
        this.flow.pop();
        this.word = '';
      } else if (top && c === ',') {
        if (top.map) top.key = null;
        this.word = '';
      } else if (top && top.map && top.key === null && c === ':') {
        top.key = this.word.trim().replace(/^["']|["']$/g, '');
        this.word = '';
      } else {
        this.word += c;
      }
    }
    if (this.flow.length) this.word += ' ';
  }
  place() {
    const path = this.blocks.map(b => b.key);
    for (const f of this.flow) if (f.key !== null) path.push(f.key);
    const top = this.flow[this.flow.length - 1];
    return {path, inValue: top ? top.key !== null : this.inValue, word: this.word.trim()};
  }
}

// The types of the components of a text, by name.
function componentTypes(text) {
  const types = new Map(), lines = text.split('\n');
  let name = '', indent = 0;
  for (const line of lines) {
    const head = /^(\s+)("?)([A-Za-z_][\w.[\]]*)\2\s*:\s*(.*)$/.exec(line);
    const inside = /(?:^|[{,\s])type:\s*["']?([A-Za-z_][\w.]*)/.exec(line);
    if (head && (!name || head[1].length <= indent || /^\{/.test(head[4]))) { name = head[3]; indent = head[1].length; }
    if (name && name !== 'type' && inside) types.set(name, inside[1]);
  }
  return types;
}

// Where a component begins in a text: {line, ch, end}; null where it does not stand there.
function componentPlace(text, name) {
  const lines = text.split('\n'), plain = name.replace(/\[.*/, '').split('.')[0];
  let inComponents = false;
  for (let i = 0; i < lines.length; ++i) {
    if (/^\S/.test(lines[i]) && !lines[i].startsWith('#')) inComponents = /^components\s*:/.test(lines[i]);
    const at = /^(\s+)(["']?)([\w.[\]]+)\2\s*:/.exec(lines[i]);
    if (inComponents && at && at[3].replace(/\[.*/, '') === plain) return {line: i, ch: at[1].length, end: at[1].length + at[3].length};
  }
  return null;
}
// The component that a line of the text is about, or ''.
function componentAt(text, line) {
  const place = yamlPlace(text.split('\n').slice(0, line + 1).join('\n'));
  return place.path[0] === 'components' && place.path[1] || '';
}
