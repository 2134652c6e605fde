import { beforeAll, describe, expect, test } from 'vitest';
import { runShell, start } from '../support/process.ts';
import { hasChromium, openStage, type Stage, signIn } from './browser.ts';

const AGENT = 'did:web:shop.example:agents:payer';
const root = process.cwd();

describe.runIf(hasChromium)('the page to try intents', () => {
  let stage: Stage;
  let key: string;
  beforeAll(async () => {
    stage = await openStage();
    await stage.api('POST', '/passports', {
      domain: 'shop.example',
      agent_name: 'payer',
      allowed_actions: ['payments.create'],
      monetary_actions: ['payments.create'],
      monetary_limit_per_txn: '337.90',
      currency: 'USD',
    });
    ({ key } = await stage.api<{ key: string }>('POST', '/keys', { name: 'tries' }));
  });

  test('a verdict with every reason explained, of which nothing is recorded', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/try');
    await page.getByLabel('Passport').fill(AGENT);
    await page.getByLabel('Action').fill('cats.feed');
    await page.getByRole('textbox', { name: /^Target/ }).fill('no did');
    await page.getByRole('textbox', { name: /^Amount/ }).fill('5');
    await page.getByRole('textbox', { name: /^Currency/ }).fill('EUR');
    await page.keyboard.press('Enter');
    for (const code of ['action_not_allowed', 'target_invalid', 'currency_mismatch'])
      await page.locator('.reasons').getByText(code, { exact: true }).waitFor();
    await page.getByText('Nothing was recorded.').waitFor();
    await page.getByLabel('Action').fill('payments.create');
    await page.getByRole('textbox', { name: /^Target/ }).fill('');
    await page.getByRole('textbox', { name: /^Amount/ }).fill('338');
    await page.getByRole('textbox', { name: /^Currency/ }).fill('USD');
    await page.keyboard.press('Enter');
    await page
      .getByText('The intent asks for 338.00 USD; at most 337.90 USD may be moved at once.')
      .waitFor();
    expect(await records(stage)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('pasted JSON is asked as it stands; text that is not JSON is reported before it is sent', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, `/#/try?agent_id=${encodeURIComponent(AGENT)}&action=payments.create`);
    await page.getByRole('button', { name: 'Paste JSON' }).click();
    const field = page.getByLabel('Intent as JSON');
    expect(JSON.parse(await field.inputValue())).toEqual({ agent_id: AGENT, action: 'payments.create' });
    const ask = page.getByRole('button', { name: 'Ask for a verdict' });
    for (const text of ['', '{', '[]', 'null', '{"agent_id":1,"action":"x"}', '{"agent_id":"x"}']) {
      await field.fill(text);
      await page.getByText('This is not a JSON object with agent_id and action.').waitFor();
      expect(await ask.isDisabled(), text).toBe(true);
    }
    await field.fill('{"agent_id":"did:web:shop.example:agents:payer","action":"payments.create","more":1}');
    await ask.click();
    await page.locator('.note.bad').waitFor();
    const parameters = { amount: '337.90', currency: 'USD', 'a key of ours': ['x'] };
    await field.fill(JSON.stringify({ agent_id: AGENT, action: 'payments.create', parameters }));
    await ask.click();
    await page.getByText('Nothing objects.').waitFor();
    expect(problems).toEqual([]);
  });

  test('with an API key it is a real verify, whose record has an address; the key is kept nowhere', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, `/#/try?agent_id=${encodeURIComponent(AGENT)}&action=payments.create`);
    await page.getByText('Ask with an API key').click();
    await page.getByLabel('API key').fill('ais_live_wrong');
    const ask = page.getByRole('button', { name: 'Ask for a verdict' });
    await ask.click();
    await page.locator('.note.bad').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('textbox', { name: /^Amount/ }).fill('1');
    await page.getByRole('textbox', { name: /^Currency/ }).fill('USD');
    await ask.click();
    await page.getByText('A dry run: recorded as such.').waitFor();
    await page.getByLabel('Dry run').uncheck();
    await ask.click();
    await page.getByText('A real verdict: recorded and counted.').waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href]),
    );
    expect(kept).not.toContain(key);
    expect(await page.content()).not.toContain(key);
    await page.getByRole('link', { name: 'Show the record' }).click();
    const dialog = page.getByRole('dialog', { name: 'Verdict' });
    await dialog.getByText('1.00 USD').waitFor();
    const [record] = await records(stage);
    await dialog.getByText(`${record?.decision_id}`, { exact: true }).waitFor();
    expect(record?.dry_run).toBe(false);
    await page.reload();
    await dialog.getByText(`${record?.decision_id}`, { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Try it' }).waitFor();
    await page.getByText('Ask with an API key').click();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(problems).toEqual([]);
  });

  test('the curl and the TypeScript to copy ask what the page asked', async () => {
    const { page } = await stage.open();
    const intent = { amount: '400', currency: 'USD', target: `did:web:it's.example` };
    const query = new URLSearchParams({ agent_id: AGENT, action: 'payments.create', ...intent });
    await signIn(page, `/#/try?${query}`);
    const code = (label: string) => page.getByRole('region', { name: label }).innerText();
    const env = { AGENT_IDENTITY_API_KEY: key };
    const curl = await runShell(await code('curl'), { cwd: root, env });
    expect(JSON.parse(curl.stdout)).toMatchObject({ verdict: 'DENY', amount: 400 });
    const args = ['--input-type=module', '-e', await code('TypeScript')];
    const program = await start(process.execPath, args, { cwd: root, env }).ended;
    expect(program.stderr).toBe('');
    expect(program.stdout).toMatch(/^DENY/);
    expect(program.stdout).toContain('amount_over_limit');
  });
});

interface Recorded {
  readonly decision_id: string;
  readonly dry_run: boolean;
}

async function records(stage: Stage): Promise<readonly Recorded[]> {
  return (await stage.api<{ data: readonly Recorded[] }>('GET', '/verifications')).data;
}
