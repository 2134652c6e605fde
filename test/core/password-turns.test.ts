import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { createIdentityService } from '../../src/core.ts';
import { networksOf } from '../../src/people/address-bucket.ts';
import { HOUR, type Opened, openService, PASSWORD } from '../support/service.ts';

const OWNER = 'owner@example.com';
const HASH_MS = 400;

/** A service whose hashes take 400 ms of the manual clock; an unknown e-mail is hashed as `nothing`. */
async function openBusy(options: Parameters<typeof openService>[0] = {}) {
  const started: string[] = [];
  const ended = new Map<string, number>();
  let running = 0;
  let most = 0;
  const hash = async <Result>(name: string, result: Result) => {
    started.push(name);
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => opened.timers.after(HASH_MS, resolve));
    running -= 1;
    ended.set(name, opened.clock.now());
    return result;
  };
  const opened: Opened = openService({
    passwordHasher: {
      hash: async () => 'hash',
      verify: (password) => hash('owner', password === PASSWORD),
      verifyNothing: () => hash<false>('nothing', false),
    },
    ...options,
  });
  await opened.service.accounts.create({ email: OWNER, password: PASSWORD });
  const login = (email: string, address?: string, password = 'x') =>
    opened.service.login({ email, password }, { address });
  let count = 0;
  /** A guess at an e-mail that was never tried before, from an address that the number names. */
  const guess = (address: string) => {
    count += 1;
    return login(`${count}@example.com`, address).catch((error) => error.code as string);
  };
  /** Signs the owner in. How long that takes by the manual clock, and how many others have a turn before. */
  const signIn = async (address = '198.51.100.9') => {
    const since = opened.clock.now();
    const before = started.length;
    let isIn = false;
    const session = login(OWNER, address, PASSWORD).then(() => {
      isIn = true;
    });
    session.catch(() => undefined);
    await new Promise(setImmediate);
    for (let step = 0; step < 400 && !isIn; step += 1) await opened.timers.pass(25);
    await session;
    return { tookMs: (ended.get('owner') ?? 0) - since, turns: started.slice(before).indexOf('owner') };
  };
  return { ...opened, started, most: () => most, login, guess, signIn };
}

/** Address number `index` of a /56, each in a /64 of its own. */
const inOne56 = (index: number) => `2001:db8:0:ab${(index % 256).toString(16).padStart(2, '0')}::1`;

describe('while one network guesses', () => {
  test('eight times a second from all of its /64, the owner waits for one running hash and the own one', async () => {
    const { timers, guess, signIn } = await openBusy();
    for (let round = 0; round < 160; round += 1) {
      void guess(inOne56(round));
      await timers.pass(125);
    }
    const { tookMs, turns } = await signIn();
    expect(turns).toBe(0);
    expect(tookMs).toBeLessThanOrEqual(2 * HASH_MS + 25);
  });

  test.each([
    ['/64', (index: number) => `2001:db8::${index.toString(16)}`],
    ['/56', inOne56],
    ['/48', (index: number) => `2001:db8:0:${index.toString(16)}::1`],
    ['IPv4 address', () => '192.0.2.1'],
    ['IPv4 /24', (index: number) => `192.0.2.${index}`],
    ['IPv4 /16', (index: number) => `192.0.${index}.1`],
  ])('from one %s with a hundred logins at once, the owner has the next turn', async (_, address) => {
    const { guess, signIn, timers } = await openBusy();
    const guesses = Array.from({ length: 100 }, (_, index) => guess(address(index)));
    await timers.pass(25);
    expect((await signIn()).turns).toBe(0);
    await timers.pass(11_000);
    // Of the others at most 64 waited, and some of those not long enough; of one address some are refused before.
    const codes = await Promise.all(guesses);
    expect(codes).toContain('invalid_credentials');
    const refused = codes.filter((code) => code === 'overloaded' || code === 'rate_limited');
    expect(refused.length).toBeGreaterThanOrEqual(35);
  });

  test('the e-mail of the owner, the owner comes in time', async () => {
    const { login, guess, signIn, timers } = await openBusy();
    for (let index = 0; index < 9; index += 1) {
      login(OWNER, inOne56(index)).catch(() => undefined);
      await timers.pass(500);
    }
    for (let index = 0; index < 64; index += 1) void guess(inOne56(index));
    await timers.pass(25);
    expect((await signIn()).turns).toBeLessThanOrEqual(3);
  });

  test('registering as well', async () => {
    const { service, signIn, timers } = await openBusy({ registration: 'open' });
    const password = 'twelve or more';
    for (let index = 0; index < 80; index += 1) {
      const address = inOne56(index);
      service.register({ email: `${index}@b.example`, password }, { address }).catch(() => undefined);
    }
    await timers.pass(25);
    expect((await signIn()).turns).toBe(0);
  });
});

test('in one /64 addresses come in their order, and e-mails that failed behind the others', async () => {
  const { login, guess, signIn, timers } = await openBusy();
  const here = '2001:db8::9';
  const again = () => login('known@example.com', here).catch((error) => error.code);
  const first = again();
  for (let step = 0; step < 40; step += 1) await timers.pass(25);
  expect(await first).toBe('invalid_credentials');
  void guess(here);
  for (let time = 0; time < 5; time += 1) void again();
  await timers.pass(25);
  expect((await signIn(here)).turns).toBe(0);
});

describe('passwordConcurrency', () => {
  test.each([
    [undefined, 1],
    [1, 1],
    [3, 3],
  ])('%s lets %i run at a time', async (passwordConcurrency, expected) => {
    const { guess, most, timers } = await openBusy({ ...(passwordConcurrency && { passwordConcurrency }) });
    for (let index = 0; index < 20; index += 1) void guess(inOne56(index));
    await timers.pass(5_000);
    expect(most()).toBe(expected);
  });

  test.each([0, -1, 1.5, 65, Number.NaN, '2', null])('%j is refused', (passwordConcurrency) => {
    const options = { storage: memoryStorage(), passwordConcurrency: passwordConcurrency as number };
    expect(() => createIdentityService(options)).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    );
  });
});

test('64 wait, the next one is refused, and who waits for ten seconds too', async () => {
  const { service, clock, timers, started } = await openBusy();
  const login = () =>
    service.login({ email: 'nobody@example.com', password: 'x' }).catch((error) => error.code as string);
  const all = Array.from({ length: 70 }, login);
  await timers.pass(25);
  expect(await Promise.all(all.slice(65))).toEqual(Array(5).fill('overloaded'));
  await timers.pass(HOUR / 60);
  const codes = await Promise.all(all);
  const checked = codes.filter((code) => code === 'invalid_credentials').length;
  expect(checked).toBe(started.length);
  expect(checked).toBeLessThanOrEqual(10_000 / HASH_MS + 1);
  expect(codes.filter((code) => code === 'overloaded')).toHaveLength(70 - checked);
  expect(clock.now()).toBeGreaterThan(0);
});

test.each([
  ['203.0.113.7', ['203.0.0.0/16', '203.0.113.0/24', '203.0.113.7']],
  ['2001:db8:1:23ff::/64', ['2001:db8:1::/48', '2001:db8:1:2300::/56', '2001:db8:1:23ff::/64']],
  ['0:0:0:0::/64', ['0:0:0::/48', '0:0:0:0::/56', '0:0:0:0::/64']],
  ['unknown', ['unknown']],
])('the networks of %s', (bucket, networks) => {
  expect(networksOf(bucket)).toEqual(networks);
});
