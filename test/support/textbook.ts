/**
 * The rules of src/verdict/README.md once more, slowly and without the code of the package: the answers that `decide`
 * must give.
 */
import type { PlainQuestion } from '../../src/testing/arbitraries.ts';

const DECIMALS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, KWD: 3, CLF: 4, XAU: 6 };
const MILLION = 1_000_000n;

/** The codes for a question with a sound passport and a readable instant; empty for ALLOW. */
export function textbookCodes({
  passport,
  intent,
  at,
  caller,
  proof,
  budgets,
  approval,
}: PlainQuestion): string[] {
  const instant = Number(at);
  if (intent.agent_id !== passport.agent_id) return ['agent_not_found'];
  if (caller?.account_id !== undefined && caller.account_id !== passport.account_id)
    return ['agent_not_found'];
  if (caller?.agent_ids && !caller.agent_ids.includes(passport.agent_id)) return ['agent_not_found'];
  const { status, suspended_until, expires_at, not_before, currency } = passport;
  const isAction = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/.test(intent.action);
  const matches = (entries: readonly string[] = []): boolean =>
    isAction &&
    entries.some((entry) =>
      entry.endsWith('*')
        ? intent.action.startsWith(entry.slice(0, -1)) && intent.action.length >= entry.length
        : entry === intent.action,
    );
  const { target } = intent;
  const isDid = /^did:[a-z0-9]+:([A-Za-z0-9._:-]|%[0-9a-fA-F]{2})*([A-Za-z0-9._-]|%[0-9a-fA-F]{2})$/.test(
    target ?? '',
  );
  const targets = passport.allowed_targets;
  const given: unknown = intent.parameters;
  const parameters = (given === undefined || isObject(given) ? given : { amount: null }) as
    | { readonly amount?: unknown; readonly currency?: unknown }
    | undefined;
  const named = parameters?.currency;
  const isNamed = typeof named === 'string' && named in DECIMALS;
  const carries = parameters?.amount !== undefined;
  const micros = microsOf(parameters?.amount, DECIMALS[currency ?? (isNamed ? named : '')] ?? 6);
  const isBadCurrency = named !== undefined && !isNamed;
  const mismatch = currency !== undefined && (named === undefined ? carries : isNamed && named !== currency);
  const limit = microsOf(passport.monetary_limit_per_txn, 6) ?? 0n;
  const table: readonly (readonly [string, boolean])[] = [
    ['agent_revoked', status === 'revoked'],
    [
      'agent_suspended',
      status === 'suspended' && (suspended_until === null || instant < Date.parse(suspended_until)),
    ],
    ['agent_expired', expires_at !== undefined && instant >= Date.parse(expires_at)],
    ['agent_not_yet_valid', not_before !== undefined && instant < Date.parse(not_before)],
    ['action_denied', matches(passport.denied_actions)],
    ['action_not_allowed', !matches(passport.allowed_actions)],
    ['target_invalid', target !== undefined && !isDid],
    ['target_required', targets !== undefined && target === undefined],
    [
      'target_not_allowed',
      targets !== undefined && isDid && !targets.some((entry) => covers(entry, target ?? '')),
    ],
    ['amount_invalid', carries && micros === undefined],
    [
      'amount_required',
      !carries &&
        (matches(passport.monetary_actions) ||
          (passport.budgets ?? []).some(
            ({ limit, unit, actions }) => limit !== undefined && unit === undefined && matches(actions),
          )),
    ],
    ['currency_invalid', isBadCurrency],
    ['currency_mismatch', mismatch],
    ['amount_over_limit', micros !== undefined && !isBadCurrency && !mismatch && micros > limit],
  ];
  const required = passport.proof ?? 'optional';
  const isUnbound = proof?.state === 'valid' && !proof.bound;
  const about: readonly (readonly [string, boolean])[] = [
    ['proof_required', proof === undefined && required !== 'optional'],
    ['proof_invalid', proof?.state === 'invalid' || (isUnbound && required === 'intent')],
    ['proof_expired', proof?.state === 'expired'],
    ['proof_replayed', proof?.state === 'replayed'],
  ];
  const units = (passport.budgets ?? []).filter(({ actions }) => matches(actions)).map(({ unit }) => unit);
  const lacking = [...new Set(units)].map(
    (unit) => ['usage_required', unit !== undefined && usedMicros(intent, unit) === undefined] as const,
  );
  const codes = [...table, ...lacking, ...about].filter(([, denies]) => denies).map(([code]) => code);
  if (codes.length > 0) return codes;
  return storedCodes(passport, { budgets, approval, intent }, matches, micros);
}

/** Returns the codes of the checks that count if nothing else denies: the budgets, and then the approval. */
function storedCodes(
  passport: PlainQuestion['passport'],
  {
    budgets,
    approval,
    intent,
  }: Pick<PlainQuestion, 'intent'> & {
    readonly [_ in 'budgets' | 'approval']: PlainQuestion[_] | undefined;
  },
  matches: (entries?: readonly string[]) => boolean,
  micros: bigint | undefined,
): string[] {
  const exceeded: string[] = [];
  for (const { name = '', limit, unit, count = 0, actions = ['*'] } of passport.budgets ?? []) {
    if (budgets === undefined) return ['budget_unknown'];
    const taken = unit === undefined ? micros : usedMicros(intent, unit);
    if (!matches(actions) || (limit !== undefined && !taken)) continue;
    const state = budgets[passport.agent_id]?.[name];
    const before = limit === undefined ? state?.count : microsOf(state?.spent, 6);
    if (before === undefined) return ['budget_unknown'];
    const [by, most] = limit === undefined ? [1n, BigInt(count)] : [taken ?? 0n, microsOf(limit, 6) ?? 0n];
    if (BigInt(before) + by > most) exceeded.push('budget_exceeded');
  }
  if (exceeded.length > 0) return exceeded;
  if (approval !== undefined) return approval.state === 'approved' ? [] : [`approval_${approval.state}`];
  const { above, actions } = passport.approval ?? {};
  const isAbove = above !== undefined && micros !== undefined && micros > (microsOf(above, 6) ?? 0n);
  return isAbove || matches(actions) ? ['approval_required'] : [];
}

/** The millionths of a unit that an intent names; `undefined` if it names none, or more than 10^12. */
function usedMicros(intent: object, unit: 'tokens' | 'credits'): bigint | undefined {
  const { usage } = intent as { readonly usage?: unknown };
  const value: unknown = isObject(usage) ? (usage as Readonly<Record<string, unknown>>)[unit] : undefined;
  const micros = microsOf(value, unit === 'tokens' ? 0 : 6);
  return micros !== undefined && micros <= 10n ** 12n * MILLION ? micros : undefined;
}

/** Millionths, exactly; `undefined` for what is no decimal in range. Any exponent of a number is spelled out. */
export function microsOf(value: unknown, decimals: number): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = Object.is(value, -0) ? '-0' : String(value);
  const [, whole = '', fraction = ''] = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text) ?? [];
  const places = fraction.replace(/0+$/, '');
  if (whole === '' || places.length > decimals) return undefined;
  const micros = BigInt(whole) * MILLION + BigInt(places.padEnd(6, '0'));
  return micros <= 10n ** 15n * MILLION ? micros : undefined;
}

function covers(entry: string, target: string): boolean {
  if (!entry.startsWith('did:web:*')) return entry === target;
  const host = target.startsWith('did:web:') ? (target.split(':')[2] ?? '') : '';
  return host.endsWith(entry.slice('did:web:*'.length)) && /^[a-z0-9.-]+$/.test(host);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
