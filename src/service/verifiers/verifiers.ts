/** The service's side of local verifiers: it confirms the passports that they decide by. */
import { formatInstant } from '../../base/values/instant.ts';
import { IdentityError } from '../../errors.ts';
import type {
  ConfirmedPassports,
  ConfirmInput,
  FiledVerdicts,
  VerdictsInput,
  VerifierAsk,
} from '../../records/verifier.ts';
import { checkCopy } from '../../schema/check.ts';
import { DECISION_VERSION } from '../../verdict/decision-version.ts';
import type { CallOptions } from '../shared/call-options.ts';
import type { KeyCaller, KeyCallers } from '../shared/callers.ts';
import type { Context } from '../shared/context.ts';
import { createPlaces } from '../shared/places.ts';
import { createChangeWaits } from './change-waits.ts';
import { knowledgeErrors } from './known-agents.ts';
import { readAhead, readState } from './read-state.ts';
import { requireBoth } from './require-both.ts';
import { createSentVerdicts, type SentVerdictParts } from './sent-verdicts.ts';
import { createWaitForChange } from './wait-for-change.ts';

/** Serves local verifiers. */
export interface Verifiers {
  /**
   * Returns the passports that differ from what the input says, and an instant at which all of it was so. Waits up to
   * `wait_ms` for a change if nothing is new. `insufficient_scope` without `verify` and `decide`; `overloaded` if 500
   * calls of the account wait on this node.
   */
  confirm(input: ConfirmInput, options: KeyCaller & CallOptions): Promise<ConfirmedPassports>;
  /**
   * Checks a block of verdicts that a verifier decided, packs it again and stores it once. `invalid_request`, and
   * nothing stored, if one record is not as this key's verifier may decide; `rate_limited` if the account is over its
   * rate by a block already; `insufficient_scope` as above.
   */
  file(input: VerdictsInput, caller: KeyCaller): Promise<FiledVerdicts>;
  /** Answers all waiting calls, for a server that is about to stop; later ones do not wait. */
  end(): void;
}

/** The dependencies of the verifiers. */
export interface VerifierParts extends SentVerdictParts {
  readonly callers: KeyCallers;
  /** Says whether the account has used up its rate of verifications. */
  readonly isOverRate: (caller: KeyCaller) => boolean;
  /** The reason why no verifier of this service may decide; `null` if they may. */
  readonly ask: Exclude<VerifierAsk, 'rate'> | null;
}

/** The age up to which memory may answer, so that many verifiers of the same agents cost one read. */
const SHARED_MS = 100;
/** The most calls of an account on a node that wait for a change, and that do not. */
const MAX_WAITING = 500;
const MAX_READING = 64;

/** Makes the verifiers of one service. Without a call it listens to nothing. */
export function createVerifiers(context: Context, parts: VerifierParts): Verifiers {
  const { callers, isOverRate, ask } = parts;
  const fileSent = createSentVerdicts(context, parts);
  const { caches, clock, clockWatch } = context;
  const waits = createChangeWaits(context);
  const waitForChange = createWaitForChange({ caches, callers, waits });
  const waiting = createPlaces(MAX_WAITING, tooMany);
  const reading = createPlaces(MAX_READING, tooMany);

  return {
    async confirm(given, { signal, ...caller }) {
      const arrivedAt = caches.monotonic();
      requireBoth(caller);
      const input = checkCopy<ConfirmInput>('VerifierRequest', given, knowledgeErrors);
      const leave = (input.wait_ms > 0 ? waiting : reading).take(caller.account_id);
      try {
        if (input.wait_ms > 0) await waitForChange({ input, given: caller, signal });
        const since = caches.monotonic() - SHARED_MS;
        // All at once: each may cost a way to the storage and back.
        const [present] = await Promise.all([
          callers.confirm(caller, since),
          clockWatch.assertRight(),
          readAhead(caches, input.agents, since),
        ]);
        requireBoth(present.caller);
        const {
          passports,
          unread,
          asOf: readAt,
        } = await readState(caches, input.agents, present.caller, since);
        const asOf = Math.min(present.asOf, readAt);
        const { account_id, key_id, environment } = present.caller;
        return {
          turn: input.turn,
          // Rounded down: the state is at least as new as that.
          as_of_ms: Math.floor((asOf - arrivedAt) * 10) / 10,
          at: formatInstant(Math.floor(clock.now() - (caches.monotonic() - asOf))),
          ask: ask ?? (isOverRate(present.caller) ? 'rate' : null),
          decision_version: DECISION_VERSION,
          ...{ account_id, key_id, environment, passports, unread },
        };
      } finally {
        leave();
      }
    },
    async file(input, caller) {
      requireBoth(caller);
      const { account_id } = caller;
      const leave = reading.take(account_id);
      const wasOver = isOverRate(caller);
      try {
        return await fileSent(input, caller);
      } finally {
        leave();
        // Its verifiers learn at once that they have to ask, not after their next wait.
        if (!wasOver && isOverRate(caller)) waits.wake({ collection: 'accounts', id: account_id });
      }
    },
    end: waits.end,
  };
}

function tooMany(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError('overloaded', 'Too many verifiers of the account ask at once.', { details });
}
