/** The form into which Ajv compiles a schema. */

/** The error of Ajv for one failing keyword. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A validator compiled by Ajv. It stores its errors in a property of itself. */
export interface Validator {
  (data: unknown): boolean;
  errors?: readonly ValidationError[] | null;
}
