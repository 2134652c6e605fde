import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Api, dataOf, makeKey, openApi } from '../support/api.ts';
import { openService, PASSWORD, START } from '../support/service.ts';
import { stores } from '../support/stores.ts';
import {
  activeKeys,
  KEYS_OF_PLAN,
  keyStatus,
  newSession,
  newToy,
  passportStatus,
  type Toy,
} from '../support/toy-model.ts';
import { changePassword, disable, login, logout } from './model/account-steps.ts';
import { createKey, patchKey, revokeKey, rotate, showKey } from './model/key-steps.ts';
import { changeState, issuePassport, verify } from './model/passport-steps.ts';
import { bySession, instant, number, type Real, SECOND, sessionOf, step } from './model/step.ts';

const RUNS = process.env['CI'] === undefined ? 80 : 500;

const look = number.map((index) =>
  step(`look by ${index}`, async (toy, real) => {
    const session = sessionOf(toy, index);
    const keys = await bySession(real, toy, session, ['GET', '/keys?limit=100']);
    if (keys === undefined) return;
    const { account } = keys;
    const theirs = toy.keys.filter((key) => key.account === account);
    const states = theirs.map((key) => [key.id, keyStatus(toy, key), instant(key.endsAt)]);
    const shown = dataOf(keys.answer).map((key) => [key['id'], key['status'], key['expires_at'] ?? null]);
    expect(shown.map(String).sort()).toEqual(states.map(String).sort());
    expect(keys.answer.body['active_count']).toBe(activeKeys(toy, account));
    const passports = [...toy.passports].filter(([, passport]) => passport.account === account);
    const listed = await bySession(real, toy, session, ['GET', '/passports']);
    expect(
      dataOf(listed?.answer ?? keys.answer)
        .map((one) => `${one['agent_id']} ${one['status']} ${one['version']}`)
        .sort(),
    ).toEqual(passports.map(([id, one]) => `${id} ${passportStatus(toy, one)} ${one.version}`).sort());
    const overview = await bySession(real, toy, session, ['GET', '/account']);
    expect(overview?.answer.body['usage']).toEqual({
      active_keys: activeKeys(toy, account),
      passports: passports.length,
    });
  }),
);

const wait = fc.constantFrom(1, 30, 60, 599, 3_600).map((seconds) =>
  step(`wait ${seconds} s`, async (toy, { advance }) => {
    toy.now += seconds * SECOND;
    advance(seconds * SECOND);
  }),
);

const steps = fc.commands(
  [
    login,
    login,
    logout,
    changePassword,
    disable,
    createKey,
    createKey,
    rotate,
    patchKey,
    patchKey,
    createKey,
    revokeKey,
    showKey,
  ].concat([
    issuePassport,
    issuePassport,
    changeState,
    changeState,
    changeState,
    changeState,
    verify,
    verify,
    verify,
    look,
    wait,
    wait,
  ]),
  { maxCommands: 60, size: 'max' },
);

test.each(stores)('whatever three accounts do, a %s store does what the toy model does', async (_, open) => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const opened = openService({
        storage: await open(),
        rateLimits: 'off',
        plans: { starter: { keys: KEYS_OF_PLAN, passports: null, verifications_per_minute: null } },
      });
      const toy = newToy(START, PASSWORD);
      for (const { email } of toy.accounts)
        await opened.service.accounts.create({ email, password: PASSWORD });
      const real = {
        api: watched(openApi(opened), seen),
        advance: opened.clock.advance,
        disable: opened.service.accounts.disable,
      };
      for (const index of [0, 1, 2]) await begin(toy, real, index);
      await fc.asyncModelRun(() => ({ model: toy, real }), commands);
    }),
    { numRuns: RUNS, seed: 20261120 },
  );
  // A model that nobody troubles proves nothing.
  expect(OUTCOMES.filter((outcome) => !seen.has(outcome))).toEqual([]);
});

/** Everybody is signed in when it begins, and has a key. */
async function begin(toy: Toy, { api }: Real, account: number): Promise<void> {
  const json = { email: toy.accounts[account]?.email, password: PASSWORD };
  const token = `${(await api.ask('POST', '/auth/login', { json })).body['access_token']}`;
  toy.sessions.push(newSession(toy, account, token));
  const scopes = ['verify', 'revoke', 'reinstate'];
  const { id, key } = await makeKey(api, token, { scopes });
  const rights = { environment: 'live', scopes, agentIds: null };
  toy.keys.push({ id, key, account, ...rights, state: 'active', endsAt: Number.POSITIVE_INFINITY });
}

const OUTCOMES = [
  ...['POST /auth/login 200', 'POST /auth/login 401', 'POST /auth/logout 204', 'POST /auth/password 204'],
  ...['POST /auth/password 401', 'POST /keys 201', 'POST /keys 401', 'POST /keys 403', 'DELETE /keys/* 204'],
  ...[200, 400, 401, 404, 409].map((status) => `PATCH /keys/* ${status}`),
  ...[201, 401, 404, 409].map((status) => `POST /keys/*/rotate ${status}`),
  ...[201, 401, 409].map((status) => `POST /passports ${status}`),
  ...[200, 401, 403].map((status) => `POST /verify ${status}`),
  ...[200, 401, 403, 404, 409].map((status) => `POST /suspend ${status}`),
  ...[200, 401, 403, 404, 409].map((status) => `POST /reinstate ${status}`),
  'ALLOW',
  'DENY',
];

/** Counts what was answered. */
function watched(api: Api, seen: Map<string, number>): Api {
  const count = (outcome: string) => seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
  return {
    ...api,
    async ask(method, path, ask) {
      const answer = await api.ask(method, path, ask);
      count(`${method} ${path.replace(/key_\w+/, '*')} ${answer.status}`);
      if (typeof answer.body['verdict'] === 'string') count(answer.body['verdict']);
      return answer;
    },
  };
}
