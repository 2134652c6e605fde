import { expect, onTestFinished, test } from 'vitest';
import { AUDIT_TYPES } from '../../src/http/index.ts';
import { run } from '../support/command.ts';
import { GIVEN, openFolder } from '../support/process.ts';

test('audit lists changes of one type, and a wrong type is answered with those that there are', async () => {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const call = (...args: readonly string[]) => run(args, { cwd: folder, env: GIVEN });
  expect((await call('account', 'create', 'ann@example.com')).code).toBe(0);
  const listed = await call('audit', '--account', 'ann@example.com', '--type', 'account.created', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject({ data: [{ type: 'account.created', by: 'operator' }] });
  const wrong = await call('audit', '--account', 'ann@example.com', '--type', 'account.create');
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr.trim().split('\n')).toHaveLength(1);
  for (const type of AUDIT_TYPES) expect(wrong.stderr).toContain(type);
});
