/** The pages and files that the entry point serves, without a browser. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardHandler, dashboardRouter } from '../../adapters/dashboard/index.ts';
import { scripts } from '../../adapters/dashboard/page.generated.ts';
import { frame, referencePage } from '../../adapters/dashboard/reference.ts';
import { identityRouter } from '../../adapters/express/index.ts';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { endpoints, openApiDocument, ROLES } from '../../src/http/index.ts';
import { PROBLEMS } from '../../src/http/problem.ts';
import { createIdentityService } from '../../src/index.ts';
import { people } from '../../src/people/index.ts';
import { PATIENT_MS } from '../support/patience.ts';

const HOSTILE = `<script>alert("x")</script>'&\``;
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const FILES = [
  '/',
  '/app.js',
  '/what-changes.js',
  '/app.css',
  '/roles.json',
  '/favicon.svg',
  '/reference',
  '/reference.css',
];

const session = { secret: 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!' };
const capabilities = [people()] as const;
const storageDeadlineMs = PATIENT_MS;
const service = createIdentityService({ storageDeadlineMs, storage: memoryStorage(), session, capabilities });
const fetchPage = dashboardHandler(service, { basePath: '/below' });
let server: Server;
let origin: string;

beforeAll(async () => {
  const app = express();
  app.use('/api', identityRouter(service));
  app.use('/board', dashboardRouter(service, { api: '../api' }));
  app.use('/', dashboardRouter(service));
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await service.close();
});

test.each(FILES)('%s is there, under the policy, by Express and by Fetch', async (path) => {
  const answers = [
    await fetch(`${origin}${path}?x=1`),
    await fetchPage(new Request(`http://host/below${path}`)),
  ];
  const texts = [];
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toBe(POLICY);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    texts.push(await answer.text());
  }
  expect(texts[1]).toBe(texts[0]);
  expect(texts[0]).not.toBe('');
  expect(texts[0]).not.toMatch(/(?:src|href)="(?:https?:)?\//);
});

test('what has not changed is not sent again', async () => {
  const first = await fetch(`${origin}/app.js`);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"\w{6,}"$/);
  const again = await fetch(`${origin}/app.js`, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect((await fetch(`${origin}/app.css`, { headers: { 'if-none-match': etag } })).status).toBe(200);
});

test('a first visit loads at most 46,330 bytes, as gzip -9', async () => {
  const bodies = await Promise.all(
    ['/', '/app.js', '/app.css'].map(async (path) =>
      gzipSync(await (await fetch(origin + path)).text(), { level: 9 }),
    ),
  );
  const total = bodies.reduce((sum, { length }) => sum + length, 0);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThanOrEqual(46_330);
});

test.each([
  ['logins of the service', {}],
  ['the login of an application', { login: 'host', signIn: '/login' }],
] as const)('with %s each role has the list of the endpoints that it may not call', async (_, options) => {
  const isHost = 'login' in options;
  const answer = dashboardHandler(service, options)(new Request('http://host/roles.json'));
  const lists = (await answer.json()) as Readonly<Record<string, readonly string[]>>;
  expect(Object.keys(lists)).toEqual(ROLES);
  for (const { method, path, role = ROLES, ownLogin, needs } of endpoints) {
    const name = `${method} ${path}`;
    const isServed = (needs?.(service, isHost) ?? true) && !(isHost && ownLogin);
    const callers = isServed ? ROLES.filter((one) => role.includes(one) || role.includes('self')) : [];
    expect([name, ROLES.filter((one) => !lists[one]?.includes(name))]).toEqual([name, callers]);
  }
});

/** The endpoints with roles that change something, and are not offered by their own name. */
const NOT_OFFERED = [
  ...['commit', 'extend', 'release'].map((change) => `POST /spends/{decision_id}/${change}`),
  ...['DELETE /passports/{agent_id}', 'POST /passports/{agent_id}/sign'],
  // Beside PATCH /members/{id}, for the same roles.
  ...['POST /members/{id}/link', 'DELETE /members/{id}/sessions'],
];

test('the scripts name each endpoint that not every role may call as the table does', () => {
  const text = Object.values(scripts).join('\n');
  const named = new Set(text.match(/(?<=["'`])(?:POST|PATCH|DELETE) \/[^"'`]*(?=["'`])/g));
  const bound = endpoints
    .filter(({ method, role = ROLES }) => method !== 'GET' && !ROLES.every((one) => role.includes(one)))
    .map(({ method, path }) => `${method} ${path}`);
  expect([...named].sort()).toEqual(bound.filter((name) => !NOT_OFFERED.includes(name)).sort());
});

test('below another path its addresses are relative to a slash', async () => {
  const moved = await fetch(`${origin}/board?a=1`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([308, './board/?a=1']);
  expect(await (await fetch(`${origin}/board?a=1`)).text()).toContain('<meta name="api" content="../api">');
  const answer = fetchPage(new Request('http://host/below'));
  expect([answer.status, answer.headers.get('location')]).toEqual([308, './below/']);
});

test('HEAD has the head, other methods are 405, other paths belong to the application', async () => {
  const head = await fetch(`${origin}/`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(300);
  const refused = await fetch(`${origin}/`, { method: 'POST', body: 'x' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await fetch(`${origin}/nowhere`)).status).toBe(404);
  for (const url of ['http://host/below/nowhere', 'http://host/', 'http://host/belowapp.js']) {
    expect(fetchPage(new Request(url)).status).toBe(404);
  }
});

test('a service without logins has no dashboard', async () => {
  for (const given of [{ capabilities }, { session }]) {
    const without = createIdentityService({ storageDeadlineMs, storage: memoryStorage(), ...given });
    for (const make of [dashboardRouter, dashboardHandler]) {
      expect(() => make(without)).toThrow(expect.objectContaining({ code: 'invalid_configuration' }));
    }
    await without.close();
  }
});

test('everything in the reference that comes from elsewhere is escaped', () => {
  const real = openApiDocument(endpoints) as { components: { schemas: object } };
  const schemas = {
    ...real.components.schemas,
    Hostile: { description: HOSTILE, properties: { [HOSTILE]: { enum: [HOSTILE] } } },
  };
  const text = `${referencePage({ ...real, components: { ...real.components, schemas } }, HOSTILE).html}${frame(HOSTILE, { html: '' }).html}`;
  expect(text).toContain('&#60;script&#62;');
  expect(text).not.toContain('alert("x")');
});

test('the type of a problem leads to its code in the reference', async () => {
  const problem: { type: string; code: string } = await (await fetch(`${origin}/api/keys`)).json();
  expect(problem.type).toBe('/reference#unauthenticated');
  const page = await (await fetch(new URL(problem.type, origin))).text();
  expect(page).toContain('<section class="sheet" id="unauthenticated"><h3>unauthenticated</h3>');
  for (const code of Object.keys(PROBLEMS)) expect(page.split(` id="${code}"`)).toHaveLength(2);
});

test('the reference has every endpoint, every object, and no link that leads nowhere', async () => {
  const text = referencePage(openApiDocument(endpoints), 'api').html;
  for (const { method, path } of endpoints) {
    expect(text).toContain(
      `<span class="method ${method.toLowerCase()}">${method}</span><h3 class="path">${path}</h3>`,
    );
  }
  const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  expect(ids.size).toBe([...text.matchAll(/ id="/g)].length);
  const links = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(endpoints.length);
  expect(links.filter((id) => !ids.has(id))).toEqual([]);
});
