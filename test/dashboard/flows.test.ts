import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { PASSPORT_TEMPLATES } from '../../adapters/dashboard/app/text/passport-templates.ts';
import { expectAccessible, hasChromium, openStage, type Stage, signIn } from './browser.ts';

const PASSPORT = {
  domain: 'shop.example',
  allowed_actions: ['payments.create'],
  monetary_actions: ['payments.create'],
  monetary_limit_per_txn: 100,
  currency: 'EUR',
};

describe.runIf(hasChromium)('passports and verdicts', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });

  test('a passport is issued by keyboard, with what is wrong at its field', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/passports/new');
    await page.getByLabel('Domain').focus();
    await page.keyboard.type('Shop.example');
    await page.getByText('A host name in lower case').waitFor();
    await page.getByLabel('Domain').fill('shop.example');
    await page.keyboard.press('Tab');
    await page.keyboard.type('typist');
    await page.getByText('did:web:shop.example:agents:typist').waitFor();
    await page.keyboard.press('Tab');
    // Past the parent, which it does without.
    await page.keyboard.press('Tab');
    await page.keyboard.type('payments.create');
    await page.keyboard.press('Tab');
    await page.keyboard.type('19.999');
    await page.keyboard.press('Tab');
    await page.keyboard.type('EUR');
    await page.keyboard.press('Enter');
    const limit = page.locator('.field', { hasText: 'Limit per transaction' });
    await limit.locator('.error').waitFor();
    await page.getByText('Correct what is marked, then try again.', { exact: true }).waitFor();
    // Where the first of it is.
    await expect.poll(() => focused(page)).toBe('Limit per transaction');
    await page.getByLabel('Limit per transaction').fill('19.99');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'typist' }).waitFor();
    const made = await stage.api<object>('GET', '/passports/did%3Aweb%3Ashop.example%3Aagents%3Atypist');
    expect(made).toMatchObject({ monetary_limit_per_txn: 19.99, allowed_actions: ['payments.create'] });
    expect(problems).toEqual([]);
  });

  test('it is edited, tried unsaved, suspended until, reinstated, and revoked by typing its name', async () => {
    const { agent_id } = await issue(stage, 'life');
    const { page, problems } = await stage.open();
    await signIn(page, `/#/passports/${encodeURIComponent(agent_id)}/edit`);
    await page.getByLabel('Limit per transaction').fill('10');
    await page.getByLabel('Action', { exact: true }).fill('payments.create');
    await page.getByRole('textbox', { name: /^Amount/ }).fill('50');
    await page
      .getByRole('textbox', { name: /^Currency/ })
      .last()
      .fill('EUR');
    await page.getByRole('button', { name: 'Ask for a verdict' }).click();
    await page.getByText('amount_over_limit').waitFor();
    expect(await state(stage, agent_id)).toMatchObject({ version: 1, monetary_limit_per_txn: 100 });
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'What this changes' });
    await dialog.getByText('Narrower: less is allowed, and nothing more.').waitFor();
    await dialog.getByText('No longer allows payments.create of 10.01 EUR').waitFor();
    await dialog.getByText('Of 0 verdicts this change alone denies 0 and allows 0.').waitFor();
    await page.keyboard.press('Escape');
    await page.route('**/replay', (route) => route.abort());
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The service does not answer.').first().waitFor();
    await dialog.getByRole('button', { name: 'Save the change' }).click();
    await page.getByRole('heading', { name: 'life' }).waitFor();
    await page.locator('del', { hasText: '100' }).waitFor();
    await page.locator('ins', { hasText: '10' }).waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByLabel('Until').fill('2099-01-02T03:04');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('The passport is suspended.').waitFor();
    expect(await state(stage, agent_id)).toMatchObject({ status: 'suspended' });
    await page.getByRole('button', { name: 'Reinstate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reinstate' }).click();
    await page.getByText('The passport is active again.').waitFor();
    await page.getByRole('button', { name: 'Revoke' }).click();
    const confirm = page.getByRole('button', { name: 'Revoke passport' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type life to confirm').fill('life');
    await confirm.click();
    await page.getByText('The passport is revoked.').waitFor();
    expect(await state(stage, agent_id)).toMatchObject({ status: 'revoked' });
    expect(problems).toEqual([]);
  });

  test('a template fills in the limits, and the passport holds them', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/passports/new');
    await page.getByLabel('Agent name').fill('helpful');
    await page.getByLabel('Begin with the limits of').selectOption('Support agent');
    await page.getByText('It reads tickets, and sends e-mail only to addresses of two domains.').waitFor();
    expect(await page.getByLabel('Agent name').inputValue()).toBe('helpful');
    await page.getByLabel('Domain').fill('shop.example');
    await expectAccessible(page, 'template');
    await page.getByRole('button', { name: 'Issue passport' }).click();
    await page.getByRole('heading', { name: 'helpful' }).waitFor();
    const made = await stage.api<object>('GET', '/passports/did%3Aweb%3Ashop.example%3Aagents%3Ahelpful');
    const support = PASSPORT_TEMPLATES.find(({ job }) => job === 'Support agent');
    expect(made).toMatchObject(support?.fields ?? {});
    expect(problems).toEqual([]);
  });

  test('what was typed is compared before it is saved; unused entries are removed from the form, by keyboard', async () => {
    const { agent_id } = await issue(stage, 'lean');
    const path = `/passports/${encodeURIComponent(agent_id)}`;
    const targets = ['did:web:a.example', 'did:web:b.example'];
    const allowed_actions = ['payments.create', 'orders.get'];
    await stage.api('PATCH', path, { allowed_actions, allowed_targets: targets });
    const { page, problems } = await stage.open();
    await signIn(page, `/#${path}/edit`);
    const remove = (entry: string) => page.getByRole('button', { name: `Remove ${entry} from` });
    await page.getByRole('button', { name: 'Find unused entries' }).click();
    await remove('orders.get').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Narrower: less is allowed, and nothing more.').waitFor();
    expect(await remove('orders.get').isDisabled()).toBe(true);
    expect(await page.getByLabel('Allowed actions').first().inputValue()).toBe('payments.create');
    await remove('did:web:a.example').click();
    // Without any targets every target would be allowed.
    expect(await remove('did:web:b.example').isDisabled()).toBe(true);
    await page.getByLabel('Limit per transaction').fill('200');
    await page.getByText('Crossing: more is allowed in one place, less in another.').waitFor();
    await expectAccessible(page, 'edit');
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'What this changes' });
    await dialog.getByText('Of 0 verdicts this change alone denies 0 and allows 0.').waitFor();
    await expectAccessible(page, 'dialog');
    for (const name of ['Back', 'Save the change']) {
      for (let tabs = 0; tabs < 10 && (await focusedText(page)) !== name; tabs += 1)
        await page.keyboard.press('Tab');
      expect(await focusedText(page)).toBe(name);
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'lean' }).waitFor();
    expect(await state(stage, agent_id)).toMatchObject({
      allowed_actions: ['payments.create'],
      allowed_targets: ['did:web:b.example'],
      monetary_limit_per_txn: 200,
    });
    expect(problems).toEqual([]);
  });

  test('the versions of a passport differ also in what has parts: budgets and public keys', async () => {
    const { agent_id } = await issue(stage, 'parts');
    const path = `/passports/${encodeURIComponent(agent_id)}`;
    const { publicKey } = generateKeyPairSync('ed25519');
    await stage.api('PATCH', path, { budgets: [{ window: 'day', limit: 500 }] });
    await stage.api('PATCH', path, {
      budgets: [
        { window: 'day', limit: 600 },
        { window: 'hour', count: 5 },
      ],
    });
    await stage.api('PATCH', path, { public_keys: [publicKey.export({ format: 'jwk' })] });
    const { page } = await stage.open();
    await signIn(page, `/#${path}`);
    await page.locator('del', { hasText: /^window=day,limit=500$/ }).waitFor();
    await page.locator('ins', { hasText: /^window=day,limit=600$/ }).waitFor();
    await page.locator('ins', { hasText: /^window=hour,count=5$/ }).waitFor();
    await page.locator('ins', { hasText: /\(EdDSA\)$/ }).waitFor();
  });

  test('issues a child agent from the page of its parent, and shows its terms in effect', async () => {
    const { agent_id } = await issue(stage, 'boss');
    const { page, problems } = await stage.open();
    await signIn(page, `/#/passports/${encodeURIComponent(agent_id)}`);
    await page.getByText('This agent has no child agents.').waitFor();
    await page.getByRole('link', { name: 'Issue a child agent' }).click();
    expect(await page.getByLabel('Child of the agent').inputValue()).toBe(agent_id);
    await page.getByLabel('Domain').fill('shop.example');
    await page.getByLabel('Agent name').fill('hand');
    await page.getByLabel('Allowed actions').fill('*');
    await page.getByLabel('Limit per transaction').fill('900');
    await page.getByRole('button', { name: 'Issue passport' }).click();
    await page.getByRole('heading', { name: 'In effect' }).waitFor();
    const effective = page.locator('section', { hasText: 'In effect' });
    await effective.getByText('payments.create').first().waitFor();
    await effective.getByText('100.00').waitFor();
    await page.getByRole('link', { name: agent_id }).first().click();
    await page.getByRole('heading', { name: 'boss' }).waitFor();
    await page.getByRole('link', { name: 'did:web:shop.example:agents:hand' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('verdicts come live, are filtered and downloaded, and asked again', async () => {
    const { agent_id } = await issue(stage, 'live');
    const { key } = await stage.api<{ key: string }>('POST', '/keys', { name: 'live' });
    const { page, problems } = await stage.open({ acceptDownloads: true });
    await signIn(page, `/#/verdicts?agent_id=${encodeURIComponent(agent_id)}`);
    await page.getByText('No verdict matches.').waitFor();
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByText('New verdicts appear').waitFor();
    const body = { agent_id, action: 'payments.create', parameters: { amount: 500, currency: 'EUR' } };
    await fetch(`${stage.server.origin}/api/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    });
    await page.getByRole('button', { name: 'payments.create' }).click();
    await stage.api('PATCH', `/passports/${encodeURIComponent(agent_id)}`, { monetary_limit_per_txn: 900 });
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('Nothing objects.').waitFor();
    await page.keyboard.press('Escape');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toBe('verdicts.csv');
    await page.getByLabel('Verdict', { exact: true }).selectOption('ALLOW');
    await page.getByText('No verdict matches.').waitFor();
    expect(problems).toEqual([]);
  });
});

function issue(stage: Stage, agent_name: string): Promise<{ agent_id: string }> {
  return stage.api('POST', '/passports', { ...PASSPORT, agent_name });
}

/** The label of the field that has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(
    () => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent ?? '',
  );
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}

function state(stage: Stage, agentId: string): Promise<object> {
  return stage.api('GET', `/passports/${encodeURIComponent(agentId)}`);
}
