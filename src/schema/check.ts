/** Checks input against the schemas. The errors name the wrong fields and the accepted values. */

import { suggestion } from '../base/known-options.ts';
import { APPROVAL_FIELDS } from '../base/values/approval.ts';
import { BUDGET_FIELDS } from '../base/values/budget.ts';
import { plainCopy } from '../base/values/plain-data.ts';
import { BUDGET_UNITS, usageFaults } from '../base/values/usage.ts';
import { type FieldError, invalidRequest, MAX_FIELD_ERRORS, notPlain, pointer } from '../errors.ts';
import type { OutcomeInput } from '../records/outcome.ts';
import { expectedAt, mustBe } from './expected.ts';
import type { RequestName } from './requests.ts';
import type { CompiledRequest, ValidationError } from './validator.ts';
import { intentSchema, passportPatchSchema } from './validators.generated.ts';

/**
 * Finds errors that a schema cannot express. `isRefused` is `true` if the schema has already found an error.
 * The members of the input may then have any type.
 */
export type FieldCheck = (
  input: Readonly<Record<string, unknown>>,
  isRefused: boolean,
) => readonly FieldError[];

interface Named {
  readonly usage?: object;
  readonly intent?: Named;
  readonly intents?: readonly Named[];
}

/** Throws if a usage has no unit, or if a number of it is not exact. A schema cannot express these errors. */
function demandUsage(name: RequestName, input: Named): void {
  if (name === 'Intent' || name === 'CommitRequest') demandExact(input, '');
  else if (name === 'TryRequest') demandExact(input.intent, '/intent');
  else if (name === 'IntentBatch') {
    for (const [index, intent] of (input.intents ?? []).entries()) demandExact(intent, `/intents/${index}`);
  }
}

function demandExact(intent: Named | undefined, path: string): void {
  if (intent?.usage === undefined) return;
  const faults = usageFaults(intent.usage);
  if (faults.length === 0) return;
  throw invalidRequest(
    faults.map((unit) => {
      const usagePath = `${path}/usage${unit && pointer(unit)}`;
      return { path: usagePath, code: 'malformed', message: mustBe(usagePath) };
    }),
  );
}

const CODES: Readonly<Record<string, string>> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  type: 'wrong_type',
  enum: 'not_allowed',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_few',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  uniqueItems: 'duplicate',
};

/**
 * Returns `input` as this request.
 *
 * @throws {IdentityError} `invalid_request` with every field that breaks the schema or that `fieldCheck` reports.
 */
export function check<Shape>(request: CompiledRequest, input: unknown, fieldCheck?: FieldCheck): Shape {
  const { name, validate } = request;
  const fits = validate(input);
  if (fits) demandUsage(name, input as Named);
  if (fits && fieldCheck === undefined) return input as Shape;
  const errors = (!fits && validate.errors) || [];
  const foundErrors = errors.slice(0, MAX_FIELD_ERRORS).map((error) => toFieldError(request, error));
  const isNew = ({ path }: FieldError) => !foundErrors.some((error) => isWithin(path, error.path));
  const further = fieldCheck === undefined || !isObject(input) ? [] : fieldCheck(input, !fits).filter(isNew);
  if (errors.length + further.length > 0)
    throw invalidRequest([...foundErrors, ...further], errors.length + further.length);
  return input as Shape;
}

/**
 * Checks input and returns a copy, so that later changes by the caller have no effect.
 *
 * @throws {IdentityError} `invalid_request` for anything that is not plain data.
 */
export function checkCopy<Shape>(request: CompiledRequest, input: unknown, fieldCheck?: FieldCheck): Shape {
  const isCopied = typeof input === 'object' && input !== null;
  return check(
    request,
    isCopied ? structuredClone(plainCopy(input, { refuse: refusePart })) : input,
    fieldCheck,
  );
}

function refusePart(path: readonly string[]): never {
  throw notPlain(path);
}

function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

function isWithin(path: string, holder: string): boolean {
  return path === holder || path.startsWith(`${holder}/`);
}

function toFieldError(
  request: CompiledRequest,
  { instancePath, keyword, params }: ValidationError,
): FieldError {
  const code = CODES[keyword] ?? 'invalid';
  const { missingProperty: missing, additionalProperty: unknown } = params;
  if (typeof missing === 'string') {
    const path = instancePath + pointer(missing);
    const expectedText = expectedAt(path);
    return { path, code, message: `This field is required${expectedText ? `: ${expectedText}` : ''}.` };
  }
  if (typeof unknown === 'string') {
    const holder = heldIn(request, instancePath);
    const knownNames = typeof holder === 'string' ? PARTS[holder] : holder.fields;
    const hint =
      holder === intentSchema && MONEY.includes(unknown) ? ` Say parameters.${unknown}.` : undefined;
    const message = `There is no such field.${hint ?? suggestion(unknown, knownNames)}`;
    return { path: instancePath + pointer(unknown), code, message };
  }
  const excess = excessOf(keyword, params);
  const right = mustBe(instancePath);
  return { path: instancePath, code, message: excess === undefined ? right : `${excess}. ${right}` };
}

const MONEY: readonly string[] = ['amount', 'currency'];

const OUTCOME: Readonly<Record<keyof OutcomeInput, true>> = {
  decision_id: true,
  evaluated_at: true,
  agent_id: true,
  outcome: true,
  code: true,
  mark: true,
};

const PARTS = {
  Budget: BUDGET_FIELDS,
  Approval: APPROVAL_FIELDS,
  Outcome: Object.keys(OUTCOME),
  Usage: BUDGET_UNITS,
} as const;

type Part = keyof typeof PARTS;

/**
 * Returns the request or the part for a path inside a request. For example, a batch contains intents, and a
 * `TryRequest` contains a patch and an intent.
 */
function heldIn(request: CompiledRequest, instancePath: string): CompiledRequest | Part {
  if (instancePath === '') return request;
  if (/\/budgets\/\d+$/.test(instancePath)) return 'Budget';
  if (instancePath.endsWith('/approval')) return 'Approval';
  if (instancePath.endsWith('/usage')) return 'Usage';
  if (request.name === 'OutcomesRequest') return 'Outcome';
  return instancePath.startsWith('/patch') ? passportPatchSchema : intentSchema;
}

const COUNTED: Readonly<Record<string, string>> = {
  minLength: 'characters',
  maxLength: 'characters',
  minItems: 'entries',
  maxItems: 'entries',
  maxProperties: 'names',
};

/** Describes the limit that a value exceeds. Returns `undefined` for a keyword that is not a limit. */
export function excessOf(keyword: string, { limit, i, j }: ValidationError['params']): string | undefined {
  if (keyword === 'uniqueItems') return `Entries ${j} and ${i} are the same`;
  const countedText = COUNTED[keyword];
  if (countedText === undefined) return undefined;
  const isTooFew = keyword.startsWith('min');
  if (isTooFew && limit === 1) return 'This is empty';
  return `This has ${isTooFew ? 'fewer' : 'more'} than ${limit} ${countedText}`;
}
