/** The access tokens of an agent at its passport and at their verdicts, and the issuers that it trusts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { agentTokens } from '../../src/tokens/index.ts';
import { generateAgentKey } from '../../src/tokens/proof/index.ts';
import { expectAccessible, hasChromium, openStage, type Stage, signIn } from './browser.ts';

const PUBLIC_URL = 'https://id.example.com/api';
const RESOURCE = 'https://mcp.example/mcp';
const TRUSTED = { issuer: 'https://idp.example', use: 'user', subjects: ['ann'] };

describe.runIf(hasChromium)('access tokens', () => {
  let stage: Stage;
  let agent_id: string;
  beforeAll(async () => {
    stage = await openStage(['--access-tokens', '--public-url', PUBLIC_URL]);
    const { private_jwk: key, public_jwk } = await generateAgentKey();
    const passport = { domain: 'example.com', agent_name: 'buyer', monetary_limit_per_txn: 0 };
    const allowed = { allowed_actions: ['oauth:token'], public_keys: [public_jwk] };
    ({ agent_id } = await stage.api<{ agent_id: string }>('POST', '/passports', { ...passport, ...allowed }));
    const there: typeof fetch = (url, init) =>
      fetch(`${url}`.replace(PUBLIC_URL, `${stage.server.origin}/api`), init);
    const issuer = `${PUBLIC_URL}/issuers/example.com`;
    const tokens = agentTokens({ issuer, agent_id, key, dpop: false, fetch: there });
    await tokens.token(RESOURCE);
    await tokens.token('https://mcp.example/other');
  });

  test('the passport shows the tokens of the last hour by resource, and suspends the agent', async () => {
    const { page, problems } = await stage.open({ viewport: { width: 360, height: 800 } });
    await signIn(page, `/#/passports/${encodeURIComponent(agent_id)}`);
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Access tokens' }) });
    await card.getByRole('row', { name: RESOURCE }).getByRole('cell', { name: '1', exact: true }).waitFor();
    await card.getByRole('row', { name: 'https://mcp.example/other' }).waitFor();
    await expectAccessible(page, 'the passport');
    await card.getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByRole('button', { name: 'Reinstate' }).waitFor();
    expect(await card.getByRole('button', { name: 'Suspend' }).count()).toBe(0);
    const path = `/passports/${encodeURIComponent(agent_id)}`;
    expect(await stage.api('GET', path)).toMatchObject({ status: 'suspended' });
    await stage.api('POST', '/reinstate', { agent_id });
    expect(problems).toEqual([]);
  });

  test('the verdict names the resource of its access token', async () => {
    const { page } = await stage.open();
    await signIn(page, '/#/verdicts?verdict=ALLOW');
    await page
      .getByRole('button', { name: 'oauth:token' })
      .or(page.getByRole('link', { name: 'oauth:token' }))
      .last()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Access token for').waitFor();
    await dialog.getByText(RESOURCE, { exact: true }).first().waitFor();
    expect(await dialog.getByText('Permit for').count()).toBe(0);
  });

  test('the form stores trusted issuers, and shows the fault of one', async () => {
    const { page } = await stage.open();
    await signIn(page, `/#/passports/${encodeURIComponent(agent_id)}/edit`);
    const field = page.getByLabel('Trusted issuers');
    await field.fill(JSON.stringify({ ...TRUSTED, use: 'device' }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save the change' }).click();
    await page.locator('.field', { hasText: 'Trusted issuers' }).locator('.error').waitFor();
    await field.fill(JSON.stringify(TRUSTED));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save the change' }).click();
    await page.getByText('user of https://idp.example: ann').waitFor();
    const path = `/passports/${encodeURIComponent(agent_id)}`;
    expect(await stage.api('GET', path)).toMatchObject({ trusted_issuers: [TRUSTED] });
  });
});
