/** Conditions and order behind `mcp-guard`: a mail tool that cannot write to a third address, and a run that has read. */
import { expect, test } from 'vitest';
import { type Answer, openShop, startProxy } from './proxy.ts';

const AGENT = 'did:web:example.com:agents:mailer';
const RULES = {
  send_mail: { action: 'email.send', parameters: { to: '/to', cc: '/cc', bcc: '/bcc' } },
  read_customer: { action: 'customers.read' },
};
const TWO = ['ann@example.com', 'ben@example.com'];
const ADDRESSES = ['to', 'cc', 'bcc'].flatMap((name) => [
  { at: `/${name}`, email_in: TWO, optional: name !== 'to' },
]);

/** A service with an agent that mails two people, unless the same run has read about customers. */
async function openMail(): ReturnType<typeof openShop> {
  const shop = await openShop();
  await shop.service.passports.create({
    domain: 'example.com',
    agent_name: 'mailer',
    allowed_actions: ['email.send', 'customers.read'],
    monetary_limit_per_txn: 0,
    conditions: ADDRESSES.map((condition) => ({ ...condition, actions: ['email.send'] })),
    order: [
      {
        name: 'nothing-leaves',
        actions: ['email.send'],
        forbids: { actions: ['customers.read'], seconds: 600 },
        same: ['session'],
      },
    ],
  });
  return shop;
}

let calls = 0;

function call(proxy: ReturnType<typeof startProxy>, name: string, args: object): Promise<Answer> {
  calls += 1;
  return proxy.ask({ id: calls, method: 'tools/call', params: { name, arguments: args } });
}

/** The text of a denial; `undefined` for a call that reached the server. */
function denialOf({ result }: Answer): string | undefined {
  return result?.['isError'] ? JSON.stringify(result['content']) : undefined;
}

const THIRD = 'eve@evil.example';
const [ANN, BEN] = TWO;

test('lets a mail tool write to two addresses, and to no third one in any form', async () => {
  const proxy = startProxy(await openMail(), { agent: AGENT, rules: RULES, args: ['--session', 'run-1'] });
  const right = [{ to: ANN }, { to: [ANN, BEN] }, { to: [ANN], cc: BEN, bcc: [BEN] }];
  for (const args of right) expect(denialOf(await call(proxy, 'send_mail', args))).toBeUndefined();
  const wrong = [
    ...[{ to: THIRD }, { to: ANN, cc: THIRD }, { to: ANN, bcc: THIRD }, { to: [ANN, THIRD] }],
    ...[
      { to: `${ANN}, ${THIRD}` },
      { to: `${ANN};${THIRD}` },
      { to: `Ann <${THIRD}>` },
      { to: `${ANN}\r\nBcc: ${THIRD}` },
    ],
    ...[
      { to: { address: THIRD } },
      { to: [[THIRD]] },
      { cc: THIRD },
      {},
      { to: '' },
      { to: [] },
      { to: null },
    ],
    ...[{ To: THIRD, to: ANN }, { to: ANN, BCC: [THIRD] }, { to: 'ann@example.com.evil.example' }],
  ];
  for (const args of wrong) {
    expect(denialOf(await call(proxy, 'send_mail', args)), JSON.stringify(args)).toMatch(
      /parameter_|unreadable/,
    );
  }
  expect(proxy.received().filter((line) => line.includes('evil.example'))).toEqual([]);
  expect(proxy.received().filter((line) => line.includes('send_mail'))).toHaveLength(right.length);
});

test('counts a run by --session: one that has read sends nothing, and another run does', async () => {
  const shop = await openMail();
  const options = { agent: AGENT, rules: RULES };
  const reader = startProxy(shop, { ...options, args: ['--session', 'run-1'] });
  expect(denialOf(await call(reader, 'read_customer', {}))).toBeUndefined();
  expect(denialOf(await call(reader, 'send_mail', { to: ANN }))).toContain('order_forbidden');
  const other = startProxy(shop, { ...options, args: ['--session', 'run-2'] });
  expect(denialOf(await call(other, 'send_mail', { to: ANN }))).toBeUndefined();
  const again = startProxy(shop, { ...options, args: ['--session', 'run-1'] });
  expect(denialOf(await call(again, 'send_mail', { to: ANN }))).toContain('order_forbidden');
  const none = startProxy(shop, options);
  expect(denialOf(await call(none, 'send_mail', { to: ANN }))).toContain('session_required');
});
