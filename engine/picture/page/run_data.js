// Run data: what is known of a run, decoded, and its values at a time.
'use strict';

class RunData {
  // `model`: as the program writes it; `bytes`: an ArrayBuffer that lists of numbers in it lie in.
  constructor(model, bytes) {
    this.model = model;
    this.bytes = bytes;
    this.times = model.times;
    this.first = this.times[0];
    this.last = this.times[this.times.length - 1];
    this.curves = model.curves.map(c => Object.assign({}, c, {values: this.floats(c.values), times: c.times ? this.floats(c.times) : this.times}));
  }
  // As a page holds it: JSON, and the bytes in base 64.
  static decoded(json, base64) {
    const text = atob(base64.trim()), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
    return new RunData(JSON.parse(json), bytes.buffer);
  }

  // A list of numbers: as it is, or a place in the bytes.
  floats(x) { return Array.isArray(x) ? x : x.double ? new Float64Array(this.bytes, x.at, x.count) : new Float32Array(this.bytes, x.at, x.count); }
  octets(x) { return new Uint8Array(this.bytes, x.at, x.count); }
  indices(x) { return new Uint32Array(this.bytes, x.at, x.count); }
  track(x, width) { return new Track(this.floats(x), width); }
  placeOf(t) { return placeOf(t, this.times); }
}

// The row at or before a time, the later one of two at an event, and the share of the way to the
// next.
function placeOf(t, ts) {
  let low = 0, high = ts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ts[middle] <= t) low = middle; else high = middle - 1;
  }
  const next = ts[low + 1];
  return {row: low, share: next > ts[low] && t > ts[low] ? (t - ts[low]) / (next - ts[low]) : 0};
}

// Of a curve, between its rows on a straight line.
function valueOf({times, values}, t) {
  const {row, share} = placeOf(t, times);
  return values[row] + (share > 0 ? (values[row + 1] - values[row]) * share : 0);
}

// Numbers that vary: `width` of them at every time, or the same at all times.
class Track {
  constructor(values, width) {
    this.width = width;
    this.values = values;
    this.varies = values.length > width;
  }
  // Into `out`, between rows i and i + 1; turned about the shorter way and of length 1 for
  // quaternions.
  at(i, share, out, isQuaternion) {
    const w = this.width, v = this.values;
    if (!this.varies) {
      for (let k = 0; k < w; ++k) out[k] = v[k];
      return out;
    }
    const p = i * w, q = share > 0 ? p + w : p;
    let side = 1;
    if (isQuaternion) {
      let dot = 0;
      for (let k = 0; k < 4; ++k) dot += v[p + k] * v[q + k];
      if (dot < 0) side = -1;
    }
    let square = 0;
    for (let k = 0; k < w; ++k) {
      out[k] = v[p + k] + (side * v[q + k] - v[p + k]) * share;
      square += out[k] * out[k];
    }
    if (isQuaternion && square > 0) for (let k = 0; k < 4; ++k) out[k] /= Math.sqrt(square);
    return out;
  }
}

function formatNumber(x) {
  if (!isFinite(x)) return String(x);
  if (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6)) return x.toExponential(3);
  return String(+x.toPrecision(5));
}
