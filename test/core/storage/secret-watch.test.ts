import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import { passwordHasher } from '../../../src/credential/password.ts';
import { type IdentityOptions, identity } from '../../../src/identity/index.ts';
import { createIdentityService, type ServiceWith, type StorageAdapter } from '../../../src/index.ts';
import { type PeopleCapability, people } from '../../../src/people/index.ts';
import { SECRET_TEXT } from '../../../src/ports/storage.ts';
import { expectProblem, openApi } from '../../support/api.ts';
import { PATIENT_MS } from '../../support/patience.ts';
import { openService } from '../../support/service.ts';
import { probe } from '../../support/storage-probe.ts';
import { stores } from '../../support/stores.ts';

const OLD = 'Zq8-vW2.mK5_tR9+xB3~nL6*pH1=cJ4!';
const NEW = 'uN3_kE7-yG1.bD5+wS9~oV2*fM8=qT6?';
const THIRD = 'aC4.hJ8_rX2-lP6+zF1~eW5*iK9=vB3!';
const LOGIN = { email: 'ada@example.com', password: 'Ein-Gutes-Kennwort-7' };
const INTENT = { agent_id: 'did:web:example.com:agents:shopper', action: 'read' };

type Node = ServiceWith<readonly [PeopleCapability]>;

type Session = NonNullable<Parameters<typeof createIdentityService>[0]['session']>;

function openNode(storage: StorageAdapter, session: Session, options?: IdentityOptions): Node {
  return createIdentityService({
    capabilities: [people(), ...(options === undefined ? [] : [identity(options)])],
    storageDeadlineMs: PATIENT_MS,
    storage,
    session,
    passwordHasher: passwordHasher({ cost: { ln: 4, r: 8, p: 1 } }),
  });
}

/** What it says at its start. */
function start(node: Node): Promise<string> {
  return node.health().then(
    () => 'ready',
    (error: { readonly code: string }) => error.code,
  );
}

async function tokenOf(node: Node): Promise<string> {
  return (await node.login(LOGIN)).access_token;
}

/** Whether a node takes a token. */
function takes(node: Node, token: string): Promise<boolean | string> {
  return node.authenticateSession(token).then(
    () => true,
    (error: { readonly code: string }) => (error.code === 'unauthenticated' ? false : error.code),
  );
}

describe.each(stores)('on %s', (_name, open) => {
  test('a node whose secret is another is refused, with every login and token; verdicts go on', async () => {
    const storage = await open();
    const node = openNode(storage, { secret: OLD });
    await node.accounts.create(LOGIN);
    expect(await start(node)).toBe('ready');
    const token = await tokenOf(node);
    const other = openNode(storage, { secret: NEW });
    expect(await start(other)).toBe('invalid_configuration');
    await expect(other.login(LOGIN)).rejects.toMatchObject({ code: 'invalid_configuration' });
    expect(await takes(other, token)).toBe('invalid_configuration');
    expect((await other.verify(INTENT)).verdict).toBe('DENY');
    expect(await start(openNode(storage, { secret: OLD }))).toBe('ready');
    await node.close();
  });

  test('of two first starts at the same time with different secrets one is refused', async () => {
    const storage = await open();
    const nodes = [OLD, NEW].map((secret) => openNode(storage, { secret }));
    expect((await Promise.all(nodes.map(start))).sort()).toEqual(['invalid_configuration', 'ready']);
    await nodes[0]?.close();
  });

  test('a change of the secret, node by node, ends no session and refuses no node', async () => {
    const storage = await open();
    const before = openNode(storage, { secret: OLD });
    const { id: account_id } = await before.accounts.create(LOGIN);
    for (const name of ['a', 'b', 'c']) await before.keys.create({ name }, { account_id });
    const oldToken = await tokenOf(before);
    const { next_cursor } = await before.keys.list({ limit: 1 }, { account_id });
    const cursor = next_cursor ?? '';

    const both = openNode(storage, { secret: NEW, previousSecret: OLD });
    expect(await start(both)).toBe('ready');
    expect(await takes(both, oldToken)).toBe(true);
    expect((await both.keys.list({ limit: 1, cursor }, { account_id })).data).toHaveLength(1);
    const newToken = await tokenOf(both);
    expect(await takes(before, newToken)).toBe(false);
    expect(await start(openNode(storage, { secret: OLD }))).toBe('ready');
    expect(await start(openNode(storage, { secret: NEW, previousSecret: OLD }))).toBe('ready');

    const after = openNode(storage, { secret: NEW });
    expect(await start(after)).toBe('ready');
    expect(await takes(after, newToken)).toBe(true);
    expect(await takes(after, oldToken)).toBe(false);
    expect(await start(openNode(storage, { secret: OLD }))).toBe('invalid_configuration');
    expect(await start(openNode(storage, { secret: OLD, previousSecret: THIRD }))).toBe(
      'invalid_configuration',
    );
    await before.close();
  });

  test('nodes that know the coming secret beforehand take each token during the change', async () => {
    const storage = await open();
    const prepared = openNode(storage, { secret: OLD, previousSecret: NEW });
    await prepared.accounts.create(LOGIN);
    expect(await start(prepared)).toBe('ready');
    const changed = openNode(storage, { secret: NEW, previousSecret: OLD });
    expect(await start(changed)).toBe('ready');
    expect(await takes(prepared, await tokenOf(changed))).toBe(true);
    expect(await takes(changed, await tokenOf(prepared))).toBe(true);
    expect(await start(openNode(storage, { secret: OLD, previousSecret: NEW }))).toBe('ready');
    expect(await start(openNode(storage, { secret: NEW }))).toBe('ready');
    expect(await start(openNode(storage, { secret: OLD }))).toBe('invalid_configuration');
    await prepared.close();
  });

  test('a list of secrets of before lets a new one start, and keeps the sessions of each', async () => {
    const storage = await open();
    const before = openNode(storage, { secret: OLD });
    await before.accounts.create(LOGIN);
    const oldToken = await tokenOf(before);
    const previousSecrets = [THIRD, OLD, NEW];
    const changed = openNode(storage, { secret: NEW }, { previousSecrets });
    expect(await start(changed)).toBe('ready');
    expect(await takes(changed, oldToken)).toBe(true);
    expect(await takes(changed, await tokenOf(changed))).toBe(true);
    // The nodes that are still to come.
    expect(await start(openNode(storage, { secret: OLD }))).toBe('ready');
    expect(await start(openNode(storage, { secret: THIRD }, { previousSecrets: [`${THIRD}${OLD}`] }))).toBe(
      'invalid_configuration',
    );
    expect(await start(openNode(storage, { secret: NEW }))).toBe('ready');
    expect(await start(openNode(storage, { secret: OLD }))).toBe('invalid_configuration');
    await before.close();
  });

  test('a secret that is lost is replaced once, and the lost one counts no more', async () => {
    const storage = await open();
    const node = openNode(storage, { secret: OLD });
    expect(await start(node)).toBe('ready');
    expect(await start(openNode(storage, { secret: NEW, secretLost: true }))).toBe('ready');
    expect(await start(openNode(storage, { secret: NEW }))).toBe('ready');
    expect(await start(openNode(storage, { secret: OLD }))).toBe('invalid_configuration');
    await node.close();
  });
});

test('what is stored holds nothing of the secret, and is another in each storage', async () => {
  const texts = await Promise.all(
    [memoryStorage(), memoryStorage()].map(async (storage) => {
      await start(openNode(storage, { secret: OLD }));
      await start(openNode(storage, { secret: NEW, previousSecret: OLD }));
      return `${(await storage.get('shared_texts', SECRET_TEXT))?.['text']}`;
    }),
  );
  expect(new Set(texts.flatMap((text) => text.split(' '))).size).toBe(4);
  for (const text of texts) {
    expect(text).toMatch(/^[\w+/]{22}\.[\w+/]{22} [\w+/]{22}\.[\w+/]{22}$/);
    for (const secret of [OLD, NEW]) {
      for (const form of [secret, btoa(secret).slice(0, 12)]) expect(text).not.toContain(form);
    }
  }
});

test('checks the secret as soon as the storage answers after an outage at the start', async () => {
  const inner = memoryStorage();
  await start(openNode(inner, { secret: OLD }));
  const storage = probe(inner);
  const node = openNode(storage, { secret: NEW });
  storage.fail = () => Promise.reject(new Error('down'));
  expect(await start(node)).toBe('storage_unavailable');
  storage.fail = undefined;
  await expect.poll(() => start(node)).toBe('invalid_configuration');
});

test('a previous secret that is the secret itself, or too short, is refused', () => {
  for (const previousSecret of [NEW, 'short']) {
    expect(() => openNode(memoryStorage(), { secret: NEW, previousSecret })).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    );
  }
});

test('a node with another secret is not ready, and its answer names the secret', async () => {
  const storage = memoryStorage();
  expect(await start(openNode(storage, { secret: OLD }))).toBe('ready');
  const answer = await openApi(openService({ storage, session: { secret: NEW } })).ask(
    'GET',
    '/health/ready',
  );
  expectProblem(answer, 503, 'storage_unavailable');
  expect(answer.body).toMatchObject({
    detail: expect.stringContaining('The signing secret differs from the secret of this storage'),
  });
});
