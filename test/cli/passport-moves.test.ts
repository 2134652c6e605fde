/** `passport export|import` over a storage and over a service. The tests build on one another. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { type Ended, GIVEN, openFolder, type Serving, startServe } from '../support/process.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const SHOPPER =
  '{"domain":"example.com","agent_name":"shopper","allowed_actions":["orders.*"],"monetary_limit_per_txn":"19.90","currency":"EUR"}';
const PAUSED =
  '{"domain":"example.com","agent_name":"paused","allowed_actions":["*"],"monetary_limit_per_txn":0,"status":"suspended","suspended_until":"2090-01-01T00:00:00Z","suspension_reason":"under review"}';
const GONE =
  '{"status":"revoked","revoked_at":"2020-01-01T00:00:00Z","revocation_reason":"left","domain":"shop.example","agent_name":"gone","allowed_actions":["orders.*"],"monetary_limit_per_txn":5}';
const LINES = [SHOPPER, PAUSED, GONE];

let folder: string;
let remove: () => void;
let serving: Serving;

beforeAll(async () => {
  ({ folder, remove } = openFolder());
  for (const name of ['a', 'b', 'c', 'd']) {
    expect((await call('account', 'create', 'ann@example.com', '--storage', `sqlite:${name}.db`)).code).toBe(
      0,
    );
  }
  serving = await startServe({ cwd: folder, env: GIVEN });
});

afterAll(async () => {
  await serving?.stop();
  remove();
});

function call(...args: readonly string[]): Promise<Ended> {
  return run(args, { cwd: folder });
}

function over(storage: string, args: readonly string[], input = ''): Promise<Ended> {
  return run([...args, '--storage', `sqlite:${storage}.db`], { cwd: folder, input });
}

function overUrl(args: readonly string[], input = ''): Promise<Ended> {
  const { AGENT_IDENTITY_PASSWORD } = GIVEN;
  return run([...args, '--url', serving.origin], { cwd: folder, input, env: { AGENT_IDENTITY_PASSWORD } });
}

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

describe('over a storage', () => {
  test('a dry run says what would be done, and writes nothing', async () => {
    const ended = await over('a', ['passport', 'import', '-', '--dry-run'], text(LINES));
    expect(ended).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      stdout: [
        'create     did:web:example.com:agents:paused',
        `create     ${AGENT}`,
        'create     did:web:shop.example:agents:gone',
        '3 create, 0 unchanged, 0 differs, 0 refused (dry run: nothing is written)',
        '',
      ].join('\n'),
    });
    expect((await over('a', ['passport', 'export'])).stdout).toBe('');
  });

  test('an import writes them, each with its state; a second one changes nothing', async () => {
    const first = await over('a', ['passport', 'import', '-'], text(LINES));
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('3 create, 0 unchanged, 0 differs, 0 refused\n');
    const gone = await over('a', ['passport', 'show', 'did:web:shop.example:agents:gone', '--json']);
    expect(JSON.parse(gone.stdout)).toMatchObject({
      status: 'revoked',
      revoked_at: '2020-01-01T00:00:00.000Z',
      revoked_by: 'operator',
      revocation_reason: 'left',
      version: 1,
    });
    const second = await over('a', ['passport', 'import', '-', '--json'], text(LINES));
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(
      second.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { line: 2, agent_id: 'did:web:example.com:agents:paused', result: 'unchanged' },
      { line: 1, agent_id: AGENT, result: 'unchanged' },
      { line: 3, agent_id: 'did:web:shop.example:agents:gone', result: 'unchanged' },
    ]);
  });

  test('an export is the same from where it was imported', async () => {
    const exported = await over('a', ['passport', 'export', '--output', 'a.jsonl']);
    expect(exported).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const printed = (await over('a', ['passport', 'export'])).stdout;
    expect(printed.split('\n')[1]).toBe(
      '{"domain":"example.com","agent_name":"shopper","allowed_actions":["orders.*"],"monetary_limit_per_txn":19.9,"currency":"EUR","status":"active"}',
    );
    expect((await over('b', ['passport', 'import', 'a.jsonl'])).code).toBe(0);
    expect((await over('b', ['passport', 'export'])).stdout).toBe(printed);
  });

  test('what differs is named with its fields, and stays as it is', async () => {
    const changed = SHOPPER.replace('19.90', '25').replace('"orders.*"', '"orders.list"');
    const ended = await over('a', ['passport', 'import', '-'], text([changed, GONE.replace('2020', '2021')]));
    expect(ended).toMatchObject({
      code: 1,
      stderr: 'agent-identity: 1 differ and stay as they are, 0 are refused.\n',
    });
    expect(ended.stdout).toContain(`differs    ${AGENT} in allowed_actions, monetary_limit_per_txn\n`);
    expect(ended.stdout).toContain('unchanged  did:web:shop.example:agents:gone\n');
    const { stdout } = await over('a', ['passport', 'show', AGENT, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, monetary_limit_per_txn: 19.9 });
  });

  const wrong: [what: string, line: string | Uint8Array, said: RegExp][] = [
    ['no JSON', 'shopper', /line 2: .*JSON/],
    ['a list', '[]', /line 2: This value is no JSON object\. Write/],
    ['a number', '7', /line 2: This value is no JSON object\. Write/],
    ['a passport that lacks fields', '{"domain":"example.com"}', /line 2: .*agent_name/],
    [
      'an unknown field',
      SHOPPER.replace('{', '{"holder":"me",'),
      /line 2: .*\/holder: There is no such field/,
    ],
    ['an agent_id', SHOPPER.replace('{', `{"agent_id":"${AGENT}",`), /line 2: .*\/agent_id/],
    ['the agent of another line', PAUSED, /line 2: The agent is already in line 1/],
    ['an unknown currency', SHOPPER.replace('EUR', 'EURO'), /line 2: \/currency/],
    ['an unknown status', SHOPPER.replace('{', '{"status":"expired",'), /line 2: \/status/],
    [
      'a field of another status',
      SHOPPER.replace('{', '{"revoked_at":"2020-01-01T00:00:00Z",'),
      /line 2: \/revoked_at/,
    ],
    ['a field that is there twice', SHOPPER.replace('{', '{"currency":"USD",'), /line 2: .*a name twice/],
    [
      'a parent, which no passport has yet',
      SHOPPER.replace('{', '{"parent_agent_id":7,'),
      /line 2: .*parent_agent_id/,
    ],
    [
      'a line of 10 MB',
      `{"description":"${'x'.repeat(10_000_000)}"}`,
      /line 2: It is longer than 1048576 bytes/,
    ],
    ['bytes that are no text', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0xff, 0xfe]), /line 2: /],
  ];

  test.each(wrong)('%s is named by its line, and nothing is stored', async (_, line, said) => {
    const file = Buffer.concat([Buffer.from(`${PAUSED}\n`), Buffer.from(line), Buffer.from(`\n${GONE}\n`)]);
    writeFileSync(join(folder, 'wrong.jsonl'), file);
    const ended = await over('c', ['passport', 'import', 'wrong.jsonl']);
    expect(ended).toMatchObject({
      code: 2,
      stderr: 'agent-identity: wrong.jsonl has lines that are refused. Nothing is stored: correct them.\n',
    });
    expect(ended.stdout).toMatch(said);
    expect(ended.stdout.length).toBeLessThan(2_000);
    expect((await over('c', ['passport', 'export'])).stdout).toBe('');
  });

  test('--keep-going imports the others, and ends with 1', async () => {
    const ended = await over(
      'c',
      ['passport', 'import', '-', '--keep-going'],
      text(['{}', PAUSED, '7', GONE]),
    );
    expect(ended).toMatchObject({
      code: 1,
      stderr: 'agent-identity: 0 differ and stay as they are, 2 are refused.\n',
    });
    expect(ended.stdout).toContain('2 create, 0 unchanged, 0 differs, 2 refused\n');
    expect((await over('c', ['passport', 'export'])).stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  test.each([
    ['an empty file', ''],
    ['a file of blank lines', '\n \r\n\t\n'],
  ])('%s holds no passport', async (_, empty) => {
    expect(await over('c', ['passport', 'import', '-'], empty)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'agent-identity: stdin has no passport in it.\n',
    });
  });

  test('a file that is not there is said, and one that is something else is not read to its end', async () => {
    expect(await over('c', ['passport', 'import', 'gone.jsonl'])).toMatchObject({
      code: 2,
      stderr: 'agent-identity: gone.jsonl cannot be read (ENOENT).\n',
    });
    const ended = await over('c', ['passport', 'import', '-'], 'x\n'.repeat(100_000));
    expect(ended.code).toBe(2);
    expect(ended.stdout.trimEnd().split('\n')).toHaveLength(20);
  });

  test('what the storage refuses is named, the rest is not tried, and a second run continues', async () => {
    expect((await over('d', ['account', 'create', 'bob@example.com'])).code).toBe(0);
    const bob = ['--account', 'bob@example.com'];
    expect((await over('d', ['passport', 'import', '-', ...bob], text([GONE]))).code).toBe(0);
    const ann = ['passport', 'import', '-', '--account', 'ann@example.com'];
    const others = Array.from({ length: 40 }, (_, index) =>
      SHOPPER.replace('shopper', `a${index}`).replace('example.com', index < 20 ? 'a.example' : 'z.example'),
    );
    const ended = await over('d', ann, text([...others, GONE]));
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^refused {4}did:web:shop\.example:agents:gone line 41: /m);
    expect(ended.stderr).toBe(
      'agent-identity: 0 differ and stay as they are, 1 are refused. 9 were not tried: mend the line and run it again.\n',
    );
    const again = await over('d', ann, text(others));
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('9 create, 31 unchanged, 0 differs, 0 refused\n');
  });

  test('parents are written before their children, in circles none is', async () => {
    const { parentsFirst } = await import('../../adapters/cli/import/parents-first.ts');
    const agent = (agent_id: string, parent_agent_id?: string) => ({ agent_id, parent_agent_id });
    const [a, b, c, d, e, f] = [
      agent('a', 'b'),
      agent('b', 'c'),
      agent('c'),
      agent('d', 'elsewhere'),
      agent('e', 'f'),
      agent('f', 'e'),
    ];
    expect(parentsFirst([f, e, d, a, b, c])).toEqual({ generations: [[c, d], [b], [a]], lost: [e, f] });
  });
});

describe('over --url', () => {
  test('an import makes what an export there shows again; a second one changes nothing', async () => {
    const first = await overUrl(['passport', 'import', '-'], text(LINES));
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const second = await overUrl(['passport', 'import', '-'], text(LINES));
    expect(second.stdout).toContain('0 create, 3 unchanged, 0 differs, 0 refused\n');
    const there = (await overUrl(['passport', 'export'])).stdout;
    const here = (await over('a', ['passport', 'export'])).stdout;
    // Over HTTP there is no way to say when a passport was revoked.
    const withoutTime = (lines: string): string => lines.replaceAll(/,"revoked_at":"[^"]*"/g, '');
    expect(withoutTime(there)).toBe(withoutTime(here));
  });

  test('a suspended passport allows nothing before it is suspended', async () => {
    const { stdout } = await overUrl(['passport', 'versions', 'did:web:example.com:agents:paused', '--json']);
    const { data } = JSON.parse(stdout);
    const states = data.map(({ version, status, allowed_actions }: Record<string, unknown>) => [
      version,
      status,
      allowed_actions,
    ]);
    expect(states.reverse()).toEqual([
      [1, 'active', []],
      [2, 'suspended', []],
      [3, 'suspended', ['*']],
    ]);
  });

  test('the children of a revoked passport are imported, and may do nothing', async () => {
    const [parent, child] = ['boss', 'child'].map((name) => `did:web:family.example:agents:${name}`);
    const terms = '"allowed_actions":["orders.*"],"monetary_limit_per_txn":5';
    const family = [
      `{"domain":"family.example","agent_name":"boss",${terms},"status":"revoked","revocation_reason":"left"}`,
      `{"domain":"family.example","agent_name":"child","parent_agent_id":"${parent}",${terms},"status":"active"}`,
    ];
    for (const there of [overUrl, (args: readonly string[], input?: string) => over('b', args, input)]) {
      const first = await there(['passport', 'import', '-'], text(family));
      expect(first).toMatchObject({ code: 0, stderr: '' });
      expect((await there(['passport', 'import', '-'], text(family))).stdout).toContain('2 unchanged');
      const { stdout } = await there(['passport', 'effective', String(child), '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ agent_id: child, ancestors: [parent], status: 'revoked' });
    }
  });

  test('what the service refuses is named', async () => {
    const large = SHOPPER.replace('shopper', 'large').replace(
      '{',
      `{"denied_actions":${JSON.stringify(Array.from({ length: 256 }, (_, index) => `${'a'.repeat(125)}${index}`))},"monetary_actions":${JSON.stringify(Array.from({ length: 256 }, (_, index) => `${'b'.repeat(125)}${index}`))},`,
    );
    const ended = await overUrl(['passport', 'import', '-', '--keep-going'], text([large, SHOPPER]));
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^refused {4}line 1: The request: A passport has at most 65536 bytes /m);
    expect(ended.stdout).toContain(`unchanged  ${AGENT}\n`);
  });
});
