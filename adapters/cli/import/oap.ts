/** An Open Agent Passport (OAP 1.0) of the kind `template`, in the fields of a passport. */
import { majorUnits } from '../../../src/aip/index.ts';
import { IdentityError, type PassportInput } from '../../../src/index.ts';
import type { ForeignPassport } from './passport-line.ts';

/** The values that a template lacks, or of which it has several. */
export interface OapOptions {
  /** The domain that answers for the agent. */
  readonly domain: string;
  /** Its name there; by default `metadata.name`. */
  readonly name: string | undefined;
  /** By default the only one that is named. */
  readonly currency: string | undefined;
}

type Part = Readonly<Record<string, unknown>>;

/** The members of OAP 1.0, which allows no other. */
const MEMBERS = [
  ...['passport_id', 'kind', 'spec_version', 'template_id', 'owner_id', 'owner_type', 'assurance_level'],
  ...['status', 'capabilities', 'limits', 'regions', 'metadata', 'created_at', 'updated_at', 'version'],
  'parent_agent_id',
];
/** The members for which a passport has a field. */
const PLACED = [
  'passport_id',
  'kind',
  'spec_version',
  'status',
  'capabilities',
  'limits',
  'regions',
  'metadata',
];

/** The grammar of their ids. */
const CAPABILITY = /^[a-z0-9]+(\.[a-z0-9]+)*$/;

/** Returns the passport of a template; `invalid_request` for any other document, and for a revoked one. */
export function passportOfOap(
  document: Part,
  { domain, name, currency: asked }: OapOptions,
): ForeignPassport {
  const unknown = Object.keys(document).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) throw refused(`/${unknown}`, 'OAP 1.0 has no such member.');
  if (document['spec_version'] !== 'oap/1.0') throw refused('/spec_version', 'This must be oap/1.0.');
  if (document['kind'] !== 'template') throw refused('/kind', 'Only templates are imported.');
  const { metadata = {}, passport_id, regions = [] } = document;
  const { name: ownName, description, ...more } = partOf(metadata, '/metadata');
  const actions = capabilitiesOf(document['capabilities']);
  const limits = partOf(document['limits'] ?? {}, '/limits');
  const money = moneyOf(
    actions.map(({ id }) => [id, partOf(limits[id] ?? {}, `/limits/${id}`)]),
    asked,
  );
  const others = Object.keys(limits).filter((limit) => !actions.some(({ id }) => id === limit));
  // The limits of a capability that is not granted restrict nothing. Any other member may restrict all of them.
  const isUnknown = (limit: string) => !CAPABILITY.test(limit) || Object(limits[limit]) !== limits[limit];
  const losses = [
    ...others.filter(isUnknown),
    ...actions.flatMap(({ restrictions }) => restrictions),
    ...money.losses,
    ...(Array.isArray(regions) && regions.length === 0 ? [] : ['regions']),
  ];
  return {
    input: {
      domain,
      agent_name: name ?? textOf(ownName, '/metadata/name'),
      allowed_actions: actions.map(({ id }) => id),
      ...money.fields,
      ...(description !== undefined && { description: textOf(description, '/metadata/description') }),
      metadata: { oap_passport_id: textOf(passport_id, '/passport_id') },
    },
    standing: { status: statusOf(document['status']) },
    losses: [...new Set(losses)],
    unplaced: [
      ...Object.keys(document).filter((member) => !PLACED.includes(member)),
      ...Object.keys(more).map((member) => `metadata.${member}`),
      ...others.filter((limit) => !isUnknown(limit)).map((limit) => `limits.${limit}`),
      ...money.unplaced,
    ],
  };
}

/** Returns the status; a draft is not in use yet, and is suspended. */
function statusOf(status: unknown): 'active' | 'suspended' {
  if (status === 'active') return 'active';
  if (status === 'draft' || status === 'suspended') return 'suspended';
  throw refused(
    '/status',
    'This must be active, suspended or draft: a revoked passport is not issued again.',
  );
}

interface Capability {
  readonly id: string;
  /** The members that may restrict it. */
  readonly restrictions: readonly string[];
}

function capabilitiesOf(value: unknown): readonly Capability[] {
  if (!Array.isArray(value)) throw refused('/capabilities', 'This must be a list.');
  return value.map((entry: unknown, at) => {
    const { id, params = {}, ...others } = partOf(entry, `/capabilities/${at}`);
    const path = `/capabilities/${at}/id`;
    const text = textOf(id, path);
    if (!CAPABILITY.test(text)) throw refused(path, 'This is not a capability of OAP.');
    const hasParams = Object.keys(partOf(params, `/capabilities/${at}/params`)).length > 0;
    return { id: text, restrictions: [...(hasParams ? ['params'] : []), ...Object.keys(others)] };
  });
}

interface Money {
  readonly fields: Pick<
    PassportInput,
    'monetary_limit_per_txn' | 'currency' | 'monetary_actions' | 'budgets'
  >;
  readonly losses: readonly string[];
  readonly unplaced: readonly string[];
}

/** Returns one limit in one currency: the lowest of all capabilities, so that no capability gets a higher one. */
function moneyOf(limits: readonly (readonly [id: string, limit: Part])[], asked: string | undefined): Money {
  const monetary = limits.flatMap(([id, { currency_limits }]) =>
    currency_limits === undefined
      ? []
      : [{ id, byCurrency: partOf(currency_limits, `/limits/${id}/currency_limits`) }],
  );
  const restrictions = limits.flatMap(([, limit]) =>
    Object.keys(limit).filter((name) => name !== 'currency_limits'),
  );
  if (monetary.length === 0)
    return { fields: { monetary_limit_per_txn: 0 }, losses: restrictions, unplaced: [] };
  const named = [...new Set(monetary.flatMap(({ byCurrency }) => Object.keys(byCurrency)))];
  const [only] = named;
  const currency = asked ?? (named.length === 1 ? only : undefined);
  if (currency === undefined || !named.includes(currency)) {
    throw refused(
      '/limits',
      `One passport has one currency: choose it by --currency, one of ${named.join(', ')}.`,
    );
  }
  const chosen = monetary.map(({ id, byCurrency }) => termsOf(id, byCurrency[currency], currency));
  return {
    fields: {
      monetary_limit_per_txn: lowest(chosen.flatMap(({ most }) => most ?? [])),
      currency,
      monetary_actions: monetary.map(({ id }) => id),
      ...budgetsOf(chosen),
    },
    losses: [...restrictions, ...chosen.flatMap(({ losses }) => losses)],
    unplaced: named.filter((code) => code !== currency).map((code) => `currency_limits.${code}`),
  };
}

interface Terms {
  readonly id: string;
  readonly most?: string;
  readonly day?: string;
  readonly losses: readonly string[];
}

const AMOUNTS = ['max_per_tx', 'daily_cap', 'max_daily_amount'];

/**
 * Reads the terms of a capability. Without a limit in a currency, OAP allows a capability no payment in it; here the
 * limit of the passport applies.
 */
function termsOf(id: string, value: unknown, currency: string): Terms {
  if (value === undefined) return { id, losses: ['currency_limits'] };
  const path = `/limits/${id}/currency_limits/${currency}`;
  const limit = partOf(value, path);
  const read = (name: string): string | undefined =>
    limit[name] === undefined ? undefined : amountOf(limit[name], currency, `${path}/${name}`);
  const days = [read('daily_cap'), read('max_daily_amount')].filter((day) => day !== undefined);
  const most = read('max_per_tx');
  return {
    id,
    ...(most !== undefined && { most }),
    ...(days.length > 0 && { day: lowest(days) }),
    losses: Object.keys(limit).filter((name) => !AMOUNTS.includes(name)),
  };
}

function budgetsOf(terms: readonly Terms[]): Pick<PassportInput, 'budgets'> {
  const budgets = terms
    .filter(({ day }) => day !== undefined)
    .map(({ id, day = '0' }, at) => ({
      name: at === 0 ? 'day' : `day-${at + 1}`,
      ...{ window: 'day' as const, limit: day, actions: [id] },
    }));
  return budgets.length === 0 ? {} : { budgets };
}

/** Returns the lowest of the amounts of one currency; 0 without an amount, so that nothing may be paid. */
function lowest(amounts: readonly string[]): string {
  return amounts.toSorted((a, b) => Number(a) - Number(b))[0] ?? '0';
}

function amountOf(minor: unknown, currency: string, path: string): string {
  const amount = typeof minor === 'number' && minor >= 0 ? majorUnits(minor, currency) : undefined;
  if (amount === undefined)
    throw refused(path, 'This must be a whole number of the smallest units of a currency.');
  return amount;
}

function partOf(value: unknown, path: string): Part {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Part;
  throw refused(path, 'This must be an object.');
}

function textOf(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw refused(path, 'This must be text.');
}

function refused(path: string, message: string): IdentityError {
  return new IdentityError('invalid_request', `${path}: ${message}`, {
    details: { errors: [{ path, code: 'malformed', message }] },
  });
}
