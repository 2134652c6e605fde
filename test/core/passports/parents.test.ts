import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { StorageAdapter } from '../../../src/ports/storage.ts';
import type { PassportInput } from '../../../src/records.ts';
import { manualClock, openLocalService, openService } from '../../support/service.ts';
import { stores } from '../../support/stores.ts';

const ID = (name: string) => `did:web:shop.example:agents:${name}`;

function fieldsOf(agent_name: string, more: Partial<PassportInput> = {}): PassportInput {
  return {
    domain: 'shop.example',
    agent_name,
    allowed_actions: ['payments.*', 'quotes.read'],
    monetary_limit_per_txn: 100,
    ...more,
  };
}

async function open(storage: StorageAdapter = memoryStorage(), options: object = {}) {
  const opened = openLocalService({ storage, ...options });
  const { service } = opened;
  const issue = async (name: string, parent?: string, more: Partial<PassportInput> = {}) => {
    const { agent_id } = await service.passports.create(
      fieldsOf(name, { ...more, ...(parent !== undefined && { parent_agent_id: ID(parent) }) }),
    );
    return agent_id;
  };
  const ask = (name: string, action = 'payments.create', amount?: number) =>
    service.verify({ agent_id: ID(name), action, ...(amount !== undefined && { parameters: { amount } }) });
  const codes = async (...asked: Parameters<typeof ask>) =>
    (await ask(...asked)).reasons.map(({ code, reason }) => (reason ? `${code} ${reason}` : code));
  return { ...opened, issue, ask, codes };
}

describe.each(stores)('an agent with a parent in %s', (_, openStore) => {
  test('may do what all of its chain may do, and its record names their versions', async () => {
    const { service, issue, ask, codes } = await open(await openStore());
    await issue('root');
    await issue('middle', 'root', { monetary_limit_per_txn: 50 });
    await issue('leaf', 'middle', { allowed_actions: ['*'], monetary_limit_per_txn: 10_000 });
    expect(await ask('leaf', 'payments.create', 50)).toMatchObject({
      verdict: 'ALLOW',
      passport_version: 1,
      ancestor_versions: [1, 1],
    });
    expect(await codes('leaf', 'payments.create', 51)).toEqual(['parent_denied amount_over_limit']);
    expect(await codes('leaf', 'orders.create')).toEqual([
      'parent_denied action_not_allowed',
      'parent_denied action_not_allowed',
    ]);
    await service.passports.update(ID('middle'), { monetary_limit_per_txn: 60 });
    expect(await ask('leaf', 'payments.create', 60)).toMatchObject({
      verdict: 'ALLOW',
      ancestor_versions: [2, 1],
    });
    expect(await ask('root')).toMatchObject({ ancestor_versions: null });
  });

  test('is denied with its parent, and allowed again with it', async () => {
    const { service, issue, codes, ask } = await open(await openStore());
    await issue('root');
    await issue('middle', 'root');
    await issue('leaf', 'middle');
    expect(await codes('leaf')).toEqual([]);
    await service.suspend({ agent_id: ID('root') });
    expect(await codes('leaf')).toEqual(['parent_denied agent_suspended']);
    await service.reinstate({ agent_id: ID('root') });
    expect(await codes('leaf')).toEqual([]);
    await service.revoke({ agent_id: ID('middle') });
    expect(await codes('leaf')).toEqual(['parent_denied agent_revoked']);
    expect((await ask('leaf')).ancestor_versions).toEqual([2, 3]);
  });

  test('is listed with the other child agents of its parent, newest first', async () => {
    const { service, clock, issue } = await open(await openStore());
    for (const [name, parent] of [
      ['root', undefined],
      ['a', 'root'],
      ['b', 'root'],
      ['c', 'a'],
    ] as const) {
      await issue(name, parent);
      clock.advance(1);
    }
    await service.suspend({ agent_id: ID('a') });
    const listed = async (query: object) =>
      (await service.passports.list({ parent_agent_id: ID('root'), ...query })).data.map(
        ({ agent_name }) => agent_name,
      );
    expect(await listed({})).toEqual(['b', 'a']);
    expect(await listed({ status: 'suspended' })).toEqual(['a']);
    expect(await listed({ status: 'expired' })).toEqual([]);
    expect(await listed({ domain: 'shop.example' })).toEqual(['b', 'a']);
    expect(await listed({ domain: 'other.example' })).toEqual([]);
    const page = await service.passports.list({ parent_agent_id: ID('root'), limit: 1 });
    expect(page.has_more).toBe(true);
    const next = await service.passports.list({
      parent_agent_id: ID('root'),
      limit: 1,
      cursor: page.next_cursor,
    });
    expect(next.data.map(({ agent_name }) => agent_name)).toEqual(['a']);
  });
});

describe('a parent is refused at creation', () => {
  const refused = { code: 'invalid_request', details: { errors: [{ path: '/parent_agent_id' }] } };

  test('that would have a fifth level below its root', async () => {
    const { issue, codes } = await open();
    await issue('a');
    for (const [name, parent] of [...'abcde'].map((parent, at) => ['bcdef'[at] ?? '', parent] as const)) {
      if (name === 'f') await expect(issue(name, parent)).rejects.toMatchObject(refused);
      else await issue(name, parent);
    }
    expect(await codes('e')).toEqual([]);
    expect(await codes('f')).toEqual(['agent_not_found']);
  });

  test.each<[string, string]>([
    ['unknown', ID('nobody')],
    ['the agent itself', ID('child')],
    ['of another form', 'shopper'],
    ['empty', ''],
  ])('that is %s', async (_, parent_agent_id) => {
    const { service } = await open();
    await expect(service.passports.create(fieldsOf('child', { parent_agent_id }))).rejects.toMatchObject(
      refused,
    );
  });

  test('that is the agent itself, also when it is issued already', async () => {
    const { service, issue } = await open();
    await issue('child');
    const again = service.passports.create(fieldsOf('child', { parent_agent_id: ID('child') }));
    await expect(again).rejects.toMatchObject(refused);
  });

  test('that is revoked; a suspended one may have child agents', async () => {
    const { service, issue } = await open();
    await issue('root');
    await service.suspend({ agent_id: ID('root') });
    await issue('first', 'root');
    await service.revoke({ agent_id: ID('root') });
    await expect(issue('second', 'root')).rejects.toMatchObject(refused);
  });

  test('that is revoked, unless the child is moved here; it may do nothing', async () => {
    const { service, issue, codes } = await open();
    await issue('root');
    await service.revoke({ agent_id: ID('root') });
    const standing = { status: 'active' } as const;
    await service.passports.create(fieldsOf('child', { parent_agent_id: ID('root') }), { standing });
    expect(await codes('child')).toEqual(['parent_denied agent_revoked']);
    const input = fieldsOf('another', { parent_agent_id: ID('root') });
    const [moved, created] = [
      await service.passports.createAll([{ input, standing }]),
      await service.passports.createAll([{ input: { ...input, agent_name: 'new' } }]),
    ].flat();
    expect(moved).toMatchObject({ agent_id: ID('another') });
    expect(created).toMatchObject(refused);
  });

  test('of another account, in the words of one that does not exist', async () => {
    const { service } = openService();
    const first = { account_id: 'acc_1' };
    const second = { account_id: 'acc_2' };
    await service.passports.create(fieldsOf('root'), first);
    const refusal = (parent: string) =>
      service.passports
        .create({ ...fieldsOf('child', { parent_agent_id: parent }), domain: 'other.example' }, second)
        .catch((error: { readonly details: unknown }) => error.details);
    expect(await refusal(ID('root'))).toMatchObject({ errors: [{ path: '/parent_agent_id' }] });
    expect(await refusal(ID('root'))).toEqual(await refusal(ID('missing')));
  });

  test('and never changed', async () => {
    const { service, issue } = await open();
    await issue('root');
    await issue('other');
    await issue('leaf', 'root');
    for (const parent_agent_id of [ID('other'), ID('root'), null]) {
      const change = service.passports.update(ID('leaf'), { parent_agent_id } as never);
      await expect(change).rejects.toMatchObject(refused);
    }
    expect(await service.passports.get(ID('leaf'))).toMatchObject({ parent_agent_id: ID('root') });
  });

  test.each(['x', ''])('a list of the child agents of %j is refused', async (parent_agent_id) => {
    const { service } = await open();
    await expect(service.passports.list({ parent_agent_id })).rejects.toMatchObject(refused);
  });
});

/** A storage that notes which passports are read, and when it answers. */
function watched(storage: StorageAdapter = memoryStorage()) {
  const reads: string[] = [];
  const open = { now: 0, most: 0 };
  const adapter: StorageAdapter = {
    ...storage,
    async get(collection, id) {
      if (collection === 'passports') reads.push(id.split(':').at(-1) ?? '');
      open.now += 1;
      open.most = Math.max(open.most, open.now);
      await new Promise((resolve) => setImmediate(resolve));
      open.now -= 1;
      return storage.get(collection, id);
    },
  };
  return { adapter, reads, open };
}

describe('those above are read', () => {
  async function chainOn(consistency?: 'strict') {
    const { adapter, reads, open: calls } = watched();
    const clock = manualClock();
    const opened = await open(adapter, { clock, ...(consistency && { consistency }) });
    await opened.issue('a');
    for (const [parent, name] of ['ab', 'bc', 'cd', 'de']) await opened.issue(name as string, parent);
    reads.length = 0;
    return { ...opened, clock, reads, calls };
  }

  test('from memory as long as the passport of the agent is, and from the storage after that', async () => {
    const { ask, clock, reads } = await chainOn();
    await ask('e');
    expect([...reads].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    reads.length = 0;
    clock.advance(399);
    await ask('e');
    expect(reads).toEqual([]);
    clock.advance(500);
    await ask('e');
    expect([...reads].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('with strict consistency for every question, all at once from the second on', async () => {
    const { ask, reads, calls } = await chainOn('strict');
    await ask('e');
    expect(reads).toEqual(['e', 'd', 'c', 'b', 'a']);
    reads.length = 0;
    calls.most = 0;
    expect((await ask('e')).ancestor_versions).toEqual([1, 1, 1, 1]);
    expect([...reads].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(calls.most).toBe(5);
  });

  test('an outage of the storage is an error, never an ALLOW', async () => {
    const storage = memoryStorage();
    let isDown = false;
    const adapter: StorageAdapter = {
      ...storage,
      async get(collection, id) {
        if (isDown && id === ID('root')) throw new Error('down');
        return storage.get(collection, id);
      },
    };
    const { issue, ask, clock } = await open(adapter);
    await issue('root');
    await issue('leaf', 'root');
    expect((await ask('leaf')).verdict).toBe('ALLOW');
    isDown = true;
    clock.advance(2_000);
    await expect(ask('leaf')).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});

test('evaluates the chain for a batch, a dry run and a trial', async () => {
  const { service, issue } = await open();
  await issue('root', undefined, { monetary_limit_per_txn: 5 });
  await issue('leaf', 'root');
  const intent = { agent_id: ID('leaf'), action: 'payments.create', parameters: { amount: 6 } };
  const denied = { verdict: 'DENY', reasons: [{ code: 'parent_denied', reason: 'amount_over_limit' }] };
  expect(await service.verifyBatch({ intents: [intent] })).toMatchObject([denied]);
  expect(await service.verify({ ...intent, dry_run: true })).toMatchObject(denied);
  expect(await service.passports.try(ID('leaf'), { intent })).toMatchObject(denied);
  const patch = { monetary_limit_per_txn: 10_000 };
  expect(await service.passports.try(ID('leaf'), { intent, patch })).toMatchObject(denied);
});

test('a caller is asked about the agent alone, and of one that it does not see it learns nothing', async () => {
  const { service, issue } = await open();
  await issue('root', undefined, { allowed_actions: [] });
  await issue('leaf', 'root');
  const intent = { agent_id: ID('leaf'), action: 'payments.create' };
  expect(await service.verify(intent, { agent_ids: [ID('leaf')] })).toMatchObject({
    reasons: [{ code: 'parent_denied', parent: ID('root') }],
  });
  expect(await service.verify(intent, { agent_ids: [ID('root')] })).toMatchObject({
    reasons: [{ code: 'agent_not_found' }],
    passport_version: null,
    ancestor_versions: null,
  });
});
