/** The end of a verdict that was formed: it is filed as the journal promises, and reported to the host. */
import type { VerdictRecord } from '../../records.ts';
import type { Context } from '../shared/context.ts';
import type { VerifyParts } from './verify-parts.ts';

/** Gives the record back once it is filed and reported. `startedAt`: when the question began, by the monotonic clock. */
export type Filed = (record: VerdictRecord, owner: string, startedAt: number) => Promise<VerdictRecord>;

/** Makes it for one service. A record that is not filed is reported as a failure. */
export function createFiled({ elapsedClock }: Context, { journal, hooks }: VerifyParts): Filed {
  function reported(record: VerdictRecord, latencyUs: number): VerdictRecord {
    hooks.report(record, latencyUs);
    return record;
  }

  function failed(error: unknown): never {
    hooks.fail(error);
    throw error;
  }

  return (record, owner, startedAt) => {
    const latencyUs = elapsedClock.tookMs(startedAt) * 1_000;
    const stored = journal.file(record, owner, latencyUs);
    if (stored !== undefined) return stored.then(() => reported(record, latencyUs), failed);
    return Promise.resolve(reported(record, latencyUs));
  };
}
