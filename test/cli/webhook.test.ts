import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { openFolder } from '../support/process.ts';
import { SECRET } from '../support/service.ts';

const { folder, remove } = openFolder();
const env = { AGENT_IDENTITY_SECRET: SECRET, AGENT_IDENTITY_ALLOW_LOCALHOST: '1' };
let status = 204;
const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(status).end();
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await run(['account', 'create', 'ada@example.com'], { cwd: folder });
});
afterAll(() => {
  receiver.close();
  remove();
});

/** The record that a command prints, and nothing else. */
async function record(...args: readonly string[]) {
  const { code, stdout, stderr } = await run(['webhook', ...args, '--json'], { cwd: folder, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown> & { readonly data: Record<string, unknown>[] };
}

test('the commands of webhooks on a storage: create, show, list, test, deliveries, redeliver, rotate, delete', async () => {
  const made = await record('create', url, '--types', 'passport.*', 'key.created', '--description', 'shop');
  const { id, secret, ...shown } = made;
  expect(secret).toMatch(/^whsec_/);
  expect(shown).toMatchObject({ url, types: ['passport.*', 'key.created'], created_by: 'operator' });
  const webhook = String(id);
  expect(await record('show', webhook)).toEqual({ id, ...shown });
  expect((await record('list')).data).toEqual([{ id, ...shown }]);
  const { delivery } = (await record('test', webhook)) as unknown as { delivery: { id: string } };
  expect(delivery).toMatchObject({ status: 'delivered', http_status: 204 });
  expect((await record('deliveries', webhook)).data).toMatchObject([
    { id: delivery.id, status: 'delivered' },
  ]);
  expect(await record('redeliver', webhook, delivery.id)).toMatchObject({ status: 'pending' });
  expect((await record('rotate', webhook, '--grace-seconds', '60'))['secret']).not.toBe(secret);
  status = 500;
  const failed = await run(['webhook', 'test', webhook], { cwd: folder, env });
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('failed')]);
  const table = await run(['webhook', 'list'], { cwd: folder, env });
  expect(table.stdout).toContain('FAILURES');
  expect(await record('delete', webhook)).toEqual({ id });
  expect((await record('list')).data).toEqual([]);
});

test('a URL of this network is refused, and without the secret nothing is made', async () => {
  const hostile = await run(['webhook', 'create', 'https://10.0.0.1/', '--types', 'key.*'], {
    cwd: folder,
    env,
  });
  expect([hostile.code, hostile.stderr]).toEqual([2, expect.stringContaining('not on the public Internet')]);
  const bare = await run(['webhook', 'create', url, '--types', 'key.*'], { cwd: folder, env: {} });
  expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('AGENT_IDENTITY_SECRET')]);
});
