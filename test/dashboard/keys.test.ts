import { beforeAll, describe, expect, test } from 'vitest';
import { EMAIL, hasChromium, openStage, PASSWORD, type Stage, signIn } from './browser.ts';

describe.runIf(hasChromium)('signing in and API keys', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });

  test('a wrong password says so; a deep link is there after signing in and after a reload', async () => {
    const { page, problems } = await stage.open();
    await page.goto('/#/keys');
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The e-mail or the password is wrong.').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    await expect.poll(() => page.title()).toBe('API Keys · Agent Identity');
    await page.reload();
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('a service that is down says so, and the form stays', async () => {
    const { page } = await stage.open();
    await page.goto('/');
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.route('**/api/auth/login', (route) => route.abort());
    await page.getByLabel('Password').press('Enter');
    await page.getByText('The service does not answer.').waitFor();
    await page.unroute('**/api/auth/login');
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('navigation').waitFor();
  });

  test('a session that ends in a form keeps what was typed', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('kept');
    await stage.api('POST', '/auth/logout', { everywhere: true }).finally(stage.forget);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('kept');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByTestId('secret').waitFor();
    expect(problems).toEqual([]);
  });

  test('by keyboard alone: create, the secret cannot be closed by accident, the count', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/keys');
    const before = await activeKeys(stage);
    await page.getByText(`${before} of 20 active keys`).waitFor();
    await page.getByRole('button', { name: 'Create key' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('by keyboard');
    await page.keyboard.press('Enter');
    const secret = await page.getByTestId('secret').textContent();
    expect(secret).toMatch(/^ais_live_/);
    for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
    await page.mouse.click(5, 5);
    expect(await page.getByTestId('secret').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Done' }).isEnabled()).toBe(false);
    await page.getByLabel('I have saved it').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByTestId('secret').waitFor({ state: 'detached' });
    await page.getByText(`${before + 1} of 20 active keys`).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(problems).toEqual([]);
  });

  test('a key of some agents with an end: its secret is copied, which is enough to close the dialog', async () => {
    const { page, problems } = await stage.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await signIn(page, '/#/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('of some');
    await dialog.getByLabel('Only these agents').fill('twice\ntwice');
    await dialog.getByLabel('Expires').fill('2020-01-02T03:04');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.locator('.field', { hasText: 'Only these agents' }).locator('.error').waitFor();
    await dialog.locator('.field', { hasText: 'Expires' }).locator('.error').waitFor();
    const agents = ['did:web:shop.example:agents:one', 'did:web:shop.example:agents:two'];
    await dialog.getByLabel('Only these agents').fill(agents.join('\n'));
    await dialog.getByLabel('Expires').fill('2099-01-02T03:04');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    await dialog.getByText('Copied').waitFor();
    const secret = await page.getByTestId('secret').textContent();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'of some' }).click();
    await page.getByRole('heading', { name: 'of some' }).waitFor();
    const [made] = (await stage.api<{ data: readonly object[] }>('GET', '/keys?limit=1')).data;
    const expires_at = new Date('2099-01-02T03:04').toISOString();
    expect(made).toMatchObject({ name: 'of some', agent_ids: agents, expires_at });
    expect(problems).toEqual([]);
  });

  test('a management key: its kind decides the scopes, bounds and the end that are asked for', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Only these domains').count()).toBe(0);
    await dialog.getByLabel('Kind').selectOption('management');
    await dialog.getByLabel('Name').fill('pipeline');
    expect(await dialog.getByLabel('Environment').count()).toBe(0);
    expect(await dialog.getByRole('checkbox', { name: /^verify/ }).count()).toBe(0);
    expect(await dialog.getByRole('checkbox', { name: /^passports:propose/ }).isChecked()).toBe(true);
    await dialog.getByRole('checkbox', { name: /^audit:read/ }).check();
    await dialog.getByLabel('Only these domains').fill('shop.example');
    expect(await dialog.getByRole('checkbox', { name: /^audit:read/ }).isDisabled()).toBe(true);
    expect(await dialog.getByLabel('Expires').inputValue()).toMatch(/^\d{4}-/);
    await dialog.getByLabel('Expires').fill('2099-01-02T03:04');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.locator('.field', { hasText: 'Expires' }).locator('.error').waitFor();
    await dialog.getByLabel('Expires').fill(new Date(Date.now() + 86_400_000).toISOString().slice(0, 16));
    await dialog.getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByTestId('secret').textContent()).toMatch(/^ais_manage_/);
    await dialog.getByLabel('I have saved it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'pipeline' }).click();
    await page.getByText('management key', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    expect(await dialog.getByLabel('Only these domains').inputValue()).toBe('shop.example');
    await dialog.getByRole('checkbox', { name: /^approvals:read/ }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The key is changed.').waitFor();
    const [made] = (await stage.api<{ data: readonly object[] }>('GET', '/keys?limit=1')).data;
    const scopes = ['passports:propose', 'approvals:read'];
    expect(made).toMatchObject({ name: 'pipeline', domains: ['shop.example'], agent_ids: null, scopes });
    expect(problems).toEqual([]);
  });

  test('a key is changed, rotated with a grace, and revoked', async () => {
    const { id } = await stage.api<{ id: string }>('POST', '/keys', { name: 'first' });
    const { page, problems } = await stage.open();
    await signIn(page, `/#/keys/${id}`);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Name').fill('x'.repeat(101));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.field .error').waitFor();
    await page.getByLabel('Name').fill('second');
    await page.getByLabel('reinstate').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'second' }).waitFor();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('The old key ends').selectOption('In an hour');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByLabel('I have saved it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.url()).not.toContain(id);
    const old = await stage.api<{ status: string; rotated_to: string }>('GET', `/keys/${id}`);
    expect(old.status).toBe('rotating');
    expect(page.url()).toContain(old.rotated_to);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('The key is revoked.').waitFor();
    const next = await stage.api<{ status: string; scopes: string[] }>('GET', `/keys/${old.rotated_to}`);
    expect(next).toMatchObject({ status: 'revoked', scopes: ['verify', 'revoke', 'reinstate'] });
    expect(problems).toEqual([]);
  });
});

async function activeKeys(stage: Stage): Promise<number> {
  const { usage } = await stage.api<{ usage: { active_keys: number } }>('GET', '/account');
  return usage.active_keys;
}
