/** Spends or holds amounts for an `ALLOW` in one write, all or nothing. */

import { isStillThere } from '../../base/async/guarded-call.ts';
import { CLOCK_LEEWAY_SECONDS } from '../../base/values/clock-leeway.ts';
import { formatInstant, instantSpeller } from '../../base/values/instant.ts';
import { currencyDecimals, MAX_DECIMALS } from '../../base/values/money.ts';
import { RESOLUTION_MS } from '../../base/values/time-buckets.ts';
import type {
  BudgetReport,
  BudgetState,
  Environment,
  Instant,
  Intent,
  Reason,
  Verdict,
  VerdictRecord,
} from '../../records.ts';
import type { PreparedPassport } from '../../verdict/index.ts';
import type { Context } from '../shared/context.ts';
import { createDurabilityNote } from '../shared/durability-note.ts';
import type { StorePresent } from '../storage/clock-watch.ts';
import { answered, type StepsAnswer } from '../storage/step-groups.ts';
import { insert, notWritten } from '../storage/store.ts';
import type { SpendRecord } from './collections.ts';
import { createWindowOf } from './counters.ts';
import { createExpiries, type Expiries } from './expiries.ts';
import type { ApprovalPart, MadePart, SpendRequest } from './read-budgets.ts';
import { readReports, readStates } from './read-budgets.ts';
import { isDue, outlivesHold, storedAmount, storedUsage } from './settle.ts';
import type { WarnCharged } from './settlement.ts';
import { plansOf, type SpendPlan, type SpendPlans, untimelyReasons, writeOf } from './spend-write.ts';
import { createChargeWarnings, createThresholds } from './thresholds.ts';

export type { Addition, MadePart, SpendRequest, Taking } from './read-budgets.ts';

/**
 * The outcome of a spend.
 *
 * - `decided`: the verdict is final, and includes the budgets.
 * - `idle`: there was nothing to write.
 * - `key`: a verdict is already stored under the idempotency key.
 * - `approval`: only the steps of the approval failed. The outcome contains their results.
 * - `made`: another request has created the passport of the agent. Nothing was spent.
 */
export type SpendOutcome =
  | { readonly outcome: 'decided' | 'idle'; readonly record: VerdictRecord }
  | { readonly outcome: 'key' | 'made' }
  | { readonly outcome: 'approval'; readonly answer: StepsAnswer };

/** Spends from budgets. */
export interface Spending {
  readonly expiries: Expiries;
  readonly warnCharged: WarnCharged;
  /**
   * Spends everything in one write, or nothing, and returns the outcome. A dry run spends nothing. Rejects if the
   * storage does not answer; the write may then have been stored.
   */
  take(request: SpendRequest): Promise<SpendOutcome>;
  /** Returns `true` while a spend is held or committed. */
  isThere(decisionId: string): Promise<boolean>;
  statesNow(request: SpendRequest): Promise<readonly BudgetState[]>;
  /** Returns the verdict of a dry run. The passports of the ancestors are ordered, nearest first. */
  trial(
    preparedPassport: PreparedPassport,
    ancestors: readonly PreparedPassport[],
    intent: Intent,
  ): Promise<Verdict>;
  /** Reads the current state of the budgets of a passport. `root_agent_id` is the topmost agent of its chain. */
  report(
    preparedPassport: PreparedPassport,
    root_agent_id: string,
    environment: Environment,
  ): Promise<readonly BudgetReport[]>;
}

export function createSpending(
  context: Pick<
    Context,
    | 'store'
    | 'caches'
    | 'clock'
    | 'clockWatch'
    | 'nextEventName'
    | 'retentionDays'
    | 'auditDays'
    | 'after'
    | 'log'
  >,
): Spending {
  const { store, clockWatch, retentionDays } = context;
  const expiries = createExpiries(context);
  const thresholds = createThresholds(context, async (root) =>
    expiries.expireBelow(root, await clockWatch.present(), 0),
  );
  const noteDurability = createDurabilityNote(context, {
    event: 'budgets_not_durable',
    loss: 'what was spent of budgets, and approvals, may be lost with it.',
  });
  const windowOf = createWindowOf();
  const [spellInstant, spellEnd] = [instantSpeller(), instantSpeller()];

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: it runs for each verdict that spends, where a further function costs time.
  async function attempt(
    request: SpendRequest,
    now: StorePresent,
    isLast: boolean,
  ): Promise<SpendOutcome | 'due'> {
    const { at, signal } = now;
    const { record, intent, remember, approval = NO_APPROVAL, made = NOT_MADE } = request;
    const { refusal } = approval;
    const present = spellInstant(at);
    const { plan, order, pace, proofs, isTrial } = plansOf(request, { at, present, windowOf });
    const last = isTrial || remember === undefined ? [] : [remember];
    const isSpend = plan.changes.length > 0 && !isTrial;
    const time = { at, present, expires_at: spellEnd(at + retentionDays * RESOLUTION_MS.day) };
    const spend = isSpend ? [insert('spends', spendOf(record, intent, request, plan, time))] : [];
    // A permit is remembered under its key, also where the ALLOW takes nothing else.
    const isKept = last.length > 0 && record.permit_audience !== null;
    const takes =
      isKept || [plan, order, pace, proofs, made, approval].some(({ changes }) => changes.length > 0);
    if (!takes) return { outcome: 'idle', record: denied(record, refusal) };
    const write = writeOf({ plan, order, pace, spend, proofs, made: made.changes, approval, last });
    const countBefore = expiries.expiredCount(rootOf(request));
    const answer = answered(await store.writeUnless(signal, ...write.changes));
    const spentAnswer = write.of('spend', answer);
    if (answer.written) {
      if (isTrial) return { outcome: 'decided', record: denied(record, refusal) };
      const uses = plan.warningUses(spentAnswer);
      if (uses.length > 0) await thresholds.send(request.found.account_id, uses, at, rootOf(request));
      return { outcome: 'decided', record: { ...record, budgets: plan.statesAfter(spentAnswer) } };
    }
    const early = earlyOutcome({ record, proofs, made }, write, answer);
    if (early !== undefined) return early;
    const untimely = await untimelyReasons({ order, pace }, { write, answer, store });
    if (untimely.length > 0) return { outcome: 'decided', record: denied(record, untimely) };
    const mayBeDue = !isLast && plan.mayBeHeld(spentAnswer);
    if (mayBeDue && (await expiries.expireBelow(rootOf(request), now, countBefore))) return 'due';
    const reasons = plan.reasonsOf(spentAnswer);
    if (reasons.length > 0) return { outcome: 'decided', record: denied(record, reasons) };
    if (!write.failed(answer).has('approval')) throw notWritten();
    return { outcome: 'approval', answer: write.of('approval', answer) };
  }

  async function take(request: SpendRequest): Promise<SpendOutcome> {
    noteDurability();
    for (let round = 0; round < MAX_TRIES; round += 1) {
      const now = clockWatch.present();
      const outcome = await attempt(request, 'at' in now ? now : await now, round === MAX_TRIES - 1);
      if (outcome !== 'due') return outcome;
    }
    throw notWritten();
  }

  return {
    expiries,
    warnCharged: createChargeWarnings(context, thresholds),
    take,

    isThere: (decisionId) => isThere(context, decisionId),

    statesNow: (request) => readStates(context, request),

    trial: async (...args) => verdictIn(await take(trialOf(...args))),

    async report(preparedPassport, root_agent_id, environment) {
      const present = await clockWatch.present();
      await expiries.expireBelow(root_agent_id, present, 0);
      return readReports(context, preparedPassport, environment, present.at);
    },
  };
}

function rootOf({ found, ancestors }: SpendRequest): string {
  return (ancestors?.at(-1) ?? found.prepared).passport.agent_id;
}

async function isThere(
  { store, clockWatch }: Pick<Context, 'store' | 'clockWatch'>,
  decisionId: string,
): Promise<boolean> {
  const spend = await store.get('spends', decisionId);
  if (spend === undefined || !isStillThere(spend)) return false;
  return outlivesHold(spend) || !isDue(spend, await clockWatch.storeNow());
}

function trialOf(...[preparedPassport, ancestors, intent]: Parameters<Spending['trial']>): SpendRequest {
  const record = { ...TRIAL, agent_id: preparedPassport.passport.agent_id };
  return { record, intent, found: { account_id: '', prepared: preparedPassport }, ancestors };
}

function verdictIn(outcome: SpendOutcome): Verdict {
  if (!('record' in outcome)) throw notWritten();
  const { verdict, reasons } = outcome.record;
  return { verdict, reasons };
}

const NO_APPROVAL: ApprovalPart = { refusal: undefined, changes: [] };

const NOT_MADE: MadePart = { changes: [], refusal: () => undefined };

function earlyOutcome(
  { record, proofs, made }: Pick<SpendPlans, 'proofs'> & Required<Pick<SpendRequest, 'record' | 'made'>>,
  write: ReturnType<typeof writeOf>,
  answer: StepsAnswer,
): SpendOutcome | undefined {
  const lostParts = write.failed(answer);
  if (lostParts.has('key')) return { outcome: 'key' };
  const [proof] = proofs.failed(write.of('proof', answer));
  if (proof !== undefined) return { outcome: 'decided', record: denied(record, proof.refusal) };
  if (!lostParts.has('made')) return undefined;
  const reasons = made?.refusal(write.of('made', answer));
  return reasons === undefined
    ? { outcome: 'made' }
    : { outcome: 'decided', record: denied(record, reasons) };
}

function denied(record: VerdictRecord, reasons: readonly Reason[] | undefined): VerdictRecord {
  return reasons === undefined ? record : { ...record, verdict: 'DENY', reasons };
}

const TRIAL: VerdictRecord = {
  verdict: 'ALLOW',
  reasons: [],
  decision_id: '',
  agent_id: '',
  action: '',
  target: null,
  amount: null,
  currency: null,
  passport_version: null,
  ancestor_versions: null,
  environment: 'live',
  key_id: null,
  request_id: null,
  trace_id: null,
  dry_run: true,
  proof_kid: null,
  subject: null,
  approval_id: null,
  hold_seconds: null,
  verifier: null,
  permit_audience: null,
  budgets: [],
  evaluated_at: '',
};

/** The instant of a spend, and the instant from which its record may be deleted if nothing is held. */
interface SpendTime {
  readonly at: number;
  readonly present: Instant;
  readonly expires_at: Instant;
}

/** The maximum number of attempts. An attempt is repeated only if it found expired holds. */
const MAX_TRIES = 3;

/**
 * Returns the instant until which a resource may accept a permit with this end. The instant is later than the end,
 * because the clock of the resource may be behind.
 */
function permitUntil(exp: number): Instant {
  return formatInstant((exp + CLOCK_LEEWAY_SECONDS) * 1_000);
}

function spendOf(
  { decision_id, agent_id, environment, amount, currency, usage }: VerdictRecord,
  { hold_seconds }: Intent,
  request: SpendRequest,
  { takings }: SpendPlan,
  { at, present: created_at, expires_at }: SpendTime,
): SpendRecord {
  const whole = storedAmount(amount);
  const isHold = hold_seconds !== undefined;
  const held_until = isHold ? formatInstant(at + hold_seconds * 1_000) : null;
  const spend: SpendRecord = {
    id: decision_id,
    account_id: request.found.account_id,
    version: 1,
    created_at,
    agent_id,
    root_agent_id: rootOf(request),
    environment,
    status: isHold ? 'held' : 'committed',
    committed_amount: isHold ? null : whole,
    committed_whole: !isHold,
    amount: whole,
    released_amount: whole === null ? null : '0',
    currency,
    decimals: (currency === null ? undefined : currencyDecimals(currency)) ?? MAX_DECIMALS,
    held_until,
    updated_at: created_at,
    takings,
    ...(usage !== undefined && { usage: storedUsage(usage) }),
    ...(request.permitExp !== undefined && { permit_until: permitUntil(request.permitExp) }),
  };
  // A spend without a hold is settled at once.
  return held_until === null ? { ...spend, expires_at } : { ...spend, due_at: held_until };
}
