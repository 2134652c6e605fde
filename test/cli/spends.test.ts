import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RIGHT_BUDGETS, SHOPPER, WRONG_BUDGETS, WRONG_PATCHES } from '../core/spending/wrong-input.ts';
import { type BothWays, openBothWays, recordOf, WAYS } from '../support/both-ways.ts';
import type { Ended } from '../support/process.ts';

/** Budgets and spends by the command, over a storage and over the service that runs on it: the same answers. */
let both: BothWays;

beforeAll(async () => {
  both = await openBothWays();
  const made = await both.url(['key', 'create', 'till', '--json']);
  both.env['AGENT_IDENTITY_API_KEY'] = JSON.parse(made.stdout).key;
});

describe.each(WAYS)('over --%s', (way) => {
  const agent = `did:web:shop.example:agents:${way}`;
  const call = (...args: readonly string[]): Promise<Ended> => both[way](args);
  const record = (...args: readonly string[]) => recordOf(both[way], args);

  async function used(): Promise<unknown[]> {
    const { data } = (await record('passport', 'budgets', agent)) as { data: Record<string, unknown>[] };
    return data.map(({ name, spent, held }) => [name, spent, held]);
  }

  const verify = ['verify', '--agent', agent, '--action', 'pay', '--currency', 'EUR', '--amount'];

  beforeAll(async () => {
    const create = [
      'passport',
      'create',
      '--domain',
      'shop.example',
      '--agent-name',
      way,
      '--currency',
      'EUR',
    ];
    create.push('--allowed-actions', 'pay', '--monetary-actions', 'pay', '--monetary-limit-per-txn', '90');
    const budgets = ['--budget', 'window=day,limit=100', '{"name": "often", "window": "hour", "count": 20}'];
    const pace = ['--pace', 'max=500,seconds=60', 'name=slow,max=900,seconds=3600,actions=pay+orders.*'];
    const made = await record(...create, ...budgets, ...pace);
    expect(made).toMatchObject({
      pace: [
        { name: 'pace', max: 500, seconds: 60 },
        { name: 'slow', actions: ['pay', 'orders.*'], max: 900, seconds: 3_600 },
      ],
      budgets: [
        { name: 'day', window: 'day', limit: 100 },
        { name: 'often', window: 'hour', count: 20 },
      ],
    });
  });

  test('what is spent, held, committed and given back shows in the budgets', async () => {
    const spent = await record(...verify, '20.50');
    expect(spent).toMatchObject({ verdict: 'ALLOW', budgets: [{ name: 'day', spent: 20.5 }, { spent: 1 }] });
    const held = await record(...verify, '30', '--hold-seconds', '600');
    const id = `${held['decision_id']}`;
    expect(await used()).toEqual([
      ['day', 20.5, 30],
      ['often', 1, 1],
    ]);
    expect(await record('spend', 'show', id)).toMatchObject({ decision_id: id, status: 'held', amount: 30 });
    expect(await record('spend', 'commit', id, '--amount', '10.25')).toMatchObject({
      ...{ status: 'committed', released_amount: 19.75 },
    });
    const back = `${spent['decision_id']}`;
    expect(await record('spend', 'release', back, '--amount', '0.50')).toMatchObject({
      released_amount: 0.5,
    });
    expect(await used()).toEqual([
      ['day', 30.25, 0],
      ['often', 2, 0],
    ]);
    const shown = await call('passport', 'budgets', agent);
    expect(shown.stdout).toMatch(
      /^BUDGET +WINDOW +OF +SPENT +HELD +LEFT +RESETS\nday +day +100 +30\.25 +0 +69\.75 +\d/,
    );
    expect((await call('spend', 'show', back)).stdout).toMatch(/^status +committed$/m);
    const denied = await call(...verify, '69.76');
    expect(denied).toMatchObject({ code: 3, stderr: '' });
    expect(denied.stdout).toMatch(/budget_exceeded/);
  });

  test('what is done under a key is done once', async () => {
    const before = await used();
    const key = ['--idempotency-key', `order-${way}`];
    const first = await record(...verify, '5', ...key);
    const { request_id: _, ...again } = await record(...verify, '5', ...key);
    // Over HTTP each request has an id of its own.
    expect(first).toMatchObject(again);
    const id = `${first['decision_id']}`;
    const release = ['spend', 'release', id, '--amount', '2', ...key];
    expect(await record(...release)).toEqual(await record(...release));
    expect(await used()).toEqual([
      ['day', Number((before as [string, number][])[0]?.[1]) + 3, 0],
      ['often', Number((before as [string, number][])[1]?.[1]) + 1, 0],
    ]);
    expect(await call(...verify, '6', ...key)).toMatchObject({ code: 1, stdout: '' });
    expect(await call(...verify, '5', '--idempotency-key', 'ü')).toMatchObject({ code: 2, stdout: '' });
  });

  test('what cannot be settled is a failure, and what is malformed is wrong usage', async () => {
    const { decision_id: id } = await record(...verify, '1', '--hold-seconds', '600');
    const before = await used();
    for (const [args, code] of [
      [['commit', `${id}`, '--amount', '1.01'], 1],
      [['release', `${id}`, '--amount', '1.01'], 1],
      [['commit', `${id}`, '--amount', '0'], 2],
      [['release', `${id}`, '--amount', 'one'], 2],
      [['release', `${id}`, '--amount', '0.001'], 2],
      [['show', 'dec_0'], 1],
      [['commit', 'dec_0'], 1],
      [['release'], 2],
      [['refund', `${id}`], 2],
    ] as const) {
      expect({ args, ...(await call('spend', ...args)) }).toMatchObject({ args, code, stdout: '' });
    }
    expect(await used()).toEqual(before);
    await record('spend', 'release', `${id}`);
    expect(await call('spend', 'release', `${id}`)).toMatchObject({ code: 1, stdout: '' });
    expect(await call('spend', 'commit', `${id}`)).toMatchObject({ code: 1, stdout: '' });
    for (const seconds of ['0', '691200', '1.5', 'soon', '']) {
      expect(await call(...verify, '1', '--hold-seconds', seconds)).toMatchObject({ code: 2, stdout: '' });
    }
    expect(await call('passport', 'budgets', `${agent}s`)).toMatchObject({ code: 1, stdout: '' });
    expect(await call('passport', 'budgets', agent, '--environment', 'prod')).toMatchObject({ code: 2 });
  });

  test('the other environment has budgets of its own', async () => {
    const { data } = await record('passport', 'budgets', agent, '--environment', 'test');
    expect(data).toMatchObject([{ spent: 0 }, { spent: 0 }]);
  });
});

describe('wrong budgets are wrong usage, which names the field', () => {
  const inFolder = (name: string, fields: object): string => {
    writeFileSync(join(both.folder, name), JSON.stringify(fields));
    return name;
  };

  test.each(WRONG_BUDGETS)('%s', async (_, fields, paths) => {
    const file = inFolder('wrong.json', { ...SHOPPER, ...fields });
    const ended = await both.storage(['passport', 'create', file]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    for (const path of paths) expect(ended.stderr).toContain(path);
  });

  test('a patch across fields', async () => {
    const own = { ...SHOPPER, agent_name: 'patched', ...RIGHT_BUDGETS[2] };
    expect(await both.storage(['passport', 'create', inFolder('right.json', own)])).toMatchObject({
      code: 0,
    });
    for (const [, patch, paths] of WRONG_PATCHES) {
      const update = [
        'passport',
        'update',
        'did:web:shop.example:agents:patched',
        inFolder('patch.json', patch),
      ];
      const ended = await both.storage(update);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      for (const path of paths) expect(ended.stderr).toContain(path);
    }
  });

  test.each([
    'window',
    'window=day,limit=1,limit=2',
    '=5',
    '{"window": "day"',
    'window=day,count=many',
    'window=day,limit=1,actions=',
    'window=minute,count=1',
  ])('the flag --budget %s', async (budget) => {
    const create = [
      'passport',
      'create',
      '--domain',
      'shop.example',
      '--agent-name',
      'flags',
      '--currency',
      'EUR',
    ];
    create.push('--allowed-actions', 'pay', '--monetary-actions', 'pay', '--monetary-limit-per-txn', '90');
    expect(await both.storage([...create, '--budget', budget])).toMatchObject({ code: 2, stdout: '' });
  });
});
