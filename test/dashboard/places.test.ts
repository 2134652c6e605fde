/** The pages wherever they are mounted, over every kind of storage. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { dashboardHandler, dashboardRouter } from '../../adapters/dashboard/index.ts';
import { identityRouter } from '../../adapters/express/index.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { everyCapability } from '../../src/capabilities.ts';
import { fetchHandler } from '../../src/http/index.ts';
import { createIdentityService, type IdentityService } from '../../src/index.ts';
import { administer, hasPostgres } from '../storage/postgres-database.ts';
import { hasRedis } from '../storage/redis-server.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { startRedis } from '../support/private-servers.mjs';
import { GIVEN, openFolder, startServe } from '../support/process.ts';
import { listen, listenExpress } from '../support/servers.ts';
import { startProxy } from '../support/tcp-proxy.mjs';
import { EMAIL, hasChromium, openBrowser, PASSWORD, signIn, type Watched } from './browser.ts';
import { below } from './sub-path.ts';

const AGENT = 'did:web:shop.example:agents:buyer';
const NAME = 'buyer';

let open: Awaited<ReturnType<typeof openBrowser>>;
beforeAll(async () => {
  if (hasChromium) open = await openBrowser();
});

describe.runIf(hasChromium)('below a path of a proxy', () => {
  test('mounted by Express', async () => {
    const service = await openMemory();
    const origin = await listenExpress((app) => {
      app.use('/inner/api', identityRouter(service));
      app.use('/inner/board', dashboardRouter(service, { api: '../api' }));
    });
    await walkThrough(await open(origin), `${await below('/outer', origin)}/inner/board`);
  });

  test('mounted by a Fetch handler', async () => {
    const service = await openMemory();
    const api = fetchHandler(service, { basePath: '/inner/api' });
    const pages = dashboardHandler(service, { basePath: '/inner/board', api: '../api' });
    const origin = await listenFetch((request) =>
      new URL(request.url).pathname.startsWith('/inner/api') ? api(request) : pages(request),
    );
    await walkThrough(await open(origin), `${await below('/outer', origin)}/inner/board`);
  });
});

const storages: Record<string, () => Promise<string>> = {
  memory: async () => 'memory:',
  sqlite: async () => 'sqlite:pages.db',
};
if (await hasPostgres()) {
  storages['postgres'] = async () => {
    const server = administer();
    afterAll(() => server.end());
    return server.newSchema();
  };
}
if (await hasRedis()) {
  storages['redis'] = async () => {
    const server = await startRedis();
    onTestFinished(server.remove);
    return server.url;
  };
}

describe.runIf(hasChromium)('over every storage', () => {
  test.each(Object.entries(storages))('%s', async (_, place) => {
    const origin = await serve(await place());
    await walkThrough(await open(origin), await below('/deep/below', origin));
  });

  test.runIf('redis' in storages)('one that is down says so, and is asked again by itself', async () => {
    const store = await startRedis();
    onTestFinished(store.remove);
    const line = await startProxy(store.port);
    onTestFinished(() => line.close());
    const origin = await serve(`redis://127.0.0.1:${line.port}`);
    const { page, problems } = await open(origin);
    await signIn(page, '/#/keys');
    await page.getByText('There is no key yet.').waitFor();
    await line.refuse();
    await page.getByRole('link', { name: 'Passports' }).click();
    await page.getByText('The service cannot answer now.').waitFor();
    await page.getByText('This page tries again automatically.').waitFor();
    await line.pass();
    await page.getByText('There is no passport yet.').waitFor();
    expect(problems).toEqual([]);
  });
});

async function openMemory(): Promise<IdentityService> {
  const session = { secret: GIVEN.AGENT_IDENTITY_SECRET };
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: memoryStorage(),
    session,
    capabilities: everyCapability(),
  });
  onTestFinished(() => service.close());
  await service.accounts.create({ email: EMAIL, password: PASSWORD });
  return service;
}

async function serve(storage: string): Promise<string> {
  const { folder, remove } = openFolder();
  const server = await startServe({ cwd: folder, env: GIVEN }, ['--storage', storage]);
  onTestFinished(async () => {
    await server.stop();
    remove();
  });
  return server.origin;
}

/** A server of Node before a handler of the Fetch standard. */
function listenFetch(handle: (request: Request) => Response | Promise<Response>): Promise<string> {
  return listen(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const response = await handle(
      new Request(`http://${headers.host}${url}`, {
        method,
        headers: headers as Record<string, string>,
        signal: gone.signal,
        ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' }),
      } as RequestInit),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) outgoing.end();
    else
      Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
        .on('error', () => {})
        .pipe(outgoing);
  });
}

/** From signing in to a verdict that comes live: every kind of call that the pages make. */
async function walkThrough({ page, problems }: Watched, address: string): Promise<void> {
  await signIn(page, `${address}/#/passports/new`);
  await page.getByLabel('Domain').fill('shop.example');
  await page.getByLabel('Agent name').fill(NAME);
  await page.getByLabel('Allowed actions').fill('payments.create');
  await page.getByLabel('Limit per transaction').fill('10');
  await page.getByRole('button', { name: 'Issue passport' }).click();
  await page.getByRole('heading', { name: NAME }).waitFor();
  await page.getByRole('link', { name: 'API Keys' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('host');
  await page.keyboard.press('Enter');
  const key = (await page.getByTestId('secret').textContent()) ?? '';
  await page.getByLabel('I have saved it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('1 of 20 active keys').waitFor();
  await page.getByRole('link', { name: 'Verdicts' }).click();
  await page.getByRole('button', { name: 'Live' }).click();
  await page.getByText('New verdicts appear').waitFor();
  const api = await page.locator('meta[name=api]').getAttribute('content');
  const answer = await fetch(new URL(`${api}/verify`, `${address}/`), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ agent_id: AGENT, action: 'cats.feed' }),
  });
  expect(answer.status).toBe(200);
  await page.getByRole('button', { name: 'cats.feed' }).click();
  await page.getByRole('dialog').getByText('action_not_allowed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Analytics' }).click();
  await page.getByRole('img', { name: /1 DENY/ }).waitFor();
  await page.reload();
  await page.getByRole('img', { name: /1 DENY/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`${new URL(address).pathname}/`);
  expect(problems).toEqual([]);
}
