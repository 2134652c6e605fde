import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectAccessible,
  hasChromium,
  openStage,
  PASSWORD,
  type Stage,
  signIn,
  type Watched,
} from './browser.ts';

const NEXT = 'another long password, please';
const THEMES = ['light', 'dark'] as const;
/** A signed in page of each theme, for all tests. */
const themed = new Map<string, Watched>();

/** The tests build on each other: an empty account, its first verdicts, its numbers, its password. */
describe.runIf(hasChromium)('overview, analytics and settings', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    for (const colorScheme of THEMES) {
      const watched = await stage.open({ colorScheme });
      await signIn(watched.page);
      themed.set(colorScheme, watched);
    }
  });

  test('an empty account gets from nothing to ALLOW and DENY without leaving the page', async () => {
    const { page, problems } = await stage.open();
    await signIn(page);
    await page.getByText('Three steps to the first verdict.').waitFor();
    await expect.poll(() => page.title()).toBe('Overview · Agent Identity');
    await expectBothThemes('/#/overview', 'Issue a passport');
    await expectBothThemes('/#/analytics', 'No verdicts in the last 24 hours.');
    expect(await page.getByRole('button', { name: 'Ask both' }).isEnabled()).toBe(false);
    await page.getByRole('button', { name: 'Issue a passport' }).click();
    await page.getByLabel('Domain').fill('not a domain');
    await page.getByRole('button', { name: 'Issue passport' }).click();
    await page.locator('.field .error').waitFor();
    await page.getByLabel('Domain').fill('shop.example');
    await page.keyboard.press('Enter');
    await page.getByText('did:web:shop.example:agents:shopper').waitFor();
    await page.getByRole('button', { name: 'Ask both' }).click();
    await page.getByRole('status').getByText('DENY').waitFor();
    expect(await records(stage)).toBe(0);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('first');
    await page.keyboard.press('Enter');
    await page.getByLabel('I have saved it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Ask both' }).click();
    await page.getByRole('button', { name: 'Show the overview' }).waitFor();
    expect(await page.locator('.answers .verdict').allTextContents()).toEqual(['ALLOW', 'DENY']);
    await expect.poll(() => records(stage)).toBe(2);
    await page.getByRole('button', { name: 'Show the overview' }).click();
    const denials = page.getByRole('region', { name: 'Newest denials' });
    await denials.getByText('amount_over_limit').waitFor();
    const today = page.getByRole('list', { name: 'Live verdicts today' });
    expect(await today.locator('strong').allTextContents()).toEqual(['1', '1']);
    expect(await page.getByRole('list', { name: 'Agents by status' }).innerText()).toMatch(/active\s+1\s/);
    await expectBothThemes('/#/overview', 'Newest denials');
    expect(problems).toEqual([]);
  });

  test('analytics: the bars and the table say what the API says, and the address keeps the choice', async () => {
    await ask(stage, 20);
    const { page, problems } = await stage.open();
    await signIn(page, '/#/analytics');
    const verdicts = page.getByRole('list', { name: 'Verdicts' });
    await verdicts.waitFor();
    expect(await verdicts.locator('strong').allTextContents()).toEqual(['11', '11']);
    await page.getByRole('img', { name: /11 ALLOW and 11 DENY/ }).waitFor();
    expect(await page.locator('.chart rect.slot').count()).toBe(24);
    await page.getByLabel('Time', { exact: true }).selectOption('Last 30 days');
    await expect.poll(() => page.locator('.chart rect.slot').count()).toBe(30);
    await page.getByRole('button', { name: 'Show as a table' }).focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: 'ALLOW and DENY, last 30 days' });
    expect(await table.locator('tbody tr').last().locator('.number').allTextContents()).toEqual(['11', '11']);
    await page.getByRole('link', { name: 'shopper at shop.example' }).click();
    await page.getByRole('button', { name: 'Show every agent' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Show every agent' }).waitFor();
    expect(await page.getByLabel('Time', { exact: true }).inputValue()).toBe('30d');
    await page.getByLabel('Environment').selectOption('Test');
    await page.getByText('No verdicts in the last 30 days.').waitFor();
    for (const range of ['1h', '7d']) {
      await expectBothThemes(`/#/analytics?range=${range}`, 'Time to decide');
    }
    expect(problems).toEqual([]);
  });

  test('what is missing from the numbers is said, and a failure has a way out', async () => {
    const { page } = await stage.open();
    await page.route('**/api/analytics?*', async (route) => {
      const answer = await route.fetch();
      const body = {
        ...(await answer.json()),
        journal_dropped: 1234,
        complete_since: '2999-01-01T00:00:00.000Z',
      };
      await route.fulfill({ response: answer, json: body });
    });
    await signIn(page, '/#/analytics');
    await page.getByText('1,234 verdicts').waitFor();
    await page.locator('time[datetime="2999-01-01T00:00:00.000Z"]').waitFor();
    await expectAccessible(page, 'with records missing');
    await page.goto('/#/overview');
    await page.getByText('1,234 verdicts').waitFor();
    await page.unroute('**/api/analytics?*');
    await page.route('**/api/analytics?*', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto('/#/analytics');
    await page.getByText('The service answered 500.').waitFor();
    await page.unroute('**/api/analytics?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('list', { name: 'Verdicts' }).waitFor();
    expect(await page.locator('.note').count()).toBe(0);
  });

  test('a dry run is no denial of the overview, and the list of verdicts shows it alone or not at all', async () => {
    const { key } = await stage.api<{ key: string }>('POST', '/keys', { name: 'tries' });
    await askFor(stage, key, { action: 'orders.try', dry_run: true });
    await expect.poll(() => records(stage)).toBe(23);
    const { page, problems } = await stage.open();
    await signIn(page);
    const denials = page.getByRole('region', { name: 'Newest denials' });
    await denials.getByText('amount_over_limit').first().waitFor();
    expect(await denials.getByText('orders.try').count()).toBe(0);
    await page.goto('/#/verdicts');
    const rows = page.getByRole('table', { name: 'Verdicts' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(23);
    await page.getByLabel('Dry runs').selectOption('Only');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.innerText()).toMatch(/orders\.try[\s\S]*dry run/);
    await page.getByLabel('Dry runs').selectOption('None');
    await expect.poll(() => rows.count()).toBe(22);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(22);
    expect(await page.getByLabel('Dry runs').inputValue()).toBe('false');
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByText('New verdicts appear').waitFor();
    await askFor(stage, key, { action: 'orders.try', dry_run: true });
    await askFor(stage, key, { action: 'orders.mean' });
    await page.getByText('orders.mean').waitFor();
    expect(await page.getByText('orders.try').count()).toBe(0);
    await expectBothThemes('/#/verdicts?dry_run=false', 'orders.mean');
    expect(problems).toEqual([]);
  });

  test('a password is changed: this tab goes on, the others sign in again', async () => {
    const { page, problems } = await stage.open();
    const other = await stage.open();
    await signIn(other.page, '/#/keys');
    await expectBothThemes('/#/settings', 'Change password');
    await signIn(page, '/#/settings');
    await page.getByLabel('Present password').fill('wrong');
    await page.getByLabel('New password').fill(NEXT);
    await page.keyboard.press('Enter');
    await page.getByText('This is not the present password.').waitFor();
    await page.getByLabel('Present password').fill(PASSWORD);
    await page.getByLabel('New password').fill('short');
    await page.keyboard.press('Enter');
    await page.locator('.field', { hasText: 'New password' }).locator('.error').waitFor();
    await page.getByLabel('New password').fill(NEXT);
    await page.keyboard.press('Enter');
    await page.getByText('The password is changed.').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    expect(await page.content()).not.toContain(NEXT);
    await page.getByRole('link', { name: 'API Keys' }).click();
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    await page.getByText('of 20 active keys').waitFor();
    await other.page.reload();
    const again = other.page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill(NEXT);
    await other.page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await other.page.reload();
    await other.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
  });
});

/** No finding of axe in either theme at either width; with `SHOTS`, a folder, there are pictures to look at. */
async function expectBothThemes(address: string, shows: string): Promise<void> {
  for (const [colorScheme, { page, problems }] of themed) {
    await page.goto(address);
    await page.reload();
    await page.getByText(shows).first().waitFor();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const where = `${address} ${colorScheme} ${width}`;
      await expectAccessible(page, where);
      const path = `${process.env['SHOTS']}/${`${where} ${shows}`.replaceAll(/\W+/g, '-')}.png`;
      if (process.env['SHOTS'] !== undefined) await page.screenshot({ path, fullPage: true });
    }
    expect(problems, address).toEqual([]);
  }
}

async function records(stage: Stage): Promise<number> {
  return (await stage.api<{ data: unknown[] }>('GET', '/verifications')).data.length;
}

/** Asks this often, every second time for too much, and waits for the records. */
async function ask(stage: Stage, times: number): Promise<void> {
  const { key } = await stage.api<{ key: string }>('POST', '/keys', { name: 'asks' });
  const before = await records(stage);
  for (let turn = 0; turn < times; turn++) {
    const parameters = { amount: turn % 2 === 0 ? 1 : 1000, currency: 'EUR' };
    await askFor(stage, key, { action: 'payments.create', parameters });
  }
  await expect.poll(() => records(stage)).toBe(Math.min(before + times, 100));
}

/** Asks for the agent of the first steps. */
async function askFor({ server }: Stage, key: string, intent: object): Promise<void> {
  const answer = await fetch(`${server.origin}/api/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ agent_id: 'did:web:shop.example:agents:shopper', ...intent }),
  });
  expect(answer.status).toBe(200);
}
