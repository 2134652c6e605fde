/** The rows that the benchmark page publishes, and three results in words. */
import { cellText } from './table.mjs';

/** The published targets by part. All other targets appear only in the output of their part. */
export const PUBLISHED = {
  decide: ['decide / compiled floor, mixed', 'one ancestor / decide'],
  verify: [
    'verify / async floor, one call',
    'verifyAs / async floor, one call',
    'filing in memory / its columns alone',
  ],
  http: [
    'nodeListener / contract-shaped, CPU',
    'identityRouter / contract-shaped route, CPU',
    'serve, default storage / memory, CPU',
    'p99 of serve, default storage, slowest second / contract-shaped',
    'longest turn of serve, default storage, at saturation',
  ],
  storage: [
    'a miss / a bare read, postgres',
    'a miss / a bare read, redis',
    'joined spends on one counter / one by one, 64 at a time',
  ],
  scale: [
    'growth of verify to 1,000,000 passports / that of a bare Map',
    'heap per passport in memory',
    'cold start of the service',
  ],
  identity: ['verify with a proof / subtle.verify'],
  guard: ['judge / verify, in a loop', 'mcp-guard, more for a call, p50'],
  nodes: ['two processes / one, by CPU'],
  journal: ['verdicts dropped at 150,000 a second, sqlite', 'a row / a record, bytes, sqlite'],
  verifier: ['verifier.verify / service.verify', 'the last ALLOW after a revocation, p99'],
  replay: ['replay of 1,000,000, CPU'],
};

export function isPublished(part, name) {
  return PUBLISHED[part]?.includes(name) ?? false;
}

/** Returns three results in words, from the first version of Node that has these results. */
export function resultsInWords(results) {
  const figure = (part, table, row, column) => {
    const found = Object.values(results).find((parts) => parts[part] !== undefined)?.[part];
    const { columns = [], rows = [] } = found?.tables?.[table] ?? {};
    const { unit } = columns.find(({ key }) => key === column) ?? {};
    const value = rows.find(({ name }) => name === row)?.[column];
    return value === undefined ? '-' : cellText(value, unit);
  };
  const [verify, withKey] = ['service.verify', 'service.verifyAs, with an API key'].map((row) =>
    figure('verify', 0, row, 'p50'),
  );
  const [served, constant] = ['agent-identity serve, default storage', 'node:http, a constant'].map((row) =>
    figure('http', 0, row, 'cpu'),
  );
  const [rate, bytes] = ['perSecond', 'bytes'].map((column) => figure('journal', 0, 'sqlite', column));
  return [
    `- A verdict in process takes ${verify}, with an API key ${withKey}.`,
    `- A verdict over HTTP takes ${served} of CPU with \`serve\` on its default storage. A constant answer takes ${constant}.`,
    `- The journal on SQLite stores ${rate} verdicts per second. A record takes ${bytes}.`,
  ].join('\n');
}
