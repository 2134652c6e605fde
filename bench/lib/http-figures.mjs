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
export function steadyFigures({ floor, seconds, longestMs }) {
  const middle = median(floor);
  const [, slowest] = range(seconds);
  const rows = [
    { name: 'node:http, contract-shaped', p99: middle, spread: range(floor), seconds: floor.length },
    {
      name: 'agent-identity serve, default storage',
      p99: median(seconds),
      spread: range(seconds),
      seconds: seconds.length,
      longest: longestMs,
    },
  ];
  return {
    table: {
      title: 'Second by second, as fast as they are answered',
      note: 'The longest turn of the event loop is that of the whole run, by the clock: where cores are shared, time without a core is in it.',
      columns: [
        column('p99', 'p99 of requests, middle second', 'ns'),
        column('spread', 'seconds, low to high', 'ns'),
        column('seconds', 'seconds', 'count'),
        column('longest', 'longest turn', 'ms'),
      ],
      rows,
    },
    targets: [
      target('p99 of serve, default storage, slowest second / contract-shaped', slowest / middle, {
        atMost: 2.5,
      }),
      target('longest turn of serve, default storage, at saturation', longestMs, { atMost: 20, unit: 'ms' }),
    ],
  };
}
