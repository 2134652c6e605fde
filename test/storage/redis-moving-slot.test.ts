/** A cluster that moves the slot of a store key by key: no script of the adapter may stop in its middle. */
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hasAll } from '../../adapters/storage/redis/guard.ts';
import type { Script } from '../../adapters/storage/redis/script.ts';
import { eventually } from '../support/eventually.ts';
import { freePort, startRedis } from '../support/private-servers.mjs';
import { COLLECTIONS } from '../support/storage-probe.ts';
import {
  type Client,
  connectClient,
  hasRedis,
  keysOf,
  newNamespace,
  type PrivateRedis,
} from './redis-server.ts';

const FOLDER = new URL('../../adapters/storage/redis/', import.meta.url);
const IDENTITY = '0123456789abcdef';
const ALL_SLOTS = ['0', '16383'];

/** Every script that a module of the adapter defines. */
const scripts = vi.hoisted(() => new Map<string, Script>());
vi.mock('../../adapters/storage/redis/script.ts', async (original) => {
  const { notingScripts } = await import('../support/redis-scripts.ts');
  return notingScripts(await original(), scripts);
});

/** The commands of a cluster node. */
interface Node extends PrivateRedis {
  command(...words: string[]): Promise<unknown>;
}

async function startNode(): Promise<Node> {
  const port = await freePort();
  const options = {
    'cluster-enabled': 'yes',
    'cluster-port': `${await freePort()}`,
    'cluster-require-full-coverage': 'no',
  };
  const server = await startRedis({ port, options });
  const client = await connectClient(server.url);
  return { ...server, client, command: (...words) => client.sendCommand(words) };
}

/** The keys with their values. */
async function contentOf(client: Client, namespace: string): Promise<readonly unknown[]> {
  const keys = [...(await keysOf(client, namespace))].sort();
  return Promise.all(keys.map(async (key) => [key, await client.sendCommand(['DUMP', key])]));
}

if (await hasRedis()) {
  describe('a slot that moves key by key', () => {
    let from: Node;
    let to: Node;
    let slot: string;
    const namespace = newNamespace();
    const key = (name: string): string => `{${namespace}}:${name}`;

    beforeAll(async () => {
      // Another file may have imported them before.
      vi.resetModules();
      for (const path of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
        if (path.endsWith('.ts')) await import(new URL(path, FOLDER).href);
      }
      [from, to] = [await startNode(), await startNode()];
      await from.command('CLUSTER', 'ADDSLOTSRANGE', ...ALL_SLOTS);
      const target = new URL(to.url);
      const bus = String(await to.command('CONFIG', 'GET', 'cluster-port')).split(',')[1] ?? '';
      await from.command('CLUSTER', 'MEET', target.hostname, target.port, bus);
      // At first a node takes itself for ready, and then waits for 2 seconds.
      await pause(2_500);
      await eventually(async () =>
        expect(String(await from.command('CLUSTER', 'NODES')).match(/connected/g)).toHaveLength(2),
      );
      for (const node of [from, to])
        await eventually(async () =>
          expect(await node.command('CLUSTER', 'INFO')).toContain('cluster_state:ok'),
        );
      slot = String(await from.command('CLUSTER', 'KEYSLOT', key('marker')));
    });
    afterAll(async () => {
      for (const node of [from, to]) {
        node?.client.destroy();
        await node?.remove();
      }
    });
    beforeEach(async () => {
      await from.command('CLUSTER', 'SETSLOT', slot, 'STABLE');
      for (const found of await keysOf(from.client, namespace)) await from.command('DEL', found);
      await from.command('SET', key('marker'), IDENTITY);
      await from.command('SET', key(`position:${IDENTITY}`), '1');
    });

    const beginMove = async (): Promise<void> => {
      const id = String(await to.command('CLUSTER', 'MYID'));
      await from.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', id);
    };
    const run = ({ text }: { readonly text: string }, ...args: string[]): Promise<unknown> =>
      from.command('EVAL', text, '1', key('marker'), `${IDENTITY} 0`, ...args);

    test('every script of the adapter refuses, before it has read or written anything', async () => {
      expect(scripts.size).toBeGreaterThan(15);
      await beginMove();
      const before = await contentOf(from.client, namespace);
      for (const script of scripts.values()) {
        await expect(run(script, 'x', '1', '1', '1', '1')).rejects.toThrow(/non local key|ASK|TRYAGAIN/);
      }
      expect(await contentOf(from.client, namespace)).toEqual(before);
      await from.command('CLUSTER', 'SETSLOT', slot, 'STABLE');
      const [open] = [...scripts.values()].filter(({ text }) =>
        text.includes("redis.call('SET', KEYS[1], ARGV[1])"),
      );
      expect(await from.command('EVAL', open?.text ?? '', '1', key('marker'), 'another')).toBe(IDENTITY);
    });

    test('without that question a script stops in its middle, and its first write stays', async () => {
      const two = `redis.call('SET', string.sub(KEYS[1], 1, -7) .. 'first', 'new')
        redis.call('SET', string.sub(KEYS[1], 1, -7) .. 'second', 'new')`;
      await from.command('SET', key('first'), 'old');
      await beginMove();
      await expect(run({ text: two })).rejects.toThrow();
      expect(await from.command('GET', key('first'))).toBe('new');
    });

    test('no collection is called as the key that never exists', () => {
      expect(COLLECTIONS).not.toContain('never');
    });
  });
}

describe('the incarnations of a store that moves and comes back', () => {
  test('the last entry of a name counts', () => {
    const list = ['A 0', 'B 5', 'A 9'];
    expect(hasAll(list, 'B', 9)).toBe(true);
    expect(hasAll(list, 'B', 10)).toBe(false);
    expect(hasAll([...list, 'C 12'], 'A', 12)).toBe(true);
    expect(hasAll([...list, 'C 11'], 'A', 12)).toBe(false);
    expect(hasAll(list, 'D', 3)).toBe(false);
  });
});
