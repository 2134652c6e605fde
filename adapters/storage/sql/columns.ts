/** The type of the values of a column, besides NULL. A `boolean` is stored as 0 or 1. */
type Plain = 'text' | 'integer' | 'boolean' | 'json';

/**
 * The kind of a column. NULL means `null` if the field is always present (`text|null`), and absence if it is optional
 * (`text?`).
 */
export type ColumnKind = Plain | `${Plain}|null` | `${Plain}?`;

/** The kind that can hold exactly the values of a type. */
type PlainOf<Value> = [Value] extends [string]
  ? 'text'
  : [Value] extends [number]
    ? 'integer'
    : [Value] extends [boolean]
      ? 'boolean'
      : 'json';

type KindOf<Kept, Field extends keyof Kept> =
  Record<never, never> extends Pick<Kept, Field>
    ? `${PlainOf<Exclude<Kept[Field], undefined>>}?`
    : null extends Kept[Field]
      ? `${PlainOf<Exclude<Kept[Field], null>>}|null`
      : PlainOf<Kept[Field]>;

/** A column for each field of a record, of the kind that its type needs. The compiler demands all of them. */
export type ColumnsOf<Kept> = { readonly [Field in keyof Kept]-?: KindOf<Kept, Field> };

/** A table, with the fields of its records in column order. */
export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnKind>>;
}

/** The columns of every table of records. */
export const common = { id: 'text', account_id: 'text', version: 'integer', created_at: 'text' } as const;
