/** Stored texts are the texts of attackers: they are values of JSON, visible, and without links. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerOf, NOTICE, shownRecord } from '../../adapters/mcp-server/answers.ts';
import { harmless, shortened } from '../../adapters/mcp-server/bounded.ts';
import { openDesk } from './desk.ts';
import { HOSTILE } from './hostile-texts.ts';

const HIDDEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const LINK = /\/\/|www\.|\]\(|mailto:|javascript:|</i;

/** Throws if a text hides something from a reader, or makes a link. */
function expectHarmless(text: string): void {
  expect(text).not.toMatch(HIDDEN);
  expect(text).not.toMatch(LINK);
}

/** Throws if an answer is more than its first line and one line of JSON, or holds a text that harms. */
function expectPlain(answer: ReturnType<typeof answerOf>): void {
  const [{ text } = { text: '' }] = answer.content;
  const lines = text.split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe(NOTICE);
  for (const line of lines) expectHarmless(line);
  expect(JSON.parse(lines[1] ?? '')).toEqual(answer.structuredContent);
}

test('makes any text harmless, and keeps letters, digits and identifiers', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...HOSTILE, '/', '//', 'www', '.', ']', '(', '<', 'mailto', ':', '\\u{2F}', '\uD83D'),
  );
  fc.assert(
    fc.property(
      fc.array(unit).map((parts) => parts.join('')),
      (text) => {
        expectHarmless(harmless(text));
        expectHarmless(shortened(text).text);
        expect(harmless(harmless(text))).toBe(harmless(text));
      },
    ),
  );
  for (const plain of [
    'did:web:example.com%3A8443:agents:shopper',
    'payments.create',
    'Zürich 日本 😀 -1.5',
    'a/b',
  ])
    expect(harmless(plain)).toBe(plain);
});

test('knows 50 hostile texts', () => {
  expect(new Set(HOSTILE).size).toBe(50);
});

test.each(HOSTILE.map((text) => [JSON.stringify(text).slice(0, 60), text]))(
  'shows %s as a plain value',
  (_, text) => {
    const record = {
      description: text,
      data: [text],
      metadata: { [text]: text },
      [text]: { [text]: [text] },
    };
    expectPlain(answerOf(shownRecord(record)));
  },
);

test('shows what agents and users have stored as plain values, by every tool', async () => {
  const { open, service, account_id, agent_id } = await openDesk();
  let stored = 0;
  const tries = async (write: () => Promise<unknown>): Promise<void> => {
    await write().then(
      () => {
        stored += 1;
      },
      // Most fields refuse some of these texts, which is as good.
      (error: { readonly code?: string }) => expect(error.code).toBe('invalid_request'),
    );
  };
  for (const [at, text] of HOSTILE.entries()) {
    const short = text.slice(0, 100);
    await tries(() => service.passports.update(agent_id, { description: short }, { account_id }));
    await tries(() => service.passports.update(agent_id, { metadata: { [short]: short } }, { account_id }));
    const intent = { agent_id, action: short, subject: short, target: short };
    await tries(() => service.verify({ ...intent, parameters: { [short]: short } }, { account_id }));
    const fields = { allowed_actions: ['pay'], monetary_limit_per_txn: 1, approval: { actions: ['pay'] } };
    const id = await service.passports.create(
      { domain: 'example.com', agent_name: `hostile-${at}`, ...fields },
      { account_id },
    );
    const asking = { agent_id: id.agent_id, action: 'pay', parameters: { [short]: short } };
    await tries(() => service.verify(asking, { account_id }));
    await tries(() => service.suspend({ agent_id: id.agent_id, reason: short }, { account_id }));
  }
  expect(stored).toBeGreaterThan(150);
  const { call } = await open();
  const given: readonly [string, object][] = [
    ['show_passport', { agent_id }],
    ['find_passports', {}],
    ['why_denied', { agent_id }],
    ['list_approvals', {}],
    ['audit', {}],
    ['unused', { days: 1 }],
    ['usage', {}],
    ['try_change', { agent_id, patch: {}, intents: HOSTILE.slice(0, 10).map((action) => ({ action })) }],
  ];
  for (const [name, args] of given) {
    const answer = await call(name, args);
    expectPlain(answer);
    expect([name, answer.isError]).toEqual([name, undefined]);
  }
});

test('holds no stored text in errors and descriptions', async () => {
  const { open, service, account_id, agent_id } = await openDesk();
  const secret = 'Stored by an attacker';
  await service.passports.update(agent_id, { description: secret }, { account_id });
  await service.suspend({ agent_id, reason: secret }, { account_id });
  await service.revoke({ agent_id, reason: secret }, { account_id });
  const { call, tools } = await open();
  const errors = [
    await call('propose_change', { agent_id, patch: { monetary_limit_per_txn: 1 } }),
    await call('suspend_agent', { agent_id, reason: 'again' }),
    await call('propose_change', { agent_id, patch: { nothing: secret } }),
  ];
  for (const error of errors) {
    expect(error.isError).toBe(true);
    expectPlain(error);
    expect(JSON.stringify(error)).not.toContain(secret);
  }
  expect(JSON.stringify(tools)).not.toContain(secret);
});
