// A figure that is drawn once and then only changed: a new spec of the same figure goes to Plotly.react, so that the
// picture never goes blank, and the page keeps its place while Plotly's own program is still on its way.
//
// Traces say in their `meta` what they stand for: a method, features, labels. A click marks the same in every figure of
// the page, without asking the server; where the page wants to know, it is told what was clicked, instead or as well.

const programs = new Map();

/** Plotly itself, in one of its sizes, fetched once for a page, from where Streamlit's own scripts come. */
function plotly(path) {
  if (!programs.has(path)) {
    const own = document.querySelector('script[src*="/static/js/"]');
    programs.set(path, new Promise((found, failed) => {
      const script = document.createElement('script');
      script.src = new URL(`../../${path}`, own.src);
      script.onload = () => found(window.Plotly);
      script.onerror = failed;
      document.head.append(script);
    }));
  }
  return programs.get(path);
}

// Pixels below which panels stand one below the other, where the figure says how.
const NARROW = 560;
// The digits of cells there, by the room that they have: this share of the figure's width, and of a digit's height.
const DIGITS = { least: 9, most: 12, cells: 0.6, width: 0.7 };
// On a wall, which is so many pixels wide, a figure ends with the screen, unless that would take more than the rest of
// its height. Panels side by side are so many times as high where there is room, and leave some for what is below them.
const WALL = 1000;
const GROWN = 1.6;
const BELOW = 120;
// The margins above and below panels, as mlfs/plots/curves.py counts them.
const AROUND = 80;
const SHORTEST = 0.6;
// From one name beside a row to the next, by the size of its letters.
const LINE = 1.15;
// The axes of before are kept unless the curves would take less than this share of them.
const LEAST = 0.35;

const LOOK = `
.mlfs-figure { position: relative; }
.mlfs-figure > svg.mlfs-before, .mlfs-figure > svg.mlfs-marks
  { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; overflow: hidden; }
.mlfs-figure .mlfs-dimmed { opacity: 0.15 !important; }
.mlfs-figure .mlfs-near .js-fill { fill-opacity: 0.25 !important; }
.mlfs-figure.mlfs-clicks .nsewdrag { cursor: pointer !important; }
.mlfs-before path { fill: none; stroke: #808080; stroke-width: 2; stroke-opacity: 0.75; }
.mlfs-before text { fill: currentColor; font-size: 11px; opacity: 0.8; }
.mlfs-marks .line { fill: none; stroke: currentColor; stroke-width: 3; }
.mlfs-marks .point { fill: none; stroke: currentColor; stroke-width: 2; }
.mlfs-marks .cells { fill: none; stroke: currentColor; stroke-width: 2; }
tr.mlfs-marked > *, th.mlfs-marked { box-shadow: inset 0 2px currentColor, inset 0 -2px currentColor; }
`;

function isNarrow(element) {
  return element.clientWidth < NARROW;
}

/** The layout for the room there is. */
function fitted(layout, element) {
  const { narrow, enlarged } = layout.meta ?? {};
  if (narrow && isNarrow(element)) return { ...layout, ...narrow };
  return enlarged ? onWall(layout, heightOnWall(layout, element), enlarged) : layout;
}

/** The layout in another height: a legend keeps its pixels above the panels, as if it were written for that height. */
function onWall(layout, height, enlarged) {
  const drawn = (whole) => whole - AROUND * enlarged;
  const { legend } = layout;
  if (!legend?.y) return { ...layout, height };
  return { ...layout, height, legend: { ...legend, y: 1 + (legend.y - 1) * (drawn(layout.height) / drawn(height)) } };
}

/** No more than the screen has left below the words; panels below each other are laid out in pixels, and keep theirs. */
function heightOnWall({ height, meta, yaxis, yaxis2 }, element) {
  if (window.innerWidth < WALL) return height;
  if (yaxis2?.domain && String(yaxis2.domain) !== String(yaxis?.domain)) return height;
  const scrolled = element.closest('[data-testid=stMain]')?.scrollTop ?? 0;
  const room = window.innerHeight - element.getBoundingClientRect().top - scrolled;
  if (room < SHORTEST * height) return height;
  const most = meta.narrow ? Math.max(height, Math.min(GROWN * height, room - BELOW)) : height;
  return Math.min(most, Math.max(room, heightOfNames(element)));
}

/** So high is a figure, as it is drawn, at the least: names beside its rows would touch each other. */
function heightOfNames({ _fullLayout: drawn }) {
  const names = drawn?.yaxis?.ticktext;
  return names ? drawn._size.t + drawn._size.b + names.length * drawn.yaxis.tickfont.size * LINE : 0;
}

/** How large the numbers in the cells of a heat map may be, so that they fit. */
function sizeOfDigits({ text }, element) {
  const columns = Math.max(...text.map((row) => row.length));
  const longest = Math.max(...text.flat().map((word) => word.length));
  const room = (element.clientWidth * DIGITS.cells) / columns / (longest * DIGITS.width);
  return Math.min(Math.max(room, DIGITS.least), DIGITS.most);
}

/** Lines and points as thick as they have to be on a wall. */
function thickened({ mode = 'lines', line, marker }, times) {
  const thick = {};
  if (mode.includes('lines')) thick.line = { ...line, width: (line?.width ?? 2) * times };
  if (mode.includes('markers') && !Array.isArray(marker?.size)) {
    thick.marker = { ...marker, size: (marker?.size ?? 6) * times };
  }
  return thick;
}

/** The traces for it: cells that say their numbers need no scale beside them, and smaller digits; larger on a wall. */
function fittedTraces(data, layout, element) {
  const times = isNarrow(element) ? 1 : layout.meta?.enlarged ?? 1;
  return data.map((trace) => {
    const written = { ...trace };
    if (times > 1 && trace.type === 'scatter') Object.assign(written, thickened(trace, times));
    if (trace.textfont?.size) written.textfont = { ...trace.textfont, size: trace.textfont.size * times };
    if (trace.type === 'heatmap' && trace.texttemplate) {
      const size = sizeOfDigits(trace, element);
      if (isNarrow(element)) Object.assign(written, { showscale: false, textfont: { ...trace.textfont, size } });
      else if (times > 1) written.textfont = { ...trace.textfont, size: (trace.textfont?.size ?? 12) * times };
    }
    return written;
  });
}

/** The page's ink, for what style sheets do not reach: the scenes of surfaces. */
function inked(layout, element) {
  const color = getComputedStyle(element).color;
  return { ...layout, font: { ...layout.font, color }, autosize: true };
}

/** The layout with axes that stay while a slider moves, and grow when they must. */
function held(layout, place) {
  const within = place.moves?.within;
  if (!within) return layout;
  if (place.held?.within !== within) place.held = { within, ranges: {} };
  const { ranges } = place.held;
  const kept = { ...layout };
  for (const [name, axis] of Object.entries(layout)) {
    if (!name.startsWith('yaxis') || !axis.range) continue;
    const [low, high] = axis.range;
    const [lowest, highest] = ranges[name] ?? axis.range;
    const both = [Math.min(low, lowest), Math.max(high, highest)];
    ranges[name] = high - low < LEAST * (both[1] - both[0]) ? axis.range : both;
    kept[name] = { ...axis, range: ranges[name] };
  }
  return kept;
}

/** Draw the figure that is wanted, as high as it is to be. */
function draw(place, config) {
  const layout = fitted(place.wanted.layout, place);
  place.style.height = `${layout.height}px`;
  place.isNarrow = isNarrow(place);
  const traces = fittedTraces(place.wanted.data, layout, place);
  place.drawn = place.wanted;
  return place.plotly.react(place, traces, inked(held(layout, place), place), config).then(() => {
    // How much of the figure is left for its rows is known once it is drawn.
    const isDrawn = place.drawn === place.wanted && place.isConnected;
    return isDrawn && fitted(place.wanted.layout, place).height > layout.height ? draw(place, config) : undefined;
  });
}

/** After a change of the window: the same arrangement in another size, or the other arrangement; on a wall each size
    has its own, and so has each place, which what stands above may change. */
function resize(place, config, changed) {
  if (!place.shown || !place.isConnected) return;
  const { enlarged } = place.wanted.layout.meta ?? {};
  if (!changed.some(({ target }) => target === place)) {
    const { height } = fitted(place.wanted.layout, place);
    if (!enlarged || `${height}px` === place.style.height) return;
  }
  if (place.isNarrow === isNarrow(place) && !enlarged) place.plotly.Plots.resize(place);
  else draw(place, config);
}

// What is drawn over and under the figure

/** An empty layer of the figure: 'before' lies under it, 'marks' over it. */
function layer(place, name) {
  let svg = place.querySelector(`:scope > svg.mlfs-${name}`);
  if (!svg) {
    svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('class', `mlfs-${name}`);
    svg.setAttribute('aria-hidden', 'true');
    if (name === 'before') place.prepend(svg);
    else place.append(svg);
  }
  svg.replaceChildren();
  return svg;
}

function shape(svg, kind, attributes, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  svg.append(made);
}

/** The axes of a trace, and from their values to pixels of the figure. */
function pixels(place, trace) {
  const [x, y] = ['xaxis', 'yaxis'].map((side) => place._fullLayout[(trace[side] ?? side[0]).replace(/^[xy]/, side)]);
  if (!x?._length || !y?._length) return null;
  return { x, y, at: (a, b) => [x._offset + x.d2p(a), y._offset + y.d2p(b)] };
}

/** A line through points, broken where one is missing. */
function path(to, xs, ys) {
  let pen = 'M';
  return Array.from(xs, (x, i) => {
    const [a, b] = to.at(x, ys[i]);
    if (!Number.isFinite(a) || !Number.isFinite(b)) { pen = 'M'; return ''; }
    const step = `${pen}${a.toFixed(1)} ${b.toFixed(1)}`;
    pen = 'L';
    return step;
  }).join('');
}

/** Keep the curves that are drawn, as those of before, when another setting is on its way. */
function remember(place, moves) {
  const before = place.moves;
  if (!place.shown || !before || !moves || before.within !== moves.within) { place.before = null; return; }
  if (before.setting === moves.setting) return;
  place.before = place._fullData
    .filter((trace) => trace.meta?.of?.method === before.method && trace.mode?.includes('lines') && trace.fill === 'none')
    .map(({ x, y, xaxis, yaxis }) => ({ x, y, xaxis, yaxis }));
}

/** The curves of the setting before, in grey under those of now. */
function drawBefore(place) {
  if (!place.before && !place.querySelector(':scope > svg.mlfs-before')) return;
  const svg = layer(place, 'before');
  for (const line of place.before ?? []) {
    const to = pixels(place, line);
    if (!to) continue;
    shape(svg, 'path', { d: path(to, line.x, line.y) });
    const [x, y] = to.at(line.x[line.x.length - 1], line.y[line.y.length - 1]);
    if (Number.isFinite(y)) shape(svg, 'text', { x: Math.max(x - 4, 0), y: y - 6, 'text-anchor': 'end' }, 'before');
  }
}

/** The names of the points of a trace: a list, or the property of the trace that holds them. */
function namesOf(trace, names) {
  return typeof names === 'string' ? trace[names] : names;
}

/** What the point stands for: kind → name. */
function standing({ data, pointNumber }) {
  const meta = data.meta ?? {};
  const found = { ...meta.of };
  const [row, column] = Array.isArray(pointNumber) ? pointNumber : [];
  const parts = row === undefined ? [[meta.each, pointNumber]] : [[meta.rows, row], [meta.columns, column]];
  for (const [kinds, place] of parts) {
    for (const [kind, names] of Object.entries(kinds ?? {})) {
      const name = namesOf(data, names)?.[place];
      if (name) found[kind] = name;
    }
  }
  return found;
}

/** Mark what was clicked last, wherever this figure has it. */
function drawMarks(place) {
  const marked = Object.entries(window.mlfsMarked ?? {});
  for (const dimmed of place.querySelectorAll('.mlfs-dimmed')) dimmed.classList.remove('mlfs-dimmed');
  if (!marked.length && !place.querySelector(':scope > svg.mlfs-marks')) return;
  const svg = layer(place, 'marks');
  for (const [kind, name] of marked) {
    const whole = place._fullData.filter((trace) => trace.meta?.of?.[kind]);
    if (whole.some((trace) => trace.meta.of[kind] === name)) dim(place, whole.filter((t) => t.meta.of[kind] !== name));
    for (const trace of place._fullData) markTrace(place, svg, trace, kind, name);
  }
}

/** Lines of others stand back, and so do their names in the legend. */
function dim(place, traces) {
  const names = new Set(traces.map((trace) => trace.name));
  for (const { uid } of traces) place.querySelector(`.trace${uid}`)?.classList.add('mlfs-dimmed');
  for (const entry of place.querySelectorAll('.legend .traces')) {
    if (names.has(entry.querySelector('.legendtext')?.getAttribute('data-unformatted'))) entry.classList.add('mlfs-dimmed');
  }
}

function markTrace(place, svg, trace, kind, name) {
  const to = trace.visible === true && pixels(place, trace);
  if (!to) return;
  const { rows, columns, each } = trace.meta ?? {};
  const across = (from, step) => {
    const [a, b] = [to.y._offset + to.y.d2p(from - step), to.y._offset + to.y.d2p(from + step)];
    shape(svg, 'rect', { class: 'cells', x: to.x._offset, width: to.x._length, y: Math.min(a, b), height: Math.abs(b - a) });
  };
  const down = (from, step) => {
    const [a, b] = [to.x._offset + to.x.d2p(from - step), to.x._offset + to.x.d2p(from + step)];
    shape(svg, 'rect', { class: 'cells', y: to.y._offset, height: to.y._length, x: Math.min(a, b), width: Math.abs(b - a) });
  };
  const row = rows?.[kind]?.indexOf(name) ?? -1;
  const column = columns?.[kind]?.indexOf(name) ?? -1;
  if (row >= 0) across(row, 0.5);
  if (column >= 0) down(column, 0.5);
  const names = namesOf(trace, each?.[kind]);
  if (!names) return;
  const places = Array.from(names, (each, i) => (each === name ? i : -1)).filter((i) => i >= 0);
  if (!places.length) return;
  if (trace.type === 'bar') {
    for (const i of places) trace.orientation === 'h' ? across(to.y.d2c(trace.y[i]), 0.45) : down(to.x.d2c(trace.x[i]), 0.45);
  } else if (places.length > 1 && trace.mode.includes('lines')) {
    shape(svg, 'path', { class: 'line', d: path(to, places.map((i) => trace.x[i]), places.map((i) => trace.y[i])) });
  } else if (trace.mode?.includes('markers')) {
    for (const i of places) {
      const [cx, cy] = to.at(trace.x[i], trace.y[i]);
      shape(svg, 'circle', { class: 'point', cx, cy, r: 9 });
    }
  }
}

/** Have every figure and table of the page mark this; what is marked already is marked no longer, unless it is `kept`. */
function mark(wanted, kept = false) {
  const same = !kept && JSON.stringify(wanted) === JSON.stringify(window.mlfsMarked ?? {});
  window.mlfsMarked = same ? {} : wanted;
  document.dispatchEvent(new Event('mlfs-marked'));
  const names = new Set(Object.values(window.mlfsMarked).map(shown));
  const isNamed = (cell) => names.has(cell?.textContent.trim());
  for (const row of document.querySelectorAll('[data-testid=stTable] tbody tr')) {
    row.classList.toggle('mlfs-marked', isNamed(row.querySelector('th, td')));
  }
  for (const head of document.querySelectorAll('[data-testid=stTable] thead th')) {
    head.classList.toggle('mlfs-marked', isNamed(head));
  }
}

/** A name as the page shows it: in figures it is written so that Plotly takes none of it for its own signs. */
function shown(name) {
  return name.replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

/** What a page is told of a click: where it was, and what stands there. */
function told({ x, y, pointNumber, data }, found) {
  const [row, column] = Array.isArray(pointNumber) ? pointNumber : [null, null];
  const number = (value) => (typeof value === 'number' ? value : null);
  const names = Object.fromEntries(Object.entries(found).map(([kind, name]) => [kind, shown(name)]));
  return { x: number(x), y: number(y), row, column, trace: data.name ?? '', names };
}

/** Of the points at one place of the axis, that of the line which the pointer is nearest to. */
function nearest(place, points, pointer) {
  const height = pointer.clientY - place.getBoundingClientRect().top;
  const away = ({ y, yaxis }) => Math.abs(yaxis._offset + yaxis.d2p(y) - height);
  const named = points.filter(({ data }) => data.meta);
  const lines = named.filter(({ y, yaxis }) => yaxis?.d2p && typeof y === 'number');
  return lines.length > 1 ? lines.reduce((best, point) => (away(point) < away(best) ? point : best)) : named[0] ?? points[0];
}

/** Bring out the band of the curve under the pointer, where bands have faded. */
function bringOut(place, point) {
  const method = point?.data.meta?.of?.method;
  if (method === place.near) return;
  place.near = method;
  for (const lit of place.querySelectorAll('.mlfs-near')) lit.classList.remove('mlfs-near');
  for (const { meta, fill, uid } of place._fullData) {
    if (method && meta?.of?.method === method && fill !== 'none') place.querySelector(`.trace${uid}`)?.classList.add('mlfs-near');
  }
}

/** Listen to the pointer, once for each figure. */
function listen(place) {
  let under = [];
  let answered = false;
  // A finger is told twice, as a touch and as the mouse that the browser makes of it: marked and unmarked at once.
  place.addEventListener('pointerdown', () => { answered = false; }, true);
  place.on('plotly_click', ({ points, event }) => {
    if (answered) return;
    answered = true;
    const point = nearest(place, points, event);
    const found = standing(point);
    if (place.tell) place.tell('click', told(point, found));
    if (place.doesMark && Object.keys(found).length) mark(found, Boolean(place.tell));
  });
  place.on('plotly_hover', ({ points, event }) => { under = points; bringOut(place, nearest(place, points, event)); });
  place.on('plotly_unhover', () => { under = []; bringOut(place); });
  place.onmousemove = (event) => { if (under.length) bringOut(place, nearest(place, under, event)); };
  place.on('plotly_afterplot', () => drawLayers(place));
  place.marks = () => drawMarks(place);
  document.addEventListener('mlfs-marked', place.marks);
}

/** Take away what is drawn, and the listeners that Plotly forgets with it. */
function erase(place) {
  place.plotly?.purge(place);
  document.removeEventListener('mlfs-marked', place.marks);
  Object.assign(place, { shown: false, marks: null });
}

function drawLayers(place) {
  drawBefore(place);
  drawMarks(place);
}

/** What all figures share: their look, and the key that unmarks. */
function prepare() {
  if (document.querySelector('style.mlfs-look')) return;
  const style = document.createElement('style');
  style.className = 'mlfs-look';
  style.textContent = LOOK;
  document.head.append(style);
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && Object.keys(window.mlfsMarked ?? {}).length) mark({});
  });
}

export default function ({ parentElement, data, setTriggerValue }) {
  const { figure, config, alt, program, clicks, moves } = JSON.parse(new TextDecoder().decode(data));
  prepare();
  let place = parentElement.querySelector('.mlfs-figure');
  if (!place) {
    place = document.createElement('div');
    place.className = 'mlfs-figure';
    place.setAttribute('role', 'figure');
    parentElement.append(place);
    place.observer = new ResizeObserver((changed) => resize(place, config, changed));
    place.observer.observe(place);
    const page = place.closest('[data-testid=stMain]')?.firstElementChild;
    if (page) place.observer.observe(page);
  }
  place.setAttribute('aria-label', alt);
  place.classList.toggle('mlfs-clicks', Boolean(clicks));
  place.style.height = `${fitted(figure.layout, place).height}px`;
  place.wanted = figure;
  place.tell = clicks ? setTriggerValue : null;
  place.doesMark = !clicks || clicks === 'marks';
  plotly(program).then(async (library) => {
    // Of several specs that arrived meanwhile only the last is drawn; a place that is gone needs none.
    if (place.wanted !== figure || !place.isConnected) return;
    if (place.plotly && place.plotly !== library) erase(place);
    place.plotly = library;
    remember(place, moves);
    place.moves = moves;
    const drawn = draw(place, config);
    if (!place.marks) listen(place);
    await drawn;
    place.shown = true;
    drawLayers(place);
    if (!window.mlfsDrawn) {
      window.mlfsDrawn = true;
      document.dispatchEvent(new Event('mlfs-drawn'));
    }
  });
  return () => {
    place.observer.disconnect();
    erase(place);
    place.remove();
  };
}
