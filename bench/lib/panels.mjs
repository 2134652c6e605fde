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

/** Where and when, and what there is to be doubted. */
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
