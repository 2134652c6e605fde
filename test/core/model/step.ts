import fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer, Ask } from '../../support/api.ts';
import { sessionAccount, type Toy, type ToyKey, type ToySession } from '../../support/toy-model.ts';

export const SECOND = 1_000;

export type Request = readonly [method: string, path: string, ask?: Ask];

/** One request, and what the toy says to its answer. */
export interface Move {
  readonly request: Request;
  /**
   * Throws unless this toy would have answered the same; then does to the toy what was asked. Between `plan` and
   * this the toy may have been changed or copied, so that it looks everything up again.
   */
  readonly evaluate: (toy: Toy, answer: Answer) => void;
}

/** One thing that a caller does. */
export interface Step {
  readonly label: string;
  /** `undefined` as long as there is nothing to do it to. */
  readonly plan: (toy: Toy) => Move | undefined;
}

/** Steps by the caller whom the one number picks, mostly to what the other picks. */
export type Steps = (who: fc.Arbitrary<number>, which: fc.Arbitrary<number>) => fc.Arbitrary<Step>;

export const step = (label: string, plan: Step['plan']): Step => ({ label, plan });

/** One of the list, or `undefined` when it is empty. */
export const pick = <Item>(list: readonly Item[], index: number): Item | undefined =>
  list[index % list.length];

interface Agent {
  readonly domain: string;
  readonly agent_name: string;
  readonly id: string;
}

export const AGENTS: Agent[] = ['d0.example', 'd1.example'].flatMap((domain) =>
  ['x', 'y'].map((agent_name) => ({ domain, agent_name, id: `did:web:${domain}:agents:${agent_name}` })),
);
export const agentOf = (index: number): Agent =>
  pick(AGENTS, index) ?? { domain: '', agent_name: '', id: '' };

export function expectStatus(answer: Answer, status: number, code?: string): void {
  const { status: actual, text, body } = answer;
  expect({ status: actual, text }).toEqual({ status, text });
  if (code !== undefined) expect(body['code']).toBe(code);
}

/** Mostly an agent that has a passport, sometimes any. */
export function issuedAgent(toy: Toy, index: number): string {
  const issued = pick([...toy.passports.keys()], index >> 2);
  return index % 4 === 0 || issued === undefined ? agentOf(index).id : issued;
}

/** Mostly a key of the account that has the agent, sometimes any. */
export function keyFor(toy: Toy, agentId: string, index: number): ToyKey | undefined {
  const owner = toy.passports.get(agentId)?.account;
  const theirs = toy.keys.filter(({ account }) => account === owner);
  return pick(index % 4 === 0 || theirs.length === 0 ? toy.keys : theirs, index >> 2);
}

/** Mostly a session that is valid, sometimes any that there ever was. */
export function sessionOf(toy: Toy, index: number): ToySession | undefined {
  const valid = toy.sessions.filter((session) => sessionAccount(toy, session) !== undefined);
  return pick(index % 4 === 0 ? toy.sessions : valid, index >> 2);
}

/** Mostly a valid session of the account, sometimes any that there ever was. */
export function sessionFor(toy: Toy, account: number | undefined, index: number): ToySession | undefined {
  const theirs = toy.sessions.filter((session) => sessionAccount(toy, session) === account);
  const own = account === undefined ? undefined : pick(theirs, index >> 2);
  return index % 4 === 0 || own === undefined ? sessionOf(toy, index) : own;
}

/** The session as it is in this toy. */
export function sessionIn(toy: Toy, session: ToySession | undefined): ToySession | undefined {
  return toy.sessions.find(({ token }) => token === session?.token);
}

/** The key as it is in this toy. */
export function keyIn(toy: Toy, { id }: ToyKey): ToyKey {
  return toy.keys.find((key) => key.id === id) ?? expect.fail(`The toy has lost ${id}.`);
}

/** Asks with a session; for one that is not valid the answer is 401, and there is nothing more to look at. */
export function bySession(
  session: ToySession | undefined,
  [method, path, ask]: Request,
  evaluate: (toy: Toy, answer: Answer, session: ToySession) => void,
): Move {
  return {
    request: [method, path, { ...ask, token: session?.token ?? 'none' }],
    evaluate(toy, answer) {
      const present = sessionIn(toy, session);
      if (present === undefined || sessionAccount(toy, present) === undefined)
        return expectStatus(answer, 401, 'unauthenticated');
      evaluate(toy, answer, present);
    },
  };
}

export const number: fc.Arbitrary<number> = fc.nat({ max: 40 });
export const endsIn: fc.Arbitrary<number | undefined> = fc.constantFrom(undefined, 60, 600);
export const end = (toy: Toy, seconds: number | undefined): number =>
  seconds === undefined ? Number.POSITIVE_INFINITY : toy.now + seconds * SECOND;
export const instant = (at: number): string | null =>
  Number.isFinite(at) ? new Date(at).toISOString() : null;
