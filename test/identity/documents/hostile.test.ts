import { Agent, request } from 'node:http';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { didListener } from '../../../src/identity/index.ts';
import type { StorageAdapter } from '../../../src/ports/index.ts';
import { ED25519_KEYS } from '../../support/agent-keys.ts';
import { nightly, sized } from '../../support/runs.ts';
import { exchange, listen } from '../../support/servers.ts';
import { openDidStage, PASSPORT } from './stage.ts';

const OWN = ['shop.example', 'other.example%3A8443', 'xn--mnchen-3ya.example'] as const;

async function openHosts(options: Parameters<typeof openDidStage>[0] = {}) {
  const stage = openDidStage(options);
  const account_id = await stage.account('ann@example.com');
  for (const domain of OWN) {
    const input = { domain, agent_name: 'shopper', ...PASSPORT, public_keys: [ED25519_KEYS[0]] };
    await stage.service.passports.create(input, { account_id });
  }
  return stage;
}

const piece = fc.oneof(
  fc.constantFrom(
    'shop.example',
    'other.example',
    ':8443',
    ':443',
    ':80',
    '%3A8443',
    '.',
    '..',
    '/',
    '\\',
    '@',
  ),
  fc.constantFrom(
    'xn--mnchen-3ya.example',
    'münchen.example',
    'SHOP.EXAMPLE',
    'localhost',
    '127.0.0.1',
    '[::1]',
  ),
  fc.constantFrom(',', ' ', '\t', '%00', '%2e', '*', '?', '#', 'shop.example,shop.example', '﻿', '__proto__'),
  fc.string({ maxLength: 8, unit: 'binary' }),
);
const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));
const paths = fc.oneof(
  fc.constantFrom('/.well-known/did.json', '/agents/shopper/did.json', '/agents/shopper/jwks.json'),
  text.map((name) => `/agents/${name}/did.json`),
  text.map((name) => `/${name}`),
);

test('whatever the host and the path, nothing breaks and the document of another is never shown', async () => {
  const { service } = await openHosts();
  const origin = await listen((asked, answer) => void serve(asked, answer));
  const serve = didListener(service);
  const { port } = new URL(origin);
  const seen = new Map<number, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());

  const ask = (host: string, path: string): Promise<{ status: number; id: string } | undefined> =>
    new Promise((resolve) => {
      const lines = { host: Buffer.from(host).toString('latin1') };
      try {
        request({ port, host: '127.0.0.1', path, headers: lines, agent, setHost: false }, async (answer) => {
          const chunks: Buffer[] = [];
          for await (const chunk of answer) chunks.push(chunk as Buffer);
          // What Node itself refuses has no body.
          const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
          resolve({ status: answer.statusCode ?? 0, id: `${body.id}` });
        })
          .on('error', () => resolve(undefined))
          .end();
      } catch {
        // Node sends no such header or path at all.
        resolve(undefined);
      }
    });

  await fc.assert(
    fc.asyncProperty(text, paths, async (host, path) => {
      const answer = await ask(host, path);
      if (answer === undefined) return;
      const { status, id } = answer;
      seen.set(status, (seen.get(status) ?? 0) + 1);
      expect(status).toBeLessThan(500);
      if (status !== 200 || path.endsWith('jwks.json')) return;
      // The id is that of the host that was asked: an agent of it, or a domain that is claimed, at any port.
      const sent = host.replace(/^[ \t]+|[ \t]+$/g, '').toLowerCase();
      const meant = sent.replace(/:443$/, '').replace(':', '%3A');
      const isAgent = path.startsWith('/agents/');
      expect(id).toBe(isAgent ? `did:web:${meant}:agents:shopper` : `did:web:${meant}`);
      const own: readonly string[] = isAgent ? OWN : OWN.map((domain) => domain.split('%')[0] ?? '');
      expect(own).toContain(isAgent ? meant : meant.split('%')[0]);
    }),
    { numRuns: nightly(100_000, sized(2_000, 300)) },
  );
  expect(seen.get(404) ?? 0).toBeGreaterThan(0);
}, 600_000);

test('two Host headers, none, and an address in the request line name no domain', async () => {
  const { service } = await openHosts();
  const serve = didListener(service);
  const origin = await listen((asked, answer) => void serve(asked, answer));
  const path = '/agents/shopper/did.json';
  const status = async (sent: string): Promise<string> => (await exchange(origin, sent)).slice(9, 12);
  expect(await status(`GET ${path} HTTP/1.1\r\nHost: shop.example\r\n\r\n`)).toBe('200');
  const twice = 'Host: shop.example\r\nHost: other.example:8443\r\n\r\n';
  expect(['400', '404']).toContain(await status(`GET ${path} HTTP/1.1\r\n${twice}`));
  expect(await status(`GET ${path} HTTP/1.0\r\n\r\n`)).toBe('404');
  expect(await status(`GET http://shop.example${path} HTTP/1.1\r\nHost: nobody.example\r\n\r\n`)).toBe('404');
});

/** A storage that counts the reads under way, and holds them until it is told. */
function heldStorage() {
  const inner = memoryStorage();
  const counts = { held: false, now: 0, most: 0, all: 0 };
  const waiting: (() => void)[] = [];
  const storage: StorageAdapter = {
    ...inner,
    async get(collection, id) {
      counts.now += 1;
      counts.all += 1;
      counts.most = Math.max(counts.most, counts.now);
      if (counts.held) await new Promise<void>((resolve) => waiting.push(resolve));
      counts.now -= 1;
      return inner.get(collection, id);
    },
  };
  const release = () => {
    counts.held = false;
    for (const go of waiting.splice(0)) go();
  };
  return { storage, counts, release };
}

test('allows third parties 16 reads of the storage at a time, and refuses more with retry-after', async () => {
  const { storage, counts, release } = heldStorage();
  const { ask } = await openHosts({ storage });
  Object.assign(counts, { held: true, now: 0, most: 0, all: 0 });
  const asked = Array.from({ length: 100 }, (_, index) => ask('shop.example', `/agents/a${index}/did.json`));
  const same = Array.from({ length: 100 }, () => ask('shop.example', '/agents/a0/did.json'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(counts.now).toBe(16);
  release();
  const answers = await Promise.all(asked);
  const statuses = answers.map((answer) => answer?.status);
  expect(statuses.filter((status) => status === 404)).toHaveLength(16);
  expect(statuses.filter((status) => status === 503)).toHaveLength(84);
  expect(answers.at(-1)?.headers.get('retry-after')).toBe('1');
  expect(JSON.parse(answers.at(-1)?.text ?? '').code).toBe('overloaded');
  // Those who ask for the same wait for the same.
  expect((await Promise.all(same)).map((answer) => answer?.status)).toEqual(same.map(() => 404));
  expect(counts.most).toBe(16);
});

test('what is not there is remembered for 5 s, what is there for less than a second', async () => {
  const { storage, counts } = heldStorage();
  const { ask, clock } = await openHosts({ storage });
  const path = '/agents/late/did.json';
  expect((await ask('shop.example', path))?.status).toBe(404);
  counts.all = 0;
  for (let round = 0; round < 50; round += 1) await ask('shop.example', path);
  expect(counts.all).toBe(0);
  clock.advance(5_000);
  expect((await ask('shop.example', path))?.status).toBe(404);
  expect(counts.all).toBe(1);
  await ask('shop.example', '/agents/shopper/did.json');
  counts.all = 0;
  for (let round = 0; round < 50; round += 1) await ask('shop.example', '/agents/shopper/did.json');
  expect(counts.all).toBe(0);
  clock.advance(1_000);
  await ask('shop.example', '/agents/shopper/did.json');
  expect(counts.all).toBe(2);
});

test('a storage that is down is 503 for what is not in memory, and shows nothing', async () => {
  const { storage, counts } = heldStorage();
  const failing: StorageAdapter = {
    ...storage,
    async get(collection, id) {
      if (counts.held) throw new Error('ECONNREFUSED 10.0.0.7:5432');
      return storage.get(collection, id);
    },
  };
  const { ask, logs } = await openHosts({ storage: failing });
  counts.held = true;
  const answer = await ask('shop.example', '/agents/nobody/did.json');
  expect([answer?.status, answer?.headers.get('cache-control')]).toEqual([503, 'no-store']);
  expect(answer?.text).not.toContain('ECONNREFUSED');
  expect(logs.some(({ event }) => event === 'request_failed')).toBe(true);
});
