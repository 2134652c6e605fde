import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { readJson } from '../../src/http/read-json.ts';
import { createJournalQueue } from '../../src/service/journal/journal-queue.ts';
import { loadLatencyScale } from '../../src/service/journal/latency.ts';
import { createRollupWriter } from '../../src/service/journal/rollups.ts';
import { sized } from '../support/runs.ts';

const BODY = 65_536;
const VERDICTS = sized(1_000, 300);
const NOON = '2026-11-20T12:00:00.000Z';

/** Bytes in use after two collections: what was young in the first may only be gone with the second. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  for (let round = 0; round < 2; round += 1) runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

/** A piece of a body that nothing else holds: what a reader of requests hands over. */
function cut(name: string, index: number): string {
  const start = `${name}.${String(index).padStart(20, '0')}`;
  return Buffer.from(start.padEnd(BODY, 'x')).toString('latin1').slice(0, start.length);
}

test('a text read from a long body does not hold the body', () => {
  const padding = `"${'x'.repeat(60_000)}"`;
  const before = heapUsed();
  const held = Array.from({ length: VERDICTS }, (_, index) => {
    const name = `did:web:example.com:agents:a${index}`;
    const body = new TextEncoder().encode(`{"agent_id":"${name}","parameters":{"note":${padding}}}`);
    return (readJson(body) as { agent_id: string }).agent_id;
  });
  expect(heapUsed() - before).toBeLessThan((VERDICTS * BODY) / 4);
  expect(held[7]).toBe('did:web:example.com:agents:a7');
});

test('filed verdicts hold nothing of the requests that asked for them', async () => {
  const scale = await loadLatencyScale();
  const storage = memoryStorage();
  const queue = createJournalQueue(100);
  const writer = createRollupWriter();
  const before = heapUsed();
  for (let index = 0; index < VERDICTS; index += 1) {
    const actual = cut('amount', index);
    const isKnown = index % 4 > 0;
    const record = {
      decision_id: `dec_${index}`,
      verdict: 'DENY' as const,
      reasons: [{ code: 'amount_over_limit', message: 'Too much.', limit: '1', actual }],
      // That of a passport is no piece of the question.
      agent_id: isKnown ? `did:web:example.com:agents:a${index}` : cut('did:web:example.com:agents:a', index),
      action: cut('actions', index),
      target: cut('did:web:example.org', index),
      amount: cut('1', index),
      currency: null,
      passport_version: isKnown ? 1 : null,
      environment: 'live' as const,
      key_id: null,
      request_id: null,
      dry_run: false,
      evaluated_at: NOON,
    };
    queue.push(record, 'acc_1', 3);
    if (queue.length < 100) continue;
    const batch = queue.take();
    const { entries } = batch;
    writer.add(batch, scale, index);
    await storage.append({ id: `bat_${index}`, at: NOON, entries, rollups: writer.take() });
  }
  const grown = heapUsed() - before;
  // One body of each verdict would be 65 MB.
  expect(grown).toBeLessThan((VERDICTS * BODY) / 4);
  expect(writer.size().counts).toBeGreaterThan(VERDICTS / 2);
  const { entries } = await storage.read({ account_id: 'acc_1', limit: 1_000 });
  expect(entries).toHaveLength(VERDICTS);
});
