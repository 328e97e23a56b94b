// A figure that is drawn once and then only changed: a new spec of the same figure goes to Plotly.react, so that the
// picture never goes blank, and the page keeps its place while Plotly's own program is still on its way.

const programs = new Map();

/** Plotly itself, fetched once for a page, from where Streamlit's own scripts come. */
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

/** The layout for the room there is. */
function fitted(layout, element) {
  const narrow = layout.meta?.narrow;
  return narrow && element.clientWidth < NARROW ? { ...layout, ...narrow } : layout;
}

/** The page's ink, for what style sheets do not reach: the scenes of surfaces. */
function inked(layout, element) {
  const color = getComputedStyle(element).color;
  return { ...layout, font: { ...layout.font, color }, autosize: true };
}

/** Draw the figure that is wanted, as high as it is to be. */
function draw(place, config) {
  const layout = fitted(place.wanted.layout, place);
  place.style.height = `${layout.height}px`;
  place.isNarrow = layout !== place.wanted.layout;
  return window.Plotly.react(place, place.wanted.data, inked(layout, place), config);
}

/** After a change of the window: the same arrangement in another size, or the other arrangement. */
function resize(place, config) {
  if (!place.shown) return;
  if (place.isNarrow === (fitted(place.wanted.layout, place) !== place.wanted.layout)) window.Plotly.Plots.resize(place);
  else draw(place, config);
}

export default function ({ parentElement, data }) {
  const { figure, config, alt, program } = JSON.parse(new TextDecoder().decode(data));
  let place = parentElement.querySelector('.mlfs-figure');
  if (!place) {
    place = document.createElement('div');
    place.className = 'mlfs-figure';
    place.setAttribute('role', 'figure');
    parentElement.append(place);
    place.observer = new ResizeObserver(() => resize(place, config));
    place.observer.observe(place);
  }
  place.setAttribute('aria-label', alt);
  place.style.height = `${fitted(figure.layout, place).height}px`;
  place.wanted = figure;
  plotly(program).then(async () => {
    // Of several specs that arrived meanwhile only the last is drawn; a place that is gone needs none.
    if (place.wanted !== figure || !place.isConnected) return;
    await draw(place, config);
    place.shown = true;
    if (!window.mlfsDrawn) {
      window.mlfsDrawn = true;
      document.dispatchEvent(new Event('mlfs-drawn'));
    }
  });
  return () => {
    place.observer.disconnect();
    if (place.shown) window.Plotly.purge(place);
    place.remove();
  };
}
