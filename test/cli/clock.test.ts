import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { GIVEN, openFolder, type Serving, startServe } from '../support/process.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

let folder: string;
let remove: () => void;
let serving: Serving | undefined;

beforeEach(() => {
  ({ folder, remove } = openFolder());
});

afterEach(async () => {
  await serving?.stop('SIGKILL');
  remove();
});

/** Makes the database one that was last used so long after now; what it said before. */
async function useAt(afterMs: number): Promise<number> {
  const storage = await sqliteStorage({ file: join(folder, 'agent-identity.db') });
  const { at } = await storage.time(new Date(0).toISOString());
  await storage.time(new Date(Date.now() + afterMs).toISOString(), true);
  await storage.close();
  return Date.parse(at);
}

/** How often a fresh start is ready, asked twice, and what it says of its clock until it stops. */
async function serve(...args: readonly string[]): Promise<{ statuses: number[]; lines: string[] }> {
  serving = await startServe({ cwd: folder, env: GIVEN }, ['--log', 'json', ...args]);
  const statuses: number[] = [];
  for (const path of ['ready', 'ready', 'live']) {
    statuses.push((await fetch(`${serving.origin}/api/health/${path}`)).status);
  }
  const { code, stderr } = await serving.stop();
  expect(code).toBe(0);
  const events: { event: string; message: string }[] = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ofClock = events.filter(({ event }) => event.startsWith('clock_'));
  return { statuses, lines: ofClock.map(({ event, message }) => `${event}: ${message}`) };
}

test('serve is not ready by a clock that is behind its database, and keeps all by one that is far ahead, until --clock-ok', async () => {
  await useAt(HOUR_MS);
  const behind = await serve();
  expect(behind.statuses).toEqual([503, 503, 200]);
  expect(behind.lines).toEqual([expect.stringMatching(/^clock_off: .* 3[56]\d\d s behind .*--clock-ok/)]);

  await useAt(-WEEK_MS);
  const unused = await serve();
  expect(unused.statuses).toEqual([200, 200, 200]);
  expect(unused.lines).toEqual([
    expect.stringMatching(
      /^clock_ahead: .* 7\.0 days ahead of the last use .* Nothing is removed.*--clock-ok/,
    ),
  ]);
  const kept = await useAt(WEEK_MS);
  expect(Math.abs(Date.now() - WEEK_MS - kept)).toBeLessThan(HOUR_MS);

  expect(await serve('--clock-ok')).toEqual({ statuses: [200, 200, 200], lines: [] });
  expect(Math.abs(Date.now() - (await useAt(0)))).toBeLessThan(HOUR_MS);
});
