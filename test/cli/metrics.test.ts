import { expect, onTestFinished, test } from 'vitest';
import { run } from '../support/command.ts';
import { GIVEN, openFolder, said } from '../support/process.ts';
import { readPrometheus } from '../support/prometheus.ts';
import { serveUsed } from '../support/used-folder.ts';

test('serve --metrics has a listener of its own, which ends with the server', async () => {
  const { serving } = await serveUsed(['--metrics', '127.0.0.1:0', '--log', 'json']);
  const { origin } = serving;
  const url = await said(serving, () => /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(serving.stderr())?.[0]);
  await fetch(`${origin}/api/health/ready`);
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const names = readPrometheus(await answer.text()).map(({ name }) => name);
  expect(names).toContain('agent_identity_http_requests_total');
  expect(names).toContain('agent_identity_build_info');
  expect((await fetch(new URL('/api/health/live', url))).status).toBe(404);
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${origin}/metrics`)).headers.get('content-type')).not.toContain('version=0.0.4');
  expect((await serving.stop('SIGTERM')).code).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
});

test.each([
  ['9464', 'must be such as 127.0.0.1:9464'],
  ['127.0.0.1:99999', 'must be such as 127.0.0.1:9464'],
  ['192.0.2.1:9464', 'cannot listen on 192.0.2.1'],
])('an invalid address is refused: %s', async (place, message) => {
  const args = ['serve', '--port', '0', '--metrics', place];
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const { code, stderr } = await run(args, { cwd: folder, env: GIVEN });
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining(message)]);
});
