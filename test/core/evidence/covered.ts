/** What must be so of a log, whatever has happened: everything has its leaf, and nothing has two. */
import { expect } from 'vitest';
import { readChangeRecordId } from '../../../src/base/bytes/event-position.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import type { BlockContent, ChangeContent, RecordContent } from '../../../src/transparency-log/entries.ts';
import { auditStored, entriesOf, eventIdsOf, readStoredLog, type StoredLog } from './stored-log.ts';

/** Fails unless every stored block and every event of the account has one leaf, and each kept checkpoint is a prefix. */
export async function expectCovered(
  storage: StorageAdapter,
  account_id: string,
  kept: readonly string[] = [],
): Promise<StoredLog> {
  const log = await readStoredLog(storage, account_id);
  expect((await auditStored(storage, log, kept)).findings).toEqual([]);
  const blocks = entriesOf<BlockContent>(log, 'verdicts');
  expect(blocks.map(({ block, digest }) => `${block} ${digest}`).sort()).toEqual(
    [...log.digests].map(([name, digest]) => `${name} ${digest}`).sort(),
  );
  const changes = entriesOf<ChangeContent>(log, 'change').map(({ event }) => event.id);
  const events = (await eventIdsOf(storage, account_id)).map((id) => readChangeRecordId(id).id);
  expect(changes.sort()).toEqual(events.sort());
  const permits = blocks.reduce((sum, { permits: count }) => sum + count, 0);
  const decisions = entriesOf<RecordContent>(log, 'verdict').map(({ record }) => record.decision_id);
  expect([new Set(decisions).size, decisions.length]).toEqual([permits, permits]);
  return log;
}
