/**
 * Evaluates one record again without its budgets. Returns the reasons that certainly deny, and the cause if the verdict
 * is uncertain.
 */

import { impliesTest } from '../base/values/conditions/implied.ts';
import { isSameJson } from '../base/values/json-values.ts';
import type { UnknownCode } from '../records/replay.ts';
import type { Intent, Reason } from '../records.ts';
import { approvalRequired } from '../verdict/approval.ts';
import { DEFERRED } from '../verdict/budgets.ts';
import {
  conditionReason,
  conditionsOn,
  failedConditions,
  type PolicyCondition,
} from '../verdict/conditions.ts';
import { decide, type PreparedPassport, type ProofFact } from '../verdict/index.ts';
import { PARENT_DENIED } from '../verdict/rules.ts';
import { approvalAsked, takingsIn } from '../verdict/takings.ts';
import type { AskApplicationRules } from './application-rules.ts';
import { ASKS_INTENT, type PassportChain, policyIn } from './chains.ts';
import { historyAgain, lackingAgain } from './history-again.ts';
import { type AskedRow, isOfCondition } from './recorded-reasons.ts';

/** A verdict, as far as it is known without budgets. */
export interface Evaluation {
  readonly denied: readonly Reason[];
  /** The reason of a missing approval. Reasons of budgets have priority. */
  readonly approval: readonly Reason[];
  /** Why an `ALLOW` would be unknown: because of checks before the budgets (`before`) or after them (`after`). */
  readonly before: UnknownCode | undefined;
  readonly after: UnknownCode | undefined;
}

export interface EvaluatedBy {
  /** The passports. `undefined` if one of the versions no longer exists. */
  readonly chain: PassportChain | undefined;
  /** The passports with which the record was made, if they were loaded. */
  readonly recorded: PassportChain | undefined;
  readonly askApplication: AskApplicationRules | undefined;
}

const NONE: readonly Reason[] = [];
const ALLOWED: Evaluation = { denied: NONE, approval: NONE, before: undefined, after: undefined };
const NEEDED: readonly Reason[] = [approvalRequired({ approval_id: null, expires_at: null })];

function unknown(codeBefore: UnknownCode): Evaluation {
  return { ...ALLOWED, before: codeBefore };
}

/**
 * Returns a result with reasons that certainly deny. The code lists all fields, because a spread takes as long as a
 * verdict.
 */
function deniedBy(deniedReasons: readonly Reason[]): Evaluation {
  return { denied: deniedReasons, approval: NONE, before: undefined, after: undefined };
}

const OPEN_CODES = ['amount', 'parameters', 'proof', 'approval', 'holds'] as const;

export function evaluateAgain(row: AskedRow, { chain, recorded, askApplication }: EvaluatedBy): Evaluation {
  const { codes, standing } = row;
  if (codes.isUnseen) return unknown('not_seen');
  const stands = standingReasons(standing);
  if (chain === undefined) return withoutPassport(row, stands);
  const intent = recordedIntent(row);
  const proof = proofOf(row, chain, recorded);
  const { passport, ancestors } = chain;
  const question = { passport, intent, at: row.at, ancestors, proof: proof.fact, budgets: DEFERRED };
  const decidedReasons = decide(question).reasons;
  const { reasons, isOpen } = reasonsAgain(row, decidedReasons, { chain, recorded });
  const isAmountOpen = row.amount === null && mayBeAmount(chain, recorded);
  const ownReasons = isAmountOpen ? reasons.filter((reason) => !isOfAmount(reason)) : reasons;
  const answer = askApplication?.(chain.passport, row);
  const objectedReasons = answer?.reasons ?? NONE;
  if (stands.length + objectedReasons.length > 0)
    return deniedBy([...stands, ...ownReasons, ...objectedReasons]);
  if (ownReasons.length > 0) return deniedBy(ownReasons);
  const history = historyAgain(row, chain, recorded);
  if (history.reasons.length > 0) return deniedBy(history.reasons);
  const approval = approvalOf(row, chain, intent);
  const valueBefore =
    OPEN_CODES[[isAmountOpen, isOpen, proof.isOpen, approval.isOpen, codes.isTooManyHolds].indexOf(true)] ??
    (isMetered(chain, intent) ? 'usage' : undefined);
  const codeAfter = history.isOpen ? 'history' : answer?.unknown;
  if (valueBefore === undefined && codeAfter === undefined && approval.reasons.length === 0) return ALLOWED;
  return { denied: NONE, approval: approval.reasons, before: valueBefore, after: codeAfter };
}

function standingReasons({ states, proof }: AskedRow['standing']): readonly Reason[] {
  return proof === undefined ? states : [...states, proof];
}

function withoutPassport({ standing }: AskedRow, stands: readonly Reason[]): Evaluation {
  if (stands.length > 0) return deniedBy(stands);
  const approval = standing.approval === undefined ? NONE : [standing.approval];
  return { ...ALLOWED, approval, after: 'version' };
}

/**
 * Returns the reasons of the default rules, and whether unknown parameters matter. Reasons about parameters and the
 * session stay as recorded.
 */
function reasonsAgain(
  row: AskedRow,
  decidedReasons: readonly Reason[],
  { chain, recorded }: { readonly chain: PassportChain; readonly recorded: PassportChain | undefined },
): { readonly reasons: readonly Reason[]; readonly isOpen: boolean } {
  if (!chain.hasConditions && !chain.hasHistory) return { reasons: decidedReasons, isOpen: false };
  const { reasons, isOpen } = conditionsAgain(row, chain, recorded);
  const lacking = lackingAgain(row, chain, recorded).filter(
    (reason) => !reasons.some((otherReason) => isSameJson(reason, otherReason)),
  );
  return { reasons: [...withoutConditions(decidedReasons), ...reasons, ...lacking], isOpen };
}

function isMetered({ hasBudgets, all }: PassportChain, intent: Intent): boolean {
  return hasBudgets && takingsIn(all, intent).some(({ budget }) => budget.overrun);
}

export function recordedIntent(row: AskedRow): Intent {
  const { usage } = row;
  return usage === undefined ? plainIntent(row) : Object.assign(plainIntent(row), { usage });
}

function plainIntent({ agent_id, action, target, amount, currency }: AskedRow): Intent {
  if (amount === undefined && currency === undefined)
    return target === undefined ? { agent_id, action } : { agent_id, action, target };
  // Members that are `undefined` are read as absent ones.
  const parameters = { amount, currency };
  return target === undefined ? { agent_id, action, parameters } : { agent_id, action, target, parameters };
}

/** Returns `true` if an invalid amount could be valid in a currency with more decimals. */
function mayBeAmount({ decimals = MOST }: PassportChain, recordedChain: PassportChain | undefined): boolean {
  return recordedChain === undefined || decimals > (recordedChain.decimals ?? MOST);
}

/** The number of decimals for a passport without a currency. */
const MOST = 6;

function isOfAmount({ code, reason }: Reason): boolean {
  return code === 'amount_invalid' || (code === 'parent_denied' && reason === 'amount_invalid');
}

interface ProofAgain {
  readonly fact: ProofFact | undefined;
  readonly isOpen: boolean;
}

const NO_PROOF: ProofAgain = { fact: undefined, isOpen: false };

function proofOf(
  { kid, problem, standing }: AskedRow,
  { keys, proof, ownProof }: PassportChain,
  recordedChain: PassportChain | undefined,
): ProofAgain {
  // What stands denies already; a question that was not judged as a whole may have brought a proof.
  if (standing.proof !== undefined) return NO_PROOF;
  if (standing.isUnevaluated) return { ...NO_PROOF, isOpen: true };
  if (kid !== null) {
    if (!keys.has(kid)) return { fact: { state: 'invalid', problem: 'key' }, isOpen: false };
    const isUnbound = problem === 'intent';
    // Without the whole intent it is valid for a passport that does not ask for that; now another check fails.
    if (isUnbound && ownProof === ASKS_INTENT) return { fact: { state: 'invalid', problem }, isOpen: false };
    const isKnown =
      isUnbound ||
      proof < ASKS_INTENT ||
      (recordedChain !== undefined && recordedChain.proof === ASKS_INTENT);
    return { fact: { state: 'valid', kid, bound: !isUnbound }, isOpen: !isKnown };
  }
  if (problem === undefined) return NO_PROOF;
  const isSame =
    recordedChain !== undefined &&
    [...keys].every((key) => recordedChain.keys.has(key)) &&
    (ownProof === ASKS_INTENT || recordedChain.ownProof !== ASKS_INTENT);
  if (isSame) return { fact: { state: 'invalid', problem: 'signature' }, isOpen: false };
  return { fact: { state: 'valid', kid: '', bound: true }, isOpen: true };
}

function approvalOf(
  { codes, standing, hasApprovals, approval_id }: AskedRow,
  { all, wantsApproval }: PassportChain,
  intent: Intent,
): { readonly reasons: readonly Reason[]; readonly isOpen: boolean } {
  if (standing.approval !== undefined) return { reasons: [standing.approval], isOpen: false };
  if (approval_id !== null) return { reasons: NONE, isOpen: !codes.isAllow };
  const isNeeded = wantsApproval && approvalAsked(all, intent) !== undefined;
  if (!isNeeded) return { reasons: NONE, isOpen: false };
  const isKnown = hasApprovals || codes.isApprovalRequired;
  return isKnown ? { reasons: NEEDED, isOpen: false } : { reasons: NONE, isOpen: true };
}

// Evaluates the conditions of passports on a record, which has no parameters except amount and currency.

interface ConditionsAgain {
  readonly reasons: readonly Reason[];
  /** `true` if a condition needs parameters that were not recorded. */
  readonly isOpen: boolean;
}

const NO_CONDITIONS: ConditionsAgain = { reasons: [], isOpen: false };

const RECORDED: readonly string[] = ['/amount', '/currency'];

/**
 * Evaluates the conditions of a chain on a record. Records do not contain all parameters, so some results follow from
 * the recorded verdict. An allowed record passed each condition of its passport version, and thus also passes each
 * condition that is no stricter. A record that a condition denied fails the same condition again.
 */
function conditionsAgain(
  row: AskedRow,
  chain: PassportChain,
  recordedChain: PassportChain | undefined,
): ConditionsAgain {
  if (!chain.hasConditions) return NO_CONDITIONS;
  const reasons: Reason[] = [];
  let isOpen = false;
  for (const [place, passport] of chain.all.entries()) {
    const parent = place === 0 ? undefined : idOf(passport);
    const passportBefore = recordedChain?.all.find((entry) => idOf(entry) === idOf(passport));
    for (const condition of conditionsIn(passport, row.action)) {
      const failure = failureAgain(row, condition, { parent, before: passportBefore });
      if (failure === OPEN) isOpen = true;
      else if (failure !== undefined) reasons.push(reasonOf(failure, parent));
    }
  }
  return { reasons, isOpen };
}

/** The value for a result that is unknown. */
const OPEN: unique symbol = Symbol();

type Failure = Reason | typeof OPEN | undefined;

function idOf({ passport }: PreparedPassport): string {
  return passport.agent_id;
}

function conditionsIn(passport: PreparedPassport, action: string): readonly PolicyCondition[] {
  const conditions = policyIn(passport)?.conditions;
  return conditions === undefined ? [] : conditionsOn(conditions, action);
}

interface RecordedPassport {
  readonly parent: string | undefined;
  readonly before: PreparedPassport | undefined;
}

function failureAgain(
  row: AskedRow,
  condition: PolicyCondition,
  recordedPassport: RecordedPassport,
): Failure {
  if (RECORDED.includes(condition.at)) return failureOfMoney(row, condition);
  return failureAsRecorded(row, condition, recordedPassport);
}

/**
 * Evaluates a condition on the amount or the currency. The record does not say whether the amount was a number or text.
 */
function failureOfMoney({ action, amount, currency }: AskedRow, condition: PolicyCondition): Failure {
  if (amount === null || currency === null) return OPEN;
  const conditions = { all: [condition], byAction: new Map() };
  const spellings = amount === undefined ? [undefined] : [amount, String(amount)];
  const foundConditions = spellings.map((spelledAmount) => {
    const parameters = {
      ...(spelledAmount !== undefined && { amount: spelledAmount }),
      ...(currency !== undefined && { currency }),
    };
    return failedConditions(conditions, action, parameters)[0];
  });
  const [first] = foundConditions;
  if (!foundConditions.every((condition) => isSameJson(condition ?? null, first ?? null))) return OPEN;
  return first && conditionReason(first);
}

function failureAsRecorded(
  { action, codes, standing }: AskedRow,
  condition: PolicyCondition,
  { parent, before }: RecordedPassport,
): Failure {
  const blockPlace = (before === undefined ? [] : conditionsIn(before, action)).filter(
    ({ at }) => at === condition.at,
  );
  if (codes.isAllow) {
    return blockPlace.some((entry) => impliesTest(entry.condition, condition.condition)) ? undefined : OPEN;
  }
  const stands = standing.conditions.find(
    (reason) => reason['parent'] === parent && reason['at'] === condition.at,
  );
  const isSame = blockPlace.length === 1 && isSameJson(blockPlace[0]?.condition, condition.condition);
  if (stands === undefined || !isSame) return OPEN;
  const { code, reason, message: _, parent: __, ...facts } = stands;
  const ownText = parent === undefined ? code : String(reason);
  return conditionReason({ code: ownText as 'parameter_required', facts: facts as { at: string } });
}

function reasonOf(failure: Reason, parent: string | undefined): Reason {
  if (parent === undefined) return failure;
  const { code: reason, message: _, ...facts } = failure;
  return { ...PARENT_DENIED, parent, reason, ...facts };
}

function withoutConditions(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter((reason) => !isOfCondition(reason));
}
