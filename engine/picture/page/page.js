// The page of one run, and the link to where one is in it: #t=1.25&view=iso
const viewer = new Viewer();

function readLink() {
  const link = new URLSearchParams(location.hash.slice(1)), {orbit, three, state} = viewer;
  if (link.has('theme')) viewer.theme(link.get('theme') === 'dark');
  if (link.has('view') && orbit && ['x', 'y', 'z', 'iso', 'home'].includes(link.get('view'))) orbit.view(link.get('view'));
  if (link.has('t') && isFinite(+link.get('t'))) {
    viewer.play(false);
    viewer.choose(viewer.chapterOf(+link.get('t')));
    viewer.seek(+link.get('t'));
  }
  if (link.has('play')) viewer.play(link.get('play') !== '0');
  if (Viewer.speeds.includes(+link.get('speed'))) byId('speed').value = state.speed = +link.get('speed');
  const frame = viewer.model.frames.findIndex(f => f.name === link.get('follow'));
  if (three && frame >= 0) viewer.follow(frame);
  if (link.has('curves') && byId('curves').hidden === (link.get('curves') !== '0')) viewer.toggleCurves();
  if (link.has('list') && three && byId('list').hidden) byId('list-button').onclick();
}
function writeLink() {
  const {state} = viewer, link = 't=' + +state.t.toFixed(viewer.decimals + 3) + (state.view ? '&view=' + state.view : '');
  if (location.hash.slice(1) === link) return;
  try { history.replaceState(null, '', '#' + link); } catch (e) { /* not from every place */ }
}

viewer.take(RunData.decoded(byId('data').textContent, byId('blob').textContent));
byId('blob').textContent = '';
readLink();
viewer.onpause = writeLink;
window.addEventListener('hashchange', readLink);
window.cardan = viewer;  // for tests
