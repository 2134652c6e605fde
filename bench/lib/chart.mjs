import { panelsOf } from './chart-panels.mjs';

const WIDTH = 760;
const LEFT = 330;
const RIGHT = 90;
const ROW = 22;
const HEAD = 56;
const LEGEND = 30;

const KINDS = {
  ours: 'agent-identity',
  floor: 'code written by hand, the least that it takes',
  peer: 'other software',
};

/**
 * Draws the results as an SVG in light and dark mode, with bars on a logarithmic scale and one group per panel. If no
 * run is reliable, the chart shows a message instead.
 */
export function chartOf(results) {
  const panels = panelsOf(results);
  let top = LEGEND;
  const parts = panels.map((panel) => {
    const drawn = drawPanel(panel, top);
    top += HEAD + panel.rows.length * ROW + 14;
    return drawn;
  });
  const height = top + 16;
  const note = panels.length > 0 ? 'Logarithmic; shorter is faster.' : 'No run so far was free of doubts.';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Times on a logarithmic scale; the same figures are in results.json">
<style>
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #24292f; }
.title { font-weight: 600; }
.small { font-size: 11px; }
.ours { fill: #1a7f37; }
.floor { fill: #afb8c1; }
.peer { fill: #9a6700; }
.line { stroke: #d0d7de; }
.paper { fill: #ffffff; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .ours { fill: #3fb950; }
  .floor { fill: #6e7681; }
  .peer { fill: #d29922; }
  .line { stroke: #30363d; }
  .paper { fill: #0d1117; }
}
</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
${legend()}
${parts.join('\n')}
<text x="8" y="${top + 4}" class="small">${note}</text>
</svg>
`;
}

/** Returns the legend: a square and a word for each colour. */
function legend() {
  let x = 8;
  const entries = Object.entries(KINDS).map(([kind, label]) => {
    const entry = `<rect class="${kind}" x="${x}" y="8" width="12" height="12" rx="2"/>\n<text x="${x + 18}" y="18">${label}</text>`;
    x += 46 + label.length * 6.4;
    return entry;
  });
  return entries.join('\n');
}

function drawPanel({ title, source, rows }, top) {
  const values = rows.map(({ ns }) => ns);
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)) - 0.3);
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)) + 0.001);
  const scale = (ns) => ((WIDTH - LEFT - RIGHT) * Math.log10(ns / low)) / Math.log10(high / low);
  const bottom = top + HEAD + rows.length * ROW;
  const lines = [];
  for (let tick = low; tick <= high; tick *= 10) {
    const x = round(LEFT + scale(tick));
    lines.push(
      `<line class="line" x1="${x}" y1="${top + HEAD - 6}" x2="${x}" y2="${bottom}"/>`,
      `<text x="${x}" y="${top + HEAD - 10}" text-anchor="middle" class="small">${label(tick)}</text>`,
    );
  }
  const bars = rows.map(({ name, ns, kind }, index) => {
    const y = top + HEAD + index * ROW;
    const width = round(scale(ns));
    return [
      `<text x="${LEFT - 8}" y="${y + 15}" text-anchor="end">${escaped(name)}</text>`,
      `<rect class="${kind}" x="${LEFT}" y="${y + 3}" width="${width}" height="${ROW - 6}" rx="2"/>`,
      `<text x="${round(LEFT + width + 6)}" y="${y + 15}">${label(ns)}</text>`,
    ].join('\n');
  });
  return [
    `<text class="title" x="8" y="${top + 14}">${escaped(title)}</text>`,
    `<text class="small" x="8" y="${top + 29}">${escaped(source)}</text>`,
    ...lines,
    ...bars,
  ].join('\n');
}

function label(ns) {
  const [value, unit] = ns < 1e3 ? [ns, 'ns'] : ns < 1e6 ? [ns / 1e3, 'µs'] : [ns / 1e6, 'ms'];
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}

function round(number) {
  return Math.round(number * 10) / 10;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
