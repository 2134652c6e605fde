import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createIdentityService, type Passport } from '../../src/index.ts';
import { run } from '../support/command.ts';
import { PATIENT_MS } from '../support/patience.ts';
import { type Ended, openFolder } from '../support/process.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const INTENT = { agent_id: AGENT, action: 'payments.create', parameters: { amount: 25, currency: 'EUR' } };

let folder: string;
let remove: () => void;
let passport: Passport;

beforeEach(async () => {
  ({ folder, remove } = openFolder());
  passport = await createIdentityService({
    storageDeadlineMs: PATIENT_MS,
    storage: memoryStorage(),
  }).passports.create({
    domain: 'example.com',
    agent_name: 'shopper',
    allowed_actions: ['payments.create'],
    monetary_limit_per_txn: 100,
    currency: 'EUR',
    expires_at: '2030-01-01T00:00:00Z',
  });
});

afterEach(() => remove());

/** Runs `decide` over two texts, in a folder without any storage. */
function decide(passportText: string, intentText: string, ...args: readonly string[]): Promise<Ended> {
  writeFileSync(join(folder, 'passport.json'), passportText);
  writeFileSync(join(folder, 'intent.json'), intentText);
  return run(['decide', 'passport.json', 'intent.json', ...args], { cwd: folder });
}

function decideOn(changes: object, intent: object = INTENT, ...args: readonly string[]): Promise<Ended> {
  return decide(JSON.stringify({ ...passport, ...changes }), JSON.stringify(intent), ...args);
}

test('evaluates offline: ALLOW is 0, DENY is 3', async () => {
  const at = ['--at', '2026-11-20T12:00:00Z'];
  expect(await decideOn({}, INTENT, ...at)).toMatchObject({ code: 0, stdout: 'ALLOW\n', stderr: '' });
  const denied = await decideOn({}, { ...INTENT, action: 'payments.refund' }, ...at, '--json');
  expect(denied.code).toBe(3);
  expect(JSON.parse(denied.stdout)).toMatchObject({
    verdict: 'DENY',
    reasons: [{ code: 'action_not_allowed' }],
  });
});

test('evaluates at the given instant', async () => {
  expect((await decideOn({}, INTENT, '--at', '2029-12-31T23:59:59Z')).code).toBe(0);
  expect((await decideOn({}, INTENT, '--at', '2030-01-01T00:00:00Z')).stdout).toMatch(/agent_expired/);
  expect(await decideOn({}, INTENT, '--at', 'noon')).toMatchObject({ code: 2, stdout: '' });
});

test('an intent of another agent is a DENY', async () => {
  const denied = await decideOn({}, { ...INTENT, agent_id: 'did:web:example.com:agents:other' });
  expect(denied).toMatchObject({ code: 3, stdout: expect.stringContaining('agent_not_found') });
});

test.each([
  [
    'a file without the state of a passport',
    { status: undefined },
    /passport\.json is not a passport .*lacks status/,
  ],
  ['a field that is misspelled', { denied_action: ['payments.create'] }, /passport\.json: \/denied_action/],
  ['a field that is wrong', { allowed_actions: 'payments.create' }, /passport\.json: \/allowed_actions/],
  ['a state that there is not', { status: 'retired' }, /passport\.json is not a passport/],
  [
    'an id of other parts',
    { agent_id: 'did:web:example.org:agents:shopper' },
    /agent_id should be did:web:example\.com/,
  ],
])('refuses %s', async (_name, changes, says) => {
  const ended = await decideOn(changes);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(says);
  expect(ended.stderr).toMatch(/^agent-identity: [^\n]+\n$/);
});

test.each([
  ['no JSON', '{', /intent\.json: /],
  ['a list', '[]', /intent\.json: There must be one JSON object/],
  [
    'a number that a double does not hold',
    `{"agent_id":"${AGENT}","action":"a","parameters":{"amount":100.000000000000001}}`,
    /intent\.json: /,
  ],
  ['a field that there is not', `{"agent_id":"${AGENT}","action":"a","amount":1}`, /intent\.json: \/amount/],
])('refuses an intent that is %s', async (_name, intent, says) => {
  const ended = await decide(JSON.stringify(passport), intent);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(says);
});

describe('with budgets', () => {
  const budgets = [
    { name: 'day', window: 'day', limit: 100, actions: ['payments.create'] },
    { name: 'often', window: 'hour', count: 3 },
  ];
  const spentFile = (text: string) => writeFileSync(join(folder, 'spent.json'), text);
  const decideAfter = (spent: unknown) => {
    spentFile(JSON.stringify(spent));
    return decideOn({ budgets }, INTENT, '--budgets', 'spent.json');
  };

  test('what was spent before counts, to the last decimal', async () => {
    const spending = (spent: unknown, count: unknown) =>
      decideAfter({ [AGENT]: { day: { spent }, often: { count } } });
    expect(await spending('75.00', 2)).toMatchObject({ code: 0, stdout: 'ALLOW\n' });
    const over = await spending('75.01', 3);
    expect(over.code).toBe(3);
    expect(over.stdout.match(/budget_exceeded/g)).toHaveLength(2);
    expect(over.stdout).toMatch(/remaining.*24\.99/);
  });

  test.each([
    ['nothing', undefined],
    ['one of two budgets', { [AGENT]: { day: { spent: 0 } } }],
    ['no exact amount', { [AGENT]: { day: { spent: '1.001' }, often: { count: 0 } } }],
    ['another agent', { 'did:web:a.example:agents:a': { day: { spent: 0 }, often: { count: 0 } } }],
  ])('%s is not known: DENY', async (_, spent) => {
    const ended = spent === undefined ? await decideOn({ budgets }) : await decideAfter(spent);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('budget_unknown');
  });

  test('a name that no budget has, and text that is not a JSON object, is a mistake', async () => {
    const ended = await decideAfter({ [AGENT]: { days: { spent: 0 } } });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toBe(
      'agent-identity: spent.json: the passport has no budget days; it has day, often.\n',
    );
    for (const text of ['[]', '{', '{"a": 1e400}', '']) {
      spentFile(text);
      const refused = await decideOn({ budgets }, INTENT, '--budgets', 'spent.json');
      expect(refused).toMatchObject({ code: 2, stdout: '' });
    }
    expect(await decideOn({ budgets }, INTENT, '--budgets', 'gone.json')).toMatchObject({ code: 2 });
  });
});

test('the history says whether a pace lets an intent pass', async () => {
  const pace = [{ max: 5, seconds: 60 }];
  const after = (history: unknown) => {
    writeFileSync(join(folder, 'history.json'), JSON.stringify(history));
    return decideOn({ pace }, INTENT, '--history', 'history.json');
  };
  expect((await decideOn({ pace })).stdout).toContain('history_unknown');
  expect(await after({ [AGENT]: { pace: null } })).toMatchObject({ code: 0, stdout: 'ALLOW\n' });
  const denied = await after({ [AGENT]: { pace: '2999-01-01T00:00:00Z' } });
  expect(denied.code).toBe(3);
  expect(denied.stdout).toContain('pace_exceeded');
  const ended = await after({ [AGENT]: { paces: null } });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toBe(
    'agent-identity: history.json: the passport has no pace or order paces; it has pace.\n',
  );
});
