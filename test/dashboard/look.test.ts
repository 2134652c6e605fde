/** Every page in both themes at both widths, with names that no person would choose. */
import { beforeAll, describe, expect, test } from 'vitest';
import { waysToTry } from '../support/runs.ts';
import { expectAccessible, hasChromium, openStage, type Stage, signIn } from './browser.ts';
import { below } from './sub-path.ts';

const HOSTILE = [
  '<img src=x onerror=alert(1)><script>alert(2)</script>',
  '\u202Etrela\u2066 \u0627\u0644\u0639\u0631\u0628\u064A\u0629 {{constructor.constructor("alert(3)")()}}',
  'javascript:alert(4)//',
  'W'.repeat(100),
];
const AGENT = 'did:web:shop.example:agents:hostile';

/** Both themes and both widths; for a commit each once. */
const LOOKS = {
  'light at 360': { colorScheme: 'light', width: 360 },
  'dark at 1280': { colorScheme: 'dark', width: 1280 },
  'light at 1280': { colorScheme: 'light', width: 1280 },
  'dark at 360': { colorScheme: 'dark', width: 360 },
} as const;

describe.runIf(hasChromium)('how the pages look', () => {
  const looks = waysToTry(LOOKS, 2, 'the looks of pages');
  let stage: Stage;
  let pages: readonly string[];
  let dialogs: readonly (readonly [path: string, buttons: readonly string[]])[];
  beforeAll(async () => {
    stage = await openStage(['--registration', 'open']);
    const keys = await Promise.all(
      HOSTILE.map((name) => stage.api<{ id: string; key: string }>('POST', '/keys', { name })),
    );
    await stage.api('POST', '/passports', {
      domain: 'shop.example',
      agent_name: 'hostile',
      allowed_actions: ['orders.*'],
      monetary_limit_per_txn: '1000000000000000',
      description: 'M'.repeat(500),
      metadata: Object.fromEntries(HOSTILE.map((text, index) => [`name${index}`, text])),
    });
    for (const action of [...HOSTILE, 'orders.read', 'x'.repeat(256)]) {
      const headers = { 'content-type': 'application/json', 'x-api-key': keys[0]?.key ?? '' };
      const body = JSON.stringify({ agent_id: AGENT, action, target: action });
      const answer = await fetch(`${stage.server.origin}/api/verify`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
    }
    await stage.api('POST', '/domains', { domain: `${'long-label-of-a-domain.'.repeat(9)}example` });
    const passport = `passports/${encodeURIComponent(AGENT)}`;
    dialogs = [
      ['keys', ['Create key']],
      [`keys/${keys[0]?.id}`, ['Rotate', 'Change', 'Revoke']],
      [passport, ['Suspend', 'Revoke']],
      ['settings', ['Sign out everywhere', 'Give up']],
    ];
    pages = [
      ...['overview', 'keys', `keys/${keys[0]?.id}`, 'passports', 'passports?q=host', passport],
      ...[
        `${passport}/edit`,
        'passports/new',
        `try?agent_id=${AGENT}`,
        'approvals',
        'verdicts',
        'analytics',
        'settings',
        'nowhere',
      ],
    ];
  });

  test.each(looks)(
    '%s px: axe finds nothing, nothing is wider than the window',
    async (_, { colorScheme, width }) => {
      const { page, problems } = await stage.open({ colorScheme, viewport: { width, height: 800 } });
      await page.goto('/');
      await page.getByLabel('E-mail').waitFor();
      await expectAccessible(page, 'sign in');
      await page.goto('/#/register');
      await page.getByRole('heading', { name: 'Open an account' }).waitFor();
      await expectAccessible(page, 'register');
      await page.goto('/reference');
      await page.getByRole('heading', { name: 'API reference' }).waitFor();
      await expectAccessible(page, 'reference');
      await signIn(page);
      const titles = new Set<string>();
      for (const path of pages) {
        await page.goto(`/#/${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('.loading').first().waitFor({ state: 'detached' });
        await expectAccessible(page, `${path} ${colorScheme} ${width}`);
        titles.add(await page.title());
      }
      // A search is the list it searches.
      expect(titles.size).toBe(pages.length - 1);
      for (const [path, actions] of dialogs) {
        for (const action of actions) {
          await page.goto(`/#/${path}`);
          await page.getByRole('button', { name: action, exact: true }).first().click();
          await page.getByRole('dialog').waitFor();
          await expectAccessible(page, `${path} ${action}`);
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        }
      }
      await page.goto('/#/verdicts');
      await page.getByRole('button', { name: 'orders.read' }).click();
      await expectAccessible(page, 'a verdict');
      expect(problems).toEqual([]);
    },
  );

  test('an instant is shown exactly on focus, and an unknown address says so', async () => {
    const { page } = await stage.open({ timezoneId: 'Asia/Kolkata' });
    await signIn(page, '/#/keys');
    const time = page.locator('time').first();
    await time.focus();
    const instant = await time.getAttribute('datetime');
    expect(await page.getByRole('tooltip').textContent()).toContain(instant);
    expect(await page.getByRole('tooltip').textContent()).toContain('GMT+5:30');
    await page.goto('/#/keys/key_nowhere');
    await page.getByText('There is no key with this id that you can access.', { exact: true }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'API Keys' }).waitFor();
  });

  test('what is cut is shown whole on hover and on focus', async () => {
    const { page } = await stage.open();
    await signIn(page, '/#/keys');
    const cut = page.getByRole('link', { name: 'W'.repeat(100) });
    await cut.hover();
    expect(await page.getByRole('tooltip').textContent()).toBe('W'.repeat(100));
    await page.getByRole('heading', { name: 'API Keys' }).hover();
    expect(await page.getByRole('tooltip').count()).toBe(0);
    await cut.focus();
    expect(await page.getByRole('tooltip').textContent()).toBe('W'.repeat(100));
    await cut.click();
    const { isWhole } = await page
      .getByRole('heading', { name: 'W'.repeat(100) })
      .evaluate((title) => ({ isWhole: title.scrollHeight <= title.clientHeight }));
    expect(isWhole).toBe(true);
  });

  test('at 360 px no list scrolls sideways, and a verdict has its time and its reasons', async () => {
    const { page } = await stage.open({ viewport: { width: 360, height: 800 } });
    await signIn(page, '/#/verdicts');
    const row = page.getByRole('row', { name: 'orders.read' });
    await row.getByText('DENY', { exact: true }).waitFor();
    expect(await row.locator('time').isVisible()).toBe(true);
    expect(await row.getByText('target_invalid').isVisible()).toBe(true);
    for (const path of pages) {
      await page.goto(`/#/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      const wide = await page
        .locator('.scroll')
        .evaluateAll((lists) => lists.filter((list) => list.scrollWidth > list.clientWidth).length);
      expect(wide, path).toBe(0);
    }
  });

  test('below a path of a proxy everything works', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, `${await below('/deep/below', stage.server.origin)}/#/keys`);
    await page.getByText('of 20 active keys').waitFor();
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('heading', { name: 'API reference' }).waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(problems).toEqual([]);
  });
});
