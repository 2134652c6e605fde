/** What can happen to a store on the network: by the proxy before it, by its process, and by its own commands. */

/** Nothing is answered from the store, and nothing may pretend to be. */
const AWAY = { verdicts: 'none', writes: 'none', ready: 'none' };
/** The expectation of a store that lacks what both nodes have acknowledged. */
export const MISSING = 'nothing but 503: an acknowledged write is missing; well when it is there again';
/** Long enough for the load to be given many acknowledgements through each node. */
export const ACKNOWLEDGED_MS = 1_000;
const NOTHING = '503 once the cache has expired; ready 503';

/**
 * The faults of an engine in the order in which they are tried; the last one changes the server for good.
 *
 * @param {object} engine
 * @param {any} engine.proxy
 * @param {any} engine.server as `private-servers.mjs` gives it
 * @param {Record<'full' | 'readOnly' | 'flushed' | 'wrongDatabase' | 'failedOver', any>} engine.own what only the
 *   engine knows: `apply`, `undo`, and what else a fault has
 * @returns {import('./row.mjs').Fault[]}
 */
export function networkFaults({ proxy, server, own }) {
  const always = { away: AWAY, expected: NOTHING };
  return [
    {
      name: 'killed',
      inQuick: true,
      ...always,
      lastsMs: 10_000,
      apply: () => server.kill(),
      undo: () => server.restart(),
    },
    { name: 'frozen', inQuick: true, ...always, lastsMs: 10_000, ...sync(server.freeze, server.thaw) },
    {
      name: 'slow by 300 ms',
      expected: 'right answers or 503',
      away: {},
      apply: async () => proxy.delay(300),
      undo: () => proxy.pass(),
    },
    { name: 'slow by 2 s', ...always, apply: async () => proxy.delay(2_000), undo: () => proxy.pass() },
    {
      name: 'half-open',
      ...always,
      lastsMs: 10_000,
      apply: async () => proxy.swallow(),
      undo: () => proxy.pass(),
    },
    { name: 'partitioned', ...always, apply: () => proxy.refuse(), undo: () => proxy.pass() },
    {
      name: 'connections cut',
      expected: 'right answers or 503',
      away: {},
      lastsMs: 1_000,
      apply: async () => proxy.cut(),
      undo: async () => {},
    },
    {
      name: 'full',
      expected: 'right verdicts or 503; a write that finds no room 503',
      away: { writes: 'some refused' },
      ...own.full,
    },
    {
      name: 'read-only',
      expected: 'right verdicts or 503; every write 503',
      away: { writes: 'none' },
      ...own.readOnly,
    },
    { name: 'flushed', inQuick: true, ...always, isQuiet: true, ...own.flushed },
    { name: 'wrong database', ...always, ...own.wrongDatabase },
    { name: 'failed over', ...always, isQuiet: true, ...own.failedOver },
  ];
}

function sync(apply, undo) {
  return { apply: async () => apply(), undo: async () => undo() };
}
