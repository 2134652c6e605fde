/** Checks tool mappings once, and applies them to every call. */

import { foldedForms, foldedName } from '../base/values/folded-name.ts';
import { MAX_HOLD_SECONDS } from '../base/values/hold-time.ts';
import { currencyDecimals, MAX_DECIMALS } from '../base/values/money.ts';
import { isPermitAudience, MAX_PROOF_LENGTH } from '../base/values/proof-format.ts';
import { isSubject } from '../base/values/subject.ts';
import type { Amount, Intent } from '../records.ts';
import { assertReadable, isPlain, readPointer, valueAt } from './plain-arguments.ts';
import { requireKnown, requireOption } from './require-option.ts';
import type { ToolCall, ToolIntent, ToolMapping, ToolRule } from './tool-call.ts';
import { isCarriedNumber, namedParameters } from './tool-parameters.ts';

/**
 * Returns the intent of a call. `call.args` must be the copy that the tool also gets, so that nothing changes
 * in between. Throws for a call that cannot be read.
 */
export type ReadIntent = (call: ToolCall) => Omit<Intent, 'agent_id'>;

/**
 * Creates the function that reads calls of tools without a tool mapping. It throws for a name that a server may confuse
 * with a name in `ruled`.
 */
export function readerWithoutRule(prefix: string, tools: readonly string[]): ReadIntent {
  const forms = new Set(tools.map(foldedName));
  return ({ name }) => {
    if (forms.size > 0 && foldedForms(name).some((form) => forms.has(form))) throw new TypeError();
    return { action: actionOf(prefix + name) };
  };
}

/**
 * Creates the function that reads calls with this tool mapping.
 *
 * @throws {IdentityError} `invalid_configuration` for an invalid mapping.
 */
export function readerOf(tool: string, givenRule: unknown, prefix: string): ReadIntent {
  const action = prefix + tool;
  if (typeof givenRule === 'function') return (call) => mapped(givenRule as ToolMapping, call, action);
  const place = `tools[${JSON.stringify(tool)}]`;
  requireOption(
    isPlain(givenRule) && !Array.isArray(givenRule),
    `${place} must be a rule such as { amount: "/amount" }, or a function.`,
  );
  const rule: ToolRule = { ...givenRule };
  requireKnown(rule, RULE, `${place} has no field `);
  checkRule(place, rule);
  const readAction = read(place, 'action', rule.action ?? action);
  const readTarget = rule.target === undefined ? undefined : read(place, 'target', rule.target, 512);
  const readMoney = moneyReader(place, rule);
  const readNamed = namedParameters(place, rule);
  const readParameters = readNamed === undefined ? readMoney : withMoney(readNamed, readMoney);
  const readPermit = rule.permit === undefined ? undefined : read(place, 'permit', rule.permit);
  const { hold_seconds } = rule;
  return ({ args }) => {
    const target = readTarget?.(args) ?? undefined;
    const intent = intentOf(readAction(args), target, readParameters?.(args), hold_seconds);
    if (readPermit !== undefined) intent.permit = { audience: audienceOf(readPermit(args)) };
    return intent;
  };
}

const RULE = [
  ...['action', 'target', 'amount', 'currency', 'currencies', 'decimals', 'optionalAmount', 'hold_seconds'],
  'permit',
  'parameters',
];

function checkRule(place: string, rule: ToolRule): void {
  const { amount, currency, optionalAmount, hold_seconds, permit } = rule;
  const isPointer = isPointerText(amount);
  const isDecimal = typeof amount === 'string' || typeof amount === 'number';
  requireOption(
    amount === undefined || isPointer || (isDecimal && DECIMAL.test(`${amount}`)),
    `${place}.amount must be a decimal such as 19.99, or a JSON Pointer such as /amount.`,
  );
  requireOption(
    currency === undefined || /^(?:[A-Z]{3}$|\/)/.test(currency),
    `${place}.currency must be a code such as EUR, or a JSON Pointer such as /currency.`,
  );
  requireOption(
    optionalAmount === undefined || typeof optionalAmount === 'boolean',
    `${place}.optionalAmount must be true or false.`,
  );
  requireOption(
    hold_seconds === undefined || isHoldTime(hold_seconds),
    `${place}.hold_seconds must be a whole number from 1 to 604800.`,
  );
  requireOption(
    permit === undefined || `${permit}`.startsWith('/') || isPermitAudience(permit),
    `${place}.permit must be the name of a resource such as https://pay.example, or a JSON Pointer.`,
  );
  requireOption(
    isPointer || (rule.decimals === undefined && optionalAmount !== true),
    `${place}: decimals and optionalAmount need an amount that is a JSON Pointer.`,
  );
  checkMinorUnits(place, rule);
}

function checkMinorUnits(place: string, { currency, currencies, decimals }: ToolRule): void {
  const isFixed = Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= MAX_DECIMALS;
  requireOption(
    decimals === undefined || decimals === 'currency' || isFixed,
    `${place}.decimals must be "currency", or a whole number from 0 to 6.`,
  );
  requireOption(
    decimals !== 'currency' || currency !== undefined,
    `${place}: decimals "currency" needs a currency.`,
  );
  const isFromCall = isPointerText(currency);
  checkCurrencies(place, currencies, isFromCall);
  if (!isFixed || !isFromCall) return;
  const otherCurrency = currencies?.find((code) => currencyDecimals(code) !== decimals);
  const name = otherCurrency ?? (currencies === undefined ? 'some currency that a call may name' : undefined);
  requireOption(
    name === undefined,
    `${place}: ${name} has other decimals than ${decimals}. Write decimals: "currency", or list in ` +
      'currencies only codes that have them.',
  );
}

function checkCurrencies(place: string, currencies: unknown, isFromCall: boolean): void {
  if (currencies === undefined) return;
  requireOption(isFromCall, `${place}: currencies need a currency that is a JSON Pointer.`);
  requireOption(
    Array.isArray(currencies) && currencies.length > 0 && currencies.every(isCurrency),
    `${place}.currencies must be a list of ISO 4217 codes such as ["EUR", "USD"].`,
  );
}

function isCurrency(code: unknown): boolean {
  return typeof code === 'string' && currencyDecimals(code) !== undefined;
}

function isPointerText(text: unknown): boolean {
  return typeof text === 'string' && text.startsWith('/');
}

function isHoldTime(seconds: unknown): seconds is number {
  return Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= MAX_HOLD_SECONDS;
}

const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

function read(place: string, name: string, text: string, longest = 256): (args: unknown) => unknown {
  requireOption(
    typeof text === 'string' && text !== '' && text.length <= longest,
    `${place}.${name} must be a text of 1 to ${longest} characters.`,
  );
  if (!text.startsWith('/')) return () => text;
  const path = readPointer(text);
  requireOption(path !== undefined, `${place}.${name} is no JSON Pointer: write ~0 for ~ and ~1 for /.`);
  return (args) => valueAt(args, path);
}

function withMoney(
  readNamed: (args: unknown) => NonNullable<Intent['parameters']>,
  readMoney: ((args: unknown) => Intent['parameters']) | undefined,
): (args: unknown) => Intent['parameters'] {
  return (args) => ({ ...readNamed(args), ...readMoney?.(args) });
}

function moneyReader(place: string, rule: ToolRule): ((args: unknown) => Intent['parameters']) | undefined {
  const { amount, currency, optionalAmount } = rule;
  if (amount === undefined && currency === undefined) return undefined;
  const readAmount = amount === undefined ? undefined : read(place, 'amount', `${amount}`);
  const readCurrency = currency === undefined ? undefined : read(place, 'currency', currency);
  const amountIn = amountReader(rule);
  return (args) => {
    const parameters: { amount?: Amount | null; currency?: string | null } = {};
    const amount = readAmount?.(args);
    const code = readCurrency && currencyOf(readCurrency(args));
    if (readAmount !== undefined && (amount !== undefined || !optionalAmount)) {
      parameters.amount = amountIn(amount, code ?? null);
    }
    if (code !== undefined) parameters.currency = code;
    return parameters;
  };
}

function amountReader({
  decimals,
  currencies,
}: ToolRule): (value: unknown, code: string | null) => Amount | null {
  const knownNames = currencies && new Set<string | null>(currencies);
  return (value, code) => {
    if (knownNames !== undefined && !knownNames.has(code)) return null;
    if (decimals === undefined) return wholeAmount(value);
    const digits = decimals === 'currency' ? minorDigits(code) : decimals;
    return digits === undefined ? null : shifted(value, digits);
  };
}

/** Returns the decimals of the minor unit of a currency. Returns `undefined` if ISO 4217 defines none, as for gold. */
function minorDigits(code: string | null): number | undefined {
  const digits = code === null ? undefined : currencyDecimals(code);
  return digits === MAX_DECIMALS ? undefined : digits;
}

function wholeAmount(value: unknown): Amount | null {
  if (typeof value === 'number') return isCarriedNumber(value) ? value : null;
  return typeof value === 'string' ? value : null;
}

/**
 * Inserts the decimal point into a number of minor units as text, because a product of floating-point numbers is not
 * exact.
 */
function shifted(value: unknown, decimals: number): string | null {
  if (!isWhole(value) && !(typeof value === 'string' && /^(?:0|[1-9]\d*)$/.test(value))) return null;
  if (decimals === 0) return `${value}`;
  const digits = `${value}`.padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && isCarriedNumber(value);
}

function currencyOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : value;
}

/**
 * Returns the intent from the application's own function. Throws for an unknown field, which could contain an amount
 * that would not be evaluated.
 */
function mapped(map: ToolMapping, call: ToolCall, standard: string): Omit<Intent, 'agent_id'> {
  assertReadable(call.args);
  const answer: unknown = map(call.args, call);
  if (!isPlain(answer) || Array.isArray(answer)) throw new TypeError();
  if (Object.keys(answer).some((name) => !INTENT.includes(name))) throw new TypeError();
  const {
    action = standard,
    target,
    parameters,
    proof,
    hold_seconds,
    subject,
    permit,
  } = answer as ToolIntent;
  if (hold_seconds !== undefined && !isHoldTime(hold_seconds)) throw new TypeError();
  const intent = intentOf(action, target, parameters, hold_seconds);
  if (subject !== undefined) intent.subject = subjectOf(subject);
  if (permit !== undefined) intent.permit = { ...permit, audience: audienceOf(permit.audience) };
  return proof === undefined ? intent : { ...intent, proof: text(proof, MAX_PROOF_LENGTH) };
}

const INTENT = ['action', 'target', 'parameters', 'proof', 'hold_seconds', 'subject', 'permit'];

function audienceOf(value: unknown): string {
  if (!isPermitAudience(value)) throw new TypeError();
  return value;
}

/** Returns the subject. Throws for an invalid subject. */
export function subjectOf(value: unknown): string {
  if (!isSubject(value)) throw new TypeError();
  return value;
}

function intentOf(
  action: unknown,
  target: unknown,
  parameters: Intent['parameters'],
  hold_seconds: number | undefined,
): Changeable<Omit<Intent, 'agent_id'>> {
  const intent: Changeable<Omit<Intent, 'agent_id'>> = { action: actionOf(action) };
  if (target !== undefined) intent.target = text(target, 512);
  if (parameters !== undefined) intent.parameters = parameters;
  if (hold_seconds !== undefined) intent.hold_seconds = hold_seconds;
  return intent;
}

type Changeable<Given> = { -readonly [Field in keyof Given]: Given[Field] };

function actionOf(value: unknown): string {
  const action = text(value, 256);
  if (action === '') throw new TypeError();
  return action;
}

function text(value: unknown, longest: number): string {
  if (typeof value === 'string' && value.length <= longest) return value;
  throw new TypeError();
}
