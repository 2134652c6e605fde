/** Evaluates an intent with the passport of its agent, and creates the verdict record. */

import { instantSpeller } from '../../base/values/instant.ts';
import { currencyCode, readAmount } from '../../base/values/money.ts';
import { readUsage } from '../../base/values/usage.ts';
import type { Intent, VerdictRecord } from '../../records.ts';
import { DEFERRED } from '../../verdict/budgets.ts';
import { isSeenBy } from '../../verdict/decide.ts';
import { decide, type ProofFact, type Rule } from '../../verdict/index.ts';
import { isCounted, readsParameters, readsParametersOn, wantsApproval } from '../../verdict/takings.ts';
import { concernsApproval } from '../approvals/approval-plan.ts';
import { type Context, LOCAL_ACCOUNT } from '../shared/context.ts';
import type { Taking } from '../spending/spending.ts';
import type { Ancestry, KnownPassport } from '../storage/caches.ts';
import type { CheckedProof, ProofCheck } from './proof-check.ts';
import type { KeyedVerdict } from './replays.ts';
import type { Taken, ToTake } from './takings.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** An intent, the passport of its agent, and the caller. */
export interface AskedIntent {
  readonly intent: Intent;
  readonly found: KnownPassport | undefined;
  /** The passports of the ancestors; `undefined` for an agent without a parent. */
  readonly ancestry: Ancestry | undefined;
  readonly caller: VerifyCaller;
  /** The request under an idempotency key. */
  readonly keyed?: KeyedVerdict | undefined;
}

/** Evaluates intents. */
export interface VerdictEvaluator {
  /**
   * Evaluates an intent that needs no call of the storage. `atMs` is the current time, if it was just read. `proof` is
   * the result of checking a proof of possession.
   */
  evaluate(
    intent: Intent,
    passport: KnownPassport | undefined,
    caller: VerifyCaller,
    ancestry: Ancestry | undefined,
    atMs?: number,
    proof?: ProofFact,
  ): VerdictRecord;
  /**
   * Evaluates intents that need a proof of possession or a spend. Checks the proofs at the same time; spends happen one
   * after another, in order.
   */
  evaluateInOrder(intents: readonly AskedIntent[]): Promise<readonly Taken[]>;
  /** Returns `true` if the verdict needs a call of the storage or a proof of possession. */
  mustWait(intent: Intent, passport: KnownPassport | undefined, ancestry: Ancestry | undefined): boolean;
}

/** The parts that evaluate an intent. */
export interface EvaluatorParts {
  readonly rules: readonly Rule[];
  readonly checkProof: ProofCheck;
  /**
   * Spends the amounts of an `ALLOW` and returns the verdict. The service does so in one write, and a local verifier
   * asks the service.
   */
  readonly take: (toTake: ToTake) => Promise<Taken>;
  /** The name of the local verifier, for its verdict records. Absent in a service. */
  readonly verifier?: string;
}

const NOTHING: readonly Taking[] = [];
const NO_BUDGETS: VerdictRecord['budgets'] = Object.freeze([]);

export function createEvaluator(
  { clock, decisionIds }: Pick<Context, 'clock' | 'decisionIds'>,
  { rules, checkProof, take, verifier: name }: EvaluatorParts,
): VerdictEvaluator {
  const verifier = name ?? null;
  const spellInstant = instantSpeller();

  function evaluate(
    intent: Intent,
    knownPassport: KnownPassport | undefined,
    caller: VerifyCaller,
    ancestry: Ancestry | undefined,
    atMs = clock.now(),
    proof?: ProofFact,
  ): VerdictRecord {
    const { target = null, subject = null, approval_id = null, hold_seconds = null } = intent;
    const { key_id = null, request_id = null, trace_id = null } = caller;
    const passport = knownPassport?.prepared;
    const ancestors = ancestry?.prepared;
    const question = { passport, intent, at: atMs, caller, ancestors, proof, budgets: DEFERRED };
    const { verdict, reasons } = decide(question, rules);
    const seenPassport = reasons[0]?.code === 'agent_not_found' ? undefined : knownPassport;
    const record: VerdictRecord = {
      verdict,
      reasons,
      decision_id: decisionIds.next(),
      // The text comes from the passport, so that the journal need not copy it.
      agent_id: seenPassport?.agent_id ?? intent.agent_id,
      action: intent.action,
      target,
      amount: readAmount(intent.parameters?.['amount']),
      currency: currencyCode(intent.parameters?.['currency']),
      passport_version: seenPassport?.version ?? null,
      ancestor_versions: (seenPassport && ancestry?.versions) ?? null,
      environment: caller.environment ?? 'live',
      key_id,
      request_id,
      trace_id,
      dry_run: intent.dry_run ?? false,
      budgets: NO_BUDGETS,
      proof_kid: proof?.state === 'valid' ? proof.kid : null,
      subject,
      approval_id,
      hold_seconds,
      verifier,
      permit_audience: null,
      evaluated_at: spellInstant(atMs),
    };
    return intent.usage === undefined ? record : Object.assign(record, { usage: readUsage(intent.usage) });
  }

  /**
   * Checks the proof only if the caller may see the agent. Otherwise the time of the check would reveal that the agent
   * exists.
   */
  async function proofOf({
    intent,
    found: passport,
    caller,
  }: AskedIntent): Promise<CheckedProof | undefined> {
    const { proof } = intent;
    if (proof === undefined || passport === undefined || !isSeenBy(caller, passport.prepared))
      return undefined;
    return checkProof(proof, { passport: passport.prepared.passport, intent, at: clock.now() });
  }

  function evaluateAndTake(askedIntent: AskedIntent, proof: CheckedProof | undefined): Promise<Taken> {
    const { found: passport, ancestry, caller, keyed } = askedIntent;
    const intent = withoutProof(askedIntent.intent);
    const record = evaluate(intent, passport, caller, ancestry, clock.now(), proof?.fact);
    const takings = proof?.takings ?? NOTHING;
    return take({
      record,
      intent,
      found: passport,
      ancestry,
      keyed,
      takings,
      requested_by: caller.requested_by,
    });
  }

  return {
    evaluate,
    mustWait: (intent, passport, ancestry) =>
      intent.proof !== undefined ||
      spends(intent, passport, ancestry) ||
      asksPerson(intent, passport, ancestry),
    async evaluateInOrder(intents) {
      const proofs = await Promise.all(intents.map(proofOf));
      const results: Taken[] = [];
      for (const [index, intent] of intents.entries())
        results.push(await evaluateAndTake(intent, proofs[index]));
      return results;
    },
  };
}

/** Removes the proof from the intent, so that rules of the application and records never get its text. */
function withoutProof(givenIntent: Intent): Intent {
  if (givenIntent.proof === undefined) return givenIntent;
  const { proof: _, ...intent } = givenIntent;
  return Object.freeze(intent);
}

/**
 * Returns `true` if an `ALLOW` needs a write or a permit. The write counts the intent in an order, a pace or a budget,
 * or holds an amount.
 */
function spends(
  { hold_seconds, permit }: Intent,
  passport: KnownPassport | undefined,
  ancestry: Ancestry | undefined,
) {
  return (
    hold_seconds !== undefined ||
    permit !== undefined ||
    (passport !== undefined && isCounted(passport.prepared)) ||
    ancestry?.isCounted === true
  );
}

/**
 * Returns `true` if the verdict needs all members of the intent. Conditions and orders may read each member, and an
 * approval is for one exact intent.
 */
export function needsWhole(
  intent: Intent,
  passport: KnownPassport | undefined,
  ancestry: Ancestry | undefined,
): boolean {
  return needsParameters(intent, passport, ancestry) || asksPerson(intent, passport, ancestry);
}

export function needsParameters(
  { action }: Intent,
  passport: KnownPassport | undefined,
  ancestry: Ancestry | undefined,
): boolean {
  if (passport === undefined) return false;
  if (readsParametersOn(passport.prepared, action)) return true;
  return (
    ancestry?.readsParameters === true &&
    ancestry.prepared.some((passport) => readsParametersOn(passport, action))
  );
}

function asksPerson(
  intent: Intent,
  passport: KnownPassport | undefined,
  ancestry: Ancestry | undefined,
): boolean {
  if (passport === undefined) return false;
  if (intent.approval_id !== undefined) return true;
  // Most passports need no approval: for them nothing is allocated.
  if (!wantsApproval(passport.prepared) && ancestry?.wantsApproval !== true) return false;
  return concernsApproval(intent, [passport.prepared, ...(ancestry?.prepared ?? [])]);
}

/** Returns `true` if the verdict may need all members of the intent, as far as the cached passport shows. */
export function mayNeedWhole(entry: { readonly value: KnownPassport | undefined } | undefined): boolean {
  if (entry === undefined) return true;
  const { value } = entry;
  if (value === undefined) return false;
  const { parent_agent_id, prepared } = value;
  return parent_agent_id !== undefined || wantsApproval(prepared) || readsParameters(prepared);
}

/** Returns the account of the passport. The verdict on an unknown agent is stored for the account of the caller. */
export function ownerOf(
  record: VerdictRecord,
  passport: KnownPassport | undefined,
  caller: VerifyCaller,
): string {
  const owner = record.passport_version === null ? undefined : passport?.account_id;
  return owner ?? caller.account_id ?? LOCAL_ACCOUNT;
}
