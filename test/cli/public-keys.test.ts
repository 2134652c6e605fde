import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ED25519_KEYS, P256_KEYS } from '../support/agent-keys.ts';
import { run } from '../support/command.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

test('public keys are read from files, and a private key stays where it is', async () => {
  const { folder, remove } = await openUsedFolder();
  onTestFinished(remove);
  const call = (...args: readonly string[]) => run([...args, '--account', ADMIN], { cwd: folder });
  const record = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await call(...args, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  const file = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  const [one, other] = ED25519_KEYS;
  const [third] = P256_KEYS;
  const create = ['passport', 'create', '--domain', 'example.com', '--agent-name', 'keys'];
  create.push('--allowed-actions', 'a', '--monetary-limit-per-txn', '10');
  const set = file('set.json', { keys: [one, other] });
  const { agent_id, public_keys } = await record(...create, '--public-key', set, file('one.json', third));
  expect(public_keys).toEqual([one, other, third]);

  const update = ['passport', 'update', `${agent_id}`];
  const secret = file('private.json', { ...one, d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' });
  const refused = await call(...update, '--public-key', secret);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/holds a private key/);
  expect(refused.stderr).not.toContain('nWGxne');
  const wrong = await call(...update, '--public-key', file('wrong.json', { ...one, kid: 'x' }));
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/public_keys\/0\/kid/);
  const changed = await record(...update, '--public-key', join(folder, 'one.json'));
  expect(changed).toMatchObject({ public_keys: [third], version: 2 });
  expect((await call('passport', 'show', `${agent_id}`)).stdout).toContain(third.kid);
  expect(await record(...update, '--remove', 'public-keys')).not.toHaveProperty('public_keys');
});
