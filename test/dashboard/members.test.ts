/** The pages of people: members, their links, and the audit. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  EMAIL,
  expectAccessible,
  hasChromium,
  openStage,
  pressOn,
  type Stage,
  signIn,
  tabTo,
} from './browser.ts';

const SHOTS = process.env['SHOTS'];

describe.runIf(hasChromium)('the people of an account', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });

  test('an owner invites a person, who joins by the link, is an editor then, and is removed', async () => {
    const { page, problems } = await stage.open();
    const asked: string[] = [];
    page.context().on('request', (request) => {
      asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`);
    });
    await signIn(page, '/#/settings');
    await page.getByText('Off, or still without a leaf.').waitFor();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel('Role').selectOption('approver');
    await page.getByLabel('E-mail').fill('ben@example.com');
    await page.getByLabel('Name').fill('Ben');
    await page.getByRole('button', { name: 'Make the link' }).click();
    const link = (await page.getByTestId('secret').textContent()) ?? '';
    expect(link).toMatch(/#\/join\/ais_link_\w{49}$/);
    await shot(page, 'link');
    await page.getByLabel('I have saved it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('invited').waitFor();
    const token = link.split('/').at(-1) ?? '';
    expect(await page.content()).not.toContain(token);

    const other = await stage.open();
    other.page.context().on('request', (request) => {
      asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`);
    });
    await other.page.goto(link);
    await other.page.getByRole('heading', { name: 'Join the account' }).waitFor();
    expect(await other.page.getByRole('main').textContent()).toContain('You are invited as an approver');
    await shot(other.page, 'join');
    await other.page.getByLabel('Password').fill('too short');
    await other.page.getByRole('button', { name: 'Join' }).click();
    await other.page.locator('.field .error').waitFor();
    await other.page.getByLabel('Password').fill('a-long-password-of-ben');
    await other.page.getByRole('button', { name: 'Join' }).click();
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(other.page.url()).not.toContain(token);
    // A used link says so, and asks for nothing.
    await other.page.goto('/#/overview');
    await other.page.goto(link);
    await other.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    for (const request of asked) expect(request).not.toContain(token);

    await page.reload();
    await page.getByRole('button', { name: 'Change Ben' }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('editor');
    await shot(page, 'manage');
    await page.getByRole('button', { name: 'Save the role' }).click();
    await page.getByText('Ben is editor now.').waitFor({ state: 'attached' });

    // An editor sees the members, changes none, and may leave.
    await other.page.goto('/#/members');
    await other.page.getByText('You are an editor.').waitFor();
    expect(await other.page.getByRole('button', { name: 'Invite a person' }).count()).toBe(0);
    expect(await other.page.getByRole('button', { name: /^(Change|Leave)/ }).count()).toBe(1);
    await other.page.goto('/#/keys');
    await other.page.getByRole('button', { name: 'Create key' }).click();
    await other.page.getByLabel('Name').fill('till');
    await other.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await other.page.getByLabel('I have saved it').check();
    await other.page.getByRole('button', { name: 'Done' }).click();

    await page.reload();
    await page.getByRole('button', { name: 'Change Ben' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('made 1 active API key').waitFor();
    await shot(page, 'remove');
    await page.getByLabel('Revoke the keys as well').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Ben is removed.').waitFor({ state: 'attached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { data } = await stage.api<{ data: { name: string; status: string }[] }>('GET', '/keys');
    expect(data.find(({ name }) => name === 'till')?.status).toBe('revoked');
    await other.page.reload();
    await other.page.getByRole('heading', { name: /^(Your session has ended|Sign in)$/ }).waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
  });

  test('the last owner cannot leave, and the page says why', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/members');
    await page.getByRole('button', { name: /^Change admin@localhost/ }).click();
    await page.getByRole('button', { name: 'Leave the account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByText('An account keeps at least one owner').waitFor();
    expect(problems).toEqual([]);
  });

  test('by keyboard alone a person is invited, and the dialog gives the focus back', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/members');
    await pressOn(page, page.getByRole('button', { name: 'Invite a person' }));
    await tabTo(page, page.getByLabel('E-mail'));
    await page.keyboard.type('not an address');
    await page.keyboard.press('Enter');
    await page.locator('.field .error').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('cy@example.com');
    await page.keyboard.press('Enter');
    await page.getByTestId('secret').waitFor();
    await tabTo(page, page.getByLabel('I have saved it'));
    await page.keyboard.press('Space');
    await pressOn(page, page.getByRole('button', { name: 'Done' }));
    await page.getByRole('button', { name: 'Change cy@example.com' }).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent ?? ''))
      .toMatch(/^(Invite a person|Members)$/);
    expect(problems).toEqual([]);
  });

  test('the audit shows who did what, by filters that stand in the address', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/audit');
    await page.getByRole('cell', { name: / removed / }).waitFor();
    await shot(page, 'audit');
    await page.getByLabel('Change', { exact: true }).selectOption('member.removed');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(page.url()).toContain('type=member.removed');
    expect(await page.getByRole('row').nth(1).textContent()).toContain(EMAIL);
    await page.reload();
    expect(await page.getByLabel('Change', { exact: true }).inputValue()).toBe('member.removed');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toBe('audit.csv');
    expect(problems).toEqual([]);
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
    ['dark', 320],
  ] as const)('%s at %i px: axe finds nothing', async (colorScheme, width) => {
    const { page } = await stage.open({ colorScheme, viewport: { width, height: 800 } });
    const { link } = await stage.api<{ link: { token: string } }>('POST', '/members', { role: 'viewer' });
    await page.goto(`/#/join/${link.token}`);
    await page.getByRole('heading', { name: 'Join the account' }).waitFor();
    await expectAccessible(page, 'join');
    await shot(page, `join-${colorScheme}-${width}`);
    await page.goto('/#/join/ais_link_x');
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await expectAccessible(page, 'a link that does not work');
    await page.goto('/#/overview');
    await signIn(page);
    for (const [path, name] of [
      ['members', 'Members'],
      ['audit', 'Audit'],
    ] as const) {
      await page.goto(`/#/${path}`);
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await page.getByRole('row').nth(1).waitFor();
      await expectAccessible(page, name);
      await shot(page, `${path}-${colorScheme}-${width}`);
    }
    await page.goto('/#/members');
    await page
      .getByRole('button', { name: /^Change/ })
      .first()
      .click();
    await expectAccessible(page, 'a member');
    await shot(page, `member-${colorScheme}-${width}`);
  });

  async function shot(page: Page, name: string): Promise<void> {
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` });
  }
});
