import fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer, Api, Ask } from '../../support/api.ts';
import { sessionAccount, type Toy, type ToyKey, type ToySession } from '../../support/toy-model.ts';

export const SECOND = 1_000;

/** The service as the steps see it. */
export interface Real {
  readonly api: Api;
  readonly advance: (ms: number) => void;
  readonly disable: (email: string) => Promise<unknown>;
}

/** One thing that somebody does, to the service and to the toy alike. */
export type Step = fc.AsyncCommand<Toy, Real>;
type Run = (toy: Toy, real: Real) => Promise<void>;

export const step = (label: string, run: Run): Step => ({ check: () => true, run, toString: () => label });

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

/** Asks with a session; for one that is not valid the answer is 401, and nobody needs to look further. */
export async function bySession(
  { api }: Real,
  toy: Toy,
  session: ToySession | undefined,
  [method, path, ask]: readonly [method: string, path: string, ask?: Ask],
): Promise<{ readonly answer: Answer; readonly account: number } | undefined> {
  const account = sessionAccount(toy, session);
  const answer = await api.ask(method, path, { ...ask, token: session?.token ?? 'none' });
  if (account !== undefined) return { answer, account };
  expectStatus(answer, 401, 'unauthenticated');
  return undefined;
}

export const number: fc.Arbitrary<number> = fc.nat({ max: 40 });
export const endsIn: fc.Arbitrary<number | undefined> = fc.constantFrom(undefined, 60, 600);
export const end = (toy: Toy, seconds: number | undefined): number =>
  seconds === undefined ? Number.POSITIVE_INFINITY : toy.now + seconds * SECOND;
export const instant = (at: number): string | null =>
  Number.isFinite(at) ? new Date(at).toISOString() : null;
