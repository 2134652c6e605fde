import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { VerdictRecord } from '../../src/records.ts';
import { run } from '../support/command.ts';
import {
  CLI,
  type Ended,
  GIVEN,
  openFolder,
  type Running,
  runShell,
  type Serving,
  said,
  start,
  startServe,
} from '../support/process.ts';

/** `journal export` over a storage and over the service that runs on it. The tests build on one another. */
const AGENT = 'did:web:example.com:agents:shopper';
const OTHER = 'did:web:example.com:agents:other';
const VERDICTS = 230;

let folder: string;
let remove: () => void;
let serving: Serving;
let token: string;
let key: string;
/** How many verdicts have been asked for. */
let filed = 0;

beforeAll(async () => {
  ({ folder, remove } = openFolder());
  serving = await startServe({ cwd: folder, env: GIVEN }, ['--journal', 'strict']);
  const login = { email: 'admin@localhost', password: GIVEN.AGENT_IDENTITY_PASSWORD };
  ({ access_token: token } = await post<{ access_token: string }>('/auth/login', {}, login));
  const bearer = { authorization: `Bearer ${token}` };
  ({ key } = await post<{ key: string }>('/keys', bearer, { name: 'till' }));
  await post('/passports', bearer, {
    ...{ domain: 'example.com', agent_name: 'shopper', allowed_actions: ['orders.place'] },
    monetary_limit_per_txn: 0,
  });
  await ask(VERDICTS);
});

afterAll(async () => {
  await serving?.stop();
  remove();
});

async function post<Answer>(path: string, headers: Record<string, string>, body: object): Promise<Answer> {
  const response = await fetch(`${serving.origin}/api${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([200, 201]).toContain(response.status);
  return (await response.json()) as Answer;
}

/** Files the given number of verdicts, one in three a DENY of an agent that has no passport; their ids. */
async function ask(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += 10) {
    const intents = Array.from({ length: Math.min(10, count - from) }, (_, index) => ({
      agent_id: (from + index) % 3 === 0 ? OTHER : AGENT,
      action: 'orders.place',
      target: `shop, "${from + index}"`,
    }));
    const answer = await post<{ verdicts: VerdictRecord[] }>(
      '/verify/batch',
      { 'x-api-key': key },
      { intents },
    );
    ids.push(...answer.verdicts.map(({ decision_id }) => decision_id));
  }
  filed += count;
  return ids;
}

const recordsOf = (text: string): VerdictRecord[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const idsOf = (text: string): string[] => recordsOf(text).map(({ decision_id }) => decision_id);

const ways = {
  storage: () => ({ args: [] as string[], options: { cwd: folder } }),
  url: () => ({
    args: ['--url', serving.origin],
    options: { cwd: folder, env: { AGENT_IDENTITY_TOKEN: token } },
  }),
};

describe.each(['storage', 'url'] as const)('over --%s', (way) => {
  async function call(...words: readonly string[]): Promise<Ended> {
    const { args, options } = ways[way]();
    return run([...words, ...args], options);
  }

  async function exported(...words: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await call('journal', 'export', ...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  }

  test('each record is a line of JSON, newest first, as `verifications` lists them', async () => {
    const listed = JSON.parse((await call('verifications', '--limit', '10000', '--json')).stdout);
    const records = recordsOf(await exported());
    expect(records).toHaveLength(filed);
    expect(records).toEqual(listed.data);
  });

  test('the CSV is that of `verifications --csv`, byte for byte', async () => {
    const csv = await exported('--format', 'csv');
    expect(csv.split('\r\n')).toHaveLength(filed + 2);
    expect(csv).toBe((await call('verifications', '--csv')).stdout);
  });

  test('--agent, --verdict, --reason, --environment, --from and --to narrow it', async () => {
    const all = recordsOf(await exported());
    const idsWith = async (...words: readonly string[]) => idsOf(await exported(...words));
    const those = (fits: (record: VerdictRecord) => boolean) =>
      all.filter(fits).map(({ decision_id }) => decision_id);
    expect(await idsWith('--agent', AGENT)).toEqual(those(({ agent_id }) => agent_id === AGENT));
    expect(await idsWith('--verdict', 'DENY')).toEqual(those(({ verdict }) => verdict === 'DENY'));
    expect(await idsWith('--reason', 'passport_not_found')).toEqual(
      those(({ reasons }) => reasons.some(({ code }) => code === 'passport_not_found')),
    );
    expect(await idsWith('--environment', 'test')).toEqual([]);
    const at = all[100]?.evaluated_at ?? '';
    const isFrom = ({ evaluated_at }: VerdictRecord) => evaluated_at >= at;
    expect(await idsWith('--from', at)).toEqual(those(isFrom));
    expect(await idsWith('--to', at)).toEqual(those((record) => !isFrom(record)));
  });

  test('--output replaces a file, and an export of nothing leaves an empty one', async () => {
    const path = join(folder, `${way}.out`);
    writeFileSync(path, 'of before');
    expect(await exported('--output', path)).toBe('');
    expect(idsOf(readFileSync(path, 'utf8'))).toHaveLength(filed);
    expect(await exported('--output', path, '--environment', 'test')).toBe('');
    expect(readFileSync(path, 'utf8')).toBe('');
    expect(idsOf(await exported('--output', '-'))).toHaveLength(filed);
  });

  test.each([
    [['--format', 'xml'], /choices.*jsonl, csv/],
    [['--follow', '--to', '2026-11-20T00:00:00Z'], /--follow.*--to/],
    [['--from', 'yesterday'], /from/],
    [['--agent', ''], /agent/],
    [['--output', 'no/such/folder'], /no\/such\/folder cannot be written \(ENOENT\)/],
    [['--json'], /unknown option '--json'/],
  ])('wrong usage %j is exit code 2 with the reason', async (words, reason) => {
    const { code, stdout, stderr } = await call('journal', 'export', ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(reason);
  });

  test('a file of before stays when the records cannot be read', async () => {
    const path = join(folder, `${way}.kept`);
    writeFileSync(path, 'of before');
    const { code } = await call('journal', 'export', '--output', path, '--from', 'yesterday');
    expect(code).toBe(2);
    expect(readFileSync(path, 'utf8')).toBe('of before');
  });

  test.each(['jsonl', 'csv'])(
    '--follow goes on with new records, oldest first, until SIGINT (%s)',
    async (format) => {
      const { args, options } = ways[way]();
      const before = recordsOf(await exported()).map(({ decision_id }) => decision_id);
      const words = ['journal', 'export', '--follow', '--format', format, ...args];
      const running = start(process.execPath, [CLI, ...words], options);
      try {
        const written = () => idsIn(running, format);
        await said(running, () => (written().length >= before.length ? true : undefined));
        const added = [...(await ask(12)), ...(await ask(15))];
        await said(running, () => (written().length >= before.length + added.length ? true : undefined));
        running.child.kill('SIGINT');
        const { code, stderr } = await running.ended;
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        const ids = written();
        expect(ids.slice(0, before.length)).toEqual(before);
        expect(ids.slice(before.length).sort()).toEqual(added.sort());
        const times = recordsOf(await exported()).map(({ evaluated_at }) => evaluated_at);
        expect(times).toEqual([...times].sort().reverse());
      } finally {
        running.child.kill('SIGKILL');
      }
    },
  );
});

/** The ids of the whole records that it has written. */
function idsIn(running: Running, format: string): string[] {
  if (format === 'csv') {
    const lines = running.stdout().split('\r\n').slice(1, -1);
    return lines.map((line) => line.split(',', 1)[0] ?? '');
  }
  return idsOf(running.stdout());
}

describe('a list without end', () => {
  const HEADER = 'decision_id,evaluated_at,verdict\r\n';
  const CSV = { 'content-type': 'text/csv; charset=utf-8' };
  const env = { AGENT_IDENTITY_TOKEN: 'a-token' };
  let server: Server | undefined;

  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    server = undefined;
  });

  async function listen(listener: RequestListener): Promise<string> {
    server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server?.once('listening', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const endless: RequestListener = (_request, response) => {
    let count = 0;
    response.writeHead(200, CSV);
    response.write(HEADER);
    const more = (): void => {
      do count += 1;
      while (response.write(`dec_${count},2026-11-20T12:00:00.000Z,"${'x'.repeat(1_000)}\r\n"\r\n`));
      response.once('drain', more);
    };
    more();
  };

  test('SIGINT ends an export with whole records, and says that it is not whole', async () => {
    const url = await listen(endless);
    const path = join(folder, 'endless.csv');
    const words = ['journal', 'export', '--format', 'csv', '--output', path, '--url', url];
    const running = start(process.execPath, [CLI, ...words], { cwd: folder, env });
    while (!existsSync(path) || readFileSync(path).length < 100_000) {
      if (running.child.exitCode !== null) throw new Error(running.stderr());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    const text = readFileSync(path, 'utf8');
    const count = text.split('dec_').length - 1;
    expect(text.endsWith('x\r\n"\r\n')).toBe(true);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `agent-identity: Stopped after the newest ${count} records. The older ones are not written.\n`,
    });
  });

  test('a reader who goes early ends it, and is no failure', async () => {
    const url = await listen(endless);
    const command = `'${process.execPath}' '${CLI}' journal export --format csv --url ${url}`;
    const ended = await runShell(`{ ${command}; echo "exit code $?" >&2; } | head -1`, { cwd: folder, env });
    expect(ended).toMatchObject({ code: 0, stdout: HEADER, stderr: 'exit code 0\n' });
  });

  test('an export that breaks off is a failure', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, CSV);
      response.write(`${HEADER}dec_1,2026-11-20T12:00:00.000Z,ALLOW\r\n`, () => response.destroy());
    });
    const ended = await run(['journal', 'export', '--format', 'csv', '--url', url], { cwd: folder, env });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/broke off in the middle\.\n$/) });
  });
});
