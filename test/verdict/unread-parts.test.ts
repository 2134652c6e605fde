/** The part of a question that cannot be read is named, in a sentence for people. */
import { expect, test } from 'vitest';
import { verdictText } from '../../adapters/cli/output/error.ts';
import { adviceOn } from '../../adapters/dashboard/app/text/reasons.ts';
import { decide, defaultRules, type Rule, unreadPart, type Verdict } from '../../src/verdict/index.ts';
import type { UnreadPart } from '../../src/verdict/unread-parts.ts';
import { ask } from '../support/question.ts';

const quiet: Rule = () => undefined;
const own = [...defaultRules, quiet];

/** A verdict on a question with each part that cannot be read. */
const UNREAD: Readonly<Record<UnreadPart, Verdict>> = {
  question: decide(null as never),
  passport: ask({ allowed_actions: 7 }),
  at: ask({}, {}, { at: 'noon' }),
  ancestors: ask({ parent_agent_id: 'did:web:a.example:agents:b' }, {}, { ancestors: 7 as never }),
  proof: ask({}, {}, { proof: { state: 'proved' } as never }),
  intent: ask({}, { parameters: { note: new Map() } }, {}, own),
  rules: ask({}, {}, {}, [quiet]),
  approval: ask({}, {}, { approval: { state: 'granted' } as never }),
};

test.each(Object.entries(UNREAD))('names %s, in the dashboard and in the command', (part, verdict) => {
  const [reason, ...others] = verdict.reasons;
  expect([verdict.verdict, reason?.code, reason?.['rule'], others]).toEqual([
    'DENY',
    'rule_failed',
    part,
    [],
  ]);
  const sentence = unreadPart(reason as never);
  expect(sentence).toMatch(/^[A-Z].+\.$/);
  expect(adviceOn(reason as never, null)).toBe(`${sentence} An intent that cannot be evaluated is denied.`);
  expect(verdictText(verdict)).toBe(`DENY\n  rule_failed: The rule failed. (rule ${part}) ${sentence}`);
});

test('says nothing of a rule of the application, and of other reasons', () => {
  const broken: Rule = () => {
    throw new Error('x');
  };
  const { reasons } = ask({}, {}, {}, [...defaultRules, broken]);
  expect(reasons.map(unreadPart)).toEqual([undefined]);
  expect(adviceOn(reasons[0] as never, null)).toContain('The rule broken broke');
  expect(unreadPart({ code: 'rule_failed', message: '', rule: 'toString' })).toBeUndefined();
  expect(unreadPart({ code: 'proof_invalid', message: '', rule: 'proof' })).toBeUndefined();
});
