/** An application with its own cookie in a browser: its dashboard works, and pages of other origins change nothing. */
import { readFileSync } from 'node:fs';
import type { TlsOptions } from 'node:tls';
import express from 'express';
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { everyCapability } from '../../src/capabilities.ts';
import { endpoints } from '../../src/http/index.ts';
import { createIdentityService } from '../../src/index.ts';
import { makeCertificate } from '../support/certificate.ts';
import { closeAfterFile } from '../support/closers.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { openFolder } from '../support/process.ts';
import { dump } from '../support/storage-probe.ts';
import { hasChromium, openBrowser } from './browser.ts';
import { hostApp, serve } from './host-app.ts';

const ANN = { account: 'org-1', member: 'user-1', role: 'owner' } as const;

/** A service, with a payment that waits for a person: its approval needs no body. */
async function openHost() {
  const storage = memoryStorage();
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage,
    capabilities: everyCapability(),
  });
  closeAfterFile(() => service.close());
  const actor = await service.actorOf(ANN);
  const { agent_id } = await service.passports.create(
    {
      ...{ domain: 'shop.example', agent_name: 'buyer', monetary_limit_per_txn: 100, currency: 'EUR' },
      ...{ allowed_actions: ['payments.create'], approval: { actions: ['payments.create'] } },
    },
    actor,
  );
  const parameters = { amount: 50, currency: 'EUR' };
  await service.verify({ agent_id, action: 'payments.create', parameters }, actor);
  const { data } = await service.approvals.list({}, actor);
  const [waiting] = data;
  if (waiting === undefined) throw new Error('No approval waits.');
  return { service, storage, approval: waiting.id };
}

/** The path of an endpoint, for the approval that waits. */
function pathOf(path: string, approval: string): string {
  return path.replace('/approvals/{id}', `/approvals/${approval}`).replaceAll(/[{}]/g, '');
}

/** A certificate for these names, which the browser is told to take. */
function certificateFor(names: readonly string[]): TlsOptions {
  const { folder, remove } = openFolder();
  closeAfterFile(async () => remove());
  const { cert, key } = makeCertificate(folder, names);
  return { cert: readFileSync(cert), key: readFileSync(key) };
}

describe.runIf(hasChromium)('in a browser', () => {
  let open: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    open = await openBrowser(['*.site.example', 'other.example']);
  });

  test('leads to the login of the application and back to the same page, works, and signs out', async () => {
    const { service } = await openHost();
    const origin = `http://localhost:${await serve(hostApp(service, 'lax', { ann: ANN }))}`;
    const { page, problems } = await open(origin);
    await page.goto('/#/keys');
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`${origin}/#/keys`);
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    const { status, kept } = await page.evaluate(async () => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"a"}' };
      return { status: (await fetch('api/keys', init)).status, kept: sessionStorage.length };
    });
    expect([status, kept]).toEqual([201, 0]);
    await page.goto('/#/settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await page.getByText('Password').count()).toBe(0);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });

  // Sibling subdomains are one site. Names of localhost are trusted as https is; from others a browser sends no
  // Sec-Fetch-Site over plain http, and takes no cookie with SameSite=None.
  test.each<[scheme: 'http' | 'https', site: string, elsewhere: string, 'none' | 'lax' | undefined]>([
    ['http', 'site.localhost', '127.0.0.1', 'lax'],
    ['http', 'site.localhost', '127.0.0.1', 'none'],
    ['http', 'site.localhost', '127.0.0.1', undefined],
    ['http', 'site.example', 'other.example', 'lax'],
    ['http', 'site.example', 'other.example', undefined],
    ['https', 'site.example', 'other.example', 'lax'],
    ['https', 'site.example', 'other.example', 'none'],
  ])(
    'pages of other origins change nothing over %s at %s, beside %s, with a cookie whose SameSite is %s',
    async (scheme, site, elsewhere, sameSite) => {
      const { service, storage, approval } = await openHost();
      const tls = scheme === 'https' ? certificateFor([`DNS:*.${site}`, `DNS:${elsewhere}`]) : undefined;
      const heard = new Set<boolean>();
      const app = express().use((request, _, next) => {
        if (request.method === 'POST') heard.add(request.headers['sec-fetch-site'] !== undefined);
        next();
      });
      const hostPort = await serve(app.use(hostApp(service, sameSite, { ann: ANN })), tls);
      const hostile = express().get('/', (_, response) => void response.send('<!doctype html><body>'));
      const hostilePort = await serve(hostile, tls);
      const host = `${scheme}://app.${site}:${hostPort}`;
      const { page } = await open(host, { ignoreHTTPSErrors: true });
      await page.goto('/login?next=/');
      expect(await page.evaluate(async () => (await fetch('api/account')).status)).toBe(200);
      const before = await dump(storage);
      const unsafe = endpoints
        .filter(
          ({ role, ownLogin, method, needs }) =>
            role && !ownLogin && method !== 'GET' && needs?.(service, true) !== false,
        )
        .map(({ method, path }) => ({ method, url: `${host}/api${pathOf(path, approval)}` }));
      expect(unsafe.some(({ url }) => url.endsWith('/approve'))).toBe(true);
      for (const attacker of [
        `${scheme}://evil.${site}:${hostilePort}`,
        `${scheme}://${elsewhere}:${hostilePort}`,
      ]) {
        await page.goto(attacker);
        await page.evaluate(async (targets) => {
          for (const { method, url } of targets) {
            const credentials = 'include';
            if (method === 'POST') {
              await fetch(url, { method, mode: 'no-cors', credentials }).catch(() => undefined);
              await fetch(url, { method, mode: 'no-cors', credentials, body: '{}' }).catch(() => undefined);
              navigator.sendBeacon(url);
            }
            await fetch(url, { method, credentials }).catch(() => undefined);
          }
        }, unsafe);
        for (const { method, url } of unsafe.filter((one) => one.method === 'POST')) {
          await page.goto(attacker);
          const answered = page.waitForResponse((response) => response.url() === url);
          await page.evaluate(
            ([action, way]) => {
              const form = document.createElement('form');
              Object.assign(form, { method: way, action });
              document.body.append(form);
              form.submit();
            },
            [url, method] as const,
          );
          const status = (await answered).status();
          await page.waitForURL(url);
          expect([url, status]).toEqual([url, 403]);
        }
      }
      expect(await dump(storage)).toBe(before);
      expect([...heard]).toEqual([scheme === 'https' || site.endsWith('localhost')]);
    },
  );
});
