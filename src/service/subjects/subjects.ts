/** The subjects of an account: the erasure of what is recorded of one. */

import { check } from '../../schema/check.ts';
import type { ApprovalRecord } from '../approvals/collections.ts';
import type { Journal } from '../journal/journal.ts';
import type { CallOptions } from '../shared/call-options.ts';
import type { Actor } from '../shared/callers.ts';
import { accountOf, type Context } from '../shared/context.ts';
import { everyRecord, recordsBy } from '../shared/record-lists.ts';
import { logChange } from '../shared/security-log.ts';
import { replace, untilWritten } from '../storage/store.ts';
import { eraseTexts } from './erase-texts.ts';

/** A subject, as intents name it. */
export interface SubjectInput {
  /** The text, exactly. */
  readonly subject: string;
}

/** The progress of an erasure. */
export interface SubjectErasure {
  /** The number of records of verdicts that this call erased the subject of. */
  readonly erased: number;
  /** True if the call must be repeated. */
  readonly has_more: boolean;
}

/** Erases subjects. */
export interface Subjects<Options = CallOptions> {
  /**
   * Erases a subject from the records of verdicts and from the intents of approvals. Each call changes at most 256
   * blocks, the newest first; repeat it while `has_more` is true. Verdicts that are recorded after the call began keep
   * the subject. Idempotency records keep it for 24 hours, and webhook deliveries, backups and exports as long as they
   * are kept.
   */
  erase(input: SubjectInput, options?: Options): Promise<SubjectErasure>;
}

/** The number of approvals in one read. */
const PAGE = 50;

/** Makes the erasure of subjects over the journal. */
export function createSubjects(context: Context, journal: Journal): Subjects<Actor> {
  const { store } = context;

  async function eraseIntent(id: string, subject: string): Promise<void> {
    await untilWritten(async () => {
      const found = await store.get('approvals', id);
      if (found === undefined || subjectOf(found) !== subject) return true;
      const { subject: _, ...intent } = found.intent;
      const next = { ...found, version: found.version + 1, intent };
      return (await store.write(replace('approvals', next, found.version))).written || undefined;
    });
  }

  return {
    async erase(input, actor = {}) {
      const { subject } = check<SubjectInput>('SubjectRequest', input);
      const account_id = accountOf(context, actor);
      await journal.settle(account_id);
      for await (const approval of everyRecord(recordsBy(store, 'approvals', { account_id }), PAGE))
        if (subjectOf(approval) === subject) await eraseIntent(approval.id, subject);
      const done = await eraseTexts(context, { account_id, subject });
      logChange(context, 'subject.erased', actor, { records: done.erased });
      return done;
    },
  };
}

function subjectOf({ intent }: ApprovalRecord): unknown {
  return intent['subject'];
}
