/** What Ajv compiles a schema to. */

/** What Ajv says of one failing keyword. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A validator compiled by Ajv: it leaves what it found on itself. */
export interface Validator {
  (data: unknown): boolean;
  errors?: readonly ValidationError[] | null;
}
