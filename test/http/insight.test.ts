import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fetchHandler, nodeListener } from '../../src/http/index.ts';
import { type Api, dataOf, expectProblem, issue, makeKey, openApi, signIn } from '../support/api.ts';
import { MINUTE, type Opened, openService } from '../support/service.ts';

interface Scene {
  readonly opened: Opened;
  readonly api: Api;
  readonly token: string;
  readonly agent_id: string;
}

/** Thirty verdicts a minute apart: ALLOW, over the limit, not allowed, in turn; one in five for a test key. */
async function thirtyVerdicts(): Promise<Scene> {
  const opened = openService();
  const api = openApi(opened);
  const { token } = await signIn(opened, api);
  const live = await makeKey(api, token);
  const test = await makeKey(api, token, { environment: 'test' });
  const agent_id = await issue(api, token);
  for (let index = 0; index < 30; index += 1) {
    opened.clock.advance(MINUTE);
    const json = {
      agent_id,
      action: index % 3 === 2 ? '=cmd()' : 'payments.create',
      parameters: { amount: index % 3 === 1 ? 1_000 : 10 },
    };
    const { key } = index % 5 === 0 ? test : live;
    expect((await api.ask('POST', '/verify', { key, json })).status).toBe(200);
  }
  return { opened, api, token, agent_id };
}

/** Queries, and how many of the thirty verdicts each shows. */
const SHOWN = [
  ['verdict=ALLOW', 10],
  ['verdict=DENY', 20],
  ['reason=amount_over_limit', 10],
  ['reason=amount', 0],
  ['reason=amount_over_limi_', 0],
  ['environment=test', 6],
  ['environment=test&verdict=ALLOW', 2],
  ['from=2026-11-20T12:10:00Z&to=2026-11-20T12:20:00Z', 10],
  ['agent_id=did:web:example.com:agents:nobody', 0],
] as const;

/** Queries that are refused, and the parameter that the error names. */
const REFUSED = [
  ['/verifications?verdict=MAYBE', '/verdict'],
  ['/verifications?from=then', '/from'],
  ['/verifications?from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z', '/from'],
  ['/verifications?limit=0', '/limit'],
  ['/verifications?cursor=nonsense', '/cursor'],
  ['/verifications?agent=x', '/agent'],
  ['/verifications?from=2026-11-20', '/from'],
  ['/verifications?to=', '/to'],
  ['/verifications?limit=101', '/limit'],
  ['/verifications?limit=ten', '/limit'],
  ['/verifications?environment=LIVE', '/environment'],
  ['/verifications?dry_run=yes', '/dry_run'],
  ['/verifications?dry_run=', '/dry_run'],
  ['/verifications?dryrun=true', '/dryrun'],
  ['/verifications?verdict=ALLOW&verdict=DENY', '/verdict'],
  ['/analytics?limit=10', '/limit'],
  ['/analytics?interval=', '/interval'],
  ['/analytics?to=2026-02-30T00:00:00Z', '/to'],
  ['/analytics?from=9999-12-31T00:00:00Z', '/from'],
  ['/analytics?from=0001-01-01T00:00:00Z&interval=day', '/from'],
  ['/analytics?interval=week', '/interval'],
  ['/analytics?environment=prod', '/environment'],
  ['/analytics?from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z', '/from'],
  ['/analytics?interval=minute&from=2026-11-18T00:00:00Z&to=2026-11-20T00:00:00Z', '/from'],
] as const;

describe('GET /verifications', () => {
  test('pages through every record once, newest first', async () => {
    const { api, token } = await thirtyVerdicts();
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await api.ask('GET', `/verifications?limit=7${cursor}`, { token });
      seen.push(...(body['data'] as { evaluated_at: string }[]).map(({ evaluated_at }) => evaluated_at));
      cursor = body['next_cursor'] === null ? '' : `&cursor=${body['next_cursor']}`;
    } while (cursor !== '');
    expect(seen).toHaveLength(30);
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
  });

  test('shows the verdicts that a query asks for', async () => {
    const { api, token } = await thirtyVerdicts();
    for (const [query, count] of SHOWN) {
      const answer = await api.ask('GET', `/verifications?limit=100&${query}`, { token });
      expect(dataOf(answer), query).toHaveLength(count);
    }
  });

  test('refuses a query that is wrong, and names the parameter', async () => {
    const { api, token } = await thirtyVerdicts();
    for (const [path, pointer] of REFUSED) {
      const answer = await api.ask('GET', path, { token });
      expect(expectProblem(answer, 400, 'invalid_request'), path).toEqual([pointer]);
    }
  });

  test('dry runs are left out or alone, as pages, as CSV and in process', async () => {
    const { opened, api, token, agent_id } = await thirtyVerdicts();
    const test = await makeKey(api, token, { environment: 'test' });
    const live = await makeKey(api, token);
    for (const { key } of [test, live, live]) {
      opened.clock.advance(MINUTE);
      const json = { agent_id, action: '=cmd()', dry_run: true };
      expect((await api.ask('POST', '/verify', { key, json })).body['verdict']).toBe('DENY');
    }
    for (const [query, dry, others] of [
      ['', 3, 30],
      ['&dry_run=true', 3, 0],
      ['&dry_run=false', 0, 30],
      ['&dry_run=true&environment=test', 1, 0],
      ['&dry_run=false&environment=test', 0, 6],
      ['&dry_run=false&verdict=DENY', 0, 20],
      ['&dry_run=true&verdict=ALLOW', 0, 0],
    ] as const) {
      const path = `/verifications?limit=100${query}`;
      const records = dataOf(await api.ask('GET', path, { token }));
      const runs = records.map((record) => record['dry_run']);
      expect(
        runs.filter((isDry) => isDry === true),
        query,
      ).toHaveLength(dry);
      expect(
        runs.filter((isDry) => isDry === false),
        query,
      ).toHaveLength(others);
    }
    const { verifications } = opened.service;
    const account_id = `${(await api.ask('GET', '/account', { token })).body['id']}`;
    const filter = { dry_run: true, environment: 'live' } as const;
    expect((await verifications.list(filter, { account_id })).data).toHaveLength(2);
    let csv = '';
    for await (const piece of await verifications.csv(filter, { account_id })) csv += piece;
    expect(csv.match(/,true,/g)).toHaveLength(2);
    expect(csv.match(/,false,/g)).toBeNull();
    const wrong = { dry_run: 'false' as unknown as boolean };
    await expect(verifications.list(wrong, { account_id })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { errors: [{ path: '/dry_run', message: 'This must be true or false.' }] },
    });
  });

  test('shows nothing of another account', async () => {
    const { opened, api, agent_id } = await thirtyVerdicts();
    const other = await signIn(opened, api, 'other@example.com');
    const answer = await api.ask('GET', `/verifications?agent_id=${agent_id}`, { token: other.token });
    expect(dataOf(answer)).toEqual([]);
    const { body } = await api.ask('GET', `/analytics?agent_id=${agent_id}`, { token: other.token });
    expect(body['overview']).toMatchObject({ total_agents: 0, total_verifications: 0 });
  });

  test('refuses a cursor of another query', async () => {
    const { api, token } = await thirtyVerdicts();
    const { body } = await api.ask('GET', '/verifications?limit=5&verdict=DENY', { token });
    const cursor = `cursor=${body['next_cursor']}`;
    expect((await api.ask('GET', `/verifications?verdict=DENY&${cursor}`, { token })).status).toBe(200);
    for (const path of [
      `/verifications?${cursor}`,
      `/verifications?verdict=ALLOW&${cursor}`,
      `/passports?${cursor}`,
    ]) {
      expectProblem(await api.ask('GET', path, { token }), 400, 'invalid_request');
    }
  });
});

describe('the export', () => {
  test('streams every record as CSV that no spreadsheet runs', async () => {
    const { opened, token } = await thirtyVerdicts();
    const server = createServer(nodeListener(opened.service)).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/api/verifications`, {
      headers: { accept: 'text/csv', authorization: `Bearer ${token}` },
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    const lines = (await response.text()).split('\r\n');
    expect(lines[0]).toMatch(/^decision_id,evaluated_at,verdict,reasons,agent_id,action,/);
    expect(lines).toHaveLength(32);
    expect(lines.filter((line) => line.includes(",'=cmd(),"))).toHaveLength(10);
    expect(lines.filter((line) => line.includes(',=cmd(),'))).toEqual([]);
  });

  test.each([
    ['/verifications', 'true', true],
    ['/verifications', 'false', false],
    ['/audit', 'true', true],
    ['/audit', 'false', false],
  ])('of %s with bom=%s begins with a byte order mark: %s', async (path, bom, isMarked) => {
    const { opened, token } = await thirtyVerdicts();
    const ask = async (query: string): Promise<Uint8Array> => {
      const headers = { accept: 'text/csv', authorization: `Bearer ${token}` };
      const url = `http://localhost/api${path}${query}`;
      return new Uint8Array(
        await (await fetchHandler(opened.service)(new Request(url, { headers }))).arrayBuffer(),
      );
    };
    const plain = await ask('');
    expect(plain[0]).not.toBe(0xef);
    expect(await ask(`?bom=${bom}`)).toEqual(isMarked ? Uint8Array.of(0xef, 0xbb, 0xbf, ...plain) : plain);
  });

  test('refuses a byte order mark that is neither true nor false', async () => {
    const { api, token } = await thirtyVerdicts();
    const answer = await api.ask('GET', '/audit?bom=1', { token, headers: { accept: 'text/csv' } });
    expectProblem(answer, 400, 'invalid_request');
  });

  test('reports an error before it begins', async () => {
    const { api, token } = await thirtyVerdicts();
    const answer = await api.ask('GET', '/verifications?from=then', {
      token,
      headers: { accept: 'text/csv' },
    });
    expectProblem(answer, 400, 'invalid_request');
  });
});
