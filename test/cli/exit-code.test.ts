import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createApiKey } from '../../src/credential/api-key.ts';
import { createIdentityService } from '../../src/index.ts';
import { secureRandom } from '../../src/platform/index.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { openFolder, runProcess } from '../support/process.ts';

const AGENT = 'did:web:example.com:agents:shopper';

/** Elsewhere the command runs in the process of the tests. */
test.each([
  ['the verdict is ALLOW', 0, { agent_id: AGENT, action: 'payments.create' }],
  ['the verdict is DENY', 3, { agent_id: AGENT, action: 'payments.refund' }],
  ['the intent is malformed', 2, { agent_id: AGENT }],
])('a process in which %s ends with %i', async (_, code, intent) => {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const { passports } = createIdentityService({ storageDeadlineMs: PATIENT_MS, storage: memoryStorage() });
  const passport = await passports.create({
    domain: 'example.com',
    agent_name: 'shopper',
    allowed_actions: ['payments.create'],
    monetary_limit_per_txn: 100,
  });
  writeFileSync(join(folder, 'passport.json'), JSON.stringify(passport));
  const input = JSON.stringify(intent);
  const ended = await runProcess(['decide', 'passport.json', '-'], { cwd: folder, input });
  expect(ended).toMatchObject({ code, signal: null });
});

test('a process that does not reach the service ends with 1', async () => {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const args = ['verify', '--url', 'http://127.0.0.1:1', '--agent', AGENT, '--action', 'payments.create'];
  const { key } = createApiKey('live', secureRandom);
  const ended = await runProcess(args, { cwd: folder, env: { AGENT_IDENTITY_API_KEY: key } });
  expect(ended).toMatchObject({ code: 1, signal: null, stdout: '' });
  expect(ended.stderr).toMatch(/^agent-identity: [^\n]+\n$/);
});

test('a name in the place of an agent id is wrong usage, and the line says what an id looks like', async () => {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const args = ['verify', '--storage', 'memory:', '--agent', 'shopper', '--action', 'payments.create'];
  const ended = await runProcess(args, { cwd: folder });
  expect(ended).toMatchObject({ code: 2, signal: null, stdout: '' });
  expect(ended.stderr).toMatch(/--agent .* did:web:example\.com:agents:shopper/);
});
