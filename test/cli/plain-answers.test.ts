/** Answers that name the thing to change in the words of the command. */
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRedis, SERVER } from '../storage/redis-server.ts';
import { type BothWays, openBothWays, recordOf, WAYS } from '../support/both-ways.ts';
import { run } from '../support/command.ts';
import { GIVEN, openFolder, start } from '../support/process.ts';

const ROOT = join(import.meta.dirname, '../..');

let folder: string;
let remove: () => void;

beforeAll(() => {
  ({ folder, remove } = openFolder());
});
afterAll(() => remove());

describe.each(WAYS)('passport replay over --%s', (way) => {
  let both: BothWays;
  beforeAll(async () => {
    both = await openBothWays();
  });

  test('takes the flags of passport update, which win over a file', async () => {
    const agent = `did:web:${way}.example:agents:shopper`;
    const create = ['passport', 'create', '--domain', `${way}.example`, '--agent-name', 'shopper'];
    const limit = ['--allowed-actions', 'pay', '--monetary-limit-per-txn', '100', '--currency', 'EUR'];
    await recordOf(both[way], [...create, ...limit, '--description', 'x']);
    const replay = (...args: readonly string[]) =>
      recordOf(both[way], ['passport', 'replay', agent, ...args]);
    expect((await replay())['change']).toBeNull();
    const changed = await replay('--monetary-limit-per-txn', '50', '--remove', 'description');
    expect(changed['change']).toMatchObject({ result: 'narrower' });
    expect((await replay('--allowed-actions', 'pay', 'refund'))['change']).toMatchObject({ result: 'wider' });
    const twice = ['--description', 'y', '--remove', 'description'];
    expect(await both[way](['passport', 'replay', agent, ...twice])).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: 'agent-identity: description cannot be changed and removed at once.\n',
    });
  });
});

test('doctor without keyv says that packages are missing, and nothing of reach', async () => {
  const home = join(folder, 'installed');
  mkdirSync(join(home, 'node_modules'), { recursive: true });
  cpSync(join(ROOT, 'dist'), join(home, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(home, 'package.json'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name.startsWith('.') || name === 'keyv' || name === '@keyv') continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(home, 'node_modules', name));
  }
  const args = [join(home, 'dist/cli.js'), 'doctor', '--storage', 'redis://127.0.0.1:1', '--json'];
  const { stdout } = await start(process.execPath, args, { cwd: home, env: GIVEN }).ended;
  const { findings } = JSON.parse(stdout);
  expect(findings.at(-1)).toEqual({
    ...{ check: 'packages', status: 'fail' },
    detail: 'Redis needs packages: npm install keyv @keyv/redis',
    action: 'Install them where agent-identity-service is installed.',
  });
  expect(stdout).not.toContain('reach');
});

test.runIf(await hasRedis())('serve --journal strict on Redis names the flag', async () => {
  const args = ['serve', '--storage', `${SERVER}/3`, '--journal', 'strict', '--port', '0'];
  const ended = await run(args, { cwd: folder, env: GIVEN });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(
    /^agent-identity: The storage redis takes no --journal strict\. Redis may lose/,
  );
});
