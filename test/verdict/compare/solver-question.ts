import type { Passport } from '../../../src/verdict/index.ts';

/** The rules of a passport that the solver knows, written a second time as formulas over all intents and instants. */
type Formula = string;

/** One currency of each number of decimals beside those of the random passports, and no currency: 0. */
const DECIMALS: Readonly<Record<string, number>> = {
  ...{ EUR: 2, JPY: 0, KWD: 3, CLF: 4, XAU: 6, USD: 2, KRW: 0, BHD: 3, UYW: 4, XAG: 6 },
};
const CODES = Object.keys(DECIMALS);
const MICROS = 1_000_000n;
const LARGEST = 10n ** 15n * MICROS;

const WORD = '(re.union (re.range "a" "z") (re.range "A" "Z") (re.range "0" "9"))';
const REST = `(re.union ${WORD} (str.to_re "_") (str.to_re ".") (str.to_re ":") (str.to_re "/") (str.to_re "-"))`;
const HEX = '(re.union (re.range "0" "9") (re.range "a" "f") (re.range "A" "F"))';
const ID = `(re.union ${WORD} (str.to_re "_") (str.to_re ".") (str.to_re "-") (re.++ (str.to_re "%") ${HEX} ${HEX}))`;
const LOWER = '(re.union (re.range "a" "z") (re.range "0" "9"))';
const LABEL = `(re.++ ${LOWER} (re.opt (re.++ (re.* (re.union ${LOWER} (str.to_re "-"))) ${LOWER})))`;
/** What may follow the method or the host of a DID: segments behind colons, of which the last one is not empty. */
const SEGMENTS = `(re.* (re.++ (re.+ (str.to_re ":")) (re.+ ${ID})))`;

/**
 * Returns SMT-LIB text that is satisfiable exactly when some intent, at some instant, is allowed by the first passport
 * and denied by the second one. Reads lists, limit, currency and times alone.
 */
export function questionFor(allowing: Passport, denying: Passport): string {
  return [
    '(declare-const action String)(declare-const target String)(declare-const hasTarget Bool)',
    '(declare-const amount Int)(declare-const hasAmount Bool)(declare-const code Int)(declare-const at Int)',
    `(assert (str.in_re action (re.++ ${WORD} ((_ re.loop 0 127) ${REST}))))`,
    `(assert (str.in_re target (re.++ (str.to_re "did:") (re.+ ${LOWER}) (str.to_re ":") (re.+ ${ID}) ${SEGMENTS})))`,
    '(assert (<= (str.len target) 512))',
    `(assert (and (<= 0 amount) (<= amount ${LARGEST}) (<= 0 code) (<= code ${CODES.length})))`,
    `(assert ${allows(allowing)})`,
    `(assert (not ${allows(denying)}))`,
    '(check-sat)',
  ].join('\n');
}

function allows(passport: Passport): Formula {
  const { allowed_actions, denied_actions = [], monetary_actions = [], allowed_targets } = passport;
  const { not_before, expires_at } = passport;
  return all([
    any(allowed_actions.map(covers)),
    `(not ${any(denied_actions.map(covers))})`,
    allowed_targets === undefined ? 'true' : `(and hasTarget ${any(allowed_targets.map(reaches))})`,
    `(=> ${any(monetary_actions.map(covers))} hasAmount)`,
    money(passport),
    not_before ? `(<= ${Date.parse(not_before)} at)` : 'true',
    expires_at ? `(< at ${Date.parse(expires_at)})` : 'true',
  ]);
}

function covers(entry: string): Formula {
  if (entry === '*') return 'true';
  if (!entry.endsWith('*')) return `(= action ${text(entry)})`;
  const prefix = text(entry.slice(0, -1));
  return `(and (str.prefixof ${prefix} action) (not (= action ${prefix})))`;
}

function reaches(entry: string): Formula {
  const [, domain] = entry.split('*.');
  if (domain === undefined) return `(= target ${text(entry)})`;
  // A host of at most 253 characters with labels of at most 63 exists below each of these short domains.
  const host = `(re.++ (re.+ (re.++ ${LABEL} (str.to_re "."))) (str.to_re ${text(domain)}))`;
  return `(str.in_re target (re.++ (str.to_re "did:web:") ${host} ${SEGMENTS}))`;
}

function money({ monetary_limit_per_txn, currency }: Passport): Formula {
  const own = currency === undefined ? undefined : CODES.indexOf(currency) + 1;
  const kinds = Object.values(DECIMALS).map((decimals, index) => [index + 1, decimals] as const);
  const fits = currency
    ? isWhole(DECIMALS[currency] ?? 6)
    : all(kinds.map(([code, decimals]) => `(=> (= code ${code}) ${isWhole(decimals)})`));
  return all([
    `(=> hasAmount (and ${fits} (<= amount ${micros(monetary_limit_per_txn)})))`,
    own === undefined ? 'true' : `(or (= code ${own}) (and (= code 0) (not hasAmount)))`,
  ]);
}

function isWhole(decimals: number): Formula {
  return decimals === 6 ? 'true' : `(= (mod amount ${10 ** (6 - decimals)}) 0)`;
}

function micros(limit: number | string): bigint {
  const [whole = '0', fraction = ''] = String(limit === 0.000001 ? '0.000001' : limit).split('.');
  return BigInt(whole) * MICROS + BigInt(fraction.padEnd(6, '0'));
}

function all(formulas: readonly Formula[]): Formula {
  return formulas.length === 0 ? 'true' : `(and ${formulas.join(' ')})`;
}

function any(formulas: readonly Formula[]): Formula {
  return formulas.length === 0 ? 'false' : `(or ${formulas.join(' ')})`;
}

function text(value: string): string {
  return `"${value}"`;
}
