import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { idSpeller } from '../../src/base/bytes/counted-ids.ts';
import { createRollupWriter } from '../../src/core/journal/merge/rollups.ts';
import { createLanes } from '../../src/core/journal/write/lanes.ts';
import { foldBlock, openBlock } from '../../src/journal-format/index.ts';
import { readJson } from '../../src/json/read-json.ts';
import { PREFIX } from '../journal-format/records.ts';
import { fileBlocks, recordsIn } from '../support/journal.ts';

const BODY = 65_536;
const VERDICTS = 1_000;
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
  const storage = memoryStorage();
  const lanes = createLanes(100, { onDrop: () => {}, lost: () => new Error('lost') });
  const writer = createRollupWriter();
  const before = heapUsed();
  for (let index = 0; index < VERDICTS; index += 1) {
    const actual = cut('amount', index);
    const isKnown = index % 4 > 0;
    const record = {
      decision_id: idSpeller(PREFIX)(index),
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
      trace_id: null,
      proof_kid: null,
      subject: null,
      approval_id: null,
      hold_seconds: null,
      verifier: null,
      permit_audience: null,
      ancestor_versions: null,
      budgets: [],
      evaluated_at: NOON,
    };
    lanes.push(record, 'acc_1', 3);
    if (index % 100 < 99) continue;
    lanes.seal();
    const blocks = lanes.take();
    await fileBlocks(storage, 'acc_1', blocks);
    for (const { data } of blocks) {
      for (const minute of foldBlock(openBlock(data))) writer.add('acc_1', minute);
    }
    writer.take();
  }
  const grown = heapUsed() - before;
  // One body of each verdict would be 65 MB.
  expect(grown).toBeLessThan((VERDICTS * BODY) / 4);
  expect(writer.size().counts).toBeGreaterThan(VERDICTS / 2);
  expect(await recordsIn(storage, 'acc_1')).toHaveLength(VERDICTS);
});
