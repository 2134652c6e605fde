import { StatusList } from '@sd-jwt/jwt-status-list';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { WholeService } from '../../src/capabilities.ts';
import { readStatusListClaim, type StatusReader } from '../../src/tokens/signing/status-list.ts';
import { HOUR, MINUTE, openService, PASSWORD, SECRET } from '../support/service.ts';
import { AGENT, claimsOf, headerOf, openSigningService, PUBLIC_URL, shopper } from '../support/signing.ts';
import { probe, type StorageProbe } from '../support/storage-probe.ts';
import { stores } from '../support/stores.ts';

const SECOND = 1_000;

interface Place {
  readonly idx: number;
  readonly uri: string;
  readonly list: string;
}

/** Issues and signs a passport; where its status stands. */
async function issue(service: WholeService, agent_name = 'shopper', account?: string): Promise<Place> {
  const actor = account === undefined ? {} : { account_id: account };
  const { agent_id } = await service.passports.create(shopper({ agent_name }), actor);
  const { token } = await service.passports.sign(agent_id, {}, actor);
  const { status_list } = claimsOf(token)['status'] as { status_list: Place };
  return { ...status_list, list: status_list.uri.slice(`${PUBLIC_URL}/status/`.length) };
}

/** The statuses of one list. */
async function statusesIn(service: WholeService, list: string): Promise<StatusReader> {
  const { token } = await service.signing.statusList(list);
  const statuses = await readStatusListClaim(claimsOf(token)['status_list']);
  if (statuses === undefined) throw new TypeError('This is no list.');
  return statuses;
}

async function statusAt(service: WholeService, { list, idx }: Place): Promise<number | undefined> {
  return (await statusesIn(service, list)).at(idx);
}

describe.each(stores)('the status list of an account on %s', (_, open) => {
  test('says which passports are suspended and which are revoked', async () => {
    const { service, clock } = openSigningService({ storage: await open() });
    const places = new Map<string, Place>();
    for (const name of ['active', 'suspended', 'ending', 'revoked'])
      places.set(name, await issue(service, name));
    const id = (name: string) => AGENT.replace('shopper', name);
    const statuses = async () => {
      const found = await statusesIn(service, places.get('active')?.list ?? '');
      return Object.fromEntries([...places].map(([name, { idx }]) => [name, found.at(idx)]));
    };
    expect(await statuses()).toEqual({ active: 0, suspended: 0, ending: 0, revoked: 0 });
    await service.suspend({ agent_id: id('suspended') });
    await service.suspend({ agent_id: id('ending'), until: clock.instant(90 * SECOND) });
    await service.suspend({ agent_id: id('revoked') });
    await service.revoke({ agent_id: id('revoked') });
    clock.advance(MINUTE);
    expect(await statuses()).toEqual({ active: 0, suspended: 2, ending: 2, revoked: 1 });
    clock.advance(MINUTE);
    expect(await statuses()).toEqual({ active: 0, suspended: 2, ending: 0, revoked: 1 });
    await service.reinstate({ agent_id: id('suspended') });
    clock.advance(MINUTE);
    expect(await statuses()).toEqual({ active: 0, suspended: 0, ending: 0, revoked: 1 });
  });

  test('is a token that jose verifies, with the claims of the draft', async () => {
    const { service, clock } = openSigningService({ storage: await open() });
    const { uri, list, idx } = await issue(service);
    await service.suspend({ agent_id: AGENT });
    const { token } = await service.signing.statusList(list);
    const keys = createLocalJWKSet((await service.signing.jwks()) as JSONWebKeySet);
    const { payload } = await jwtVerify(token, keys, {
      typ: 'statuslist+jwt',
      issuer: PUBLIC_URL,
      subject: uri,
      currentDate: new Date(clock.now()),
    });
    const iat = clock.now() / SECOND;
    const status_list = { bits: 2, lst: expect.any(String) };
    expect(payload).toEqual({ iss: PUBLIC_URL, sub: uri, iat, exp: iat + 3_600, ttl: 60, status_list });
    expect(headerOf(token)).toMatchObject({ typ: 'statuslist+jwt', alg: 'EdDSA' });
    const { lst } = payload['status_list'] as { lst: string };
    expect(StatusList.decompressStatusList(lst, 2).getStatus(idx)).toBe(2);
  });
});

test('a list is made at most once a minute, by one of those who ask at the same time', async () => {
  const storage: StorageProbe = probe();
  const { service, clock } = openSigningService({ storage });
  const place = await issue(service);
  // Once before and once after it is made: one that was erased meanwhile is not shown.
  const asked = async () => {
    storage.calls.length = 0;
    const made = await Promise.all(Array.from({ length: 50 }, () => service.signing.statusList(place.list)));
    const heads = storage.calls.filter((call) => call === 'get status_slots').length;
    return { heads, tokens: new Set(made.map(({ token }) => token)).size, age: made[0]?.age_seconds };
  };
  expect(await asked()).toEqual({ heads: 2, tokens: 1, age: 0 });
  clock.advance(59_999);
  expect(await asked()).toEqual({ heads: 0, tokens: 1, age: 59 });
  clock.advance(1);
  expect(await asked()).toEqual({ heads: 2, tokens: 1, age: 0 });
  clock.advance(-HOUR);
  expect(await asked()).toEqual({ heads: 2, tokens: 1, age: 0 });
});

test('a passport that is revoked while the list is made is not valid in it', async () => {
  const storage: StorageProbe = probe();
  const { service, clock } = openSigningService({ storage });
  const place = await issue(service);
  await service.suspend({ agent_id: AGENT });
  let lists = 0;
  storage.fail = (call) => {
    if (call !== 'list passports') return undefined;
    lists += 1;
    if (lists !== 2) return undefined;
    // Between the walk through the suspended and that through the revoked.
    return service.revoke({ agent_id: AGENT }).then(() => storageList());
  };
  const storageList = async () => {
    storage.fail = undefined;
    return storage.list('passports', { where: { account_id: 'acc_local', status: 'revoked' }, limit: 250 });
  };
  clock.advance(MINUTE);
  expect(await statusAt(service, place)).toBe(1);
});

test('lists are kept apart by account', async () => {
  const { service } = openService({ identity: { publicUrl: PUBLIC_URL } });
  const { id } = await service.accounts.create({ email: 'a@example.com', password: PASSWORD });
  const place = await issue(service, 'shopper', id);
  expect(place.list).not.toContain(id);
  const local = await issue(openSigningService().service);
  expect(local.list).not.toBe(place.list);
});

test('what is no list is not found, and asks the storage once in five seconds at most', async () => {
  const storage: StorageProbe = probe(memoryStorage());
  const { service, clock } = openSigningService({ storage });
  const place = await issue(service);
  const missing = { code: 'not_found' };
  storage.calls.length = 0;
  for (const id of ['', 'sl_', 'x', AGENT, `${place.list}:${place.idx}`, `${place.list} `, '__proto__']) {
    await expect(service.signing.statusList(id)).rejects.toMatchObject(missing);
  }
  expect(storage.calls).toEqual([]);
  const unknown = `sl_${'0'.repeat(22)}`;
  for (let times = 0; times < 10; times += 1) {
    await expect(service.signing.statusList(unknown)).rejects.toMatchObject(missing);
  }
  expect(storage.calls).toEqual(['get status_slots']);
  clock.advance(5 * SECOND);
  await expect(service.signing.statusList(unknown)).rejects.toMatchObject(missing);
  expect(storage.calls).toHaveLength(2);
  const unsigned = openSigningService({ identity: { secret: SECRET } }).service;
  await expect(unsigned.signing.statusList(place.list)).rejects.toMatchObject(missing);
});

test('an outage is no list: nothing stale is served, and the next who asks tries again', async () => {
  const storage: StorageProbe = probe();
  const { service, clock } = openSigningService({ storage });
  const place = await issue(service);
  await statusAt(service, place);
  clock.advance(MINUTE);
  storage.fail = () => Promise.reject(new Error('down'));
  await expect(service.signing.statusList(place.list)).rejects.toMatchObject({ code: 'storage_unavailable' });
  storage.fail = undefined;
  expect(await statusAt(service, place)).toBe(0);
});

test('allows third parties sixteen reads at a time, and refuses more', async () => {
  const storage: StorageProbe = probe();
  const { service } = openSigningService({ storage });
  await issue(service);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  storage.fail = () => held.then(() => undefined);
  const ids = Array.from({ length: 40 }, (_, at) => `sl_${`${at}`.padStart(22, '0')}`);
  const asked = ids.map((id) => service.signing.statusList(id).catch(({ code }) => code));
  release();
  const codes = await Promise.all(asked);
  const count = (code: string) => codes.filter((one) => one === code).length;
  expect([count('not_found'), count('overloaded')]).toEqual([16, 24]);
});

test('no log holds a token', async () => {
  const { service, logs, trail, clock } = openSigningService();
  const place = await issue(service);
  await service.revoke({ agent_id: AGENT });
  clock.advance(MINUTE);
  const { token } = await service.signing.statusList(place.list);
  const text = JSON.stringify([logs, trail]);
  for (const part of token.split('.')) expect(text).not.toContain(part);
  expect(text).not.toContain('tok_');
});
