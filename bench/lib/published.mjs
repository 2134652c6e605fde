/** The rows that the benchmark page publishes, and three results in words. */
import { cellText } from './table.mjs';

/** The published targets by part. All other targets appear only in the output of their part. */
export const PUBLISHED = {
  decide: [
    'decide / compiled floor, half of the verdicts ALLOW',
    'decide for a child agent / for an agent without parent',
  ],
  verify: [
    'verify / async floor, one call',
    'verifyAs / async floor, one call',
    'storing a verdict record in memory / only compressing it',
  ],
  http: [
    'our API in node:http / contract-shaped, CPU',
    'our API in Express / contract-shaped in Express, CPU',
    'serve, default storage / memory, CPU',
    'p99 of serve in its slowest second / p99 of contract-shaped',
    'longest turn of the event loop of serve, at full load',
  ],
  storage: [
    'verdict that reads its passport / read by the driver, postgres',
    'verdict that reads its passport / read by the driver, redis',
    'joined spends of 64 callers on one budget / one by one',
  ],
  scale: [
    'slowdown of verify with 1,000,000 passports / of a lookup in a Map',
    'heap per passport in memory',
    'cold start of the service',
  ],
  identity: ['verify with a proof / subtle.verify'],
  guard: ['guard.judge / service.verify', 'time that mcp-guard adds to a tool call, p50'],
  nodes: ['work of two processes / of one, by CPU time'],
  tokens: ['issue a token over HTTP / a verification and a signature'],
  journal: ['verdicts dropped at 150,000 a second, sqlite'],
  verifier: ['verifier.verify / service.verify', 'from a revocation to the last ALLOW, p99'],
  replay: ['replay of 1,000,000 verdicts, CPU'],
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
    `- A verdict over HTTP takes ${served} of CPU with \`serve\` on its default storage. For comparison, an HTTP server that always gives the same answer takes ${constant}.`,
    `- The journal on SQLite stores ${rate} verdicts per second. A record takes ${bytes}.`,
  ].join('\n');
}
