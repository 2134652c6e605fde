import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createPermitVerifier,
  generateAgentKey,
  type Once,
  type PermitVerifierOptions,
  rememberOnce,
} from '../../../src/tokens/proof/index.ts';
import { issuePermit, PERMITS, resourceOptions } from './permits.ts';

const NOW = Date.parse(PERMITS.at);
const [GOOD] = PERMITS.valid.map(({ token }) => token);
const tokenNamed = (name: string) => {
  const found = [...PERMITS.valid, ...PERMITS.invalid].find((vector) => vector.name === name);
  if (found === undefined) throw new Error(`There is no vector ${name}.`);
  return found.token;
};
const refused = (problem: string) => ({ code: 'invalid_token', details: { problem } });

/** Uses the good permit at a resource with these options. */
const use = (options: Partial<PermitVerifierOptions>, token: string | undefined = GOOD) =>
  createPermitVerifier(resourceOptions(options))(token, PERMITS.deed);

test('a permit says who may do what, once', async () => {
  expect(await use({})).toEqual({
    decision_id: 'dec_5nWq8ZrT2yLkXc0BvH0000s4Ge',
    agent_id: 'did:web:example.com:agents:shopper',
    issuer: 'did:web:example.com',
    expires_at: new Date(NOW + 20_000).toISOString(),
    environment: 'live',
    ...PERMITS.deed,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    passport_version: 3,
  });
  const bound = await use({ confirm: () => true }, tokenNamed('bound to a key that is confirmed'));
  expect(bound.jkt).toBe('RBpmOEjBewFAjPeBAK9dENvIAfE7lGHsfcQySfG0yro');
  expect((await use({}, tokenNamed('a checkpoint'))).log).toMatchObject({ size: 3 });
});

test.each([undefined, null, 7, {}, [GOOD], '', 'a.b.c', 'x'.repeat(1_000_000)])(
  '%s is no token',
  async (given) => {
    const verifyPermit = createPermitVerifier(resourceOptions());
    await expect(verifyPermit(given as string, PERMITS.deed)).rejects.toMatchObject(refused('malformed'));
  },
);

test('options that cannot work are found before the first permit', () => {
  for (const options of [
    { issuers: undefined },
    { issuers: [] },
    { issuers: 'did:web:example.com' },
    { issuers: ['example.com'] },
    { audience: undefined },
    { audience: '' },
    { audience: 'test:https://pay.example' },
    { audience: 'https://pay.example/ a' },
    { audience: 'a'.repeat(257) },
    { once: undefined },
    { once: true },
    { confirm: true },
    { environment: 'staging' },
    { keys: [] },
    { keys: {} },
    { keys: [{ kty: 'RSA', n: 'x', e: 'AQAB' }] },
    { at: NOW },
    { audiences: [] },
  ]) {
    const given = { ...resourceOptions(), ...options } as PermitVerifierOptions;
    expect(() => createPermitVerifier(given), JSON.stringify(options)).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    );
  }
});

describe('the use', () => {
  const answers: readonly [string, Once][] = [
    ['false', () => false],
    ['a promise of false', async () => false],
    ['1', () => 1 as never],
    ['nothing', () => undefined as never],
    ['a rejection', () => Promise.reject(new Error('The store does not answer.'))],
    [
      'an exception',
      () => {
        throw new Error('full');
      },
    ],
  ];
  test.each(answers)('is refused by %s', async (_, once) => {
    await expect(use({ once })).rejects.toMatchObject(refused('used'));
  });

  test('is asked for last, with the end of the permit and its leeway', async () => {
    const asked: unknown[] = [];
    const once: Once = (...given) => asked.push(given) > 0;
    await use({ once });
    expect(asked).toEqual([['dec_5nWq8ZrT2yLkXc0BvH0000s4Ge', NOW + 25_000, NOW]]);
  });

  test('is not counted if the action is idempotent', async () => {
    const verifyPermit = createPermitVerifier(resourceOptions({ once: false }));
    for (let time = 0; time < 3; time += 1) await verifyPermit(GOOD, PERMITS.deed);
  });

  test('is one of 200 at the same time', async () => {
    const verifyPermit = createPermitVerifier(resourceOptions({ once: rememberOnce() }));
    const uses = await Promise.allSettled(
      Array.from({ length: 200 }, () => verifyPermit(GOOD, PERMITS.deed)),
    );
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is refused when the permit ended while the resource confirmed the key', async () => {
    let now = NOW;
    const once = vi.fn(() => true);
    const confirm = () => {
      now += 25_000;
      return true;
    };
    const bound = tokenNamed('bound to a key that is confirmed');
    await expect(use({ once, confirm, at: () => now }, bound)).rejects.toMatchObject(refused('time'));
    expect(once).not.toHaveBeenCalled();
  });
});

describe('a key of the agent', () => {
  const bound = tokenNamed('bound to a key that is confirmed');

  test.each([undefined, 1, 'yes', false, new Error('no')])(
    'is confirmed by true alone, not by %s',
    async (answer) => {
      const confirm = async () => {
        if (answer instanceof Error) throw answer;
        return answer as boolean;
      };
      await expect(use({ confirm }, bound)).rejects.toMatchObject(refused('bound'));
      await expect(use({ confirm: () => answer as boolean }, bound)).rejects.toMatchObject(refused('bound'));
    },
  );

  test('is confirmed with its thumbprint and the token', async () => {
    const confirm = vi.fn(async () => true);
    await use({ confirm }, bound);
    expect(confirm.mock.calls).toEqual([['RBpmOEjBewFAjPeBAK9dENvIAfE7lGHsfcQySfG0yro', bound]]);
    await use({ confirm });
    expect(confirm).toHaveBeenCalledTimes(1);
  });
});

describe('the keys of an issuer', () => {
  const [issuer = ''] = PERMITS.issuers;
  const method = (publicKeyJwk: object, index: number) => ({
    ...{ id: `${issuer}#${index}`, type: 'JsonWebKey2020', controller: issuer, publicKeyJwk },
  });

  /** A resource that fetches; the network shows these keys. */
  function openResource() {
    let now = NOW;
    let shown: readonly object[] | undefined = PERMITS.keys;
    const fetched: string[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      fetched.push(String(url));
      if (shown === undefined) throw new TypeError('There is no network.');
      const verificationMethod = shown.map(method);
      const assertionMethod = verificationMethod.map(({ id }) => id);
      return Response.json({ id: issuer, verificationMethod, assertionMethod });
    };
    const { keys: _, ...options } = resourceOptions({ fetch, at: () => now, once: false });
    const verifyPermit = createPermitVerifier(options);
    return {
      fetched,
      show: (keys: readonly object[] | undefined) => {
        shown = keys;
      },
      wait: (ms: number) => {
        now += ms;
      },
      use: (token: string = GOOD ?? '') => verifyPermit(token, PERMITS.deed),
    };
  }

  test('are read once, by all at the same time, and kept', async () => {
    const { use: useIt, fetched, wait } = openResource();
    await Promise.all(Array.from({ length: 20 }, () => useIt()));
    wait(20_000);
    await useIt();
    expect(fetched).toEqual(['https://example.com/.well-known/did.json']);
  });

  test('are read again after 300 s, and refused where they cannot be', async () => {
    const { use: useIt, fetched, wait, show } = openResource();
    const { private_jwk, public_jwk } = await generateAgentKey();
    const later = await issuePermit(private_jwk, { iat: NOW / 1_000 + 300, exp: NOW / 1_000 + 330 });
    show([public_jwk, ...PERMITS.keys]);
    await useIt();
    show(undefined);
    wait(299_999);
    await useIt(later);
    wait(1);
    await expect(useIt(later)).rejects.toMatchObject(refused('unresolved'));
    show([public_jwk]);
    await useIt(later);
    // A clock that is set back makes them no younger.
    show(undefined);
    wait(-1);
    await expect(useIt(later)).rejects.toMatchObject(refused('unresolved'));
    expect(fetched).toHaveLength(4);
  });

  test('that cannot be read are unresolved, and are asked for again', async () => {
    const { use: useIt, show, fetched } = openResource();
    show(undefined);
    await expect(useIt()).rejects.toMatchObject(refused('unresolved'));
    show(PERMITS.keys);
    await useIt();
    expect(fetched).toHaveLength(2);
  });

  test('that are unknown are looked for at most once in 10 s', async () => {
    const { use: useIt, show, wait, fetched } = openResource();
    const byP256 = tokenNamed('ES256');
    show(PERMITS.keys.slice(0, 1));
    await useIt();
    await expect(useIt(byP256)).rejects.toMatchObject(refused('key'));
    expect(fetched).toHaveLength(1);
    wait(10_000);
    await expect(useIt(byP256)).rejects.toMatchObject(refused('key'));
    await expect(useIt(byP256)).rejects.toMatchObject(refused('key'));
    expect(fetched).toHaveLength(2);
    show(PERMITS.keys);
    wait(10_000);
    await Promise.all([useIt(byP256), useIt(byP256)]);
    expect(fetched).toHaveLength(3);
  });

  test('stay good for others where the look for an unknown one fails', async () => {
    const { use: useIt, show, wait, fetched } = openResource();
    show(PERMITS.keys.slice(0, 1));
    await useIt();
    show(undefined);
    wait(10_000);
    await expect(useIt(tokenNamed('ES256'))).rejects.toMatchObject(refused('key'));
    await useIt();
    expect(fetched).toHaveLength(2);
  });
});

describe('rememberOnce', () => {
  afterEach(() => vi.useRealTimers());

  test('is true the first time, and forgets nothing before its end', () => {
    vi.useFakeTimers({ now: NOW });
    const once = rememberOnce();
    expect([once('a', NOW + 60_000), once('a', NOW + 60_000), once('b', NOW + 5_000)]).toEqual([
      true,
      false,
      true,
    ]);
    vi.setSystemTime(NOW + 59_999);
    expect([once('a', NOW + 60_000), once('b', NOW + 70_000)]).toEqual([false, true]);
    vi.setSystemTime(NOW + 61_000);
    expect(once('a', NOW + 70_000)).toBe(true);
  });

  test('forgets by the clock of the verifier, not by that of the machine', async () => {
    // The machine is an hour ahead: by its clock every permit has ended.
    vi.useFakeTimers({ now: NOW + 3_600_000 });
    const once = rememberOnce();
    await use({ once });
    vi.setSystemTime(NOW + 3_602_000);
    await expect(use({ once })).rejects.toMatchObject(refused('used'));
    // A clock of the verifier that is ahead of the machine makes room.
    vi.setSystemTime(NOW - 3_600_000);
    const small = rememberOnce({ max: 1 });
    expect([small('a', NOW + 1_000, NOW), small('b', NOW + 9_000, NOW + 5_000)]).toEqual([true, true]);
  });

  test('that is full refuses, and has room again when permits have ended', async () => {
    vi.useFakeTimers({ now: NOW });
    const once = rememberOnce({ max: 2 });
    expect([once('a', NOW + 5_000), once('b', NOW + 60_000)]).toEqual([true, true]);
    expect(() => once('c', NOW + 5_000)).toThrow(expect.objectContaining({ code: 'overloaded' }));
    expect(once('a', NOW + 5_000)).toBe(false);
    await expect(use({ once })).rejects.toMatchObject(refused('used'));
    vi.setSystemTime(NOW + 5_000);
    expect(once('c', NOW + 9_000)).toBe(true);
  });

  test.each([0, 1.5, -1, Number.NaN, '2', 10_000_001])('max cannot be %s', (max) => {
    expect(() => rememberOnce({ max: max as number })).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    );
  });
});
