import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { KeyInput } from '../../src/core.ts';
import { createIdentityService, type Intent, type PassportInput } from '../../src/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { openLocalService, openService, PASSWORD, SECRET } from '../support/service.ts';
import { probe } from '../support/storage-probe.ts';

const PASSPORT: PassportInput = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['orders.*'],
  monetary_limit_per_txn: 100,
};
const AGENT = 'did:web:example.com:agents:shopper';
const INTENT: Intent = { agent_id: AGENT, action: 'orders.get' };
const OWNER = { account_id: 'acc_a' };

describe('a service without logins', () => {
  test('needs nothing but a storage, and has one account', async () => {
    const service = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: memoryStorage() });
    const { agent_id } = await service.passports.create(PASSPORT);
    const record = await service.verify({ agent_id, action: 'orders.get' });
    expect(record).toMatchObject({
      verdict: 'ALLOW',
      reasons: [],
      key_id: null,
      environment: 'live',
      dry_run: false,
    });
    const { key, id } = await service.keys.create({ name: 'a' });
    expect(await service.verifyAs(key, INTENT)).toMatchObject({ verdict: 'ALLOW', key_id: id });
    expect(await service.verify(INTENT, { account_id: 'acc_local' })).toMatchObject({ verdict: 'ALLOW' });
    expect(await service.verify(INTENT, { account_id: 'acc_other' })).toMatchObject({ verdict: 'DENY' });
    expect((await service.revoke({ agent_id })).status).toBe('revoked');
    expect((await service.verify(INTENT)).reasons[0]?.code).toBe('agent_revoked');
    await service.close();
    await service.close();
  });

  test('has no limits in process, and shows no field as undefined', async () => {
    const plans = { enterprise: { keys: 0, passports: 0, verifications_per_minute: 0 } };
    const { service } = openLocalService({ plans });
    await service.keys.create({ name: 'a' });
    const input = { ...PASSPORT, currency: undefined, metadata: undefined } as unknown as PassportInput;
    const passport = await service.passports.create(input);
    expect(Object.values(passport)).not.toContain(undefined);
    expect(Object.keys(passport)).not.toContain('currency');
    expect(await service.passports.get(AGENT)).toStrictEqual(passport);
  });

  test('keeps what it was given, whatever becomes of the input and of the answer', async () => {
    const { service } = openLocalService();
    const allowed_actions = ['orders.get'];
    const created = await service.passports.create({ ...PASSPORT, allowed_actions });
    allowed_actions.push('*');
    (created.allowed_actions as string[]).push('*');
    expect((await service.passports.get(AGENT)).allowed_actions).toEqual(['orders.get']);
    expect((await service.verify({ agent_id: AGENT, action: 'x' })).verdict).toBe('DENY');
  });
});

describe('a service with logins', () => {
  test('asks for the account of every management method', async () => {
    const { service } = openService();
    const named = {
      code: 'invalid_request',
      details: { errors: [{ path: '/account_id', code: 'required' }] },
    };
    for (const call of [
      () => service.passports.create(PASSPORT),
      () => service.passports.get(AGENT),
      () => service.passports.list(),
      () => service.passports.update(AGENT, {}),
      () => service.keys.create({ name: 'a' }),
      () => service.keys.list(),
      () => service.keys.get('key_x'),
      () => service.keys.revoke('key_x'),
      () => service.revoke({ agent_id: AGENT }),
      () => service.suspend({ agent_id: AGENT }),
      () => service.reinstate({ agent_id: AGENT }),
    ]) {
      await expect(call()).rejects.toMatchObject(named);
    }
  });

  test('shows one account nothing of another', async () => {
    const { service } = openService();
    await service.passports.create(PASSPORT, OWNER);
    const other = { account_id: 'acc_b' };
    const missing = { code: 'not_found', message: 'There is no passport with this id that you can access.' };
    await expect(service.passports.get(AGENT, other)).rejects.toMatchObject(missing);
    await expect(service.passports.update(AGENT, { description: 'x' }, other)).rejects.toMatchObject(missing);
    await expect(service.revoke({ agent_id: AGENT }, other)).rejects.toMatchObject(missing);
    expect((await service.verify(INTENT, other)).reasons).toMatchObject([{ code: 'agent_not_found' }]);
    expect((await service.passports.list({}, other)).data).toEqual([]);
    expect((await service.verify(INTENT, OWNER)).verdict).toBe('ALLOW');
  });

  test('narrows to nothing for an account that is undefined', async () => {
    const { service } = openService();
    await service.passports.create(PASSPORT, OWNER);
    const nobody = { account_id: undefined } as unknown as { account_id: string };
    expect((await service.verify(INTENT, nobody)).verdict).toBe('DENY');
    expect((await service.verify(INTENT, { agent_ids: [] })).verdict).toBe('DENY');
  });

  test('manages its accounts', async () => {
    const { service, secrets } = openService();
    secrets.add('another password');
    const made = await service.accounts.create({ email: 'A@example.com', password: PASSWORD });
    expect(made).toMatchObject({ email: 'a@example.com', plan: 'starter' });
    await expect(
      service.accounts.create({ email: 'a@EXAMPLE.com', password: PASSWORD }),
    ).rejects.toMatchObject({
      code: 'already_exists',
    });
    await service.accounts.create({ email: 'b@example.com', password: PASSWORD });
    const first = await service.accounts.list({ limit: 1 });
    const second = await service.accounts.list({ limit: 1, cursor: first.next_cursor ?? '' });
    expect([...first.data, ...second.data].map(({ email }) => email).sort()).toEqual([
      'a@example.com',
      'b@example.com',
    ]);
    expect(JSON.stringify([first, second])).not.toMatch(/hash|scrypt|token_version/);
    await expect(
      service.accounts.setPassword({ email: 'c@example.com', password: 'another password' }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      service.accounts.setPassword({ email: 'a@example.com', password: 'short' }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(service.register({ email: 'd@example.com', password: PASSWORD })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('wrong input in process', () => {
  const WRONG = [undefined, null, 1, 'a', [], {}, new Map(), Symbol('a'), () => undefined];

  test('is an IdentityError, never anything else', async () => {
    const { service } = openLocalService();
    for (const input of WRONG) {
      const wrong = { code: 'invalid_request' };
      await expect(service.verify(input as Intent)).rejects.toMatchObject(wrong);
      await expect(service.verifyBatch(input as never)).rejects.toMatchObject(wrong);
      await expect(service.passports.create(input as PassportInput)).rejects.toMatchObject(wrong);
      await expect(service.keys.create(input as KeyInput)).rejects.toMatchObject(wrong);
      await expect(service.revoke(input as never)).rejects.toMatchObject(wrong);
      await expect(service.accounts.create(input as never)).rejects.toMatchObject(wrong);
      await expect(service.verifyAs(input as string, INTENT)).rejects.toMatchObject({
        code: 'unauthenticated',
      });
    }
  });

  test('that no stored id can be is answered without asking the storage', async () => {
    const storage = probe();
    const { service } = openLocalService({ storage });
    await service.passports.create(PASSPORT);
    storage.calls.length = 0;
    for (const id of ['\0', 'a\0b', '\ud800', 'é', ' ', `${AGENT}\n`, '\u202e']) {
      expect((await service.verify({ agent_id: id, action: 'a' })).reasons).toMatchObject([
        { code: 'agent_not_found' },
      ]);
      await expect(service.passports.get(id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(service.keys.get(id)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(storage.calls).toEqual([]);
  });

  test('such as a weak secret stops the service before it begins', () => {
    for (const secret of ['', 'short', 'a'.repeat(40), 'your-256-bit-secret-your-256-bit-secret']) {
      expect(() => openService({ session: { secret } })).toThrow(
        expect.objectContaining({ code: 'invalid_configuration' }),
      );
    }
  });
});

test('a closed service gives no verdict', async () => {
  const { service } = openLocalService();
  await service.passports.create(PASSPORT);
  await service.close();
  await expect(service.verify(INTENT)).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(service.health()).rejects.toMatchObject({ code: 'storage_unavailable' });
});

test('a patch may be bound to versions', async () => {
  const { service } = openLocalService();
  await service.passports.create(PASSPORT);
  const changed = await service.passports.update(AGENT, { description: 'a' }, { ifVersion: [1] });
  expect(changed.version).toBe(2);
  await expect(
    service.passports.update(AGENT, { description: 'b' }, { ifVersion: [1, 3] }),
  ).rejects.toMatchObject({ code: 'version_mismatch' });
  await expect(
    service.passports.update(AGENT, { description: 'b' }, { ifVersion: [] }),
  ).rejects.toMatchObject({ code: 'version_mismatch' });
});

test('throws conflict for a member without a password', async () => {
  const { service } = openService();
  const member = await service.actorOf({ account: 'shop', member: 'ada', role: 'owner' });
  const change = { current_password: PASSWORD, new_password: `${PASSWORD}!` };
  await expect(service.changePassword(change, member)).rejects.toMatchObject({ code: 'conflict' });
  const deletion = { current_password: PASSWORD };
  await expect(service.deleteAccount(deletion, member)).rejects.toMatchObject({ code: 'conflict' });
});

test('throws conflict for a batch while a batch with the same idempotency key runs', async () => {
  const { service } = openLocalService();
  await service.passports.create({
    ...PASSPORT,
    currency: 'EUR',
    monetary_actions: ['orders.pay'],
    budgets: [{ limit: 100, window: 'day' }],
  });
  const intent = { agent_id: AGENT, action: 'orders.pay', parameters: { amount: 1, currency: 'EUR' } };
  const ask = () => service.verifyBatch({ intents: [intent] }, { idempotencyKey: 'once' });
  const first = ask();
  await expect(ask()).rejects.toMatchObject({ code: 'conflict' });
  expect((await first)[0]?.verdict).toBe('ALLOW');
});

test('throws overloaded if too many public documents are read at once', async () => {
  const { service } = openLocalService({ identity: { secret: SECRET } });
  const asked = Array.from({ length: 1_000 }, (_, at) => service.published.token(`a${at}.example`, 'acc_a'));
  const refused = (await Promise.allSettled(asked)).flatMap((one) =>
    one.status === 'rejected' ? [one.reason.code] : [],
  );
  expect(new Set(refused)).toEqual(new Set(['overloaded']));
});
