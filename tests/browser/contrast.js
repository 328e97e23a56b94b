// The words on the page that are hard to read: each with its contrast to what is behind it, from 1 to 21, where that is
// below what it needs: 4.5, and 3 for symbols. What cannot be used just now may be paler; what is written on the cells
// of a heat map and in bars is checked with the figures, in tests/plots.

() => {
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
    .getContext('2d', { willReadFrequently: true });
  const known = new Map();

  /** Any colour that style sheets know, as red, green, blue (0 to 255) and opacity (0 to 1). */
  function parsed(colour) {
    if (!known.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [red, green, blue, opacity] = pen.getImageData(0, 0, 1, 1).data;
      known.set(colour, [red, green, blue, opacity / 255]);
    }
    return known.get(colour);
  }

  const over = (top, opacity, below) => below.map((part, i) => top[i] * top[3] * opacity + part * (1 - top[3] * opacity));

  function lightness(rgb) {
    const [red, green, blue] = rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrast(one, other) {
    const [low, high] = [lightness(one), lightness(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  /** Whether the middle of a box lies in another: the number of a slider stands above its thumb, whose part it is. */
  function within(box, other) {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return other.left <= x && x <= other.right && other.top <= y && y <= other.bottom;
  }

  /** What is behind an element, and how opaque it is itself. */
  function behind(element) {
    const place = element.getBoundingClientRect();
    const above = [];
    for (let each = element; each; each = each.parentElement) above.unshift(each);
    let [ground, opacity] = [parsed(getComputedStyle(document.querySelector('.stApp')).backgroundColor).slice(0, 3), 1];
    for (const each of above) {
      const style = getComputedStyle(each);
      opacity *= Number(style.opacity);
      if (within(place, each.getBoundingClientRect())) ground = over(parsed(style.backgroundColor), opacity, ground);
      const box = each.matches('.hovertext, .axistext') && each.querySelector('path, rect');
      if (box) ground = over(parsed(getComputedStyle(box).fill), opacity, ground);
    }
    return { ground, opacity };
  }

  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const words = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!words || !element.getClientRects().length || element.closest('style, script, noscript, canvas')) continue;
    if (element.closest('[disabled], [aria-disabled=true], .heatmaplayer, .bartext-inside')) continue;
    const style = getComputedStyle(element);
    const { ground, opacity } = behind(element);
    if (style.visibility !== 'visible' || opacity < 0.02) continue;
    const isDrawn = element instanceof SVGElement;
    const ink = over(parsed(isDrawn ? style.fill : style.color), opacity * (isDrawn ? Number(style.fillOpacity) : 1), ground);
    const seen = contrast(ink, ground);
    if (seen < (element.matches('[data-testid=stIconMaterial]') ? 3 : 4.5)) {
      const where = element.closest('[data-testid]')?.dataset.testid ?? element.className;
      found.push(`${seen.toFixed(2)} ${where}: ${words.slice(0, 60)}`);
    }
  }
  return found;
}
