// Elements, made and asked.
'use strict';

// element('button', {title: 'x', onclick: f}, 'text', child, ...)
function element(tag, properties = {}, ...children) {
  const e = Object.assign(document.createElement(tag), properties);
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}

// A question in a window of its own; resolves to the value of the choice, null where it is closed.
// `choices`: [['text', value], ...]; `content`: elements.
function ask(title, content, choices) {
  const dialog = byId('dialog');
  return new Promise(resolve => {
    const done = value => { dialog.onclose = null; dialog.close(); resolve(value); };
    const buttons = choices.map(([text, value]) => element('button', {type: 'button', onclick: () => done(typeof value === 'function' ? value() : value)}, text));
    dialog.replaceChildren(element('h2', {}, title), ...content, element('div', {className: 'choices'}, ...buttons));
    dialog.onclose = () => resolve(null);
    dialog.showModal();
  });
}

// The lines of two texts as one list: ' ', '-' of the first alone, '+' of the second alone.
function lineDifference(before, after) {
  const a = before.split('\n'), b = after.split('\n');
  let first = 0, lastA = a.length, lastB = b.length;
  while (first < lastA && first < lastB && a[first] === b[first]) ++first;
  while (lastA > first && lastB > first && a[lastA - 1] === b[lastB - 1]) { --lastA; --lastB; }
  const x = a.slice(first, lastA), y = b.slice(first, lastB);
  const list = a.slice(0, first).map(l => [' ', l]);
  if (x.length * y.length > 4e6) list.push(...x.map(l => ['-', l]), ...y.map(l => ['+', l]));
  else list.push(...commonLines(x, y));
  return list.concat(a.slice(lastA).map(l => [' ', l]));
}
// By the longest list of lines that both have.
function commonLines(x, y) {
  const n = y.length + 1, best = new Uint32Array((x.length + 1) * n), list = [];
  for (let i = x.length - 1; i >= 0; --i) {
    for (let k = y.length - 1; k >= 0; --k) best[i * n + k] = x[i] === y[k] ? best[(i + 1) * n + k + 1] + 1 : Math.max(best[(i + 1) * n + k], best[i * n + k + 1]);
  }
  let i = 0, k = 0;
  while (i < x.length || k < y.length) {
    if (i < x.length && k < y.length && x[i] === y[k]) { list.push([' ', x[i]]); ++i; ++k; }
    else if (k >= y.length || (i < x.length && best[(i + 1) * n + k] >= best[i * n + k + 1])) list.push(['-', x[i++]]);
    else list.push(['+', y[k++]]);
  }
  return list;
}
// As an element, with three lines around what differs.
function differenceElement(before, after) {
  const list = lineDifference(before, after), near = list.map((l, i) => list.slice(Math.max(0, i - 3), i + 4).some(o => o[0] !== ' '));
  const box = element('div', {className: 'difference'});
  list.forEach(([kind, text], i) => {
    if (near[i]) box.append(element('div', {className: kind === '-' ? 'gone' : kind === '+' ? 'come' : ''}, kind + ' ' + text));
    else if (i && near[i - 1]) box.append(element('div', {}, '  ...'));
  });
  return box;
}
