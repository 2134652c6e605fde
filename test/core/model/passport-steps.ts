import fc from 'fast-check';
import { expect } from 'vitest';
import { PASSPORT } from '../../support/api.ts';
import {
  keyRefusal,
  passportStatus,
  sessionAccount,
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
  keyIn,
  type Steps,
  sessionFor,
  sessionIn,
  sessionOf,
  step,
} from './step.ts';

export const issuePassport: Steps = (who, which) =>
  fc.tuple(who, which, endsIn).map(([index, at, seconds]) =>
    step(`issue ${at} by ${index}`, (planned) => {
      const { domain, agent_name, id } = agentOf(at);
      const endsAt = end(planned, seconds);
      const expiry = seconds !== undefined && { expires_at: instant(endsAt) };
      const json = { ...PASSPORT, domain, agent_name, ...expiry };
      const request = ['POST', '/passports', { json }] as const;
      return bySession(sessionOf(planned, index), request, (toy, answer, { account }) => {
        if ((toy.domains.get(domain) ?? account) !== account)
          return expectStatus(answer, 409, 'domain_claimed');
        if (toy.passports.has(id)) return expectStatus(answer, 409, 'already_exists');
        expectStatus(answer, 201);
        toy.domains.set(domain, account);
        toy.passports.set(id, {
          account,
          endsAt,
          version: 1,
          allows: true,
          revoked: false,
          suspendedUntil: 0,
        });
      });
    }),
  );

export const patchPassport: Steps = (who, which) =>
  fc.tuple(who, which, fc.boolean()).map(([index, at, allows]) =>
    step(`patch ${at} to ${allows ? 'all' : 'nothing'} by ${index}`, (planned) => {
      const id = issuedAgent(planned, at);
      const session = sessionFor(planned, planned.passports.get(id)?.account, index);
      const json = { allowed_actions: allows ? PASSPORT.allowed_actions : [] };
      return bySession(session, ['PATCH', `/passports/${id}`, { json }], (toy, answer, { account }) => {
        const passport = toy.passports.get(id);
        if (passport?.account !== account) return expectStatus(answer, 404, 'not_found');
        if (passport.revoked) return expectStatus(answer, 409, 'conflict');
        expectStatus(answer, 200);
        if (passport.allows !== allows) passport.version += 1;
        passport.allows = allows;
        expect(answer.body['version']).toBe(passport.version);
      });
    }),
  );

type Change = (passport: ToyPassport) => boolean;

/** What becomes of a passport, and whether that is a new version; `conflict` for one that is revoked. */
const CHANGES: Readonly<Record<string, { readonly scope: string; readonly change: Change }>> = {
  '/revoke': { scope: 'revoke', change: (passport) => !passport.revoked },
  '/suspend': {
    scope: 'revoke',
    change: (passport) => passport.suspendedUntil !== Number.POSITIVE_INFINITY,
  },
  '/reinstate': { scope: 'reinstate', change: (passport) => passport.suspendedUntil !== 0 },
};

export const changeState: Steps = (who, which) =>
  fc
    .tuple(fc.constantFrom('/revoke', '/suspend', '/reinstate'), who, which, fc.boolean())
    .map(([path, index, at, withKey]) =>
      step(`${path} ${at} by ${withKey ? 'key' : 'session'} ${index}`, (planned) => {
        const id = issuedAgent(planned, at);
        const { scope = '', change } = CHANGES[path] ?? {};
        const known = withKey ? keyFor(planned, id, index) : undefined;
        const session = sessionFor(planned, planned.passports.get(id)?.account, index);
        const credential = known === undefined ? { token: session?.token ?? 'none' } : { key: known.key };
        return {
          request: ['POST', path, { ...credential, json: { agent_id: id } }],
          evaluate(toy, answer) {
            const key = known && keyIn(toy, known);
            const account = key?.account ?? sessionAccount(toy, sessionIn(toy, session));
            const refusal = key === undefined ? account === undefined && 401 : keyRefusal(toy, key, scope);
            if (refusal) return expectStatus(answer, refusal);
            const passport = toy.passports.get(id);
            const hidden = key?.agentIds?.includes(id) === false;
            if (passport === undefined || passport.account !== account || hidden)
              return expectStatus(answer, 404);
            if (passport.revoked && path !== '/revoke') return expectStatus(answer, 409, 'conflict');
            expectStatus(answer, 200);
            if (change?.(passport)) passport.version += 1;
            if (path === '/revoke') passport.revoked = true;
            else passport.suspendedUntil = path === '/suspend' ? Number.POSITIVE_INFINITY : 0;
            expect(answer.body['status']).toBe(passportStatus(toy, passport));
          },
        };
      }),
    );

export const verify: Steps = (who, which) =>
  fc.tuple(who, which).map(([index, at]) =>
    step(`verify ${at} by ${index}`, (planned) => {
      const id = issuedAgent(planned, at);
      const known = keyFor(planned, id, index);
      if (known === undefined) return undefined;
      return {
        request: ['POST', '/verify', { key: known.key, json: { agent_id: id, action: 'orders.get' } }],
        evaluate(toy, answer) {
          const key = keyIn(toy, known);
          const refusal = keyRefusal(toy, key, 'verify');
          if (refusal !== undefined) return expectStatus(answer, refusal);
          expectStatus(answer, 200);
          const codes = verdictCodes(toy, key, id);
          const reasons = answer.body['reasons'] as readonly { readonly code: string }[];
          expect(reasons.map(({ code }) => code)).toEqual(codes);
          expect(answer.body).toMatchObject({
            verdict: codes.length === 0 ? 'ALLOW' : 'DENY',
            environment: key.environment,
            key_id: key.id,
          });
        },
      };
    }),
  );
