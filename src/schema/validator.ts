/** The types of schemas that Ajv has compiled, and the functions that all compiled validators share. */
import type { RequestName } from './requests.ts';

export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A validator that Ajv has compiled. It stores the errors of the last call in `errors`. */
export interface Validator {
  (data: unknown): boolean;
  errors?: readonly ValidationError[] | null;
}

/** A request with its validator and the names of its fields, as `npm run build` writes it. */
export interface CompiledRequest {
  readonly name: RequestName;
  readonly validate: Validator;
  readonly fields: readonly string[];
}

/** Adds an error to the errors of a validator; `null` if it has none. */
export function push(errors: ValidationError[] | null, error: ValidationError): ValidationError[] {
  if (errors === null) return [error];
  errors.push(error);
  return errors;
}

/** Adds the errors of a part to the errors of a validator; `null` if it has none. */
export function concat(errors: ValidationError[] | null, more: ValidationError[]): ValidationError[] {
  return errors === null ? more : errors.concat(more);
}
