import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import { packRecords, type TimedRecord } from '../../src/journal-format/index.ts';
import { BLOCK_FLAGS } from '../../src/ports/journal.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import { recordOf } from '../journal-format/records.ts';
import { openApi, signIn } from '../support/api.ts';
import { fileBlocks } from '../support/journal.ts';
import { openService, START } from '../support/service.ts';
import { collectWarnings } from '../support/warnings.ts';

const PAGE = 1_000;
const PAGES = 300;
/** A page is longer than a socket and a response hold. */
const ACTION = 'a'.repeat(250);

/** A storage that counts how often it is asked for blocks. */
interface Watched extends StorageAdapter {
  reads: number;
  /** The read that fails; none by default. */
  failsAt: number;
}

function watched(): Watched {
  const inner = memoryStorage();
  const storage: Watched = {
    ...inner,
    reads: 0,
    failsAt: Number.POSITIVE_INFINITY,
    journal: {
      ...inner.journal,
      async blocks(query) {
        // Each page of records is followed by one look for reports of outcomes.
        if (query.flags === BLOCK_FLAGS.outcomes) return inner.journal.blocks(query);
        const page = storage.reads;
        storage.reads += 1;
        if (page >= storage.failsAt) throw new Error('connection lost');
        return inner.journal.blocks(query);
      },
    },
  };
  return storage;
}

/** The given number of pages of verdicts, a millisecond apart, before the present. */
function* verdicts(): Generator<TimedRecord> {
  const length = PAGE * PAGES;
  for (let index = 0; index < length; index += 1) {
    const evaluated_at = new Date(START - length + index).toISOString();
    yield { record: recordOf(index, { action: ACTION, evaluated_at }), bucket: 3 };
  }
}

const BLOCKS = packRecords(verdicts());

async function openExport() {
  const storage = watched();
  const opened = openService({ storage });
  const { token, account_id } = await signIn(opened, openApi(opened));
  await fileBlocks(storage, account_id, BLOCKS);
  const headers = { accept: 'text/csv', authorization: `Bearer ${token}` };
  return { storage, service: opened.service, headers };
}

/** Longer than a reader buffers ahead. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 50));

describe('over Fetch', () => {
  async function openResponse(method = 'GET') {
    const scene = await openExport();
    const { service, headers } = scene;
    const asked = new Request('http://localhost/api/verifications', { method, headers });
    return { ...scene, response: await fetchHandler(service)(asked) };
  }

  test('never asks for more than one page ahead of the client', async () => {
    const { storage, response } = await openResponse();
    let lines = 0;
    let taken = 0;
    for await (const chunk of response.body ?? []) {
      taken += 1;
      if (taken % 50 === 1) await aWhile();
      expect(storage.reads).toBeLessThanOrEqual(taken + 1);
      lines += new TextDecoder().decode(chunk).split('\n').length - 1;
    }
    expect(lines).toBe(1 + PAGE * PAGES);
    expect(storage.reads).toBe(PAGES + 1);
  });

  test('stops to read when the client has gone', async () => {
    const { storage, response } = await openResponse();
    const reader = response.body?.getReader();
    for (let chunk = 0; chunk < 3; chunk += 1) await reader?.read();
    await reader?.cancel();
    const { reads } = storage;
    await aWhile();
    expect(storage.reads).toBe(reads);
    expect(reads).toBeLessThanOrEqual(4);
  });

  test('breaks off when the storage fails in the middle', async () => {
    const { storage, response } = await openResponse();
    storage.failsAt = 5;
    await expect(response.text()).rejects.toThrow();
  });

  test('reads no more than the first page for HEAD', async () => {
    const { storage, response } = await openResponse('HEAD');
    await aWhile();
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(storage.reads).toBe(1);
  });
});

describe('over node:http', () => {
  async function openRequest(method = 'GET') {
    const scene = await openExport();
    const warnings = collectWarnings();
    const sending = { pending: 0 };
    const listener = nodeListener(scene.service);
    const server = createServer((asked, answer) => {
      sending.pending = 0;
      const { write } = answer;
      answer.write = ((...given: Parameters<typeof write>) => {
        sending.pending = Math.max(sending.pending, answer.writableLength);
        return write.apply(answer, given);
      }) as typeof write;
      listener(asked, answer);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const { port } = server.address() as AddressInfo;
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/api/verifications',
      method,
      headers: scene.headers,
    });
    sent.on('error', () => {});
    sent.end();
    return { ...scene, sent, sending, warnings };
  }

  async function answerOf(sent: ReturnType<typeof request>): Promise<IncomingMessage> {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  }

  test('waits for a client that does not read, holds one page, and leaves no listener behind', async () => {
    const { storage, sent, sending, warnings } = await openRequest();
    const answer = await answerOf(sent);
    // What fits into the buffers of two sockets is sent, then nothing more is read.
    let reads = -1;
    while (storage.reads !== reads) {
      reads = storage.reads;
      await aWhile();
    }
    expect(reads).toBeLessThan(PAGES / 2);
    let bytes = 0;
    let lines = 0;
    for await (const chunk of answer) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) lines += 1;
    }
    expect(lines).toBe(1 + PAGE * PAGES);
    expect(storage.reads).toBe(PAGES + 1);
    // Before each write nothing waits but what the one before has left.
    expect(sending.pending).toBeLessThan((2 * bytes) / PAGES);
    expect(warnings).toEqual([]);
  });

  test('stops to read when the client has gone', async () => {
    const { storage, sent } = await openRequest();
    const answer = await answerOf(sent);
    answer.on('error', () => {});
    await once(answer, 'data');
    answer.destroy();
    await aWhile();
    const { reads } = storage;
    await aWhile();
    expect(storage.reads).toBe(reads);
    expect(reads).toBeLessThan(PAGES);
  });

  test('stops when the client has gone before the first page was read', async () => {
    const { service, headers } = await openExport();
    const written: string[] = [];
    const gone = {
      destroyed: true,
      writeHead: () => undefined,
      write(piece: string) {
        written.push(piece);
        return false;
      },
      on: () => undefined,
      end: () => undefined,
      destroy: () => undefined,
    };
    const asked = {
      method: 'GET',
      url: '/api/verifications',
      rawHeaders: Object.entries(headers).flat(),
      headers: {},
      on: () => undefined,
      pause: () => undefined,
    };
    await nodeListener(service)(asked, gone);
    await aWhile();
    expect(written).toEqual([]);
  });

  test('breaks the connection when the storage fails in the middle', async () => {
    const { storage, sent } = await openRequest();
    storage.failsAt = 5;
    const answer = await answerOf(sent);
    expect(answer.statusCode).toBe(200);
    await expect(
      (async () => {
        for await (const _ of answer);
      })(),
    ).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('reads no more than the first page for HEAD', async () => {
    const { storage, sent } = await openRequest('HEAD');
    const answer = await answerOf(sent);
    answer.resume();
    await once(answer, 'end');
    expect(answer.headers['content-type']).toMatch(/^text\/csv/);
    expect(storage.reads).toBe(1);
  });
});
