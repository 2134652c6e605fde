/** A permit exists exactly where a verdict is ALLOW and asked for it, and nothing moves without one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdentityError } from '../../../src/errors.ts';
import type { Intent, VerdictRecord } from '../../../src/records.ts';
import { cases } from '../../support/runs.ts';
import { claimsOf } from '../../support/signing.ts';
import { AUDIENCE, type Fault, openPermits } from './stage.ts';

const question = fc.record({
  amount: fc.constantFrom(1, '19.90', 60, 101),
  action: fc.constantFrom('payments.create', 'payments.create', 'fly'),
  seconds: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
  isAsked: fc.boolean(),
  dry_run: fc.boolean(),
  hold_seconds: fc.constantFrom(undefined, 60),
  key: fc.constantFrom(undefined, 'a', 'b'),
  fault: fc.constantFrom<Fault>('none', 'none', 'none', 'throws', 'unknown key'),
  waits: fc.constantFrom(0, 400, 7_300, 61_000),
});

const passport = fc.record({
  budgets: fc.constantFrom([], [{ name: 'day', window: 'day' as const, limit: 100 }]),
  endsIn: fc.constantFrom(undefined, 8_000, 70_000),
});

/** What the claims say, against the record. */
function expectClaims(token: string, record: VerdictRecord): void {
  const { permit, ...claims } = claimsOf(token) as { permit: object } & Record<string, unknown>;
  const { environment, action, target, passport_version, decision_id, agent_id } = record;
  expect(permit).toMatchObject({ environment, action, target, passport_version });
  expect(permit).toMatchObject({ amount: `${record.amount}`, currency: record.currency });
  const iat = Math.floor(Date.parse(record.evaluated_at) / 1_000);
  expect(claims).toMatchObject({ jti: decision_id, sub: agent_id, iat });
  expect(Number(claims['exp']) - iat).toBeLessThanOrEqual(60);
}

test('a permit is there exactly for an ALLOW that asked, and DENY, 403 and 503 move nothing', async () => {
  await fc.assert(
    fc.asyncProperty(passport, fc.array(question, { maxLength: 12 }), async ({ budgets, endsIn }, asked) => {
      const { service, intentOf, spent, signer, clock, agent_id } = await openPermits({ budgets });
      if (endsIn !== undefined)
        await service.passports.update(agent_id, { expires_at: clock.instant(endsIn) });
      const first = new Map<unknown, Record<string, unknown>>();
      for (const { amount, action, seconds, isAsked, dry_run, hold_seconds, key, fault, waits } of asked) {
        clock.advance(waits);
        signer.fault = fault;
        const { permit: _, ...plain } = intentOf({ action, parameters: { amount, currency: 'EUR' } });
        const intent: Intent = {
          ...plain,
          ...(dry_run && { dry_run }),
          ...(hold_seconds !== undefined && { hold_seconds }),
          ...(isAsked && { permit: { audience: AUDIENCE, ...(seconds !== undefined && { seconds }) } }),
        };
        const before = [await spent(), (await service.verifications.list({})).data.length];
        const idempotencyKey = key && `${key} ${JSON.stringify(intent)}`;
        let isReplay = false;
        const onReplayed = () => {
          isReplay = true;
        };
        const answer = await service
          .verify(intent, { idempotencyKey, onReplayed })
          .catch((error: IdentityError) => error);
        if (answer instanceof IdentityError) {
          expect([answer.code, fault]).toEqual(['overloaded', expect.not.stringMatching('none')]);
          expect([await spent(), (await service.verifications.list({})).data.length]).toEqual(before);
          continue;
        }
        const { verdict, permit, permit_audience, decision_id } = answer;
        expect('permit' in answer).toBe(isAsked);
        const isAllowed = verdict === 'ALLOW' && isAsked && !dry_run;
        expect(permit_audience).toBe(isAllowed ? AUDIENCE : null);
        if (!isReplay) expect(typeof permit).toBe(isAllowed ? 'string' : isAsked ? 'object' : 'undefined');
        if (verdict === 'DENY' || dry_run) expect(await spent()).toBe(before[0]);
        if (typeof permit !== 'string') continue;
        expectClaims(permit, answer);
        const { exp, ...claims } = claimsOf(permit);
        const known = first.get(decision_id);
        if (known !== undefined) {
          expect(claims).toEqual({ ...known, exp: undefined });
          expect(Number(exp)).toBeLessThanOrEqual(Number(known['exp']));
          expect(Number(exp) * 1_000).toBeGreaterThan(clock.now());
        } else first.set(decision_id, { ...claims, exp });
      }
    }),
    { numRuns: cases(500) },
  );
});
