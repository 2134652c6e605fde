import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../adapters/storage/memory/index.ts';
import type { Intent } from '../../../src/records.ts';
import { signIntent } from '../../../src/tokens/proof/index.ts';
import { ED25519 } from '../../support/prover.ts';
import { manualClock, PUBLIC_URL, SECRET } from '../../support/service.ts';
import { claimsOf, headerOf } from '../../support/signing.ts';
import { probe } from '../../support/storage-probe.ts';
import { stores } from '../../support/stores.ts';
import { AUDIENCE, ISSUER, openPermits, PAYMENT } from './stage.ts';

const unavailable = (problem: string) => ({
  verdict: 'DENY',
  reasons: [{ code: 'permit_unavailable', message: 'The permit cannot be issued.', problem }],
  permit: null,
  permit_audience: null,
});

test('an ALLOW has the permit that was asked for, and the record is stored without it', async () => {
  const { service, intentOf, use, seen, clock, agent_id } = await openPermits();
  const record = await service.verify(intentOf());
  expect(record).toMatchObject({ verdict: 'ALLOW', permit_audience: AUDIENCE });
  expect(headerOf(record.permit ?? '')).toMatchObject({ alg: 'EdDSA', typ: 'agent-permit+jwt' });
  const seconds = clock.now() / 1_000;
  const claims = claimsOf(record.permit ?? '');
  expect(claims).toEqual({
    iss: ISSUER,
    sub: agent_id,
    aud: AUDIENCE,
    iat: seconds,
    exp: seconds + 30,
    jti: record.decision_id,
    permit: { environment: 'live', ...PAYMENT, digest: expect.any(String), passport_version: 1 },
  });
  expect((await use(record.permit)).decision_id).toBe(record.decision_id);
  await use(record.permit, { intent: intentOf({ permit: undefined as never }) });
  await expect(use(record.permit, { ...PAYMENT, amount: '19.91' })).rejects.toMatchObject({
    details: { problem: 'deed' },
  });
  const { permit, ...stored } = record;
  expect(permit?.length).toBeLessThan(800);
  const [listed] = (await service.verifications.list({})).data;
  expect(listed).toEqual({ ...stored, budgets: listed?.budgets, outcome: null });
  expect(seen).toEqual([stored]);
});

test('a verdict that was not asked for a permit has no such member', async () => {
  const { service, intentOf, signer } = await openPermits();
  const { permit: _, ...plain } = intentOf();
  const record = await service.verify(plain as Intent);
  expect(record).toMatchObject({ verdict: 'ALLOW', permit_audience: null });
  expect('permit' in record).toBe(false);
  expect(signer.signed).toBe(0);
});

test('a DENY and a dry run have none, and sign nothing', async () => {
  const { service, intentOf, signer, spent } = await openPermits();
  const over = await service.verify(intentOf({ parameters: { amount: 101, currency: 'EUR' } }));
  const trial = await service.verify(intentOf({ dry_run: true }));
  expect(over).toMatchObject({ verdict: 'DENY', permit: null, permit_audience: null });
  expect(trial).toMatchObject({ verdict: 'ALLOW', permit: null, permit_audience: null });
  const unknown = await service.verify(intentOf({ agent_id: `${ISSUER}:agents:unknown` }));
  expect(unknown).toMatchObject({ reasons: [{ code: 'agent_not_found' }], permit: null });
  expect([signer.signed, await spent()]).toEqual([0, 0]);
});

test('a permit of a verdict that turns out to be DENY is thrown away', async () => {
  const { service, intentOf, signer, spent } = await openPermits();
  const money = (amount: number) => intentOf({ parameters: { amount, currency: 'EUR' } });
  await service.verify(money(60));
  const record = await service.verify(money(60));
  expect(record).toMatchObject({
    ...{ verdict: 'DENY', reasons: [{ code: 'budget_exceeded' }] },
    ...{ permit: null, permit_audience: null },
  });
  expect([signer.signed, await spent()]).toEqual([2, 60]);
});

test('a batch has a permit for each intent that asks, and the verdicts stand beside each other', async () => {
  const { service, intentOf, use } = await openPermits();
  const { permit: _, ...plain } = intentOf();
  const [first, second, third] = await service.verifyBatch({
    intents: [intentOf(), plain as Intent, intentOf({ permit: { audience: AUDIENCE, seconds: 5 } })],
  });
  expect((await use(first?.permit)).decision_id).toBe(first?.decision_id);
  expect(second !== undefined && 'permit' in second).toBe(false);
  expect(Date.parse((await use(third?.permit)).expires_at) - Date.parse(third?.evaluated_at ?? '')).toBe(
    5_000,
  );
});

test('guard passes the permit to the callback', async () => {
  const { service, intentOf, use } = await openPermits();
  const permit = await service.guard(intentOf(), (record) => record.permit);
  expect((await use(permit)).action).toBe('payments.create');
});

describe('what stands in the way', () => {
  test('is service without a public URL', async () => {
    const { service, intentOf, spent } = await openPermits({}, { identity: { secret: SECRET } });
    expect(await service.verify(intentOf())).toMatchObject(unavailable('service'));
    expect(await spent()).toBe(0);
  });

  test('is time where a passport, or one above it, ends within a second', async () => {
    const { service, intentOf, clock, use, spent, agent_id } = await openPermits();
    await service.passports.create({
      ...{ domain: 'example.com', agent_name: 'child', parent_agent_id: agent_id },
      ...{ allowed_actions: ['*'], monetary_limit_per_txn: 100, currency: 'EUR' },
    });
    const childIntent = intentOf({ agent_id: `${ISSUER}:agents:child` });
    await service.passports.update(agent_id, { expires_at: clock.instant(10_900) });
    clock.advance(1_000);
    const cut = await use((await service.verify(childIntent)).permit);
    expect([cut.expires_at, cut.ancestor_versions]).toEqual([clock.instant(9_000), [2]]);
    clock.advance(8_900);
    expect((await service.verify(childIntent)).permit).toEqual(expect.any(String));
    const before = await spent();
    clock.advance(1);
    expect(await service.verify(childIntent)).toMatchObject(unavailable('time'));
    expect(await service.verify(intentOf({ dry_run: true }))).toMatchObject(unavailable('time'));
    expect(await spent()).toBe(before);
  });

  test('is proof where it is to be bound and nothing is proved', async () => {
    const { service, intentOf, agent_id, spent, clock } = await openPermits({
      public_keys: [ED25519.public_jwk],
    });
    const permit = { audience: AUDIENCE, bind: true };
    expect(await service.verify(intentOf({ permit }))).toMatchObject(unavailable('proof'));
    expect(await spent()).toBe(0);
    const intent = intentOf({ permit });
    const iat = Math.floor(Date.now() / 1_000);
    clock.advance(iat * 1_000 - clock.now());
    const options = { key: ED25519.private_jwk, agent_id, audience: PUBLIC_URL };
    const { permit: bound } = await service.verify({ ...intent, proof: await signIntent(intent, options) });
    expect(claimsOf(bound ?? '')['cnf']).toEqual({ jkt: ED25519.kid });
    // Without `bind` it is tied to nothing, also where the intent is proved.
    const loose = intentOf();
    const { permit: free } = await service.verify({ ...loose, proof: await signIntent(loose, options) });
    expect(claimsOf(free ?? '')).not.toHaveProperty('cnf');
  });
});

describe('a signer that fails', () => {
  test.each(['throws', 'hangs', 'unknown key'] as const)('takes nothing with it: it %s', async (fault) => {
    const late = fault === 'hangs' ? { storageDeadlineMs: 500 } : {};
    const { service, intentOf, spent, signer, seen } = await openPermits({}, late);
    signer.fault = fault;
    const asked = { idempotencyKey: 'a' };
    const intents = [intentOf(), intentOf({ hold_seconds: 60 })];
    for (const intent of intents) {
      await expect(service.verify(intent, asked)).rejects.toMatchObject({ code: 'overloaded' });
    }
    expect([await spent(), seen, (await service.verifications.list({})).data]).toEqual([0, [], []]);
    signer.fault = 'none';
    // Nothing was remembered under the key either.
    expect((await service.verify(intentOf(), asked)).permit).toEqual(expect.any(String));
    expect(await spent()).toBe(19.9);
  });
});

test('a node whose clock is off issues nothing, and takes nothing', async () => {
  const right = manualClock();
  let aheadMs = 0;
  const storage = { ...memoryStorage(), time: async () => ({ at: right.instant(), isMark: false }) };
  const clock = { now: () => right.now() + aheadMs, monotonic: right.monotonic };
  const { service, intentOf, spent, signer } = await openPermits({}, { clock }, storage);
  for (const off of [6_000, -6_000]) {
    aheadMs = off;
    await expect(service.verify(intentOf())).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(service.verify(intentOf({ dry_run: true }))).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
  }
  aheadMs = 0;
  expect([await spent(), signer.signed]).toEqual([0, 0]);
  expect((await service.verify(intentOf())).permit).toEqual(expect.any(String));
});

describe.each(stores)('a retry under its key, in %s', (_, open) => {
  test('gets the same claims again, and no later end, while it is ahead', async () => {
    const { service, intentOf, spent, clock, use, seen, agent_id } = await openPermits({}, {}, await open());
    const asked = { idempotencyKey: 'a' };
    const intent = intentOf({ permit: { audience: AUDIENCE, seconds: 20 } });
    const first = await service.verify(intent, asked);
    await service.passports.update(agent_id, { description: 'another version' });
    clock.advance(7_500);
    const again = await service.verify(intent, asked);
    const { permit: _one, ...record } = first;
    const { permit: _two, ...replayed } = again;
    expect(replayed).toEqual(record);
    expect(claimsOf(again.permit ?? '')).toEqual(claimsOf(first.permit ?? ''));
    expect((await use(again.permit)).decision_id).toBe(first.decision_id);
    // A passport that now ends before shortens it.
    await service.passports.update(agent_id, { expires_at: clock.instant(5_000) });
    const { exp, ...shorter } = claimsOf((await service.verify(intent, asked)).permit ?? '');
    const { exp: end, ...claims } = claimsOf(first.permit ?? '');
    expect(shorter).toEqual(claims);
    expect(exp).toBe(Math.floor((clock.now() + 5_000) / 1_000));
    expect(Number(exp)).toBeLessThan(Number(end));
    await service.passports.update(agent_id, { expires_at: null });
    clock.advance(12_500);
    expect(await service.verify(intent, asked)).toEqual({ ...record, permit: null });
    expect(await spent()).toBe(19.9);
    expect(seen.map(({ decision_id }) => decision_id)).toEqual(Array(4).fill(first.decision_id));
    const other = intentOf({ permit: { audience: AUDIENCE } });
    await expect(service.verify(other, asked)).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  });

  test('is remembered also where the ALLOW takes nothing else', async () => {
    const opened = await openPermits({ budgets: [] }, {}, await open());
    const { service, intentOf } = opened;
    const [one, two] = await Promise.all(
      ['a', 'b'].map((idempotencyKey) => service.verify(intentOf(), { idempotencyKey })),
    );
    expect(one?.decision_id).not.toBe(two?.decision_id);
    const again = await service.verify(intentOf(), { idempotencyKey: 'a' });
    expect([again.decision_id, claimsOf(again.permit ?? '')]).toEqual([
      one?.decision_id,
      claimsOf(one?.permit ?? ''),
    ]);
    await service.revoke({ agent_id: opened.agent_id });
    const denied = await service.verify(intentOf(), { idempotencyKey: 'a' });
    expect(denied).toMatchObject({ reasons: [{ code: 'agent_revoked' }], permit: null });
  });
});

test('a permit without a key asks the storage for nothing', async () => {
  const storage = probe(memoryStorage());
  const { service, intentOf, clock } = await openPermits({ budgets: [] }, {}, storage);
  await service.verify(intentOf());
  storage.calls.length = 0;
  await service.verify(intentOf());
  clock.advance(1);
  await service.verify(intentOf());
  expect(storage.calls).toEqual([]);
});

test.each([
  ['no audience', {}],
  ['an audience of 257', { audience: 'a'.repeat(257) }],
  ['an empty audience', { audience: '' }],
  ['test:x', { audience: 'test:x' }],
  ['a space', { audience: 'https://pay.example ' }],
  ['another alphabet', { audience: 'https://zahlung.österreich' }],
  ['a line', { audience: 'https://pay.example\n' }],
  ['0 seconds', { audience: AUDIENCE, seconds: 0 }],
  ['61 seconds', { audience: AUDIENCE, seconds: 61 }],
  ['1.5 seconds', { audience: AUDIENCE, seconds: 1.5 }],
  ['seconds as text', { audience: AUDIENCE, seconds: '5' }],
  ['bind as text', { audience: AUDIENCE, bind: 'yes' }],
  ['another member', { audience: AUDIENCE, scope: 'x' }],
  ['text', AUDIENCE],
  ['null', null],
  ['true', true],
])('an intent cannot ask with %s', async (_, permit) => {
  const { service, intentOf, spent } = await openPermits();
  const intent = intentOf({ permit: permit as never });
  await expect(service.verify(intent)).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(service.verifyBatch({ intents: [intentOf(), intent] })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  expect(await spent()).toBe(0);
});
