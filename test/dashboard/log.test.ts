/** The log of the account in the dashboard: its card, and the receipt of a verdict. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { openBlock } from '../../src/journal-format/index.ts';
import type { LogOverview, VerdictReceipt } from '../../src/records/log.ts';
import type { VerdictRecord } from '../../src/records.ts';
import { verifyReceipt } from '../../src/tokens/proof/index.ts';
import { expectAccessible, hasChromium, openStage, type Stage, signIn } from './browser.ts';

const SHOTS = process.env['SHOTS'];
const PASSPORT = {
  ...{ domain: 'shop.example', agent_name: 'buyer', allowed_actions: ['orders.*'] },
  monetary_limit_per_txn: 0,
};
const INTENT = { agent_id: 'did:web:shop.example:agents:buyer', action: 'orders.list' };

describe.runIf(hasChromium)('the log of an account', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(['--evidence-log', '--public-url', 'https://id.example/api']);
    await stage.api('POST', '/passports', PASSPORT);
  });

  test('its card shows size, key and checkpoint, and a verdict has its receipt', async () => {
    const [permitted, other] = await logged();
    const { page, problems } = await stage.open({ viewport: { width: 1_280, height: 1_400 } });
    await signIn(page, '/#/settings');
    const card = page.locator('section.part', { has: page.getByRole('heading', { name: 'Log' }) });
    await card.getByRole('button', { name: 'Copy' }).first().waitFor();
    // The log grows while a person signs in.
    const missing = async () => {
      await page.reload();
      await card.getByRole('button', { name: 'Copy' }).first().waitFor();
      const text = await card.innerText();
      const { keys, size, checkpoint } = await stage.api<LogOverview>('GET', '/log');
      const parts = [keys[0]?.key ?? '', size.toLocaleString('en'), ...checkpoint.split('\n')];
      return parts.filter((part) => !text.includes(part));
    };
    await expect.poll(missing).toEqual([]);
    const log = await stage.api<LogOverview>('GET', '/log');
    await expectAccessible(page, 'the settings with a log');
    await shot('log-card');

    const read = async ({ decision_id, evaluated_at }: VerdictRecord, says: string) => {
      await page.goto(`/#/verdicts?record=${decision_id}&at=${encodeURIComponent(evaluated_at)}`);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Receipt', exact: true }).click();
      await dialog.getByText(says).waitFor();
      const saved = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Download the receipt' }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toBe(`${decision_id}.json`);
      const receipt = JSON.parse(await readFile(await file.path(), 'utf8')) as VerdictReceipt;
      const { record } = await verifyReceipt(receipt, { keys: log.keys.map(({ key }) => key), openBlock });
      expect(record.decision_id).toBe(decision_id);
      return receipt;
    };
    expect((await read(permitted, 'The receipt discloses only this verdict.')).discloses).toBe(1);
    await expectAccessible(page, 'a receipt');
    await shot('receipt');
    const { discloses, entry } = await read(other, 'Give it only to people who may see all of them');
    const { records } = JSON.parse(entry) as { readonly records: number };
    expect(discloses).toBe(records);
    expect(records).toBeGreaterThan(1);
    await shot('receipt-of-a-block');
    expect(problems).toEqual([]);

    async function shot(name: string): Promise<void> {
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` });
    }
  });

  /** Asks until a block is so large that it does not wait for its leaf: a verdict with a permit, and one without. */
  async function logged(): Promise<readonly [VerdictRecord, VerdictRecord]> {
    const scopes = ['verify', 'permit'];
    const { key } = await stage.api<{ key: string }>('POST', '/keys', { name: 'till', scopes });
    const permit = { audience: 'https://till.example' };
    const intents = [{ ...INTENT, permit }, ...Array.from({ length: 99 }, () => INTENT)];
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const init = { method: 'POST', headers, body: JSON.stringify({ intents }) };
    for (;;) {
      const answers = await Promise.all(
        Array.from({ length: 25 }, () => fetch(`${stage.server.origin}/api/verify/batch`, init)),
      );
      const read = (await answers[0]?.json()) as { readonly verdicts: readonly VerdictRecord[] } | undefined;
      const [first, second] = read?.verdicts ?? [];
      if (first === undefined || second === undefined) throw new Error('There is no verdict.');
      const path = `/verifications/${second.decision_id}/receipt?evaluated_at=${second.evaluated_at}`;
      const isThere = async () => (await stage.api('GET', path).catch(() => undefined)) !== undefined;
      for (let tries = 0; tries < 50; tries += 1) {
        if (await isThere()) return [first, second];
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }
});
