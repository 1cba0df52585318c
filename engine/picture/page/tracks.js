// Tracks: what the page holds, decoded, and its values at a time.
'use strict';
const model = JSON.parse(document.getElementById('data').textContent);
const bytes = (() => {
  const text = atob(document.getElementById('blob').textContent.trim());
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  return out.buffer;
})();
document.getElementById('blob').textContent = '';
const times = model.times, first = times[0], last = times[times.length - 1];

// A list of numbers of the page: as it is, or a place in its bytes.
const floats = x => Array.isArray(x) ? x : x.double ? new Float64Array(bytes, x.at, x.count) : new Float32Array(bytes, x.at, x.count);
const octets = x => new Uint8Array(bytes, x.at, x.count);
const indices = x => new Uint32Array(bytes, x.at, x.count);

// Numbers that vary: `width` of them at every time, or the same at all times.
class Track {
  constructor(x, width) {
    this.width = width;
    this.values = floats(x);
    this.varies = this.values.length > width;
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

// The row at or before a time, the later one of two at an event, and the share of the way to the
// next.
function placeOf(t, ts = times) {
  let low = 0, high = ts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ts[middle] <= t) low = middle; else high = middle - 1;
  }
  const next = ts[low + 1];
  return {row: low, share: next > ts[low] && t > ts[low] ? (t - ts[low]) / (next - ts[low]) : 0};
}

const curves = model.curves.map(c => Object.assign({}, c, {values: floats(c.values), times: c.times ? floats(c.times) : times}));

function formatNumber(x) {
  if (!isFinite(x)) return String(x);
  if (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6)) return x.toExponential(3);
  return String(+x.toPrecision(5));
}
