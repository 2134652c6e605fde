import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { identity } from '../../src/identity/index.ts';
import { createIdentityService } from '../../src/index.ts';
import { ED25519_KEYS } from '../support/agent-keys.ts';
import { run } from '../support/command.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { GIVEN } from '../support/process.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

const [key] = ED25519_KEYS;

async function openFolderOfAgents() {
  const { folder, remove } = await openUsedFolder();
  onTestFinished(remove);
  const call = (...args: readonly string[]) => run(args, { cwd: folder, env: GIVEN });
  const own = (...args: readonly string[]) => run([...args, '--account', ADMIN], { cwd: folder });
  writeFileSync(join(folder, 'key.json'), JSON.stringify(key));
  for (const [name, domain] of [
    ['active', 'example.com%3A8443'],
    ['suspended', 'example.com'],
    ['revoked', 'example.com'],
  ] as const) {
    const create = ['passport', 'create', '--domain', domain, '--agent-name', name, '--allowed-actions', 'a'];
    await own(...create, '--monetary-limit-per-txn', '1', '--public-key', 'key.json');
  }
  const document = (path: string) => JSON.parse(readFileSync(join(folder, 'out', path), 'utf8'));
  return { folder, call, own, document };
}

test('did export writes a tree for a web server, without files of what is revoked', async () => {
  const { folder, call, own, document } = await openFolderOfAgents();
  const key = await call('signing-key', 'rotate', '--now', '--json');
  expect(key).toMatchObject({ code: 0, stderr: '' });
  const exported = ['did', 'export', '--out', 'out', '--public-url', 'https://id.example.com/api'];
  const first = await call(...exported, '--json');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(first.stdout)).toEqual({ domains: 2, agents: 3, revoked: 0 });
  expect(document('example.com/agents/revoked/did.json').authentication).toHaveLength(2);

  await own('passport', 'suspend', 'did:web:example.com:agents:suspended');
  await own('passport', 'revoke', 'did:web:example.com:agents:revoked');
  expect((await call(...exported)).stdout).toBe(
    'Wrote 2 domains and 2 agents; 1 are revoked and have no file.\n',
  );
  expect(existsSync(join(folder, 'out/example.com/agents/revoked/did.json'))).toBe(false);
  expect(document('example.com/agents/suspended/did.json')).toMatchObject({ authentication: [] });
  expect(document('example.com/agents/suspended/jwks.json')).toEqual({ keys: [] });
  const active = document('example.com%3A8443/agents/active/did.json');
  expect(active.id).toBe('did:web:example.com%3A8443:agents:active');
  expect(active.service[0].serviceEndpoint).toBe('https://id.example.com/api');
  const { kid } = JSON.parse(key.stdout);
  expect(document('example.com%3A8443/.well-known/did.json').assertionMethod).toContain(
    `did:web:example.com%3A8443#${kid}`,
  );
});

test('did export removes what resolves no more: the agents and the domain of an account that lost it', async () => {
  const { folder, call } = await openFolderOfAgents();
  await call('signing-key', 'rotate', '--now');
  const exported = () => call('did', 'export', '--out', 'out', '--json');
  const isThere = (path: string) => existsSync(join(folder, 'out', path));
  const files = ['agents/active/did.json', 'agents/active/jwks.json'].map(
    (path) => `example.com%3A8443/${path}`,
  );
  expect(JSON.parse((await exported()).stdout)).toMatchObject({ domains: 2, agents: 3 });
  expect(files.map(isThere)).toEqual([true, true]);
  await call('account', 'create', 'bob@example.com');
  expect(await call('domain', 'transfer', 'example.com', 'bob@example.com')).toMatchObject({ code: 0 });
  expect(JSON.parse((await exported()).stdout)).toMatchObject({ domains: 2, agents: 0 });
  expect(files.map(isThere)).toEqual([false, false]);
  expect(await call('domain', 'release', 'example.com', '--force')).toMatchObject({ code: 0 });
  expect(JSON.parse((await exported()).stdout)).toMatchObject({ domains: 0, agents: 3 });
  expect(isThere('example.com/.well-known/did.json')).toBe(false);
  expect(files.map(isThere)).toEqual([true, true]);
});

test('did export writes the agents of a service where domains are not claimed, and no domain', async () => {
  const { folder, remove } = await openUsedFolder();
  onTestFinished(remove);
  const storage = await sqliteStorage({ file: join(folder, 'agent-identity.db') });
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage,
    domainProof: 'off',
    capabilities: [identity({ secret: GIVEN.AGENT_IDENTITY_SECRET })],
  });
  const passport = { domain: 'example.com', allowed_actions: [], monetary_limit_per_txn: 0 };
  const [account] = (await service.accounts.list()).data;
  await service.passports.create({ ...passport, agent_name: 'own' }, { account_id: `${account?.id}` });
  await service.passports.create({ ...passport, agent_name: 'local' });
  await service.signing.rotate({ now: true });
  await service.close();
  const { stdout } = await run(['did', 'export', '--out', 'out', '--json'], { cwd: folder, env: GIVEN });
  expect(JSON.parse(stdout)).toEqual({ domains: 0, agents: 2, revoked: 0 });
});

test('domain did prints the document of a domain', async () => {
  const { call } = await openFolderOfAgents();
  expect((await call('domain', 'did', 'example.com')).stderr).toMatch(/no signing key yet/);
  await call('signing-key', 'rotate', '--now');
  const { code, stdout } = await call('domain', 'did', 'example.com');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: 'did:web:example.com', authentication: [] });
  for (const wrong of ['example.com:8443', 'Example.com', 'https://example.com', '../example.com', '']) {
    const refused = await call('domain', 'did', wrong);
    expect(refused, wrong).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr, wrong).toContain('example.com%3A8443');
  }
});
