/** The types of schemas that Ajv has compiled. */

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
