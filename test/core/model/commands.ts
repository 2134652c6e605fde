import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { IdentityService } from '../../../src/core.ts';
import type { Answer, Api } from '../../support/api.ts';
import type { Toy } from '../../support/toy-model.ts';
import { keysOf, linesOfKeys, linesOfPassports, passportsOf } from './look-steps.ts';
import { type Move, number, pick, SECOND, type Steps } from './step.ts';

/** One service among several over one store. */
export interface Node {
  readonly service: IdentityService;
  readonly api: Api;
}

/** The services as the commands see them. */
export interface Real {
  readonly nodes: readonly Node[];
  /** The ids of the toy's accounts. */
  readonly accounts: readonly string[];
  /** Moves the clock of all nodes. */
  readonly advance: (ms: number) => void;
  /** How long after a change a key may still be seen as it was. */
  readonly lagMs: number;
  /** Hears of everything that came of something. */
  readonly saw: (outcome: string) => void;
}

/** Something that happens to the toy and to the real services alike. */
export type Command = fc.AsyncCommand<Toy, Real>;

/** A move, and what was answered. */
interface Made {
  readonly move: Move;
  readonly answer: Answer;
}

/** How many nodes there are. */
export const NODES = 3;

const nodeIndex = fc.nat({ max: NODES - 1 });

function command(label: string, run: Command['run']): Command {
  return { check: () => true, run, toString: () => label };
}

/** Each step by itself, at any node. */
export function alone(steps: Steps): fc.Arbitrary<Command> {
  return fc.tuple(steps(number, number), nodeIndex).map(([{ label, plan }, at]) =>
    command(`${label} at ${at}`, async (toy, real) => {
      const move = plan(toy);
      if (move === undefined) return;
      letSettle(toy, real, [move]);
      move.evaluate(toy, await make(real, at, move));
    }),
  );
}

/**
 * Two of the steps at once, at two nodes, to the same thing where they can: what comes of them is what comes of
 * them one after the other.
 */
export function atOnce(all: readonly Steps[]): fc.Arbitrary<Command> {
  const pairs = number.chain((which) => {
    const steps = fc.oneof(...all.map((one) => one(number, fc.constant(which))));
    return fc.tuple(steps, steps);
  });
  return fc.tuple(pairs, nodeIndex, fc.constantFrom(1, 2)).map(([[one, other], at, further]) =>
    command(`${one.label} at ${at}, and ${other.label} at ${(at + further) % NODES}`, async (toy, real) => {
      const moves = [one, other].map(({ plan }) => plan(toy)).filter((move) => move !== undefined);
      letSettle(toy, real, moves);
      const made = await Promise.all(
        moves.map(async (move, index) => ({ move, answer: await make(real, at + index * further, move) })),
      );
      Object.assign(toy, await explain(toy, real, made));
    }),
  );
}

/** The third account is shut out, by any node. */
export const disable: fc.Arbitrary<Command> = nodeIndex.map((at) =>
  command(`disable the third at ${at}`, async (toy, real) => {
    const [, , account] = toy.accounts;
    if (account === undefined) return;
    await pick(real.nodes, at)?.service.accounts.disable(account.email);
    account.disabled = true;
  }),
);

export const wait: fc.Arbitrary<Command> = fc.constantFrom(1, 30, 60, 599, 3_600).map((seconds) =>
  command(`wait ${seconds} s`, async (toy, { advance }) => {
    toy.now += seconds * SECOND;
    advance(seconds * SECOND);
  }),
);

/** Only the holders of keys may be answered from memory. */
function letSettle(toy: Toy, { advance, lagMs }: Real, moves: readonly Move[]): void {
  if (moves.every(({ request: [, , ask] }) => ask?.key === undefined)) return;
  toy.now += lagMs;
  advance(lagMs);
}

async function make({ nodes, saw }: Real, at: number, { request }: Move): Promise<Answer> {
  const [method, path, ask] = request;
  const node = pick(nodes, at);
  if (node === undefined) throw new Error('There are no nodes.');
  const answer = await node.api.ask(method, path, ask);
  saw(`${method} ${path.replace(/key_\w+|did:.*/, '*')} ${answer.status}`);
  if (typeof answer.body['verdict'] === 'string') saw(answer.body['verdict']);
  return answer;
}

/** The toy after these moves, in an order that explains the answers and what is stored now; throws without one. */
async function explain(toy: Toy, real: Real, made: readonly Made[]): Promise<Toy> {
  const attempts = [made, made.toReversed()].map((order) => attempt(toy, order));
  const possible = attempts.flatMap(({ after }) => after ?? []);
  if (possible.length === 0) {
    const errors = attempts.map(({ error }) => error);
    throw new AggregateError(errors, `No order explains the answers: ${errors.join('\n')}`);
  }
  const stored = await storedLines(real);
  const explained = possible.filter((after) => isDeepStrictEqual(linesOf(after), stored));
  const [after] = explained;
  if (after === undefined) {
    const lines = possible.map(linesOf);
    expect.fail(`No order explains what is stored: ${JSON.stringify({ stored, lines }, null, 2)}`);
  }
  if (possible.length < attempts.length) real.saw('an order told by the answers');
  else if (explained.length < possible.length) real.saw('an order told by the store');
  return after;
}

function attempt(toy: Toy, order: readonly Made[]): { readonly after?: Toy; readonly error?: unknown } {
  const after = structuredClone(toy);
  try {
    for (const { move, answer } of order) move.evaluate(after, answer);
    return { after };
  } catch (error) {
    return { error };
  }
}

function linesOf(toy: Toy): readonly string[] {
  return toy.accounts.flatMap((_, account) => [...keysOf(toy, account), ...passportsOf(toy, account)]);
}

async function storedLines({ nodes: [node], accounts }: Real): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const account_id of accounts) {
    const keys = await node?.service.keys.list({ limit: 100 }, { account_id });
    const passports = await node?.service.passports.list({ limit: 100 }, { account_id });
    lines.push(...linesOfKeys(keys?.data ?? []), ...linesOfPassports(passports?.data ?? []));
  }
  return lines;
}
