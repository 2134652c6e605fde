import type { Passport } from '../../../src/verdict/index.ts';
import { createRandom } from '../../support/random.ts';

/** Draws from lists and ranges. */
export interface Draw {
  readonly chance: (share: number) => boolean;
  readonly one: <Value>(from: readonly Value[]) => Value;
  readonly some: <Value>(from: readonly Value[], most: number) => Value[];
}

export function createDraw(seed: number): Draw {
  const random = createRandom(seed);
  const one = <Value>(from: readonly Value[]): Value => from[Math.floor(random() * from.length)] as Value;
  return {
    chance: (share) => random() < share,
    one,
    some: (from, most) => [
      ...new Set(Array.from({ length: Math.floor(random() * (most + 1)) }, () => one(from))),
    ],
  };
}

export const AGENT: string = 'did:web:example.com:agents:buyer';
const LONG = `l.${'x'.repeat(123)}.`;
export const ACTIONS: readonly string[] = [
  'a',
  'a.',
  'a.b',
  'a.b.c',
  'a.bc',
  'a:b',
  'b',
  'b.a',
  `${LONG}.`,
  `${LONG}aa`,
];
export const PATTERNS: readonly string[] = ['*', 'a.*', 'a.b.*', 'a:*', 'b.*', `${LONG}*`, `${LONG}.*`];
const ENTRIES = [...ACTIONS, ...PATTERNS];
export const TARGETS: readonly string[] = [
  'did:web:x.a.com',
  'did:web:a.com',
  'did:web:y.x.a.com',
  'did:key:z',
  'did:web:any.a.com',
];
const TARGET_ENTRIES = [...TARGETS, 'did:web:*.a.com', 'did:web:*.x.a.com', 'did:web:*.b.org'];
export const CURRENCIES: readonly string[] = ['EUR', 'JPY', 'KWD', 'CLF', 'XAU'];
export const HOURS: readonly string[] = Array.from({ length: 6 }, (_, hour) =>
  new Date(hour * 3_600_000).toISOString(),
);
export const KEYS: readonly string[] = ['k1', 'k2', 'k3'];
const WINDOWS = ['hour', 'day', 'lifetime'];

/** Makes a passport of small alphabets, such that rules of neighbouring fields meet often. */
export function passportOf(draw: Draw): Passport {
  const { chance, one, some } = draw;
  const fields: Record<string, unknown> = { agent_id: AGENT, status: 'active' };
  for (const field of FIELDS) change(draw, fields, field);
  if (chance(0.6)) fields['allowed_actions'] = some(ENTRIES, 5);
  if (chance(0.3)) fields['parent_agent_id'] = one(['did:web:p.com:agents:p', 'did:web:p.com:agents:q']);
  return valid(fields);
}

/** Returns the passport with one or two fields changed. */
export function changed(draw: Draw, passport: Passport): Passport {
  const fields: Record<string, unknown> = { ...passport };
  for (const field of draw.some(FIELDS, 2)) change(draw, fields, field);
  return valid(fields);
}

const FIELDS = [
  ...['allowed_actions', 'denied_actions', 'monetary_actions', 'allowed_targets', 'monetary_limit_per_txn'],
  ...['currency', 'budgets', 'approval', 'not_before', 'expires_at', 'proof', 'public_keys', 'status'],
];

function change({ chance, one, some }: Draw, fields: Record<string, unknown>, field: string): void {
  const limits = [0, 1, 2, '2.5', '0.000001', 10];
  const drawn: Record<string, () => unknown> = {
    allowed_actions: () => (chance(0.5) ? ['*', ...some(ACTIONS, 2)] : some(ENTRIES, 4)),
    denied_actions: () => (chance(0.5) ? undefined : some(ENTRIES, 2)),
    monetary_actions: () => (chance(0.4) ? undefined : some(ENTRIES, 2)),
    allowed_targets: () => (chance(0.6) ? undefined : some(TARGET_ENTRIES, 4)),
    monetary_limit_per_txn: () => one(limits),
    currency: () => (chance(0.5) ? undefined : one(CURRENCIES)),
    budgets: () =>
      chance(0.5) ? undefined : ['x', 'y'].filter(() => chance(0.6)).map((name) => budget(name)),
    approval: () =>
      chance(0.5) ? undefined : { actions: [one(ENTRIES)], seconds: one([60, 120]), above: one(limits) },
    not_before: () => (chance(0.7) ? undefined : one(HOURS.slice(0, 3))),
    expires_at: () => (chance(0.7) ? undefined : one(HOURS.slice(3))),
    proof: () => one([undefined, undefined, 'identity', 'intent']),
    public_keys: () => some(KEYS, 3).map((x) => ({ kty: 'OKP', crv: 'Ed25519', x, kid: x, alg: 'EdDSA' })),
    status: () => one(['active', 'suspended', 'revoked']),
  };
  function budget(name: string): unknown {
    const shared = { name, window: one(WINDOWS), ...(chance(0.6) && { actions: [one(ENTRIES)] }) };
    return { ...shared, ...(chance(0.5) ? { count: one([1, 2, 3]) } : { limit: one([0, 1, 2]) }) };
  }
  fields[field] = drawn[field]?.();
}

/** Returns the passport without what its other fields do not permit. */
function valid(given: Record<string, unknown>): Passport {
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const { currency, monetary_actions } = fields;
  const isMonetary = Array.isArray(monetary_actions) && monetary_actions.length > 0;
  const decimals = { JPY: 0, EUR: 2, KWD: 3, CLF: 4 }[String(currency)] ?? 6;
  const whole = (amount: unknown) =>
    (decimals < 6 && amount === '0.000001') || (decimals === 0 && amount === '2.5');
  if (whole(fields['monetary_limit_per_txn'])) fields['monetary_limit_per_txn'] = 1;
  if (Array.isArray(fields['budgets'])) {
    fields['budgets'] = fields['budgets'].filter(
      ({ limit, actions }) => limit === undefined || (currency !== undefined && (actions || isMonetary)),
    );
  }
  if (fields['approval'] !== undefined) {
    const { above, ...others } = fields['approval'] as { above?: unknown };
    const hasAbove = currency !== undefined && isMonetary && above !== undefined && !whole(above);
    fields['approval'] = hasAbove ? { above, ...others } : others;
  }
  return fields as unknown as Passport;
}
