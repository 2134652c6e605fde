import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Change, CollectionName } from '../../src/ports/index.ts';

const AT = '2026-11-20T12:00:00.000Z';

/** A server between a storage and Redis. */
export interface Proxy {
  readonly url: string;
  /** Lets nothing through any more, without a word. What was swallowed is lost. */
  swallow(isSwallowing: boolean): void;
  /** Keeps back what the present connections send, until what it gives back is called: then it arrives, also from one that has ended. */
  hold(): () => void;
  /** Ends all connections; new ones lead elsewhere. */
  leadTo(url: string): void;
}

/** The step that inserts a record. */
export function insert(id: string, collection: CollectionName = 'passports', account_id = 'acc_a'): Change {
  const record = { id, account_id, version: 1, created_at: AT, status: 'active', domain: 'a.example' };
  return { op: 'insert', collection, record };
}

/** Stands between a storage and the server of the URL until the test ends. */
export async function startProxy(url: string): Promise<Proxy> {
  let target = Number(new URL(url).port);
  let isSwallowing = false;
  const sockets = new Set<Socket>();
  /** What is kept back of a connection. */
  const held = new Map<Socket, (() => void)[]>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('data', (chunk) => {
        const kept = held.get(from);
        if (kept !== undefined) kept.push(() => to.write(chunk));
        else if (!isSwallowing) to.write(chunk);
      });
      from.on('close', () => {
        sockets.delete(from);
        if (!isSwallowing && !held.has(from)) to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    end();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallow(given) {
      isSwallowing = given;
    },
    hold() {
      for (const socket of sockets) held.set(socket, []);
      return () => {
        for (const kept of held.values()) for (const pass of kept) pass();
        held.clear();
      };
    },
    leadTo(given) {
      target = Number(new URL(given).port);
      end();
    },
  };
}
