/** The token of a permit is in nothing that the service keeps or says, but in its answer. */
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { createMetrics } from '../../../src/metrics/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import { dumpOf } from '../../core/erasure/dump.ts';
import { survivingStores } from '../../support/kills.ts';
import { nightly } from '../../support/runs.ts';
import { dump } from '../../support/storage-probe.ts';
import { openPermits } from './stage.ts';

const PERMITS = nightly(10_000, 60);

/** A store, and everything in it, read past the adapter where it has a server or a file. */
interface Readable {
  readonly storage: StorageAdapter;
  readAll(): Promise<string>;
}

const stores: readonly (readonly [string, () => Promise<Readable>])[] = [
  ['memory', async () => toReadable(memoryStorage(), dump)],
  ...survivingStores().map(([name, make]) => {
    const open = async () => {
      const store = await make();
      onTestFinished(() => store.remove());
      return toReadable(await store.open(), async () => (await dumpOf(store.url)).join('\n'));
    };
    return [name, open] as const;
  }),
];

function toReadable(storage: StorageAdapter, read: (storage: StorageAdapter) => Promise<string>): Readable {
  return { storage, readAll: () => read(storage) };
}

/** A storage that keeps the text of everything that it is given. */
function overheard(inner: StorageAdapter, said: (text: string) => void): StorageAdapter {
  const heard = <Methods extends object>(methods: Methods): Methods =>
    new Proxy(methods, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (name === 'journal') return heard(member as object);
        // The clock of the test is that of the store.
        if (name === 'time') return async (at: string) => ({ at, isMark: false });
        if (typeof member !== 'function') return member;
        return (...given: readonly unknown[]) => {
          said(JSON.stringify(given, (_, one) => textOf(one)) ?? '');
          return member.apply(target, given);
        };
      },
    });
  return heard(inner);
}

/** Bytes as text, so that a token in them is found. */
function textOf(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
}

/** The length of the beginning and the end of a part, by which the part is known: the end of claims has their digest. */
const END = 64;

/** The parts of tokens, to be searched for in texts. */
function createSearch() {
  const ends = new Set<string>();
  return {
    /** The number of beginnings and ends that are searched for. */
    size: () => ends.size,
    add(token: string) {
      for (const part of token.split('.')) ends.add(part.slice(0, END)).add(part.slice(-END));
    },
    /** Returns what of them is in the text. */
    in(text: string): readonly string[] {
      const found: string[] = [];
      for (const [run] of text.matchAll(/[A-Za-z0-9_-]{64,}/g)) {
        for (let at = 0; at + END <= run.length; at += 1) {
          const part = run.slice(at, at + END);
          if (ends.has(part)) found.push(part);
        }
      }
      return found;
    },
  };
}

test.each(stores)('not in %s, and in nothing that is told', async (_, open) => {
  const { storage, readAll } = await open();
  const heard: string[] = [];
  const sent: string[] = [];
  const metrics = createMetrics();
  const transport = {
    refusal: () => undefined,
    async post({ url, headers, body }: { url: string; headers: object; body: string }) {
      sent.push(JSON.stringify([url, headers, body]));
      return { status: 204, retryAfter: null };
    },
  };
  const opened = await openPermits(
    { budgets: [] },
    { webhooks: { transport }, metrics },
    overheard(storage, (text) => heard.push(text)),
  );
  const { service, intentOf, seen, logs, trail, clock, timers, signer } = opened;
  await service.webhooks.create({ url: 'https://hooks.example', types: ['passport.*', 'verdict.*'] });
  const stream = await service.events.open();
  const told: string[] = [];
  const listening = (async () => {
    for await (const event of stream) told.push(JSON.stringify(event));
  })();
  const search = createSearch();
  const errors: string[] = [];
  for (let count = 0; count < PERMITS; count += 1) {
    clock.advance(1);
    const asked = count % 2 === 0 ? { idempotencyKey: `${count}` } : {};
    const intent = intentOf({ subject: `user-${count}` });
    const { permit } = await service.verify(intent, asked);
    search.add(permit ?? 'no token.no token.no token');
    if (count % 10 === 0) search.add((await service.verify(intent, asked)).permit ?? '');
    if (count % 20 === 0) {
      signer.fault = 'throws';
      const failure = await service.verify(intentOf()).catch((error: unknown) => error);
      errors.push(inspect(failure, { depth: Number.POSITIVE_INFINITY }));
      signer.fault = 'none';
    }
  }
  const toldNow = async () => {
    await timers.pass(1_000);
    return told.length;
  };
  await expect.poll(toldNow).toBeGreaterThan(0);
  await timers.pass(90_000);
  const csv: string[] = [];
  for await (const text of await service.verifications.csv()) csv.push(text);
  const listed = await service.verifications.list({ limit: 100 });
  stream.close();
  await listening;
  const places: Readonly<Record<string, string>> = {
    store: await readAll(),
    calls: heard.join('\n'),
    logs: inspect([logs, trail], { depth: Number.POSITIVE_INFINITY, maxArrayLength: null }),
    records: inspect(seen, { depth: Number.POSITIVE_INFINITY, maxArrayLength: null, maxStringLength: null }),
    pages: JSON.stringify(listed),
    csv: csv.join(''),
    events: told.join('\n'),
    webhooks: sent.join('\n'),
    metrics: metrics.text(),
    errors: errors.join('\n'),
  };
  // Each of the tokens has its own claims and signature; the header is that of all.
  expect(search.size()).toBeGreaterThanOrEqual(3 * PERMITS);
  for (const [place, text] of Object.entries(places)) {
    expect([place, text.length > 0, search.in(text)]).toEqual([place, true, []]);
  }
  for (const place of ['calls', 'records', 'pages', 'csv', 'store']) {
    expect(places[place], place).toContain('https://pay.example');
  }
  const { permit = '' } = await service.verify(intentOf());
  search.add(permit ?? '');
  // What is there is found.
  expect(search.in(`x${permit}`)).toHaveLength(6);
});
