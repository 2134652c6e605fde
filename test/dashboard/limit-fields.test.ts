/** The rows of conditions, and the fields of pace and order, in the form of a passport. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, hasChromium, openStage, type Stage, signIn } from './browser.ts';

const PASSPORT = {
  domain: 'shop.example',
  agent_name: 'mailer',
  allowed_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
};

type Fields = readonly (readonly [label: string, value: string])[];

/** What is typed into a row, each on top of the one before, and what the service says of it. */
const WRONG_ROWS: readonly (readonly [Fields, string])[] = [
  [[], 'This must be a JSON Pointer of 1 to 8 names'],
  [[['Value at', '/cc']], 'This must be a list of 1 to 256 different values'],
  [[['Entries', 'a\na']], 'Two entries are the same.'],
  [
    [
      ['Test', 'email_in'],
      ['Entries', 'Ann@Example.com'],
    ],
    'This must be an address such as',
  ],
  [
    [
      ['Test', 'url_under'],
      ['Entries', 'ftp://example.com'],
    ],
    'This must be a URL such as',
  ],
  [
    [
      ['Test', 'path_under'],
      ['Entries', '../etc'],
    ],
    'This must be a path such as',
  ],
  [
    [
      ['Test', 'prefix'],
      ['Entries', '/srv'],
    ],
    'for paths use path_under',
  ],
  [[['Test', 'range']], 'This must be a decimal from'],
  [
    [
      ['From', '5'],
      ['To', '4'],
    ],
    'not below min',
  ],
  [
    [
      ['Test', 'max_items'],
      ['Elements', 'three'],
    ],
    'This must be a whole number from 0 to 1000',
  ],
  [
    [
      ['Test', 'present'],
      ['Without the value', 'true'],
    ],
    'This must be true or false',
  ],
  [
    [
      ['Without the value', ''],
      ['For the actions', 'mail.*, **'],
    ],
    'This must be an action such as',
  ],
];

describe.runIf(hasChromium)('the limits of a passport', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });

  test('conditions are refused in their row, shown as sentences, and explain a denial', async () => {
    const { agent_id } = await stage.api<{ agent_id: string }>('POST', '/passports', PASSPORT);
    const path = `/passports/${encodeURIComponent(agent_id)}`;
    const { page, problems } = await stage.open();
    await signIn(page, `/#${path}/edit`);
    const row = (place: number) => page.getByRole('group', { name: `Condition ${place}`, exact: true });
    const save = () => page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'What this changes' });
    const add = page.getByRole('button', { name: 'Add a condition' });
    await add.click();
    await row(1).getByLabel('Value at').fill('/to');
    await row(1).getByLabel('Test').selectOption('email_in');
    await row(1).getByLabel('Entries').fill('ann@example.com\n');
    await add.click();
    for (const [fields, message] of WRONG_ROWS) {
      for (const [label, value] of fields) {
        const input = row(2).getByLabel(label);
        await (label === 'Test' || label === 'Without the value'
          ? input.selectOption(value)
          : input.fill(value));
      }
      await save();
      await dialog.getByRole('button', { name: 'Save the change' }).click();
      await row(2).getByText(message).waitFor();
      expect(await row(1).locator('.error').count()).toBe(0);
    }
    await expectAccessible(page, 'wrong condition');
    await page.getByRole('button', { name: 'Remove condition 2' }).click();
    const pace = page.getByLabel('Pace');
    await pace.fill('max=0,seconds=60');
    await save();
    await dialog.getByRole('button', { name: 'Save the change' }).click();
    await page.locator('.field', { hasText: 'Pace' }).getByText('a whole number from 1 to 10,000').waitFor();
    await pace.fill('max=9,seconds=60');
    const rule = { name: 'once', actions: ['payments.refund'], forbids: { actions: ['payments.refund'] } };
    const order = page.getByLabel('Order');
    await order.fill(JSON.stringify(rule));
    await save();
    await dialog.getByRole('button', { name: 'Save the change' }).click();
    await page.locator('.field', { hasText: 'Order' }).getByText('a whole number from 1 to 86,400').waitFor();
    await order.fill(JSON.stringify({ ...rule, forbids: { ...rule.forbids, seconds: 60 } }));
    await save();
    await dialog.getByText('Narrower: less is allowed, and nothing more.').waitFor();
    await dialog.getByRole('button', { name: 'Save the change' }).click();
    await page.getByRole('heading', { name: 'mailer' }).waitFor();
    await page.getByText('every action: /to is an address of "ann@example.com"').first().waitFor();
    await page.getByText('max=9,seconds=60').first().waitFor();
    await page.getByText('once: payments.refund not within 60 s after payments.refund').first().waitFor();
    await expectAccessible(page, 'conditions');
    expect(await stage.api<object>('GET', path)).toMatchObject({
      conditions: [{ at: '/to', email_in: ['ann@example.com'] }],
      pace: [{ name: 'pace', max: 9, seconds: 60 }],
    });
    await page.locator('#main').getByRole('link', { name: 'Try it' }).click();
    await page.getByLabel('Action', { exact: true }).fill('payments.create');
    await page.getByRole('button', { name: 'Ask for a verdict' }).click();
    await page.getByText('A condition or an order asks for /to, and the intent has none.').waitFor();
    expect(problems).toEqual([]);
  });

  test('a denial shows the condition of its version, after the passport has changed', async () => {
    const named = { ...PASSPORT, agent_name: 'sender', allowed_actions: ['email.send'] };
    const conditions = [{ at: '/to', email_in: ['@example.com'] }];
    const { agent_id } = await stage.api<{ agent_id: string }>('POST', '/passports', {
      ...named,
      conditions,
    });
    const { agent_id: child } = await stage.api<{ agent_id: string }>('POST', '/passports', {
      ...named,
      agent_name: 'sender-child',
      parent_agent_id: agent_id,
    });
    const { key } = await stage.api<{ key: string }>('POST', '/keys', { name: 'mail', scopes: ['verify'] });
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    async function ask(id: string): Promise<void> {
      const intent = { agent_id: id, action: 'email.send', parameters: { to: 'eve@evil.example' } };
      const body = JSON.stringify(intent);
      await fetch(`${stage.server.origin}/api/verify`, { method: 'POST', headers, body });
    }
    await ask(agent_id);
    await ask(child);
    await stage.api('PATCH', `/passports/${encodeURIComponent(agent_id)}`, { conditions: null });
    const { page, problems } = await stage.open();
    await signIn(page, '/#/verdicts');
    for (const id of [agent_id, child]) {
      await page.goto(`/#/verdicts?agent_id=${encodeURIComponent(id)}`);
      await page
        .getByRole('row', { name: id.split(':').at(-1) ?? '' })
        .getByRole('button')
        .first()
        .click();
      const dialog = page.getByRole('dialog', { name: 'Verdict' });
      const sentence = 'version 1: every action: /to is an address of "@example.com"';
      await dialog.getByText(id === child ? `${agent_id}, ${sentence}` : sentence).waitFor();
      expect(await dialog.textContent()).not.toContain('eve@evil.example');
      await expectAccessible(page, 'denial');
      await dialog.getByRole('button', { name: 'Close' }).click();
    }
    expect(problems).toEqual([]);
  });
});
