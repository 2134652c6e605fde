const WIDTH = 760;
const LEFT = 330;
const RIGHT = 90;
const ROW = 22;
const HEAD = 40;

/**
 * Bars on a logarithmic scale, one group per panel, as SVG that follows the light or dark of its reader. A panel
 * is `{ title, rows: [{ name, ns, isOurs }] }`.
 */
export function drawChart(panels, caption) {
  let top = 8;
  const parts = panels.map((panel) => {
    const drawn = drawPanel(panel, top);
    top += HEAD + panel.rows.length * ROW + 14;
    return drawn;
  });
  const height = top + 16;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Times on a logarithmic scale; the same figures are in results.json">
<style>
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #24292f; }
.title { font-weight: 600; }
.small { font-size: 11px; }
.bar { fill: #8c959f; }
.ours { fill: #1a7f37; }
.line { stroke: #d0d7de; }
.paper { fill: #ffffff; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .bar { fill: #6e7681; }
  .ours { fill: #3fb950; }
  .line { stroke: #30363d; }
  .paper { fill: #0d1117; }
}
</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
${parts.join('\n')}
<text x="8" y="${top + 4}" class="small">${escaped(caption)}</text>
</svg>
`;
}

function drawPanel({ title, rows }, top) {
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
  const bars = rows.map(({ name, ns, isOurs }, index) => {
    const y = top + HEAD + index * ROW;
    const width = round(scale(ns));
    return [
      `<text x="${LEFT - 8}" y="${y + 15}" text-anchor="end">${escaped(name)}</text>`,
      `<rect class="${isOurs ? 'ours' : 'bar'}" x="${LEFT}" y="${y + 3}" width="${width}" height="${ROW - 6}" rx="2"/>`,
      `<text x="${round(LEFT + width + 6)}" y="${y + 15}">${label(ns)}</text>`,
    ].join('\n');
  });
  return [`<text class="title" x="8" y="${top + 14}">${escaped(title)}</text>`, ...lines, ...bars].join('\n');
}

function label(ns) {
  const [value, unit] = ns < 1e3 ? [ns, 'ns'] : ns < 1e6 ? [ns / 1e3, 'us'] : [ns / 1e6, 'ms'];
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}

function round(number) {
  return Math.round(number * 10) / 10;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The panels of the chart, out of the results of the parts: titles of tables, and the key of the figure. */
const PANELS = [
  { title: 'One verdict, median', key: 'p50', from: [{ part: 'decide', table: /^One verdict$/, most: 7 }] },
  {
    title: 'Action and limit only, beside peers, median',
    key: 'p50',
    from: [
      { part: 'peers', table: /^Action and limit/ },
      { part: 'cedar', table: /^Action and limit/, row: /^@cedar/ },
    ],
  },
  {
    title: 'The whole service, one awaited call, median',
    key: 'p50',
    from: [{ part: 'verify', table: /timed by itself$/ }],
  },
  {
    title: 'POST /verify, CPU of the server per request',
    key: 'cpu',
    from: [{ part: 'http', table: /as fast as/ }],
  },
];

const OURS = /^(decide|service\.|nodeListener|identityRouter)/;

/** What is drawn of the results on one version of Node. */
export function panelsOf(results) {
  return PANELS.map(({ title, key, from }) => {
    const rows = from
      .flatMap((wanted) => rowsOf(results, wanted))
      .filter((row) => row[key] > 0)
      .map(({ name, [key]: ns }) => ({ name, ns, isOurs: OURS.test(name) }));
    return { title, rows: rows.toSorted((a, b) => a.ns - b.ns) };
  }).filter(({ rows }) => rows.length > 0);
}

/** Where and when it was measured, and its caveats. */
export function captionOf(results) {
  const taken = Object.values(results);
  const places = new Set(
    taken.map(({ machine }) => `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`),
  );
  const dates = taken.map(({ date }) => date.slice(0, 10)).toSorted();
  const isDoubtful = taken.some(({ doubts }) => doubts.length > 0);
  const when = dates.at(0) === dates.at(-1) ? dates[0] : `${dates.at(0)} to ${dates.at(-1)}`;
  const warning = isDoubtful ? '; other work was running: not to be relied on' : '';
  return `Logarithmic. ${[...places].join('; ')}, ${when}${warning}.`;
}

function rowsOf(results, { part, table, most, row = /./ }) {
  const tables = (results[part]?.tables ?? []).filter(({ title }) => table.test(title));
  return tables.flatMap(({ rows }) => rows.filter(({ name }) => row.test(name)).slice(0, most));
}
