/**
 * The entry point `./testing/arbitraries`: generates inputs (questions) for `decide`, for property tests with
 * fast-check.
 */
import * as fc from 'fast-check';
import { currencyDecimals, MAX_DECIMALS, toAmount } from '../base/values/money.ts';
import type { Intent, Passport, ProofRequirement } from '../records.ts';
import type { ApprovalFact, Caller, ProofFact, SpentBudgets } from '../verdict/index.ts';
import { limitedArbitrary } from './approval-arbitraries.ts';
import { strange, usageArbitrary } from './budget-arbitraries.ts';

export type { Intent, Passport, PermitRequest } from '../records.ts';
export type { ApprovalFact, Caller, ProofFact, SpentBudgets } from '../verdict/index.ts';

/** A stored passport, with the account that owns it. */
export type OwnedPassport = Passport & { readonly account_id: string };

/** An input for `decide` with a plain passport. */
export interface PlainQuestion {
  readonly passport: OwnedPassport;
  readonly intent: Intent;
  readonly at: number | string;
  readonly caller: Caller | null;
  readonly proof?: ProofFact;
  readonly budgets?: SpentBudgets;
  readonly approval?: ApprovalFact;
}

/** A limit and an amount, each as canonical decimal text. */
export interface DecimalPair {
  readonly limit: string;
  readonly amount: string;
}

const WHOLE_MAX = 10n ** 15n;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DOMAIN = 'shop.example.com';
const AGENT_NAMES = ['buyer', 'buyer-2'];
const ACCOUNTS = ['acc_1', 'acc_2'];
const ACTIONS = 'payments.send payments.send.now payments.refund quotes:read quotes:read:all x'.split(' ');
const ACTION_PATTERNS = 'payments.* payments.send.* quotes:* *'.split(' ');
const NO_ACTIONS = ['', ...ACTION_PATTERNS, 'payments.', '.send', 'a b', 'pay\u00e9', 'a'.repeat(129)];
const TARGETS = [
  'did:web:till.example.com',
  'did:web:a.till.example.com:agents:till',
  'did:web:example.com',
  'did:web:till.example.com%3A8443',
  'did:web:other.example.org',
  'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK',
];
const TARGET_PATTERNS = ['did:web:*.example.com', 'did:web:*.till.example.com'];
const NO_TARGETS: readonly unknown[] = [
  '',
  'till.example.com',
  'did:web:a:',
  'did:Web:a',
  'did:web:%4',
  null,
  7,
];
const PROBLEMS = [
  ...(['malformed', 'type', 'algorithm', 'key', 'claims', 'audience', 'time', 'intent'] as const),
  'signature' as const,
];
const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD', 'CLF', 'XAU'];
const NO_CURRENCIES: readonly unknown[] = ['', 'eur', 'EURO', 'HRK', 'ZZZ', null, 978, {}];
const NO_AMOUNTS: readonly unknown[] = [
  ...[null, true, [1], {}, -0, -1, 1e-7, 1e15 + 1, 1e21, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY],
  ...['', '-1', '+1', '01', '1.', '.5', '1e2', '1,5', ' 1', '0.0000001', '1000000000000000.000001'],
];

/** Generates a limit and an amount with up to `MAX_DECIMALS` decimals. Every second pair is equal or one unit apart. */
export function decimalPairArbitrary(): fc.Arbitrary<DecimalPair> {
  return fc.integer({ min: 0, max: MAX_DECIMALS }).chain((decimals) => {
    const units = unitsArbitrary(decimals);
    const step = fc.constantFrom(-1n, 0n, 1n);
    return fc.tuple(units, step, units, fc.boolean()).map(([limit, apart, other, near]) => ({
      limit: decimalText(limit, decimals),
      amount: decimalText(near ? limit + apart : other, decimals),
    }));
  });
}

/**
 * Generates passports of a few agents in every state. The lists in the passports, such as `allowed_actions`,
 * contain values that `questionArbitrary` also generates.
 */
export function passportArbitrary(): fc.Arbitrary<OwnedPassport> {
  return fc
    .tuple(fc.option(fc.constantFrom(...CURRENCIES), { nil: undefined }), termsArbitrary())
    .chain(([currency, terms]) => {
      const decimals = decimalsOf(currency);
      return fc.tuple(unitsArbitrary(decimals), fc.boolean()).map(([limit, spelled]) => ({
        ...terms,
        ...(currency !== undefined && { currency }),
        monetary_limit_per_txn: amountOf(decimalText(limit, decimals), spelled),
      }));
    });
}

/**
 * Generates inputs for `decide` with related parts, so that both verdicts and every reason are frequent. Amounts are
 * near the limit, actions and targets come from the lists, and instants are at the start and end of validity. Some
 * passports require a proof of possession.
 */
export function questionArbitrary(): fc.Arbitrary<PlainQuestion> {
  return fc
    .tuple(passportArbitrary(), provedArbitrary())
    .chain(([passport, proved]) =>
      limitedArbitrary(passport).map((limited) => ({ passport, ...proved, ...limited })),
    )
    .chain(({ passport, required, fact, own, stored }) =>
      fc.record({
        passport: fc.constant({ ...passport, ...own, ...(required !== undefined && { proof: required }) }),
        ...stored,
        ...(fact !== undefined && { proof: fc.constant(fact) }),
        intent: intentArbitrary(passport),
        at: mostly(fc.nat({ max: 24 }).map(hourOf), fc.constantFrom('yesterday', Number.NaN)),
        caller: mostly(fc.constant(null), callerArbitrary(passport)),
      }),
    );
}

/** Generates intents of the passport's agent, and sometimes of another agent, with valid and invalid members. */
export function intentArbitrary(passport: OwnedPassport): fc.Arbitrary<Intent> {
  return fc
    .record(
      {
        agent_id: mostly(fc.constant(passport.agent_id), fc.constantFrom(...AGENT_NAMES).map(agentIdOf)),
        action: mostly(fc.constantFrom(...ACTIONS), fc.constantFrom(...NO_ACTIONS)),
        target: mostly(fc.constantFrom(...TARGETS), fc.constantFrom(...NO_TARGETS)),
        parameters: mostly<unknown>(parametersArbitrary(passport), strange([null, [], [1], 'amount', 5])),
        usage: usageArbitrary(),
        dry_run: fc.boolean(),
      },
      { requiredKeys: ['agent_id', 'action'] },
    )
    .map((intent) => intent as Intent);
}

/** Generates results of checking a proof of possession. */
export function proofFactArbitrary(): fc.Arbitrary<ProofFact> {
  const valid = fc.record({ state: fc.constant('valid' as const), kid: fc.string(), bound: fc.boolean() });
  const problem = fc.constantFrom(...PROBLEMS);
  return fc.oneof(
    { weight: 3, arbitrary: valid },
    { weight: 1, arbitrary: fc.record({ state: fc.constant('invalid' as const), problem }) },
    { weight: 1, arbitrary: fc.constant({ state: 'expired' as const, since: instantOf(NOON) }) },
    { weight: 1, arbitrary: fc.constant({ state: 'replayed' as const }) },
  );
}

/** Generates callers that may see the passport, and callers that may not. */
export function callerArbitrary(passport: OwnedPassport): fc.Arbitrary<Caller> {
  const agents = fc.subarray(AGENT_NAMES).map((names) => names.map(agentIdOf));
  return fc.record(
    {
      account_id: mostly(fc.constant(passport.account_id), fc.constantFrom(...ACCOUNTS)),
      agent_ids: fc.oneof(fc.constant(null), fc.constant([passport.agent_id]), agents),
    },
    { requiredKeys: [] },
  );
}

interface Proved {
  readonly required: ProofRequirement | undefined;
  readonly fact: ProofFact | undefined;
}

function provedArbitrary(): fc.Arbitrary<Proved> {
  const none: Proved = { required: undefined, fact: undefined };
  const some = fc.record({
    required: fc.constantFrom<ProofRequirement | undefined>(undefined, 'optional', 'identity', 'intent'),
    fact: mostly<ProofFact | undefined>(proofFactArbitrary(), fc.constant(undefined)),
  });
  return fc.oneof({ weight: 2, arbitrary: fc.constant(none) }, { weight: 1, arbitrary: some });
}

type Terms = Omit<OwnedPassport, 'monetary_limit_per_txn' | 'currency'>;

function termsArbitrary(): fc.Arbitrary<Terms> {
  const few = fc.subarray([...ACTIONS, ...ACTION_PATTERNS], { maxLength: 2 });
  const most = fc.subarray([...ACTIONS, ...ACTION_PATTERNS], { minLength: 7 });
  const targets = fc.subarray([...TARGETS, ...TARGET_PATTERNS], { minLength: 3 });
  const hour = (min: number, max: number) => fc.integer({ min, max }).map(hourOf).map(instantOf);
  const required = { allowed_actions: mostly(most, few) };
  const optional = {
    denied_actions: few,
    monetary_actions: few,
    allowed_targets: mostly(targets, fc.constant([])),
    not_before: hour(0, 6),
    expires_at: hour(18, 24),
  };
  const lists = fc.oneof(
    fc.record(required),
    fc.record({ ...required, ...optional }, { requiredKeys: ['allowed_actions'] }),
  );
  const status = mostly<Passport['status']>(
    fc.constant('active'),
    fc.constantFrom('suspended', 'suspended', 'revoked'),
  );
  const owner = fc.tuple(
    fc.constantFrom(...AGENT_NAMES),
    fc.constantFrom(...ACCOUNTS),
    fc.integer({ min: 1 }),
  );
  return fc
    .tuple(owner, lists, status, fc.option(hour(6, 18)))
    .map(([[agent_name, account_id, version], given, state, suspensionEnd]) => ({
      ...given,
      agent_id: agentIdOf(agent_name),
      account_id,
      domain: DOMAIN,
      agent_name,
      status: state,
      version,
      created_at: instantOf(NOON),
      updated_at: instantOf(NOON),
      suspended_until: state === 'suspended' ? suspensionEnd : null,
      suspended_by: state === 'suspended' ? account_id : null,
      suspension_reason: null,
      revoked_at: state === 'revoked' ? instantOf(NOON) : null,
      revoked_by: state === 'revoked' ? account_id : null,
      revocation_reason: null,
    }));
}

function parametersArbitrary({ currency, monetary_limit_per_txn }: OwnedPassport): fc.Arbitrary<object> {
  const decimals = decimalsOf(currency);
  const limit = unitsOf(String(monetary_limit_per_txn), decimals);
  const units = fc.oneof(
    fc.constantFrom(-1n, 0n, 1n).map((step) => limit + step),
    unitsArbitrary(decimals),
  );
  const amount = fc
    .tuple(units, fc.boolean())
    .map(([value, spelled]) => amountOf(decimalText(value, decimals), spelled));
  return fc.record(
    {
      amount: mostly<unknown>(amount, strange(NO_AMOUNTS)),
      currency: mostly<unknown>(
        fc.constant(currency ?? 'EUR'),
        fc.oneof(fc.constantFrom<unknown>(...CURRENCIES), strange(NO_CURRENCIES)),
      ),
      constructor: fc.string(),
    },
    { requiredKeys: [] },
  );
}

function mostly<Value>(usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: rare });
}

/** Generates numbers of the smallest unit, of every magnitude up to the maximum amount. */
function unitsArbitrary(decimals: number): fc.Arbitrary<bigint> {
  return fc
    .integer({ min: 0, max: 15 + decimals })
    .chain((digits) => fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) }));
}

/** Returns the canonical text of this number of units. Moves the number into the valid range of amounts first. */
function decimalText(units: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const most = WHOLE_MAX * scale;
  const value = units < 0n ? 0n : units > most ? most : units;
  const fraction = String(value % scale)
    .padStart(decimals, '0')
    .replace(/0+$/, '');
  return `${value / scale}${decimals === 0 || fraction === '' ? '' : `.${fraction}`}`;
}

function unitsOf(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function amountOf(canonical: string, spelled: boolean): number | string {
  return spelled ? canonical : toAmount(canonical);
}

function decimalsOf(currency: string | undefined): number {
  return (currency === undefined ? undefined : currencyDecimals(currency)) ?? MAX_DECIMALS;
}

function agentIdOf(name: string): string {
  return `did:web:${DOMAIN}:agents:${name}`;
}

function hourOf(hour: number): number {
  return NOON + (hour - 12) * HOUR_MS;
}

function instantOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
