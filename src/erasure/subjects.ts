/** Erases subjects from the records of an account. */

import { turn } from '../base/async/turns.ts';
import type { ApprovalRecord } from '../core/approvals/collections.ts';
import { createBlockReader } from '../core/journal/damage.ts';
import type { Journal } from '../core/journal/journal.ts';
import type { Actor, CallOptions } from '../core/shared/callers.ts';
import { accountOf, authorOf, type Context } from '../core/shared/context.ts';
import { eventOf } from '../core/shared/outbox.ts';
import { everyRecord, recordsBy } from '../core/shared/record-lists.ts';
import { logChange } from '../core/shared/security-log.ts';
import { replace, untilWritten } from '../core/storage/store.ts';
import { eraseSubject, filterHashes } from '../journal-format/index.ts';
import {
  type Block,
  type BlockHeader,
  type JournalStorage,
  MAX_LISTED_BLOCKS,
  MAX_LOADED_BLOCKS,
} from '../ports/journal.ts';
import { check } from '../schema/check.ts';
import { subjectRequestSchema } from './validators.generated.ts';

/** The subject to erase. */
export interface SubjectInput {
  /** The exact subject of the intents. */
  readonly subject: string;
}

/** The progress of an erasure. */
export interface SubjectErasure {
  /** The number of verdict records from which this call erased the subject. */
  readonly erased: number;
  /** `true` if you must repeat the call to erase the rest. */
  readonly has_more: boolean;
}

/** Erases the subjects of intents. */
export interface Subjects<Options = CallOptions> {
  /**
   * Erases a subject from verdict records and from the intents of approvals. Each call changes at most 256 blocks, the
   * newest first. Repeat the call while `has_more` is true. Verdicts that are recorded after the start of the call keep
   * the subject. Idempotency records keep it for 24 hours. Webhook deliveries, backups and exports keep it as long as
   * they exist.
   *
   * @throws {IdentityError} `invalid_request` for a wrong subject.
   */
  erase(input: SubjectInput, options?: Options): Promise<SubjectErasure>;
}

const PAGE = 50;

export function createSubjects(
  context: Pick<Context, 'store' | 'clock' | 'nextEventName' | 'session' | 'auditDays' | 'log'>,
  journal: Journal,
): Subjects<Actor> {
  const { store } = context;

  async function eraseIntent(id: string, subject: string): Promise<void> {
    await untilWritten(async () => {
      const base = await store.get('approvals', id);
      if (base === undefined || subjectOf(base) !== subject) return true;
      const { subject: _, ...intent } = base.intent;
      const next = { ...base, version: base.version + 1, intent };
      return (await store.write(replace('approvals', next, base.version))).written || undefined;
    });
  }

  return {
    async erase(input, actor = {}) {
      const { subject } = check<SubjectInput>(subjectRequestSchema, input);
      const account_id = accountOf(context, actor);
      await journal.settle(account_id);
      for await (const approval of everyRecord(recordsBy(store, 'approvals', { account_id }), PAGE))
        if (subjectOf(approval) === subject) await eraseIntent(approval.id, subject);
      const erasedTexts = await eraseTexts(context, { account_id, subject });
      const { erased: records } = erasedTexts;
      const data = { account_id, records, changed_by: authorOf(context, actor) };
      await store.write(eventOf(context, 'subject.erased', { account_id, data }));
      logChange(context, 'subject.erased', actor, { records });
      return erasedTexts;
    },
  };
}

function subjectOf({ intent }: ApprovalRecord): unknown {
  return intent['subject'];
}

interface SubjectOfAccount {
  readonly account_id: string;
  readonly subject: string;
}

interface TextsErased {
  readonly erased: number;
  readonly has_more: boolean;
}

const MAX_CHANGED = 256;

/**
 * Erases the subject from the newest blocks that contain it. Skips blocks that were compacted or changed meanwhile; the
 * next call changes them.
 */
async function eraseTexts(
  { store, log }: Pick<Context, 'store' | 'log'>,
  { account_id, subject }: SubjectOfAccount,
): Promise<TextsErased> {
  const { journal } = store;
  const readBlock = createBlockReader(log);
  const { headers, isWhole } = await listAtOnce(journal, { account_id, subject });
  let [erasedCount, changedCount, has_more] = [0, 0, !isWhole];

  async function eraseIn(block: Block): Promise<void> {
    // A damaged block has no readable subject; it is reported and removed with its retention.
    const foundBlock = readBlock(block, () => eraseSubject(block, subject));
    if (foundBlock === undefined) return;
    changedCount += 1;
    if (await journal.eraseTexts(block, block.erased, foundBlock.erasable)) erasedCount += foundBlock.records;
    else has_more = true;
  }

  for (let start = 0; start < headers.length; start += MAX_LOADED_BLOCKS) {
    for (const block of await journal.load(headers.slice(start, start + MAX_LOADED_BLOCKS))) {
      if (changedCount === MAX_CHANGED) return { erased: erasedCount, has_more: true };
      // A block that is gone may be in another one now.
      if (block === undefined) has_more = true;
      else await eraseIn(block);
    }
    await turn();
  }
  return { erased: erasedCount, has_more };
}

/**
 * Lists the headers of all blocks that may contain the subject, newest first. `isWhole` is `false` if the list changed
 * while it was read, because a compaction may have moved a block to another page.
 */
async function listAtOnce(
  journal: JournalStorage,
  account: SubjectOfAccount,
): Promise<{ readonly headers: readonly BlockHeader[]; readonly isWhole: boolean }> {
  const headers = await listAll(journal, account);
  if (headers.length < MAX_LISTED_BLOCKS) return { headers, isWhole: true };
  const againHeaders = await listAll(journal, account);
  return { headers: againHeaders, isWhole: JSON.stringify(headers) === JSON.stringify(againHeaders) };
}

async function listAll(
  journal: JournalStorage,
  { account_id, subject }: SubjectOfAccount,
): Promise<readonly BlockHeader[]> {
  const query = { account_id, names: [filterHashes('subject', subject)], limit: MAX_LISTED_BLOCKS };
  const headers: BlockHeader[] = [];
  for (;;) {
    const headerAfter = headers.at(-1);
    const page = await journal.blocks({ ...query, ...(headerAfter && { after: headerAfter }) });
    headers.push(...page);
    if (page.length < MAX_LISTED_BLOCKS) return headers;
  }
}
