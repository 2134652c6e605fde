import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { createIdentityService, type IdentityServiceOptions, type ServiceWith } from '../../src/core.ts';
import { nodeListener } from '../../src/http/index.ts';
import { type PeopleCapability, people } from '../../src/people/index.ts';
import { PASSPORT } from '../support/api.ts';
import { run } from '../support/command.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { type Ended, openFolder } from '../support/process.ts';
import { PASSWORD, SECRET } from '../support/service.ts';

const HOST = { account: 'org-1', account_name: 'Acme', member: 'user-1', role: 'owner' } as const;

/** A storage on which an application has worked, and the command on it. */
interface Workplace {
  readonly folder: string;
  readonly call: (...args: readonly string[]) => Promise<Ended>;
}

async function openWorkplace(
  use: (service: ServiceWith<readonly [PeopleCapability]>) => Promise<unknown>,
  options: Partial<Omit<IdentityServiceOptions, 'capabilities'>> = {},
): Promise<Workplace> {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const storage = await sqliteStorage({ file: join(folder, 'agent-identity.db') });
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage,
    domainProof: 'off',
    capabilities: [people()],
    ...options,
  });
  await use(service);
  await service.close();
  return { folder, call: (...args) => run(args, { cwd: folder }) };
}

function passportOf(agent_name: string): Omit<typeof PASSPORT, 'agent_name'> & { agent_name: string } {
  return { ...PASSPORT, agent_name };
}

describe('--account', () => {
  test('takes an e-mail in any case, an id, the id of the application, and the id of a tenant in process', async () => {
    let hostId = '';
    const { call } = await openWorkplace(async (service) => {
      const actor = await service.actorOf(HOST);
      hostId = actor.account_id;
      await service.passports.create(passportOf('hosted'), actor);
      await service.passports.create(passportOf('tenant'), { account_id: 'customer-7' });
    });
    await call('account', 'create', 'ada@example.com');
    const agentsOf = async (account: string) => {
      const { stdout, stderr } = await call('passport', 'list', '--json', '--account', account);
      expect(stderr).toBe('');
      return JSON.parse(stdout).data.map(({ agent_name }: { agent_name: string }) => agent_name);
    };
    expect(await agentsOf('ADA@example.com')).toEqual([]);
    expect(await agentsOf('org-1')).toEqual(['hosted']);
    expect(await agentsOf(hostId)).toEqual(['hosted']);
    expect(await agentsOf('customer-7')).toEqual(['tenant']);
    const { code, stderr } = await call('passport', 'list', '--account', 'org-2');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'agent-identity: There is no account org-2. See the accounts with: agent-identity account list\n',
    });
  });

  test('is not needed for the account of an application that names none, and is if there is another', async () => {
    const { call } = await openWorkplace((service) => service.passports.create(passportOf('local')));
    expect((await call('passport', 'list')).stdout).toContain('local');
    await call('account', 'create', 'ada@example.com');
    const { code, stderr } = await call('passport', 'list');
    expect(code).toBe(2);
    expect(stderr).toMatch(/has the accounts acc_\w{22} and acc_local\. Name one with --account <id>/);
    expect((await call('passport', 'list', '--account', 'acc_local')).stdout).toContain('local');
  });
});

describe('account', () => {
  test('list shows the name and the id of the application, and each names the account', async () => {
    const { call } = await openWorkplace((service) => service.actorOf(HOST));
    expect((await call('account', 'list')).stdout).toMatch(/NAME +EXTERNAL ID[\s\S]*Acme +org-1 +starter/);
    expect((await call('account', 'plan', 'org-1', 'team')).stdout).toBe('Acme is on the plan team.\n');
    expect((await call('account', 'disable', 'org-1')).stdout).toBe('Acme is disabled.\n');
    expect((await call('account', 'enable', 'org-1')).stdout).toBe('Acme is enabled.\n');
    expect((await call('account', 'show', 'org-1')).stdout).toMatch(/external_id +org-1/);
    expect((await call('account', 'delete', 'org-1', '--yes')).code).toBe(0);
    expect((await call('account', 'show', 'org-1')).stderr).toContain('There is no account org-1.');
  });

  test('is refused if its name is the id of one account and the id of the application of another', async () => {
    let id = '';
    const { call } = await openWorkplace(async (service) => {
      ({ account_id: id } = await service.actorOf(HOST));
      await service.actorOf({ ...HOST, account: id });
    });
    const { code, stderr } = await call('passport', 'list', '--account', id);
    expect(code).toBe(1);
    expect(stderr).toContain('This names more than one account:');
  });
});

test('--url on a mount with the login of the application says what to do instead', async () => {
  const { folder } = await openWorkplace((service) => service.actorOf(HOST));
  const storage = await sqliteStorage({ file: join(folder, 'agent-identity.db') });
  const service = createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage,
    capabilities: [people()],
  });
  const server = createServer(nodeListener(service, { authenticate: () => null }));
  onTestFinished(async () => {
    server.close();
    await service.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const { folder: cwd, remove } = openFolder();
  onTestFinished(remove);
  const { code, stderr } = await run(['passport', 'list', '--url', url], {
    cwd,
    env: { AGENT_IDENTITY_PASSWORD: 'a-long-password-of-ada' },
  });
  expect(code).toBe(1);
  expect(stderr).toContain('its application signs people in');
  expect(stderr).toContain('--storage and --account');
});

describe('a member', () => {
  test('is refused by an address that an invitation and an active member have, and acts by its id', async () => {
    let id = '';
    const { call } = await openWorkplace(
      async (service) => {
        const account = await service.accounts.create({ email: 'ann@example.com', password: PASSWORD });
        const actor = { account_id: account.id };
        const { member, link } = await service.members.invite(
          { role: 'admin', email: 'ben@example.com' },
          actor,
        );
        await service.acceptLink({ token: link.token, password: PASSWORD });
        await service.members.invite({ role: 'viewer', email: 'ben@example.com' }, actor);
        id = member.id;
      },
      { session: { secret: SECRET } },
    );
    for (const command of [['remove'], ['link'], ['end-sessions']]) {
      const { code, stderr } = await call('member', ...command, 'BEN@example.com');
      expect(code).toBe(2);
      expect(stderr).toContain('names more than one member:');
      expect(stderr).toContain(`${id} (active, admin)`);
      expect(stderr).toMatch(/mem_\w+ \(invited, viewer\)/);
    }
    expect((await call('member', 'remove', id)).code).toBe(0);
    expect((await call('member', 'role', 'ben@example.com', 'editor')).stdout).toContain('editor');
  });

  test('is not invited with --email on a storage, which would drop the address', async () => {
    const { call } = await openWorkplace((service) => service.accounts.list());
    const { code, stderr } = await call('member', 'invite', 'viewer', '--email', 'ben@example.com');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--email is for --url'),
    });
  });
});
