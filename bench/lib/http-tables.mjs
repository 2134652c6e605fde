import { of, ratioOfRounds } from './http-figures.mjs';
import { median, range } from './stats.mjs';
import { column } from './table.mjs';
import { BODY_BYTES } from './work.mjs';

const LOAD_COLUMNS = [
  column('cpu', 'server CPU per request', 'ns'),
  column('cpuSpread', 'rounds, low to high', 'ns'),
  column('ratio', 'x its floor', 'x'),
  column('perSecond', 'requests', 'per s'),
  column('p50', 'p50 of requests', 'ns'),
  column('p99', 'p99 of requests', 'ns'),
];

/** Returns the table of the servers at saturation. */
export function saturatedTable(servers) {
  return {
    title: `POST ${BODY_BYTES} bytes, 64 connections, as fast as they are answered`,
    note: 'The ratio is of server CPU per request: contract-shaped to the constant, work by hand, nodeListener and the router to the contract-shaped row of their kind, serve on memory to nodeListener, the default storage to memory, createExpressServer to a plain server.',
    columns: LOAD_COLUMNS,
    rows: servers.map((server) => rowOf(server, server.rounds, of(servers, server.floor).rounds)),
  };
}

/** Returns the table of the servers with a client that sleeps. */
export function sleepingTable(servers) {
  const asked = servers.filter(({ slept }) => slept.length > 0);
  return {
    title: 'The same asked by wrk, a client that sleeps',
    note:
      asked.length > 0
        ? 'Waking the client is counted as work of the server, the more often the slower it answers.'
        : 'Not measured: there is no wrk on this machine.',
    columns: LOAD_COLUMNS,
    rows: asked.map((server) => {
      const floor = of(servers, server.floor);
      return rowOf(server, server.slept, floor.slept.length > 0 ? floor.slept : server.slept);
    }),
  };
}

/** Returns the table of the pairs at a fixed rate, with both servers of a pair in adjacent rows. */
export function fixedRateTable(servers, pairs) {
  const rows = pairs.flatMap((pair) =>
    pair.map((kind, side) => {
      const { name, fixed } = of(servers, kind);
      const found = fixed[pair[1 - side]];
      return {
        name: side === 0 ? name : `  ${name}`,
        rate: median(found.map(({ rate }) => rate)),
        p50: median(found.map(({ p50 }) => p50)),
        p99: median(found.map(({ p99 }) => p99)),
        spread: range(found.map(({ p99 }) => p99)),
        lag: median(found.map(({ lag99 }) => lag99)),
      };
    }),
  );
  return {
    title: 'In pairs at a fixed rate, 60 % of what the slower of the pair can do',
    note: 'A request counts from when it was due. The client has the last core for itself, the servers have the others. Where the client itself is as late as the figures, they say nothing.',
    columns: [
      column('rate', 'requests', 'per s'),
      column('p50', 'p50 of requests', 'ns'),
      column('p99', 'p99 of requests', 'ns'),
      column('spread', 'p99 of the rounds', 'ns'),
      column('lag', 'client late, p99', 'ns'),
    ],
    rows,
  };
}

function rowOf({ name }, found, floorFound) {
  const cpu = found.map(({ cpuNs }) => cpuNs);
  return {
    name,
    cpu: median(cpu),
    cpuSpread: range(cpu),
    ratio: ratioOfRounds(found, floorFound, 'cpuNs'),
    perSecond: median(found.map(({ perSecond }) => perSecond)),
    p50: median(found.map(({ p50 }) => p50)),
    p99: median(found.map(({ p99 }) => p99)),
  };
}
