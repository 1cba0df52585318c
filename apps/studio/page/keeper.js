// Keeper: texts that are not saved yet, kept in the browser, so that neither a reload nor the end of the
// program loses what was typed.
'use strict';

class Keeper {
  constructor(folder) { this.begin = 'text of ' + folder + '/'; }
  // {text, stamp}: what was typed, and the stamp of the file that it began from; or null.
  find(file) {
    try { return JSON.parse(localStorage.getItem(this.begin + file)); } catch (e) { return null; }
  }
  // False where the browser has no room.
  keep(file, text, stamp) {
    try {
      localStorage.setItem(this.begin + file, JSON.stringify({text, stamp}));
      return true;
    } catch (e) {
      return false;
    }
  }
  forget(file) { localStorage.removeItem(this.begin + file); }
  files() {
    return Object.keys(localStorage).filter(k => k.startsWith(this.begin)).map(k => k.slice(this.begin.length)).sort();
  }
}
