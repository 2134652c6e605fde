/** `apply` over a storage and over the service that runs on it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BothWays, openBothWays, recordOf, WAYS } from '../../support/both-ways.ts';
import { closeAfterFile } from '../../support/closers.ts';
import { run } from '../../support/command.ts';
import { type Ended, openFolder, runProcess } from '../../support/process.ts';

let both: BothWays;

beforeAll(async () => {
  both = await openBothWays();
});

const idOf = (name: string): string => `did:web:example.com:agents:${name}`;

/** A folder of files, and `apply` over it. */
function openFiles(way: (typeof WAYS)[number] = 'url') {
  const { folder, remove } = openFolder();
  closeAfterFile(remove);
  const write = (agent_name: string, more: object = {}): void => {
    const fields = {
      allowed_actions: ['pay'],
      monetary_limit_per_txn: 10,
      currency: 'EUR',
      monetary_actions: ['pay'],
    };
    const passport = { domain: 'example.com', agent_name, ...fields, ...more };
    writeFileSync(join(folder, `${agent_name}.json`), JSON.stringify(passport));
  };
  const apply = (...args: readonly string[]): Promise<Ended> => both[way](['apply', folder, ...args]);
  const planOf = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await apply(...args, '--json');
    const { plan, summary } = JSON.parse(stdout) as { plan: Record<string, unknown>[]; summary: object };
    const counted = Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0));
    return { code, stderr, plan, summary: counted };
  };
  const drop = (agent_name: string): void => rmSync(join(folder, `${agent_name}.json`));
  return { folder, write, drop, apply, planOf };
}

describe.each(WAYS)('over --%s', (way) => {
  test('plans first, creates, changes whole passports, and a second run changes nothing', async () => {
    const { write, apply, planOf } = openFiles(way);
    const [parent, child] = [`${way}-zed`, `${way}-child`];
    write(parent, {
      metadata: { a: '1', b: '2' },
      approval: { above: 5, actions: ['pay'], seconds: 60 },
      description: 'old',
    });
    write(child, { parent_agent_id: idOf(parent) });
    const dry = await planOf('--dry-run');
    expect(dry).toMatchObject({ code: 4, stderr: '', summary: { create: 2 } });
    expect(
      dry.plan.map(({ agent_id, action, status, change }) => [agent_id, action, status, change]),
    ).toEqual([
      [idOf(parent), 'create', 'planned', 'wider'],
      [idOf(child), 'create', 'planned', 'wider'],
    ]);
    expect(await both[way](['passport', 'show', idOf(parent)])).toMatchObject({ code: 1 });
    expect(await planOf()).toMatchObject({ code: 0, plan: [{ status: 'done' }, { status: 'done' }] });

    write(parent, {
      metadata: { b: '3' },
      approval: { actions: ['pay'], seconds: 60 },
      monetary_limit_per_txn: 8,
    });
    const changed = await planOf();
    expect(changed).toMatchObject({ code: 0, summary: { change: 1, unchanged: 1 } });
    expect(changed.plan[0]).toMatchObject({
      change: 'narrower',
      fields: ['monetary_limit_per_txn', 'approval', 'description', 'metadata'],
      differences: [{ list: 'narrower', code: 'amount_over_limit' }],
    });
    const shown = await recordOf(both[way], ['passport', 'show', idOf(parent)]);
    expect(shown).toMatchObject({ version: 2, metadata: { b: '3' }, monetary_limit_per_txn: 8 });
    expect(shown['approval']).toEqual({ actions: ['pay'], seconds: 60 });
    expect(shown).not.toHaveProperty('description');
    expect(await apply()).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      stdout: 'Plan: 2 unchanged.\nRun: 2 done, 0 waits, 0 failed, 0 skipped.\n',
    });
    expect(await recordOf(both[way], ['passport', 'show', idOf(parent)])).toMatchObject({ version: 2 });
  });

  test('adopts for a set, takes over from another one, prunes, and ends exactly that suspension', async () => {
    const { write, drop, planOf } = openFiles(way);
    const [one, two] = [`${way}-one`, `${way}-two`];
    write(one);
    await planOf();
    write(two);
    const set = ['--set', `set-${way}`];
    expect(await planOf(...set)).toMatchObject({ code: 0, summary: { adopt: 1, create: 1 } });
    const other = ['--set', `other-${way}`];
    const blocked = await planOf(...other);
    expect(blocked).toMatchObject({ code: 1, summary: { blocked: 2 } });
    expect(blocked.plan[0]).toMatchObject({ status: 'failed', error: { code: 'conflict' } });
    write(two, { description: 'x' });
    expect(await planOf()).toMatchObject({ code: 1, summary: { unchanged: 1, blocked: 1 } });
    expect(await planOf(...other, '--take-over')).toMatchObject({
      code: 0,
      summary: { adopt: 1, change: 1 },
    });

    drop(two);
    expect(await planOf(...other, '--prune', '--prune-limit', '0')).toMatchObject({ code: 1 });
    expect((await planOf(...other, '--prune', '--dry-run')).code).toBe(4);
    expect(await planOf(...other, '--prune')).toMatchObject({
      code: 0,
      summary: { suspend: 1, unchanged: 1 },
    });
    const suspended = await recordOf(both[way], ['passport', 'show', idOf(two)]);
    expect(suspended).toMatchObject({
      status: 'suspended',
      suspended_until: null,
      suspension_reason: `pruned from other-${way}`,
    });
    expect(await planOf(...other, '--prune')).toMatchObject({ code: 0, summary: { unchanged: 1 } });
    write(two, { description: 'back' });
    expect(await planOf(...other)).toMatchObject({ code: 0, summary: { reinstate: 1, unchanged: 1 } });
    const back = await recordOf(both[way], ['passport', 'show', idOf(two)]);
    expect(back).toMatchObject({ status: 'active', description: 'back' });

    await both[way](['passport', 'suspend', idOf(two), '--reason', 'under review']);
    drop(two);
    expect(await planOf(...other, '--prune')).toMatchObject({ summary: { unchanged: 1 } });
    write(two, { description: 'back' });
    expect(await planOf(...other, '--prune')).toMatchObject({ code: 0, summary: { unchanged: 2 } });
    expect(await recordOf(both[way], ['passport', 'show', idOf(two)])).toMatchObject({ status: 'suspended' });
  });

  test('blocks what cannot be, and goes on with the rest', async () => {
    const { write, planOf } = openFiles(way);
    const [gone, below, fine] = [`${way}-gone`, `${way}-below`, `${way}-fine`];
    write(gone);
    write(fine);
    await planOf();
    await both[way](['passport', 'revoke', idOf(gone)]);
    write(below, { parent_agent_id: idOf(gone) });
    write(fine, { parent_agent_id: idOf(`${way}-none`) });
    write(`${way}-orphan`, { parent_agent_id: idOf(`${way}-none`) });
    write(`${way}-new`);
    const { code, plan, summary } = await planOf();
    expect({ code, summary }).toEqual({ code: 1, summary: { blocked: 3, create: 2 } });
    const shown = plan.map(({ agent_id, action, status }) => [
      String(agent_id).split(`${way}-`)[1],
      action,
      status,
    ]);
    expect(new Set(shown)).toEqual(
      new Set([
        ['gone', 'blocked', 'failed'],
        ['below', 'create', 'skipped'],
        ['fine', 'blocked', 'failed'],
        ['orphan', 'blocked', 'failed'],
        ['new', 'create', 'done'],
      ]),
    );
  });
});

test('counts the agents below those that it would suspend', async () => {
  const { write, drop, planOf } = openFiles();
  write('root');
  for (let index = 0; index < 10; index += 1) write(`leaf${index}`, { parent_agent_id: idOf('root') });
  const set = ['--set', 'tree'];
  expect((await planOf(...set)).code).toBe(0);
  drop('root');
  const stopped = await planOf(...set, '--prune');
  expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('would stop 11 agents') });
  expect(await recordOf(both.url, ['passport', 'show', idOf('root')])).toMatchObject({ status: 'active' });
  expect((await planOf(...set, '--prune', '--prune-limit', '11')).code).toBe(0);
});

test('--fail-on stops before the first write', async () => {
  const { write, planOf } = openFiles();
  write('failing');
  expect((await planOf('--fail-on', 'wider')).code).toBe(1);
  expect((await both.url(['passport', 'show', idOf('failing')])).code).toBe(1);
  expect((await planOf()).code).toBe(0);
  const { key } = await recordOf(both.url, ['key', 'create', 'till']);
  const ask = ['verify', '--agent', idOf('failing'), '--action', 'pay', '--amount', '9', '--currency', 'EUR'];
  const env = { AGENT_IDENTITY_API_KEY: `${key}` };
  const url = ['--url', both.serving.origin];
  expect((await run([...ask, ...url], { cwd: both.folder, env })).code).toBe(0);
  write('failing', { monetary_limit_per_txn: 5 });
  const replayed = async (): Promise<unknown> => {
    const { plan } = await planOf('--dry-run', '--replay', '1');
    return plan[0]?.['replay'];
  };
  await expect
    .poll(replayed, { timeout: 20_000 })
    .toMatchObject({ judged: 1, now_denied: 1, now_allowed: 0 });
  const stopped = await planOf('--replay', '1', '--fail-on', 'wider,denied');
  expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was written.') });
  expect(await recordOf(both.url, ['passport', 'show', idOf('failing')])).toMatchObject({ version: 1 });
  expect((await planOf('--replay', '1', '--fail-on', 'wider')).code).toBe(0);
});

test('a change that waits for a person is applied by the same command after the approval', async () => {
  const { folder, write, planOf } = openFiles();
  for (const name of ['waits', 'waits-too', 'rest']) write(name);
  await planOf();
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  const scopes = ['--scopes', 'passports:propose', 'revoke', 'reinstate'];
  const { key } = await recordOf(both.url, ['key', 'create', 'ci', ...scopes, '--expires-at', expires]);
  const apply = (...args: readonly string[]): Promise<Ended> =>
    run(['apply', folder, '--url', both.serving.origin, ...args], {
      cwd: both.folder,
      env: { AGENT_IDENTITY_API_KEY: `${key}` },
    });
  write('waits', { monetary_limit_per_txn: 20 });
  write('rest', { monetary_limit_per_txn: 5 });
  const first = await apply('--set', 'prod');
  expect(first).toMatchObject({ code: 5, stderr: '' });
  const [id = ''] = /apr_\w+/.exec(first.stdout) ?? [];
  expect(first.stdout).toContain(`waits ${idOf('waits')} for approval ${id}, open until 20`);
  expect(first.stdout).toContain('Run: 2 done, 1 waits, 0 failed, 0 skipped.');
  const again = await apply('--set', 'prod', '--json');
  expect(again.code).toBe(5);
  expect(JSON.parse(again.stdout).plan).toContainEqual(
    expect.objectContaining({ status: 'waits', approval_id: id, error: null }),
  );
  const approved = await both.storage(['approval', 'approve', id]);
  expect(approved.code).toBe(0);
  expect((await apply('--set', 'prod')).code).toBe(0);
  expect(await recordOf(both.url, ['passport', 'show', idOf('waits')])).toMatchObject({
    ...{ monetary_limit_per_txn: 20, version: 2, managed_by: 'prod' },
  });

  write('waits-too', { monetary_limit_per_txn: 30 });
  const asked = await apply('--set', 'prod');
  const [second = ''] = /apr_\w+/.exec(asked.stdout) ?? [];
  expect((await both.storage(['approval', 'reject', second])).code).toBe(0);
  const rejected = await apply('--set', 'prod');
  expect(rejected.code).toBe(1);
  expect(rejected.stdout).toContain(
    `failed ${idOf('waits-too')}: The approval is rejected. Ask for another.`,
  );

  write('waits-too', { monetary_limit_per_txn: 40 });
  const args = ['apply', folder, '--set', 'prod', '--url', both.serving.origin, '--wait'];
  const options = { cwd: both.folder, env: { AGENT_IDENTITY_API_KEY: `${key}` } };
  expect((await runProcess([...args, '1'], options)).code).toBe(5);
  const waiting = runProcess([...args, '60'], options);
  const [third = ''] = /apr_\w+/.exec((await apply('--set', 'prod')).stdout) ?? [];
  expect((await both.storage(['approval', 'approve', third])).code).toBe(0);
  expect(await waiting).toMatchObject({ code: 0, stdout: expect.stringContaining('Run: 3 done') });

  write('brand-new');
  const refused = await apply('--set', 'prod');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain(`failed ${idOf('brand-new')}: `);
});

test('shows hostile texts as text, and begins no line with one', async () => {
  const { folder, planOf, apply, write } = openFiles();
  const hostile = '\n::error::x\r\u001b[31m\u202e##[command]##vso[a]\u2028';
  const more = {
    description: hostile,
    metadata: { [hostile]: hostile },
    conditions: [{ at: '/a', in: [hostile] }],
  };
  mkdirSync(join(folder, '::warning::'));
  write('::warning::/hostile', { agent_name: 'hostile', ...more });
  const outputs = [
    await apply('--dry-run'),
    await apply(),
    await apply('--dry-run', '--set', 'a'.repeat(64)),
  ];
  expect(outputs.map(({ code }) => code)).toEqual([4, 0, 4]);
  write('::warning::/hostile', { agent_name: 'hostile', description: `${hostile}2` });
  outputs.push(await apply('--dry-run'), await apply());
  for (const { stdout } of outputs) {
    expect(stdout).not.toMatch(/##|(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    for (const line of stdout.trimEnd().split('\n'))
      expect(line).toMatch(/^(?:create|change|adopt) did:web:|^ {2}[~+!=>-] |^(?:Plan|Run): /);
  }
  expect((await planOf()).summary).toEqual({ unchanged: 1 });
});

test.each([
  [['--take-over'], /--take-over goes with --set/],
  [['--prune'], /--prune goes with --set/],
  [['--prune-limit', '3'], /--prune-limit goes with --prune/],
  [['--set', 'Prod'], /must be a name such as prod/],
  [['--replay', '91'], /whole number from 1 to 90/],
  [['--wait', '0'], /whole number from 1 to 3600/],
  [['--fail-on', 'denied'], /goes with --replay/],
  [['--fail-on', 'all'], /a list of wider, denied/],
])('refuses %j as wrong usage', async (args, message) => {
  const { apply, write } = openFiles();
  write('a');
  const { code, stdout, stderr } = await apply(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
});
