/** Clients that pay, hold, settle and refund at any node, again when they hear nothing, and note what they were told. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Spend, VerdictRecord } from '../../../src/records.ts';
import { AGAIN_MS, type Method, type Nodes, type Reply, TRY_AGAIN } from './killed-nodes.ts';
import { type Entry, type Ledger, lineOf } from './ledger.ts';

/** In milliseconds: after it the short holds are over. */
export const SHORT_MS = 2_000;
const LONG_SECONDS = 86_400;
export const MOST_CENTS = 100_000;

/** Where clients pay, and what they have noted. */
export interface Market {
  readonly nodes: Pick<Nodes, 'askOnce'>;
  readonly random: () => number;
  readonly agents: readonly string[];
  readonly ledger: Ledger;
  /** Asked for under keys and denied after an attempt that had no answer: another one may say more. */
  readonly doubtful: Payment[];
  denied: number;
  lost: number;
  /** A client has found something wrong: the others stop. */
  isOver: boolean;
}

interface Payment {
  readonly agent_id: string;
  readonly cents: bigint;
  readonly key: string | undefined;
  readonly holdSeconds: number;
}

/** One payment from its first attempt to the last thing that is done about it. */
export async function pay(market: Market, index: number): Promise<void> {
  const { agents, random } = market;
  const hold = random();
  const payment: Payment = {
    agent_id: agents[Math.floor(random() * agents.length)] as string,
    cents: 3n + BigInt(Math.floor(random() * (MOST_CENTS - 2))),
    key: random() < 0.7 ? `pay-${index}` : undefined,
    holdSeconds: hold < 0.25 ? 1 + Math.floor((random() * SHORT_MS) / 1_000) : hold < 0.4 ? LONG_SECONDS : 0,
  };
  const records =
    payment.key === undefined ? await payOpenly(market, payment) : await payOnce(market, payment);
  if (records.length === 0) market.denied += 1;
  for (const record of records) await settle(market, enter(market, payment, record), record.decision_id);
}

/** Under a key, at times from two places at once: however often it is asked it is one spend. */
export async function payOnce(market: Market, payment: Payment): Promise<readonly VerdictRecord[]> {
  const times = market.random() < 0.3 ? 2 : 1;
  const before = market.lost;
  const ask = async (): Promise<VerdictRecord | undefined> =>
    allowedBy(await untilTold(market, 'verify', askedOf(payment)));
  const told = await Promise.all(Array.from({ length: times }, ask));
  const [first, ...others] = told.filter((record) => record !== undefined);
  if (first === undefined) {
    if (market.lost > before) market.doubtful.push(payment);
    return [];
  }
  if (market.random() < 0.2) others.push((await ask()) as VerdictRecord);
  for (const other of others) expect(other).toEqual(first);
  return [first];
}

/** Without a key it is asked once more where there was no answer: it may spend twice, and is noted. */
async function payOpenly(market: Market, payment: Payment): Promise<readonly VerdictRecord[]> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const reply = await askOnce(market, 'verify', askedOf(payment));
    if (reply !== undefined && (reply.code === undefined || !TRY_AGAIN.includes(reply.code))) {
      const record = allowedBy(reply);
      return record === undefined ? [] : [record];
    }
    market.lost += 1;
    market.ledger.leaveOpen(payment.agent_id, payment.cents);
  }
  return [];
}

function askedOf({ agent_id, cents, key, holdSeconds }: Payment): readonly unknown[] {
  const parameters = { amount: decimal(cents), currency: 'EUR' };
  const intent = {
    ...{ agent_id, action: 'pay', parameters },
    ...(holdSeconds > 0 && { hold_seconds: holdSeconds }),
  };
  return [intent, { ...(key !== undefined && { idempotencyKey: key }) }];
}

/** The record of an ALLOW, after a look that no budget is passed; budgets are all that denies. */
function allowedBy({ answer, code }: Reply): VerdictRecord | undefined {
  if (code !== undefined) throw new Error(`verify: ${code}`);
  const record = answer as VerdictRecord;
  for (const budget of record.budgets) lineOf(budget);
  if (record.verdict === 'ALLOW') return record;
  expect(new Set(record.reasons.map((reason) => reason.code))).toEqual(new Set(['budget_exceeded']));
  return undefined;
}

/** Notes a spend. */
export function enter({ ledger }: Market, payment: Payment, { decision_id }: VerdictRecord): Entry {
  const { agent_id, cents, holdSeconds } = payment;
  const status = holdSeconds > 0 ? 'held' : 'committed';
  const isShort = holdSeconds > 0 && holdSeconds !== LONG_SECONDS;
  const entry: Entry = { agent_id, cents, kept: cents, status, isShort };
  ledger.enter(decision_id, entry);
  return entry;
}

/** Commits a hold, gives back a part or all of a spend, or leaves it. */
async function settle(market: Market, entry: Entry, decision_id: string): Promise<void> {
  const kind = market.random();
  if (entry.status === 'held' && kind < 0.6) {
    const part = kind < 0.3 ? entry.cents - 1n : entry.cents;
    const { code } = await settleBy(market, 'commit', [decision_id, part]);
    entry.kept = code === undefined ? part : 0n;
    entry.status = code === undefined ? 'committed' : 'gone';
  } else if (kind > 0.9) {
    const { code } = await settleBy(market, 'release', [decision_id, 1n]);
    entry.kept = code === undefined ? entry.kept - 1n : 0n;
    if (code !== undefined) entry.status = 'gone';
  } else if (kind > 0.75) {
    await settleBy(market, 'release', [decision_id]);
    entry.kept = 0n;
    entry.status = 'gone';
  }
}

/**
 * Under a key, but for what may be repeated without one: a commit, and the release of all, whose repetition is refused.
 * What lapsed before is told so.
 */
async function settleBy(
  market: Market,
  method: 'commit' | 'release',
  [decision_id, cents]: readonly [string, bigint?],
): Promise<Reply> {
  const isOpen = (method === 'commit' || cents === undefined) && market.random() < 0.4;
  const body = cents === undefined ? {} : { amount: decimal(cents) };
  const options = isOpen ? {} : { idempotencyKey: `${method}-${decision_id}` };
  const last = isOpen && cents === undefined ? ['conflict', 'spend_lapsed'] : ['spend_lapsed'];
  const reply = await untilTold(market, method, [decision_id, body, options], last);
  if (reply.code !== undefined) expect(last).toContain(reply.code);
  else expect((reply.answer as Spend).decision_id).toBe(decision_id);
  return reply;
}

/** Asks until there is an answer, or an error that does not pass. */
async function untilTold(
  market: Market,
  method: Method,
  args: readonly unknown[],
  last: readonly unknown[] = [],
): Promise<Reply> {
  for (;;) {
    const reply = await askOnce(market, method, args);
    if (reply === undefined || reply.code === 'storage_unavailable') market.lost += 1;
    else if (reply.code === undefined || last.includes(reply.code) || !TRY_AGAIN.includes(reply.code))
      return reply;
    await pause(AGAIN_MS);
  }
}

function askOnce(market: Market, method: Method, args: readonly unknown[]): Promise<Reply | undefined> {
  if (market.isOver) throw new Error('Another client has failed.');
  return market.nodes.askOnce(method, args);
}

const decimal = (cents: bigint): string => `${cents / 100n}.${`${cents % 100n}`.padStart(2, '0')}`;
