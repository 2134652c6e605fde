import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { type Ended, GIVEN, openFolder, type Serving, startServe } from '../support/process.ts';
import { openUsedFolder } from '../support/used-folder.ts';

const OTHER = 'uN3_kE7-yG1.bD5+wS9~oV2*fM8=qT6?';

let folder: string;
let remove: () => void;
let serving: Serving | undefined;

beforeEach(() => {
  ({ folder, remove } = openFolder());
});

afterEach(async () => {
  await serving?.stop('SIGKILL');
  remove();
});

async function serve(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<void> {
  await serving?.stop();
  serving = await startServe({ cwd: folder, env }, args);
}

/** What a start comes to that has to fail. */
async function refusal(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
  await serving?.stop();
  serving = undefined;
  const ended = await run(['serve', '--port', '0', ...args], { cwd: folder, env });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
  for (const secret of [OTHER, ...Object.values(GIVEN)]) expect(ended.stderr).not.toContain(secret);
  return ended;
}

function login(): Promise<string> {
  const body = JSON.stringify({ email: 'admin@localhost', password: GIVEN.AGENT_IDENTITY_PASSWORD });
  const headers = { 'content-type': 'application/json' };
  return fetch(`${serving?.origin}/api/auth/login`, { method: 'POST', headers, body })
    .then((answer) => answer.json() as Promise<{ readonly access_token: string }>)
    .then(({ access_token }) => access_token);
}

async function account(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${serving?.origin}/api/account`, { headers })).status;
}

test('another secret than that of the storage is refused, and two of them change it', async () => {
  remove();
  ({ folder, remove } = await openUsedFolder());
  await serve(GIVEN);
  const token = await login();
  const changed = { ...GIVEN, AGENT_IDENTITY_SECRET: OTHER };
  expect((await refusal(changed)).stderr).toContain('differs from the secret of this storage');
  await serve({ ...changed, AGENT_IDENTITY_PREVIOUS_SECRET: GIVEN.AGENT_IDENTITY_SECRET });
  expect(await account(token)).toBe(200);
  const next = await login();
  await serve(GIVEN);
  await serving?.stop();
  // The signing keys are still encrypted with the secret before.
  expect((await refusal(changed)).stderr).toContain('signing-key reseal');
  const reseal = ['signing-key', 'reseal', '--json'];
  const both = { ...changed, AGENT_IDENTITY_PREVIOUS_SECRETS: JSON.stringify([GIVEN.AGENT_IDENTITY_SECRET]) };
  expect(JSON.parse((await run(reseal, { cwd: folder, env: both })).stdout)).toEqual({ resealed: 1 });
  await serve(changed);
  expect([await account(token), await account(next)]).toEqual([401, 200]);
  await refusal(GIVEN);
});

test.each(['environment', 'file'])(
  'the list of previous secrets alone, in %s, lets a new secret start',
  async (place) => {
    await serve(GIVEN);
    const token = await login();
    const list = JSON.stringify(['aC4.hJ8_rX2-lP6+zF1~eW5*iK9=vB3!', GIVEN.AGENT_IDENTITY_SECRET]);
    const { AGENT_IDENTITY_SECRET: _, ...rest } = GIVEN;
    writeFileSync(join(folder, 'previous.json'), list);
    const isFile = place === 'file';
    const given = isFile ? {} : { AGENT_IDENTITY_PREVIOUS_SECRETS: list };
    const args = isFile ? ['--previous-secrets-file', 'previous.json'] : [];
    expect((await refusal({ ...rest, ...given }, ...args)).stderr).toContain('needs a new one');
    await serve({ ...rest, ...given, AGENT_IDENTITY_SECRET: OTHER }, ...args);
    expect([await account(token), await account(await login())]).toEqual([200, 200]);
    const reseal = ['signing-key', 'reseal', '--json', ...args];
    const env = { ...rest, ...given, AGENT_IDENTITY_SECRET: OTHER };
    await serving?.stop();
    expect(JSON.parse((await run(reseal, { cwd: folder, env })).stdout)).toEqual({ resealed: 1 });
    await serve({ ...rest, AGENT_IDENTITY_SECRET: OTHER });
    expect(await account(token)).toBe(401);
  },
);

test('a malformed list of previous secrets is refused, and not repeated', async () => {
  writeFileSync(join(folder, 'previous.json'), `"${OTHER}"`);
  const ended = await refusal(GIVEN, '--previous-secrets-file', 'previous.json');
  expect(ended.stderr).toContain('previous.json must be a JSON array of texts');
});

test('a previous secret in a file counts, and needs a new one', async () => {
  await serve({});
  const kept = join(folder, 'agent-identity.db.secret');
  renameSync(kept, join(folder, 'previous'));
  const args = ['--previous-secret-file', 'previous'];
  expect((await refusal({}, ...args)).stderr).toContain('needs a new one');
  expect(existsSync(kept)).toBe(false);
  await serve({ AGENT_IDENTITY_SECRET: OTHER }, ...args);
});

test('a secret file that has gone is not made anew but with --secret-lost', async () => {
  const { AGENT_IDENTITY_PASSWORD } = GIVEN;
  await serve({ AGENT_IDENTITY_PASSWORD });
  const token = await login();
  const kept = join(folder, 'agent-identity.db.secret');
  const before = readFileSync(kept, 'utf8');
  rmSync(kept);
  expect((await refusal({})).stderr).toContain('--secret-lost');
  expect(existsSync(kept)).toBe(false);
  await serve({}, '--secret-lost');
  expect(readFileSync(kept, 'utf8')).not.toBe(before);
  expect(await account(token)).toBe(401);
  await serve({});
});
