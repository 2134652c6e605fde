/** The forms of a request schema without its texts: compiled by Ajv, and as data. */
import type { RequestName } from './requests.ts';

/** The error of one failing keyword, as Ajv reports it. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Returns whether the data fits a schema. */
export type Validator = (data: unknown) => boolean;

/** A schema without descriptions and examples. */
export interface BareSchema {
  readonly $ref?: RequestName;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly items?: BareSchema;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, BareSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | BareSchema;
  readonly maxProperties?: number;
  readonly default?: unknown;
}

/** The schema of a request. */
export interface RequestSchema extends BareSchema {
  readonly properties: Readonly<Record<string, BareSchema>>;
}
