import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { Capability } from '../../src/core.ts';
import { erasure } from '../../src/erasure/index.ts';
import { fetchHandler } from '../../src/http/index.ts';
import { createIdentityService } from '../../src/index.ts';
import type { StorageAdapter } from '../../src/ports/index.ts';
import { waitUntil } from '../core/erasure/wait.ts';
import { PATIENT_MS } from '../support/patience.ts';

const ACTOR = { account_id: 'acc_1' };
const PASSPORT = { domain: 'a.example', agent_name: 'vergissmich', allowed_actions: ['*'] };
const SUBJECT = 'user-4711';

/** A node whose timers run fifty times as fast, and whose clock is `shift.ms` ahead. */
function openNode<const Listed extends readonly Capability[]>(
  storage: StorageAdapter,
  shift: { readonly ms: number },
  capabilities: Listed,
) {
  const service = createIdentityService({
    storage: { ...storage, close: async () => {} },
    capabilities,
    clock: { now: () => Date.now() + shift.ms },
    storageDeadlineMs: PATIENT_MS,
    after(ms, run) {
      const timer = setTimeout(run, ms / 50);
      return () => clearTimeout(timer);
    },
  });
  onTestFinished(() => service.close());
  return service;
}

type Erasing = ReturnType<typeof openNode<readonly []>>;

async function erased(storage: StorageAdapter, shift: { ms: number }, { erasures }: Erasing) {
  const running = erasures.run();
  await waitUntil(async () =>
    (await storage.list('erasures', { where: {}, limit: 1 })).every(({ swept_at }) => swept_at !== null),
  );
  shift.ms += 20_000;
  await running;
  expect(await storage.list('erasures', { where: {}, limit: 1 })).toEqual([]);
}

async function settle({ passports, verify }: Erasing): Promise<string> {
  const { agent_id } = await passports.create({ ...PASSPORT, monetary_limit_per_txn: 0 }, ACTOR);
  await verify({ agent_id, action: 'read', subject: SUBJECT }, ACTOR);
  return agent_id;
}

test('a service without erasure has no methods and no endpoints for it', async () => {
  const service = openNode(memoryStorage(), { ms: 0 }, []);
  for (const methods of [service, service.as(ACTOR)]) {
    expect(Object.keys(methods)).not.toContain('subjects');
    expect(Object.keys(methods.passports)).not.toContain('purge');
  }
  const handle = fetchHandler(service);
  const ask = (method: string, path: string) => handle(new Request(`http://h/api${path}`, { method }));
  expect((await ask('POST', '/subjects/erase')).status).toBe(404);
  expect((await ask('DELETE', '/passports/did:web:a.example:agents:b')).status).toBe(404);
});

test('a service without erasure completes the erasure of an agent that another node began', async () => {
  const [storage, shift] = [memoryStorage(), { ms: 0 }];
  const node = openNode(storage, shift, [erasure()]);
  const agent_id = await settle(node);
  await node.revoke({ agent_id }, ACTOR);
  await node.passports.purge(agent_id, ACTOR);
  await node.close();
  const bare = openNode(storage, shift, []);
  await erased(storage, shift, bare);
  expect((await bare.verifications.list({}, ACTOR)).data).toEqual([]);
  expect((await bare.passports.versions(agent_id, {}, ACTOR)).data).toEqual([]);
});

test('a service without erasure deletes an account with all its subjects', async () => {
  const [storage, shift] = [memoryStorage(), { ms: 0 }];
  const service = openNode(storage, shift, []);
  await settle(service);
  expect((await service.verifications.list({ subject: SUBJECT }, ACTOR)).data).toHaveLength(1);
  await service.accounts.delete(ACTOR.account_id);
  await erased(storage, shift, service);
  expect(await storage.journal.blocks({ ...ACTOR, limit: 1 })).toEqual([]);
});

test('a service without erasure shows no subject that another node erased', async () => {
  const [storage, shift] = [memoryStorage(), { ms: 0 }];
  const [node, bare] = [openNode(storage, shift, [erasure()]), openNode(storage, shift, [])];
  await settle(node);
  const shown = async () => (await bare.verifications.list({}, ACTOR)).data.map(({ subject }) => subject);
  await node.verifications.list({}, ACTOR);
  expect(await shown()).toEqual([SUBJECT]);
  expect(await node.subjects.erase({ subject: SUBJECT }, ACTOR)).toEqual({ erased: 1, has_more: false });
  await waitUntil(async () => (await shown())[0] === null);
});
