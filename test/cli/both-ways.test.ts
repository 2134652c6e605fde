import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createIdentityClient } from '../../src/client.ts';
import { type BothWays, openBothWays, recordOf, WAYS } from '../support/both-ways.ts';
import { run } from '../support/command.ts';
import { CLI, type Ended, GIVEN, runShell } from '../support/process.ts';

/** The commands answer the same over a storage and over the service that runs on it. The tests build on one another. */
const AGENT = 'did:web:example.com:agents:shopper';

let both: BothWays;

beforeAll(async () => {
  both = await openBothWays();
  const { folder } = both;
  expect((await run(['account', 'create', 'bob@example.com'], { cwd: folder, env: GIVEN })).code).toBe(0);
  const passport = ['passport', 'create', '--domain', 'example.com', '--agent-name', 'shopper'];
  passport.push('--allowed-actions', 'orders.place', '--monetary-limit-per-txn', '10');
  await both.storage(passport);
});

describe.each(WAYS)('over --%s', (way) => {
  const call = (...args: readonly string[]): Promise<Ended> => both[way](args);
  const record = (...args: readonly string[]) => recordOf(both[way], args);

  async function isAccepted(key: unknown): Promise<boolean> {
    const client = createIdentityClient({ baseUrl: `${both.serving.origin}/api`, apiKey: `${key}` });
    return client.verify({ agent_id: AGENT, action: 'orders.place', dry_run: true }).then(
      () => true,
      () => false,
    );
  }

  test('member invites, changes and removes a person, named by id or e-mail', async () => {
    const address = `ben-${way}@example.com`;
    const invited = await record('member', 'invite', 'approver', '--address', address, '--name', 'Ben');
    expect(invited).toMatchObject({ role: 'approver', status: 'invited', email: address, name: 'Ben' });
    expect(invited['token']).toMatch(/^ais_link_/);
    const { token } = await record('member', 'link', address);
    expect(token).not.toBe(invited['token']);
    expect(await record('member', 'role', address, 'editor')).toMatchObject({ role: 'editor' });
    expect((await call('member', 'list')).stdout).toMatch(
      new RegExp(`^${invited['id']} +editor +invited .*${address}`, 'm'),
    );
    expect((await call('member', 'end-sessions', `${invited['id']}`)).code).toBe(0);
    expect(await record('member', 'remove', address, '--revoke-keys')).toMatchObject({ status: 'removed' });
    const removed = await record('member', 'list', '--status', 'removed');
    expect(removed['data']).toContainEqual(expect.objectContaining({ id: invited['id'], status: 'removed' }));
    expect(await call('member', 'role', 'unknown@example.com', 'viewer')).toMatchObject({
      code: 1,
      stdout: '',
    });
    expect(await call('member', 'role', address, 'root')).toMatchObject({ code: 2, stdout: '' });
    const owners = (await record('member', 'list'))['data'] as readonly { readonly id: string }[];
    const last = await call('member', 'role', `${owners[0]?.id}`, 'viewer');
    expect(last.stderr).toMatch(/keeps at least one owner/);
  });

  test('key update changes what is named and leaves the rest', async () => {
    const { id } = await record('key', 'create', 'till', '--scopes', 'verify');
    expect(await record('key', 'update', `${id}`, '--name', 'shop', '--agent-ids', AGENT)).toMatchObject({
      id,
      name: 'shop',
      scopes: ['verify'],
      agent_ids: [AGENT],
    });
    expect(
      await record('key', 'update', `${id}`, '--all-agents', '--scopes', 'verify', 'reinstate'),
    ).toMatchObject({ name: 'shop', scopes: ['verify', 'reinstate'], agent_ids: null });
    expect((await call('key', 'update', `${id}`, '--name', 'desk')).stdout).toMatch(/^name +desk$/m);
    expect((await call('key', 'update', `${id}`)).stderr).toMatch(/Name what to change/);
    for (const wrong of [
      [],
      ['--scopes', 'everything'],
      ['--name', ''],
      ['--all-agents', '--agent-ids', AGENT],
    ]) {
      expect(await call('key', 'update', `${id}`, ...wrong)).toMatchObject({ code: 2, stdout: '' });
    }
  });

  test('key rotate shows the new secret once; the old key goes on for the grace', async () => {
    const old = await record('key', 'create', 'till', '--agent-ids', AGENT);
    const made = await record('key', 'rotate', `${old['id']}`, '--grace-seconds', '3600');
    expect(made).toMatchObject({ replaces: old['id'], name: 'till', agent_ids: [AGENT] });
    expect(made['key']).toMatch(/^ais_live_/);
    expect(made['key']).not.toBe(old['key']);
    expect([await isAccepted(old['key']), await isAccepted(made['key'])]).toEqual([true, true]);
    const listed = await call('key', 'list', '--json');
    expect(listed.stdout).not.toContain(made['key']);
    expect(JSON.parse(listed.stdout).data).toContainEqual(
      expect.objectContaining({ id: old['id'], status: 'rotating', rotated_to: made['id'] }),
    );
    // A key is rotated once.
    expect(await call('key', 'rotate', `${old['id']}`)).toMatchObject({ code: 1, stdout: '' });
  });

  test('key rotate without a grace ends the old key at once', async () => {
    const old = await record('key', 'create', 'till');
    const made = await call('key', 'rotate', `${old['id']}`);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const key = /^key +(ais_live_\w+)$/m.exec(made.stdout)?.[1];
    expect([await isAccepted(old['key']), await isAccepted(key)]).toEqual([false, true]);
    for (const wrong of ['-1', '1.5', 'soon', '604801', '']) {
      expect(await call('key', 'rotate', `${old['id']}`, '--grace-seconds', wrong)).toMatchObject({
        code: 2,
        stdout: '',
      });
    }
  });

  test('keys and passports that are not there are failures', async () => {
    for (const args of [
      ['key', 'rotate', 'key_0'],
      ['key', 'update', 'key_0', '--name', 'x'],
      ['passport', 'versions', `${AGENT}s`],
    ]) {
      expect(await call(...args)).toMatchObject({ code: 1, stdout: '' });
    }
  });

  test('passport update changes what flags and a patch name, on the version that is meant', async () => {
    const agent = `did:web:example.com:agents:${way}`;
    const create = ['passport', 'create', '--domain', 'example.com', '--agent-name', way];
    await record(...create, '--allowed-actions', 'a', '--monetary-limit-per-txn', '10', '--description', 'd');
    const update = ['passport', 'update', agent];
    expect(await record(...update, '--monetary-limit-per-txn', '0.30', '--if-match', '1')).toMatchObject({
      version: 2,
      monetary_limit_per_txn: 0.3,
      allowed_actions: ['a'],
      description: 'd',
    });
    expect(await call(...update, '--currency', 'EUR', '--if-match', '1')).toMatchObject({
      code: 1,
      stdout: '',
    });
    writeFileSync(join(both.folder, 'patch.json'), '{"metadata":{"team":"till"},"allowed_actions":["b"]}');
    const merged = await record(...update, join(both.folder, 'patch.json'), '--allowed-actions', 'c', 'd');
    expect(merged).toMatchObject({ metadata: { team: 'till' }, allowed_actions: ['c', 'd'], version: 3 });
    const removed = await record(...update, '--remove', 'description', 'metadata');
    expect(removed).not.toHaveProperty('description');
    expect(removed).not.toHaveProperty('metadata');
    expect((await call(...update, '--currency', 'EUR')).stdout).toBe(`${agent} is at version 5.\n`);
    for (const wrong of [
      [],
      ['--remove', 'allowed-actions'],
      ['--currency', 'EUR', '--remove', 'currency'],
      ['--currency', 'euro'],
      ['--domain', 'example.org'],
      ['--currency', 'EUR', '--if-match', '0'],
    ]) {
      expect(await call(...update, ...wrong)).toMatchObject({ code: 2, stdout: '' });
    }
    const wider = await call(...update, '--allowed-actions', 'c', 'd', 'e', '--if-narrower');
    expect(wider).toMatchObject({ code: 1, stdout: '' });
    expect(wider.stderr).toMatch(/^agent-identity: The change would allow .*\n {2}\+ .*\n$/);
    expect(await record(...update, '--allowed-actions', 'c', '--if-narrower')).toMatchObject({ version: 6 });
    await record('passport', 'revoke', agent);
    expect(await call(...update, '--currency', 'USD')).toMatchObject({ code: 1, stdout: '' });
  });

  test('lists are as long as is asked for', async () => {
    await record('key', 'create', 'one more');
    for (const list of [
      ['key', 'list'],
      ['passport', 'list'],
      ['passport', 'versions', AGENT],
      ['verifications'],
    ]) {
      const whole = (await record(...list))['data'] as unknown[];
      const first = await record(...list, '--limit', '1');
      expect(first).toMatchObject({ data: whole.slice(0, 1), has_more: whole.length > 1, next_cursor: null });
    }
  });

  test('passport versions lists them whole, newest first', async () => {
    const author = way === 'storage' ? /^operator/ : /^mem_/;
    await record('passport', 'suspend', AGENT);
    await record('passport', 'reinstate', AGENT);
    const page = (await record('passport', 'versions', AGENT)) as { data: Record<string, unknown>[] };
    expect(page).toMatchObject({ has_more: false, next_cursor: null });
    const versions = page.data.map(({ version }) => version as number);
    expect(versions).toEqual(versions.map((_, index) => versions.length - index));
    expect(page.data.slice(0, 2)).toMatchObject([
      { status: 'active', changed_by: expect.stringMatching(author), agent_id: AGENT },
      { status: 'suspended', changed_at: expect.any(String), allowed_actions: ['orders.place'] },
    ]);
    expect((await call('passport', 'versions', AGENT)).stdout).toMatch(
      new RegExp(
        `^VERSION +STATUS +LIMIT +CHANGED +BY\\n\\d+ +active +10 +\\S+ +(?:${author.source.slice(1)})`,
      ),
    );
  });

  test('verifications lists what was asked, by filter and number', async () => {
    for (const action of ['orders.place', `orders.${way}`]) {
      await run(['verify', '--agent', AGENT, '--action', action], { cwd: both.folder });
    }
    const [newest] = (await record('verifications', '--limit', '1'))['data'] as Record<string, unknown>[];
    expect(newest).toMatchObject({ verdict: 'DENY', action: `orders.${way}`, dry_run: false });
    expect(await record('verifications', '--limit', '1')).toMatchObject({
      has_more: true,
      next_cursor: null,
    });
    const filter = ['--agent', AGENT, '--verdict', 'DENY', '--reason', 'action_not_allowed'];
    filter.push('--environment', 'live', '--from', '2020-01-01T00:00:00Z');
    const found = (await record('verifications', ...filter))['data'] as { verdict: string }[];
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ verdict }) => verdict === 'DENY')).toBe(true);
    expect((await record('verifications', '--to', '2020-01-01T00:00:00Z'))['data']).toEqual([]);
    await run(['verify', '--agent', AGENT, '--action', 'orders.try', '--dry-run'], { cwd: both.folder });
    for (const isDry of [true, false]) {
      const those = (await record('verifications', '--dry-run', `${isDry}`))['data'] as {
        dry_run: boolean;
      }[];
      expect(those.length).toBeGreaterThan(0);
      expect(those.every(({ dry_run }) => dry_run === isDry)).toBe(true);
    }
    expect((await call('verifications', '--dry-run', 'true')).stdout).toMatch(/ +DENY \(dry run\) +did:web:/);
    expect((await call('verifications', '--verdict', 'DENY', '--dry-run', 'false')).stdout).toMatch(
      /^AT +VERDICT +AGENT +ACTION +AMOUNT +OUTCOME +REASONS\n\S+ +DENY +did:web:\S+ +orders\.\w+ +action_not_allowed\n/,
    );
  });

  test('events tail goes on behind an id, one line each, and ends at its limit', async () => {
    const all = ['events', 'tail', '--after', 'evt_00000000g', '--types', 'passport.*', '--agent', AGENT];
    const { code, stdout, stderr } = await call(...all, '--limit', '2');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const created = new RegExp(`^\\S+Z {2}passport.created {2}${AGENT} {2}by \\S+$`);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^\S+Z {2}events\.gap {2}\S+Z$/),
      expect.stringMatching(created),
      '',
    ]);
  });

  test('verifications exports them as CSV', async () => {
    const { code, stdout, stderr } = await call('verifications', '--csv', '--verdict', 'DENY');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [head, ...lines] = stdout.trimEnd().split('\r\n');
    expect(head).toMatch(/^decision_id,evaluated_at,verdict,/);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => /^dec_\w+,[^,]+,DENY,/.test(line))).toBe(true);
  });

  test('analytics counts them', async () => {
    const counted = await record('analytics', '--interval', 'day');
    expect(counted).toMatchObject({
      overview: { active_agents: 1, allowed: expect.any(Number) },
      series: [{ start: expect.any(String) }, {}],
      top_reasons: [{ key: 'action_not_allowed', count: expect.any(Number) }],
      journal_dropped: 0,
    });
    const { stdout } = await call('analytics', '--agent', AGENT, '--environment', 'live');
    expect(stdout).toMatch(/^denied +\d+$/m);
    expect(stdout).toMatch(/^REASON +COUNT\naction_not_allowed +\d+$/m);
  });

  test.each([
    [['verifications', '--from', 'yesterday']],
    [['events', 'tail', '--types', 'passport.eaten']],
    [['events', 'tail', '--after', 'x']],
    [['verifications', '--from', '2026-01-02T00:00:00Z', '--to', '2026-01-01T00:00:00Z']],
    [['verifications', '--verdict', 'MAYBE']],
    [['verifications', '--dry-run', 'yes']],
    [['verifications', '--limit', '0']],
    [['verifications', '--limit', '10001']],
    [['verifications', '--csv', '--json']],
    [['verifications', '--csv', '--from', 'yesterday']],
    [['analytics', '--interval', 'year']],
    [['analytics', '--interval', 'minute', '--from', '2020-01-01T00:00:00Z']],
  ])('%j is wrong usage', async (args) => {
    expect(await call(...args)).toMatchObject({ code: 2, stdout: '' });
  });
});

test('what belongs to another account looks as if it did not exist', async () => {
  const { id } = JSON.parse((await both.storage(['key', 'create', 'mine', '--json'])).stdout);
  for (const args of [
    ['key', 'rotate', id],
    ['key', 'update', id, '--name', 'theirs'],
    ['passport', 'versions', AGENT],
  ]) {
    const own = args.find((word) => word === id || word === AGENT) ?? '';
    const unknown = args.map((word) => (word === own ? `${own}x` : word));
    const ended = await both.as('bob@example.com', args);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    const { stderr, ...rest } = await both.as('bob@example.com', unknown);
    expect(ended).toEqual({ ...rest, stderr: stderr.replace(`${own}x`, own) });
  }
  expect((await both.as('bob@example.com', ['verifications'])).stdout).toMatch(/^AT [^\n]+\n$/);
});

test('a reader of the CSV who goes early is no failure', async () => {
  const line = `'${process.execPath}' '${CLI}' verifications --csv --account admin@localhost | true; echo done`;
  expect(await runShell(line, { cwd: both.folder })).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
});
