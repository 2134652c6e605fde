/** `passport import --from aip|oap`: what is carried over, and what is refused because it would allow more. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { type Ended, openFolder } from '../support/process.ts';

let folder: string;
let remove: () => void;

beforeAll(async () => {
  ({ folder, remove } = openFolder());
  const made = await run(['account', 'create', 'ann@example.com'], { cwd: folder });
  expect(made.code).toBe(0);
});

afterAll(() => remove());

function importing(input: string, ...args: readonly string[]): Promise<Ended> {
  return run(['passport', 'import', '-', '--dry-run', ...args], { cwd: folder, input });
}

type Members = Readonly<Record<string, unknown>>;

/** A passport as the SDK of AIP saves it. */
function aip(boundaries: Members = {}, rest: Members = {}): string {
  return JSON.stringify({
    identity: {
      id: 'did:web:acme.com:agents:buyer',
      version: '1.0.0',
      attestation: { method: 'self_reported' },
    },
    principal: { id: 'did:web:acme.com', delegation_chain: [{ expires_at: '2090-01-01T00:00:00Z' }] },
    boundaries: {
      allowed_actions: ['transfer_funds', 'read_invoice'],
      denied_actions: [],
      monetary_limit: { per_transaction: 500.5, per_day: 5000, currency: 'USD' },
      data_access: [],
      geo_restriction: null,
      time_window: null,
      ...boundaries,
    },
    public_key: '5zTqbCtiV95yNV5HKqBaTEh-a0Y8Ap7TBt8vAbVja1g=',
    ...rest,
  });
}

/** A template after the example of the specification. */
function oap(changes: Members = {}): string {
  return JSON.stringify({
    passport_id: '550e8400-e29b-41d4-a716-446655440000',
    ...{ kind: 'template', spec_version: 'oap/1.0', owner_id: 'org_1', owner_type: 'org', status: 'active' },
    assurance_level: 'L2',
    capabilities: [{ id: 'payments.refund' }, { id: 'data.export' }],
    limits: {
      'payments.refund': {
        currency_limits: {
          USD: { max_per_tx: 5000, daily_cap: 50_000 },
          EUR: { max_per_tx: 4500, daily_cap: 45_000 },
          JPY: { max_per_tx: 650 },
        },
      },
    },
    regions: [],
    metadata: { name: 'support', description: 'Customer support', contact: 'support@example.com' },
    ...{ created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-01T00:00:00Z', version: '1.0.0' },
    ...changes,
  });
}

const OAP = ['--from', 'oap', '--domain', 'example.com', '--currency', 'EUR'];

describe('AIP', () => {
  test('a passport is imported with its limits, and what is left out is named', async () => {
    const pretty = JSON.stringify(JSON.parse(aip()), null, 2);
    const ended = await run(['passport', 'import', '-', '--from', 'aip'], { cwd: folder, input: pretty });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.split('\n')[0]).toBe(
      'create     did:web:acme.com:agents:buyer (left out: principal, public_key, identity.version, identity.attestation)',
    );
    const { stdout } = await run(['passport', 'export'], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({
      domain: 'acme.com',
      agent_name: 'buyer',
      allowed_actions: ['transfer_funds', 'read_invoice'],
      monetary_limit_per_txn: 500.5,
      currency: 'USD',
      budgets: [{ name: 'day', window: 'day', limit: 5000, actions: ['transfer_funds', 'read_invoice'] }],
      expires_at: '2090-01-01T00:00:00.000Z',
      status: 'active',
    });
    expect((await importing(aip(), '--from', 'aip')).stdout).toMatch(/^unchanged /);
  });

  test('an envelope, and one document on each line', async () => {
    const envelope = aip({}, { identity: undefined, agent: { id: 'did:web:acme.com:agents:seller' } });
    const ended = await importing(`${envelope}\n\n${aip()}\n`, '--from', 'aip', '--json');
    expect(
      ended.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { line: 3, agent_id: 'did:web:acme.com:agents:buyer', result: 'unchanged' },
      { line: 1, agent_id: 'did:web:acme.com:agents:seller', result: 'create' },
    ]);
  });

  const widening: [loss: string, boundaries: Members][] = [
    ['allow-all,per_day', { allowed_actions: [] }],
    ['no-limit', { monetary_limit: { per_transaction: 0 } }],
    ['no-limit', { monetary_limit: undefined }],
    ['geo_restriction', { geo_restriction: 'US' }],
    ['time_window', { time_window: { start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' } }],
    ['data_access', { data_access: ['invoices'] }],
  ];

  test.each(widening)(
    '%s: without it %j is refused, with it what is lost is named',
    async (loss, changes) => {
      const given = aip(changes).replace('buyer', 'other');
      const refused = await importing(given, '--from', 'aip');
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stdout).toContain(
        `allow more than the document: ${loss}. Accept that with --accept-loss ${loss}`,
      );
      const accepted = await importing(given, '--from', 'aip', '--accept-loss', loss);
      expect(accepted).toMatchObject({ code: 0, stderr: '' });
      expect(accepted.stdout).toContain(`(allows more: ${loss.replace(',', ', ')})`);
    },
  );

  const wrong: [what: string, given: string, said: string][] = [
    [
      'a pattern, which is one string in AIP',
      aip({ allowed_actions: ['orders.*'] }),
      '"orders.*" is not an action',
    ],
    ['an unknown restriction', aip({ max_calls: 3 }), 'A restriction that is not known: max_calls'],
    ['an unknown limit', aip({ monetary_limit: { per_week: 3 } }), 'not known: per_week'],
    [
      'an id outside our grammar',
      aip({}, { identity: { id: 'did:web:acme.com:agents:Buyer' } }),
      'in our grammar',
    ],
    ['another method', aip({}, { identity: { id: 'did:key:z6Mk' } }), 'in our grammar'],
    [
      'more decimals than the currency has',
      aip({ monetary_limit: { per_transaction: 0.001 } }),
      'at most 2 decimals',
    ],
    ['an unknown currency', aip({ monetary_limit: { per_transaction: 1, currency: 'usd' } }), 'ISO 4217'],
    ['no boundaries', aip({}, { boundaries: null }), 'This must be an object'],
    ['one of our own lines', '{"domain":"example.com"}', 'This must be an object'],
    ['no JSON', 'agent: buyer', 'acceptable JSON'],
    ['a document that is not closed', '{\n"identity": {', 'acceptable JSON'],
    ['a binary file', '\u0000\u0001\u0002', 'acceptable JSON'],
    ['a document of 2 MB', `{"identity":\n${' '.repeat(70)}"${'x'.repeat(2_000_000)}"}`, 'longer than'],
  ];

  test.each(wrong)('%s is refused', async (_, given, said) => {
    const ended = await importing(given, '--from', 'aip', '--accept-loss', 'no-limit');
    expect(ended.code).toBe(2);
    expect(ended.stdout).toMatch(/^refused {4}line 1: /);
    expect(ended.stdout).toContain(said);
    expect(ended.stdout.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('OAP', () => {
  test('a template is imported in one currency', async () => {
    const args = ['passport', 'import', '-', ...OAP];
    const ended = await run(args, { cwd: folder, input: oap({ status: 'draft' }) });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.split('\n')[0]).toBe(
      'create     did:web:example.com:agents:support (left out: owner_id, owner_type, assurance_level, created_at, updated_at, version, metadata.contact, currency_limits.USD, currency_limits.JPY)',
    );
    const shown = await run(['passport', 'show', 'did:web:example.com:agents:support', '--json'], {
      cwd: folder,
    });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      status: 'suspended',
      allowed_actions: ['payments.refund', 'data.export'],
      monetary_limit_per_txn: 45,
      currency: 'EUR',
      monetary_actions: ['payments.refund'],
      budgets: [{ name: 'day', window: 'day', limit: 450, actions: ['payments.refund'] }],
      description: 'Customer support',
      metadata: { oap_passport_id: '550e8400-e29b-41d4-a716-446655440000' },
    });
  });

  test('minor units are those of the currency, the lowest limit counts', async () => {
    const limits = {
      'payments.refund': { currency_limits: { JPY: { max_per_tx: 650 } } },
      'data.export': {
        currency_limits: { JPY: { max_per_tx: 600, max_daily_amount: 900, daily_cap: 1_000 } },
      },
    };
    const input = oap({ limits, metadata: {} });
    const args = ['--from', 'oap', '--domain', 'example.com', '--name', 'yen'];
    expect((await run(['passport', 'import', '-', ...args], { cwd: folder, input })).code).toBe(0);
    const shown = await run(['passport', 'show', 'did:web:example.com:agents:yen', '--json'], {
      cwd: folder,
    });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      monetary_limit_per_txn: 600,
      currency: 'JPY',
      budgets: [{ limit: 900, actions: ['data.export'] }],
    });
  });

  test('without any limit of money nothing may be paid', async () => {
    const input = oap({ limits: {}, metadata: { name: 'free' } });
    expect((await run(['passport', 'import', '-', ...OAP], { cwd: folder, input })).code).toBe(0);
    const shown = await run(['passport', 'show', 'did:web:example.com:agents:free', '--json'], {
      cwd: folder,
    });
    expect(JSON.parse(shown.stdout)).toMatchObject({ monetary_limit_per_txn: 0 });
  });

  const widening: [loss: string, changes: Members][] = [
    ['max_rows', { limits: { 'data.export': { max_rows: 5 } } }],
    ['allowed_recipients', { limits: { 'data.export': { allowed_recipients: ['x'] } } }],
    ['regions', { regions: ['US'] }],
    ['max_per_day', { limits: { max_per_day: { USD: 5 } } }],
    ['calls', { limits: { calls: 5 } }],
    ['expires_at', { capabilities: [{ id: 'data.export', expires_at: '2090-01-01T00:00:00Z' }] }],
    ['params', { capabilities: [{ id: 'data.export', params: { max: 1 } }] }],
    [
      'currency_limits',
      {
        limits: {
          'payments.refund': { currency_limits: { EUR: { max_per_tx: 1 } } },
          'data.export': { currency_limits: { USD: { max_per_tx: 1 } } },
        },
      },
    ],
    ['per_hour', { limits: { 'data.export': { currency_limits: { EUR: { per_hour: 1 } } } } }],
  ];

  test.each(widening)('%s is refused, unless it is accepted', async (loss, changes) => {
    const input = oap({ ...changes, metadata: { name: 'other' } });
    const refused = await importing(input, ...OAP);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stdout).toContain(`--accept-loss ${loss}\n`);
    const accepted = await importing(input, ...OAP, '--accept-loss', loss);
    expect(accepted).toMatchObject({ code: 0 });
    expect(accepted.stdout).toContain(`(allows more: ${loss})`);
  });

  const wrong: [what: string, changes: Members, said: string][] = [
    ['an instance', { kind: 'instance' }, 'Only templates'],
    ['a revoked one', { status: 'revoked' }, 'is not issued again'],
    ['an unknown status', { status: 'paused' }, '/status'],
    ['another version', { spec_version: 'oap/2.0' }, 'oap/1.0'],
    ['an unknown member', { geofence: {} }, '/geofence'],
    ['an invalid agent name', { metadata: { name: 'Customer Support AI' } }, '/agent_name'],
    ['no name', { metadata: {} }, '/metadata/name'],
    [
      'a fraction of the smallest unit',
      { limits: { 'payments.refund': { currency_limits: { EUR: { max_per_tx: 1.5 } } } } },
      'max_per_tx',
    ],
    [
      'a negative limit',
      { limits: { 'payments.refund': { currency_limits: { EUR: { max_per_tx: -1 } } } } },
      'max_per_tx',
    ],
    ['a pattern', { capabilities: [{ id: 'payments.*' }] }, 'not a capability of OAP'],
    [
      'a currency that is not there',
      { limits: { 'payments.refund': { currency_limits: { USD: {} } } } },
      'one of USD',
    ],
  ];

  test.each(wrong)('%s is refused', async (_, changes, said) => {
    const ended = await importing(oap(changes), ...OAP);
    expect(ended.code).toBe(2);
    expect(ended.stdout).toMatch(/^refused {4}line 1: /);
    expect(ended.stdout).toContain(said);
  });

  test('of several currencies one has to be chosen', async () => {
    const ended = await importing(oap(), '--from', 'oap', '--domain', 'example.com');
    expect(ended.stdout).toContain('choose it by --currency, one of USD, EUR, JPY');
  });
});

test.each([
  [['--accept-loss', 'no-limit'], '--accept-loss is for --from aip and oap.'],
  [['--from', 'aip', '--accept-loss', 'nolimit'], '--accept-loss of aip: allow-all, no-limit'],
  [['--from', 'oap'], 'An OAP passport names no domain: give --domain.'],
  [['--from', 'aip', '--currency', 'EUR'], '--domain, --name and --currency are for --from oap.'],
  [['--from', 'csv'], 'own, aip, oap'],
])('%j is a mistake of usage', async (args, said) => {
  const ended = await importing(aip(), ...args);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(said);
});
