import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Passport } from '../../src/records.ts';
import { decide, prepare } from '../../src/verdict/index.ts';
import { ancestorId, type ChainQuestion, chainArbitrary, chainCodes } from '../support/chains.ts';
import { cases, nightly } from '../support/runs.ts';

const RUNS = nightly(1_000_000, cases());
const TIMEOUT_MS = 3_600_000;

function holds(property: (question: ChainQuestion) => void): void {
  fc.assert(
    fc.property(chainArbitrary(), (question) => {
      property(question);
    }),
    { numRuns: RUNS },
  );
}

function codesOf(question: ChainQuestion): string[] {
  return decide(question).reasons.map(({ code, reason }) =>
    code === 'parent_denied' ? `${code} ${reason}` : code,
  );
}

test(
  'a chain is judged as the textbook judges each of its passports by itself',
  () => {
    const seen = new Map<string, number>();
    holds((question) => {
      const found = codesOf(question);
      expect(found).toEqual(chainCodes(question));
      const kind = found.length === 0 ? 'ALLOW' : (found[0]?.split(' ')[0] ?? '');
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    });
    for (const kind of ['ALLOW', 'parent_denied']) expect(seen.get(kind) ?? 0).toBeGreaterThan(RUNS / 50);
  },
  TIMEOUT_MS,
);

test(
  'an ALLOW for an agent is an ALLOW for every agent above it',
  () => {
    holds(({ ancestors, ...question }) => {
      if (decide({ ...question, ancestors }).verdict !== 'ALLOW') return;
      for (const [place, passport] of ancestors.entries()) {
        const intent = { ...question.intent, agent_id: passport.agent_id };
        const asked = { ...question, caller: null, passport, intent, ancestors: ancestors.slice(place + 1) };
        expect(decide(asked).verdict).toBe('ALLOW');
      }
    });
  },
  TIMEOUT_MS,
);

test(
  'prepared passports and plain ones give the same verdict',
  () => {
    holds((question) => {
      const passport = prepare(question.passport);
      const ancestors = question.ancestors.map((one) => prepare(one));
      expect(decide({ ...question, passport, ancestors })).toEqual(decide(question));
    });
  },
  TIMEOUT_MS,
);

const instant = fc
  .integer({ min: 0, max: 24 })
  .map((hour) => `2026-11-20T${`${hour % 24}`.padStart(2, '0')}:00:00.000Z`);
const actions = fc.subarray(['payments.send', 'payments.*', 'quotes:*', 'quotes:read', '*', 'x']);

/** What takes something away from a passport; some make it one that cannot be read, which denies. */
const narrowings: fc.Arbitrary<(passport: Passport) => object> = fc.oneof(
  fc.constant(() => ({ status: 'revoked', revoked_at: '2026-11-20T12:00:00.000Z' })),
  fc.constant(() => ({ status: 'suspended', suspended_until: null })),
  instant.map((expires_at) => (passport: Passport) => ({
    expires_at: [expires_at, passport.expires_at ?? expires_at].sort()[0],
  })),
  instant.map((not_before) => (passport: Passport) => ({
    not_before: [not_before, passport.not_before ?? not_before].sort()[1],
  })),
  fc.nat(9).map((place) => (passport: Passport) => ({
    allowed_actions: passport.allowed_actions.filter((_, at) => at !== place),
  })),
  actions.map((more) => (passport: Passport) => ({
    denied_actions: [...new Set([...(passport.denied_actions ?? []), ...more])],
  })),
  actions.map((more) => (passport: Passport) => ({
    monetary_actions: [...new Set([...(passport.monetary_actions ?? []), ...more])],
  })),
  fc
    .constantFrom<readonly string[]>([], ['did:web:till.example.com'])
    .map((targets) => (passport: Passport) => ({
      allowed_targets: (passport.allowed_targets ?? targets).filter((one) => targets.includes(one)),
    })),
  fc.constant(() => ({ monetary_limit_per_txn: 0 })),
  fc.constantFrom('EUR', 'USD').map((currency) => (passport: Passport) => ({
    currency: passport.currency ?? currency,
  })),
  fc.constant((passport: Passport) => ({ proof: passport.proof === 'intent' ? 'intent' : 'identity' })),
  fc.constant(({ budgets = [] }: Passport) => ({
    budgets: [...budgets.filter(({ name }) => name !== 'more'), { name: 'more', window: 'day', count: 1 }],
  })),
);

test(
  'no change that narrows an agent above turns a DENY into an ALLOW',
  () => {
    const changed = fc.tuple(chainArbitrary(), narrowings, fc.nat(3), fc.boolean());
    const seen = { kept: 0, lost: 0 };
    fc.assert(
      fc.property(changed, ([question, narrow, at, isGone]) => {
        const place = at % question.ancestors.length;
        const ancestors = question.ancestors.flatMap((one, index) => {
          if (index !== place) return [one];
          return isGone && at === 3 ? [] : [{ ...one, ...narrow(one) } as typeof one];
        });
        const before = decide(question).verdict;
        const { verdict, reasons } = decide({ ...question, ancestors });
        if (before === 'DENY') expect(verdict, JSON.stringify(question)).toBe('DENY');
        else seen[verdict === 'ALLOW' ? 'kept' : 'lost'] += 1;
        if (ancestors.length < question.ancestors.length && before === 'ALLOW') {
          expect(reasons).toMatchObject([{ code: 'parent_not_found', parent: ancestorId(place) }]);
        }
      }),
      { numRuns: RUNS },
    );
    // The narrowings are not all without effect, nor all the end of the agent.
    expect(Math.min(seen.kept, seen.lost)).toBeGreaterThan(RUNS / 200);
  },
  TIMEOUT_MS,
);
