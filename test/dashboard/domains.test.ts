/** The domains of an account in its settings. */
import { beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, openStage, type Stage, signIn } from './browser.ts';

const DOMAIN = 'no-such-host.invalid';

describe.runIf(hasChromium)('domains', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });

  test('a domain is claimed, looked for and given up, with what to publish to copy', async () => {
    const { page, problems } = await stage.open();
    await signIn(page, '/#/settings');
    await page.getByLabel('Domain', { exact: true }).fill('No such host');
    await page.getByRole('button', { name: 'Prove domain' }).click();
    await page.locator('.field', { hasText: 'Domain' }).locator('.error').waitFor();
    await page.getByLabel('Domain', { exact: true }).fill(DOMAIN);
    await page.keyboard.press('Enter');
    const claim = page.getByRole('region', { name: DOMAIN, exact: true });
    await claim.getByText('pending').waitFor();
    const { data } = await stage.api<{ data: readonly { token: string }[] }>('GET', '/domains');
    expect(data).toHaveLength(1);
    await claim.getByText(`agent-identity=${data[0]?.token}`).waitFor();
    await claim.getByText(`https://${DOMAIN}/.well-known/agent-identity`).waitFor();
    await claim.getByRole('button', { name: 'Check now' }).click();
    await claim.getByText(/The token was not seen\. DNS: no/).waitFor();
    await claim.getByRole('button', { name: 'Give up' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Give up domain' }).click();
    await claim.waitFor({ state: 'detached' });
    expect(await stage.api('GET', '/domains')).toMatchObject({ data: [] });
    expect(problems).toEqual([]);
  });

  test('a domain that a passport has claimed is proved from its line', async () => {
    const passport = { domain: 'claimed.invalid', agent_name: 'one', allowed_actions: ['a.b'] };
    await stage.api('POST', '/passports', { ...passport, monetary_limit_per_txn: 0 });
    const { page } = await stage.open();
    await signIn(page, '/#/settings');
    const claim = page.getByRole('region', { name: 'claimed.invalid', exact: true });
    await claim.getByText('Claimed by a passport, not proven.').waitFor();
    await claim.getByRole('button', { name: 'Prove' }).click();
    await claim.getByText('pending').waitFor();
    await claim
      .getByText(/^agent-identity=/)
      .first()
      .waitFor();
  });
});
