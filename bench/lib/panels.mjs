/** The panels of the chart, out of the results of the parts: titles of tables, and the key of the figure. */
const PANELS = [
  { part: 'decide', table: /^One verdict$/, title: 'One verdict', key: 'p50', most: 7 },
  { part: 'peers', table: /^Action and limit/, title: 'Action and limit only, against peers', key: 'p50' },
  { part: 'verify', table: /timed by itself$/, title: 'The whole service, one awaited call', key: 'p50' },
  { part: 'http', table: /as fast as/, title: 'POST /verify, server CPU per request', key: 'cpu' },
];

const OURS = /\b(decide|verify|verifyAs|nodeListener|identityRouter)\b/;

/** What is drawn of the results that there are. */
export function panelsOf(parts) {
  return PANELS.flatMap(({ part, table, title, key, most }) => {
    const tables = (parts[part]?.tables ?? []).filter(({ title: name }) => table.test(name));
    const rows = tables
      .flatMap((found) => found.rows)
      .slice(0, most)
      .filter((row) => row[key] > 0)
      .map(({ name, [key]: ns }) => ({
        name,
        ns,
        isOurs: OURS.test(name) && !name.startsWith('better-auth'),
      }));
    return rows.length === 0 ? [] : [{ title, rows: rows.toSorted((a, b) => a.ns - b.ns) }];
  });
}
