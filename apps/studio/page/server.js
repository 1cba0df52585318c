// Server: what the page asks of the program. The token stands behind the # of the address that the program
// prints, and goes with every question.
'use strict';

class ServerError extends Error {
  constructor(message, status, answer) {
    super(message);
    this.status = status;  // 0: nobody answers
    this.answer = answer;
  }
}

const server = {
  token: '',
  page: Math.random().toString(36).slice(2),  // this page, among others of the same program
  ongone: () => {},  // nobody answers
  onback: () => {},  // somebody does again
  gone: false,

  // Takes the token from the address, where nobody needs to see it.
  begin() {
    const link = new URLSearchParams(location.hash.slice(1));
    if (link.has('token')) {
      sessionStorage.setItem('token', link.get('token'));
      link.delete('token');
      history.replaceState(null, '', location.pathname + (String(link) ? '#' + link : ''));
    }
    this.token = sessionStorage.getItem('token') || '';
  },
  async request(target, question, signal) {
    let response;
    try {
      response = await fetch(target, {method: 'POST', body: JSON.stringify(question), signal,
        headers: {'Content-Type': 'application/json', 'X-Cardan-Token': this.token}});
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      if (!this.gone) this.ongone();
      this.gone = true;
      throw new ServerError('the program does not answer', 0);
    }
    if (this.gone) {
      this.gone = false;
      this.onback();
    }
    if (response.ok) return response;
    const text = await response.text();
    let answer = null;
    try { answer = JSON.parse(text); } catch (e) { /* a refusal is plain text */ }
    throw new ServerError(answer && answer.error || text.trim(), response.status, answer);
  },
  async ask(target, question = {}) { return (await this.request(target, question)).json(); },

  // The packets of an answer, one after another: {last, answer, bytes}.
  async *packets(target, question, signal) {
    const reader = (await this.request(target, question, signal)).body.getReader();
    let rest = new Uint8Array(0);
    while (true) {
      const {value, done} = await reader.read();
      if (done) return;
      const joined = new Uint8Array(rest.length + value.length);
      joined.set(rest);
      joined.set(value, rest.length);
      rest = joined;
      while (rest.length >= 12) {
        const [kind, json, bytes] = new Uint32Array(rest.slice(0, 12).buffer);
        if (rest.length < 12 + json + bytes) break;
        const answer = JSON.parse(new TextDecoder().decode(rest.subarray(12, 12 + json)));
        const own = rest.slice(12 + json, 12 + json + bytes).buffer;  // a copy, which begins at 0
        rest = rest.slice(12 + json + bytes);
        yield {last: kind === 2, answer, bytes: own};
      }
    }
  },
};
