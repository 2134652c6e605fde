import { expect, onTestFinished, test } from 'vitest';
import { run } from '../support/command.ts';
import { GIVEN, openFolder } from '../support/process.ts';
import { serveUsed } from '../support/used-folder.ts';

const QUESTION = {
  subject: { type: 'agent', id: 'shopper' },
  action: { name: 'orders.place' },
  resource: { type: 'order', id: 'A-17' },
};
const METADATA = '/.well-known/authzen-configuration/api';

/** The answer to a question, and that of the well-known place. */
async function ask(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { folder, serving } = await serveUsed(args, env);
  const { origin } = serving;
  const names = ['--domain', 'example.com', '--agent-name', 'shopper'];
  const may = ['--allowed-actions', 'orders.place', '--monetary-limit-per-txn', '0'];
  await run(['passport', 'create', ...names, ...may], { cwd: folder });
  const made = await run(['key', 'create', 'gateway', '--json'], { cwd: folder });
  const authorization = `Bearer ${JSON.parse(made.stdout).key}`;
  const answer = await fetch(`${origin}/api/access/v1/evaluation`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(QUESTION),
  });
  return { status: answer.status, body: await answer.json(), metadata: await fetch(origin + METADATA) };
}

test('serve --authzen answers AuthZEN questions about agents of its domain, and names its public address', async () => {
  const url = 'https://id.example.com/api';
  const args = ['--authzen', '--authzen-agent-domain', 'example.com', '--public-url', url];
  const { status, body, metadata } = await ask({}, ...args);
  expect([status, body]).toMatchObject([200, { decision: true }]);
  expect(await metadata.json()).toMatchObject({ policy_decision_point: url });
});

test('without --public-url there is no metadata, and without --authzen nothing at all', async () => {
  const on = await ask({ AGENT_IDENTITY_AUTHZEN: '1' });
  expect([on.status, on.body.decision, on.metadata.status]).toEqual([200, false, 404]);
  const off = await ask({});
  expect([off.status, off.metadata.status]).toEqual([404, 404]);
});

test.each([
  [{}, ['--authzen-agent-domain', 'example.com'], '--authzen-agent-domain needs --authzen'],
  [{}, ['--authzen', '--authzen-agent-domain', 'x'], '--authzen-agent-domain must be a domain'],
  [{ AGENT_IDENTITY_AUTHZEN: 'no' }, [], 'AGENT_IDENTITY_AUTHZEN must be 1'],
])('what cannot work is refused: %o %o', async (env, args, message) => {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const options = { cwd: folder, env: { ...GIVEN, ...env } };
  const { code, stderr } = await run(['serve', '--port', '0', ...args], options);
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(message)]);
  expect(code).not.toBe(0);
});
