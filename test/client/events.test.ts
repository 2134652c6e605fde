import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createAdminClient, createIdentityClient } from '../../src/client.ts';
import { systemAfter } from '../../src/core/shared/timers.ts';
import { nodeListener } from '../../src/http/index.ts';
import type { IdentityEvent } from '../../src/records/event.ts';
import { issue, makeKey, openApi, signIn } from '../support/api.ts';
import { listen } from '../support/servers.ts';
import { openService, PASSWORD } from '../support/service.ts';
import { startProxy } from '../support/tcp-proxy.mjs';

const AGENT = 'did:web:example.com:agents:shopper';

/** A service behind a proxy whose connections can be cut. */
async function stage() {
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const opened = openService({ clock, after: systemAfter, storage: memoryStorage() });
  const { service } = opened;
  const api = openApi(opened);
  const { token, account_id, email } = await signIn(opened, api);
  await issue(api, token);
  const { key, id } = await makeKey(api, token, { scopes: ['verify', 'events'] });
  const origin = new URL(await listen(nodeListener(service)));
  const proxy = await startProxy(Number(origin.port));
  onTestFinished(() => proxy.close());
  const baseUrl = `http://127.0.0.1:${proxy.port}/api`;
  const describe = (description: string) => service.passports.update(AGENT, { description }, { account_id });
  let streams = 0;
  const { open } = service.events;
  Object.assign(service.events, {
    async open(...asked: Parameters<typeof open>) {
      const stream = await open(...asked);
      streams += 1;
      return stream;
    },
  });
  /** Settles when the given number of streams has been opened since the beginning. */
  const opening = async (count: number) => {
    while (streams < count) await pause(10);
  };
  return {
    ...opened,
    opening,
    service,
    api,
    token,
    account_id,
    email,
    key,
    keyId: id,
    baseUrl,
    proxy,
    describe,
  };
}

function collect(events: AsyncIterable<IdentityEvent>) {
  const found: IdentityEvent[] = [];
  const ended = (async () => {
    for await (const event of events) found.push(event);
  })();
  ended.catch(() => undefined);
  const until = async (count: number) => {
    for (let tried = 0; found.length < count && tried < 800; tried += 1) await pause(20);
    return found.map(({ data }) => (data as { description?: string }).description);
  };
  return { found, ended, until };
}

test('both clients follow, and go on behind the last event when the connection is cut', async () => {
  const { key, baseUrl, proxy, describe, email, opening } = await stage();
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const clients = [
    createIdentityClient({ baseUrl, apiKey: key }),
    createAdminClient({ baseUrl, email, password: PASSWORD }),
  ];
  const readers = clients.map((client) => collect(client.events({ types: ['passport.updated'] }, options)));
  await opening(2);
  await describe('a');
  for (const { until } of readers) expect(await until(1)).toEqual(['a']);
  proxy.cut();
  await describe('b');
  await describe('c');
  for (const { until } of readers) expect(await until(3)).toEqual(['a', 'b', 'c']);
  proxy.cut();
  await pause(3_000);
  await describe('d');
  for (const { until } of readers) expect(await until(4)).toEqual(['a', 'b', 'c', 'd']);
  stop.abort(new Error('enough'));
  for (const { ended } of readers) await expect(ended).rejects.toThrow('enough');
}, 40_000);

test('a connection that is cut before any event came misses none', async () => {
  const { key, baseUrl, proxy, describe, opening } = await stage();
  const stop = new AbortController();
  const client = createIdentityClient({ baseUrl, apiKey: key });
  const { until } = collect(client.events({ types: ['passport.updated'] }, { signal: stop.signal }));
  await opening(1);
  await pause(100);
  proxy.cut();
  await describe('a');
  expect(await until(1)).toEqual(['a']);
  stop.abort();
});

test('it rejects when its key is revoked, and when the first connection fails', async () => {
  const { key, keyId, baseUrl, service, account_id, proxy, opening } = await stage();
  const client = createIdentityClient({ baseUrl, apiKey: key });
  const { ended } = collect(client.events());
  await opening(1);
  await pause(100);
  await service.keys.revoke(keyId, { account_id });
  await expect(ended).rejects.toMatchObject({ code: 'unauthenticated' });
  const refused = collect(client.events({ types: ['no.such'] as never }));
  await expect(refused.ended).rejects.toMatchObject({ code: 'unauthenticated' });
  await proxy.close();
  await expect(collect(client.events()).ended).rejects.toMatchObject({ code: 'service_unreachable' });
});

test('a reader that has enough leaves no stream behind', async () => {
  const { key, baseUrl, service, describe, account_id, opening } = await stage();
  const client = createIdentityClient({ baseUrl, apiKey: key });
  for (let round = 0; round < 7; round += 1) {
    void opening(round + 1).then(() => describe(`round ${round}`));
    for await (const _ of client.events({ types: ['passport.*'] })) break;
    await pause(100);
  }
  const stream = await service.events.open({}, { account_id, plan: 'starter' });
  stream.close();
});
