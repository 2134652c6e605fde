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
import { requireScope } from '../shared/scope.ts';
import { createChangeWaits } from './change-waits.ts';
import { knowledgeErrors, knownVersion } from './known-agents.ts';
import { readAhead, readState } from './read-state.ts';
import { createSentVerdicts, type SentVerdictParts } from './sent-verdicts.ts';

/** Serves local verifiers. */
export interface Verifiers {
  /**
   * Returns the passports that differ from what the input says, and an instant at which all of it was so. Waits up to
   * `wait_ms` for a change if nothing is new. `insufficient_scope` without `verify` and `decide`; `overloaded` if 500
   * calls of the account wait on this node.
   */
  confirm(input: ConfirmInput, options: KeyCaller & CallOptions): Promise<ConfirmedPassports>;
  /**
   * Checks a block of verdicts that a verifier decided, packs it anew and stores it once. `invalid_request`, and
   * nothing stored, if one record is not as this key's verifier may decide; `insufficient_scope` as above.
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
/** An instant from which on everything in memory may answer: what a notice named is not in it any more. */
const OF_ANY_AGE = Number.NEGATIVE_INFINITY;
/** The most calls of an account on a node that wait for a change, and that do not. */
const MAX_WAITING = 500;
const MAX_READING = 64;

/** Makes the verifiers of one service. Without a call it listens to nothing. */
export function createVerifiers(context: Context, parts: VerifierParts): Verifiers {
  const { callers, isOverRate, ask } = parts;
  const fileSent = createSentVerdicts(context, parts);
  const { caches, clock, clockWatch } = context;
  const waits = createChangeWaits(context);
  const waiting = createPlaces(MAX_WAITING, tooMany);
  const reading = createPlaces(MAX_READING, tooMany);

  /** Waits if the sender knows something of every agent, and memory has nothing newer: a notice may have come before. */
  async function waitForChange(input: ConfirmInput, given: KeyCaller, signal: AbortSignal | undefined) {
    const known = Object.entries(input.agents);
    if (known.some(([, what]) => what === null)) return;
    const { caller } = await callers.confirm(given, OF_ANY_AGE);
    requireBoth(caller);
    if (await isNarrowed(caches, input.agents, caller)) return;
    // Last, at once before the wait: no notice may come between.
    if (known.some(([id, what]) => what !== null && waits.hasNewer(id, knownVersion(what)))) return;
    const agents = known.map(([id]) => ({ collection: 'passports', id }) as const);
    const { key_id, account_id } = caller;
    const credential = [
      { collection: 'keys', id: key_id },
      { collection: 'accounts', id: account_id },
    ] as const;
    await waits.change([...agents, ...credential], input.wait_ms, signal);
  }

  return {
    async confirm(given, { signal, ...caller }) {
      const arrivedAt = caches.monotonic();
      requireBoth(caller);
      const input = checkCopy<ConfirmInput>('VerifierRequest', given, knowledgeErrors);
      const leave = (input.wait_ms > 0 ? waiting : reading).take(caller.account_id);
      try {
        if (input.wait_ms > 0) await waitForChange(input, caller, signal);
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
      const leave = reading.take(caller.account_id);
      try {
        return await fileSent(input, caller);
      } finally {
        leave();
      }
    },
    end: waits.end,
  };
}

/** Says whether the key sees an agent no more that the sender has a passport of. */
async function isNarrowed(
  caches: Context['caches'],
  agents: ConfirmInput['agents'],
  caller: KeyCaller,
): Promise<boolean> {
  const { agent_ids } = caller;
  if (agent_ids === null || Object.keys(agents).every((id) => agent_ids.includes(id))) return false;
  const { passports } = await readState(caches, agents, caller, OF_ANY_AGE);
  return Object.values(passports).includes(null);
}

function requireBoth(caller: KeyCaller): void {
  requireScope(caller, 'verify');
  requireScope(caller, 'decide');
}

function tooMany(): IdentityError {
  const details = { retryAfterSeconds: 1 };
  return new IdentityError('overloaded', 'Too many verifiers of the account ask at once.', { details });
}
