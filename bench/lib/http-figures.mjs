import { median, range, ratios } from './stats.mjs';
import { column } from './table.mjs';
import { target } from './target.mjs';

/** Returns the server of the kind `wanted`. */
export function of(servers, wanted) {
  return servers.find(({ kind }) => kind === wanted);
}

/** Returns the ratios of `found` to `floorFound` for the figure `key`, round by round. */
export function ratioOfRounds(found, floorFound, key) {
  const [values, floors] = [found, floorFound].map((rounds) => rounds.map((round) => round[key]));
  return median(ratios(values, floors));
}

/**
 * Returns the table and the targets of a longer run that is evaluated second by second. The figures are p99 in
 * nanoseconds.
 */
export function steadyFigures({ floor, seconds, longest }) {
  const middle = median(floor);
  const [, slowest] = range(seconds);
  const rows = [
    { name: 'node:http, contract-shaped', p99: middle, spread: range(floor), seconds: floor.length },
    {
      name: 'agent-identity serve, default storage',
      p99: median(seconds),
      spread: range(seconds),
      seconds: seconds.length,
      ...longest,
    },
  ];
  return {
    table: {
      title: 'Second by second, as fast as they are answered',
      note: 'The longest turn of the event loop in the whole run is the work of the program. It leaves out collections and, on Linux, the time without a core.',
      columns: [
        column('p99', 'p99 of requests, middle second', 'ns'),
        column('spread', 'seconds, low to high', 'ns'),
        column('seconds', 'seconds', 'count'),
        column('workMs', 'longest turn', 'ms'),
        column('collectionMs', 'longest collection', 'ms'),
      ],
      rows,
    },
    targets: [
      target('p99 of serve in its slowest second / p99 of contract-shaped', slowest / middle, {
        atMost: 2.5,
      }),
      target('longest turn of the event loop of serve, at full load', longest.workMs, {
        atMost: 20,
        unit: 'ms',
      }),
    ],
  };
}
