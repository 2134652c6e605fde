/** What the vectors of the suite leave open: amounts, times, replays, keys, and the passport that we hold. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { memoryStorage } from '../../adapters/storage/memory/index.ts';
import { type AipOptions, verifyAipEnvelope } from '../../src/aip/index.ts';
import type { PassportInput } from '../../src/records.ts';
import { createIdentityService } from '../../src/service.ts';
import { privateKeyOf, SUITE_AT, seedOf, signed, suiteEnvelope } from './make-vectors.ts';

const at = Date.parse(SUITE_AT);
const publicKey = createPublicKey(privateKeyOf('agent_1'));
const AGENT = 'did:web:acme.com:agents:procurement-bot';

type Changes = Readonly<Record<string, unknown>>;

/** The envelope of the suite with some of its parts changed, signed after that. */
function envelope(parts: Readonly<Record<string, Changes>> = {}, top: Changes = {}): Record<string, unknown> {
  const whole = suiteEnvelope();
  const changed = Object.entries(parts).map(([name, part]) => [name, { ...Object(whole[name]), ...part }]);
  return signed({ ...whole, ...Object.fromEntries(changed), ...top });
}

function verify(given: unknown, options: Partial<AipOptions> = {}) {
  return verifyAipEnvelope(given, { publicKey, at, seen: new Set(), ...options } as AipOptions);
}

async function errorsOf(given: unknown, options: Partial<AipOptions> = {}): Promise<readonly string[]> {
  const { valid, errors } = await verify(given, options);
  expect(valid).toBe(errors.length === 0);
  return errors;
}

async function openService(changes: Partial<PassportInput> = {}) {
  const service = createIdentityService({ storage: memoryStorage() });
  onTestFinished(() => service.close());
  const passport = {
    ...{ domain: 'acme.com', agent_name: 'procurement-bot', allowed_actions: ['transfer_funds'] },
    ...{ monetary_limit_per_txn: 1_000, currency: 'USD', ...changes },
  };
  // As by an import: one that has expired can be stored.
  await service.passports.create(passport, { standing: { status: 'active' } });
  return service;
}

const amounts: [parameters: Changes, errors: readonly string[]][] = [
  [{ amount: 500 }, []],
  [{ amount: '500.00' }, []],
  [{ amount: 500.01 }, ['AIP-E202']],
  [{ amount: '500.01', currency: 'USD' }, ['AIP-E202']],
  [{ amount: -50 }, []],
  [{ amount: '-0.5' }, []],
  [{}, []],
  [{ amount: 100, currency: 'EUR' }, ['AIP-E202']],
  [{ amount: 0.001 }, ['AIP-E103']],
  [{ amount: 'many' }, ['AIP-E103']],
  [{ amount: null }, ['AIP-E103']],
  [{ amount: true }, ['AIP-E103']],
  [{ amount_minor: 50_000 }, []],
  [{ amount_minor: 50_001 }, ['AIP-E202']],
  [{ amount_minor: 50_001, amount: 500.01 }, ['AIP-E202']],
  [{ amount_minor: 1, amount: 0.01 }, []],
  [{ amount_minor: 50_001, amount: 1 }, ['AIP-E103']],
  [{ amount_minor: 1, amount: 501 }, ['AIP-E103']],
  [{ amount_minor: 1.5 }, ['AIP-E103']],
  [{ amount_minor: '1' }, ['AIP-E103']],
  [{ amount_minor: null }, ['AIP-E103']],
  [{ amount_minor: -1 }, []],
];

test.each(amounts)('an amount of %j: %j', async (parameters, errors) => {
  expect(await errorsOf(envelope({ intent: { parameters } }))).toEqual(errors);
});

const boundaries: [changes: Changes, errors: readonly string[]][] = [
  [{ allowed_actions: [] }, []],
  [{ allowed_actions: ['*'] }, ['AIP-E200']],
  [{ allowed_actions: ['transfer_*'] }, ['AIP-E200']],
  [{ allowed_actions: ['other'], denied_actions: ['transfer_funds'] }, ['AIP-E201', 'AIP-E200']],
  [{ monetary_limit: { per_transaction: 0, per_day: 0, currency: 'USD' } }, []],
  [{ monetary_limit: { per_transaction: 0, per_day: 199.99, currency: 'USD' } }, ['AIP-E202']],
  [{ monetary_limit: { per_transaction: 199.999 } }, ['AIP-E103']],
  [{ monetary_limit: { per_transaction: -1 } }, ['AIP-E103']],
  [{ monetary_limit: { per_transaction: 500, per_week: 1 } }, ['AIP-E103']],
  [{ monetary_limit: { per_transaction: 500, currency: 'ACME' } }, ['AIP-E103']],
  [{ monetary_limit: 5 }, ['AIP-E103']],
  [{ max_files: 3 }, ['AIP-E103']],
  [{ allowed_actions: 'transfer_funds' }, ['AIP-E103']],
  [{ time_window: { start: '2026-02-14T11:00:00Z', end: '2026-02-14T12:00:00Z' } }, []],
  [{ time_window: { start: '2026-02-14T12:00:01Z', end: '2026-02-14T13:00:00Z' } }, ['AIP-E203']],
  [{ time_window: { start: '2026-02-14T10:00:00', end: '2026-02-14T11:59:59' } }, ['AIP-E203']],
  [{ time_window: { start: '2026-02-14T10:00:00Z' } }, ['AIP-E103']],
  [{ geo_restriction: 'us, de' }, ['AIP-E204']],
];

test.each(boundaries)('boundaries with %j: %j', async (changes, errors) => {
  expect(await errorsOf(envelope({ boundaries: changes }))).toEqual(errors);
});

test('a country is compared in any case of letters', async () => {
  const given = envelope({ boundaries: { geo_restriction: 'us, de' } });
  expect(await errorsOf(given, { geo: 'DE' })).toEqual([]);
  expect(await errorsOf(given, { geo: 'FR' })).toEqual(['AIP-E204']);
});

test('the earliest end of a delegation counts', async () => {
  const chain = (...ends: readonly (string | null)[]) => ({
    principal: { delegation_chain: ends.map((expires_at) => ({ expires_at })) },
  });
  expect(await errorsOf(envelope(chain('2026-02-14T12:00:01Z', null)))).toEqual([]);
  expect(await errorsOf(envelope(chain('2027-01-01T00:00:00Z', SUITE_AT)))).toEqual(['AIP-E403']);
  expect(await errorsOf(envelope(chain('soon')))).toEqual(['AIP-E103']);
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a list', []],
  ['text that is not JSON', 'envelope'],
  ['bytes that are no text', new Uint8Array([0xff, 0xfe])],
  ['a name that is there twice', '{"protocol_version":"1.0.0","protocol_version":"1.0.0"}'],
  ['an object with an accessor', Object.defineProperty({}, 'intent', { get: () => 1, enumerable: true })],
  ['more than 64 KiB', `{"note":"${'x'.repeat(70_000)}"}`],
  ['no boundaries', signed({ ...suiteEnvelope(), boundaries: undefined })],
  ['no agent', signed({ ...suiteEnvelope(), agent: { id: '' } })],
  ['an unknown tier', signed({ ...suiteEnvelope(), verification_tier: 'tier_9' })],
  ['no proof', suiteEnvelope()],
])('%s is not an envelope', async (_, given) => {
  expect(await errorsOf(given)).toEqual(['AIP-E103']);
});

test('what fails first is the error: version, schema, expiry, nonce, replay, signature', async () => {
  const seen = new Set(['short']);
  const wrong = { protocol_version: '2', intent: {}, expires_at: '2020-01-01T00:00:00Z', entropy: 'short' };
  const steps = [
    {},
    { protocol_version: '1.0.0' },
    { intent: suiteEnvelope()['intent'] },
    { expires_at: null },
  ];
  const found = [];
  let given: Record<string, unknown> = signed({ ...suiteEnvelope(), ...wrong });
  for (const step of steps) {
    given = { ...given, ...step };
    found.push(...(await errorsOf(given, { seen })));
  }
  const nonce = `nonce:${'1'.repeat(32)}`;
  given = { ...given, entropy: nonce };
  found.push(...(await errorsOf(given, { seen: new Set([nonce]) })), ...(await errorsOf(given, { seen })));
  expect(found).toEqual(['AIP-E104', 'AIP-E103', 'AIP-E101', 'AIP-E105', 'AIP-E102', 'AIP-E100']);
});

test('text, bytes and the parsed object are the same envelope', async () => {
  const text = JSON.stringify(envelope(), null, 2);
  for (const given of [text, new TextEncoder().encode(text), JSON.parse(text)]) {
    expect(await verify(given)).toEqual({ valid: true, errors: [], record: null });
  }
});

test('a secret is for tier 0 only, and its signature is not valid under a key', async () => {
  const hmac = { publicKey: undefined, hmacKey: seedOf('hmac') };
  expect(await errorsOf(signed(suiteEnvelope(), 'hmac'), hmac)).toEqual(['AIP-E100']);
  expect(await errorsOf(signed(suiteEnvelope({ tier: 'tier_0' }), 'hmac'), hmac)).toEqual([]);
  expect(await errorsOf(signed(suiteEnvelope({ tier: 'tier_0' }), 'hmac'))).toEqual(['AIP-E100']);
});

test.each([
  ['no key', { publicKey: undefined }],
  ['two keys', { hmacKey: seedOf('hmac') }],
  ['a short secret', { publicKey: undefined, hmacKey: new Uint8Array(16) }],
  ['a secret as text', { publicKey: undefined, hmacKey: 'x'.repeat(32) }],
  ['another curve', { publicKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey }],
  [
    'a secret as KeyObject',
    {
      publicKey: {
        export: () => {
          throw new Error('no');
        },
      },
    },
  ],
  ['a point of small order', { publicKey: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } }],
  ['no clock', { at: Number.NaN }],
  ['no memory of nonces', { seen: undefined }],
  ['a list for it', { seen: [] }],
])('%s is a mistake of the caller', async (_, options) => {
  await expect(verify(envelope(), options as Partial<AipOptions>)).rejects.toMatchObject({
    code: 'invalid_configuration',
  });
});

test('a key is taken as JWK, also with its private part, and as KeyObject', async () => {
  for (const key of [
    publicKey.export({ format: 'jwk' }),
    privateKeyOf('agent_1').export({ format: 'jwk' }),
  ]) {
    expect(await errorsOf(envelope(), { publicKey: key })).toEqual([]);
  }
});

test('a nonce is used up by an envelope that is valid, and by no other', async () => {
  const seen = new Set<string>();
  const service = await openService({ monetary_limit_per_txn: 100 });
  expect(await errorsOf(envelope(), { seen, service })).toEqual(['AIP-E202']);
  expect(await errorsOf({ ...envelope(), ttl: 299 }, { seen })).toEqual(['AIP-E100']);
  expect(seen.size).toBe(0);
  expect(await errorsOf(envelope(), { seen })).toEqual([]);
  expect(await errorsOf(envelope(), { seen })).toEqual(['AIP-E102']);
});

test('of ten at the same time one is valid, and the budget is spent once', async () => {
  const noted = new Set<string>();
  const note = async (nonce: string, expires: number): Promise<boolean> => {
    expect(expires).toBe(at + 300_000);
    const isKnown = noted.has(nonce);
    noted.add(nonce);
    return isKnown;
  };
  for (const seen of [new Set<string>(), note]) {
    const service = await openService({
      budgets: [{ window: 'day', limit: 1_000, actions: ['transfer_funds'] }],
    });
    const ten = Array.from({ length: 10 }, () => errorsOf(envelope(), { seen, service }));
    const valid = (await Promise.all(ten)).filter((errors) => errors.length === 0);
    expect(valid).toHaveLength(1);
    expect((await service.passports.budgets(AGENT)).data[0]).toMatchObject({ spent: 200 });
  }
});

test('a memory of nonces that answers anything but false makes nothing valid', async () => {
  for (const answer of [true, undefined, null, 0, 'no']) {
    const seen = (() => answer) as unknown as () => boolean;
    expect(await errorsOf(envelope(), { seen })).toEqual(['AIP-E102']);
  }
});

test('the passport that we hold is judged as well: the stricter of the two wins', async () => {
  const held: [changes: Partial<PassportInput>, errors: readonly string[]][] = [
    [{}, []],
    [{ allowed_actions: ['read_invoice'] }, ['AIP-E200']],
    [{ denied_actions: ['transfer_funds'] }, ['AIP-E201']],
    [{ monetary_limit_per_txn: 199 }, ['AIP-E202']],
    [{ currency: 'EUR' }, ['AIP-E202']],
    [{ expires_at: '2026-01-01T00:00:00Z' }, ['AIP-E403']],
    [{ allowed_targets: ['did:web:vendor.com:agents:billing'] }, []],
    [{ allowed_targets: ['did:web:other.com'] }, ['AIP-E200']],
    [{ budgets: [{ window: 'day', limit: 199, actions: ['transfer_funds'] }] }, ['AIP-E202']],
  ];
  for (const [changes, errors] of held) {
    const service = await openService(changes);
    const { record, ...result } = await verify(envelope(), { service });
    expect(result).toEqual({ valid: errors.length === 0, errors });
    expect(record).toMatchObject({ agent_id: AGENT, verdict: errors.length === 0 ? 'ALLOW' : 'DENY' });
  }
});

test('a service that does not hold the passport refuses, and one that is out of reach is an error', async () => {
  const empty = createIdentityService({ storage: memoryStorage() });
  onTestFinished(() => empty.close());
  expect(await errorsOf(envelope(), { service: empty })).toEqual(['AIP-E403']);
  const gone = { verify: () => Promise.reject(new Error('gone')) };
  const seen = new Set<string>();
  await expect(verify(envelope(), { service: gone, seen })).rejects.toThrow('gone');
  expect(seen.size).toBe(0);
});

test('a target that is not a DID counts as none, which a passport with targets denies', async () => {
  const given = envelope({ intent: { target: 'billing' } });
  expect(await errorsOf(given)).toEqual([]);
  expect(await errorsOf(given, { service: await openService() })).toEqual([]);
  const service = await openService({ allowed_targets: ['did:web:vendor.com'] });
  expect(await errorsOf(given, { service })).toEqual(['AIP-E200']);
});
