/** After a revocation is acknowledged: no new permit from 1 s on, and the last one dead at the resource after 66 s. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createIdentityService, type ServiceWith } from '../../../src/core.ts';
import { type IdentityCapability, identity } from '../../../src/identity/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import { createPermitVerifier } from '../../../src/tokens/proof/index.ts';
import { nightly, sized } from '../../support/runs.ts';
import { PUBLIC_URL, SECRET } from '../../support/service.ts';
import { namedStores, openShared } from '../../support/stores.ts';
import { AUDIENCE, ISSUER } from './stage.ts';

type SigningService = ServiceWith<readonly [IdentityCapability]>;

const NODES = 3;
const ROUNDS = nightly(60, sized(3, 1));
/** From then on a revocation holds on every node. */
const HOLDS_MS = 1_000;
/** The longest life of a permit that began within that second, and the leeway of the resource. */
const DEAD_MS = HOLDS_MS + 60_000 + 5_000;
const BEFORE_MS = 400;
const AFTER_MS = HOLDS_MS + 600;
const EVERY_MS = 10;

/** A permit, and when the verification that got it began, by the clocks of this machine. */
interface Issued {
  readonly token: string;
  readonly startedAt: number;
}

/** A question that gets permits until `stop`, of which one node learns first. */
interface Case {
  readonly name: string;
  ask(service: SigningService): Promise<string | null | undefined>;
  stop(service: SigningService): Promise<unknown>;
}

async function casesOf(service: SigningService, round: number): Promise<readonly Case[]> {
  const terms = { domain: 'example.com', allowed_actions: ['read'], monetary_limit_per_txn: 1 };
  const agentOf = (name: string, more: object = {}) =>
    service.passports.create({ ...terms, agent_name: `${name}-${round}`, ...more });
  const intentOf = (agent_id: string) => ({
    ...{ agent_id, action: 'read' },
    permit: { audience: AUDIENCE, seconds: 60 },
  });
  const verifying = (name: string, agent_id: string, stop: Case['stop']): Case => ({
    ask: async (node) => (await node.verify(intentOf(agent_id))).permit,
    ...{ name, stop },
  });
  const names = ['revoked', 'suspended', 'narrowed', 'expired', 'parent', 'keyed'];
  const [revoked = '', suspended = '', narrowed = '', expired = '', parent = '', keyed = ''] = (
    await Promise.all(names.map((name) => agentOf(name)))
  ).map(({ agent_id }) => agent_id);
  const { agent_id: child } = await agentOf('child', { parent_agent_id: parent });
  const { key, id } = await service.keys.create({ name: `${round}`, scopes: ['verify', 'permit'] });
  return [
    verifying('revoke', revoked, (node) => node.revoke({ agent_id: revoked })),
    verifying('suspend', suspended, (node) => node.suspend({ agent_id: suspended })),
    verifying('a narrower passport', narrowed, (node) =>
      node.passports.update(narrowed, { allowed_actions: ['write'] }),
    ),
    verifying('an end that is now', expired, (node) =>
      node.passports.update(expired, { expires_at: new Date(Date.now() + 10).toISOString() }),
    ),
    verifying('revoke its parent', child, (node) => node.revoke({ agent_id: parent })),
    {
      name: 'revoke the key',
      ask: async (node) => (await node.verifyAs(key, intentOf(keyed)).catch(() => undefined))?.permit,
      stop: (node) => node.keys.revoke(id),
    },
  ];
}

test.each(await namedStores())(
  '%s',
  async (store, { name, open }) => {
    const storages = await openShared({ name, open }, NODES);
    const nodes = storages.map((storage, index) => openNode(index === NODES - 1 ? deaf(storage) : storage));
    const [first] = nodes as [SigningService];
    const keys = await first.signing.jwks();
    const useAt = (ms: number) =>
      createPermitVerifier({
        ...{ issuers: [ISSUER], audience: AUDIENCE, keys, once: false },
        at: () => ms,
      });

    for (let round = 0; round < ROUNDS; round += 1) {
      const stopped = (await casesOf(first, round)).map(async ({ name: how, ask, stop }) => {
        const issued: Issued[] = [];
        let isOver = false;
        const askOnce = async (node: SigningService) => {
          const startedAt = performance.now();
          const token = await ask(node);
          if (typeof token === 'string') issued.push({ token, startedAt });
        };
        await Promise.all(nodes.map(askOnce));
        expect(issued.length, how).toBe(NODES);
        const asking = nodes.map(async (node) => {
          while (!isOver) {
            await askOnce(node);
            await pause(EVERY_MS);
          }
        });
        await pause(BEFORE_MS);
        await stop(first);
        const acknowledged = performance.now();
        const acknowledgedAt = Date.now();
        await pause(AFTER_MS);
        isOver = true;
        await Promise.all(asking);
        const late = issued.filter(({ startedAt }) => startedAt >= acknowledged + HOLDS_MS);
        expect(late, `${store}: ${how}`).toEqual([]);
        // The permits were alive at the resource.
        const reading = { action: 'read' };
        const then = useAt(acknowledgedAt);
        await then(issued.at(-1)?.token, reading);
        const dead = useAt(acknowledgedAt + DEAD_MS);
        for (const { token } of issued) {
          await expect(dead(token, reading), how).rejects.toMatchObject({ details: { problem: 'time' } });
        }
      });
      await Promise.all(stopped);
    }
  },
  nightly(600_000, 60_000),
);

function openNode(storage: StorageAdapter): SigningService {
  const service = createIdentityService({
    storage,
    capabilities: [identity({ secret: SECRET, publicUrl: PUBLIC_URL })],
    ...{ domainProof: 'off', rateLimits: 'off', storageDeadlineMs: 30_000, log: () => undefined },
  });
  onTestFinished(() => service.close());
  return service;
}

/** A storage that no message comes from. */
function deaf({ subscribe: _, ...storage }: StorageAdapter): StorageAdapter {
  return storage;
}
