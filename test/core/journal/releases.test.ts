/** Nodes of two releases on one store: each reads, files, merges and compacts what the other has filed. */

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { analytics } from '../../../src/analytics/index.ts';
import { crc32 } from '../../../src/base/bytes/crc32.ts';
import { createIdentityService } from '../../../src/index.ts';
import {
  type OutcomeReport,
  packOutcomes,
  packRecords,
  type SealedBlock,
} from '../../../src/journal-format/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { RecordedVerdict } from '../../../src/records/outcome.ts';
import type { VerdictRecord } from '../../../src/records.ts';
import type { Analytics, AnalyticsCapability, ServiceWith } from '../../../src/types.ts';
import { NOON, recordOf } from '../../journal-format/records.ts';
import { olderBuild } from '../../support/older-build.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { namedStores, openShared } from '../../support/stores.ts';

const newer = { createIdentityService, analytics };

type Build = typeof newer;
type Node = ServiceWith<readonly [AnalyticsCapability]>;

/** The columns that a release before does not know, and the members of records that it shows without a value. */
const OLDER = {
  'permits and verifiers': {
    columns: ['permits', 'verifiers'],
    hidden: { permit_audience: null, verifier: null },
  },
  'subjects, holds and outcomes': {
    columns: ['subjects', 'holds', 'outcomes', 'digests', 'permits', 'verifiers'],
    hidden: { permit_audience: null, verifier: null, subject: null, hold_seconds: null, outcome: null },
  },
} as const;

/** The writers of the newer node: of verdicts with subjects, of those with holds and permits, and of reports. */
const [NAMED, SENT, REPORTS] = ['Newer00000000001a', 'Newer00000000002a', 'Newer00000000003a'] as const;
/** The blocks that one compaction joins. */
const GROUP = 8;
const SUBJECT = 'user-4711';
/** The timers of enough runs to join one more group, if there is one. */
const TIMERS = 40;
const AUDIENCE = 'https://pay.example';

/** A node whose timers do not run: it files, and merges nothing. */
function openNode({ createIdentityService, analytics }: Build, storage: StorageAdapter): Node {
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: { ...storage, close: async () => {} },
    capabilities: [analytics()],
    clock: { now: () => NOON },
    after: () => () => {},
    log: () => {},
  });
  onTestFinished(() => service.close());
  return service;
}

/** The part of the blocks that a node leaves when it has merged and compacted all that it knows. */
interface Left {
  readonly blocks: number;
  /** The writers whose blocks it does not merge. */
  readonly writers: readonly string[];
}

/**
 * A node that begins when all others are gone: it merges and compacts what they have filed, until that many blocks are
 * left, and goes on for a while.
 */
async function tidy(
  { createIdentityService }: Build,
  storage: StorageAdapter,
  left: Left,
  mergedTo = 0,
): Promise<void> {
  let fired = 0;
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: { ...storage, close: async () => {} },
    clock: { now: () => NOON + 120_000 },
    after(ms, run) {
      const timer = setTimeout(
        () => {
          fired += 1;
          run();
        },
        Math.min(ms, 10),
      );
      return () => clearTimeout(timer);
    },
    log: () => {},
  });
  for (;;) {
    const writers = await storage.journal.writers();
    if (writers.every(({ id, flushed, merged }) => flushed === merged || left.writers.includes(id))) break;
    await pause(10);
  }
  // On a busy machine the first runs may come before all is merged.
  await expect.poll(() => blocksIn(storage)).toBeLessThanOrEqual(left.blocks);
  for (const merged = fired; fired < merged + TIMERS; ) await pause(10);
  await service.close();
  const unmerged = (await storage.journal.writers()).filter(({ flushed, merged }) => flushed !== merged);
  expect(unmerged.map(({ id, merged }) => [id, merged]).sort()).toEqual(
    left.writers.map((id) => [id, mergedTo]),
  );
}

/** The sums of all verdicts and reports. */
async function summed(service: Node): Promise<Analytics> {
  const hour = (ms: number) => new Date(NOON + ms).toISOString();
  return service.analytics({ from: hour(-3_600_000), to: hour(3_600_000) });
}

/** The blocks of the newer node, of one record or report each, by their writers. */
function blocksOfNewer(agent_id: string): Readonly<Record<string, readonly SealedBlock[]>> {
  const record = (count: number, changed: Partial<VerdictRecord>): VerdictRecord =>
    recordOf(count, { agent_id, evaluated_at: new Date(NOON + count).toISOString(), ...changed });
  const eachOf = <One>(make: (count: number) => One): One[] =>
    Array.from({ length: GROUP }, (_, count) => make(count));
  const named = eachOf((count) => record(count, { subject: SUBJECT, approval_id: 'apr_1' }));
  const sent = eachOf((count) =>
    record(GROUP + count, { hold_seconds: 60, verifier: 'eu-1', permit_audience: AUDIENCE }),
  );
  const reports = named.map(
    ({ decision_id }, count): OutcomeReport => ({
      ...{ decision_id, agent_id, environment: 'live', key_id: 'key_1' },
      ...{ evaluated_ms: NOON + count, reported_ms: NOON + 100, outcome: 'failed', code: 'timeout' },
    }),
  );
  const packed = (one: VerdictRecord) => packRecords([{ record: one, bucket: 1 }]);
  return {
    [NAMED]: named.flatMap(packed),
    [SENT]: sent.flatMap(packed),
    [REPORTS]: reports.flatMap((one) => packOutcomes([one]).map(({ block }) => block)),
  };
}

/** Files blocks as a node does that has ended since. */
async function file(
  { journal }: StorageAdapter,
  writer: string,
  blocks: readonly SealedBlock[],
): Promise<void> {
  const at = new Date(NOON).toISOString();
  await journal.open(writer, at);
  for (const [index, sealed] of blocks.entries()) {
    const seq = index + 1;
    await journal.file({ writer, seq, at, blocks: [{ ...sealed, writer, seq, account_id: 'acc_local' }] });
  }
}

async function listed(service: Node): Promise<readonly RecordedVerdict[]> {
  return (await service.verifications.list({ limit: 100 })).data;
}

async function blocksIn({ journal }: StorageAdapter): Promise<number> {
  return (await journal.blocks({ account_id: 'acc_local', limit: 256 })).length;
}

const releases = await Promise.all(
  Object.entries(OLDER).map(
    async ([name, { columns, hidden }]) => [name, { older: await olderBuild(columns), hidden }] as const,
  ),
);

describe.each(await namedStores())('%s', (_, store) => {
  describe.each(releases)('with a node of a release before %s', (__, { older, hidden }) => {
    test.each(['older', 'newer'])('no column is lost where the %s one merges and compacts', async (by) => {
      const [mine, its] = (await openShared(store, 2)) as [StorageAdapter, StorageAdapter];
      const [ours, theirs] = [openNode(newer, mine), openNode(older, its)];
      const { agent_id } = await ours.passports.create({
        ...{ domain: 'shop.example', agent_name: 'a' },
        ...{ allowed_actions: ['orders.*'], monetary_limit_per_txn: 5 },
      });
      for (const [writer, blocks] of Object.entries(blocksOfNewer(agent_id)))
        await file(mine, writer, blocks);
      for (let count = 0; count < GROUP; count += 1) {
        await theirs.verify({ agent_id, action: 'orders.list' });
        // Stores it in a block of its own.
        await listed(theirs);
      }
      const before = await listed(ours);
      expect(before.filter(({ outcome }) => outcome?.code === 'timeout')).toHaveLength(GROUP);
      expect(before).toHaveLength(3 * GROUP);
      expect(await blocksIn(mine)).toBe(4 * GROUP);
      // The older node joins its own blocks, and those of the newer one that have no column which it does not know.
      const isKnown = !('subject' in hidden);
      const joined = by === 'newer' ? 4 : isKnown ? 3 : 1;
      const blocks = joined + (4 - joined) * GROUP;
      const sums = await summed(ours);
      expect(sums.outcomes).toMatchObject({ failed: GROUP });
      const unknown = isKnown ? [SENT] : [NAMED, SENT, REPORTS];
      const writers = by === 'newer' ? [] : unknown;
      await tidy(by === 'older' ? older : newer, by === 'older' ? its : mine, { blocks, writers });
      expect(await blocksIn(mine)).toBe(blocks);
      // What the older node has left is counted from its blocks, until the newer one adds it.
      expect(await summed(ours)).toEqual(sums);
      if (by === 'older') {
        await tidy(newer, mine, { blocks: 4, writers: [] });
        expect(await summed(ours)).toEqual(sums);
      }
      expect(await listed(ours)).toEqual(before);
      expect(await listed(theirs)).toEqual(before.map((record) => ({ ...record, ...hidden })));
      expect(JSON.stringify(before).split(SUBJECT)).toHaveLength(GROUP + 1);
      expect(JSON.stringify(before).split(AUDIENCE)).toHaveLength(GROUP + 1);
    });
  });

  test('a block of a later format is left to a node that can read it, with all that its writer filed after it', async () => {
    const [mine] = (await openShared(store, 1)) as [StorageAdapter];
    const agent_id = 'did:web:shop.example:agents:a';
    const { [NAMED]: own = [] } = blocksOfNewer(agent_id);
    const [first, second, third] = own as readonly [SealedBlock, SealedBlock, SealedBlock];
    await file(mine, NAMED, [first, ofNextVersion(second), third]);
    await tidy(newer, mine, { blocks: 3, writers: [NAMED] }, 1);
    expect((await summed(openNode(newer, mine))).overview.total_verifications).toBe(2);
  });
});

/** The block in the format after this one. */
function ofNextVersion(block: SealedBlock): SealedBlock {
  const data = block.data.slice();
  const end = data.length - 4;
  data[0] = (data[0] ?? 0) + 1;
  const crc = crc32(data, end);
  for (let byte = 0; byte < 4; byte += 1) data[end + byte] = crc >>> (8 * byte);
  return { ...block, data };
}
