/** One signing key in 64 has an id that begins with `-`, which looks like an option. */
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { sqliteStorage } from '../../adapters/storage/sql/index.ts';
import { insert } from '../../src/core/storage/store.ts';
import { makeKey, PASSPORT_PURPOSE } from '../../src/identity/stored-signer.ts';
import { createKeySealing } from '../../src/tokens/signing/sealing.ts';
import { run } from '../support/command.ts';
import { type Ended, GIVEN } from '../support/process.ts';
import { openUsedFolder } from '../support/used-folder.ts';

let call: (...args: readonly string[]) => Promise<Ended>;
let kid: string;

beforeEach(async () => {
  const { folder, remove } = await openUsedFolder();
  onTestFinished(remove);
  const storage = await sqliteStorage({ file: join(folder, 'agent-identity.db') });
  onTestFinished(storage.close);
  const at = Date.now();
  const plan = {
    ...({ purpose: PASSPORT_PURPOSE, alg: 'EdDSA', at, from: at } as const),
    sealing: createKeySealing([GIVEN.AGENT_IDENTITY_SECRET]),
  };
  let made = await makeKey([], plan);
  while (!made.kid.startsWith('-')) made = await makeKey([], plan);
  ({ kid } = made);
  await storage.write([insert('signing_keys', made)]);
  call = (...args) => run(args, { cwd: folder, env: GIVEN });
});

test('export prints a key whose id begins with a hyphen', async () => {
  for (const args of [[kid], ['--json', kid], [kid, '--json'], ['--', kid]]) {
    const { code, stdout, stderr } = await call('signing-key', 'export', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ kid, use: 'sig' });
  }
});

test('revoke ends a key whose id begins with a hyphen', async () => {
  const revoked = await call('signing-key', 'revoke', kid, '--json');
  expect(revoked).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(revoked.stdout)).toMatchObject({ kid, state: 'revoked' });
});

test('an id that begins with a hyphen and belongs to no key is no unknown option', async () => {
  const other = `-${'a'.repeat(42)}`;
  const ended = await call('signing-key', 'export', other);
  expect(ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`There is no signing key ${other}`),
  });
});
