/** The amount that the verdict on a call has taken, until the outcome of the tool is known. */
import { hasSpent as hasSpentOn, isStillThere } from '../base/async/guarded-deed.ts';
import { steadyNow } from '../base/async/watch.ts';
import { warn } from '../base/warn.ts';
import type { Intent, VerdictRecord } from '../records.ts';
import type { Verifier } from './tool-call.ts';

/** The spend of a run. */
export interface RunSpend {
  /** The intent, when there is something to settle. */
  readonly intent?: Intent;
  /** True when there is something to settle. */
  readonly hasTaken: boolean;
  /** Says whether the amount is still spent or held. An earlier run under the same key may have returned it. */
  isThere(): Promise<boolean>;
  /** Commits a hold. Never rejects. */
  done(): Promise<void>;
  /** Returns the amount to its budgets. Never rejects. */
  undo(): Promise<void>;
  /** Commits a hold shortly before it ends. */
  keepHold(): void;
  /** Ends the work that `keepHold` has begun. */
  letLapse(): void;
}

/** A run that was evaluated. */
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
  const letLapse = (): void => clearTimeout(timer);

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
    letLapse,
    async isThere() {
      return isStillThere(await spends.get(decision_id));
    },
    // The tool has run: its caller does not wait for a second try.
    done() {
      letLapse();
      return isHold ? commit(TRIES) : Promise.resolve();
    },
    async undo() {
      letLapse();
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

/** The spend of a call that took nothing. */
export const NO_SPEND: RunSpend = {
  hasTaken: false,
  isThere: async () => true,
  done: async () => undefined,
  undo: async () => undefined,
  keepHold: () => undefined,
  letLapse: () => undefined,
};

/** The milliseconds before its end at which a hold is committed. */
const EARLY_MS = 5_000;
const TRIES = 4;
const RETRY_MS = 1_000;
/** The errors for which another try would have the same result. */
const FINAL: readonly unknown[] = ['conflict', 'spend_lapsed', 'not_found', 'insufficient_scope'];
