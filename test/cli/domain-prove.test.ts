import { expect, onTestFinished, test } from 'vitest';
import { run } from '../support/command.ts';
import { ADMIN, openUsedFolder } from '../support/used-folder.ts';

test('domain prove says what to publish, and fails until it is there', async () => {
  const { folder, remove } = await openUsedFolder();
  onTestFinished(remove);
  const call = (...args: readonly string[]) => run(args, { cwd: folder });
  const prove = ['domain', 'prove', 'no-such-host.invalid', '--account', ADMIN];
  const first = await call(...prove);
  expect(first.code).toBe(1);
  expect(first.stdout).toMatch(
    /DNS +TXT +_agent-identity\.no-such-host\.invalid +"agent-identity=aid-[0-9A-Za-z]{43}"/,
  );
  expect(first.stdout).toMatch(
    /HTTPS +https:\/\/no-such-host\.invalid\/\.well-known\/agent-identity +aid-[0-9A-Za-z]{43}/,
  );
  expect(first.stderr).toMatch(/The token was not seen\. DNS: no/);
  const listed = await call('domain', 'list', '--account', ADMIN, '--json');
  expect(JSON.parse(listed.stdout).data).toContainEqual(
    expect.objectContaining({ domain: 'no-such-host.invalid', status: 'pending' }),
  );
  // The domain that was asked for belongs to no account yet.
  const exported = await call('did', 'export', '--out', 'out', '--json');
  expect(JSON.parse(exported.stdout)).toMatchObject({ domains: 0 });
  expect((await call('domain', 'prove', 'example.com:80', '--account', ADMIN)).code).toBe(2);
  expect((await call('domain', 'prove', 'example.com', '--account', 'eve@example.com')).code).toBe(2);
});
