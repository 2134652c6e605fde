/** Commands on the storage itself take localhost as a domain if the variable of `serve` allows it. */
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../support/command.ts';
import { openUsedFolder } from '../support/used-folder.ts';

test('passports for localhost are issued, imported and exported with the variable of serve, and not without', async () => {
  const { folder, remove } = await openUsedFolder();
  onTestFinished(remove);
  const line =
    '{"domain":"localhost","agent_name":"a","allowed_actions":["*"],"monetary_limit_per_txn":0,"status":"active"}\n';
  const call = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    run(args, { cwd: folder, env, input: line });
  const issue = ['passport', 'create', '--domain', 'localhost', '--agent-name', 'b'];
  const commands = [
    ['passport', 'import', '-'],
    [...issue, '--allowed-actions', '*', '--monetary-limit-per-txn', '0'],
  ];
  for (const command of commands) {
    expect(await call(command, {}), command[1]).toMatchObject({ code: 2 });
    expect(await call(command, { AGENT_IDENTITY_ALLOW_LOCALHOST: '1' }), command[1]).toMatchObject({
      code: 0,
    });
  }
  const exported = await call(['passport', 'export'], {});
  expect(exported.stdout).toBe(line + line.replace('"a"', '"b"'));
});
