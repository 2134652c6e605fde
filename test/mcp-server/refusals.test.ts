/** What `agent-identity mcp` refuses before it serves. */
import { expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { openFolder } from '../support/process.ts';
import { openDesk, serveDesk } from './desk.ts';

const { folder, remove } = openFolder();

async function mcp(args: readonly string[], AGENT_IDENTITY_API_KEY?: string) {
  const env = AGENT_IDENTITY_API_KEY === undefined ? {} : { AGENT_IDENTITY_API_KEY };
  return run(['mcp', ...args], { cwd: folder, env });
}

test('exits with 2 for --storage, without --url, and without a management key', async () => {
  const url = ['--url', 'http://127.0.0.1:1'];
  const [storage, none, verdict, missing, unknown] = [
    await mcp([...url, '--storage', 'sqlite:agents.db'], 'ais_manage_x'),
    await mcp(url),
    await mcp(url, 'ais_live_0123'),
    await mcp([], 'ais_manage_x'),
    await mcp([...url, '--http'], 'ais_manage_x'),
  ];
  expect(storage).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining("unknown option '--storage'"),
  });
  for (const refused of [none, verdict])
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('ais_manage_') });
  expect(missing).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("'--url <base>'") });
  expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--http') });
  remove();
});

test.each(['passports:write', 'keys:write', 'webhooks:write', 'reinstate'] as const)(
  'exits with 2 for a key with %s',
  async (scope) => {
    const desk = await openDesk();
    const opened = openFolder();
    const key = await desk.keyOf(['passports:read', scope]);
    const url = await serveDesk(desk);
    const { code, stdout, stderr } = await run(['mcp', '--url', url], {
      cwd: opened.folder,
      env: { AGENT_IDENTITY_API_KEY: key },
    });
    opened.remove();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `agent-identity: An assistant must not hold ${scope}. Create another key, with passports:propose.\n`,
    );
  },
);

test('exits with 2 for a revoked key, and with 1 if the service is out of reach', async () => {
  const desk = await openDesk();
  const opened = openFolder();
  const key = await desk.keyOf(['passports:read']);
  const [{ id } = { id: '' }] = (await desk.service.keys.list({}, { account_id: desk.account_id })).data;
  await desk.service.keys.revoke(id, { account_id: desk.account_id });
  const env = { AGENT_IDENTITY_API_KEY: key };
  const at = async (url: string) => run(['mcp', '--url', url], { cwd: opened.folder, env });
  expect(await at(await serveDesk(desk))).toMatchObject({ code: 2, stdout: '' });
  expect(await at('http://127.0.0.1:1')).toMatchObject({ code: 1, stdout: '' });
  opened.remove();
});
