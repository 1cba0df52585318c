// Camera: it looks at a point from a direction; mouse and fingers turn, move and bring it near.
class OrbitCamera {
  constructor(canvas, changed) {
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.1, 100);
    this.up = new THREE.Vector3();
    this.low = new THREE.Vector3();
    this.high = new THREE.Vector3();
    this.size = 1;
    this.near = null;  // what a view shows in place of all: {low, high}
    this.target = new THREE.Vector3();
    this.offset = new THREE.Vector3(1, 0, 0);
    this.changed = changed;
    this.moved = false;
    this.pointers = new Map();
    canvas.addEventListener('pointerdown', e => this.down(e));
    canvas.addEventListener('pointermove', e => this.move(e));
    for (const type of ['pointerup', 'pointercancel']) canvas.addEventListener(type, e => this.pointers.delete(e.pointerId));
    canvas.addEventListener('contextmenu', e => e.preventDefault());
    canvas.addEventListener('wheel', e => {
      e.preventDefault();
      this.zoom(Math.exp(Math.max(-300, Math.min(300, e.deltaY * (e.deltaMode ? 20 : 1))) * 0.0015));
    }, {passive: false});
    this.canvas = canvas;
  }

  // What all is, and where up; the view stays as it is.
  take(model) {
    this.up.fromArray(model.up).normalize();
    this.camera.up.copy(this.up);
    this.low.fromArray(model.lowest);
    this.high.fromArray(model.highest);
    this.size = Math.max(this.high.distanceTo(this.low), 1e-9);
  }
  // Axes that the eye knows: `up`, and two across it.
  across() {
    const x = Math.abs(this.up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
    const right = x.clone().addScaledVector(this.up, -x.dot(this.up)).normalize();
    return {right, front: new THREE.Vector3().crossVectors(right, this.up)};
  }
  // From a direction, far enough to see all, or what goes with the followed frame.
  view(name) {
    const axes = {x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1]};
    const {right, front} = this.across();
    if (axes[name]) {
      this.offset.fromArray(axes[name]);
    } else {
      const side = name === 'iso' ? 1 : 0.55, above = name === 'iso' ? 0.816 : 0.42;
      this.offset.copy(front).addScaledVector(right, side).addScaledVector(this.up, above);
    }
    const {low, high} = this.near || this;
    this.target.addVectors(low, high).multiplyScalar(0.5);
    this.offset.normalize().multiplyScalar(this.distanceToSeeAll());
    this.changed(name);
  }
  // The nearest at which all corners of the box around everything are seen.
  distanceToSeeAll() {
    const back = this.offset.clone().normalize();
    let up = this.upFor(back);
    const right = new THREE.Vector3().crossVectors(up, back).normalize();
    up = new THREE.Vector3().crossVectors(back, right);
    const tan = Math.tan(this.camera.fov * Math.PI / 360), p = new THREE.Vector3();
    const {low, high} = this.near || this;
    let distance = 0;
    for (let c = 0; c < 8; ++c) {
      p.set(c & 1 ? low.x : high.x, c & 2 ? low.y : high.y, c & 4 ? low.z : high.z).sub(this.target);
      const tall = Math.abs(p.dot(up)) / tan, wide = Math.abs(p.dot(right)) / tan / this.camera.aspect;
      distance = Math.max(distance, Math.max(tall, wide) * 1.08 + p.dot(back));
    }
    return Math.max(distance, 1e-6 * this.size);
  }
  upFor(back) {
    return Math.abs(back.dot(this.up)) > 0.9999 ? this.across().front.clone().negate() : this.up;
  }

  down(e) {
    this.canvas.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, {x: e.clientX, y: e.clientY});
    if (this.pointers.size === 1) this.moved = false;
  }
  move(e) {
    const p = this.pointers.get(e.pointerId);
    if (!p) return;
    const dx = e.clientX - p.x, dy = e.clientY - p.y;
    if (Math.abs(dx) + Math.abs(dy) < (this.moved ? 1 : 4)) return;
    this.moved = true;
    if (this.pointers.size === 2) {
      const other = [...this.pointers].find(([id]) => id !== e.pointerId)[1];
      const before = Math.hypot(p.x - other.x, p.y - other.y), now = Math.hypot(e.clientX - other.x, e.clientY - other.y);
      if (now > 0) this.zoom(before / now);
      this.pan(dx / 2, dy / 2);
    } else if (e.buttons & 2 || e.buttons & 4 || e.shiftKey) {
      this.pan(dx, dy);
    } else {
      this.turn(dx, dy);
    }
    p.x = e.clientX;
    p.y = e.clientY;
  }
  turn(dx, dy) {
    const angle = Math.PI / this.canvas.clientHeight;
    this.offset.applyAxisAngle(this.up, -dx * angle);
    const back = this.offset.clone().normalize();
    const side = new THREE.Vector3().crossVectors(this.upFor(back), back).normalize();
    const pole = back.angleTo(this.up), wanted = Math.min(Math.PI - 0.02, Math.max(0.02, pole - dy * angle));
    this.offset.applyAxisAngle(side, wanted - pole);
    this.changed('');
  }
  pan(dx, dy) {
    const back = this.offset.clone().normalize(), perPixel = 2 * this.offset.length() * Math.tan(this.camera.fov * Math.PI / 360) / this.canvas.clientHeight;
    const side = new THREE.Vector3().crossVectors(this.upFor(back), back).normalize();
    this.target.addScaledVector(side, -dx * perPixel).addScaledVector(new THREE.Vector3().crossVectors(back, side), dy * perPixel);
    this.changed('');
  }
  zoom(factor) {
    const distance = this.offset.length() * factor;
    if (distance > this.size * 1e-5 && distance < this.size * 50) this.offset.multiplyScalar(factor);
    this.changed('');
  }

  // `shift`: how far the followed frame has gone.
  place(shift, width, height) {
    const c = this.camera, back = this.offset.clone().normalize(), distance = this.offset.length();
    c.aspect = width / Math.max(height, 1);
    c.up.copy(this.upFor(back));
    c.position.copy(this.target).add(shift).add(this.offset);
    c.lookAt(this.target.clone().add(shift));
    c.near = Math.max(distance / 300, (distance - 2 * this.size) * 0.5);
    c.far = distance + 3 * this.size;
    c.updateProjectionMatrix();
  }
}
