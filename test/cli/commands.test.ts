import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { CLI, type Ended, GIVEN, openFolder, runShell } from '../support/process.ts';

/** The commands on a storage of their own. The tests build on one another, as the work of an operator does. */
const AGENT = 'did:web:example.com:agents:shopper';
const EMAIL = 'ada@example.com';

let folder: string;
let remove: () => void;

beforeAll(() => {
  ({ folder, remove } = openFolder());
});

afterAll(() => remove());

function call(...args: readonly string[]): Promise<Ended> {
  return run(args, { cwd: folder });
}

/** Runs a command with --json; nothing but one record is on stdout, and nothing at all on stderr. */
async function record(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await call(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout);
}

describe('account', () => {
  test('create makes the database, and a password that is shown once', async () => {
    const made = await record('account', 'create', EMAIL);
    expect(made).toEqual({
      id: expect.stringMatching(/^acc_/),
      email: EMAIL,
      external_id: null,
      name: null,
      plan: 'starter',
      created_at: expect.any(String),
      password: expect.stringMatching(/^(?:[0-9A-Za-z]{6}-){3}[0-9A-Za-z]{6}$/),
    });
  });

  test('create takes the password from stdin and does not repeat it', async () => {
    const input = `${GIVEN.AGENT_IDENTITY_PASSWORD}\n`;
    process.emitWarning('Of a guard of another file.', 'ToolGuardWarning');
    const ended = await run(
      ['account', 'create', 'bob@example.com', '--password-file', '-', '--storage', 'sqlite:b.db'],
      {
        cwd: folder,
        input,
      },
    );
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('bob@example.com');
    expect(ended.stdout).not.toContain(GIVEN.AGENT_IDENTITY_PASSWORD);
  });

  test('create fails for an e-mail that has one', async () => {
    expect(await call('account', 'create', EMAIL)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'agent-identity: There is an account with this e-mail. Log in, or use another e-mail.\n',
    });
  });

  test('create names every field that is wrong', async () => {
    const ended = await run(['account', 'create', 'nobody'], {
      cwd: folder,
      env: { AGENT_IDENTITY_PASSWORD: 'short' },
    });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr.split('\n')).toEqual([
      'agent-identity: These fields are not valid:',
      '  /email: This must be an e-mail address such as ann@example.com.',
      '  /password: This has fewer than 12 characters. This must be text of 12 to 128 characters.',
      '',
    ]);
  });

  test('password sets a new one; for an unknown account it fails', async () => {
    expect(await record('account', 'password', EMAIL)).toMatchObject({
      email: EMAIL,
      password: expect.any(String),
    });
    expect((await call('account', 'password', 'eve@example.com')).code).toBe(1);
  });

  test('list shows the accounts and no password', async () => {
    const page = await record('account', 'list');
    expect(page['data']).toEqual([
      {
        id: expect.any(String),
        email: EMAIL,
        external_id: null,
        name: null,
        plan: 'starter',
        disabled: false,
        created_at: expect.any(String),
        created_by: 'operator',
        // A new password changes the login of the owner, not the account.
        changed_at: null,
        changed_by: null,
      },
    ]);
    expect((await call('account', 'list')).stdout).toMatch(
      /^EMAIL +NAME +EXTERNAL ID +PLAN +STATUS +CREATED +ID\nada@example\.com +starter +active/,
    );
  });
});

describe('passport', () => {
  test('create issues one from flags, and not twice', async () => {
    const args = ['passport', 'create', '--domain', 'example.com', '--agent-name', 'shopper'];
    args.push(
      '--monetary-limit-per-txn',
      '100',
      '--currency',
      'EUR',
      '--allowed-actions',
      'payments.create',
      'orders.*',
    );
    expect(await record(...args)).toMatchObject({
      agent_id: AGENT,
      allowed_actions: ['payments.create', 'orders.*'],
      monetary_limit_per_txn: 100,
      status: 'active',
    });
    expect((await call(...args)).code).toBe(1);
  });

  test('create issues one from a file, where flags win', async () => {
    const fields = {
      domain: 'example.com',
      agent_name: 'x',
      allowed_actions: ['*'],
      monetary_limit_per_txn: 5,
    };
    writeFileSync(join(folder, 'passport.json'), JSON.stringify(fields));
    const made = await call('passport', 'create', 'passport.json', '--agent-name', 'buyer');
    expect(made).toMatchObject({ code: 0, stdout: 'Issued did:web:example.com:agents:buyer\n' });
  });

  test('create refuses a number that a double does not hold, instead of rounding it', async () => {
    const text =
      '{"domain":"example.com","agent_name":"r","allowed_actions":[],"monetary_limit_per_txn":100.000000000000001}';
    const ended = await run(['passport', 'create', '-'], { cwd: folder, input: text });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^agent-identity: stdin: [^\n]+\n$/);
  });

  test('create names every field that is missing', async () => {
    const { code, stderr } = await call('passport', 'create', '--domain', 'example.com');
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(4);
    expect(stderr).toContain('  /agent_name: This field is required: a lower-case name such as shopper.\n');
  });

  test('list shows all, by status and by domain', async () => {
    expect((await record('passport', 'list'))['data']).toHaveLength(2);
    expect((await record('passport', 'list', '--status', 'revoked'))['data']).toEqual([]);
    expect((await record('passport', 'list', '--domain', 'example.org'))['data']).toEqual([]);
    expect((await call('passport', 'list')).stdout).toMatch(
      /^AGENT +STATUS +LIMIT +VERSION +UPDATED\n(?:did:web:.*\n){2}$/,
    );
  });

  test('show shows one, and fails for none', async () => {
    expect(await record('passport', 'show', AGENT)).toMatchObject({ agent_id: AGENT, version: 1 });
    expect((await call('passport', 'show', AGENT)).stdout).toMatch(
      /^allowed_actions +payments\.create, orders\.\*$/m,
    );
    expect(await call('passport', 'show', `${AGENT}s`)).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('verify', () => {
  const ask = (...more: readonly string[]) =>
    call('verify', '--agent', AGENT, '--action', 'payments.create', ...more);

  test('ALLOW is exit code 0', async () => {
    const ended = await ask('--amount', '100.00', '--currency', 'EUR');
    expect(ended).toMatchObject({ code: 0, stdout: 'ALLOW\n', stderr: '' });
  });

  test('DENY is exit code 3, with a line per reason', async () => {
    const ended = await ask('--amount', '100.01', '--currency', 'EUR', '--target', 'nobody');
    expect(ended).toMatchObject({ code: 3, stderr: '' });
    expect(ended.stdout).toMatch(
      /^DENY\n {2}target_invalid: .+\n {2}amount_over_limit: .+\(limit 100, actual 100\.01\)\n$/,
    );
  });

  test('--json prints the record of either', async () => {
    const ended = await ask('--amount', '100.000000000000001', '--currency', 'EUR', '--dry-run', '--json');
    expect(ended.code).toBe(3);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      verdict: 'DENY',
      dry_run: true,
      key_id: null,
      passport_version: 1,
    });
  });

  test('reads an intent from a file or stdin', async () => {
    const intent = { agent_id: AGENT, action: 'orders.place', parameters: { amount: 1, currency: 'EUR' } };
    writeFileSync(join(folder, 'intent.json'), JSON.stringify(intent));
    expect((await call('verify', 'intent.json')).code).toBe(0);
    expect((await call('verify', 'intent.json', '--amount', '1000')).code).toBe(3);
    const malformed = await run(['verify', '-'], { cwd: folder, input: '{"agent_id":"a","agent_id":"b"}' });
    expect(malformed).toMatchObject({ code: 2, stdout: '' });
    expect((await call('verify', '--agent', AGENT)).code).toBe(2);
  });
});

describe('the state of a passport', () => {
  const ask = async () => (await call('verify', '--agent', AGENT, '--action', 'orders.place')).code;

  test('suspend denies, reinstate allows again, revoke denies for ever', async () => {
    expect(
      await record('passport', 'suspend', AGENT, '--reason', 'holiday', '--until', '2999-01-01T00:00:00Z'),
    ).toEqual({
      agent_id: AGENT,
      status: 'suspended',
      reason: 'holiday',
      suspended_until: '2999-01-01T00:00:00.000Z',
    });
    expect(await ask()).toBe(3);
    expect(await record('passport', 'reinstate', AGENT)).toEqual({ agent_id: AGENT, status: 'active' });
    expect(await ask()).toBe(0);
    expect(await call('passport', 'revoke', AGENT)).toMatchObject({
      code: 0,
      stdout: `${AGENT} is revoked.\n`,
    });
    expect(await ask()).toBe(3);
    expect((await call('passport', 'reinstate', AGENT)).code).toBe(1);
    expect((await call('passport', 'suspend', AGENT, '--until', 'tomorrow')).code).toBe(2);
  });
});

describe('key', () => {
  test('create shows the secret once, list never, revoke ends it', async () => {
    const made = await record('key', 'create', 'till', '--scopes', 'verify', '--agent-ids', AGENT);
    expect(made).toMatchObject({ name: 'till', scopes: ['verify'], agent_ids: [AGENT], environment: 'live' });
    const listed = await call('key', 'list', '--json');
    expect(listed.stdout).not.toContain(made['key']);
    expect(JSON.parse(listed.stdout)).toMatchObject({ active_count: 1, has_more: false });
    expect(await record('key', 'revoke', `${made['id']}`)).toEqual({ id: made['id'], status: 'revoked' });
    expect((await call('key', 'list')).stdout).toMatch(/till +ais_live_.{4}… +revoked/);
    expect((await call('key', 'revoke', 'key_0')).code).toBe(1);
    expect((await call('key', 'create', 'x', '--scopes', 'everything')).code).toBe(2);
  });
});

test('control characters of a record do not reach the terminal', async () => {
  const args = [
    'passport',
    'create',
    '--domain',
    'example.com',
    '--agent-name',
    'painter',
    '--allowed-actions',
    'a',
  ];
  await call(...args, '--monetary-limit-per-txn', '0', '--description', 'red \u001b[31m\u009b2J\u202e');
  const { stdout } = await call('passport', 'show', 'did:web:example.com:agents:painter');
  expect(stdout).toContain('red \\u001b[31m\\u009b2J\\u202e');
});

test('a reader who goes early is no failure', async () => {
  const ended = await runShell(`'${process.execPath}' '${CLI}' passport list --json | true; echo done`, {
    cwd: folder,
  });
  expect(ended).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
});
