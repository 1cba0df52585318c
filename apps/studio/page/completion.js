// Completion: what may stand at a place of a model file, as the program's own schema says.
'use strict';

class Completion {
  constructor() { this.schema = null; }

  // All that a schema may be, with what is behind references and choices. `type`: of the component at hand.
  expand(schemas, type, seen = new Set()) {
    const list = [];
    for (const s of schemas) {
      if (!s || typeof s !== 'object' || seen.has(s)) continue;
      seen.add(s);
      list.push(s);
      const more = [s.allOf, s.anyOf, s.oneOf].flatMap(x => x || []);
      if (s.$ref) more.push(this.schema.definitions[s.$ref.replace('#/definitions/', '').replace(/~1/g, '/')]);
      if (s.if) {
        const of = s.if.properties && s.if.properties.type && s.if.properties.type.const;
        if (of === undefined) more.push(s.then, s.else);
        else if (of === type) more.push(s.then);
      }
      list.push(...this.expand(more, type, seen));
    }
    return list;
  }
  // The schemas of what stands at a path.
  at(path, text) {
    let list = this.expand([this.schema]), types = null;
    path.forEach((key, i) => {
      const next = [];
      for (const s of list) {
        if (key === '*') { if (s.items) next.push(...[].concat(s.items)); continue; }
        const known = s.properties && s.properties[key];
        if (known) next.push(known);
        else if (typeof s.additionalProperties === 'object') next.push(s.additionalProperties);
      }
      const isComponent = i > 0 && path[i - 1] === 'components';
      if (isComponent && !types) types = componentTypes(text);
      list = this.expand(next, isComponent ? types.get(key) : undefined);
    });
    return list;
  }
  static describe(s) {
    const d = s.default === undefined ? '' : ' (default: ' + JSON.stringify(s.default) + ')';
    return (s.description || '') + d;
  }
  // Keys or values that may stand there: [{text, about, isKey}], in the schema's order.
  candidates(place, text) {
    const found = new Map(), list = this.at(place.path, text);
    const add = (name, about = '', isKey = false) => { if (!found.has(String(name))) found.set(String(name), {text: String(name), about, isKey}); };
    for (const s of list) {
      if (!place.inValue) for (const [key, value] of Object.entries(s.properties || {})) add(key, Completion.describe(this.expand([value]).find(o => o.description) || value), true);
      if (!place.inValue && !place.path.length) continue;
      if (s.enum && !(s.not && s.not.enum === s.enum)) s.enum.forEach((v, i) => add(v, (s.enumDescriptions || [])[i]));
      if (place.inValue && [].concat(s.type || []).includes('boolean')) { add('true'); add('false'); }
    }
    return [...found.values()];
  }
  // What is known of the key that a path ends with.
  about(path, text) {
    const list = this.at(path, text);
    const s = list.find(o => o.description) || list.find(o => o.title);
    return s ? Completion.describe(s) || s.title : '';
  }
  // For CodeMirror's show-hint.
  hint(cm) {
    if (!this.schema) return null;
    const cursor = cm.getCursor(), before = cm.getRange({line: 0, ch: 0}, cursor), place = yamlPlace(before);
    const begun = /[\w.[\]]*$/.exec(place.word)[0], small = begun.toLowerCase();
    const all = this.candidates(place, cm.getValue());
    const rank = c => c.text.startsWith(begun) ? 0 : c.text.toLowerCase().startsWith(small) ? 1 : 2;
    const list = all.filter(c => c.text.toLowerCase().includes(small) && c.text !== begun).sort((a, b) => rank(a) - rank(b));
    if (!list.length) return null;
    return {from: {line: cursor.line, ch: cursor.ch - begun.length}, to: cursor, list: list.slice(0, 200).map(c => ({
      text: c.text + (c.isKey ? ': ' : ''),
      render: e => e.append(c.text, element('small', {}, c.about.length > 90 ? c.about.slice(0, 88) + '\u2026' : c.about))}))};
  }
}
