import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/base/values/vocabulary.ts';
import { expectAccessible, hasChromium, openStage, type Stage, signIn } from './browser.ts';

describe.runIf(hasChromium)('webhooks', () => {
  let stage: Stage;
  const types: string[] = [];
  let status = 204;
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += String(piece);
    });
    request.on('end', () => {
      types.push((JSON.parse(body) as { readonly type: string }).type);
      response.writeHead(status).end();
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    stage = await openStage(['--allow-localhost']);
  });
  afterAll(() => void receiver.close());

  test('add one, save its secret, send a test, send it again, rotate, disable, enable, remove', async () => {
    const { page, problems } = await stage.open();
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`;
    await signIn(page, '/#/webhooks');
    await page.getByText('There is no webhook yet.').waitFor();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await dialog
      .getByText('The host 10.0.0.1 has an address that is not on the public Internet. Use a public host.', {
        exact: true,
      })
      .waitFor();
    await dialog.getByLabel('URL').fill(url);
    await dialog.getByLabel('verdict.denied').check();
    // Each family of events is there to choose.
    const families = new Set(EVENT_TYPES.map((type) => type.split('.', 1)[0]));
    const offered = await dialog.getByRole('checkbox').locator('..').locator('code').allTextContents();
    expect(new Set(offered.map((type) => type.split('.', 1)[0]))).toEqual(families);
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    const secret = await page.getByTestId('secret').textContent();
    expect(secret).toMatch(/^whsec_/);
    await page.getByLabel('I have saved it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: url }).click();

    await page.getByText('Nothing was sent yet.').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test arrived.').waitFor();
    status = 500;
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test failed: 500.').waitFor();
    status = 204;
    await page.getByRole('button', { name: 'Resend webhook.test' }).first().click();
    await page.getByText('It is sent again.').waitFor();
    await expect.poll(() => types.length).toBe(3);
    expect(new Set(types)).toEqual(new Set(['webhook.test']));

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    expect(await page.getByTestId('secret').textContent()).not.toBe(secret);
    await page.getByLabel('I have saved it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable webhook' }).click();
    await page.getByText('by this account').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('by this account').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog.getByLabel('Send OCSF').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('ocsf', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove webhook' }).click();
    await page.getByText('There is no webhook yet.').waitFor();
    expect(problems).toEqual([]);
  });

  test.each([
    ['light', 360],
    ['light', 1280],
    ['dark', 360],
    ['dark', 1280],
  ] as const)(
    '%s at %i px: the list, a webhook and its dialogs are accessible and fit',
    async (theme, width) => {
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${'long-'.repeat(30)}`;
      const { id } = await stage.api<{ id: string }>('POST', '/webhooks', {
        url,
        types: ['passport.*', 'verdict.denied'],
        description: '<b>\u202Etrela</b>',
      });
      await stage.api('POST', `/webhooks/${id}/test`);
      const { page, problems } = await stage.open();
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 900 });
      await signIn(page, '/#/webhooks');
      for (const [path, button] of [
        ['webhooks', 'Add webhook'],
        [`webhooks/${id}`, 'Rotate secret'],
      ] as const) {
        await page.goto(`/#/${path}`);
        await page.getByRole('table').waitFor();
        await page.locator('td .status').first().waitFor();
        await expectAccessible(page, `${path} ${theme}`);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        const pictures = process.env['PICTURES'];
        const name = `${path.split('/').length === 1 ? 'list' : 'one'}-${theme}-${width}`;
        if (pictures !== undefined)
          await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('dialog').waitFor();
        await expectAccessible(page, `${path} ${theme}`);
        if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}-dialog.png` });
        await page.keyboard.press('Escape');
      }
      await stage.api('DELETE', `/webhooks/${id}`);
      expect(problems).toEqual([]);
    },
    90_000,
  );
});
