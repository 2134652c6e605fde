/** Live permits and committed spends together never exceed a budget, in any order of what a key and a person may do. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdentityError } from '../../../src/errors.ts';
import type { Intent, VerdictRecord } from '../../../src/records.ts';
import { cases, IS_NIGHT } from '../../support/runs.ts';
import { claimsOf } from '../../support/signing.ts';
import { namedStores, openOne } from '../../support/stores.ts';
import { AUDIENCE, openPermits, type PermitStage } from './stage.ts';

const LIMIT = 100;
const AGENTS = { direct: {}, asked: { approval: { above: 20 } } } as const;

const amount = fc.constantFrom(40, 60, 100);
const seconds = fc.constantFrom(undefined, 1, 30, 60, 60);
const numberOfOne = fc.nat({ max: 5 });
const part = fc.constantFrom(undefined, '0.01', 10, 40);
const ask = fc.record({
  kind: fc.constant('ask' as const),
  amount,
  seconds,
  hold: fc.constantFrom(undefined, 1, 1, 60, 600),
  key: fc.constantFrom(undefined, 'a', 'b'),
});
const settle = fc.record({
  kind: fc.constantFrom('commit' as const, 'release' as const),
  of: numberOfOne,
  part,
});
const retry = fc.record({ kind: fc.constant('retry' as const), of: numberOfOne });
const wait = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.constantFrom(900, 1_000, 1_000, 30_000, 64_000, 66_000),
});
const step = fc.oneof(
  { arbitrary: ask, weight: 3 },
  { arbitrary: settle, weight: 2 },
  { arbitrary: wait, weight: 2 },
  retry,
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A question that was asked, with the key under which it is asked again. */
interface Asked {
  readonly intent: Intent;
  readonly idempotencyKey: string;
}

/** One agent, what it has asked for, and the permits that it got. */
class History {
  readonly #stage: PermitStage;
  readonly #agent_id: string;
  readonly #asked: Asked[] = [];
  readonly #amounts = new Map<string, number>();
  /** The end of the last permit of each decision, in milliseconds. */
  readonly #ends = new Map<string, number>();

  constructor(stage: PermitStage, agent_id: string) {
    this.#stage = stage;
    this.#agent_id = agent_id;
  }

  async play(step: Step): Promise<void> {
    if (step.kind === 'wait') this.#stage.clock.advance(step.ms);
    else if (step.kind === 'ask') await this.#ask(step);
    else if (step.kind === 'retry') await this.#retry(this.#asked.at(step.of));
    else await this.#settle(step);
  }

  async #ask({ amount, seconds, hold, key }: Extract<Step, { kind: 'ask' }>): Promise<void> {
    const intent: Intent = {
      ...{ agent_id: this.#agent_id, action: 'payments.create' },
      parameters: { amount, currency: 'EUR' },
      ...(hold !== undefined && { hold_seconds: hold }),
      ...(seconds !== undefined && { permit: { audience: AUDIENCE, seconds } }),
    };
    const idempotencyKey = `${key ?? this.#asked.length} ${JSON.stringify(intent)}`;
    const { reasons } = await this.#retry({ intent, idempotencyKey });
    const approval_id = reasons[0]?.['approval_id'];
    if (typeof approval_id !== 'string') return;
    await this.#stage.service.approvals.approve(approval_id);
    await this.#retry({
      intent: { ...intent, approval_id },
      idempotencyKey: `${idempotencyKey} ${approval_id}`,
    });
  }

  async #retry(asked: Asked | undefined): Promise<Pick<VerdictRecord, 'reasons'>> {
    if (asked === undefined) return { reasons: [] };
    const { intent, idempotencyKey } = asked;
    const record = await this.#stage.service.verify(intent, { idempotencyKey });
    this.#asked.push(asked);
    const { permit, decision_id, verdict } = record;
    if (verdict === 'ALLOW') this.#amounts.set(decision_id, Number(record.amount));
    if (typeof permit === 'string') {
      this.#ends.set(decision_id, (Number(claimsOf(permit)['exp']) + 5) * 1_000);
    }
    return record;
  }

  async #settle({ kind, of, part }: Extract<Step, { kind: 'commit' | 'release' }>): Promise<void> {
    const id = [...this.#amounts.keys()].at(of);
    if (id === undefined) return;
    const input = part === undefined ? {} : { amount: part };
    const answer = await this.#stage.service.spends[kind](id, input).catch((error: unknown) => error);
    if (answer instanceof IdentityError) expect(['conflict', 'spend_lapsed']).toContain(answer.code);
    else if (answer instanceof Error) throw answer;
  }

  /** Returns what a resource may still do, and what was spent: each spend once. */
  async sum(): Promise<number> {
    const { storage, clock } = this.#stage;
    let sum = 0;
    for (const [id, amount] of this.#amounts) {
      const spend = await storage.get('spends', id);
      const isLive = (this.#ends.get(id) ?? 0) > clock.now();
      const isCommitted = spend?.['status'] === 'committed';
      if (isLive) sum += amount;
      else if (isCommitted) sum += amount - Number(spend['released_amount']);
    }
    return sum;
  }
}

const all = await namedStores();
const tried = IS_NIGHT ? all : all.filter(([name]) => ['memory', 'SQLite'].includes(name));

test.each(tried)('live permits and committed spends never exceed a budget in %s', async (name, store) => {
  const storage = await openOne(store);
  const stage = await openPermits({}, {}, { ...storage, time: async (at) => ({ at, isMark: false }) });
  let played = 0;
  const history = fc.array(step, { minLength: 1, maxLength: 14 });
  const which = fc.constantFrom('direct' as const, 'asked' as const);
  await fc.assert(
    fc.asyncProperty(which, history, async (kind, steps) => {
      const { agent_id } = await stage.service.passports.create({
        ...{ domain: 'example.com', agent_name: `agent-${played++}`, allowed_actions: ['payments.create'] },
        ...{ monetary_actions: ['payments.create'], monetary_limit_per_txn: LIMIT, currency: 'EUR' },
        ...{ budgets: [{ name: 'ever', window: 'lifetime', limit: LIMIT }], ...AGENTS[kind] },
      });
      const history = new History(stage, agent_id);
      for (const step of steps) {
        await history.play(step);
        expect(await history.sum()).toBeLessThanOrEqual(LIMIT);
      }
    }),
    { numRuns: cases(name === 'memory' ? 2_000 : 500) },
  );
});
