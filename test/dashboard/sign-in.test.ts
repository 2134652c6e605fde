import { beforeAll, describe, expect, test } from 'vitest';
import { EMAIL, hasChromium, openStage, pressOn, type Stage, signIn, tabTo } from './browser.ts';

describe.runIf(hasChromium)('where attempts are counted', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage([], {});
  });

  test('a throttled sign-in says how long, counts down, and can be tried again after that', async () => {
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const login = { email: EMAIL, password: 'wrong' };
      await stage.api('POST', '/auth/login', login).catch(() => undefined);
    }
    const { page, problems } = await stage.open();
    await page.clock.install();
    await page.goto('/');
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    const note = page.getByRole('alert');
    await note.getByText('Too many attempts.').waitFor();
    const left = async (): Promise<number> =>
      Number(/in ([\d,]+) second/.exec((await note.textContent()) ?? '')?.[1]?.replace(',', ''));
    const first = await left();
    expect(first).toBeGreaterThan(600);
    expect(first).toBeLessThanOrEqual(900);
    const button = page.getByRole('button', { name: 'Sign in' });
    expect(await button.isDisabled()).toBe(true);
    await page.clock.runFor(30_000);
    await expect.poll(left).toBeLessThanOrEqual(first - 30);
    await page.clock.runFor(900_000);
    await note.getByText('You can try again now.').waitFor();
    await expect.poll(() => button.isEnabled()).toBe(true);
    expect(problems).toEqual([]);
  });

  test('where registration is closed there is no form for it', async () => {
    const { page } = await stage.open();
    await page.goto('/#/register');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('link', { name: 'Open an account' }).count()).toBe(0);
  });
});

describe.runIf(hasChromium)('with open registration', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(['--registration', 'open']);
  });

  test('opens an account by keyboard alone and signs in; shows each error at its field', async () => {
    const { page, problems } = await stage.open();
    await page.goto('/');
    await pressOn(page, page.getByRole('link', { name: 'Open an account' }));
    await page.getByRole('heading', { name: 'Open an account' }).waitFor();
    await expect.poll(() => page.title()).toBe('Open an account · Agent Identity');
    await tabTo(page, page.getByLabel('E-mail'));
    await page.keyboard.type(EMAIL);
    await page.keyboard.press('Tab');
    await page.keyboard.type('short');
    await page.keyboard.press('Enter');
    await page.locator('.field', { hasText: 'Password' }).locator('.error').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('a password of mine 7');
    await page.keyboard.press('Enter');
    await page.getByText('An account with this e-mail already exists.').waitFor();
    await tabTo(page, page.getByLabel('E-mail'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('newcomer@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Three steps to the first verdict.').waitFor();
    expect(new URL(page.url()).hash).toBe('#/overview');
    expect(await page.getByText('newcomer@example.com').count()).toBe(1);
    expect(problems).toEqual([]);
  });
});

describe.runIf(hasChromium)('several tabs, and the way back', () => {
  let stage: Stage;
  let passport: string;
  beforeAll(async () => {
    stage = await openStage();
    const { agent_id } = await stage.api<{ agent_id: string }>('POST', '/passports', {
      domain: 'shop.example',
      agent_name: 'shared',
      allowed_actions: ['payments.create'],
      monetary_limit_per_txn: 100,
    });
    passport = `passports/${encodeURIComponent(agent_id)}`;
  });

  test('two tabs: each has its session, and a change of one does not overwrite that of the other', async () => {
    const { page: one, problems } = await stage.open();
    const two = await one.context().newPage();
    await signIn(one, `/#/${passport}/edit`);
    await two.goto('/');
    await two.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(two, `/#/${passport}/edit`);
    await one.getByLabel('Limit per transaction').fill('50');
    await two.getByLabel('Limit per transaction').fill('70');
    await one.getByRole('button', { name: 'Save' }).click();
    await one.getByRole('button', { name: 'Save the change' }).click();
    await one.getByRole('heading', { name: 'shared' }).waitFor();
    await two.getByRole('button', { name: 'Save' }).click();
    await two.getByRole('button', { name: 'Save the change' }).click();
    await two.getByText('This passport was changed meanwhile.').waitFor();
    expect(await two.getByLabel('Limit per transaction').inputValue()).toBe('70');
    await one.getByRole('button', { name: 'Sign out' }).click();
    await one.getByRole('heading', { name: 'Sign in' }).waitFor();
    await two.reload();
    expect(await two.getByLabel('Limit per transaction').inputValue()).toBe('50');
    expect(problems).toEqual([]);
  });

  test('a key that another tab has revoked cannot be rotated any more, and the page says so', async () => {
    const { id } = await stage.api<{ id: string }>('POST', '/keys', { name: 'shared' });
    const { page } = await stage.open();
    await signIn(page, `/#/keys/${id}`);
    await page.getByRole('button', { name: 'Rotate' }).click();
    await stage.api('DELETE', `/keys/${id}`);
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('dialog').locator('.note.bad').waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByText('revoked', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Rotate' }).count()).toBe(0);
  });

  test('the back button leads through the pages; filters are no steps of it, and links reset them', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/passports');
    await page.getByLabel('Search').fill('sha');
    await page.getByText('1 of 1 passports').waitFor();
    await page.getByRole('link', { name: 'shared' }).click();
    await page.getByRole('heading', { name: 'shared' }).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('heading', { name: 'Edit passport' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'shared' }).waitFor();
    await page.goBack();
    await page.getByText('1 of 1 passports').waitFor();
    expect(await page.getByLabel('Search').inputValue()).toBe('sha');
    await page.getByRole('link', { name: 'Passports' }).click();
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('');
    await page.getByText('1 of 1 passports').waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('Revoked');
    await page.getByText('No passport is revoked.').waitFor();
    await page.reload();
    await page.getByText('No passport is revoked.').waitFor();
    await page.getByLabel('Status').selectOption('Active');
    await page.getByRole('link', { name: 'shared' }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('sha');
    await page.goForward();
    await page.goForward();
    expect(problems).toEqual([]);
  });

  test('what an address names and is not there is said, and leads on', async () => {
    const { page } = await stage.open();
    await signIn(page, '/#/passports/did%3Aweb%3Ashop.example%3Aagents%3Anobody');
    await page.getByText('or the page no longer exists').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Passports' }).waitFor();
    await page.goto('/#/verdicts?record=dec_00000000000000000000&at=2026-01-02T03:04:05.006Z');
    await page.getByText('There is no record of').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe('#/verdicts');
    await page.goto('/#/verdicts?record=x&at=never');
    await page.getByText('There is no record of').waitFor();
    await page.goto('/#/keys/%E0%A4%A/x');
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
