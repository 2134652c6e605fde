/** Makes the record of a verdict from an intent and the passport of its agent. */

import { instantSpeller } from '../../base/values/instant.ts';
import { currencyCode, readAmount } from '../../base/values/money.ts';
import { readUsage } from '../../base/values/usage.ts';
import { countedIds } from '../../credential/random-id.ts';
import type { Intent, VerdictRecord } from '../../records.ts';
import { DEFERRED } from '../../verdict/budgets.ts';
import { isSeenBy } from '../../verdict/decide.ts';
import { decide, type ProofFact, type Rule } from '../../verdict/index.ts';
import { isCounted, readsParameters, readsParametersOn, wantsApproval } from '../../verdict/takings.ts';
import { concernsApproval } from '../approvals/approval-plan.ts';
import { type Context, LOCAL_ACCOUNT } from '../shared/context.ts';
import type { Taking } from '../spending/spending.ts';
import type { KnownPassport, Lineage } from '../storage/caches.ts';
import type { CheckedProof, ProofCheck } from './proof-check.ts';
import type { KeyedVerdict } from './replays.ts';
import type { Taken, ToTake } from './takings.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** An intent, the passport of its agent, and the caller. */
export interface AskedIntent {
  readonly intent: Intent;
  readonly found: KnownPassport | undefined;
  /** The passports of the ancestors; `undefined` for an agent without a parent. */
  readonly lineage: Lineage | undefined;
  readonly caller: VerifyCaller;
  /** The turn under an idempotency key. */
  readonly keyed?: KeyedVerdict | undefined;
}

/** Judges intents. */
export interface VerdictJudge {
  /**
   * Judges an intent that needs no storage call. `at` is the present, if it was read just now. `proof` is the result of
   * the check of a proof.
   */
  judge(
    intent: Intent,
    found: KnownPassport | undefined,
    caller: VerifyCaller,
    lineage: Lineage | undefined,
    at?: number,
    proof?: ProofFact,
  ): VerdictRecord;
  /**
   * Judges intents that need a proof or a spend. Proofs are checked together; spends happen one after the other, in
   * order.
   */
  judgeInOrder(all: readonly AskedIntent[]): Promise<readonly Taken[]>;
  /** Returns `true` if the verdict on the intent needs a storage call or a proof. */
  mustWait(intent: Intent, found: KnownPassport | undefined, lineage: Lineage | undefined): boolean;
}

/** The parts that a verdict is made with. */
export interface JudgeParts {
  readonly rules: readonly Rule[];
  readonly checkProof: ProofCheck;
  /** Spends what an ALLOW takes, and returns the verdict: the service in one write, a local verifier by asking it. */
  readonly take: (toTake: ToTake) => Promise<Taken>;
  /** The name of the local verifier that decides, for its records; absent in a service. */
  readonly verifier?: string;
}

const NOTHING: readonly Taking[] = [];
const NO_BUDGETS: VerdictRecord['budgets'] = Object.freeze([]);

export function createJudge(
  { clock, random }: Pick<Context, 'clock' | 'random'>,
  { rules, checkProof, take, verifier: name }: JudgeParts,
): VerdictJudge {
  const verifier = name ?? null;
  const nextDecisionId = countedIds('dec', random);
  const spellInstant = instantSpeller();

  function judge(
    intent: Intent,
    found: KnownPassport | undefined,
    caller: VerifyCaller,
    lineage: Lineage | undefined,
    at = clock.now(),
    proof?: ProofFact,
  ): VerdictRecord {
    const passport = found?.prepared;
    const ancestors = lineage?.prepared;
    const question = { passport, intent, at, caller, ancestors, proof, budgets: DEFERRED };
    const { verdict, reasons } = decide(question, rules);
    const seen = reasons[0]?.code === 'agent_not_found' ? undefined : found;
    const record: VerdictRecord = {
      verdict,
      reasons,
      decision_id: nextDecisionId(),
      // The text comes from the passport, so that the journal need not copy it.
      agent_id: seen?.agent_id ?? intent.agent_id,
      action: intent.action,
      target: intent.target ?? null,
      amount: readAmount(intent.parameters?.['amount']),
      currency: currencyCode(intent.parameters?.['currency']),
      passport_version: seen?.version ?? null,
      ancestor_versions: (seen && lineage?.versions) ?? null,
      environment: caller.environment ?? 'live',
      key_id: caller.key_id ?? null,
      request_id: caller.request_id ?? null,
      trace_id: caller.trace_id ?? null,
      dry_run: intent.dry_run ?? false,
      budgets: NO_BUDGETS,
      proof_kid: proof?.state === 'valid' ? proof.kid : null,
      subject: intent.subject ?? null,
      approval_id: intent.approval_id ?? null,
      hold_seconds: intent.hold_seconds ?? null,
      verifier,
      permit_audience: null,
      evaluated_at: spellInstant(at),
    };
    return intent.usage === undefined ? record : Object.assign(record, { usage: readUsage(intent.usage) });
  }

  /**
   * Checks the proof, but only for an agent that the caller sees: the time it takes would show that the agent exists.
   */
  async function proofOf({ intent, found, caller }: AskedIntent): Promise<CheckedProof | undefined> {
    const { proof } = intent;
    if (proof === undefined || found === undefined || !isSeenBy(caller, found.prepared)) return undefined;
    return checkProof(proof, { passport: found.prepared.passport, intent, at: clock.now() });
  }

  /** Judges the intent, and spends if the verdict is ALLOW. */
  function judgeAndTake(asked: AskedIntent, proof: CheckedProof | undefined): Promise<Taken> {
    const { found, lineage, caller, keyed } = asked;
    const intent = withoutProof(asked.intent);
    const record = judge(intent, found, caller, lineage, clock.now(), proof?.fact);
    const takings = proof?.takings ?? NOTHING;
    return take({ record, intent, found, lineage, keyed, takings, requested_by: caller.requested_by });
  }

  return {
    judge,
    mustWait: (intent, found, lineage) =>
      intent.proof !== undefined || spends(intent, found, lineage) || asksPerson(intent, found, lineage),
    async judgeInOrder(all) {
      const proofs = await Promise.all(all.map(proofOf));
      const taken: Taken[] = [];
      for (const [index, asked] of all.entries()) taken.push(await judgeAndTake(asked, proofs[index]));
      return taken;
    },
  };
}

/** Removes the proof: neither a rule of the application nor a record gets its text. */
function withoutProof(given: Intent): Intent {
  if (given.proof === undefined) return given;
  const { proof: _, ...intent } = given;
  return Object.freeze(intent);
}

/** Returns `true` if an ALLOW on the intent takes from an order, a pace or a budget, holds, or is signed as a permit. */
function spends(
  { hold_seconds, permit }: Intent,
  found: KnownPassport | undefined,
  lineage: Lineage | undefined,
) {
  return (
    hold_seconds !== undefined ||
    permit !== undefined ||
    (found !== undefined && isCounted(found.prepared)) ||
    lineage?.isCounted === true
  );
}

/** Returns `true` if all members of the intent are needed: by a condition, an order, or an approval, which is for one intent. */
export function needsWhole(
  intent: Intent,
  found: KnownPassport | undefined,
  lineage: Lineage | undefined,
): boolean {
  return needsParameters(intent, found, lineage) || asksPerson(intent, found, lineage);
}

export function needsParameters(
  { action }: Intent,
  found: KnownPassport | undefined,
  lineage: Lineage | undefined,
): boolean {
  if (found === undefined) return false;
  if (readsParametersOn(found.prepared, action)) return true;
  return lineage?.readsParameters === true && lineage.prepared.some((one) => readsParametersOn(one, action));
}

function asksPerson(intent: Intent, found: KnownPassport | undefined, lineage: Lineage | undefined): boolean {
  if (found === undefined) return false;
  if (intent.approval_id !== undefined) return true;
  // Most passports need no approval: for them nothing is allocated.
  if (!wantsApproval(found.prepared) && lineage?.wantsApproval !== true) return false;
  return concernsApproval(intent, [found.prepared, ...(lineage?.prepared ?? [])]);
}

/** Returns `true` if all members of the intent may be needed, by what memory has of the passport. */
export function mayNeedWhole(known: { readonly value: KnownPassport | undefined } | undefined): boolean {
  if (known === undefined) return true;
  const { value } = known;
  if (value === undefined) return false;
  const { parent_agent_id, prepared } = value;
  return parent_agent_id !== undefined || wantsApproval(prepared) || readsParameters(prepared);
}

/** Returns the account of the passport. A verdict on an unknown agent is filed under the account of the caller. */
export function ownerOf(
  record: VerdictRecord,
  found: KnownPassport | undefined,
  caller: VerifyCaller,
): string {
  const owner = record.passport_version === null ? undefined : found?.account_id;
  return owner ?? caller.account_id ?? LOCAL_ACCOUNT;
}
