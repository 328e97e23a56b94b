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

/** The page's ink, for what style sheets do not reach: the scenes of surfaces. */
function inked(layout, element) {
  const color = getComputedStyle(element).color;
  return { ...layout, font: { ...layout.font, color }, autosize: true };
}

export default function ({ parentElement, data }) {
  const { figure, config, alt, program } = JSON.parse(new TextDecoder().decode(data));
  let place = parentElement.querySelector('.mlfs-figure');
  if (!place) {
    place = document.createElement('div');
    place.className = 'mlfs-figure';
    place.setAttribute('role', 'figure');
    parentElement.append(place);
    place.observer = new ResizeObserver(() => place.shown && window.Plotly.Plots.resize(place));
    place.observer.observe(place);
  }
  place.setAttribute('aria-label', alt);
  place.style.height = `${figure.layout.height}px`;
  place.wanted = figure;
  plotly(program).then(async (Plotly) => {
    // Of several specs that arrived meanwhile only the last is drawn; a place that is gone needs none.
    if (place.wanted !== figure || !place.isConnected) return;
    await Plotly.react(place, figure.data, inked(figure.layout, place), config);
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
