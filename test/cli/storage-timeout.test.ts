/** A node far from its storage gives each call the time that it was told. */
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { administer, hasPostgres } from '../storage/postgres-database.ts';
import { CLI, GIVEN, openFolder, ready, start } from '../support/process.ts';
import { startProxy } from '../support/tcp-proxy.mjs';

/** Longer than a call may take by default. */
const FAR_MS = 1_500;

if (await hasPostgres()) {
  const server = administer();
  afterAll(() => server.end());

  test.each([
    { args: ['--storage-timeout', '30000'], status: 200 },
    { args: [], status: 503 },
  ])('serve $args is $status where each answer of the storage takes 1.5 s', async ({ args, status }) => {
    const storage = new URL(await server.newSchema());
    const proxy = await startProxy(Number(storage.port || 5432));
    onTestFinished(() => proxy.close());
    Object.assign(storage, { hostname: '127.0.0.1', port: `${proxy.port}` });
    const { folder, remove } = openFolder();
    onTestFinished(remove);
    const env = { ...GIVEN, AGENT_IDENTITY_STORAGE: storage.href };
    const serving = start(process.execPath, [CLI, 'serve', '--port', '0', ...args], { cwd: folder, env });
    const { origin, stop } = await ready(serving);
    onTestFinished(async () => {
      await stop('SIGKILL');
    });
    proxy.delay(FAR_MS);
    const answers = async () => (await fetch(`${origin}/api/health/ready`)).status;
    await expect.poll(answers).toBe(status);
  });
}
