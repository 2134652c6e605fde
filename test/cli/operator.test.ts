import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { type Ended, GIVEN, openFolder } from '../support/process.ts';

/** The commands for an operator with access to the storage. The tests build on one another. */
const ADA = 'ada@example.com';
const BOB = 'bob@example.com';

let folder: string;
let remove: () => void;
let ada: Record<string, unknown>;
let bob: Record<string, unknown>;

beforeAll(async () => {
  ({ folder, remove } = openFolder());
  ada = await record('account', 'create', ADA);
  bob = await record('account', 'create', BOB);
  for (const domain of ['example.com', 'example.org']) {
    const passport = ['passport', 'create', '--domain', domain, '--agent-name', 'shopper', '--account', ADA];
    await record(...passport, '--allowed-actions', '*', '--monetary-limit-per-txn', '1');
  }
});

afterAll(() => remove());

function call(...args: readonly string[]): Promise<Ended> {
  return run(args, { cwd: folder, env: GIVEN });
}

async function record(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await call(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('lists are as long as is asked for', async () => {
  for (const list of [['account'], ['domain']]) {
    const whole = (await record(...list, 'list'))['data'] as unknown[];
    expect(whole).toHaveLength(2);
    expect(await record(...list, 'list', '--limit', '1')).toEqual({
      data: whole.slice(0, 1),
      has_more: true,
      next_cursor: null,
    });
    expect(await record(...list, 'list', '--limit', '2')).toMatchObject({ data: whole, has_more: false });
    expect((await call(...list, 'list', '--limit', '0')).code).toBe(2);
  }
});

describe('account', () => {
  test('show prints what it uses and what its plan allows', async () => {
    expect(await record('account', 'show', ADA.toUpperCase())).toEqual({
      ...ada,
      usage: { active_keys: 0, passports: 2, members: 1 },
      member: null,
      limits: { keys: 20, passports: 1_000, verifications_per_minute: 6_000, writes_per_minute: 1_200 },
    });
    expect((await call('account', 'show', ADA)).stdout).toMatch(/^plan +starter$/m);
  });

  test('plan puts it on another plan, twice as well', async () => {
    for (const _ of [1, 2])
      expect(await record('account', 'plan', BOB, 'team')).toMatchObject({ plan: 'team' });
    expect(await call('account', 'plan', BOB, 'enterprise')).toMatchObject({
      code: 0,
      stdout: `${BOB} is on the plan enterprise.\n`,
    });
    expect(await record('account', 'show', BOB)).toMatchObject({
      plan: 'enterprise',
      limits: { keys: null, passports: null, verifications_per_minute: null, writes_per_minute: null },
    });
  });

  test('plan refuses one that there is not', async () => {
    const ended = await call('account', 'plan', BOB, 'gold');
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/starter, team, enterprise/);
  });

  test.each([['show'], ['plan', 'team'], ['disable'], ['enable']])(
    '%s fails for an unknown account',
    async (command, ...more) => {
      expect(await call('account', command, 'eve@example.com', ...more)).toMatchObject({
        code: 1,
        stdout: '',
        stderr:
          'agent-identity: There is no account eve@example.com. See the accounts with: agent-identity account list\n',
      });
    },
  );

  test.each([['show'], ['plan', 'team'], ['disable'], ['enable']])(
    '%s refuses a storage that is gone with it',
    async (command, ...more) => {
      const ended = await call('account', command, ADA, ...more, '--storage', 'memory:');
      expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/memory:/) });
    },
  );
});

describe('domain', () => {
  test('list prints who has which', async () => {
    const page = await record('domain', 'list');
    const claim = {
      account_id: ada['id'],
      changed_at: null,
      changed_by: null,
      created_at: expect.any(String),
      status: 'claimed',
      method: null,
      proven_at: null,
      checked_at: null,
    };
    expect(page).toMatchObject({ has_more: false, next_cursor: null });
    expect(page['data']).toEqual([
      { domain: 'example.org', ...claim },
      { domain: 'example.com', ...claim },
    ]);
    expect((await record('domain', 'list', '--account', BOB))['data']).toEqual([]);
    expect((await call('domain', 'list', '--account', ADA)).stdout).toMatch(
      /^DOMAIN +ACCOUNT +STATUS +CLAIMED\nexample\.org +ada@example\.com +claimed +/,
    );
    expect((await call('domain', 'list', '--account', 'eve@example.com')).code).toBe(1);
  });

  test('transfer gives it to another account, which then issues for it', async () => {
    const issue = [
      'passport',
      'create',
      '--domain',
      'example.com',
      '--agent-name',
      'buyer',
      '--account',
      BOB,
    ];
    issue.push('--allowed-actions', '*', '--monetary-limit-per-txn', '1');
    expect((await call(...issue)).code).toBe(1);
    expect(await record('domain', 'transfer', 'example.com', BOB)).toMatchObject({
      domain: 'example.com',
      account_id: bob['id'],
    });
    expect((await call(...issue)).code).toBe(0);
    expect((await call('domain', 'transfer', 'example.net', BOB)).code).toBe(1);
    expect((await call('domain', 'transfer', 'example.com', 'eve@example.com')).code).toBe(1);
    expect((await call('domain', 'transfer', 'example.com')).code).toBe(2);
  });

  test('release gives it up; while it is in use, only with force', async () => {
    expect(await call('domain', 'release', 'example.org')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/revoke them first/),
    });
    expect(await record('domain', 'release', 'example.org', '--force')).toEqual({
      domain: 'example.org',
      released: true,
    });
    expect((await call('domain', 'release', 'example.org')).code).toBe(1);
    const { data } = await record('domain', 'list', '--account', ADA);
    expect((data as readonly { status: string }[]).map(({ status }) => status)).toEqual(['lost', 'lost']);
  });
});

test('account disable shuts it out, twice as well, and deletes nothing', async () => {
  expect(await record('account', 'disable', ADA)).toMatchObject({ email: ADA, disabled: true });
  expect((await call('account', 'disable', ADA)).stdout).toBe(`${ADA} is disabled.\n`);
  expect((await record('passport', 'list', '--account', ADA))['data']).toHaveLength(2);
});

test('account list shows who is disabled, and account enable is the way back', async () => {
  await call('account', 'disable', ADA);
  expect((await call('account', 'list')).stdout).toMatch(
    /^EMAIL +NAME +EXTERNAL ID +PLAN +STATUS .*ada@example\.com +\w+ +disabled /ms,
  );
  expect(await record('account', 'enable', ADA)).toMatchObject({ email: ADA, disabled: false });
  expect((await call('account', 'enable', ADA)).stdout).toBe(`${ADA} is enabled.\n`);
  expect((await call('account', 'list')).stdout).not.toContain('disabled');
});
