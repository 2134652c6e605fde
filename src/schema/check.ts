/** Checks input against the schemas and says which fields are wrong, in the words of the contract. */
import { type FieldError, invalidRequest, notPlain, pointer } from '../errors.ts';
import { plainCopy } from '../plain-data.ts';
import type { RequestName } from './requests.ts';
import { validators } from './validators.generated.ts';

/** What Ajv says of one failing keyword. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** A validator compiled by Ajv: it leaves what it found on itself. */
export interface Validator {
  (data: unknown): boolean;
  errors?: readonly ValidationError[] | null;
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

/** Gives back `input` as the named request, or throws `invalid_request` with the failing paths. */
export function check<Shape>(name: RequestName, input: unknown): Shape {
  const validate = validators[name];
  if (validate(input)) return input as Shape;
  throw invalidRequest((validate.errors ?? []).map(toFieldError));
}

/**
 * The same for input that is read again later: gives back a copy, so that what is stored is what was checked,
 * whatever its caller does meanwhile. What is no plain data is `invalid_request`.
 */
export function checkCopy<Shape>(name: RequestName, input: unknown): Shape {
  const isObject = typeof input === 'object' && input !== null;
  return check(name, isObject ? structuredClone(plainCopy(input, { refuse: refusePart })) : input);
}

function refusePart(path: readonly string[]): never {
  throw notPlain(path);
}

function toFieldError(error: ValidationError): FieldError {
  const code = CODES[error.keyword] ?? 'invalid';
  const missing = error.params['missingProperty'];
  if (typeof missing === 'string') {
    return { path: error.instancePath + pointer(missing), code, message: 'This field is required.' };
  }
  const unknown = error.params['additionalProperty'];
  if (typeof unknown === 'string') {
    return { path: error.instancePath + pointer(unknown), code, message: 'There is no such field.' };
  }
  return { path: error.instancePath, code, message: `This ${error.message ?? 'is not valid'}.` };
}
