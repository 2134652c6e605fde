import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createIdentityService, type Passport } from '../../src/index.ts';
import { run } from '../support/command.ts';
import { type Ended, openFolder } from '../support/process.ts';

const AGENT = 'did:web:example.com:agents:shopper';
const INTENT = { agent_id: AGENT, action: 'payments.create', parameters: { amount: 25, currency: 'EUR' } };

let folder: string;
let remove: () => void;
let passport: Passport;

beforeEach(async () => {
  ({ folder, remove } = openFolder());
  passport = await createIdentityService({ storage: memoryStorage() }).passports.create({
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

test('judges offline: ALLOW is 0, DENY is 3', async () => {
  const at = ['--at', '2026-11-20T12:00:00Z'];
  expect(await decideOn({}, INTENT, ...at)).toMatchObject({ code: 0, stdout: 'ALLOW\n', stderr: '' });
  const denied = await decideOn({}, { ...INTENT, action: 'payments.refund' }, ...at, '--json');
  expect(denied.code).toBe(3);
  expect(JSON.parse(denied.stdout)).toMatchObject({
    verdict: 'DENY',
    reasons: [{ code: 'action_not_allowed' }],
  });
});

test('judges at the instant it is given', async () => {
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
    /passport\.json is no passport .*lacks status/,
  ],
  ['a field that is misspelled', { denied_action: ['payments.create'] }, /passport\.json: \/denied_action/],
  ['a field that is wrong', { allowed_actions: 'payments.create' }, /passport\.json: \/allowed_actions/],
  ['a state that there is not', { status: 'retired' }, /passport\.json is no passport/],
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
