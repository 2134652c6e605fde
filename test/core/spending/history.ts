/** One agent of a service and the plain list of what it spends, side by side through a history. */
import { deepEqual } from 'node:assert/strict';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createIdentityService, type IdentityService } from '../../../src/core.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type {
  Budget,
  BudgetReport,
  BudgetState,
  Intent,
  Reason,
  VerdictRecord,
} from '../../../src/records.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import type { Step } from './histories.ts';
import { isRolling, type ListedBudget, PlainList } from './plain-list.ts';

/** What a passport has its budgets of; of those of one name the first that is chosen. */
const BUDGETS: readonly ListedBudget[] = [
  { name: 'hour', window: 'hour', max: 4n, counts: true },
  { name: 'day', window: 'day', max: 10_000n, counts: false },
  { name: 'week', window: 'week', max: 9n, counts: true },
  { name: 'month', window: 'month', max: 30_000n, counts: false },
  { name: 'year', window: 'year', max: 30n, counts: true },
  { name: 'lifetime', window: 'lifetime', max: 90_000n, counts: false },
  { name: 'day', window: 'hour', max: 6_000n, counts: false },
  { name: 'week', window: 'week', max: 20_000n, counts: false },
  { name: 'any_hour', window: 'rolling_hour', max: 5_000n, counts: false },
  { name: 'any_day', window: 'rolling_day', max: 7n, counts: true },
  { name: 'any_week', window: 'rolling_week', max: 15_000n, counts: false },
  { name: 'any_month', window: 'rolling_month', max: 20n, counts: true },
];

const amountOf = (cents: bigint): string => `${cents / 100n}.${`${cents % 100n}`.padStart(2, '0')}`;
const unitsOf = (value: unknown): bigint => BigInt(Math.round(Number(value) * 100));

const toInput = ({ name, window, max, counts }: ListedBudget): Budget =>
  counts ? { name, window, count: Number(max) } : { name, window, limit: amountOf(max) };

/** A budget as the service tells it, in cents or intents. */
function lineOf({ name, count, spent, held, remaining }: BudgetReport | BudgetState): string {
  const sums = [spent, held, remaining];
  return `${name} ${(count === null ? sums.map(unitsOf) : sums).join()}`;
}

/** A reason's own text, or how its budget stands: of limit and count it has one. */
function textOf({ code, budget, ...facts }: Reason): string {
  if (code !== 'budget_exceeded') return code;
  const line = lineOf({ count: null, ...facts, name: budget } as unknown as BudgetState);
  const { window, resets_at } = facts as { readonly window?: string; readonly resets_at?: string | null };
  return window?.startsWith('rolling') ? `${line} until ${resets_at}` : line;
}

/** The budgets that a passport begins with: of the calendar, and rolling ones of an hour and a day. */
const FIRST = 0b11_0011_1111;

function chosenOf(chosen: number, percent: number): readonly ListedBudget[] {
  const all = BUDGETS.filter((_, index) => (chosen >> index) % 2 === 1);
  const firsts = all.filter((one, index) => all.findIndex(({ name }) => name === one.name) === index);
  return firsts.slice(0, 8).map((one) => {
    const max = (one.max * BigInt(percent)) / 100n;
    return { ...one, max: one.counts && max === 0n ? 1n : max };
  });
}

/** A service, and what its clock says. */
interface Opened {
  readonly service: IdentityService;
  readonly clock: { at: number; ticks: number };
}

/** A service on a store whose clock is that of the service, for one history after the other. */
export function openForHistories(storage: StorageAdapter = memoryStorage()): Opened {
  const clock = { at: 0, ticks: 0 };
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: { ...storage, time: async (at) => ({ at, isMark: false }) },
    clock: { now: () => clock.at, monotonic: () => ++clock.ticks / 1_000 },
    after: () => () => {},
    log: () => {},
  });
  return { service, clock };
}

/** One agent, and the list of what it has spent. */
export class History {
  readonly #service: IdentityService;
  readonly #clock: Opened['clock'];
  readonly #agent_id: string;
  readonly #list = new PlainList();
  #budgets = chosenOf(FIRST, 100);
  #status = 'active';
  #keys = 0;

  constructor({ service, clock }: Opened, agent_id: string) {
    this.#service = service;
    this.#clock = clock;
    this.#agent_id = agent_id;
  }

  static async begin(opened: Opened, start: number, agent_name: string): Promise<History> {
    opened.clock.at = start;
    const { agent_id } = await opened.service.passports.create({
      ...{ domain: 'shop.example', agent_name, allowed_actions: ['pay'], monetary_actions: ['pay'] },
      ...{ monetary_limit_per_txn: 1_000, currency: 'EUR', budgets: chosenOf(FIRST, 100).map(toInput) },
    });
    return new History(opened, agent_id);
  }

  async play(step: Step): Promise<void> {
    if (step.kind === 'wait') this.#clock.at += step.ms;
    this.#list.lapse(this.#clock.at);
    if (step.kind === 'pay') await this.#pay(step);
    if (step.kind === 'settle') await this.#settle(step);
    if (step.kind === 'change') await this.#change(step);
    if (step.kind === 'status') await this.#turn(step.to);
    if (step.kind === 'wait' || step.kind === 'change') await this.compare();
  }

  /** How the budgets stand. */
  async compare(): Promise<void> {
    const { data } = await this.#service.passports.budgets(this.#agent_id);
    expectSame(data.map(lineOf), this.#linesOf(this.#budgets));
  }

  #linesOf(budgets: readonly ListedBudget[]): readonly string[] {
    return budgets.map((budget) => {
      const [spent, held] = this.#list.used(budget, this.#clock.at);
      const remaining = budget.max - spent - held;
      return `${budget.name} ${[spent, held, remaining > 0n ? remaining : 0n].join()}`;
    });
  }

  /** The lines of the budgets that do not hold an amount, a rolling one with the instant from which it fits. */
  #fullLines(cents: bigint): readonly string[] {
    const { at } = this.#clock;
    return this.#list.full(this.#budgets, cents, at).flatMap((budget) => {
      const lines = this.#linesOf([budget]);
      if (!isRolling(budget)) return lines;
      const from = this.#list.fitsFrom(budget, cents, at);
      return lines.map((line) => `${line} until ${from === undefined ? null : new Date(from).toISOString()}`);
    });
  }

  async #pay({ cents, holdSeconds, way }: Extract<Step, { kind: 'pay' }>): Promise<void> {
    const by = BigInt(cents);
    const { at } = this.#clock;
    const full = this.#fullLines(by);
    const intent: Intent = {
      agent_id: this.#agent_id,
      action: 'pay',
      parameters: { amount: amountOf(by), currency: 'EUR' },
      ...(holdSeconds > 0 && { hold_seconds: holdSeconds }),
      ...(way === 'dry' && { dry_run: true }),
    };
    const record = await this.#ask(intent, way);
    const { verdict, reasons, decision_id } = record;
    const found = reasons.map(textOf);
    expectSame(found, this.#status === 'active' ? full : [`agent_${this.#status}`]);
    if (verdict !== 'ALLOW' || way === 'dry' || (this.#budgets.length === 0 && holdSeconds === 0)) return;
    const spend = {
      id: decision_id,
      left: by,
      status: holdSeconds > 0 ? ('held' as const) : ('committed' as const),
      heldUntil: at + holdSeconds * 1_000,
    };
    this.#list.add(this.#budgets, spend, at);
    const taken = this.#budgets.filter(({ counts }) => counts || by > 0n);
    expectSame(record.budgets.map(lineOf), this.#linesOf(taken));
  }

  /** Under a key it is asked twice, and an ALLOW that took something is answered again. */
  async #ask(intent: Intent, way: string): Promise<VerdictRecord> {
    if (way !== 'keyed') return this.#service.verify(intent);
    const idempotencyKey = `${this.#agent_id} ${this.#keys++}`;
    const first = await this.#service.verify(intent, { idempotencyKey });
    const again = await this.#service.verify(intent, { idempotencyKey });
    const takes = this.#budgets.some(({ counts }) => counts || Number(intent.parameters?.['amount']) > 0);
    if (first.verdict === 'ALLOW' && (takes || intent.hold_seconds !== undefined))
      expectSame([JSON.stringify(again)], [JSON.stringify(first)]);
    return again;
  }

  async #settle({ which, commits, share }: Extract<Step, { kind: 'settle' }>): Promise<void> {
    const { spends } = this.#list;
    const spend = spends[which % Math.max(1, spends.length)];
    if (spend === undefined || spend.left === 0n) return;
    const part = (spend.left * BigInt(share)) / 100n || 1n;
    if (commits) {
      if (spend.status !== 'held') return;
      await this.#service.spends.commit(spend.id, { amount: amountOf(part) });
      this.#list.giveBack(spend, spend.left - part, this.#clock.at, false);
      spend.status = 'committed';
      return;
    }
    await this.#service.spends.release(spend.id, { amount: amountOf(part) });
    this.#list.giveBack(spend, part, this.#clock.at);
    if (spend.left === 0n) spend.status = 'gone';
  }

  async #change({ chosen, percent }: Extract<Step, { kind: 'change' }>): Promise<void> {
    if (this.#status === 'revoked') return;
    this.#budgets = chosenOf(chosen, percent);
    await this.#service.passports.update(this.#agent_id, { budgets: this.#budgets.map(toInput) });
  }

  async #turn(to: Extract<Step, { kind: 'status' }>['to']): Promise<void> {
    if (this.#status === 'revoked' || this.#status === to) return;
    this.#status = to;
    const { suspend, reinstate, revoke } = this.#service;
    await { suspended: suspend, active: reinstate, revoked: revoke }[to]({ agent_id: this.#agent_id });
  }
}

/** Texts are compared first: there are millions of comparisons. */
function expectSame(found: readonly string[], expected: readonly string[]): void {
  if (found.join('\n') !== expected.join('\n')) deepEqual(found, expected);
}
