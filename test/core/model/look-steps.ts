import fc from 'fast-check';
import { expect } from 'vitest';
import { dataOf } from '../../support/api.ts';
import { activeKeys, keyStatus, passportStatus, type Toy } from '../../support/toy-model.ts';
import { bySession, instant, type Steps, sessionOf, step } from './step.ts';

/** As a key or a passport comes, in process or over HTTP. */
interface Shown {
  readonly id?: unknown;
  readonly agent_id?: unknown;
  readonly status?: unknown;
  readonly version?: unknown;
  readonly scopes?: unknown;
  readonly expires_at?: unknown;
}

/** The keys of an account, a line each. */
export function keysOf(toy: Toy, account: number): readonly string[] {
  const keys = toy.keys.filter((key) => key.account === account);
  return keys
    .map((key) => `${key.id} ${keyStatus(toy, key)} ${key.scopes} ${instant(key.endsAt) ?? ''}`)
    .sort();
}

/** The same as the service shows them. */
export const linesOfKeys = (keys: readonly Shown[]): readonly string[] =>
  keys.map(({ id, status, scopes, expires_at }) => `${id} ${status} ${scopes} ${expires_at ?? ''}`).sort();

/** The passports of an account, a line each. */
export function passportsOf(toy: Toy, account: number): readonly string[] {
  const passports = [...toy.passports].filter(([, passport]) => passport.account === account);
  return passports.map(([id, one]) => `${id} ${passportStatus(toy, one)} ${one.version}`).sort();
}

/** The same as the service shows them. */
export const linesOfPassports = (passports: readonly Shown[]): readonly string[] =>
  passports.map(({ agent_id, status, version }) => `${agent_id} ${status} ${version}`).sort();

const lookAtKeys: Steps = (who) =>
  who.map((index) =>
    step(`look at keys by ${index}`, (planned) =>
      bySession(sessionOf(planned, index), ['GET', '/keys?limit=100'], (toy, answer, { account }) => {
        expect(linesOfKeys(dataOf(answer))).toEqual(keysOf(toy, account));
        expect(answer.body['active_count']).toBe(activeKeys(toy, account));
      }),
    ),
  );

const lookAtPassports: Steps = (who) =>
  who.map((index) =>
    step(`look at passports by ${index}`, (planned) =>
      bySession(sessionOf(planned, index), ['GET', '/passports'], (toy, answer, { account }) =>
        expect(linesOfPassports(dataOf(answer))).toEqual(passportsOf(toy, account)),
      ),
    ),
  );

const lookAtAccount: Steps = (who) =>
  who.map((index) =>
    step(`look at account by ${index}`, (planned) =>
      bySession(sessionOf(planned, index), ['GET', '/account'], (toy, answer, { account }) =>
        expect(answer.body['usage']).toEqual({
          active_keys: activeKeys(toy, account),
          passports: passportsOf(toy, account).length,
          members: 1,
        }),
      ),
    ),
  );

export const look: Steps = (who, which) =>
  fc.oneof(...[lookAtKeys, lookAtPassports, lookAtAccount].map((steps) => steps(who, which)));
