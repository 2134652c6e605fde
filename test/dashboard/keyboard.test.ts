/** Every flow without a mouse: Tab, Enter, Space, Escape and what is typed. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { EMAIL, hasChromium, openStage, PASSWORD, pressOn, type Stage, tabTo } from './browser.ts';

const AGENT = 'did:web:shop.example:agents:typed';
const PATH = `/passports/${encodeURIComponent(AGENT)}`;

describe.runIf(hasChromium)('by keyboard alone', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    await stage.api('POST', '/passports', {
      domain: 'shop.example',
      agent_name: 'typed',
      allowed_actions: ['payments.create'],
      monetary_limit_per_txn: 100,
      currency: 'EUR',
    });
  });

  test('signing in, past the navigation, and out again', async () => {
    const { page, problems } = await open(stage, '/');
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await pressOn(page, page.getByRole('button', { name: 'Sign out' }));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('a passport is suspended until an instant, reinstated, and revoked', async () => {
    const { page, problems } = await open(stage, '/#/passports');
    await pressOn(page, page.getByRole('link', { name: 'typed' }));
    await page.getByRole('heading', { name: 'typed' }).waitFor();
    expect(await focused(page)).toBe('typed');
    await pressOn(page, page.getByRole('button', { name: 'Suspend' }));
    expect(await focused(page)).toMatch(/^Until/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Suspend');
    await page.keyboard.press('Enter');
    await page.keyboard.type('01022099');
    await page.keyboard.press('Tab');
    await page.keyboard.type('0304AM');
    await tabTo(page, page.getByLabel('Reason'));
    await page.keyboard.type('a pause');
    await page.keyboard.press('Enter');
    await page.getByText('The passport is suspended.').waitFor();
    const local = new Date('2099-01-02T03:04').toISOString();
    expect(await passport(stage)).toMatchObject({ status: 'suspended', suspended_until: local });
    expect(await focused(page)).not.toBe('');
    await pressOn(page, page.getByRole('button', { name: 'Reinstate' }));
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Reinstate' }));
    await page.getByText('The passport is active again.').waitFor();
    await pressOn(page, page.getByRole('button', { name: 'Revoke' }));
    await page.keyboard.type('type');
    await page.keyboard.press('Enter');
    expect(await passport(stage)).toMatchObject({ status: 'active' });
    await page.keyboard.type('d');
    await page.keyboard.press('Enter');
    await page.getByText('The passport is revoked.').waitFor();
    expect(await passport(stage)).toMatchObject({ status: 'revoked' });
    expect(problems).toEqual([]);
  });

  test('a key is created, rotated, changed and revoked', async () => {
    const { page, problems } = await open(stage, '/#/keys');
    await pressOn(page, page.getByRole('button', { name: 'Create key' }));
    await page.keyboard.type('typed key');
    await tabTo(page, page.getByLabel('Environment'));
    await page.keyboard.press('t');
    await tabTo(page, page.getByRole('checkbox', { name: /^events/ }));
    await page.keyboard.press('Space');
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Create key' }));
    await saveSecret(page);
    await pressOn(page, page.getByRole('link', { name: 'typed key' }));
    await page.getByRole('heading', { name: 'typed key' }).waitFor();
    await pressOn(page, page.getByRole('button', { name: 'Rotate' }));
    await tabTo(page, page.getByLabel('The old key ends'));
    await page.keyboard.press('n');
    await pressOn(page, page.getByRole('button', { name: 'Rotate key' }));
    await saveSecret(page);
    await page.getByText('test', { exact: true }).waitFor();
    await pressOn(page, page.getByRole('button', { name: 'Change' }));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('typed again');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'typed again' }).waitFor();
    await pressOn(page, page.getByRole('button', { name: 'Revoke' }));
    await pressOn(page, page.getByRole('button', { name: 'Revoke key' }));
    await page.getByText('The key is revoked.').waitFor();
    const { data } = await stage.api<{ data: readonly object[] }>('GET', '/keys');
    expect(data).toMatchObject([
      { name: 'typed again', status: 'revoked', environment: 'test', scopes: ['verify', 'events'] },
      { name: 'typed key', status: 'revoked' },
    ]);
    expect(problems).toEqual([]);
  });

  test('verdicts are followed, filtered, opened, asked again and downloaded', async () => {
    const { key } = await stage.api<{ key: string }>('POST', '/keys', { name: 'asks' });
    const { page, problems } = await open(stage, '/#/verdicts');
    await pressOn(page, page.getByRole('button', { name: 'Live' }));
    await page.getByText('New verdicts appear').waitFor();
    for (const action of ['cats.feed', 'dogs.feed']) {
      const answer = await fetch(`${stage.server.origin}/api/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ agent_id: AGENT, action }),
      });
      expect(answer.status).toBe(200);
    }
    await pressOn(page, page.getByRole('button', { name: 'cats.feed' }));
    const dialog = page.getByRole('dialog', { name: 'Verdict' });
    await dialog.getByText('action_not_allowed', { exact: true }).waitFor();
    expect(page.url()).toContain('record=dec_');
    await pressOn(page, dialog.getByRole('button', { name: 'Ask again' }));
    await dialog.getByText('By today’s passport.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).not.toContain('record');
    expect(await focused(page)).toBe('cats.feed');
    await tabToFromTop(page, page.getByLabel('Reason', { exact: true }));
    await page.keyboard.type('agent_revoked');
    await expect.poll(() => page.url()).toContain('reason=agent_revoked');
    await page.getByRole('button', { name: 'dogs.feed' }).waitFor();
    await tabToFromTop(page, page.getByLabel('Verdict', { exact: true }));
    await page.keyboard.press('a');
    await page.getByText('No verdict matches.').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'dogs.feed' }).waitFor();
    await page.getByText('New verdicts appear').waitFor();
    const download = page.waitForEvent('download');
    await pressOn(page, page.getByRole('button', { name: 'Download CSV' }));
    const chunks: string[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(String(chunk));
    const lines = chunks.join('').trim().split(/\r?\n/);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('decision_id');
    expect(problems).toEqual([]);
  });

  test('an intent is tried, a chart is read as a table, and the password is changed', async () => {
    const { page, problems } = await open(stage, '/#/try');
    await tabTo(page, page.getByLabel('Passport'));
    await page.keyboard.type(AGENT);
    await page.keyboard.press('Tab');
    await page.keyboard.type('payments.create');
    await page.keyboard.press('Enter');
    await page.getByText('agent_revoked', { exact: true }).waitFor();
    await pressOn(page, page.getByRole('link', { name: 'Analytics' }));
    await pressOn(page, page.getByRole('button', { name: 'Show as a table' }));
    await page.getByRole('table', { name: /^ALLOW and DENY/ }).waitFor();
    await pressOn(page, page.getByRole('link', { name: 'Settings' }));
    await tabTo(page, page.getByLabel('Present password'));
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Tab');
    await page.keyboard.type('a password that is new');
    await page.keyboard.press('Enter');
    await page.getByText('The password is changed.').waitFor();
    await pressOn(page, page.getByRole('button', { name: 'Sign out everywhere' }));
    await pressOn(page, page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(problems).toEqual([]);
  });
});

describe.runIf(hasChromium)('by keyboard alone, on an empty account', () => {
  test('the first ALLOW and DENY', async () => {
    const stage = await openStage();
    const { page, problems } = await open(stage, '/');
    await pressOn(page, page.getByRole('button', { name: 'Issue a passport' }));
    await page.keyboard.type('shop.example');
    await page.keyboard.press('Enter');
    await page.getByText('did:web:shop.example:agents:shopper').waitFor();
    await pressOn(page, page.getByRole('button', { name: 'Create key' }));
    await page.keyboard.type('first');
    await page.keyboard.press('Enter');
    await saveSecret(page);
    await pressOn(page, page.getByRole('button', { name: 'Ask both' }));
    await pressOn(page, page.getByRole('button', { name: 'Show the overview' }));
    await page.getByRole('region', { name: 'Newest denials' }).waitFor();
    expect(problems).toEqual([]);
  });
});

async function open(stage: Stage, address: string): ReturnType<Stage['open']> {
  const watched = await stage.open();
  const { page } = watched;
  await page.goto(address);
  await page.getByLabel('E-mail').waitFor();
  await page.keyboard.type(EMAIL);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation').waitFor();
  return watched;
}

/** In the dialog that only its own button closes. */
async function saveSecret(page: Page): Promise<void> {
  await page.getByTestId('secret').waitFor();
  await tabTo(page, page.getByLabel('I have saved it'));
  await page.keyboard.press('Space');
  await pressOn(page, page.getByRole('button', { name: 'Done' }));
  await page.getByTestId('secret').waitFor({ state: 'detached' });
}

/** What is before the focus is reached from the top of the page. */
async function tabToFromTop(page: Page, target: Locator): Promise<void> {
  await page.getByRole('heading', { level: 1 }).focus();
  await tabTo(page, target);
}

/** The name of what has the focus; empty where nothing has. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return '';
    const label = (element as HTMLInputElement).labels?.[0];
    return (label ?? element).textContent?.trim() ?? '';
  });
}

function passport(stage: Stage): Promise<object> {
  return stage.api('GET', PATH);
}
