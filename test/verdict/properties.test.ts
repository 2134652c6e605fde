import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type PlainQuestion,
  passportArbitrary,
  proofFactArbitrary,
  questionArbitrary,
} from '../../src/testing/arbitraries.ts';
import {
  decide,
  defaultRules,
  prepare,
  type Reason,
  type Rule,
  type Verdict,
} from '../../src/verdict/index.ts';
import { deepFreeze } from '../support/freeze.ts';
import { HEADS } from '../support/heads.ts';
import { cases } from '../support/runs.ts';
import { textbookCodes } from '../support/textbook.ts';

const objection: Rule = () => ({ code: 'never', message: 'Never.' });
const silence: Rule = () => undefined;

function holds(property: (question: PlainQuestion) => void): void {
  const evaluated = fc.property(questionArbitrary(), (question) => {
    property(question);
  });
  fc.assert(evaluated, { numRuns: cases() });
}

function codesOf(question: PlainQuestion, rules?: readonly Rule[]): string[] {
  return decide(question, rules).reasons.map(({ code }) => code);
}

describe('a verdict', () => {
  test('is ALLOW exactly when there are no reasons', () => {
    holds((question) => {
      const { verdict, reasons } = decide(question);
      expect(verdict).toBe(reasons.length === 0 ? 'ALLOW' : 'DENY');
    });
  });

  test('is what the table of the contract says, reason by reason, in its order', () => {
    holds((question) => {
      const isReadable = Number.isFinite(question.at);
      const expected = textbookCodes(question);
      const found = expected[0] === 'agent_not_found' || isReadable ? expected : ['rule_failed'];
      expect(codesOf(question)).toEqual(found);
    });
  });

  test('is the same for the same question', () => {
    holds((question) => expect(decide(structuredClone(question))).toEqual(decide(question)));
  });

  test('leaves its inputs untouched', () => {
    holds((question) => {
      const before = structuredClone(question);
      decide(deepFreeze(question));
      expect(question).toEqual(before);
    });
  });

  test('is the same for a passport and the prepared one', () => {
    holds((question) =>
      expect(decide({ ...question, passport: prepare(question.passport) })).toEqual(decide(question)),
    );
  });

  test('of all default rules at once is the one of asking them one after the other', () => {
    const oneByOne = defaultRules.map(
      (rule): Rule =>
        (facts) =>
          rule(facts),
    );
    holds((question) => {
      const { reasons } = decide(question);
      const isEvaluated = !['agent_not_found', 'rule_failed'].includes(reasons[0]?.code ?? '');
      const both = decide(question, [...defaultRules, ...oneByOne]).reasons;
      const isOfRule = ({ code }: Reason) => !/^(?:proof|usage|budget|approval)_/.test(code);
      const isLast = ({ code }: Reason) => code === 'proof_replayed';
      const again = [...reasons.filter((reason) => !isLast(reason)), ...reasons.filter(isOfRule)];
      expect(both).toEqual(isEvaluated ? [...again, ...reasons.filter(isLast)] : reasons);
    });
  });

  test('is not changed by what became of the last one', () => {
    holds((question) => {
      const told = JSON.stringify(decide(question));
      spoil(decide(question));
      expect(JSON.stringify(decide(question))).toBe(told);
    });
  });

  test('survives the round trip through JSON', () => {
    holds((question) => {
      const verdict = decide(question);
      expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict);
    });
  });

  test('carries a constant sentence per code', () => {
    const messages = Object.fromEntries(HEADS.map(({ code, message }) => [code, message]));
    holds((question) => {
      for (const { code, message } of decide(question).reasons) expect(message).toBe(messages[code]);
    });
  });
});

describe('denied is', () => {
  test('every question without a passport', () => {
    fc.assert(
      fc.property(questionArbitrary(), fc.constantFrom(null, undefined), (question, passport) => {
        expect(codesOf({ ...question, passport } as never)).toEqual(['agent_not_found']);
      }),
      { numRuns: cases() },
    );
  });

  test('every question to an empty list of rules', () => {
    holds((question) => expect(decide(question, []).verdict).toBe('DENY'));
  });

  test('every agent that is revoked', () => {
    holds(({ passport, ...question }) => {
      const revoked = { ...passport, status: 'revoked' } as const;
      expect(decide({ ...question, passport: revoked }).verdict).toBe('DENY');
    });
  });

  test('what a rule throws at or answers later', () => {
    const failing: readonly Rule[] = [
      () => {
        throw new Error('broken');
      },
      (async () => undefined) as unknown as Rule,
    ];
    holds((question) => {
      for (const rule of failing) expect(decide(question, [...defaultRules, rule]).verdict).toBe('DENY');
    });
  });
});

describe('an ALLOW is never lost', () => {
  test('by raising the limit', () => {
    holds((question) => {
      const passport = { ...question.passport, monetary_limit_per_txn: '1000000000000000' };
      keepsAllow(question, { ...question, passport });
    });
  });

  test('by lowering the amount', () => {
    holds((question) => {
      const parameters = { ...question.intent.parameters, amount: 0 };
      if (question.intent.parameters?.['amount'] === undefined) return;
      keepsAllow(question, { ...question, intent: { ...question.intent, parameters } });
    });
  });

  test('by allowing another action', () => {
    fc.assert(
      fc.property(questionArbitrary(), passportArbitrary(), (question, { allowed_actions }) => {
        const all = [...question.passport.allowed_actions, ...allowed_actions];
        keepsAllow(question, { ...question, passport: { ...question.passport, allowed_actions: all } });
      }),
      { numRuns: cases() },
    );
  });
});

describe('a proof', () => {
  test('that fails never allows, whatever the passport asks for', () => {
    const failed = proofFactArbitrary().filter(({ state }) => state !== 'valid');
    fc.assert(
      fc.property(questionArbitrary(), failed, (question, proof) => {
        expect(decide({ ...question, proof }).verdict).toBe('DENY');
        expect(decide({ ...question, proof }, [...defaultRules, silence]).verdict).toBe('DENY');
      }),
      { numRuns: cases() },
    );
  });

  test('that a passport requires never turns DENY into ALLOW, nor does one that is given', () => {
    const required = fc.constantFrom('optional', 'identity', 'intent');
    fc.assert(
      fc.property(questionArbitrary(), required, proofFactArbitrary(), (question, asked, fact) => {
        const { proof: _, ...plain } = question;
        const { proof: __, ...passport } = plain.passport;
        const without = { ...plain, passport };
        if (decide(without).verdict === 'ALLOW') return;
        const demanding = { ...plain, passport: { ...passport, proof: asked } } as PlainQuestion;
        expect(decide(demanding).verdict).toBe('DENY');
        expect(decide({ ...demanding, proof: fact }).verdict).toBe('DENY');
        expect(decide({ ...without, proof: fact }).verdict).toBe('DENY');
      }),
      { numRuns: cases() },
    );
  });
});

test('order and duplicates of actions do not matter', () => {
  holds((question) => {
    const { passport } = question;
    const allowed_actions = [...passport.allowed_actions, ...passport.allowed_actions].reverse();
    expect(decide({ ...question, passport: { ...passport, allowed_actions } })).toEqual(decide(question));
  });
});

test('another rule only ever adds to the reasons, wherever it stands', () => {
  holds((question) => {
    const without = codesOf(question);
    expect(codesOf(question, [...defaultRules, silence])).toEqual(without);
    expect(codesOf(question, [silence, ...defaultRules])).toEqual(without);
    for (const rules of [
      [...defaultRules, objection],
      [objection, ...defaultRules],
    ]) {
      const reasons = codesOf(question, rules);
      // Budgets and approvals are evaluated only where nothing else denies.
      const kept = without.filter((code) => !/^(?:budget|approval)_/.test(code));
      expect(reasons).toEqual(expect.arrayContaining(kept));
      expect(decide(question, rules).verdict).toBe('DENY');
    }
  });
});

test('the generated questions bring both verdicts and every reason', () => {
  const sample = fc.sample(questionArbitrary(), { numRuns: 2_500, seed: 20_261_120 });
  const verdicts = sample.map((question) => decide(question));
  const seen = new Set(verdicts.flatMap(({ reasons }) => reasons.map(({ code }) => code)));
  // Only the service counts holds and issues permits and tokens; ancestors, conditions, order and paces have their own tests.
  const codes = HEADS.map(({ code }) => code).filter(
    (code) =>
      !/^(?:too_many_holds|permit_unavailable|token_unavailable|parent_|parameter_|session_|order_|pace_|history_)/.test(
        code,
      ),
  );
  expect([...seen].sort()).toEqual(codes.sort());
  const allowed = verdicts.filter(({ verdict }) => verdict === 'ALLOW').length;
  expect(allowed).toBeGreaterThan(125);
  expect(allowed).toBeLessThan(2_375);
});

/** Changes whatever of a verdict can be changed. */
function spoil(verdict: Verdict): void {
  const { reasons } = verdict;
  for (const each of [verdict, reasons, ...reasons]) {
    for (const key of ['verdict', 'reasons', 'code', 'message', 'since', 'until', 'limit', 0]) {
      Reflect.set(each, key, 'spoiled');
    }
    Reflect.set(each, 'length', 0);
  }
}

function keepsAllow(before: PlainQuestion, after: PlainQuestion): void {
  if (decide(before).verdict === 'ALLOW') expect(decide(after).verdict).toBe('ALLOW');
}
