import { describe, expect, test } from 'vitest';
import { createToolGuard, type ToolGuard, type ToolRule } from '../../src/guard/index.ts';
import type { Intent } from '../../src/records.ts';
import { openLocalService } from '../support/service.ts';

const AGENT = { domain: 'example.com', agent_name: 'mailer' };

/** A guard over a service whose agent may write to two addresses only. */
async function openMail(rule: ToolRule): Promise<{ guard: ToolGuard; asked: Intent[] }> {
  const { service } = await openLocalService();
  const { agent_id } = await service.passports.create({
    ...AGENT,
    allowed_actions: ['email.send'],
    monetary_limit_per_txn: 0,
    conditions: [
      ...['/to', '/cc', '/bcc'].map((at) => ({
        at,
        optional: at !== '/to',
        email_in: ['ann@example.com', '@example.org'],
      })),
      { at: '', only: ['to', 'cc', 'bcc', 'subject'] },
    ],
  });
  const asked: Intent[] = [];
  const verifier = {
    verify(intent: Intent) {
      asked.push(intent);
      return service.verify(intent);
    },
  };
  const guard = createToolGuard({
    verifier,
    agentId: agent_id,
    tools: { mail: { action: 'email.send', ...rule } },
  });
  return { guard, asked };
}

/** What came of a call: `ALLOW`, or the codes with the places of its reasons. */
async function outcomeOf(guard: ToolGuard, args: unknown): Promise<string> {
  const answer = await guard.judge({ name: 'mail', args });
  return answer.allowed
    ? 'ALLOW'
    : answer.reasons.map(({ code, at }) => (at === undefined ? code : `${code} ${at}`)).join(', ');
}

describe('a rule with parameters', () => {
  const THIRD = 'eve@evil.example';
  test.each<[string, object, string]>([
    ['to one address', { to: 'ann@example.com' }, 'ALLOW'],
    ['to several', { to: ['Ann@Example.com', 'bob@example.org'], subject: 'Hi' }, 'ALLOW'],
    ['to a third one', { to: THIRD }, 'parameter_not_allowed /to'],
    ['to a third one in a list', { to: ['ann@example.com', THIRD] }, 'parameter_not_allowed /to'],
    ['with a third one in text', { to: `ann@example.com, ${THIRD}` }, 'parameter_not_allowed /to'],
    ['with a third one as cc', { to: 'ann@example.com', cc: THIRD }, 'parameter_not_allowed /cc'],
    ['with a third one as bcc', { to: 'ann@example.com', bcc: [[THIRD]] }, 'parameter_not_allowed /bcc'],
    ['with a name before it', { to: `"ann@example.com" <${THIRD}>` }, 'parameter_not_allowed /to'],
    ['with another member', { to: 'ann@example.com', headers: { bcc: THIRD } }, 'parameter_not_allowed '],
    ['without an address', { subject: 'Hi' }, 'parameter_required /to'],
    ['with a disguised name', { to: 'ann@example.com', To: THIRD }, 'intent_unreadable'],
  ])('sends all arguments: a mail %s', async (_, args, outcome) => {
    const { guard } = await openMail({ parameters: 'all' });
    expect(await outcomeOf(guard, args)).toBe(outcome);
  });

  test('sends what it names, under its own names', async () => {
    const { guard, asked } = await openMail({
      parameters: { to: '/mail/recipients/0', subject: '/mail/title' },
    });
    expect(await outcomeOf(guard, { mail: { recipients: ['ann@example.com'], title: 'Hi' } })).toBe('ALLOW');
    expect(asked[0]?.parameters).toEqual({ to: 'ann@example.com', subject: 'Hi' });
    expect(await outcomeOf(guard, { mail: {} })).toBe('parameter_required /to');
  });

  test('reads amount and currency as the rule says, also among all arguments', async () => {
    const rule: ToolRule = { amount: '/amount', decimals: 2, currency: 'EUR', parameters: 'all' };
    const { guard, asked } = await openMail(rule);
    await guard.judge({ name: 'mail', args: { amount: 10_001, to: 'ann@example.com' } });
    expect(asked[0]?.parameters).toEqual({ amount: '100.01', currency: 'EUR', to: 'ann@example.com' });
    expect(await outcomeOf(guard, { amount: 1, currency: 'EUR' })).toBe('intent_unreadable');
  });

  const holey: unknown[] = ['ann@example.com'];
  holey.length = 2;
  const cyclic: { to: unknown } = { to: null };
  cyclic.to = cyclic;
  test.each<[string, object]>([
    ['an undefined member', { to: 'ann@example.com', cc: undefined }],
    ['NaN', { to: Number.NaN }],
    ['a negative zero', { to: -0 }],
    ['a bigint', { to: 5n }],
    ['a date', { to: new Date(0) }],
    ['a function', { to: () => 'ann@example.com' }],
    ['a list with a hole', { to: holey }],
    ['a cycle', cyclic],
    ['more than 48 KiB', { to: 'a'.repeat(49_152) }],
    ['more than 10,000 members', { to: Array.from({ length: 10_001 }, () => 1) }],
    [
      'a member named __proto__',
      JSON.parse('{"to":"ann@example.com","__proto__":{"bcc":"eve@evil.example"}}'),
    ],
  ])('cannot read arguments with %s', async (_, args) => {
    const { guard, asked } = await openMail({ parameters: 'all' });
    expect(await outcomeOf(guard, args)).toBe('intent_unreadable');
    expect(asked).toEqual([]);
  });

  test.each<[unknown, RegExp]>([
    [{}, /must name 1 to 32 parameters/],
    [Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`p${n}`, '/a'])), /1 to 32/],
    [{ amount: '/amount' }, /must not name amount/],
    [{ to: 'to' }, /must be a JSON Pointer/],
    [{ to: 5 }, /must be a JSON Pointer/],
    ['some', /must be "all"/],
    [['/to'], /must be "all"/],
  ])('is refused as %j', (parameters, message) => {
    const tools = { mail: { parameters } as ToolRule };
    const verifier = { verify: () => Promise.reject(new Error()) };
    expect(() => createToolGuard({ verifier, agentId: 'did:web:example.com:agents:mailer', tools })).toThrow(
      message,
    );
  });
});
