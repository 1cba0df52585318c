// Splitters between the panes: dragged, or moved by the arrow keys; the widths are kept in the browser.
'use strict';

function connectSplitters(changed) {
  for (const bar of document.querySelectorAll('.splitter')) {
    const pane = byId(bar.dataset.of), key = 'width of ' + pane.id;
    const set = width => {
      pane.style.width = Math.max(80, Math.min(width, innerWidth - 300)) + 'px';
      localStorage.setItem(key, pane.style.width);
      changed();
    };
    if (localStorage.getItem(key)) pane.style.width = localStorage.getItem(key);
    bar.tabIndex = 0;
    bar.setAttribute('role', 'separator');
    bar.onpointerdown = e => { bar.setPointerCapture(e.pointerId); bar.classList.add('on'); };
    bar.onpointermove = e => { if (bar.classList.contains('on')) set(e.clientX - pane.getBoundingClientRect().left); };
    bar.onpointerup = bar.onpointercancel = () => bar.classList.remove('on');
    bar.onkeydown = e => {
      const by = {ArrowLeft: -20, ArrowRight: 20}[e.key];
      if (by) { set(pane.clientWidth + by); e.stopPropagation(); e.preventDefault(); }
    };
  }
}
