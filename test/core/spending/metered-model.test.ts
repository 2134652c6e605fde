/** 2,000 steps over two nodes on each storage: overrun, extend and thresholds are as in a plain list. */
import { expect, test } from 'vitest';
import type { IdentityService } from '../../../src/core.ts';
import type { Budget, VerdictRecord } from '../../../src/records.ts';
import { createRandom } from '../../support/random.ts';
import { namedStores } from '../../support/stores.ts';
import { BUDGETS, MeteredBook, type Pair } from './metered-book.ts';
import { ACTIONS, meteredStage, openNodes } from './metered-stage.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const STEPS = 2_000;
/** The same on every run in CI; at the desk another each day. It is in the title. */
const SEED = process.env['CI'] ? 20261120 : Math.floor(Date.now() / 86_400_000);

const [{ name: tokens }, { name: money }] = BUDGETS;
const FIELDS: readonly Budget[] = [
  { name: tokens, window: 'hour', limit: 2_000, unit: 'tokens', actions: ACTIONS, warn_at: 0.8 },
  { name: money, window: 'day', limit: 90, actions: ACTIONS, overrun: true, warn_at: 0.5 },
];

interface Step {
  readonly node: IdentityService;
  readonly pick: (below: number) => number;
  readonly clock: { at: number };
  readonly book: MeteredBook;
  readonly ids: string[];
  readonly agent_id: string;
}

const cents = (value: number) => value / 100;
const codeOf = async (settled: Promise<unknown>) =>
  settled.then(
    () => 'ok',
    ({ code }) => code,
  );

async function ask({ node, pick, clock, book, ids, agent_id }: Step): Promise<void> {
  const allowed: Pair = [1 + pick(400), 1 + pick(900)];
  const hold_seconds = pick(4) === 0 ? undefined : 1 + pick(2_400);
  const record: VerdictRecord = await node.verify({
    agent_id,
    action: 'model.call',
    parameters: { amount: cents(allowed[1]), currency: 'EUR' },
    usage: { tokens: allowed[0] },
    ...(hold_seconds !== undefined && { hold_seconds }),
  });
  const exceeded = book.ask(allowed, clock.at, hold_seconds);
  expect(record.reasons.map(({ budget }) => budget)).toEqual(exceeded);
  if (record.verdict === 'ALLOW') ids.push(record.decision_id);
}

async function settle({ node, pick, clock, book, ids }: Step): Promise<void> {
  if (ids.length === 0) return;
  const place = ids.length - 1 - pick(Math.min(ids.length, 12));
  const [id, entry] = [ids[place] as string, book.entries[place]];
  if (entry === undefined) throw new Error('The list has no such spend.');
  const way = pick(10);
  if (way < 2) {
    expect(await codeOf(node.spends.release(id))).toBe(book.release(entry));
  } else if (way < 4) {
    const hold_seconds = [1 + pick(3_600), 604_000 + pick(800)][pick(2)] as number;
    expect(await codeOf(node.spends.extend(id, { hold_seconds }))).toBe(
      book.extend(entry, hold_seconds, clock.at),
    );
  } else {
    const times = [0.5, 1, 1, 2, 10, 11][pick(6)] as number;
    const asked = entry.allowed.map((one) => Math.max(1, Math.floor(one * times))) as unknown as Pair;
    const input = { amount: cents(asked[1]), usage: { tokens: asked[0] } };
    expect(await codeOf(node.spends.commit(id, input))).toBe(book.commit(entry, asked));
  }
}

async function compare({ node, clock, book, agent_id }: Step): Promise<void> {
  const { data } = await node.passports.budgets(agent_id);
  const told = data.map(({ spent, held }, place) =>
    [spent, held].map((value) => Math.round(Number(value) * (place === 1 ? 100 : 1))),
  );
  expect(told).toEqual([book.used(0, clock.at), book.used(1, clock.at)]);
}

test.each(await namedStores())(
  `on %s, a history of ${STEPS} steps is as in the list (seed ${SEED})`,
  async (_, store) => {
    const random = createRandom(SEED);
    const pick = (below: number) => Math.floor(random() * below);
    const clock = { at: START };
    const nodes = await openNodes(store, clock);
    const { agent_id } = await meteredStage(nodes, FIELDS);
    const book = new MeteredBook();
    const ids: string[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      const node = nodes[pick(2)] as IdentityService;
      const now: Step = { node, pick, clock, book, ids, agent_id };
      const way = pick(20);
      if (way < 2) clock.at += pick(20 * 60_000);
      book.lapse(clock.at);
      if (way < 9) await ask(now);
      else await settle(now);
      if (step % 20 === 19) await compare(now);
    }
    const [first] = nodes as [IdentityService];
    const { data } = await first.audit.list({ type: 'budget.threshold', limit: 100 });
    const events = data.map((entry) => {
      const { name, spent, held } = entry.data as Record<string, unknown>;
      const times = name === money ? 100 : 1;
      return `${name} ${[spent, held].map((value) => Math.round(Number(value) * times)).join(' ')}`;
    });
    expect(book.events.length).toBeGreaterThan(5);
    expect(events.reverse()).toEqual(book.events);
  },
  60_000,
);
