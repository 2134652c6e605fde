import { expect, onTestFinished, test } from 'vitest';
import { AUDIT_TYPES } from '../../src/http/index.ts';
import { problemsOf } from '../ocsf/validator.ts';
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

test('audit and journal export print valid lines of OCSF, newest first, and refuse a second format', async () => {
  const { folder, remove } = openFolder();
  onTestFinished(remove);
  const call = (...args: readonly string[]) =>
    run([...args, '--account', 'ann@example.com'], { cwd: folder, env: GIVEN });
  expect((await run(['account', 'create', 'ann@example.com'], { cwd: folder, env: GIVEN })).code).toBe(0);
  const passport = ['--domain', 'example.com', '--agent-name', 'shopper', '--monetary-limit-per-txn', '1'];
  expect((await call('passport', 'create', ...passport, '--allowed-actions', 'orders.*')).code).toBe(0);
  const agent = ['--agent', 'did:web:example.com:agents:shopper'];
  for (const action of ['orders.list', 'refunds.create\u2028'])
    expect([0, 3]).toContain((await call('verify', ...agent, '--action', action)).code);
  for (const [args, types] of [
    [['audit'], [300401, 300499, 300401]],
    [
      ['journal', 'export'],
      [600399, 600399],
    ],
  ] as const) {
    const { stdout } = await call(...args, '--format', 'ocsf');
    const lines = stdout.split(/\r\n|[\n\r\u0085\u2028\u2029]/).filter((line) => line !== '');
    const events = lines.map((line) => JSON.parse(line));
    expect(events.flatMap(problemsOf)).toEqual([]);
    expect(events.map(({ type_uid }) => type_uid)).toEqual(types);
    const times = events.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  }
  expect(await call('audit', '--format', 'ocsf', '--csv')).toMatchObject({ code: 2, stdout: '' });
  expect(await call('audit', '--format', 'ocsf', '--limit', '1')).toMatchObject({ code: 2, stdout: '' });
  expect(await call('audit', '--format', 'cef')).toMatchObject({ code: 2, stdout: '' });
});
