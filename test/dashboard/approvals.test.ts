/** The inbox of approvals, by mouse and by keyboard. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  enter,
  expectAccessible,
  hasChromium,
  join,
  openStage,
  pressOn,
  type Stage,
  signIn,
} from './browser.ts';

const AGENT = 'did:web:shop.example:agents:buyer';

/** Accounts that read as others where a character is obeyed, or left out, instead of shown. */
const DISGUISED: Readonly<Record<string, string>> = {
  turned: 'DE89\u202e0013 0440 0732\u202c',
  isolated: '\u2067DE89 3704\u2069 0044',
  split: 'DE89\u200b3704\u2060\ufeff0044',
  joined: 'DE89\u200d3704\u034f\ufe0f\u3164\u{e0001}\u{e0044}',
  hebrew: '\u05c3 1234 5678 \u05d0 9012',
  control: 'DE89\u0085\u007f\u2028\u2029\u00ad',
};
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

describe.runIf(hasChromium)('the inbox', () => {
  let stage: Stage;
  let key: string;

  /** Asks what needs a person. */
  async function ask(
    amount: number,
    more: { approval_id?: string; others?: object; permit?: object; key?: string } = {},
  ): Promise<{ verdict: string; approval_id: string }> {
    const answer = await fetch(`${stage.server.origin}/api/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': more.key ?? key },
      body: JSON.stringify({
        agent_id: AGENT,
        action: 'payments.create',
        target: 'did:web:paper.example',
        parameters: { amount, currency: 'EUR', invoice: '<b>R-118</b>', ...more.others },
        approval_id: more.approval_id,
        permit: more.permit,
      }),
    });
    const { verdict, reasons } = (await answer.json()) as {
      verdict: string;
      reasons: { approval_id: string }[];
    };
    return { verdict, approval_id: reasons[0]?.approval_id ?? '' };
  }

  beforeAll(async () => {
    stage = await openStage();
    ({ key } = await stage.api<{ key: string }>('POST', '/keys', { name: 'host' }));
  });

  test('a passport says when a person is asked, and the form changes it', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/passports/new');
    await page.getByLabel('Domain').fill('shop.example');
    await page.getByLabel('Agent name').fill('buyer');
    await page.getByLabel('Allowed actions').fill('payments.create');
    await page.getByLabel('Limit per transaction').fill('1000');
    await page.getByLabel('Ask a person above this amount').fill('100');
    await page.getByRole('button', { name: 'Issue passport' }).click();
    await page.getByText('A passport with approval.above needs a currency.', { exact: true }).waitFor();
    await page.getByLabel('Currency').fill('EUR');
    await page.getByLabel('Actions that must carry an amount').fill('payments.create');
    await page.getByRole('button', { name: 'Issue passport' }).click();
    await page.getByText('above 100.00 EUR').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Ask a person for these actions').fill('payments.refund');
    await page.getByLabel('An approval lasts').fill('600');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save the change' }).click();
    await page.getByText('payments.refund', { exact: true }).waitFor();
    const passport = await stage.api<{ approval: object }>('GET', `/passports/${encodeURIComponent(AGENT)}`);
    expect(passport.approval).toEqual({ above: 100, actions: ['payments.refund'], seconds: 600 });
    expect(problems).toEqual([]);
  });

  test('a new question appears by itself, is counted in the title, and is approved with a note', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/approvals');
    await page.getByText('No agent waits for a person.').waitFor();
    const { approval_id } = await ask(250);
    await page.goto('/#/overview');
    await page.getByText('1 intent waits for a person.').waitFor();
    await page.getByRole('link', { name: '1 intent' }).click();
    await page.getByRole('button', { name: 'payments.create' }).click();
    await expect.poll(() => page.title()).toBe('(1) Approvals · Agent Identity');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('the amount is above 100.00 EUR').waitFor();
    expect(await dialog.textContent()).toContain('<b>R-118</b>');
    await dialog.getByLabel('Note').fill('The price was checked.');
    await dialog.getByRole('button', { name: 'Approve once' }).click();
    await page.getByText('The intent was approved.').waitFor();
    await page.getByText('No agent waits for a person.').waitFor();
    await expect.poll(() => page.title()).toBe('Approvals · Agent Identity');
    expect((await ask(250, { approval_id })).verdict).toBe('ALLOW');
    await page.getByLabel('Status').selectOption('used');
    await page.getByRole('button', { name: 'payments.create' }).click();
    await dialog.getByText('The price was checked.').waitFor();
    expect(problems).toEqual([]);
  });

  test('by keyboard alone it is rejected; what is decided meanwhile is said', async () => {
    const { page, problems } = await stage.open();
    await ask(300);
    const second = await ask(301);
    await signIn(page, '/#/approvals');
    await page.getByRole('table').waitFor();
    await pressOn(page, page.getByRole('button', { name: 'payments.create' }).last());
    await pressOn(page, page.getByRole('button', { name: 'Reject' }));
    await page.getByText('The intent was rejected.').waitFor();
    await pressOn(page, page.getByRole('button', { name: 'payments.create' }).first());
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    // The list that it was opened from.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('table').waitFor();
    await page.goto(`/#/approvals/${second.approval_id}`);
    await page.getByRole('button', { name: 'Approve once' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(`/#/approvals/${second.approval_id}`);
    await page.getByRole('button', { name: 'Approve once' }).waitFor();
    // Another person is faster, while the answer is on its way: the page itself would hide the button.
    await page.route('**/approve', async (route) => {
      await stage.api('POST', `/approvals/${second.approval_id}/reject`);
      await route.continue();
    });
    await page.getByRole('button', { name: 'Approve once' }).click();
    await page.getByText('The approval is rejected. Ask for another.').waitFor();
    expect(problems).toEqual([]);
  });

  test('a change that lets more happen waits for two other people, who see it, and is applied', async () => {
    const [approver, admin] = [await join(stage, 'approver'), await join(stage, 'admin')];
    const place = `/passports/${encodeURIComponent('did:web:shop.example:agents:bound')}`;
    const { page, problems } = await stage.open();
    await signIn(page, '/#/passports/new');
    await page.getByLabel('Domain').fill('shop.example');
    await page.getByLabel('Agent name').fill('bound');
    await page.getByLabel('Allowed actions').fill('payments.create');
    await page.getByLabel('Limit per transaction').fill('10');
    await page.getByLabel('People who must approve').selectOption('two');
    await page.getByLabel('Whose approval counts').selectOption('another person');
    await page.getByLabel('Changes that let more happen').selectOption('need the same people');
    await page.getByRole('button', { name: 'Issue passport' }).click();
    for (const line of ['2 different people', 'another person', 'also for wider changes'])
      await page.getByText(line, { exact: true }).waitFor();
    const { approval } = await stage.api<{ approval: object }>('GET', place);
    expect(approval).toEqual({ count: 2, by: 'another', changes: true, seconds: 3600 });

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('People who must approve').waitFor();
    const people = ['People who must approve', 'Whose approval counts', 'Changes that let more happen'];
    const chosen = await Promise.all(people.map((label) => page.getByLabel(label).inputValue()));
    expect(chosen).toEqual(['2', 'another', 'true']);
    await page.getByLabel('Limit per transaction').fill('20');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save the change' }).click();
    await page.getByRole('link', { name: 'See the approval' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Approved by 0 of 2').waitFor();
    await dialog.getByText('2 more persons must approve.').waitFor();
    expect(await dialog.textContent()).toContain('"monetary_limit_per_txn": "20"');
    await shot(page, 'change-asked');
    await dialog.getByRole('button', { name: 'Approve once' }).click();
    await dialog.getByRole('alert').getByText('you asked for this').waitFor();

    for (const [who, said] of [
      [approver, '1 of 2 have approved.'],
      [admin, 'The change was approved.'],
    ] as const) {
      const other = await stage.open();
      await enter(other.page, who);
      await other.page.goto('/#/approvals');
      await other.page.getByRole('button', { name: 'Change of version 1' }).click();
      await other.page.getByRole('button', { name: 'Approve once' }).click();
      await other.page.getByText(said).waitFor();
      expect(other.problems).toEqual([]);
    }
    expect(await stage.api('GET', place)).toMatchObject({ monetary_limit_per_txn: 10, version: 1 });

    await page.reload();
    await dialog.getByText('Approved by 2 of 2').waitFor();
    await dialog.getByText('approver@example.com').waitFor();
    await shot(page, 'change-approved');
    await dialog.getByRole('button', { name: 'Apply the change' }).click();
    await page.getByText('The passport is changed.').waitFor({ state: 'attached' });
    await page.getByRole('heading', { name: 'bound', exact: true }).waitFor();
    expect(await stage.api('GET', place)).toMatchObject({ monetary_limit_per_txn: 20, version: 2 });
    expect(problems).toEqual([]);
  });

  async function shot(page: Page, name: string): Promise<void> {
    const shots = process.env['SHOTS'];
    if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png` });
  }

  test('the exact intent shows each character that is sent, in its order', async () => {
    const { page, problems } = await stage.open();
    const { approval_id } = await ask(400, { others: DISGUISED });
    await signIn(page, `/#/approvals?approval=${approval_id}`);
    const code = page.getByRole('dialog').locator('pre code');
    await code.waitFor();
    const text = (await code.innerText()).trim();
    expect(text.replaceAll('\n', '')).not.toMatch(HIDDEN);
    expect(JSON.parse(text).parameters).toMatchObject(DISGUISED);
    expect(text).toContain('"turned": "DE89\\u202e0013 0440 0732\\u202c"');
    expect(text).toContain('\\u3164\\udb40\\udc01\\udb40\\udc44"');
    expect(await misplaced(code)).toEqual([]);
    const shots = process.env['SHOTS'];
    if (shots !== undefined) await code.screenshot({ path: `${shots}/disguised.png` });
    await stage.api('POST', `/approvals/${approval_id}/reject`, { note: `first\nsecond \u202eecond` });
    await page.reload();
    await page.getByText('second \\u202eecond').waitFor();
    expect(problems).toEqual([]);
  });

  test('an approval shows the audience and the life of a permit before the buttons', async () => {
    const { page, problems } = await stage.open();
    const scopes = ['verify', 'permit'];
    const permits = await stage.api<{ key: string }>('POST', '/keys', { name: 'permits', scopes });
    const permit = { audience: 'https://pay.example', seconds: 45 };
    const { approval_id } = await ask(410, { permit, key: permits.key });
    await signIn(page, `/#/approvals?approval=${approval_id}`);
    const facts = page.getByRole('dialog').locator('dl');
    await facts.getByText('https://pay.example', { exact: true }).waitFor();
    await facts.getByText('45 s', { exact: true }).waitFor();
    await shot(page, 'approval-permit');
    expect(problems).toEqual([]);
  });

  test('so does every list and title: names, descriptions and labels', async () => {
    const { page, problems } = await stage.open();
    const name = 'till \u202eone\u200b\u{e0041}';
    const shown = 'till \\u202eone\\u200b\\udb40\\udc41';
    const { id } = await stage.api<{ id: string }>('POST', '/keys', { name });
    const place = `/passports/${encodeURIComponent(AGENT)}`;
    await stage.api('PATCH', place, { description: name, metadata: { team: name } });
    await signIn(page, '/#/keys');
    for (const address of ['/#/keys', `/#/keys/${id}`, `/#${place}`]) {
      await page.goto(address);
      await page.getByText(shown).first().waitFor();
      expect(await page.locator('body').innerText()).not.toContain('\u202e');
      expect(await page.title()).not.toMatch(HIDDEN);
    }
    expect(problems).toEqual([]);
  });

  test.each([
    ['light', 360],
    ['light', 1280],
    ['dark', 360],
    ['dark', 1280],
  ] as const)('%s at %i px: axe finds nothing', async (colorScheme, width) => {
    const { page, problems } = await stage.open({ colorScheme, viewport: { width, height: 800 } });
    const { approval_id } = await ask(400);
    await ask(9_999.5);
    await signIn(page, '/#/approvals');
    await page.getByRole('table').waitFor();
    await expectAccessible(page, `approvals ${colorScheme} ${width}`);
    const shots = process.env['SHOTS'];
    if (shots !== undefined)
      await page.screenshot({ path: `${shots}/approvals-${colorScheme}-${width}.png` });
    await page.goto(`/#/approvals?approval=${approval_id}`);
    await page.getByRole('button', { name: 'Approve once' }).waitFor();
    await expectAccessible(page, `an approval ${colorScheme} ${width}`);
    if (shots !== undefined) await page.screenshot({ path: `${shots}/approval-${colorScheme}-${width}.png` });
    expect(problems).toEqual([]);
  });
});

/** The characters that stand left of the one before them in their line, or have no width. */
function misplaced(code: Locator): Promise<string[]> {
  return code.evaluate((element) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      let right = Number.NEGATIVE_INFINITY;
      for (let at = 0; at < text.length; at += 1) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = range.getBoundingClientRect();
        if (box.width < 1 || box.left < right - 1) found.push(`${at} of ${text}`);
        right = box.right;
      }
    }
    return found;
  });
}
