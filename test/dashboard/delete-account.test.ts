/** Settings: the account is deleted for good, with the password again. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  EMAIL,
  expectAccessible,
  hasChromium,
  openStage,
  PASSWORD,
  pressOn,
  type Stage,
  signIn,
} from './browser.ts';

const AGENT = {
  domain: 'shop.example',
  agent_name: 'shopper',
  allowed_actions: ['*'],
  monetary_limit_per_txn: 1,
};

describe.runIf(hasChromium)('delete the account', () => {
  let stage: Stage;
  let key: string;
  beforeAll(async () => {
    stage = await openStage();
    ({ key } = await stage.api<{ key: string }>('POST', '/keys', { name: 'of the shop' }));
    await stage.api('POST', '/passports', AGENT);
  });

  async function verify(): Promise<number> {
    const answer = await fetch(`${stage.server.origin}/api/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ agent_id: 'did:web:shop.example:agents:shopper', action: 'orders.get' }),
    });
    return answer.status;
  }

  test('Cancel, Escape and a wrong password change nothing', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/settings');
    const open = page.getByRole('main').getByRole('button', { name: 'Delete the account' });
    const dialog = page.getByRole('dialog', { name: 'Delete the account?' });
    const act = dialog.getByRole('button', { name: 'Delete the account' });
    await open.click();
    expect(await act.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await open.click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await open.click();
    await dialog.getByLabel('Password').fill('nicht-das-kennwort');
    await act.click();
    await dialog.getByText('This is not the password.').waitFor();
    await expectAccessible(page, 'a wrong password');
    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await verify()).toBe(200);
    expect(problems).toEqual([]);
  });

  test.each([
    ['light', 360],
    ['light', 1280],
    ['dark', 360],
    ['dark', 1280],
  ] as const)(
    '%s at %i px: the dialog is accessible and fits',
    async (colorScheme, width) => {
      const { page } = await stage.open({ colorScheme, viewport: { width, height: 800 } });
      await signIn(page, '/#/settings');
      await page.getByRole('button', { name: 'Delete the account' }).click();
      await page.getByRole('dialog').waitFor();
      await expectAccessible(page, `${colorScheme} ${width}`);
      const pictures = process.env['PICTURES'];
      if (pictures !== undefined)
        await page.screenshot({ path: `${pictures}/delete-${colorScheme}-${width}.png` });
    },
    60_000,
  );

  test('the right password, by keyboard alone, ends the session and the keys, and leads to signing in', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/settings');
    await pressOn(page, page.getByRole('main').getByRole('button', { name: 'Delete the account' }));
    const password = page.getByRole('dialog').getByLabel('Password');
    await password.waitFor();
    expect(await password.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(await verify()).toBe(401);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The e-mail or the password is wrong.').waitFor();
    expect(problems).toEqual([]);
  });
});
