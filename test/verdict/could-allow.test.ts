import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OwnedPassport } from '../../src/testing/arbitraries.ts';
import { couldAllow, decide, prepare } from '../../src/verdict/index.ts';
import { type Family, familyArbitrary, QUESTIONS } from '../support/chains.ts';
import { nightly, sized } from '../support/runs.ts';

const RUNS = nightly(1_000_000, sized(20_000, 2_000)) / QUESTIONS;
const DAY_MS = 86_400_000;
const LASTING =
  /^(?:agent_(?:not_found|revoked|expired)|action_denied|action_not_allowed|parent_not_found|rule_failed)$/;

function holds(property: (family: Family) => void): void {
  fc.assert(
    fc.property(familyArbitrary(), (family) => property(family)),
    { numRuns: RUNS },
  );
}

const hasNoTarget = ({ allowed_targets }: OwnedPassport): boolean => allowed_targets?.length === 0;

describe('couldAllow', () => {
  test('is false only for an action that decide denies from then on', () => {
    let closed = 0;
    holds(({ questions, prepared }) => {
      for (const question of questions) {
        const { passport, intent, ancestors } = question;
        const at = Number(question.at);
        if (!Number.isFinite(at) || couldAllow(passport, intent.action, { at, ancestors })) continue;
        closed += 1;
        for (const later of [at, at + DAY_MS, at + 10_000 * DAY_MS]) {
          const asked = { ...prepared(question), at: later, caller: null };
          expect(decide(asked).verdict).toBe('DENY');
        }
      }
    });
    expect(closed).toBeGreaterThan(RUNS);
  });

  test('is false exactly for the reasons that last', () => {
    const seen = { open: 0, closed: 0 };
    holds(({ questions, passport, ancestors }) => {
      for (const { intent, at } of questions) {
        if (!Number.isFinite(at)) continue;
        const own = { ...intent, agent_id: passport.agent_id };
        const { reasons } = decide({ passport, intent: own, at, ancestors });
        const isLasting = reasons.some(({ code, reason }) => LASTING.test(String(reason ?? code)));
        const isClosed = isLasting || [passport, ...ancestors].some(hasNoTarget);
        expect(couldAllow(prepare(passport), intent.action, { at, ancestors })).toBe(!isClosed);
        seen[isClosed ? 'closed' : 'open'] += 1;
      }
    });
    expect(Math.min(seen.open, seen.closed)).toBeGreaterThan(RUNS);
  });

  const passport = {
    agent_id: 'did:web:a.example:agents:a',
    status: 'active' as const,
    allowed_actions: ['orders.*'],
    monetary_limit_per_txn: '1',
  } as never;
  const withFields = (fields: object) => ({ ...(passport as object), ...fields }) as never;

  test('is true while a passport only waits', () => {
    for (const fields of [
      {},
      { status: 'suspended', suspended_until: '2999-01-01T00:00:00Z' },
      { status: 'suspended' },
      { not_before: '2999-01-01T00:00:00Z' },
      { approval: { actions: ['orders.*'] } },
      { budgets: [{ window: 'day', count: 1 }] },
      { allowed_targets: ['did:web:b.example'] },
      { expires_at: '2999-01-01T00:00:00Z' },
    ])
      expect(couldAllow(withFields(fields), 'orders.read', { at: Date.now() })).toBe(true);
    expect(couldAllow(withFields({ expires_at: '2020-01-01T00:00:00Z' }), 'orders.read')).toBe(true);
  });

  test('is false without a passport, an action or a chain that can be read', () => {
    const hostile = new Proxy({}, { get: () => expect.fail(), ownKeys: () => expect.fail() }) as never;
    for (const given of [null, undefined, {}, 'a', hostile, withFields({ status: 'x' })] as never[])
      expect(couldAllow(given, 'orders.read')).toBe(false);
    for (const action of ['', 'orders.', 'orders.*', ' orders.read', null, undefined, {}] as never[])
      expect(couldAllow(passport, action)).toBe(false);
    for (const at of [Number.NaN, 'now', null, {}] as never[])
      expect(couldAllow(passport, 'orders.read', { at })).toBe(false);
    const child = withFields({ parent_agent_id: 'did:web:a.example:agents:b' });
    const other = [passport];
    for (const ancestors of [undefined, [], [null], other, 'b'] as never[])
      expect(couldAllow(child, 'orders.read', { ancestors })).toBe(false);
    expect(couldAllow(passport, 'orders.read', null as never)).toBe(false);
    expect(couldAllow(passport, 'orders.read', { at: '2026-01-01T00:00:00Z' })).toBe(true);
  });
});
