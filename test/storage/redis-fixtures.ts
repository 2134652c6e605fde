import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Change, CollectionName, RollupQuery } from '../../src/ports/index.ts';

const AT = '2026-11-20T12:00:00.000Z';

/** A server between a storage and Redis. */
export interface Proxy {
  readonly url: string;
  /** Lets nothing through any more, without a word. What was swallowed is lost. */
  swallow(isSwallowing: boolean): void;
  /** Ends all connections; new ones lead elsewhere. */
  leadTo(url: string): void;
}

/** The rollups of the hour from the instant of all fixtures on. */
export const ROLLUPS: RollupQuery = {
  account_id: 'acc_a',
  environment: 'live',
  agent_id: '',
  resolution: 'minute',
  kinds: ['verdict'],
  from: AT,
  to: '2026-11-20T13:00:00.000Z',
  byStart: false,
};

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
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('data', (chunk) => {
        if (!isSwallowing) to.write(chunk);
      });
      from.on('close', () => {
        sockets.delete(from);
        if (!isSwallowing) to.destroy();
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
    leadTo(given) {
      target = Number(new URL(given).port);
      end();
    },
  };
}
