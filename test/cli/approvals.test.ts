/** The commands of approvals over a storage and over the service that runs on it. */
import { beforeAll, expect, test } from 'vitest';
import { type BothWays, openBothWays, recordOf, WAYS } from '../support/both-ways.ts';
import { run } from '../support/command.ts';
import type { Ended } from '../support/process.ts';

let both: BothWays;

beforeAll(async () => {
  both = await openBothWays();
});

test.each(WAYS)(
  'over --%s an approval is listed, shown and decided; the intent then passes once',
  async (way) => {
    const call = (...args: readonly string[]): Promise<Ended> => both[way](args);
    const record = (...args: readonly string[]) => recordOf(both[way], args);
    const agent = `did:web:example.com:agents:${way}`;
    const create = ['passport', 'create', '--domain', 'example.com', '--agent-name', way];
    create.push('--allowed-actions', 'pay', '--monetary-actions', 'pay', '--currency', 'EUR');
    create.push('--monetary-limit-per-txn', '100', '--approval');
    expect(await call(...create, 'above')).toMatchObject({ code: 2, stdout: '' });
    const made = await record(...create, 'above=10,actions=refund+orders.*');
    expect(made['approval']).toEqual({ above: 10, actions: ['refund', 'orders.*'], seconds: 3_600 });
    const changed = await record('passport', 'update', agent, '--approval', '{"seconds": 600}');
    expect(changed['approval']).toMatchObject({ above: 10, seconds: 600 });
    const people = await record('passport', 'update', agent, '--approval', 'count=1,by=anyone,changes=false');
    expect(people['approval']).toMatchObject({ seconds: 600, count: 1, by: 'anyone', changes: false });

    const intent = ['--agent', agent, '--action', 'pay', '--amount', '20', '--currency', 'EUR'];
    const ask = (...args: readonly string[]): Promise<Ended> =>
      run(['verify', ...intent, '--json', ...args], { cwd: both.folder });
    const first = await ask();
    expect(first.code).toBe(3);
    const id: string = JSON.parse(first.stdout).reasons[0].approval_id;
    const [head = '', row = ''] = (await call('approval', 'list', '--agent', agent)).stdout.split('\n');
    expect(head.split(/\s+/)).toEqual(['ID', 'STATUS', 'PEOPLE', 'AGENT', 'ACTION', 'AMOUNT', 'EXPIRES']);
    expect(row.split(/ {2,}/)).toEqual([
      id,
      'pending',
      '0 of 1',
      agent,
      'pay',
      '20 EUR',
      expect.stringMatching(/Z$/),
    ]);
    expect(await record('approval', 'show', id)).toMatchObject({ id, status: 'pending' });
    expect(await record('approval', 'approve', id, '--note', 'fine')).toMatchObject({
      status: 'approved',
      note: 'fine',
      decided_by: way === 'storage' ? 'operator' : expect.stringMatching(/^mem_/),
    });
    expect(await call('approval', 'reject', id)).toMatchObject({ code: 1, stdout: '' });
    expect((await ask('--approval', id)).code).toBe(0);
    expect(JSON.parse((await ask('--approval', id)).stdout).reasons[0].code).toBe('approval_used');
    expect((await record('approval', 'list', '--status', 'used', '--agent', agent))['data']).toHaveLength(1);
    expect((await call('approval', 'show', id)).stdout).toMatch(/^status +used$/m);
    for (const wrong of [['list', '--status', 'open'], ['approve', id, '--note', ''], ['show']])
      expect(await call('approval', ...wrong)).toMatchObject({ code: 2, stdout: '' });
    expect(await call('approval', 'show', 'apr_0')).toMatchObject({ code: 1, stdout: '' });
  },
);

test.each(WAYS)('over --%s what is hidden in an intent is shown, as text and as JSON', async (way) => {
  const agent = `did:web:example.com:agents:hidden-${way}`;
  const create = ['passport', 'create', '--domain', 'example.com', '--agent-name', `hidden-${way}`];
  create.push('--allowed-actions', 'pay', '--monetary-limit-per-txn', '100', '--approval', 'actions=pay');
  await recordOf(both[way], create);
  const iban = 'DE89\u202e0013\u202c\u200b3704\u3164\u{e0041}\u00ad';
  const shown = 'DE89\\u202e0013\\u202c\\u200b3704\\u3164\\udb40\\udc41\\u00ad';
  const asked = await run(['verify', '-', '--json'], {
    cwd: both.folder,
    input: JSON.stringify({ agent_id: agent, action: 'pay', parameters: { iban } }),
  });
  const id: string = JSON.parse(asked.stdout).reasons[0].approval_id;
  for (const words of [
    ['show', id],
    ['show', id, '--json'],
    ['reject', id],
  ]) {
    const { code, stdout } = await both[way](['approval', ...words]);
    expect(code).toBe(0);
    expect(stdout).toContain(`"iban":"${shown}"`);
    expect(stdout).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
  }
});

test.each(WAYS)('over --%s an approval shows the audience of the permit that it allows', async (way) => {
  const agent = `did:web:example.com:agents:permits-${way}`;
  const create = ['passport', 'create', '--domain', 'example.com', '--agent-name', `permits-${way}`];
  create.push('--allowed-actions', 'pay', '--monetary-limit-per-txn', '100', '--approval', 'actions=pay');
  await recordOf(both[way], create);
  const permit = { audience: 'https://pay.example' };
  const { key } = await recordOf(both[way], ['key', 'create', 'permits', '--scopes', 'verify', 'permit']);
  const asked = await fetch(`${both.serving.origin}/api/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': `${key}` },
    body: JSON.stringify({ agent_id: agent, action: 'pay', permit }),
  });
  const { reasons } = (await asked.json()) as { reasons: readonly [{ approval_id: string }] };
  const id = reasons[0].approval_id;
  const { stdout } = await both[way](['approval', 'show', id]);
  expect(stdout).toMatch(/^permit +https:\/\/pay\.example, 30 s$/m);
  const { intent } = await recordOf(both[way], ['approval', 'show', id]);
  expect(intent).toMatchObject({ permit: { ...permit, seconds: 30, bind: false } });
});

test.each(WAYS)(
  'over --%s a passport that asks for more people than there are is warned about',
  async (way) => {
    const call = (...args: readonly string[]): Promise<Ended> => both[way](args);
    const create = ['passport', 'create', '--domain', 'example.com', '--agent-name', `few-${way}`];
    const fields = ['--allowed-actions', 'pay', '--monetary-limit-per-txn', '0'];
    const agent = `did:web:example.com:agents:few-${way}`;
    const made = await call(...create, ...fields, '--approval', 'actions=pay,count=2');
    const lacks = (needed: number, who: string, has: number) =>
      `agent-identity: Nobody can complete an approval of this passport: it needs ${needed} ${who} who may approve, and the account has ${has}. Give members the role approver, admin or owner.\n`;
    expect(made).toMatchObject({ code: 0, stdout: `Issued ${agent}\n`, stderr: lacks(2, 'people', 1) });
    const update = (...args: readonly string[]) => call('passport', 'update', agent, ...args);
    expect((await update('--description', 'x')).stderr).toBe('');
    expect((await update('--approval', 'count=1')).stderr).toBe('');
    const another = await update('--approval', 'by=another');
    expect(another.stderr).toBe(way === 'storage' ? '' : lacks(1, 'other people', 0));
    await update('--approval', 'count=2');
    await run(['verify', '--agent', agent, '--action', 'pay'], { cwd: both.folder });
    const [, row = ''] = (await call('approval', 'list', '--agent', agent)).stdout.split('\n');
    expect(row.split(/ {2,}/)[2]).toMatch(/^0 of 2, [12] missing in the account$/);
  },
);

test('a change that waits for another person names its approval, its end and the next command', async () => {
  const agent = 'did:web:example.com:agents:waits';
  const create = ['passport', 'create', '--domain', 'example.com', '--agent-name', 'waits'];
  await recordOf(both.url, [...create, '--allowed-actions', 'pay', '--monetary-limit-per-txn', '10']);
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  const made = ['key', 'create', 'ci', '--scopes', 'passports:propose', '--expires-at', expires];
  const { key } = await recordOf(both.url, made);
  const update = [
    'passport',
    'update',
    agent,
    '--monetary-limit-per-txn',
    '20',
    '--url',
    both.serving.origin,
  ];
  const { code, stderr } = await run(update, {
    cwd: both.folder,
    env: { AGENT_IDENTITY_API_KEY: `${key}` },
  });
  expect(code).toBe(1);
  const [id] = /apr_\w+/.exec(stderr) ?? [];
  expect(stderr.split('\n')).toEqual([
    'agent-identity: Another person has to approve this change, because it allows more.',
    expect.stringMatching(new RegExp(`^  approval_id: ${id}, open until 20\\S+Z$`)),
    `  Another person runs: agent-identity approval approve ${id}`,
    `  Then run the same command with --approval-id ${id}`,
    '',
  ]);
});
