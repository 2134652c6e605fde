/** Tracks whether every request must go to the service, the reason for this, and the time of the next check. */
import { IdentityError } from '../errors.ts';
import type { Logger } from '../ports/host.ts';
import { DECISION_VERSION } from '../verdict/decision-version.ts';
import type { Dated } from './channel.ts';

/**
 * The reason why every intent goes to the service.
 *
 * - `rules`: the service has rules of its application.
 * - `strict`: the option `consistency` or `journal` of the service is `strict`.
 * - `rate`: the account is over its rate.
 * - `version`: the service has another version of the rules, or is too old for local verifiers.
 * - `scope`: the key has no scope `verify` or `decide`.
 * - `refused`: the key is not valid.
 */
export type AsksReason = 'rules' | 'strict' | 'rate' | 'version' | 'scope' | 'refused';

/** Tracks whether every request must go to the service. */
export interface Asking {
  /**
   * Returns the reason why every request goes to the service. Returns `null` while the verifier decides in its own
   * process.
   */
  reason(): AsksReason | null;
  /**
   * Returns `true` if the verifier should now check whether it can decide in its own process again. The call
   * sets the time for the next check.
   */
  isDue(): boolean;
  take(answer: Dated): boolean;
  /** Handles the error of a request. Returns `true` if the service must be asked because of the error. */
  fail(error: unknown): boolean;
}

/** The milliseconds after which the verifier checks again whether it can decide locally. */
const LOOK_MS = 60_000;
const RATE_LOOK_MS = 5_000;

const FAILURES: Readonly<Record<string, AsksReason>> = {
  unauthenticated: 'refused',
  insufficient_scope: 'scope',
  not_found: 'version',
  method_not_allowed: 'version',
  invalid_request: 'version',
  rate_limited: 'rate',
};

export function createAsking(
  { elapsed, log }: { readonly elapsed: () => number; readonly log: Logger },
  onRefused: () => void,
): Asking {
  let reason: AsksReason | null = null;
  let changedAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;

  function change(next: AsksReason | null): void {
    lookedAt = elapsed();
    if (next === 'refused') onRefused();
    if (next === reason) return;
    reason = next;
    changedAt = lookedAt;
    if (next === null) {
      const message = 'Verdicts are decided in this process again.';
      log({ level: 'info', event: 'verifier_decides', message });
    } else {
      const message = 'The service is asked for every verdict.';
      log({ level: 'warn', event: 'verifier_asks', message, reason: next });
    }
  }

  return {
    reason: () => reason,
    isDue() {
      if (reason === null) return false;
      const now = elapsed();
      if (now - lookedAt < (reason === 'rate' ? RATE_LOOK_MS : LOOK_MS)) return false;
      lookedAt = now;
      return true;
    },
    take(answer) {
      // A request from before the change says nothing about what is so since then.
      if (reason !== null && answer.sentAt < changedAt) return false;
      change(reasonIn(answer));
      return reason === null;
    },
    fail(error) {
      const next = error instanceof IdentityError ? FAILURES[error.code] : undefined;
      if (next !== undefined) change(next);
      return next !== undefined;
    },
  };
}

function reasonIn({ ask, decision_version }: Dated): AsksReason | null {
  if (decision_version !== DECISION_VERSION) return 'version';
  if (ask === null || ask === 'rules' || ask === 'strict' || ask === 'rate') return ask;
  return 'version';
}
