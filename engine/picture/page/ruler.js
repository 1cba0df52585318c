// Ruler: distances between the origins of two frames, each a line in the scene and a curve.
class Ruler {
  constructor(model, from, to, color) {
    this.model = model;
    this.from = from;
    this.to = to;
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6), 3));
    this.line = new THREE.Line(g, new THREE.LineBasicMaterial({color, depthTest: false}));
    this.line.frustumCulled = false;
    this.line.renderOrder = 2;
    model.root.add(this.line);
    model.rulers.push(this);
    this.curve = {name: '|' + model.nameOf(to) + ' - ' + model.nameOf(from) + '|', unit: 'm', description: 'distance between the origins of these frames', shown: true,
      times: model.times, values: Float64Array.from(model.times, (t, row) => this.measure(row, 0))};
    model.data.curves = [...model.data.curves, this.curve];
  }

  // [m]  between two rows; the line is moved there.
  measure(row, share) {
    const {position} = this.line.geometry.attributes, ends = [this.from, this.to].map(f => this.model.originOf(f, row, share));
    position.array.set(ends[0], 0);
    position.array.set(ends[1], 3);
    position.needsUpdate = true;
    return Math.hypot(...ends[0].map((x, k) => ends[1][k] - x));
  }
  remove() {
    const {model} = this;
    model.root.remove(this.line);
    this.line.geometry.dispose();
    this.line.material.dispose();
    model.rulers = model.rulers.filter(r => r !== this);
    model.data.curves = model.data.curves.filter(c => c !== this.curve);
  }
}
