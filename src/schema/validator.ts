/** The types of schemas that Ajv has compiled. */

/** The error of Ajv for one failing keyword. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A validator that Ajv has compiled. It stores its errors in its own property. */
export interface Validator {
  (data: unknown): boolean;
  errors?: readonly ValidationError[] | null;
}
