/** Exactly once, over random histories: nodes that come and go, and a store that fails before or after it has written. */
import fc from 'fast-check';
import { test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { LOCAL_ACCOUNT } from '../../../src/core/shared/context.ts';
import type { LogHeadRecord } from '../../../src/evidence/collections.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import { cases } from '../../support/runs.ts';
import { openLocalService, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { expectCovered } from './covered.ts';

const identity = { secret: SECRET, publicUrl: PUBLIC_URL };
const HISTORIES = cases(500);

const FIRST = 'did:web:shop.example:agents:first';

function refusedForClock(error: { readonly code?: string }): void {
  if (error.code !== 'storage_unavailable') throw error;
}

/** What a round does before its nodes end. */
type Act = 'verdict' | 'permit' | 'change' | 'pass';
interface Round {
  /** The acts, each by one of the nodes. */
  readonly acts: readonly (readonly [node: number, act: Act])[];
  readonly nodes: number;
  /** The writes of the log that fail: before they are stored, or after. */
  readonly faults: readonly ('none' | 'lost' | 'unknown')[];
  /** The milliseconds by which the clocks of the nodes differ. */
  readonly skew: number;
}

const round: fc.Arbitrary<Round> = fc.record({
  acts: fc.array(
    fc.tuple(fc.nat({ max: 1 }), fc.constantFrom<Act>('verdict', 'verdict', 'permit', 'change', 'pass')),
    { minLength: 1, maxLength: 8 },
  ),
  nodes: fc.integer({ min: 1, max: 2 }),
  faults: fc.array(fc.constantFrom('none', 'none', 'lost', 'unknown'), { maxLength: 6 }),
  skew: fc.integer({ min: -4_000, max: 4_000 }),
});

/** The storage, with faults in the writes that append to a log. */
function faulty(storage: StorageAdapter, faults: readonly string[]): StorageAdapter {
  const left = [...faults];
  return {
    ...storage,
    close: async () => {},
    async write(changes) {
      const isAppend = changes.some((change) => 'collection' in change && change.collection === 'log_heads');
      const fault = isAppend ? left.shift() : undefined;
      if (fault === 'lost') throw new Error('The write was lost.');
      const result = await storage.write(changes);
      if (fault === 'unknown') throw new Error('The answer was lost.');
      return result;
    },
  };
}

async function play(
  storage: StorageAdapter,
  { acts, nodes, faults, skew }: Round,
  number: number,
): Promise<void> {
  const opened = Array.from({ length: nodes }, () =>
    openLocalService({ storage: faulty(storage, faults), identity, evidence: {} }),
  );
  for (const [at, { clock }] of opened.entries()) clock.advance(number * 100_000 + 5_000 + at * skew);
  for (const [count, [at, act]] of acts.entries()) {
    const node = opened[at % nodes];
    if (node === undefined) continue;
    const { service, timers } = node;
    const agent_name = `agent-${number}-${count}`;
    const passport = {
      domain: 'shop.example',
      agent_name,
      allowed_actions: ['orders.*'],
      monetary_limit_per_txn: 0,
    };
    if (act === 'pass') await timers.pass(10_000);
    else if (act === 'change') await service.passports.create(passport);
    else {
      const permit = act === 'permit' ? { permit: { audience: 'https://pay.example' } } : {};
      const intent = { agent_id: FIRST, action: 'orders.list', ...permit };
      // A node whose clock is behind the others' gives no permit.
      await service.verify(intent).catch(refusedForClock);
      if (count % 3 === 0) await service.verifications.list();
    }
  }
  await Promise.all(opened.map(({ service }) => service.close()));
}

test(`over ${HISTORIES} histories every block and change has its leaf once`, {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), async (rounds) => {
      const storage = memoryStorage();
      const kept: string[] = [];
      const first = openLocalService({ storage: faulty(storage, []), identity, evidence: {} });
      await first.service.passports.create({
        ...{ domain: 'shop.example', agent_name: 'first', allowed_actions: ['orders.*'] },
        monetary_limit_per_txn: 0,
      });
      await first.service.close();
      for (const [number, one] of rounds.entries()) {
        await play(storage, one, number);
        const head = (await storage.get('log_heads', LOCAL_ACCOUNT)) as LogHeadRecord | undefined;
        if (head !== undefined) kept.push(head.checkpoint);
      }
      const last = openLocalService({ storage: faulty(storage, []), identity, evidence: {} });
      last.clock.advance(1_000_000);
      // Writers that are gone are merged after a minute.
      await last.timers.pass(65_000);
      await last.service.logs.end();
      await last.service.close();
      await expectCovered(storage, LOCAL_ACCOUNT, kept);
    }),
    { numRuns: HISTORIES },
  );
});
