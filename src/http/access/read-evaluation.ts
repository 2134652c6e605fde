/** Reads AuthZEN requests (sections 5 to 7). Ignores unknown members (section 10.1.1). */
import type { AuthzenEvaluation } from '../../base/authzen.ts';
import { type FieldError, invalidRequest, refuseAny } from '../../errors.ts';

export type GivenMembers = Readonly<Record<string, unknown>>;

/** The required texts of each part, with their maximum length in characters. */
const REQUIRED = {
  subject: { type: Number.POSITIVE_INFINITY, id: 512 },
  action: { name: 256 },
  resource: { type: Number.POSITIVE_INFINITY, id: Number.POSITIVE_INFINITY },
} as const;

const PARTS = ['subject', 'action', 'resource'] as const;

export function readObject(value: unknown, path = ''): GivenMembers {
  if (isObject(value)) return value;
  throw invalidRequest([wrongType(path, 'a JSON object')]);
}

/**
 * Reads one evaluation. If a part, such as `subject`, is missing, `defaults` provides the whole part. If a part has no
 * `type`, `id` or `name` that it needs, `defaults` provides this text.
 *
 * @throws {IdentityError} `invalid_request` with every error.
 */
export function readEvaluation(input: GivenMembers, defaults?: GivenMembers): AuthzenEvaluation {
  const errors: FieldError[] = [];
  const whole: Record<string, unknown> = {};
  for (const part of PARTS) whole[part] = merged(part, input[part], defaults?.[part]);
  const { context = defaults?.['context'] } = input;
  for (const part of PARTS) evaluatePart(part, whole[part], errors, true);
  evaluateMembers('/context', context, errors);
  refuseAny(errors);
  return {
    ...(whole as unknown as AuthzenEvaluation),
    ...(context !== undefined && { context: context as GivenMembers }),
  };
}

/** Throws `invalid_request` for defaults that would be wrong for every evaluation. */
export function checkDefaults(input: GivenMembers): void {
  const errors: FieldError[] = [];
  for (const part of PARTS) if (input[part] !== undefined) evaluatePart(part, input[part], errors, false);
  evaluateMembers('/context', input['context'], errors);
  refuseAny(errors);
}

function merged(part: (typeof PARTS)[number], ownValue: unknown, standard: unknown): unknown {
  if (ownValue === undefined) return standard;
  if (!isObject(ownValue) || !isObject(standard)) return ownValue;
  let whole = ownValue;
  for (const name of Object.keys(REQUIRED[part])) {
    if (ownValue[name] === undefined && standard[name] !== undefined)
      whole = { ...whole, [name]: standard[name] };
  }
  return whole;
}

function evaluatePart(
  part: (typeof PARTS)[number],
  value: unknown,
  errors: FieldError[],
  isWhole: boolean,
): void {
  const path = `/${part}`;
  if (value === undefined) return void errors.push(required(path));
  if (!isObject(value)) return void errors.push(wrongType(path, 'a JSON object'));
  for (const [name, limit] of Object.entries(REQUIRED[part])) {
    const text = value[name];
    if (text !== undefined || isWhole) errors.push(...memberErrors(`${path}/${name}`, text, limit));
  }
  evaluateMembers(`${path}/properties`, value['properties'], errors);
}

function memberErrors(path: string, text: unknown, limit: number): readonly FieldError[] {
  if (text === undefined) return [required(path)];
  if (typeof text !== 'string') return [wrongType(path, 'a string')];
  if (limit === Number.POSITIVE_INFINITY || (text !== '' && text.length <= limit)) return [];
  const code = text === '' ? 'too_short' : 'too_long';
  return [{ path, code, message: `It must have 1 to ${limit} characters.` }];
}

function evaluateMembers(path: string, value: unknown, errors: FieldError[]): void {
  if (value !== undefined && !isObject(value)) errors.push(wrongType(path, 'a JSON object'));
}

function required(path: string): FieldError {
  return { path, code: 'required', message: 'This field is required.' };
}

export function wrongType(path: string, expectedText: string): FieldError {
  return { path, code: 'wrong_type', message: `It must be ${expectedText}.` };
}

function isObject(value: unknown): value is GivenMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
