import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Passport } from '../../src/records.ts';
import { decide, prepare, type Question } from '../../src/verdict/index.ts';
import { ancestorId, chainCodes, type Family, familyArbitrary, QUESTIONS } from '../support/chains.ts';
import { nightly, sized } from '../support/runs.ts';

/** Questions, of which a family is asked `QUESTIONS`. */
const RUNS = nightly(1_000_000, sized(20_000, 2_000));
const TIMEOUT_MS = 3_600_000;

function holds(property: (family: Family) => void): void {
  fc.assert(
    fc.property(familyArbitrary(), (family) => {
      property(family);
    }),
    { numRuns: RUNS / QUESTIONS },
  );
}

function codesOf(question: Question): string[] {
  return decide(question).reasons.map(({ code, reason }) =>
    code === 'parent_denied' ? `${code} ${reason}` : code,
  );
}

/** `toEqual`, which takes longer than the verdicts, only for what differs. */
function expectEqual(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

test(
  'evaluates a chain like the textbook evaluates each of its passports',
  () => {
    const seen = new Map<string, number>();
    holds(({ questions, prepared }) => {
      for (const question of questions) {
        const found = codesOf(prepared(question));
        expectEqual(found, chainCodes(question));
        const kind = found.length === 0 ? 'ALLOW' : (found[0]?.split(' ')[0] ?? '');
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
    });
    for (const kind of ['ALLOW', 'parent_denied']) expect(seen.get(kind) ?? 0).toBeGreaterThan(RUNS / 100);
  },
  TIMEOUT_MS,
);

test(
  'an ALLOW for an agent is an ALLOW for every agent above it',
  () => {
    holds(({ questions, ancestors, prepared }) => {
      for (const question of questions) {
        const ready = prepared(question);
        if (decide(ready).verdict !== 'ALLOW') continue;
        const above = ready.ancestors ?? [];
        for (const [place, passport] of above.entries()) {
          const intent = { ...question.intent, agent_id: ancestors[place]?.agent_id };
          const asked = { ...ready, caller: null, passport, intent, ancestors: above.slice(place + 1) };
          expectEqual(decide(asked as Question).verdict, 'ALLOW');
        }
      }
    });
  },
  TIMEOUT_MS,
);

test(
  'prepared passports and plain ones give the same verdict',
  () => {
    holds(({ questions, prepared }) => {
      for (const question of questions) expectEqual(decide(prepared(question)), decide(question));
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
    const changed = fc.tuple(familyArbitrary(), narrowings, fc.nat(3), fc.boolean());
    const seen = { kept: 0, lost: 0 };
    fc.assert(
      fc.property(changed, ([{ questions, ancestors: all, prepared }, narrow, at, isGone]) => {
        const place = at % all.length;
        const isLost = isGone && at === 3;
        const narrowed = all.flatMap((one, index) => {
          if (index !== place) return [prepare(one)];
          return isLost ? [] : [prepare({ ...one, ...narrow(one) } as typeof one)];
        });
        for (const question of questions) {
          const ready = prepared(question);
          const before = decide(ready).verdict;
          const { verdict, reasons } = decide({ ...ready, ancestors: narrowed });
          if (before === 'DENY') {
            if (verdict !== 'DENY') expect.fail(JSON.stringify({ question, narrowed }));
            continue;
          }
          seen[verdict === 'ALLOW' ? 'kept' : 'lost'] += 1;
          if (isLost) {
            expect(reasons).toMatchObject([{ code: 'parent_not_found', parent: ancestorId(place) }]);
          }
        }
      }),
      { numRuns: RUNS / QUESTIONS },
    );
    // The narrowings are not all without effect, nor all the end of the agent.
    expect(Math.min(seen.kept, seen.lost)).toBeGreaterThan(RUNS / 200);
  },
  TIMEOUT_MS,
);
