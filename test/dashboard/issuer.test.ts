/** The button of an issuer of OpenID Connect, with a real issuer. */
import { beforeAll, describe, expect, test } from 'vitest';
import { closeAfterFile } from '../support/closers.ts';
import { type Issuer, startIssuer } from '../support/oidc-issuer.mjs';
import { freePort } from '../support/private-servers.mjs';
import { GIVEN } from '../support/process.ts';
import { expectAccessible, hasChromium, openStage, pressOn, type Stage } from './browser.ts';

describe.runIf(hasChromium)('the button of an issuer', () => {
  let stage: Stage;
  let issuer: Issuer;
  beforeAll(async () => {
    const port = await freePort();
    issuer = await startIssuer(`http://localhost:${port}/`);
    closeAfterFile(async () => issuer.close());
    stage = await openStage(
      [
        ...['--port', `${port}`, '--oidc-issuer', issuer.issuer, '--oidc-client-id', issuer.clientId],
        ...['--oidc-label', 'Example login', '--allow-localhost'],
      ],
      { ...GIVEN, AGENT_IDENTITY_OIDC_CLIENT_SECRET: issuer.clientSecret },
    );
  });

  test('refuses an unknown person, lets a person with a link join, and signs in by the button then', async () => {
    const { page, problems } = await stage.open();
    const seen: string[] = [];
    const transactions: string[] = [];
    page.context().on('request', (request) => {
      seen.push(`${request.method()} ${request.url()} from ${request.headers()['referer'] ?? ''}`);
      if (request.url().endsWith('/auth/oidc/finish')) transactions.push(request.postDataJSON().transaction);
    });
    const button = page.getByRole('button', { name: 'Continue with Example login' });
    await page.goto('/');
    await pressOn(page, button);
    await page.getByText('This sign-in was not completed.').waitFor();
    expect(page.url()).toBe(`${stage.server.origin}/`);
    await expectAccessible(page, 'a refused sign-in');

    const { link, member } = await stage.api<{ link: { token: string }; member: { id: string } }>(
      'POST',
      '/members',
      { role: 'viewer', name: 'Ann' },
    );
    await page.goto(`/#/join/${link.token}`);
    await button.click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.locator('.who').textContent()).toContain('Ann');
    await page.goto('/#/passports');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await button.click();
    await page.getByRole('heading', { name: 'Passports' }).waitFor();
    const { data } = await stage.api<{ data: { id: string; login: string }[] }>('GET', '/members');
    expect(data.find(({ id }) => id === member.id)?.login).toBe('oidc');

    // What the issuer answered was in one address each, and nowhere after it.
    const answers = seen.filter((request) => request.includes('?code='));
    expect(answers).toHaveLength(3);
    for (const answer of answers) {
      const [, url = ''] = answer.split(' ');
      const query = new URL(url).searchParams;
      for (const name of ['code', 'state']) {
        const value = query.get(name) ?? '';
        expect(
          seen.filter((request) => request !== answer && !request.includes(issuer.issuer)).join('\n'),
        ).not.toContain(value);
        expect(await page.content()).not.toContain(value);
      }
    }
    for (const request of seen) expect(request).not.toContain(link.token);
    // Neither are the transaction and its verifier, which the tab keeps until it is back.
    expect(transactions).toHaveLength(3);
    for (const transaction of transactions) {
      const verifier = verifierOf(transaction);
      for (const request of seen)
        for (const kept of [transaction, verifier]) expect(request).not.toContain(kept);
    }
    expect(await page.evaluate(() => sessionStorage.getItem('agent-identity-away'))).toBeNull();
    const written = stage.server.stdout() + stage.server.stderr();
    for (const hidden of [link.token, issuer.clientSecret, 'code=']) expect(written).not.toContain(hidden);
    expect(problems).toEqual([]);
  });

  test('an answer that this tab has not asked for signs no person in, and leaves the address', async () => {
    const { page } = await stage.open();
    await page.goto('/?code=a-code-of-another&state=a-state');
    await page.getByText('This sign-in was not completed.').waitFor();
    expect(page.url()).toBe(`${stage.server.origin}/`);
  });
});

/** The verifier inside a transaction: the service reads it there. */
function verifierOf(transaction: string): string {
  const [payload = ''] = transaction.split('.');
  const [, content = ''] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, string];
  const { verifier } = JSON.parse(content) as { readonly verifier: string };
  expect(verifier.length).toBeGreaterThan(40);
  return verifier;
}
