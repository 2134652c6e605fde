import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dashboardListener } from '../../adapters/dashboard/index.ts';
import { endpoints, openApiDocument } from '../../src/http/index.ts';

const HOSTILE = `<script>alert("x")</script>'&\``;

let server: Server;
let origin: string;

beforeAll(async () => {
  const real = openApiDocument(endpoints) as { components: { schemas: object } };
  const schemas = {
    ...real.components.schemas,
    Hostile: { description: HOSTILE, properties: { [HOSTILE]: { enum: [HOSTILE] } } },
  };
  const document = { ...real, components: { ...real.components, schemas } };
  const options = { version: HOSTILE, origin: HOSTILE, storage: HOSTILE, document };
  server = createServer(dashboardListener(options)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.each(['/', '/reference', '/reference?x=1', '/style.css'])(
  '%s is there, under a policy that lets nothing in',
  async (path) => {
    const answer = await fetch(origin + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const text = await answer.text();
    expect(text).not.toContain('<script');
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  },
);

test('everything that comes from elsewhere is escaped', async () => {
  for (const path of ['/', '/reference']) {
    const text = await (await fetch(origin + path)).text();
    expect(text).toContain('&#60;script&#62;');
    expect(text).not.toContain('alert("x")');
  }
});

test('the reference has every endpoint, every object, and no link that leads nowhere', async () => {
  const text = await (await fetch(`${origin}/reference`)).text();
  for (const { method, path } of endpoints) {
    expect(text).toContain(
      `<span class="method ${method.toLowerCase()}">${method}</span><h3 class="path">${path}</h3>`,
    );
  }
  const home = await (await fetch(`${origin}/`)).text();
  const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  expect(ids.size).toBe([...text.matchAll(/ id="/g)].length);
  const links = [...`${text}${home}`.matchAll(/href="(?:\/reference)?#([^"]+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(endpoints.length);
  expect(links.filter((id) => !ids.has(id))).toEqual([]);
});

test('HEAD has the head, other paths are 404, other methods 405', async () => {
  const head = await fetch(`${origin}/`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1_000);
  expect((await fetch(`${origin}/nowhere`)).status).toBe(404);
  const refused = await fetch(`${origin}/`, { method: 'POST', body: 'x' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
