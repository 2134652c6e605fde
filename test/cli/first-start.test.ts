import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { type Ended, GIVEN, openFolder, runShell, type Serving, startServe } from '../support/process.ts';
import { hasCurl } from '../support/programs.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

const HOSTILE = `it's "quoted" $HOME \`x\` \\ ünd`;

let folder: string;
let remove: () => void;
let serving: Serving | undefined;

beforeEach(() => {
  ({ folder, remove } = openFolder());
});

afterEach(async () => {
  await serving?.stop('SIGKILL');
  serving = undefined;
  remove();
});

describe('the four printed commands', () => {
  if (hasCurl()) {
    test('work in a shell as they are printed, and show an ALLOW and a DENY', async () => {
      serving = await startServe({ cwd: folder });
      const ended = await runPrinted(serving, {});
      expectVerdicts(ended);
      expect(ended.stdout).toContain('"code":"amount_over_limit"');
    });

    test('refer to a password of the environment, whatever is in it', async () => {
      const env = { AGENT_IDENTITY_PASSWORD: HOSTILE, AGENT_IDENTITY_EMAIL: "o'brien@example.com" };
      serving = await startServe({ cwd: folder, env });
      expectVerdicts(await runPrinted(serving, env));
    });

    test('refer to a password in a file', async () => {
      writeFileSync(join(folder, 'pass word'), `${HOSTILE}\n`);
      serving = await startServe({ cwd: folder }, ['--password-file', 'pass word']);
      expectVerdicts(await runPrinted(serving, {}));
    });
  }

  test('are printed once: the second start says how to reset the password', async () => {
    serving = await startServe({ cwd: folder });
    const password = /Password +(\S+)/.exec(serving.stdout())?.[1] ?? '';
    expect(password).toMatch(/^(?:[0-9A-Za-z]{6}-){3}[0-9A-Za-z]{6}$/);
    expect(serving.stdout()).toContain('starter: 20 keys, 1,000 passports, 6,000 verifications per minute');
    expect(serving.stdout()).toContain('account plan admin@localhost team');
    expect((await serving.stop()).code).toBe(0);
    serving = await startServe({ cwd: folder });
    expect(serving.stdout()).not.toContain('curl');
    expect(serving.stdout()).not.toContain(password);
    expect(serving.stdout()).toContain('account password admin@localhost');
  });
});

describe('what is given', () => {
  test.each(['text', 'json'])('never shows up in what is printed (--log %s)', async (log) => {
    serving = await startServe({ cwd: folder, env: GIVEN }, ['--log', log]);
    await runPrinted(serving, GIVEN);
    await post(serving, '/auth/login', { email: ADMIN, password: 'not-the-password' });
    const { stdout, stderr } = await serving.stop();
    for (const secret of Object.values(GIVEN)) expect(stdout + stderr).not.toContain(secret);
    expect(Object.keys(filesOf(folder))).toEqual(['agent-identity.db']);
  });

  test('a secret of the environment signs the tokens', async () => {
    await useFolder();
    serving = await startServe({ cwd: folder, env: GIVEN });
    const token = await login(serving);
    await serving.stop();
    serving = await startServe({ cwd: folder, env: GIVEN });
    expect((await get(serving, '/keys', token)).status).toBe(200);
  });
});

describe('the signing secret', () => {
  test('is kept beside the database for its owner alone, and is found again', async () => {
    serving = await startServe({
      cwd: folder,
      env: { AGENT_IDENTITY_PASSWORD: GIVEN.AGENT_IDENTITY_PASSWORD },
    });
    const file = join(folder, 'agent-identity.db.secret');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const kept = readFileSync(file, 'utf8');
    expect(Buffer.from(kept, 'base64').length).toBe(48);
    const token = await login(serving);
    const { stdout, stderr } = await serving.stop();
    expect(stdout + stderr).not.toContain(kept.trim());
    serving = await startServe({ cwd: folder });
    expect((await get(serving, '/keys', token)).status).toBe(200);
    expect(readFileSync(file, 'utf8')).toBe(kept);
  });
});

test('memory: says that it forgets everything, and leaves nothing', async () => {
  serving = await startServe({ cwd: folder }, ['--storage', 'memory:', '--log', 'json']);
  const events = (await serving.stop()).stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      event: 'storage_not_durable',
      message: expect.stringMatching(/lost when this process ends/),
    }),
  );
  expect(filesOf(folder)).toEqual({});
});

test('rate limits that are off are announced at each start', async () => {
  await useFolder();
  for (const _ of [1, 2]) {
    serving = await startServe({ cwd: folder, env: { ...GIVEN, AGENT_IDENTITY_RATE_LIMITS: 'off' } });
    expect((await serving.stop()).stderr).toContain('rate_limits_off');
  }
});

test.each(['AGENT_IDENTITY_STORAGE', 'AGENT_IDENTITY_SECRET', 'AGENT_IDENTITY_PASSWORD', 'HOST', 'PORT'])(
  'an empty %s is refused before anything is opened',
  async (name) => {
    const ended = await run(['serve', '--port', '0'], { cwd: folder, env: { ...GIVEN, [name]: '' } });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toBe(`agent-identity: ${name} is empty: give it a value, or unset it.\n`);
    expect(filesOf(folder)).toEqual({});
  },
);

test.each([
  ['AGENT_IDENTITY_STORGE', / no such setting\. Did you mean AGENT_IDENTITY_STORAGE\?$/m],
  ['AGENT_IDENTITY_CONSISTANCY', / Did you mean AGENT_IDENTITY_CONSISTENCY\?$/m],
  ['AGENT_IDENTITY_X', / no such setting\. Unset it\.$/m],
])('%s is no setting, and is refused before anything is opened', async (name, says) => {
  const env = { ...GIVEN, [name]: 'sqlite:hunter2' };
  const ended = await run(['serve', '--port', '0'], { cwd: folder, env });
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) });
  expect(ended.stderr).not.toContain('hunter2');
  expect(filesOf(folder)).toEqual({});
});

test('an empty credential stops only the commands that read it', async () => {
  const env = { AGENT_IDENTITY_API_KEY: '', AGENT_IDENTITY_TOKEN: '' };
  expect(await run(['openapi'], { cwd: folder, env })).toMatchObject({ code: 0, stderr: '' });
  const intent = ['--agent', 'did:web:a.example:agents:b', '--action', 'pay'];
  const elsewhere = ['--url', 'http://127.0.0.1:1/api'];
  for (const [words, name] of [
    [['verify', ...intent], 'AGENT_IDENTITY_API_KEY'],
    [['key', 'list'], 'AGENT_IDENTITY_TOKEN'],
  ] as const) {
    const ended = await run([...words, ...elsewhere], { cwd: folder, env });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toBe(`agent-identity: ${name} is empty: give it a value, or unset it.\n`);
  }
});

test('registers a new account only if registration is open', async () => {
  await useFolder();
  const newcomer = { email: 'ada@example.com', password: GIVEN.AGENT_IDENTITY_PASSWORD };
  serving = await startServe({ cwd: folder, env: GIVEN });
  expect((await post(serving, '/auth/register', newcomer)).status).toBe(404);
  await serving.stop();
  serving = await startServe({ cwd: folder, env: { ...GIVEN, AGENT_IDENTITY_REGISTRATION: 'open' } });
  expect((await post(serving, '/auth/register', newcomer)).status).toBe(201);
  const listed = await run(['account', 'list', '--json'], { cwd: folder });
  expect(JSON.parse(listed.stdout).data).toHaveLength(2);
});

/** A folder whose first start is over. */
async function useFolder(): Promise<void> {
  remove();
  ({ folder, remove } = await openUsedFolder());
}

function runPrinted(from: Serving, env: Readonly<Record<string, string>>): Promise<Ended> {
  const commands = from
    .stdout()
    .split('\n')
    .filter((line) => line.includes('curl '));
  expect(commands).toHaveLength(4);
  return runShell(commands.join('\n'), { cwd: folder, env });
}

function expectVerdicts({ stdout, stderr, code }: Ended): void {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.match(/"verdict":"\w+"/g)).toEqual(['"verdict":"ALLOW"', '"verdict":"DENY"']);
}

function filesOf(path: string): Record<string, number> {
  const names = ['agent-identity.db', 'agent-identity.db.secret'];
  const sizes = names.map(
    (name) => [name, statSync(join(path, name), { throwIfNoEntry: false })?.size] as const,
  );
  return Object.fromEntries(sizes.filter((entry): entry is [string, number] => entry[1] !== undefined));
}

function post({ origin }: Serving, path: string, body: unknown): Promise<Response> {
  return fetch(`${origin}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

function get({ origin }: Serving, path: string, token: string): Promise<Response> {
  return fetch(`${origin}/api${path}`, { headers: { authorization: `Bearer ${token}` } });
}

async function login(from: Serving): Promise<string> {
  const answer = await post(from, '/auth/login', {
    email: ADMIN,
    password: GIVEN.AGENT_IDENTITY_PASSWORD,
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}
