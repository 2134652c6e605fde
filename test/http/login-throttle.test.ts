import { describe, expect, test } from 'vitest';
import { expectProblem, openApi, text } from '../support/api.ts';
import { openStage } from '../support/malformed.ts';
import { MINUTE, openService, PASSWORD } from '../support/service.ts';
import { dump, probe } from '../support/storage-probe.ts';
import { stores } from '../support/stores.ts';

const EMAIL = 'owner@example.com';
const HERE = '203.0.113.7';

type Login = { readonly email?: string; readonly password?: string; readonly address?: string };

async function openThrottled(options: Parameters<typeof openStage>[0] = {}) {
  const stage = await openStage(options);
  const { api, opened } = stage;
  const login = async ({ email = EMAIL, password = 'wrong', address = HERE }: Login = {}) => {
    let settled = false;
    const answer = api.ask('POST', '/auth/login', { json: { email, password }, address }).finally(() => {
      settled = true;
    });
    while (!settled) {
      await new Promise(setImmediate);
      opened.timers.skip(2_000);
    }
    return answer;
  };
  const status = async (given?: Login) => (await login(given)).status;
  const fail = async (times: number, given?: Login) => {
    for (let time = 0; time < times; time += 1) expect(await status(given)).toBe(401);
  };
  const work = () => opened.hashing.verified + opened.hashing.verifiedNothing;
  return { ...stage, login, status, fail, work };
}

describe('failed logins', () => {
  test.each([EMAIL, 'nobody@example.com', 'no e-mail'])(
    'of %s are ten in a quarter of an hour from one address, and what is refused costs no work',
    async (email) => {
      const { opened, login, status, fail, work } = await openThrottled();
      await fail(10, { email });
      const before = work();
      const refused = await login({ email });
      expectProblem(refused, 429, 'rate_limited');
      expect(refused.headers.get('retry-after')).toBe('900');
      expect(await status({ email, password: PASSWORD })).toBe(429);
      expect(work()).toBe(before);
      opened.clock.advance(15 * MINUTE - 1);
      expect(await status({ email })).toBe(429);
      opened.clock.advance(1);
      await fail(10, { email });
      expect(await status({ email })).toBe(429);
    },
  );

  test('look the same for an e-mail that has no account', async () => {
    const { login } = await openThrottled();
    const texts = async (email: string) => {
      const answers: string[] = [];
      for (let time = 0; time < 12; time += 1) answers.push((await login({ email })).text);
      return answers.map((answer) => answer.replace(/"request_id":"[^"]*"/, ''));
    };
    expect(await texts('nobody@example.com')).toEqual(await texts(EMAIL));
  });

  test('from elsewhere never lock the owner out', async () => {
    const { status, fail } = await openThrottled();
    for (let host = 1; host <= 30; host += 1) await fail(10, { address: `198.51.100.${host}` });
    expect(await status({ password: PASSWORD })).toBe(200);
  });

  test('of one address are fifty, whatever the e-mails', async () => {
    const { status, fail } = await openThrottled();
    for (let time = 0; time < 50; time += 1) await fail(1, { email: `a${time}@example.com` });
    expect(await status({ password: PASSWORD })).toBe(429);
    expect(await status({ password: PASSWORD, address: '203.0.113.8' })).toBe(200);
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', 429],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', 401],
    ['::ffff:203.0.113.7', '203.0.113.7', 429],
    ['garbage', 'other garbage', 429],
  ])('from %s count for %s as well: %i', async (first, second, expected) => {
    const { status, fail } = await openThrottled();
    await fail(10, { address: first });
    expect(await status({ address: second })).toBe(expected);
  });

  test('are no more than ten when a hundred come at once', async () => {
    const { api, work } = await openThrottled();
    const json = { email: 'nobody@example.com', password: 'wrong' };
    const before = work();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => api.ask('POST', '/auth/login', { json, address: HERE })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(90);
    expect(work() - before).toBe(10);
  });

  test.each(stores)('are counted together by nodes on one %s store', async (_, open) => {
    const storage = await open();
    const nodes = [openService({ storage }), openService({ storage })];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const login = nodes[index % 2]?.service.login({ email: EMAIL, password: 'x' }, { address: HERE });
        return login?.catch((error) => error.code);
      }),
    );
    expect(answers.filter((code) => code === 'invalid_credentials')).toHaveLength(10);
    expect(answers.filter((code) => code === 'rate_limited')).toHaveLength(30);
  });

  test('delay the next login of the e-mail from anywhere, by two seconds at most', async () => {
    const waits: number[] = [];
    const { opened, fail, login } = await openThrottled({
      after: (ms, callback) => {
        // What comes again and again, such as the look at the clock, would never let go of the process.
        if (ms <= 2_000) {
          waits.push(ms);
          queueMicrotask(callback);
        }
        return () => undefined;
      },
    });
    // What the service has begun by itself.
    waits.length = 0;
    for (let host = 1; host <= 20; host += 1) await fail(1, { address: `198.51.100.${host}` });
    expect(waits).toEqual([250, 500, 750, 1_000, 1_250, 1_500, 1_750, 2_000, 2_000, 2_000]);
    expect((await login({ password: PASSWORD })).status).toBe(200);
    expect(opened.logs).toEqual([]);
  });

  test('are what counts: success is given back, and wipes no failure away', async () => {
    const { status, fail } = await openThrottled();
    for (let time = 0; time < 60; time += 1) expect(await status({ password: PASSWORD })).toBe(200);
    await fail(9);
    expect(await status({ password: PASSWORD })).toBe(200);
    await fail(1);
    expect(await status({ password: PASSWORD })).toBe(429);
  });

  test('are not what is malformed', async () => {
    const { api, status } = await openThrottled();
    for (let time = 0; time < 60; time += 1) {
      const answer = await api.ask('POST', '/auth/login', { json: { email: EMAIL }, address: HERE });
      expectProblem(answer, 400, 'invalid_request');
    }
    expect(await status({ password: PASSWORD })).toBe(200);
  });

  test('leave neither e-mail nor address in the store', async () => {
    const storage = probe();
    const counters: string[] = [];
    const { write } = storage;
    storage.write = (changes) => {
      for (const change of changes) if (change.op === 'add') counters.push(change.counter);
      return write(changes);
    };
    const { fail } = await openThrottled({ storage });
    counters.length = 0;
    await fail(1);
    expect(counters).toHaveLength(3);
    for (const counter of counters) expect(counter).toMatch(/^login:(pair|address|email):[0-9A-Za-z]{22}$/);
  });

  test('that cannot be counted are no logins: 503', async () => {
    const storage = probe();
    const { login, work } = await openThrottled({ storage });
    const before = work();
    storage.fail = (call) => (call === 'write' ? Promise.reject(new Error('down')) : undefined);
    expectProblem(await login({ password: PASSWORD }), 503, 'storage_unavailable');
    expect(work()).toBe(before);
  });
});

test('in process and with rateLimits off no login is throttled', async () => {
  const { opened } = await openThrottled();
  for (let time = 0; time < 60; time += 1) {
    await expect(opened.service.login({ email: EMAIL, password: 'x' })).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
  }
  const lifted = await openThrottled({ rateLimits: 'off' });
  await lifted.fail(60);
  expect(await lifted.status({ password: PASSWORD })).toBe(200);
});

describe('a change of password', () => {
  test('is throttled as a login is', async () => {
    const { api, token, status } = await openThrottled();
    const change = (current_password: string) =>
      api.ask('POST', '/auth/password', {
        token,
        json: { current_password, new_password: PASSWORD },
        address: HERE,
      });
    for (let time = 0; time < 10; time += 1) expectProblem(await change('x'), 401, 'invalid_credentials');
    expectProblem(await change(PASSWORD), 429, 'rate_limited');
    expect(await status({ password: PASSWORD })).toBe(429);
  });
});

describe('registrations', () => {
  test('are fifty in a quarter of an hour from one address', async () => {
    const opened = openService({ registration: 'open' });
    const api = openApi(opened);
    const register = (email: string, address = HERE) =>
      api.ask('POST', '/auth/register', { json: { email, password: PASSWORD }, address });
    for (let time = 0; time < 50; time += 1) expect((await register(`a${time}@b.example`)).status).toBe(201);
    const before = await dump(opened.storage);
    const { hashed } = opened.hashing;
    expectProblem(await register('more@b.example'), 429, 'rate_limited');
    expect([await dump(opened.storage), opened.hashing.hashed]).toEqual([before, hashed]);
    expect(text(await register('more@b.example', '198.51.100.1'), 'email')).toBe('more@b.example');
  });
});
