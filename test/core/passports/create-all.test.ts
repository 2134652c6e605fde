/** Passports that are issued suspended or revoked, and many at once. */
import { expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Change, RandomSource } from '../../../src/ports/storage.ts';
import type { PassportStanding } from '../../../src/records/state.ts';
import { openLocalService, openService, PUBLIC_URL, SECRET } from '../../support/service.ts';

const SHOPPER = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['orders.*'],
  monetary_limit_per_txn: 0,
};
const AGENT = 'did:web:example.com:agents:shopper';
const INTENT = { agent_id: AGENT, action: 'orders.place' };

function counted() {
  const inner = memoryStorage();
  const writes: (readonly Change[])[] = [];
  const storage = {
    ...inner,
    write: (changes: readonly Change[]) => {
      writes.push(changes);
      return inner.write(changes);
    },
  };
  const passportsIn = (changes: readonly Change[]) =>
    changes.filter((change) => change.op === 'insert' && change.collection === 'passports').length;
  return { storage, counts: () => writes.map(passportsIn).filter((count) => count > 0) };
}

test.each([
  [{ status: 'suspended' }, { status: 'suspended', suspended_until: null, suspension_reason: null }],
  [
    { status: 'suspended', suspended_until: '2030-01-01T01:00:00+01:00', suspension_reason: 'under review' },
    {
      suspended_until: '2030-01-01T00:00:00.000Z',
      suspended_by: 'acc_local',
      suspension_reason: 'under review',
    },
  ],
  [
    { status: 'revoked', revoked_at: '2020-01-01T00:00:00Z', revocation_reason: 'left' },
    { revoked_at: '2020-01-01T00:00:00.000Z', revoked_by: 'acc_local', revocation_reason: 'left' },
  ],
  [
    { status: 'revoked', suspension_reason: null },
    { status: 'revoked', revoked_at: '2026-11-20T12:00:00.000Z' },
  ],
] as [PassportStanding, object][])('%j is stored in the creating write', async (standing, shown) => {
  const { storage, counts } = counted();
  const { service } = openLocalService({ storage });
  const made = await service.passports.create(SHOPPER, { standing });
  expect(made).toMatchObject({ ...shown, version: 1 });
  expect(counts()).toEqual([1]);
  expect(await service.passports.get(AGENT)).toEqual(made);
  const { verdict, reasons } = await service.verify(INTENT);
  expect([verdict, reasons[0]?.code]).toEqual(['DENY', `agent_${standing.status}`]);
});

test('a suspension that has ended counts as none', async () => {
  const { service } = openLocalService();
  const standing = { status: 'suspended', suspended_until: '2026-01-01T00:00:00Z' } as const;
  expect(await service.passports.create(SHOPPER, { standing })).toMatchObject({
    status: 'active',
    suspended_until: null,
  });
  expect((await service.verify(INTENT)).verdict).toBe('ALLOW');
});

test.each([
  [{}, '/status'],
  [null, '/status'],
  [[], '/status'],
  [{ status: 'expired' }, '/status'],
  [{ status: 'constructor' }, '/status'],
  [{ status: 'active', revoked_at: '2020-01-01T00:00:00Z' }, '/revoked_at'],
  [{ status: 'suspended', revocation_reason: 'x' }, '/revocation_reason'],
  [{ status: 'suspended', suspended_until: 'tomorrow' }, '/suspended_until'],
  [{ status: 'suspended', suspended_until: 7 }, '/suspended_until'],
  [{ status: 'suspended', suspension_reason: '' }, '/suspension_reason'],
  [{ status: 'revoked', revocation_reason: 'x'.repeat(501) }, '/revocation_reason'],
  [{ status: 'revoked', revoked_by: 'me' }, '/revoked_by'],
])('%j is refused, and nothing is stored', async (standing, path) => {
  const { storage, counts } = counted();
  const { service } = openLocalService({ storage });
  const made = service.passports.create(SHOPPER, { standing: standing as PassportStanding });
  await expect(made).rejects.toMatchObject({ code: 'invalid_request', details: { errors: [{ path }] } });
  expect(counts()).toEqual([]);
});

test('many are issued in one write, each with its versions, its event and its place in the status list', async () => {
  const { storage, counts } = counted();
  const { service } = openService({ storage, identity: { publicUrl: PUBLIC_URL, secret: SECRET } });
  const { id: account_id } = await service.accounts.create({
    email: 'ann@example.com',
    password: 'Ein-Gutes-Kennwort-7',
  });
  const many = Array.from({ length: 40 }, (_, index) => ({
    input: { ...SHOPPER, domain: `d${index % 3}.example.com`, agent_name: `a${index}` },
    ...(index % 4 === 0 && { standing: { status: 'suspended' as const } }),
  }));
  const issued = await service.passports.createAll(many, { account_id });
  expect(counts()).toEqual([40]);
  for (const [index, passport] of issued.entries()) {
    const agent_id = `did:web:d${index % 3}.example.com:agents:a${index}`;
    expect(passport).toMatchObject({
      agent_id,
      version: 1,
      status: index % 4 === 0 ? 'suspended' : 'active',
    });
    expect(await service.passports.get(agent_id, { account_id })).toEqual(passport);
    expect((await service.passports.versions(agent_id, {}, { account_id })).data).toHaveLength(1);
  }
  const { usage } = await service.account({ account_id });
  expect(usage.passports).toBe(40);
  const slots = await storage.list('status_slots', { where: { account_id }, limit: 200 });
  // A place by its number and by its agent for each, and the list.
  expect(slots).toHaveLength(81);
});

test('a place of the status list that is taken is drawn again for all that have it, in one write', async () => {
  const { storage, counts } = counted();
  // The first draws all give one place.
  let same = 20;
  const random: RandomSource = {
    bytes(length) {
      if (length !== 3) return crypto.getRandomValues(new Uint8Array(length));
      same -= 1;
      return same < 0 ? crypto.getRandomValues(new Uint8Array(3)) : Uint8Array.of(0, 0, 7);
    },
  };
  const { service } = openService({ storage, random, identity: { publicUrl: PUBLIC_URL, secret: SECRET } });
  const actor = { account_id: 'acc_many' };
  const many = Array.from({ length: 30 }, (_, index) => ({ input: { ...SHOPPER, agent_name: `a${index}` } }));
  const issued = await service.passports.createAll(many, actor);
  expect(issued).toMatchObject(many.map(({ input }) => ({ agent_name: input.agent_name, version: 1 })));
  // Each try is one of all; random places may meet as well.
  expect(counts().length).toBeGreaterThan(1);
  expect(new Set(counts())).toEqual(new Set([30]));
  const slots = await storage.list('status_slots', { where: actor, limit: 200 });
  expect(slots).toHaveLength(61);
});

test('where one of many is refused the others are issued in few writes', async () => {
  const { storage, counts } = counted();
  const { service } = openLocalService({ storage });
  await service.passports.create(SHOPPER);
  const many = Array.from({ length: 63 }, (_, index) => ({ input: { ...SHOPPER, agent_name: `a${index}` } }));
  const answers = await service.passports.createAll([
    ...many.slice(0, 21),
    { input: SHOPPER },
    ...many.slice(21),
  ]);
  expect(answers.filter((answer) => answer instanceof Error)).toMatchObject([{ code: 'already_exists' }]);
  expect(answers[21]).toMatchObject({ code: 'already_exists' });
  // One, then two of each half of the half before.
  expect(counts()).toHaveLength(1 + 1 + 2 * 6);
});

test('where one is refused the others are issued without it, and each has its own answer', async () => {
  const { storage, counts } = counted();
  const { service } = openLocalService({ storage });
  await service.passports.create(SHOPPER);
  const answers = await service.passports.createAll([
    { input: { ...SHOPPER, agent_name: 'a' } },
    { input: SHOPPER },
    { input: { ...SHOPPER, agent_name: 'Not A Name' } },
    { input: { ...SHOPPER, agent_name: 'b' }, standing: { status: 'revoked' } },
  ]);
  expect(answers).toMatchObject([
    { agent_name: 'a' },
    { code: 'already_exists' },
    { code: 'invalid_request' },
    { agent_name: 'b', status: 'revoked' },
  ]);
  expect(counts()).toEqual([1, 2, 1, 1, 1]);
});

test('a plan that has room for some of them takes these', async () => {
  const { service } = openService({
    plans: { starter: { keys: 1, passports: 2, verifications_per_minute: null } },
  });
  const { id: account_id } = await service.accounts.create({
    email: 'ann@example.com',
    password: 'Ein-Gutes-Kennwort-7',
  });
  const many = ['a', 'b', 'c'].map((agent_name) => ({ input: { ...SHOPPER, agent_name } }));
  const answers = await service.passports.createAll(many, { account_id, plan: 'starter' });
  expect(answers).toMatchObject([{ agent_name: 'a' }, { agent_name: 'b' }, { code: 'plan_limit_reached' }]);
});

test('an outage is thrown, and is no answer about a passport', async () => {
  const inner = memoryStorage();
  const storage = { ...inner, write: () => Promise.reject(new Error('gone')) };
  const { service } = openLocalService({ storage });
  await expect(service.passports.createAll([{ input: SHOPPER }])).rejects.toMatchObject({
    code: 'storage_unavailable',
  });
  expect(await service.passports.createAll([])).toEqual([]);
});
