import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../support/command.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

const PUBLIC_URL = 'https://id.example.com/api';

test('an agent gets a key, a passport that requires it, and signs what is allowed once', async () => {
  const { folder, remove } = await openUsedFolder();
  onTestFinished(remove);
  const call = (...args: readonly string[]) =>
    run(args, { cwd: folder, env: { AGENT_IDENTITY_PUBLIC_URL: PUBLIC_URL } });
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return name;
  };

  const made = await call('agent-key', 'generate', '--alg', 'ES256', '--out', 'key.json');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const secret = JSON.parse(readFileSync(join(folder, 'key.json'), 'utf8'));
  expect(statSync(join(folder, 'key.json')).mode & 0o777).toBe(0o600);
  expect(made.stdout).not.toContain(secret.d);
  const { kid } = JSON.parse(made.stdout);
  const again = await call('agent-key', 'generate', '--out', 'key.json');
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(again.stderr).toContain('exists already');
  expect(JSON.parse(readFileSync(join(folder, 'key.json'), 'utf8'))).toEqual(secret);

  const create = [
    'passport',
    'create',
    '--account',
    ADMIN,
    '--domain',
    'example.com',
    '--agent-name',
    'signer',
  ];
  create.push('--allowed-actions', 'payments.create', '--monetary-limit-per-txn', '100', '--proof', 'intent');
  expect((await call(...create)).code).not.toBe(0);
  const issued = await call(...create, '--public-key', file('public.json', made.stdout), '--json');
  expect(issued).toMatchObject({ code: 0, stderr: '' });
  const { agent_id, proof, public_keys } = JSON.parse(issued.stdout);
  expect({ proof, kid: public_keys[0].kid }).toEqual({ proof: 'intent', kid });

  const intent = {
    agent_id,
    action: 'payments.create',
    target: 'did:web:shop.example',
    parameters: { amount: 25 },
  };
  const sign = ['intent', 'sign', file('intent.json', JSON.stringify(intent)), '--key', 'key.json'];
  const signed = await call(...sign, '--audience', PUBLIC_URL, '--json');
  expect(signed).toMatchObject({ code: 0, stderr: '' });
  const verify = (text: string) => call('verify', file('signed.json', text), '--json');
  const dearer = signed.stdout.replace(/"amount": ?25/, '"amount": 26');
  expect(await verify(dearer)).toMatchObject({ code: 3 });
  const allowed = await verify(signed.stdout);
  expect(allowed.code).toBe(0);
  expect(JSON.parse(allowed.stdout)).toMatchObject({ verdict: 'ALLOW', proof_kid: kid });
  expect((await verify(signed.stdout)).stdout).toContain('proof_replayed');

  expect((await call(...sign, '--audience', PUBLIC_URL)).stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  for (const args of [[], ['--audience', PUBLIC_URL, '--seconds', 'x'], ['--audience', '']]) {
    const refused = await call(...sign, ...args);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).not.toContain(secret.d);
  }
  const { target: _, ...anywhere } = intent;
  file('intent.json', JSON.stringify(anywhere));
  expect((await call(...sign, '--audience', PUBLIC_URL)).stderr).toContain('target');
  expect((await call(...sign, '--audience', PUBLIC_URL, '--any-target')).code).toBe(0);
});

test('without --out both keys are printed, and intent sign takes them', async () => {
  const { folder, remove } = await openUsedFolder();
  onTestFinished(remove);
  const { stdout } = await run(['agent-key', 'generate'], { cwd: folder });
  expect(Object.keys(JSON.parse(stdout))).toEqual(['private_jwk', 'public_jwk', 'kid']);
  writeFileSync(join(folder, 'both.json'), stdout);
  writeFileSync(
    join(folder, 'intent.json'),
    JSON.stringify({ agent_id: 'a', action: 'b', target: 'did:web:c.d' }),
  );
  const sign = ['intent', 'sign', 'intent.json', '--key', 'both.json', '--audience', 'x'];
  expect(await run(sign, { cwd: folder })).toMatchObject({ code: 0, stderr: '' });
});
