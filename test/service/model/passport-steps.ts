import fc from 'fast-check';
import { expect } from 'vitest';
import { PASSPORT } from '../../support/api.ts';
import {
  keyRefusal,
  passportStatus,
  sessionAccount,
  type Toy,
  type ToyPassport,
  verdictCodes,
} from '../../support/toy-model.ts';
import {
  agentOf,
  bySession,
  end,
  endsIn,
  expectStatus,
  instant,
  issuedAgent,
  keyFor,
  number,
  type Step,
  sessionOf,
  step,
} from './step.ts';

export const issuePassport: fc.Arbitrary<Step> = fc
  .tuple(number, number, endsIn)
  .map(([index, which, seconds]) =>
    step(`issue ${which} by ${index}`, async (toy, real) => {
      const { domain, agent_name, id } = agentOf(which);
      const endsAt = end(toy, seconds);
      const expiry = seconds !== undefined && { expires_at: instant(endsAt) };
      const json = { ...PASSPORT, domain, agent_name, ...expiry };
      const done = await bySession(real, toy, sessionOf(toy, index), ['POST', '/passports', { json }]);
      if (done === undefined) return;
      const { answer, account } = done;
      if ((toy.domains.get(domain) ?? account) !== account)
        return expectStatus(answer, 409, 'domain_claimed');
      if (toy.passports.has(id)) return expectStatus(answer, 409, 'already_exists');
      expectStatus(answer, 201);
      toy.domains.set(domain, account);
      toy.passports.set(id, { account, endsAt, version: 1, revoked: false, suspendedUntil: 0 });
    }),
  );

type Change = (toy: Toy, passport: ToyPassport) => boolean;

/** What becomes of a passport, and whether that is a new version; `conflict` for one that is revoked. */
const CHANGES: Readonly<
  Record<string, { readonly scope: string; readonly body: object; readonly change: Change }>
> = {
  '/revoke': {
    scope: 'revoke',
    body: {},
    change: (_, passport) => !passport.revoked,
  },
  '/suspend': {
    scope: 'revoke',
    body: {},
    change: (_, passport) => passport.suspendedUntil !== Number.POSITIVE_INFINITY,
  },
  '/reinstate': { scope: 'reinstate', body: {}, change: (_, passport) => passport.suspendedUntil !== 0 },
};

export const changeState: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom('/revoke', '/suspend', '/reinstate'), number, number, fc.boolean())
  .map(([path, who, which, withKey]) =>
    step(`${path} ${which} by ${withKey ? 'key' : 'session'} ${who}`, async (toy, real) => {
      const id = issuedAgent(toy, which);
      const { scope = '', change } = CHANGES[path] ?? {};
      const passport = toy.passports.get(id);
      const key = withKey ? keyFor(toy, id, who) : undefined;
      const session = sessionOf(toy, who);
      const account = key?.account ?? sessionAccount(toy, session);
      const credential = key === undefined ? { token: session?.token ?? 'none' } : { key: key.key };
      const answer = await real.api.ask('POST', path, { ...credential, json: { agent_id: id } });
      const refusal = key === undefined ? account === undefined && 401 : keyRefusal(toy, key, scope);
      if (refusal) return expectStatus(answer, refusal);
      const hidden = key?.agentIds?.includes(id) === false;
      if (passport === undefined || passport.account !== account || hidden) return expectStatus(answer, 404);
      if (passport.revoked && path !== '/revoke') return expectStatus(answer, 409, 'conflict');
      expectStatus(answer, 200);
      if (change?.(toy, passport)) passport.version += 1;
      if (path === '/revoke') passport.revoked = true;
      else passport.suspendedUntil = path === '/suspend' ? Number.POSITIVE_INFINITY : 0;
      expect(answer.body['status']).toBe(passportStatus(toy, passport));
    }),
  );

export const verify: fc.Arbitrary<Step> = fc.tuple(number, number).map(([who, which]) =>
  step(`verify ${which} by ${who}`, async (toy, { api }) => {
    const id = issuedAgent(toy, which);
    const key = keyFor(toy, id, who);
    if (key === undefined) return;
    const answer = await api.ask('POST', '/verify', {
      key: key.key,
      json: { agent_id: id, action: 'orders.get' },
    });
    const refusal = keyRefusal(toy, key, 'verify');
    if (refusal !== undefined) return expectStatus(answer, refusal);
    const codes = verdictCodes(toy, key, id);
    const reasons = answer.body['reasons'] as readonly { readonly code: string }[];
    expect(reasons.map(({ code }) => code)).toEqual(codes);
    expect(answer.body).toMatchObject({
      verdict: codes.length === 0 ? 'ALLOW' : 'DENY',
      environment: key.environment,
      key_id: key.id,
    });
  }),
);
