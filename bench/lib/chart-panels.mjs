/** The content of the chart. It uses only runs with reliable figures. */
import { nodeNames } from './results.mjs';

/** The title of the table and the key of the figure for each panel. */
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

const OURS = /^(decide|service\.|nodeListener|identityRouter|agent-identity)/;
const PEER = /^(@casl|casbin|Microsoft|@cedar|better-auth|Cerbos)/;

/**
 * Returns the panels: `title`, `source`, and rows of `name`, `ns` and `kind`. Each panel uses the lowest version of
 * Node that has reliable figures for all its parts. A panel without such a version is left out.
 */
export function panelsOf(results) {
  return PANELS.flatMap(({ title, key, from }) => {
    const node = nodeNames(results).find((name) => isQuiet(from.map(({ part }) => results[name][part])));
    if (node === undefined) return [];
    const rows = from
      .flatMap((wanted) => rowsOf(results[node], wanted))
      .filter((row) => row[key] > 0)
      .map(({ name, [key]: ns }) => ({ name, ns, kind: kindOf(name) }));
    if (rows.length === 0) return [];
    const taken = from.flatMap(({ part }) => results[node][part] ?? []);
    return [{ title, source: sourceOf(taken), rows: rows.toSorted((a, b) => a.ns - b.ns) }];
  });
}

function isQuiet(parts) {
  const taken = parts.filter((part) => part !== undefined);
  return taken.length > 0 && taken.every(({ doubts }) => doubts.length === 0);
}

function kindOf(name) {
  if (OURS.test(name)) return 'ours';
  return PEER.test(name) ? 'peer' : 'floor';
}

function sourceOf(taken) {
  const places = taken.map(
    ({ machine, date }) =>
      `${machine.cpu}, ${machine.cores} cores, Node ${machine.node.slice(1)}, ${date.slice(0, 10)}`,
  );
  return [...new Set(places)].join('; ');
}

function rowsOf(results, { part, table, most, row = /./ }) {
  const tables = (results[part]?.tables ?? []).filter(({ title }) => table.test(title));
  return tables.flatMap(({ rows }) => rows.filter(({ name }) => row.test(name)).slice(0, most));
}
