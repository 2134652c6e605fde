/** Commits or refunds the amount that an `ALLOW` has spent, after the outcome of the tool is known. */
import { hasSpent as hasSpentOn, isStillThere } from '../base/async/guarded-call.ts';
import { steadyNow } from '../base/async/watch.ts';
import { warn } from '../base/warn.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import type { Verifier } from './tool-call.ts';

/** The spend of a run. */
export interface RunSpend {
  /** The intent, if there is an amount to commit or refund. */
  readonly intent?: Intent;
  /** `true` if there is an amount to commit or refund. */
  readonly hasTaken: boolean;
  /** Returns `true` if the amount is still spent or held. An earlier run with the same key may have refunded it. */
  isThere(): Promise<boolean>;
  /** Commits a hold. Never rejects. */
  done(): Promise<void>;
  /** Refunds the amount. Never rejects. */
  undo(): Promise<void>;
  /** Starts to commit the hold shortly before it ends. */
  keepHold(): void;
  /** Cancels `keepHold`, so that the hold can expire. */
  letExpire(): void;
}

/** A run after its call was evaluated. */
export interface AskedRun {
  readonly intent: Intent;
  /** True if another run may reuse the amount of this run. */
  readonly isShared: boolean;
}

export function spendOf(
  { spends }: Verifier,
  { intent, isShared }: AskedRun,
  record: VerdictRecord,
): RunSpend {
  const { decision_id, dry_run } = record;
  const isHold = intent.hold_seconds !== undefined;
  const hasSpent = hasSpentOn(intent.hold_seconds, record);
  // A used approval stays used: only a run under the same key can continue with it.
  const hasTaken = !dry_run && (hasSpent || intent.approval_id !== undefined);
  if (!hasTaken) return NO_SPEND;
  if (!hasSpent || spends === undefined) return { ...NO_SPEND, intent, hasTaken };

  async function commit(tries: number): Promise<void> {
    try {
      await spends?.commit(decision_id);
    } catch (error) {
      if (tries > 1 && !FINAL.includes(Object(error).code)) {
        setTimeout(() => void commit(tries - 1), RETRY_MS);
      } else warn(`A tool has run, and its hold could not be committed: ${decision_id}.`);
    }
  }

  const heldSince = isHold ? steadyNow() : 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const letExpire = (): void => clearTimeout(timer);

  return {
    intent,
    hasTaken,
    keepHold() {
      if (intent.hold_seconds === undefined) return;
      const heldMs = intent.hold_seconds * 1_000;
      const leftMs = heldMs - Math.min(heldMs / 10, EARLY_MS) - (steadyNow() - heldSince);
      timer = setTimeout(() => void commit(TRIES), leftMs);
      // A process that has nothing else to do does not wait for it.
      (timer as { unref?: () => void }).unref?.();
    },
    letExpire,
    async isThere() {
      return isStillThere(await spends.get(decision_id));
    },
    // The tool has run: its caller does not wait for a second try.
    done() {
      letExpire();
      return isHold ? commit(TRIES) : Promise.resolve();
    },
    async undo() {
      letExpire();
      // A resource may still accept the permit: the service gives nothing back before its end.
      if (isShared || typeof record.permit === 'string') return;
      try {
        await spends.release(decision_id);
      } catch {
        // A hold lapses on its own; anything else needs the scope `refund` to be given back.
      }
    },
  };
}

/** The spend of a call that spent nothing. */
export const NO_SPEND: RunSpend = {
  hasTaken: false,
  isThere: async () => true,
  done: async () => undefined,
  undo: async () => undefined,
  keepHold: () => undefined,
  letExpire: () => undefined,
};

/** A hold is committed this many milliseconds before its end. */
const EARLY_MS = 5_000;
const TRIES = 4;
const RETRY_MS = 1_000;
/** The errors that another attempt would not change. */
const FINAL: readonly unknown[] = ['conflict', 'spend_lapsed', 'not_found', 'insufficient_scope'];
