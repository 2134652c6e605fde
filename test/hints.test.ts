/** Messages say what would be right. */
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { memoryStorage } from '../adapters/storage/memory/index.ts';
import { redisStorage } from '../adapters/storage/redis/index.ts';
import { postgresStorage } from '../adapters/storage/sql/index.ts';
import { createIdentityService } from '../src/index.ts';
import { people } from '../src/people/index.ts';
import { run } from './support/command.ts';
import { openService } from './support/service.ts';

const SECRET = 'a secret that is only used by this test';

async function messageOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    const { message, details } = error as { message: string; details?: { errors?: { message: string }[] } };
    return [message, ...(details?.errors ?? []).map((one) => one.message)].join(' ');
  }
  return '';
}

const withOption = (option: object) => () => createIdentityService({ storage: memoryStorage(), ...option });
const withPeople = () => createIdentityService({ storage: memoryStorage(), capabilities: [people()] });
const { service } = await withLogins();

async function withLogins() {
  return {
    service: createIdentityService({ storage: memoryStorage(), session: { secret: SECRET }, log: () => {} }),
  };
}

test.each<[string, () => unknown, RegExp]>([
  [
    'an amount beside the parameters',
    () => service.verify({ agent_id: 'a', action: 'b', amount: 5 } as never),
    /no such field\. Say parameters\.amount\./,
  ],
  [
    'a currency there',
    () => service.verify({ agent_id: 'a', action: 'b', currency: 'EUR' } as never),
    /no such field\. Say parameters\.currency\./,
  ],
  [
    'a permit for more than a minute',
    () => service.verify({ agent_id: 'a', action: 'b', permit: { audience: 'a', seconds: 61 } }),
    /permit\/seconds: This must be a whole number of seconds from 1 to 60\./,
  ],
  [
    'a permit for no resource',
    () => service.verify({ agent_id: 'a', action: 'b', permit: { audience: 'test:a' } }),
    /permit\/audience: This must be a name such as https:\/\/pay\.example, of 1 to 256 .* test:/,
  ],
  [
    'a service without logins',
    () => withPeople().login({ email: 'a@a.example', password: 'x' }),
    /session\.secret/,
  ],
  ['no account', () => service.passports.list(), /Name the account, as \{ account_id \}/],
  [
    'an option in another',
    withOption({ cache: { allowLocalhost: true } }),
    /allowLocalhost is an option next to cache/,
  ],
  [
    'an option of a capability',
    withOption({ publicUrl: 'https://a.example' }),
    /List identity\(\{ publicUrl \}\) in options\.capabilities/,
  ],
  ['the secret outside of its own', withOption({ secret: SECRET }), /Did you mean session\.secret\?/],
  [
    'a name in the place of a DID',
    () => service.passports.get('shopper', { account_id: 'acc_1' }),
    /An agent_id is a DID such as did:web:shop\.example:agents:shopper/,
  ],
  [
    'a PostgreSQL that refuses',
    () => postgresStorage({ url: 'postgres://u:hunter2@127.0.0.1:1/x' }),
    /ECONNREFUSED at 127\.0\.0\.1:1\b/,
  ],
  [
    'a Redis that refuses',
    () => redisStorage({ url: 'redis://:hunter2@127.0.0.1:1' }),
    /ECONNREFUSED at 127\.0\.0\.1:1\b/,
  ],
])('%s', async (_, call, says) => {
  const message = await messageOf(call);
  expect(message).toMatch(says);
  expect(message).not.toContain('hunter2');
});

test('a webhook to this machine names the option that takes it', async () => {
  const opened = openService();
  const { id: account_id } = await opened.service.accounts.create({ email: 'a@a.example', password: SECRET });
  const create = () =>
    opened.service.webhooks?.create({ url: 'http://localhost:1/x', types: ['passport.*'] } as never, {
      account_id,
    });
  expect(await messageOf(create)).toMatch(/allowLocalhost.*--allow-localhost/);
});

test('key create --name says where the name goes', async () => {
  const ended = await run(['key', 'create', '--name', 'checkout'], { cwd: tmpdir() });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(/the name is an argument, as in key create checkout/);
});

test('serve --help says that it serves the dashboard', async () => {
  expect((await run(['serve', '--help'], { cwd: tmpdir() })).stdout).toMatch(/dashboard/);
});
