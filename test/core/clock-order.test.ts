import { expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import type { StorageAdapter } from '../../src/ports/storage.ts';
import { HOUR, MINUTE, manualClock, type Opened, openService, PASSWORD, START } from '../support/service.ts';

const EMAIL = 'owner@example.com';
const INPUT = {
  domain: 'example.com',
  agent_name: 'shopper',
  allowed_actions: ['*'],
  monetary_limit_per_txn: 1,
};

/** Two nodes on one store, the second an hour behind the first. */
function openNodes(): { readonly storage: StorageAdapter; readonly ahead: Opened; readonly behind: Opened } {
  const storage = memoryStorage();
  const ahead = openService({ storage }, manualClock(START + HOUR));
  const behind = openService({ storage: { ...storage, close: async () => {} } }, manualClock(START));
  return { storage, ahead, behind };
}

async function openAccount({ service }: Opened): Promise<{ readonly account_id: string }> {
  const { id } = await service.accounts.create({ email: EMAIL, password: PASSWORD });
  return { account_id: id };
}

test('no version of a passport is older than the one before, whichever node changes it', async () => {
  const { ahead, behind } = openNodes();
  const account = await openAccount(ahead);
  const { agent_id, created_at } = await ahead.service.passports.create(INPUT, account);
  const changes = [
    (node: Opened) => node.service.passports.update(agent_id, { description: 'changed' }, account),
    (node: Opened) => node.service.suspend({ agent_id, reason: 'a look' }, account),
    (node: Opened) => node.service.reinstate({ agent_id }, account),
    (node: Opened) => node.service.passports.update(agent_id, { monetary_limit_per_txn: 2 }, account),
    (node: Opened) => node.service.revoke({ agent_id, reason: 'the end' }, account),
  ];
  for (const [index, change] of changes.entries()) {
    ahead.clock.advance(MINUTE);
    await change(index % 2 === 0 ? behind : ahead);
  }
  const passport = await behind.service.passports.get(agent_id, account);
  expect(passport.updated_at >= created_at).toBe(true);
  expect(passport.revoked_at).toBe(passport.updated_at);
  const { data } = await behind.service.passports.versions(agent_id, { limit: 2 }, account);
  const rest = await behind.service.passports.versions(agent_id, {}, account);
  expect(data.map(({ version }) => version)).toEqual([6, 5]);
  expect(rest.data.map(({ version }) => version)).toEqual([6, 5, 4, 3, 2, 1]);
  const instants = rest.data.map(({ changed_at }) => changed_at);
  expect(instants).toEqual([...instants].sort().reverse());
  // What was answered once is what is stored.
  const again = await ahead.service.revoke({ agent_id }, account);
  expect(again.revoked_at).toBe(passport.revoked_at);
});

test('a key ends, is replaced and is used after it was made, whichever node says so', async () => {
  const { storage, ahead, behind } = openNodes();
  const account = await openAccount(ahead);
  const make = (name: string) => ahead.service.keys.create({ name }, account);
  const [revoked, rotated, graced, used] = [
    await make('a'),
    await make('b'),
    await make('c'),
    await make('d'),
  ];
  await behind.service.keys.revoke(revoked.id, account);
  const successor = await behind.service.keys.rotate(rotated.id, {}, account);
  const heir = await behind.service.keys.rotate(graced.id, { grace_seconds: 60 }, account);
  await behind.service.serving.authenticateKey(used.key);
  await behind.timers.pass(10_000);
  const at = ahead.clock.instant();
  expect(await storage.get('keys', revoked.id)).toMatchObject({ created_at: at, revoked_at: at });
  expect(await storage.get('keys', rotated.id)).toMatchObject({ created_at: at, revoked_at: at });
  expect(await storage.get('keys', graced.id)).toMatchObject({ expires_at: ahead.clock.instant(MINUTE) });
  expect([successor.created_at, heir.created_at]).toEqual([at, at]);
  expect(await storage.get('keys', used.id)).toMatchObject({ last_used_at: at });
});

test('an account is disabled and a session ended after it was made, whichever node does so', async () => {
  const { storage, ahead, behind } = openNodes();
  const { account_id } = await openAccount(ahead);
  const { access_token } = await behind.service.login({ email: EMAIL, password: PASSWORD });
  behind.clock.advance(-3_000);
  await behind.service.logout(access_token);
  const [session] = await storage.list('sessions', { where: { account_id }, limit: 1 });
  expect(session?.['revoked_at']).toBe(session?.created_at);
  await behind.service.accounts.disable(EMAIL);
  const account = await storage.get('accounts', account_id);
  expect(account?.['disabled_at']).toBe(account?.created_at);
});
