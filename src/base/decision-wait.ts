/** The wait for a person: an approval is looked at until it is not pending any more. */
import { IdentityError, type IdentityErrorCode } from '../errors.ts';
import type { Approval } from '../records/approval.ts';

/** How an approval is looked at. */
export interface DecisionLook {
  /** Its present state. */
  readonly read: () => Promise<Approval>;
  /** A timer; the function that it returns ends it. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** Ends the wait, which rejects with its reason. */
  readonly signal: AbortSignal | undefined;
}

/** Errors that pass: the same question may be answered later. */
const PASSING: readonly IdentityErrorCode[] = [
  'service_unreachable',
  'storage_unavailable',
  'overloaded',
  'rate_limited',
  'internal',
];
const FIRST_MS = 250;
const LONGEST_MS = 5_000;
/** For how long after its life an approval is still asked for that no answer says is over. */
const GRACE_MS = 60_000;

/** Whether another try may be answered. */
export function isPassing(error: unknown): boolean {
  return error instanceof IdentityError && PASSING.includes(error.code);
}

/**
 * The approval as soon as it is approved, rejected, used or expired. It is asked for again and again, so that nothing
 * that is missed makes the wait longer than its end. Rejects with the reason of the signal, where the first look fails,
 * and where a later one fails for good.
 */
export async function decisionOf({ read, after, signal }: DecisionLook): Promise<Approval> {
  // By pauses and not by a clock: that of this host may differ from that of the service.
  let leftMs = 0;
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_MS)) {
    signal?.throwIfAborted();
    try {
      const approval = await read();
      if (approval.status !== 'pending') return approval;
      if (leftMs === 0) leftMs = lifeOf(approval) + GRACE_MS;
    } catch (error) {
      signal?.throwIfAborted();
      if (leftMs <= 0 || !isPassing(error)) throw error;
    }
    leftMs -= pauseMs;
    await paused(pauseMs, after, signal);
  }
}

function lifeOf({ created_at, expires_at }: Approval): number {
  return Date.parse(expires_at) - Date.parse(created_at);
}

function paused(ms: number, after: DecisionLook['after'], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
