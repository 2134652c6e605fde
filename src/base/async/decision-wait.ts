/** Waits until a person decides: reads an approval repeatedly until the approval is no longer pending. */
import { IdentityError, type IdentityErrorCode } from '../../errors.ts';
import type { Approval } from '../../records/approval.ts';

export interface DecisionLook {
  readonly read: () => Promise<Approval>;
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly signal: AbortSignal | undefined;
}

const PASSING: readonly IdentityErrorCode[] = [
  'service_unreachable',
  'storage_unavailable',
  'overloaded',
  'rate_limited',
  'internal',
];
const FIRST_MS = 250;
const LONGEST_MS = 5_000;
/** The time for which an approval is still read after its expiry, if the service still returns it as pending. */
const GRACE_MS = 60_000;

export function isPassing(error: unknown): boolean {
  return error instanceof IdentityError && PASSING.includes(error.code);
}

/**
 * Resolves with the approval once it is approved, rejected, used or expired. Reads the approval at intervals,
 * so it notices a decision and the expiry even if a notice is lost.
 *
 * Rejects if the first read fails, and if a later read fails with a permanent error. If the signal aborts,
 * rejects with the reason of the signal.
 */
export async function decisionOf({ read, after, signal }: DecisionLook): Promise<Approval> {
  // Measured in pauses, not by a clock: that of this host may differ from that of the service.
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

export function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

function lifeOf({ created_at, expires_at }: Approval): number {
  return Date.parse(expires_at) - Date.parse(created_at);
}

/** Waits for `ms`. Rejects with the reason of the signal if the signal aborts. */
export function paused(
  ms: number,
  schedule: DecisionLook['after'],
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = schedule(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
